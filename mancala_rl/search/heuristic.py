"""What a position at the horizon of a search counts: the margin, or a weighted sum of features."""

from mancala_rl.kernel import kernel, margin, row_stones
from mancala_rl.kernel.layout import CELLS, MOVER, OVER, PITS

# Each is that of seat 0 less that of seat 1; the weights stand in this order.
FEATURES = ("margin", "stones in the own pits", "pits that hold stones", "the turn")
MARGIN = (1, 0, 0, 0)  # the weights by which nothing but the margin counts


@kernel
def estimate(S, g, factors, r):  # type: ignore[no-untyped-def]
    """Return what game g counts: the margin, or the sum of the features times `factors: int64[4]`.

    At the end of a game nothing but the margin counts.
    """
    if factors is None:
        return margin(S, g, r)
    total = margin(S, g, r) * factors[0]
    if S[g, r[CELLS] + OVER]:
        return total
    if factors[1]:
        total += factors[1] * (row_stones(S, g, 0, r) - row_stones(S, g, 1, r))
    if factors[2]:
        total += factors[2] * (filled(S, g, 0, r) - filled(S, g, 1, r))
    return total + factors[3] * (1 - 2 * int(S[g, r[CELLS] + MOVER]))


@kernel
def filled(S, g, player, r):  # type: ignore[no-untyped-def]
    """Return how many pits of a player hold stones."""
    first, count = player * (r[PITS] + 1), 0
    for i in range(first, first + r[PITS]):
        count += int(S[g, i] > 0)
    return count
