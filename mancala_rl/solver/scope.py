"""For which rules there are endgame databases, how they are found, and what a value means where games need not end.

Rules that the packed board plays are filled in one sweep (`mancala_rl.solver.layers`). All others of two players are
solved by retrograde analysis (`mancala_rl.solver.retrograde`) as long as their future depends on the board alone.

Where no store is sown, as in Oware, a game can go on for ever. Two conventions then make the value of a board a number
that neither its past nor the stores change:

* A line that goes on for ever shares the stones that stay in the pits evenly: it is worth what was captured before.
  That is what `cycle_split="even"` does when a position comes back, so that a value is exact for such rules as long as
  nothing has been played since the last capture (`mancala_rl.solver.retrograde` says why) and no 255 moves without a
  capture are needed; Oware with up to 12 stones takes 160 at most. With `cycle_split="own_side"`, Oware's default, the
  stones of such a line would go by where it was cut, which no board tells; its values are those of the even split.
* A majority ends nothing; every game is played for stones to its end. Who wins is the same, by how much may not be.
"""

import dataclasses

from mancala_rl.kernel.packed import ROW_BITS
from mancala_rl.rules import Rules
from mancala_rl.solver.packing import MOST_PITS, NUMBER_BITS, fits, obstacle, value_step
from mancala_rl.solver.ranking import layer_size, positions_up_to

CONVENTION = "a line that goes on for ever shares the stones in the pits evenly, and a majority does not end a game"
_FOR_RETROGRADE = {"players": 2, "tuzdik": False, "max_plies": 0, "resign": False}
_TO_THE_END = {
    "repetition": 0,
    "cycle_split": "own_side",
    "stop_when_decided": False,
    "sweep_when_decided": False,
}
# What makes no difference to what a position in the middle of the game is worth.
_IRRELEVANT = {"stones": 1, "pie": False, "start_position": "uniform"}


def is_swept(rules: Rules) -> bool:
    """Return whether a database of these rules is filled in one sweep of packed boards."""
    return obstacle(rules) is None


def is_endless(rules: Rules) -> bool:
    """Return whether a position can come back, so that values rest on the conventions above."""
    return rules.sow_stores == "none"


def is_looked_up(rules: Rules) -> bool:
    """Return whether positions are solved by looking them up, because games need not end."""
    return is_endless(rules) and database_obstacle(rules) is None


def database_obstacle(rules: Rules) -> str | None:
    """Return the first field, with its value, for which there can be no database; None if there can be one."""
    if is_swept(rules):
        return None
    needed = _FOR_RETROGRADE if is_endless(rules) else {**_FOR_RETROGRADE, "stop_when_decided": False}
    for field, value in needed.items():
        if getattr(rules, field) != value:
            return f"{field}={getattr(rules, field)}"
    return None


def database_fits(rules: Rules, stones: int) -> bool:
    """Return whether all positions with so many stones in the pits can be numbered, and hold a value in a byte."""
    if is_swept(rules):
        return fits(rules, stones)
    pits = rules.pits
    if pits > MOST_PITS or pits * stones.bit_length() > ROW_BITS or positions_up_to(pits, stones) >= 1 << NUMBER_BITS:
        return False
    return layer_size(pits, stones) < 1 << 31 and stones < 1 << 7


def to_the_end(rules: Rules) -> Rules:
    """Return the rules that a database plays by: neither a majority nor a position that comes back ends a game."""
    return dataclasses.replace(rules, **_TO_THE_END) if is_endless(rules) else rules  # type: ignore[arg-type]


def future_rules(rules: Rules) -> Rules:
    """Return rules that are equal, but for the name, where positions with equal pits are worth the same."""
    return dataclasses.replace(to_the_end(rules), **_IRRELEVANT)  # type: ignore[arg-type]


def future_hash(rules: Rules) -> str:
    """Return a hash that is equal for rules under which positions with equal pits are worth the same from there on."""
    return future_rules(rules).play_hash


def database_step(rules: Rules) -> int:
    """Return by how much two values in a database differ at least."""
    return value_step(rules) if is_swept(rules) else 1
