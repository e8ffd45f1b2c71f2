"""The uniform player: every legal move is equally likely."""

import numpy as np
from numpy.typing import NDArray

from mancala_rl.agent import check_batch, equal_chances
from mancala_rl.kernel import kernel, legal_bits, pick_bit
from mancala_rl.rules import Batch, Rules


class Uniform:
    """Plays any legal move with equal chance."""

    def __init__(self, rules: Rules, name: str = "uniform") -> None:
        self.rules = rules
        self.name = name

    def act(self, batch: Batch, seeds: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return one move a game, int64[B], drawn with `seeds: int64[B]`.

        Raises:
            AgentError: games of other rules.
        """
        check_batch(self.name, self.rules, batch)
        moves = np.empty(len(batch), np.int64)
        uniform_range(0, len(batch), batch.rows, seeds, moves, self.rules.array)
        return moves

    def distribution(self, batch: Batch) -> NDArray[np.float64]:
        """Return how likely every action is, float64[B, num_actions]."""
        check_batch(self.name, self.rules, batch)
        return equal_chances(batch.legal_bits(), self.rules.num_actions)


@kernel
def uniform_range(lo, hi, games, seeds, moves, r):  # type: ignore[no-untyped-def]
    """Write a random legal move of each row lo..hi of `games` into `moves: int64[G]`."""
    for g in range(lo, hi):
        moves[g] = pick_bit(legal_bits(games, g, r), seeds[g])
