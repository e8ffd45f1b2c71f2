"""Exact solving: what a position is worth when both sides play perfectly from there to the end."""

import dataclasses
import time
from pathlib import Path

import numpy as np

from mancala_rl.errors import BadInputError
from mancala_rl.kernel import layout, margin
from mancala_rl.rules import Position
from mancala_rl.solver.database import THREADS, Database
from mancala_rl.solver.engine import Engine, LookupEngine, PackedEngine, Progress, RowEngine
from mancala_rl.solver.memory import MEMORY, check_memory
from mancala_rl.solver.packing import is_packed, stones_in_pits
from mancala_rl.solver.scope import is_looked_up, to_the_end
from mancala_rl.solver.supply import covering_database, helping_database


@dataclasses.dataclass(frozen=True)
class Solution:
    """The exact value of a position. Margins are those at the end of the game, of the player to move over the other.

    Where the first to empty the own side wins, a margin is how many stones fewer the player has left there, and all
    stones of the game more for the winner.

    Attributes:
        position: what has been solved.
        value: the margin if both play perfectly.
        values: the margin for every action played first, None where it is illegal; None if it was not asked for.
        lines: each action with best moves of both sides after it, () where it is illegal; to the end of the game, or to
            where a position comes back if games need not end. None if they were not asked for.
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
    lines: tuple[tuple[int, ...], ...] | None = None

    @property
    def principal_variation(self) -> tuple[int, ...] | None:
        """The line of the lowest best move, None if lines were not asked for."""
        return None if self.lines is None else self.lines[self.best_moves[0]]


def solve(
    position: Position,
    *,
    database: Database | Path | str | int | None = None,
    moves: bool = True,
    lines: bool = False,
    memory: int = MEMORY,
    threads: int = THREADS,
    progress: Progress | None = None,
) -> Solution:
    """Return the exact value of a position and of each of its moves.

    Kalah, Mangala and all rules of their kind with boards that fit into the packed form are searched fast and with an
    endgame database; any other game of two players that must end is searched on the kernel's rows. Where games need
    not end, as in Oware, a database has to hold the position: its values are looked up, under the conventions of
    `mancala_rl.solver.scope` and as if nothing had been before the position.

    Args:
        position: any with a player to move.
        database: for positions with few stones in the pits: one that is open, its file, or the number of stones for
            which to build one in memory (0 for none). None builds one whose cost pays, or the one that is needed if it
            is small; it is kept for the next call.
        moves: whether to find the value of every move; without, only the position's own and one best move.
        lines: whether to find the line behind every move too, for which `moves` is needed.
        memory: bytes that the database and the table of positions may take together. One that stays in its file counts
            nothing; what the system keeps of the file in memory it gives up when others need it.
        threads: used to build a database.
        progress: called about once a second with the nodes so far and the bounds of what is being found: the value of
            the position, then those of its moves.

    Raises:
        BadInputError: a position that is over, rules for more than two players or under which more than the board
            counts, a database of too few stones where games need not end, or less `memory` than it takes, which is said
            before anything is built.
        DatabaseError: a database that is damaged or for other rules.
        RunError: a database that does not fit into the free memory.
    """
    started = time.perf_counter()
    check_solvable(position)
    check_memory(memory)
    engine = make_engine(position, database, memory, threads, progress)
    root = played_to_the_end(position) if is_looked_up(position.rules) else position
    search = _Search(engine, root)
    value, values, best = search.all_moves(root) if moves or lines else search.value_only(root)
    found = tuple(_played(position, line) for line in search.lines(root, values)) if lines and values else None
    return Solution(position, value, values, best, engine.nodes, time.perf_counter() - started, found)


def check_solvable(position: Position) -> None:
    """Raise a BadInputError if there is nothing to solve in a position, or no way to do so."""
    if not isinstance(position, Position):
        raise BadInputError(
            f"solve {position!r}: expected a Position, as variant('kalah').start() or Position.parse gives"
        )
    if is_looked_up(position.rules):
        check_not_over(position)
    else:
        check_position(position)


def check_not_over(position: Position) -> None:
    """Raise a BadInputError if a position is over."""
    if position.is_over:
        raise BadInputError(f"solve {position}: the game is over; give a position with a player to move")


def check_position(position: Position) -> None:
    """Raise a BadInputError if a position is over, if games need not end or if their past counts."""
    rules = position.rules
    check_not_over(position)
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
    if is_looked_up(position.rules):
        return LookupEngine(covering_database(position, database, memory, threads))
    found = helping_database(position, database, memory, threads)
    left = memory - (found.held if found else 0)
    engine: PackedEngine | RowEngine
    if is_packed(position):
        engine = PackedEngine(position.rules, stones_in_pits(position), left, progress)
    else:
        engine = RowEngine(position.rules, left, progress)
    if found is not None:
        engine.use(found)
    return engine


def played_to_the_end(position: Position) -> Position:
    """Return a position under the rules that databases play by, without its past; see `mancala_rl.solver.scope`."""
    rules = to_the_end(position.rules)
    row, known = np.zeros(rules.row_length, np.int16), int(rules.array[layout.HISTORY])
    row[:known] = position.row[:known]
    return Position.from_row(rules, row)


def _played(position: Position, line: tuple[int, ...]) -> tuple[int, ...]:
    """Return a line as far as a game goes by the position's own rules, which may end it before `played_to_the_end`."""
    for length, move in enumerate(line):
        if position.is_over:
            return line[:length]
        position = position.play(move)
    return line


