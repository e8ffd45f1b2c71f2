"""Ayoayo of the Yoruba: the rules by number.

Y1  Four seeds in each of the 2x6 pits; the stores hold captured seeds only, nothing is sown into them.
Y2  All seeds of an own pit are sown one by one into the following pits; each lap passes over the pit it started from.
Y3  A last seed in a pit that held seeds, on either side, is taken up with all the others there and they are sown on.
Y4  The turn ends in an empty pit. If that is an own one, the seeds opposite and the last seed are captured. (Another
    version leaves the last seed where it is: `lander`.)
Y5  If the opponent has no seeds a move must bring some to the opponent's row; if none does the game is over.
Y6  Without a legal move the game is over. Each side keeps its own seeds: the player who cannot move has none.
Y7  More seeds win.
Y8  A relay around a board without stores need not end. It stops after 100 laps (`relay_limit`), more than games take;
    and a position that comes for the third time since the last capture ends the game (`repetition`). The sources say
    nothing of either.
"""

from mancala_rl.rules.record import Rules
from mancala_rl.rules.registry import Variant, register

register(
    Variant(
        rules=Rules(
            name="ayoayo",
            sow_stores="none",
            skip_origin=True,
            relay="last",
            relay_limit=100,
            extra_turn="none",
            feed=True,
            end_check="on_turn",
            repetition=3,
        ),
        title="Ayoayo",
        summary="Relays around the pits, Kalah's capture, feeding.",
        aliases=("ayo",),
        options=(
            "pits",
            "stones",
            "relay_limit",
            "lander",
            "feed",
            "leftovers",
            "stop_when_decided",
            "repetition",
            "cycle_split",
            "max_plies",
            "start_position",
        ),
        source="Mancala World, Ayoayo, after L. Russ, 1984; Wikipedia, Ayoayo",
    )
)
