"""How much memory it takes to solve a position: the database that is held, and the smallest table of the search."""

from mancala_rl.rules import Position
from mancala_rl.solver.engine import ROW_ENTRY
from mancala_rl.solver.filling import bytes_needed
from mancala_rl.solver.memory import check_enough
from mancala_rl.solver.packing import is_packed, stones_in_pits
from mancala_rl.solver.ranking import positions_up_to
from mancala_rl.solver.scope import is_looked_up
from mancala_rl.solver.table import least_table


def smallest_table(position: Position) -> int:
    """Return the bytes of the smallest table with which a position can be searched; 0 if it is only looked up."""
    if is_looked_up(position.rules):
        return 0
    if is_packed(position):
        return least_table(positions_up_to(position.rules.pits, stones_in_pits(position)))
    return ROW_ENTRY


def check_room(position: Position, stones: int, memory: int, held: int | None = None) -> None:
    """Raise a BadInputError if a database of so many stones and the smallest table of a position take more memory.

    Args:
        position: to be solved.
        stones: of the database.
        memory: bytes allowed.
        held: bytes of the database if there is one; None if it has to be built.
    """
    rules, table = position.rules, smallest_table(position)
    if held is None:
        needed = max(bytes_needed(rules, stones), positions_up_to(rules.pits, stones) + table)
    else:
        needed = held + table
    what, other = ("and the table of positions take", "of fewer stones") if table else ("takes", "from a file")
    check_enough(
        memory, needed, f"the database of {stones} stones {what}", f"allow that much, or take a database {other}"
    )
