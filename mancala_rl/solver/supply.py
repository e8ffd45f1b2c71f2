"""Which database a position is solved with: one that is given, or one that is built in memory and kept."""

from pathlib import Path

from mancala_rl.errors import BadInputError
from mancala_rl.rules import Position, Rules
from mancala_rl.solver import packing
from mancala_rl.solver.database import (
    Database,
    build_database,
    check_build,
    in_bytes,
    memory_needed,
    open_database,
)
from mancala_rl.solver.engine import ROW_ENTRY
from mancala_rl.solver.file import Header
from mancala_rl.solver.ranking import positions_up_to
from mancala_rl.solver.scope import fits, future_hash, is_looked_up, obstacle
from mancala_rl.solver.table import least_table

MEMORY = 3 << 27  # bytes of database and table together unless the caller says otherwise

Source = Database | Path | str | int | None

# What a database in memory may hold, in positions, for how many stones in the pits of the position to be solved. More
# stones make its cost pay: a database of 18 stones takes about ten seconds for six pits, one of 14 less than one.
_WORTHWHILE = ((24, 300_000), (32, 3_000_000), (38, 20_000_000), (1 << 15, 90_000_000))
_WORTHWHILE_ON_ROWS = ((16, 0), (24, 200_000), (1 << 15, 3_000_000))  # a second for a million of them

MOST_LOOKED_UP = 20_000_000  # positions of a database that is built unasked because nothing else solves a position

_kept: dict[str, Database] = {}


def is_packed(position: Position) -> bool:
    """Return whether a position, and with it all that can follow, fits into the packed form."""
    return not position.closed and packing.fits(position.rules, stones_in_pits(position))


def stones_in_pits(position: Position) -> int:
    """Return how many stones are in the pits of both rows."""
    return sum(map(sum, position.pits))


def database_stones(position: Position, memory: int = MEMORY) -> int:
    """Return for how many stones a database in memory pays when this position is solved; 0 for none.

    It leaves half of the memory to the table.

    Raises:
        BadInputError: only a database solves the position, and it would be too large to be built unasked.
    """
    rules, stones = position.rules, stones_in_pits(position)
    if is_looked_up(rules):
        reach = _within_reach(rules)
        if stones > reach:
            raise BadInputError(
                f"solve {position}: {stones} stones in the pits; games of {rules} need not end, and are looked up in a "
                f"database: up to {reach} stones one is built at once, for more use `mancala-rl database build`"
            )
        return stones
    if position.closed or obstacle(rules) is not None:
        return 0
    sizes = _WORTHWHILE if is_packed(position) else _WORTHWHILE_ON_ROWS
    known = worthwhile(rules.pits, stones, sizes, memory // 2 - _least_table(position))
    return known if fits(rules, known) else 0


def check_room(position: Position, stones: int, memory: int, held: int | None = None) -> None:
    """Raise a BadInputError if a database of so many stones and the smallest table of a position take more memory.

    Args:
        position: to be solved.
        stones: of the database.
        memory: bytes allowed.
        held: bytes of the database if there is one; None if it has to be built.
    """
    pits, table = position.rules.pits, _least_table(position)
    if held is None:
        needed = max(memory_needed(Header.of(position.rules, stones)), positions_up_to(pits, stones) + table)
    else:
        needed = held + table
    if memory < needed:
        raise BadInputError(
            f"memory={memory} bytes: the database of {stones} stones and the table of positions take at least "
            f"{needed} ({in_bytes(needed)}); allow that much, or take a database of fewer stones"
        )


def _least_table(position: Position) -> int:
    """Return the bytes of the smallest table with which a position is searched, 0 if it is looked up."""
    if is_packed(position):
        return least_table(positions_up_to(position.rules.pits, stones_in_pits(position)))
    return 0 if is_looked_up(position.rules) else ROW_ENTRY


def worthwhile(pits: int, stones: int, sizes: tuple[tuple[int, int], ...], room: int) -> int:
    """Return for how many stones, in `room` bytes, a database pays that helps to solve one position of `stones`."""
    most = min(room, next(positions for limit, positions in sizes if stones <= limit))
    known = 0
    while known < stones - 1 and positions_up_to(pits, known + 1) <= most:
        known += 1
    return known


def _within_reach(rules: Rules) -> int:
    stones = 0
    while fits(rules, stones + 1) and positions_up_to(rules.pits, stones + 1) <= MOST_LOOKED_UP:
        stones += 1
    return stones


def helping_database(position: Position, source: Source, threads: int, memory: int = MEMORY) -> Database | None:
    """Return a database that shortens the search of a position, None for none.

    Raises:
        BadInputError: one of other rules, or one that is no help.
    """
    if isinstance(source, Database | Path | str) or source:
        field = "closed pits" if position.closed else obstacle(position.rules)
        if field is not None:
            raise BadInputError(f"a database is no help in {position} of {position.rules}: {field}; leave it out")
        return _database(position, source, threads, memory)
    needed = database_stones(position, memory) if source is None else 0
    return _built(position, needed, threads, memory) if needed else None


def covering_database(position: Position, source: Source, threads: int, memory: int = MEMORY) -> Database:
    """Return a database that holds a position.

    Raises:
        BadInputError: one of other rules or of fewer stones, closed pits.
    """
    if position.closed:
        raise BadInputError(
            f"solve {position}: a database knows no closed pits; play games of {position.rules} without"
        )
    database = _database(position, source, threads, memory)
    stones = stones_in_pits(position)
    if stones > database.stones:
        raise BadInputError(
            f"solve {position}: {stones} stones in the pits, and the database of {database.rules} covers at most "
            f"{database.stones}; games need not end, so that nothing else solves it: build a larger one"
        )
    return database


def _database(position: Position, source: Source, threads: int, memory: int) -> Database:
    if isinstance(source, Path | str):
        source = open_database(source, position.rules)
    if isinstance(source, Database):
        source.check_rules(position.rules)
        check_room(position, source.stones, memory, source.held)
        return source
    if source is None:
        return _built(position, database_stones(position, memory), threads, memory)
    return _built(position, source, threads, memory, exactly=True)


def _built(position: Position, stones: int, threads: int, memory: int, exactly: bool = False) -> Database:
    """Return a database of so many stones, or more unless exactly those are asked for, from the last call if it is."""
    rules = position.rules
    kept = _kept.get(future_hash(rules))
    if kept is not None and (kept.stones == stones if exactly else kept.stones >= stones and kept.held <= memory // 2):
        check_room(position, kept.stones, memory, kept.held)
        return kept
    check_build(rules, stones, threads)
    check_room(position, stones, memory)
    _kept.clear()  # one at a time: they are large
    _kept[future_hash(rules)] = build_database(rules, stones, threads=threads)
    return _kept[future_hash(rules)]
