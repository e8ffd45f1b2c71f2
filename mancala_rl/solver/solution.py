"""Exact solving: what a position is worth when both sides play perfectly from there to the end."""

import dataclasses
import time
from pathlib import Path

import numpy as np

from mancala_rl.errors import BadInputError
from mancala_rl.kernel import margin
from mancala_rl.rules import Position
from mancala_rl.solver.database import (
    THREADS,
    Database,
    build_database,
    check_build,
    in_bytes,
    memory_needed,
    open_database,
)
from mancala_rl.solver.engine import Engine, PackedEngine, Progress, RowEngine
from mancala_rl.solver.file import Header
from mancala_rl.solver.packing import fits, future_hash
from mancala_rl.solver.ranking import positions_up_to
from mancala_rl.solver.table import least_table

MEMORY = 3 << 27  # bytes of database and table together unless the caller says otherwise

# What a database in memory may hold, in positions, for how many stones in the pits of the position to be solved. More
# stones make its cost pay: a database of 18 stones takes about ten seconds for six pits, one of 14 less than one.
_WORTHWHILE = ((24, 300_000), (32, 3_000_000), (38, 20_000_000), (1 << 15, 90_000_000))


@dataclasses.dataclass(frozen=True)
class Solution:
    """The exact value of a position. Margins are those at the end of the game, of the player to move over the other.

    Where the first to empty the own side wins, a margin is how many stones fewer the player has left there, and all
    stones of the game more for the winner.

    Attributes:
        position: what has been solved.
        value: the margin if both play perfectly.
        values: the margin for every action played first, None where it is illegal; None if it was not asked for.
        best_moves: all actions that reach the value; without `values` one of them.
        nodes: positions visited.
        seconds: what it took, a database built for it included.
    """

    position: Position
    value: int
    values: tuple[int | None, ...] | None
    best_moves: tuple[int, ...]
    nodes: int
    seconds: float


def solve(
    position: Position,
    *,
    database: Database | Path | str | int | None = None,
    moves: bool = True,
    memory: int = MEMORY,
    threads: int = THREADS,
    progress: Progress | None = None,
) -> Solution:
    """Return the exact value of a position and of each of its moves.

    Kalah, Mangala and all rules of their kind with boards that fit into the packed form are searched fast and with an
    endgame database; any other game of two players that must end is searched on the kernel's rows.

    Args:
        position: any with a player to move.
        database: for positions with few stones in the pits: one that is open, its file, or the number of stones for
            which to build one in memory (0 for none). None builds one whose cost pays; it is kept for the next call.
        moves: whether to find the value of every move; without, only the position's own and one best move.
        memory: bytes that the database and the table of positions may take together. One that stays in its file counts
            nothing; what the system keeps of the file in memory it gives up when others need it.
        threads: used to build a database.
        progress: called about once a second with the nodes so far and the bounds of what is being found: the value of
            the position, then those of its moves.

    Raises:
        BadInputError: a position that is over, rules for more than two players or under which games need not end or
            what has been before counts, or less `memory` than it takes, which is said before anything is built.
        DatabaseError: a database that is damaged or for other rules.
        RunError: a database that does not fit into the free memory.
    """
    started = time.perf_counter()
    check_position(position)
    check_memory(memory)
    engine = make_engine(position, database, memory, threads, progress)
    search = _Search(engine, position)
    value, values, best = search.all_moves(position) if moves else search.value_only(position)
    return Solution(position, value, values, best, engine.nodes, time.perf_counter() - started)


def check_position(position: Position) -> None:
    """Raise a BadInputError if a position is over, or if its value does not depend on the position alone."""
    rules = position.rules
    if position.is_over:
        raise BadInputError(f"solve {position}: the game is over; give a position with a player to move")
    if rules.players != 2:
        raise BadInputError(f"solve needs rules for two players, got {rules} with {rules.players}")
    if rules.repetition:
        raise BadInputError(
            f"solve cannot take {rules}: with repetition={rules.repetition} a position's value depends on what has "
            "been before; use repetition=0 with max_plies, a number of moves that ends every game"
        )
    if not rules.is_finite:
        raise BadInputError(f"solve cannot take {rules}: games may go on for ever; use max_plies, a number of moves")


def make_engine(
    position: Position,
    database: Database | Path | str | int | None,
    memory: int,
    threads: int,
    progress: Progress | None,
) -> Engine:
    """Return the engine for a position and what can follow it."""
    rules, stones = position.rules, stones_in_pits(position)
    if not is_packed(position):
        if isinstance(database, Database | Path | str):
            raise BadInputError(f"a database is no help in {position} of {rules}; leave it out")
        return RowEngine(rules, memory, progress)
    found = _database(position, database, threads, memory)
    engine = PackedEngine(rules, stones, memory - (found.held if found else 0), progress)
    if found is not None:
        engine.use(found)
    return engine


