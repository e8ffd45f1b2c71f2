"""Turkish Mangala: the rules by number, as the comments of the kernel cite them.

M1  As in Kalah every pit holds n stones; the store is called treasure.
M2  A move takes all stones of an own pit that is not empty.
M3  With two stones or more the first goes back into the pit they came from, then one into each following cell, the
    own treasure included, the opponent's not.
M4  A single stone moves to the next cell, from the last pit into the treasure.
M5  On later laps the pit they came from is a pit like any other: of 14 stones the last falls into it, which holds the
    first, so nothing is captured; of 13 it falls one pit before and may capture.
M6  A last stone in the own treasure gives another turn.
M7  A last stone in an own pit that was empty, with stones opposite, takes both to the treasure.
M8  `even_capture`: a last stone that makes an opponent's pit even (2, 4, 6, ...) takes that pit.
M9  After every move the set is over as soon as either row is empty.
M10 `leftovers`: the other side keeps its stones (owner), or the owner of the empty row takes them (emptier), also if
    a capture of the opponent emptied it.
M11 More stones win the set, equal numbers are a drawn set. A majority does not end it.
M12 "The turn passes and the opponent captures all remaining stones" is M9 with `owner`.
M13 No position comes twice.
M14 A match is 1, 3 or 5 sets; a set won counts 1, a drawn one 1/2; the starter alternates.
M15 Closing pits: between sets each player refills from the own treasure and closes at the left end what cannot be
    filled. Closed pits are passed over in sowing, hold nothing and cannot be captured from.
"""

from mancala_rl.rules.record import Rules
from mancala_rl.rules.registry import Variant, register

_OPTIONS = (
    "pits",
    "stones",
    "even_capture",
    "leftovers",
    "stop_when_decided",
    "start_position",
)

register(
    Variant(
        rules=Rules(name="mangala", first_stone="origin"),
        title="Mangala",
        summary="Kalah whose first stone goes back into its pit.",
        aliases=("mangala_basic",),
        options=_OPTIONS,
        source="Rules printed with Turkish sets of Mangala",
    )
)
register(
    Variant(
        rules=Rules(name="mangala_official", first_stone="origin", even_capture=True, leftovers="emptier"),
        title="Mangala, tournament rules",
        summary="Mangala that captures even pits of the opponent too.",
        aliases=("mangala_federation",),
        options=_OPTIONS,
        source="Turkish tournament rules (World Ethnosport Confederation; Mancala World, Mangala)",
    )
)
