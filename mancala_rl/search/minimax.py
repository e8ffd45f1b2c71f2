"""Minimax: the exact values of the moves of a position, and the player that goes by them."""

import dataclasses
import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.errors import BadInputError
from mancala_rl.rules import Batch, Position, Rules
from mancala_rl.search.alphabeta import DEEPEN_FROM, deepen, search_range
from mancala_rl.search.frame import FIELDS, INFINITY, TIES
from mancala_rl.search.order import landing_cells
from mancala_rl.search.table import key_weights

MAX_DEPTH = 1000  # an entry of the table keeps the depth in ten bits


@dataclasses.dataclass(frozen=True)
class Analysis:
    """What a search found out about a position.

    Values are the margin of the player to move over the other one `depth` plies later, or at the end of the game if it
    comes sooner, when both play for the best such margin.

    Attributes:
        values: the exact value of each action, None where it is illegal.
        value: the largest of them.
        best_move: the lowest action that reaches it.
        principal_variation: best moves from here on, at most `depth` of them, the lowest among equals each time.
        nodes: moves the search played.
        depth: plies looked ahead; an extra turn is a ply.
    """

    values: tuple[int | None, ...]
    value: int
    best_move: int
    principal_variation: tuple[int, ...]
    nodes: int
    depth: int


def minimax(position: Position, depth: int) -> Analysis:
    """Return the values of all moves of `position` to `depth` plies.

    Raises:
        BadInputError: a depth outside 1..1000, a position that is over, or rules for more than two players.
    """
    if position.is_over:
        raise BadInputError(f"minimax of {position}: the game is over; search a position with a player to move")
    workspace = Workspace(position.rules, depth)
    values, nodes = workspace.values_of(position, depth)
    value = max(v for v in values if v is not None)
    line, more = workspace.line_from(position, depth)
    return Analysis(values, value, values.index(value), line, nodes + more, depth)


class Minimax:
    """Searches `depth` plies with the store margin as its measure; equally good moves are equally likely.

    Raises:
        BadInputError: a depth outside 1..1000, or rules for more than two players.
    """

    def __init__(self, rules: Rules, depth: int = 4, name: str | None = None) -> None:
        self.rules = rules
        self.depth = check_depth(depth)
        self.name = name or f"minimax:depth={depth}"
        check_two_players(rules)
        self._local = threading.local()  # threads may share the agent, but never a table

    def act(self, batch: Batch, seeds: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return one move a game, int64[B]; `seeds: int64[B]` decide between equally good ones."""
        if not hasattr(self._local, "workspace"):
            self._local.workspace = Workspace(self.rules, self.depth)
        workspace: Workspace = self._local.workspace
        return workspace.moves_of(batch, seeds, self.depth)

    def __reduce__(self) -> tuple[Any, ...]:
        return Minimax, (self.rules, self.depth, self.name)


class Workspace:
    """The arrays of a search to at most `depth` plies; see `mancala_rl.search.alphabeta`. For one thread at a time."""

    def __init__(self, rules: Rules, depth: int) -> None:
        check_two_players(rules)
        check_depth(depth)
        self.rules = rules
        self.rows = np.zeros((depth + 1, rules.row_length), np.int16)
        self.frames = np.zeros((depth + 1, FIELDS), np.int64)
        self.values = np.zeros(rules.num_actions, np.int64)
        self.table = np.zeros((table_size(depth), 3), np.int64)
        self.weights = key_weights(rules)
        self.landing = np.zeros((rules.num_cells, min(rules.total, 4 * rules.num_cells) + 1), np.int16)
        landing_cells(self.rows, self.landing, rules.array)

    @property
    def _arrays(self) -> tuple[NDArray[Any], ...]:
        return self.table, self.weights, self.landing, self.rules.array

    def moves_of(self, batch: Batch, seeds: NDArray[np.int64], depth: int) -> NDArray[np.int64]:
        """Return a best move of every game, int64[B]."""
        moves = np.empty(len(batch), np.int64)
        search_range(0, len(batch), batch.rows, seeds, moves, depth, self.rows, self.frames, self.values, *self._arrays)
        return moves

    def values_of(self, position: Position, depth: int) -> tuple[tuple[int | None, ...], int]:
        """Return the value of every action for the player to move, None if illegal, and the moves played."""
        nodes = self._search(position, depth, 2 * INFINITY)
        sign = 1 if position.to_move == 0 else -1
        values = [sign * value for value in self.values.tolist()]
        legal = position.legal_moves
        return tuple(value if a in legal else None for a, value in enumerate(values)), nodes

    def line_from(self, position: Position, depth: int) -> tuple[tuple[int, ...], int]:
        """Return the principal variation and the moves played to find it."""
        line: list[int] = []
        nodes = 0
        while depth > len(line) and not position.is_over:
            nodes += self._search(position, depth - len(line), 1)
            ties = int(self.frames[0, TIES])
            line.append((ties & -ties).bit_length() - 1)
            position = position.play(line[-1])
        return tuple(line), nodes

    def _search(self, position: Position, depth: int, slack: int) -> int:
        self.rows[0] = position.row
        return int(deepen(self.rows, self.frames, depth, slack, self.values, *self._arrays))


def table_size(depth: int) -> int:
    """Return how many positions the table for a search of this depth holds; 24 bytes each, 96 MiB at most."""
    return 1 << min(max(2 * depth + 2, 16), 22) if depth >= DEEPEN_FROM else 1


def check_depth(depth: int) -> int:
    """Return `depth` if a search can be that deep.

    Raises:
        BadInputError: it is not a whole number from 1 to 1000.
    """
    if isinstance(depth, bool) or not isinstance(depth, int | np.integer) or not 1 <= depth <= MAX_DEPTH:
        raise BadInputError(f"depth={depth}: expected a whole number of plies from 1 to {MAX_DEPTH}")
    return int(depth)


def check_two_players(rules: Rules) -> None:
    """Raise BadInputError if the rules are not for two players."""
    if rules.players != 2:
        raise BadInputError(f"minimax needs rules for two players, got {rules} for {rules.players}")
