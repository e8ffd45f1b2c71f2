"""Which database a position is solved with: one that is given, or one that is built in memory and kept."""

from pathlib import Path

from mancala_rl.errors import BadInputError
from mancala_rl.rules import Position, Rules
from mancala_rl.solver.database import Database, build_database, check_build, open_database
from mancala_rl.solver.file import MOST_STONES
from mancala_rl.solver.filling import bytes_needed
from mancala_rl.solver.memory import MEMORY
from mancala_rl.solver.packing import is_packed, stones_in_pits
from mancala_rl.solver.ranking import positions_up_to
from mancala_rl.solver.room import check_room, smallest_table
from mancala_rl.solver.scope import database_fits, database_obstacle, future_hash, is_looked_up

Source = Database | Path | str | int | None

# What a database in memory may hold, in positions, for how many stones in the pits of the position to be solved. More
# stones make its cost pay: a database of 18 stones takes about ten seconds for six pits, one of 14 less than one.
_WORTHWHILE = ((24, 300_000), (32, 3_000_000), (38, 20_000_000), (1 << 15, 90_000_000))
_WORTHWHILE_ON_ROWS = ((16, 0), (24, 200_000), (1 << 15, 3_000_000))  # a second for a million of them

MOST_LOOKED_UP = 20_000_000  # positions of a database that is built unasked because nothing else solves a position

_kept: dict[str, Database] = {}


def database_stones(position: Position, memory: int = MEMORY) -> int:
    """Return for how many stones a database in memory pays when this position is solved; 0 for none.

    It leaves half of the memory to the table of positions.

    Raises:
        BadInputError: only a database solves the position, and it would be too large to be built unasked.
    """
    rules, stones = position.rules, stones_in_pits(position)
    if is_looked_up(rules):
        reach = _most_stones(rules, MOST_STONES, MOST_LOOKED_UP)
        if stones > reach:
            raise BadInputError(
                f"solve {position}: {stones} stones in the pits; games of {rules} need not end, and are looked up in a "
                f"database: up to {reach} stones one is built at once, for more use `mancala-rl database build`"
            )
        return stones
    if position.closed or database_obstacle(rules) is not None:
        return 0
    sizes = _WORTHWHILE if is_packed(position) else _WORTHWHILE_ON_ROWS
    most = next(positions for limit, positions in sizes if stones <= limit)
    known = _most_stones(rules, stones - 1, min(most, memory // 2 - smallest_table(position)))
    while known and bytes_needed(rules, known) > memory:
        known -= 1
    return known


def _most_stones(rules: Rules, limit: int, positions: int) -> int:
    """Return how many stones, within a limit, a database can have that holds no more than so many positions."""
    stones = 0
    while stones < limit and positions_up_to(rules.pits, stones + 1) <= positions and database_fits(rules, stones + 1):
        stones += 1
    return stones


def helping_database(position: Position, source: Source, memory: int, threads: int) -> Database | None:
    """Return a database that shortens the search of a position, None for none.

    Raises:
        BadInputError: one that is no help, or too large for the memory.
        DatabaseError: one of other rules, or a damaged file.
    """
    if isinstance(source, Database | Path | str) or source:
        field = "closed pits" if position.closed else database_obstacle(position.rules)
        if field is not None:
            raise BadInputError(f"a database is no help in {position} of {position.rules}: {field}; leave it out")
        return _database(position, source, memory, threads)
    needed = database_stones(position, memory) if source is None else 0
    return _built(position, needed, memory, threads) if needed else None


def covering_database(position: Position, source: Source, memory: int, threads: int) -> Database:
    """Return a database that holds a position.

    Raises:
        BadInputError: one of fewer stones, or too large for the memory; closed pits.
        DatabaseError: one of other rules, or a damaged file.
    """
    if position.closed:
        raise BadInputError(
            f"solve {position}: a database knows no closed pits; play games of {position.rules} without"
        )
    database = _database(position, source, memory, threads)
    stones = stones_in_pits(position)
    if stones > database.stones:
        raise BadInputError(
            f"solve {position}: {stones} stones in the pits, and the database of {database.rules} covers at most "
            f"{database.stones}; games need not end, so that nothing else solves it: build a larger one"
        )
    return database


def _database(position: Position, source: Source, memory: int, threads: int) -> Database:
    if isinstance(source, Path | str):
        source = open_database(source, position.rules)
    if isinstance(source, Database):
        source.check_rules(position.rules)
        check_room(position, source.stones, memory, source.held)
        return source
    if source is None:
        return _built(position, database_stones(position, memory), memory, threads)
    return _built(position, source, memory, threads, exactly=True)


def _built(position: Position, stones: int, memory: int, threads: int, *, exactly: bool = False) -> Database:
    """Return a database of so many stones, or more unless exactly those are asked for, from the last call if it is."""
    rules, table = position.rules, smallest_table(position)
    room = memory // 2 if table and not exactly else memory - table
    kept = _kept.get(future_hash(rules))
    if kept is not None and kept.held <= room and (kept.stones == stones if exactly else kept.stones >= stones):
        return kept
    check_build(rules, stones, threads)
    check_room(position, stones, memory)
    _kept.clear()  # one at a time: they are large
    _kept[future_hash(rules)] = build_database(rules, stones, threads=threads)
    return _kept[future_hash(rules)]
