"""Oware (Abapa): the rules by number, as the comments of the kernel cite them.

O1  Stores hold captured seeds only; nothing is sown into them.
O2  Seeds are sown over the 2m pits; the pit they came from is passed over on every lap.
O3  A last seed that makes a pit of the opponent 2 or 3 captures it, then backwards each pit before it while that is
    the opponent's too and holds 2 or 3.
O4  `grand_slam`, a move that would take all the opponent's seeds: no_capture (it stands and takes nothing), illegal
    (if there are others), allow, rest_to_opponent, leave_last (the pit of the last seed is spared), leave_first.
O5  If the opponent has no seeds only moves that reach the opponent's row are legal; if there are none the game is over.
O6  The game ends with more than half captured, without a legal move, or by repetition; `max_plies` cuts it off. At
    every end each side banks its own seeds.
O7  `repetition`: the same pits with the same player to move for the 2nd (or 3rd) time since the last capture;
    `cycle_split`: each side banks its own seeds, or they are shared evenly.
"""

from mancala_rl.rules.record import Rules
from mancala_rl.rules.registry import Variant, register

register(
    Variant(
        rules=Rules(
            name="oware",
            sow_stores="none",
            skip_origin=True,
            extra_turn="none",
            capture="none",
            chain="2,3",
            grand_slam="no_capture",
            feed=True,
            end_check="on_turn",
            stop_when_decided=True,
            sweep_when_decided=True,
            repetition=2,
        ),
        title="Oware",
        summary="Capture twos and threes, in chains; feed the hungry.",
        aliases=("awari", "abapa", "awale", "wari"),
        options=(
            "pits",
            "stones",
            "grand_slam",
            "feed",
            "stop_when_decided",
            "sweep_when_decided",
            "repetition",
            "cycle_split",
            "max_plies",
            "start_position",
        ),
        source="Oware Society, rules of Abapa; J. Romein, H. Bal: Solving Awari, 2003",
    )
)
