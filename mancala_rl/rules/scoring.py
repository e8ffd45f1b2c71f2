"""Places and rewards from kernel rows."""

import numpy as np
from numpy.typing import NDArray

from mancala_rl.kernel import layout, merit_range, worth_range
from mancala_rl.rules.record import Rules


def scores(rows: NDArray[np.int16], rules: Rules) -> NDArray[np.int64]:
    """Return the stones that count for each seat, int64[B, P]."""
    return rows[:, rules.pits : rules.num_cells : rules.pits + 1].clip(0).astype(np.int64)


def merits(rows: NDArray[np.int16], rules: Rules) -> NDArray[np.int64]:
    """Return numbers that order the seats, int64[B, P], more is better; see `mancala_rl.kernel.worth.merit`."""
    points = np.empty((len(rows), rules.players), np.int64)
    merit_range(0, len(rows), rows, points, rules.array)
    return points


def ranking(rows: NDArray[np.int16], rules: Rules) -> NDArray[np.int64]:
    """Return the place of each seat, int64[B, P], 1 = best; equal ones share a place."""
    return places_of(merits(rows, rules))


def places_of(points: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the places by points, more is better, int64[B, P] both; equal ones share a place."""
    places: NDArray[np.int64] = (points[:, None, :] > points[:, :, None]).sum(axis=2) + 1
    return places


def returns(rows: NDArray[np.int16], rules: Rules) -> NDArray[np.float64]:
    """Return the reward of each seat, float64[B, P], 0 for games that go on.

    A seat at place k of P gets 1 - 2(k - 1)/(P - 1), seats that share places take the mean; the sum is zero (J11).
    """
    over = rows[:, rules.num_cells + layout.OVER] != layout.PLAYING
    values: NDArray[np.float64] = worth_by_rank(rows, rules) * over[:, None] + 0.0  # + 0.0: never -0.0
    return values


def worth_by_rank(rows: NDArray[np.int16], rules: Rules) -> NDArray[np.float64]:
    """Return what each seat would get if the game ended as it stands, float64[B, P]; see `returns`."""
    return worth_of(merits(rows, rules))


def worth_of(points: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the reward of each seat by points, int64[B, P] to float64[B, P]; see `mancala_rl.kernel.worth.worth`."""
    values = np.empty(points.shape, np.float64)
    worth_range(0, len(points), points, values)
    return values
