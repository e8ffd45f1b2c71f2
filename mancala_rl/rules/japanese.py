"""Japanese Mancala: the rules by number, as the comments of the kernel cite them.

J1  Two to four players in turn, counter-clockwise as they sow; each has m pockets and one store at the right end.
J2  At a table two players take 6 or 7 pockets a side, three or four players 6 or 4, and 3 or 4 stones a pocket;
    another number of pockets falls back to six (`table_rules`). The engine takes any size.
J3  A move takes all stones of an own pocket and sows them into every following cell, all stores included; the pocket
    they came from is not passed over. The ring is (active players) x (m+1) cells.
J4  A stone in a store is out of play for good. Nothing is captured.
J5  A last stone in any store gives another turn.
J6  Who has emptied the own side after a sowing has finished, and does not move again whatever the last stone gave.
J7  Two players: the finisher wins.
J8  Three or four players, `play_out`: the finisher takes the best free place, pockets and store are lifted off the
    board, the ring closes and the next one moves. The last one left takes the last place.
J9  Without `play_out` the game stops at the first finisher; the others rank by fewer stones left in their pockets,
    equal numbers share a place.
J10 `resign`: one's own turn may be used to give up, for the worst free place; then as in J8.
J11 Reward 1 - 2(place - 1)/(players - 1), players who share places take the mean. A series rotates the starter.
J12 No position comes twice, so nothing else has to end the game.
"""

import warnings

from mancala_rl.rules.record import Rules
from mancala_rl.rules.registry import Variant, register

register(
    Variant(
        rules=Rules(name="japanese", sow_stores="all", extra_turn="any_store", capture="none", goal="empty"),
        title="Japanese Mancala",
        summary="Empty your side first; every store is sown.",
        aliases=("japanese_mancala",),
        options=("players", "pits", "stones", "play_out", "resign", "max_plies", "start_position"),
        source="Instructions of the Japanese school and party game sold as Mancala, basic rules",
    )
)

TABLE_PITS = {2: (6, 7), 3: (6, 4), 4: (6, 4)}
TABLE_STONES = (4, 3)


def table_rules(rules: Rules) -> Rules:
    """Return Japanese rules with the numbers a table offers (J2): what does not fit falls back, with a warning.

    Pockets fall back to six, stones a pocket to four.

    Warns:
        UserWarning: names the number that did not fit, and what is taken instead.
    """
    offered = {"pits": TABLE_PITS[rules.players], "stones": TABLE_STONES}
    for field, numbers in offered.items():
        value = getattr(rules, field)
        if value not in numbers:
            allowed = " or ".join(map(str, sorted(numbers)))
            warnings.warn(
                f"{field}={value}: a table for {rules.players} has {allowed}; {numbers[0]} are taken", stacklevel=2
            )
            rules = rules.replace(**{field: numbers[0]})
    return rules