def check_memory(memory: object) -> None:
    """Raise a BadInputError for what is no number of bytes."""
    if isinstance(memory, bool) or not isinstance(memory, int | np.integer):
        raise BadInputError(f"memory={memory!r}: expected a whole number of bytes")


def check_room(position: Position, stones: int, memory: int, held: int | None = None) -> None:
    """Raise a BadInputError if a database of so many stones and the smallest table of a position take more memory.

    Args:
        position: to be solved.
        stones: of the database.
        memory: bytes allowed.
        held: bytes of the database if there is one; None if it has to be built.
    """
    pits = position.rules.pits
    table = least_table(positions_up_to(pits, stones_in_pits(position)))
    if held is None:
        needed = max(memory_needed(Header.of(position.rules, stones)), positions_up_to(pits, stones) + table)
    else:
        needed = held + table
    if memory < needed:
        raise BadInputError(
            f"memory={memory} bytes: the database of {stones} stones and the table of positions take at least "
            f"{needed} ({in_bytes(needed)}); allow that much, or take a database of fewer stones"
        )


def is_packed(position: Position) -> bool:
    """Return whether a position, and with it all that can follow, fits into the packed form."""
    return not position.closed and fits(position.rules, stones_in_pits(position))


def stones_in_pits(position: Position) -> int:
    """Return how many stones are in the pits of both rows."""
    return sum(map(sum, position.pits))


def database_stones(position: Position, memory: int = MEMORY) -> int:
    """Return for how many stones a database in memory pays when this position is solved; 0 for none."""
    return worthwhile(position.rules.pits, stones_in_pits(position), memory) if is_packed(position) else 0


def worthwhile(pits: int, stones: int, memory: int = MEMORY) -> int:
    """Return for how many stones a database should be built to solve one position with `stones` in its pits.

    It leaves half of the memory to the table.
    """
    most = next(positions for limit, positions in _WORTHWHILE if stones <= limit)
    most = min(most, memory // 2 - least_table(positions_up_to(pits, stones)))
    known = 0
    while known < stones - 1 and positions_up_to(pits, known + 1) <= most:
        known += 1
    return known


def _database(
    position: Position, database: Database | Path | str | int | None, threads: int, memory: int
) -> Database | None:
    """Return the database to use: the one given, the one kept from the call before, or a new one; None for none."""
    rules = position.rules
    if isinstance(database, Path | str):
        database = open_database(database, rules)
    if isinstance(database, Database):
        database.check_rules(rules)
        check_room(position, database.stones, memory, database.held)
        return database
    stones = database_stones(position, memory) if database is None else database
    kept = _kept.get(future_hash(rules))
    if kept is not None and kept.held <= memory // 2 and kept.stones >= stones and database in (None, kept.stones):
        return kept
    if stones == 0:
        return None
    check_build(rules, stones, threads)
    check_room(position, stones, memory)
    _kept.clear()  # one at a time: they are large
    _kept[future_hash(rules)] = build_database(rules, stones, threads=threads)
    return _kept[future_hash(rules)]


_kept: dict[str, Database] = {}


class _Search:
    """Values of positions by an engine, the right to swap sides included."""

    def __init__(self, engine: Engine, root: Position) -> None:
        self._engine, self._seat = engine, root.to_move
        self._by_rows = isinstance(engine, RowEngine)  # it knows the right to swap

    def value_only(self, position: Position) -> tuple[int, None, tuple[int, ...]]:
        if position.pie is not None and not self._by_rows:
            value, _, best = self.all_moves(position)
            return value, None, best[:1]
        value = self.value(position, 0)
        if self._engine.move >= 0:
            return value, None, (self._engine.move,)
        found = next(move for move in position.legal_moves if self.of_move(position, move, value) == value)
        return value, None, (found,)

    def all_moves(self, position: Position) -> tuple[int, tuple[int | None, ...], tuple[int, ...]]:
        guess = self.value(position, 0)  # also fills the table
        legal = position.legal_moves
        worth = {move: self.of_move(position, move, guess) for move in legal}
        value = max(worth.values())
        best = tuple(move for move in legal if worth[move] == value)
        return value, tuple(worth.get(move) for move in range(position.rules.num_actions)), best

    def of_move(self, position: Position, move: int, guess: int) -> int:
        """Return the margin of the player to move at `position` after a move."""
        after = position.play(move)
        sign = 1 if after.to_move == position.to_move else -1
        if after.is_over:
            ahead = int(margin(after.row[None], 0, after.rules.array))
            return -ahead if position.to_move else ahead
        return sign * self.value(after, sign * guess)

    def value(self, position: Position, guess: int) -> int:
        """Return the margin of the player to move."""
        self._engine.view = 1 if position.to_move == self._seat else -1
        if self._by_rows or position.pie is None:
            return self._engine.value(position, guess)
        if position.pie == position.to_move:  # to swap turns every margin round
            return abs(self._engine.value(position, guess))
        return max(self.of_move(position, move, guess) for move in position.legal_moves)
