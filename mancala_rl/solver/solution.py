"""Exact solving: what a position is worth when both sides play perfectly from there to the end."""

import dataclasses
import time
from pathlib import Path

import numpy as np

from mancala_rl.errors import BadInputError
from mancala_rl.kernel import layout
from mancala_rl.rules import Position
from mancala_rl.solver.database import THREADS, Database
from mancala_rl.solver.engine import Engine, LookupEngine, PackedEngine, Progress, RowEngine
from mancala_rl.solver.memory import MEMORY, checked_memory
from mancala_rl.solver.packing import is_packed, stones_in_pits
from mancala_rl.solver.scope import is_looked_up, to_the_end
from mancala_rl.solver.supply import covering_database, helping_database
from mancala_rl.solver.values import Values


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
            where a position comes back if games need not end; there it may stop before the value, where the position's
            own rules end the game. None if they were not asked for.
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
        lines: whether to find the line behind every move too, and with it the values of all.
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
    memory = checked_memory(memory)
    engine = make_engine(position, database, memory, threads, progress)
    root = without_past(position) if is_looked_up(position.rules) else position
    known = Values(engine, root.to_move)
    value, values, best = _found(known, root, moves or lines)
    found = _lines(known, position, root, values) if lines and values else None
    return Solution(position, value, values, best, engine.nodes, time.perf_counter() - started, found)


def _found(
    known: Values, position: Position, moves: bool
) -> tuple[int, tuple[int | None, ...] | None, tuple[int, ...]]:
    """Return the value of a position, those of all actions, and the best moves; without `moves` none, and one."""
    if not moves:
        value, move = known.with_a_move(position)
        return value, None, (move,)
    worth = known.of_moves(position, known.value(position))  # to value the position first also fills the table
    value = max(worth.values())
    best = tuple(move for move in worth if worth[move] == value)
    return value, tuple(worth.get(move) for move in range(position.rules.num_actions)), best


def _lines(
    known: Values, position: Position, root: Position, values: tuple[int | None, ...]
) -> tuple[tuple[int, ...], ...]:
    """Return the line behind every action of `root`, as far as a game goes that the position's own rules may end."""
    lines = (() if value is None else known.line(root, move, value) for move, value in enumerate(values))
    return tuple(_played(position, line) for line in lines)


def _played(position: Position, line: tuple[int, ...]) -> tuple[int, ...]:
    for length, move in enumerate(line):
        if position.is_over:
            return line[:length]
        position = position.play(move)
    return line


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


def without_past(position: Position) -> Position:
    """Return a position under the rules that databases play by, without its past; see `mancala_rl.solver.scope`."""
    rules = to_the_end(position.rules)
    row, known = np.zeros(rules.row_length, np.int16), int(rules.array[layout.HISTORY])
    row[:known] = position.row[:known]
    return Position.from_row(rules, row)
