"""The arrays of a search, and what can be asked of it."""

import numpy as np
from numpy.typing import NDArray

from mancala_rl.errors import BadInputError
from mancala_rl.rules import Position, Rules
from mancala_rl.search.alphabeta import DEEPEN_FROM, search_range
from mancala_rl.search.frame import FIELDS, INFINITY, TIES
from mancala_rl.search.order import landing_cells
from mancala_rl.search.table import key_weights

MAX_DEPTH = 1000  # an entry of the table keeps the depth in ten bits
TABLE_MIB = 96.0  # the most memory a table takes unless more or less is asked for
ENTRY_BYTES = 24


class Workspace:
    """The arrays of searches to at most `depth` plies; see `mancala_rl.search.alphabeta`. For one thread at a time.

    The table stays from one search to the next. That saves work and changes no result.

    Args:
        rules: the variant, for two players.
        depth: the most plies.
        table_mib: the most memory the table may take, in MiB.

    Raises:
        BadInputError: a depth outside 1..1000, or rules for more than two players.
    """

    def __init__(self, rules: Rules, depth: int, table_mib: float = TABLE_MIB) -> None:
        check_search(rules, depth)
        self.rules = rules
        self.rows = np.zeros((depth + 1, rules.row_length), np.int16)
        self.frames = np.zeros((depth + 1, FIELDS), np.int64)
        self.values = np.zeros(rules.num_actions, np.int64)
        self.table = np.zeros((table_size(depth, table_mib) if rules.is_memoryless else 1, 3), np.int64)
        self.weights = key_weights(rules)
        self.landing = np.zeros((rules.num_cells, min(rules.total, 4 * rules.num_cells) + 1), np.int16)
        landing_cells(self.rows, self.landing, rules.array)

    def choose(
        self, games: NDArray[np.int16], seeds: NDArray[np.int64] | None, depth: int, slack: int = 1
    ) -> tuple[NDArray[np.int64], int]:
        """Return a best move of every row of games, int64[B], and the number of moves played.

        Args:
            games: int16[B, row_length], none of them over.
            seeds: int64[B], which decide between equally good moves; None for the lowest of them.
            depth: plies to look ahead, at most that of the workspace.
            slack: the values of moves up to so much worse than the best are exact.
        """
        moves = np.zeros(len(games), np.int64)
        own = self.rows, self.frames, self.values, self.table, self.weights, self.landing
        by_chance, draws = seeds is not None, moves if seeds is None else seeds
        nodes = search_range(0, len(games), games, by_chance, draws, moves, depth, slack, *own, self.rules.array)
        return moves, int(nodes)

    def values_of(self, position: Position, depth: int) -> tuple[tuple[int | None, ...], int]:
        """Return the value of every action for the player to move, None if illegal, and the number of moves played."""
        nodes = self._search(position, depth, 2 * INFINITY)
        sign, legal = 1 if position.to_move == 0 else -1, position.legal_moves
        return tuple(sign * v if a in legal else None for a, v in enumerate(self.values.tolist())), nodes

    def line_from(self, position: Position, depth: int) -> tuple[tuple[int, ...], int]:
        """Return the principal variation, the lowest move among equals, and the number of moves played to find it."""
        line: list[int] = []
        nodes = 0
        while len(line) < depth and not position.is_over:
            nodes += self._search(position, depth - len(line), 1)
            ties = int(self.frames[0, TIES])
            line.append((ties & -ties).bit_length() - 1)
            position = position.play(line[-1])
        return tuple(line), nodes

    def _search(self, position: Position, depth: int, slack: int) -> int:
        return self.choose(position.row[None], None, depth, slack)[1]


def table_size(depth: int, table_mib: float = TABLE_MIB) -> int:
    """Return how many positions the table for a search of this depth holds: 24 bytes each, 96 MiB at most."""
    return min(1 << min(depth + 6, 22), places_within(table_mib)) if depth >= DEEPEN_FROM else 1


def places_within(table_mib: float) -> int:
    """Return the largest number of entries, a power of two, that so many MiB have room for; 1, no table, for few."""
    return 1 << max(int(table_mib * (1 << 20)) // ENTRY_BYTES, 1).bit_length() - 1


def check_search(rules: Rules, depth: int) -> None:
    """Raise a BadInputError if these rules cannot be searched, or not to this depth."""
    if rules.players != 2:
        raise BadInputError(f"minimax needs rules for two players, got {rules} with {rules.players}")
    check_depth(depth)


def check_depth(depth: object) -> None:
    """Raise a BadInputError if there is no search of this depth."""
    if isinstance(depth, bool) or not isinstance(depth, int | np.integer) or not 1 <= depth <= MAX_DEPTH:
        raise BadInputError(f"depth={depth}: expected a whole number of plies from 1 to {MAX_DEPTH}")
