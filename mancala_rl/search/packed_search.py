"""The arrays of searches on packed boards."""

import numpy as np
from numpy.typing import NDArray

from mancala_rl.rules import Rules
from mancala_rl.rules.packed import packed_rules, packs
from mancala_rl.search.alphabeta import DEEPEN_FROM
from mancala_rl.search.frame import FIELDS
from mancala_rl.search.packed_alphabeta import packed_range
from mancala_rl.search.packed_moves import MOVE_FIELDS


def is_packable(rules: Rules) -> bool:
    """Return whether positions can be searched on packed boards, those aside where a pit is closed or a swap open."""
    return packs(rules, rules.total) and not rules.stop_when_decided


class PackedSearch:
    """Searches packed boards to at most `depth` plies; see `mancala_rl.search.packed_alphabeta`. For one thread.

    Args:
        rules: the variant, one that `is_packable`.
        depth: the most plies.
        places: the entries of the table, a power of two; 1 for no table.
    """

    def __init__(self, rules: Rules, depth: int, places: int) -> None:
        self.rules = rules
        self.q = packed_rules(rules, rules.total)
        self.frames = np.zeros((depth + 1, FIELDS), np.int64)
        self.moves = np.zeros((depth + 1, rules.pits, MOVE_FIELDS), np.int64)
        self.values = np.zeros(rules.num_actions, np.int64)
        self.table = np.zeros((places, 3), np.int64)

    def best_moves(self, games: NDArray[np.int16], depth: int, slack: int = 1) -> tuple[NDArray[np.int64], int]:
        """Return the best moves of every row of games as bit sets, 0 where it cannot be packed, and the nodes.

        `values` are then those of the moves of the last row, for the player to move.
        """
        best = np.zeros(len(games), np.int64)
        return best, int(packed_range(0, len(games), games, best, depth, slack, *self.arrays, self.rules.array))

    @property
    def arrays(self) -> tuple[NDArray[np.int64], ...]:
        """What the compiled search works on."""
        return self.frames, self.moves, self.values, self.table, self.q


def packed_places(depth: int) -> int:
    """Return how many positions the table for a search of this depth should hold, 24 MiB of them at most.

    With more, the search would wait longer for memory than it saves.
    """
    return 1 << min(max(depth, 12), 20) if depth >= DEEPEN_FROM else 1
