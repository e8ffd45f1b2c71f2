"""Solving at the command line: the database built for it, how far it is, and what its values mean."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tyro.conf import arg

from mancala_rl.cli.progress import progress, search_line
from mancala_rl.rules import Position, Rules

if TYPE_CHECKING:
    from mancala_rl.solver import Database, Solution

MEMORY = 384  # MiB
THREADS = 2
_MIB = 1 << 20

DatabaseOption = Annotated[Path | None, arg(metavar="FILE", help="an endgame database to use")]


def solved(
    position: Position,
    database: Path | None,
    stones: int | None = None,
    memory: int = MEMORY,
    threads: int = THREADS,
    *,
    moves: bool = True,
    lines: bool = False,
) -> "Solution":
    """Solve a position and show meanwhile how far that is; see `mancala_rl.solver.solve`.

    Without a database one of `stones` stones is built in memory, 0 for none, None for as many as pay; `memory` in MiB.
    """
    from mancala_rl.solver import solve

    source = database or _built(position, stones, memory * _MIB, threads)
    with search_line() as tell:
        return solve(position, database=source, moves=moves, lines=lines, memory=memory * _MIB, progress=tell)


def _built(position: Position, stones: int | None, memory: int, threads: int) -> "Database | int":
    """Return a database in memory, 0 for none; its building is shown."""
    from mancala_rl.solver import build_database
    from mancala_rl.solver.database import check_build
    from mancala_rl.solver.ranking import positions_up_to
    from mancala_rl.solver.room import check_room
    from mancala_rl.solver.solution import check_solvable
    from mancala_rl.solver.supply import database_stones

    check_solvable(position)
    stones = database_stones(position, memory) if stones is None else stones
    if stones == 0:
        return 0
    check_build(position.rules, stones, threads)
    check_room(position, stones, memory)
    with progress(f"database of {stones} stones", positions_up_to(position.rules.pits, max(stones, 0))) as advance:
        return build_database(position.rules, stones, threads=threads, progress=advance)


def convention(rules: Rules) -> str | None:
    """Return what exact values rest on where games need not end, None where they end."""
    from mancala_rl.solver.scope import CONVENTION, is_looked_up

    return CONVENTION if is_looked_up(rules) else None


def remarks(rules: Rules) -> list[str]:
    """Return what has to be known to read exact values under these rules."""
    told = []
    if rules.goal == "empty":
        told.append(f"a win counts {rules.total}, and every stone that the other has left 1 more")
    if rests_on := convention(rules):
        told.append(f"games need not end: {rests_on}")
    return told
