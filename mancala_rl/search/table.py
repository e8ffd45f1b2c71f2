"""The transposition table `T: int64[N, 3]`, N a power of two: (key, key, entry) of positions already searched.

N = 1 is no table. An entry gives a value only to a search of exactly the same depth, so a filled table never changes a
result and stays valid for as long as the rules are the same. The newest entry takes the place. Where more than the
position decides how a game goes on, an entry proposes its move and no value.

The two keys, 62 bits each, are sums of the cells times fixed weights. If the cells of the rules fit into 124 bits the
weights are powers of two and the keys are the position itself; else they are random odd numbers, and two positions
agree in both keys with a chance below 2**-90. On packed boards the keys are the two rows, and neither stores nor seats
make a difference.
"""

import numpy as np
from numpy.typing import NDArray

from mancala_rl.kernel import kernel
from mancala_rl.kernel.layout import CELLS, MAX_PLIES, MOVER, PIE, REPETITION, TUZDIK
from mancala_rl.rules import Rules
from mancala_rl.search.frame import BEST, HIGH, HORIZON, KEY, KEY2, LOW, MOVE

EXACT, AT_LEAST, AT_MOST = 1, 2, 3  # what an entry says about its value
MASK62 = (1 << 62) - 1
OFFSET = 1 << 16  # makes every value positive

# The table is asked about and told of positions with at least so many plies to go; below, searching is cheaper.
TABLE_PLIES = 3


def key_weights(rules: Rules) -> NDArray[np.int64]:
    """Return the weights of the cells, the mover and the pie flag in both keys, int64[2, cells + 2]."""
    cells = rules.num_cells
    bits = (rules.total + 1).bit_length()  # a cell holds -1 to total
    half = (cells + 1) // 2
    weights = np.zeros((2, cells + 2), np.int64)
    if bits * half <= 60:
        for cell in range(cells):
            weights[cell // half, cell] = 1 << bits * (cell % half)
        weights[0, cells] = weights[1, cells + 1] = 1 << 60
        return weights
    rng = np.random.Generator(np.random.PCG64(0))
    return rng.integers(0, 1 << 61, weights.shape, np.int64) * 2 + 1


@kernel
def uses_table(depth, T):  # type: ignore[no-untyped-def]
    """Return whether positions with `depth` plies to go are kept in the table."""
    return depth >= TABLE_PLIES and T.shape[0] > 1


@kernel
def is_memoryless(r):  # type: ignore[no-untyped-def]
    """Return whether equal keys mean equal values, as `Rules.is_memoryless` says."""
    return not (r[REPETITION] or r[MAX_PLIES] or r[TUZDIK])


@kernel
def set_keys(S, F, ply, weights, r):  # type: ignore[no-untyped-def]
    """Write the two keys of row `ply` into its frame."""
    cells = r[CELLS]
    mover, pie = int(S[ply, cells + MOVER]), int(S[ply, cells + PIE])
    for lane in range(2):
        key = mover * int(weights[lane, cells]) + pie * int(weights[lane, cells + 1])
        for cell in range(cells):
            key += int(S[ply, cell]) * int(weights[lane, cell])
        F[ply, KEY + lane] = key & MASK62


@kernel
def slot(F, ply, T):  # type: ignore[no-untyped-def]
    """Return the place of frame `ply` in the table."""
    mixed = int(F[ply, KEY]) * 0x1E3779B97F4A7C15 + int(F[ply, KEY2]) * 0x2545F4914F6CDD1D
    return ((mixed & MASK62) >> 24) & (T.shape[0] - 1)


@kernel
def find(F, ply, T):  # type: ignore[no-untyped-def]
    """Return the entry of frame `ply`, 0 if there is none."""
    i = slot(F, ply, T)
    return T[i, 2] if T[i, 0] == F[ply, KEY] and T[i, 1] == F[ply, KEY2] else 0


@kernel
def entry_move(entry):  # type: ignore[no-untyped-def]
    """Return the move of an entry, -1 for no entry."""
    return (entry & 127) - 1


@kernel
def entry_horizon(entry):  # type: ignore[no-untyped-def]
    """Return whether a game below the entry goes on beyond its depth, as far as `remember` was told."""
    return entry >> 7 & 1


@kernel
def settles(F, ply, entry, depth):  # type: ignore[no-untyped-def]
    """Return whether an entry answers the search of frame `ply` to `depth` plies; its value becomes the best one."""
    if entry >> 10 & 1023 != depth:
        return False
    kind, value = entry >> 8 & 3, (entry >> 20) - OFFSET
    if kind == EXACT or (kind == AT_LEAST and value >= F[ply, HIGH]) or (kind == AT_MOST and value <= F[ply, LOW]):
        F[ply, BEST] = value
        return True
    return False


@kernel
def keep(F, ply, depth, T, limit):  # type: ignore[no-untyped-def]
    """Store what frame `ply` has found; what it says of the horizon is known to searches with a `limit` only."""
    if limit is not None:
        remember(F, ply, depth, T, F[ply, HORIZON])
    else:
        remember(F, ply, depth, T, 0)


@kernel
def remember(F, ply, depth, T, horizon):  # type: ignore[no-untyped-def]
    """Store what frame `ply`, searched to `depth` plies, has found; for `horizon` see `entry_horizon`."""
    value = F[ply, BEST]
    kind = EXACT
    if value >= F[ply, HIGH]:
        kind = AT_LEAST
    elif value <= F[ply, LOW]:
        kind = AT_MOST
    i = slot(F, ply, T)
    T[i, 0], T[i, 1] = F[ply, KEY], F[ply, KEY2]
    T[i, 2] = (value + OFFSET) << 20 | depth << 10 | kind << 8 | horizon << 7 | (F[ply, MOVE] + 1)
