"""Bohnenspiel, the bean game of the Baltic Germans: the rules by number.

B1  Six beans in each of the 2x6 pits; the stores hold captured beans only, nothing is sown into them.
B2  All beans of an own pit are sown one by one into the following pits; the pit they came from is not passed over.
B3  A last bean that makes a pit of either side 2, 4 or 6 captures it, then backwards each pit before it while that
    holds 2, 4 or 6.
B4  A player who cannot move ends the game, and the opponent takes the beans that are left, all of them on the
    opponent's own side. There is no duty to feed.
B5  More beans win. The source asks for a majority, 37; that is the same, and play may go on (`stop_when_decided`).
B6  The source says nothing of games that go round in circles: here the third time the same position comes since the
    last capture ends the game, each side keeping its own beans (`repetition`, `cycle_split`).
"""

from mancala_rl.rules.record import Rules
from mancala_rl.rules.registry import Variant, register

register(
    Variant(
        rules=Rules(
            name="bohnenspiel",
            stones=6,
            sow_stores="none",
            extra_turn="none",
            capture="none",
            chain="2,4,6",
            chain_side="any",
            end_check="on_turn",
            repetition=3,
        ),
        title="Bohnenspiel",
        summary="Capture 2, 4 and 6 of either side, in chains.",
        aliases=("das_bohnenspiel",),
        options=(
            "pits",
            "stones",
            "chain_side",
            "leftovers",
            "stop_when_decided",
            "repetition",
            "cycle_split",
            "max_plies",
            "start_position",
        ),
        source="Deutsches Spielhandbuch, 1937, as retold in Wikipedia, Das Bohnenspiel",
    )
)
