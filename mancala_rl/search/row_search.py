"""The arrays of searches on the rows of games."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.kernel.layout import MOVER
from mancala_rl.rules import Rules
from mancala_rl.rules.packed import packs
from mancala_rl.search.alphabeta import DEEPEN_FROM, search_range
from mancala_rl.search.frame import FIELDS
from mancala_rl.search.history import KNOWN_STONES
from mancala_rl.search.order import fill_landing
from mancala_rl.search.table import key_weights


class RowSearch:
    """Searches games of any rules for two players to at most `depth` plies; see `mancala_rl.search.alphabeta`.

    For one thread.

    Args:
        rules: the variant.
        depth: the most plies.
        places: the entries of the table, a power of two; 1 for no table.
    """

    def __init__(self, rules: Rules, depth: int, places: int) -> None:
        self.rules = rules
        self.rows = np.zeros((depth + 1, rules.row_length), np.int16)
        self.frames = np.zeros((depth + 1, FIELDS), np.int64)
        self.values = np.zeros(rules.num_actions, np.int64)
        self.table = np.zeros((places, 3), np.int64)
        self.weights = key_weights(rules)
        origins = rules.num_cells, min(rules.total, 4 * rules.num_cells) + 1
        self.landing = np.zeros((*origins, 2), np.int16)
        fill_landing(self.rows, self.landing, rules.array)
        self.history = np.zeros((rules.num_cells if gains_by_history(rules) else 0, KNOWN_STONES), np.int64)

    def best_moves(self, games: NDArray[np.int16], depth: int, slack: int = 1) -> tuple[NDArray[np.int64], int]:
        """Return the best moves of every row of games, none of them over, as bit sets, and the nodes.

        `values` are then those of the moves of the last row, for the player to move.
        """
        best = np.zeros(len(games), np.int64)
        nodes = search_range(0, len(games), games, best, depth, slack, *self.arrays, self.rules.array)
        if len(games) and games[-1, self.rules.num_cells + MOVER]:
            self.values *= -1
        return best, int(nodes)

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """What the compiled search works on."""
        return self.rows, self.frames, self.values, self.table, self.weights, self.landing, self.history


def gains_by_history(rules: Rules) -> bool:
    """Return whether a history saves time: not in games that packed boards of some size know, as Kalah and Mangala."""
    return not packs(rules, 1)


def row_places(depth: int) -> int:
    """Return how many positions the table for a search of this depth should hold, 96 MiB of them at most."""
    return 1 << min(depth + 6, 22) if depth >= DEEPEN_FROM else 1