class _Search:
    """Values of positions by an engine, the right to swap sides included."""

    def __init__(self, engine: Engine, root: Position) -> None:
        self._engine, self._seat = engine, root.to_move
        self._by_rows = isinstance(engine, RowEngine)  # it knows the right to swap

    def lines(self, position: Position, values: tuple[int | None, ...]) -> tuple[tuple[int, ...], ...]:
        return tuple(() if value is None else self._line(position, move, value) for move, value in enumerate(values))

    def _line(self, position: Position, move: int, value: int) -> tuple[int, ...]:
        """Return a move with best moves after it; `value` is the margin that it leads to."""
        line, seat, seen = [move], position.to_move, set[Position]()
        position = position.play(move)
        while not position.is_over and position not in seen:
            seen.add(position)
            _, _, best = self.value_only(position, value if position.to_move == seat else -value)
            line.append(best[0])
            position = position.play(best[0])
        return tuple(line)

    def value_only(self, position: Position, guess: int = 0) -> tuple[int, None, tuple[int, ...]]:
        if position.pie is not None and not self._by_rows:
            value, _, best = self.all_moves(position)
            return value, None, best[:1]
        value = self.value(position, guess)
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

    def reaches(self, position: Position, move: int, value: int) -> bool:
        """Return whether the margin of the player to move at `position` is as large after a move."""
        after = position.play(move)
        if after.is_over or (after.pie is not None and not self._by_rows):
            return self.of_move(position, move, value) >= value
        if after.to_move == position.to_move:
            return self._engine.at_least(after, value)
        return not self._engine.at_least(after, 1 - value)

    def value(self, position: Position, guess: int) -> int:
        """Return the margin of the player to move."""
        self._engine.view = 1 if position.to_move == self._seat else -1
        if self._by_rows or position.pie is None:
            return self._engine.value(position, guess)
        if position.pie == position.to_move:  # to swap turns every margin round
            return abs(self._engine.value(position, guess))
        return max(self.of_move(position, move, guess) for move in position.legal_moves)


def best_moves(engine: Engine, position: Position, every: bool) -> tuple[int, ...]:
    """Return all best moves of a position, or the lowest of them alone; what the others are worth is not found out."""
    legal = position.legal_moves
    if len(legal) == 1:
        return legal
    search = _Search(engine, position)
    value = search.value(position, 0)
    found = (move for move in legal if search.reaches(position, move, value))
    return tuple(found) if every else (next(found),)
