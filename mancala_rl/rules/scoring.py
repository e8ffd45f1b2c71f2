"""Places and rewards from kernel rows."""

import numpy as np
from numpy.typing import NDArray

from mancala_rl.kernel import layout
from mancala_rl.rules.record import Rules


def scores(rows: NDArray[np.int16], rules: Rules) -> NDArray[np.int64]:
    """Return the stones that count for each seat, int64[B, P]."""
    return rows[:, rules.pits : rules.num_cells : rules.pits + 1].clip(0).astype(np.int64)


def ranking(rows: NDArray[np.int16], rules: Rules) -> NDArray[np.int64]:
    """Return the place of each seat by score, int64[B, P], 1 = best; equal scores share a place."""
    points = scores(rows, rules)
    places: NDArray[np.int64] = (points[:, None, :] > points[:, :, None]).sum(axis=2) + 1
    return places


def returns(rows: NDArray[np.int16], rules: Rules) -> NDArray[np.float64]:
    """Return the reward of each seat, float64[B, P], 0 for games that go on.

    A seat at place k of P gets 1 - 2(k - 1)/(P - 1), seats that share places take the mean; the sum is zero.
    """
    points = scores(rows, rules)
    above = (points[:, None, :] > points[:, :, None]).sum(axis=2)
    below = (points[:, None, :] < points[:, :, None]).sum(axis=2)
    over = rows[:, rules.num_cells + layout.OVER] != layout.PLAYING
    values: NDArray[np.float64] = (below - above) / (rules.players - 1) * over[:, None] + 0.0  # + 0.0: never -0.0
    return values
