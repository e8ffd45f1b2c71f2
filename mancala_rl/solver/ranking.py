"""A number for every position: the positions of exactly s stones in the pits are numbered without gaps.

Rows with the same number of stones are ranked by the stones before the last pit, then by those before the last but
one, and so on: with c_i stones in pits 0..i the rank is the sum of C(c_i + i, i + 1) for i < m - 1. A move that scores
nothing only carries stones forward in the own row: it makes no c_i larger and some smaller, and so lowers the rank.

A position of s stones, a of them in the row of the player to move, has the number

    base[s, a] + rank(own row) * rows[s - a] + rank(other row),

where rows[n] is the number of rows of n stones, and base[s, a] counts all positions of fewer stones and those of s
stones with fewer in the own row. So the positions of at most s stones are exactly the numbers below base[s + 1, 0].

The array `w: int64[...]` holds all of it: after n + 1, the length of a line, come m lines of terms of the rank, one of
`rows` and n + 1 of `base`.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mancala_rl.kernel import kernel
from mancala_rl.kernel.packed import Q_BITS, Q_FIELD, Q_ONES, Q_PITS, Q_TOP


def row_count(pits: int, stones: int) -> int:
    """Return the number of rows of exactly so many stones."""
    return math.comb(stones + pits - 1, stones)


def layer_size(pits: int, stones: int) -> int:
    """Return the number of positions with exactly so many stones in the pits of both rows."""
    return row_count(2 * pits, stones)


def positions_up_to(pits: int, stones: int) -> int:
    """Return the number of positions with at most so many stones in the pits of both rows."""
    return math.comb(stones + 2 * pits, stones)


def ranking_table(pits: int, stones: int) -> NDArray[np.int64]:
    """Return the array `w` for positions of at most so many stones."""
    width = stones + 1
    table = np.zeros((pits + 1 + width, width), np.int64)
    for pit in range(pits - 1):
        table[pit] = [math.comb(before + pit, pit + 1) for before in range(width)]
    rows = [row_count(pits, own) for own in range(width)]
    table[pits] = rows
    start = 0
    for layer in range(width):
        for own in range(layer + 1):
            table[pits + 1 + layer, own] = start
            start += rows[own] * rows[layer - own]
    return np.concatenate([[width], table.ravel()])


@kernel
def row_rank(sums, q, w):  # type: ignore[no-untyped-def]
    """Return the rank of a row, given the stones of its pits 0..i in field i."""
    bits, field, width = int(q[Q_BITS]), int(q[Q_FIELD]), int(w[0])
    rank = 0
    at = 1
    for _ in range(int(q[Q_PITS]) - 1):
        rank += int(w[at + (sums & field)])
        sums >>= bits
        at += width
    return rank


@kernel
def number_of(own, opp, q, w):  # type: ignore[no-untyped-def]
    """Return the number of a position and the stones in its pits."""
    ones, top, field, width = int(q[Q_ONES]), int(q[Q_TOP]), int(q[Q_FIELD]), int(w[0])
    own_sums, opp_sums = own * ones, opp * ones
    own_stones, opp_stones = own_sums >> top & field, opp_sums >> top & field
    stones = own_stones + opp_stones
    rows = 1 + int(q[Q_PITS]) * width
    base = int(w[rows + width + stones * width + own_stones])
    rank = row_rank(own_sums, q, w) * int(w[rows + opp_stones]) + row_rank(opp_sums, q, w)
    return base + rank, stones


@kernel
def fill_rows(rows, stones, q, w):  # type: ignore[no-untyped-def]
    """Write the packed rows of at most so many stones into `rows: int64[...]`, in the order of stones, then rank."""
    bits, pits, width = int(q[Q_BITS]), int(q[Q_PITS]), int(w[0])
    at = 0
    for total in range(stones + 1):
        row = total  # all in pit 0: the highest rank
        count = int(w[1 + pits * width + total])
        for rank in range(count - 1, -1, -1):
            rows[at + rank] = row
            row = row_before(row, bits, pits, q)
        at += count


@kernel
def row_before(row, bits, pits, q):  # type: ignore[no-untyped-def]
    """Return the row that is ranked one lower than a row, which must not be the lowest."""
    # The largest c_i that can shrink alone is that of the first pit with a stone: one goes on to the next pit, and the
    # others of it stay as far back as they can.
    pit = 0
    while pit < pits - 1 and row >> pit * bits & int(q[Q_FIELD]) == 0:
        pit += 1
    held = row >> pit * bits & int(q[Q_FIELD])
    if pit == pits - 1:
        return row
    return row - (held << pit * bits) + (1 << (pit + 1) * bits) + (held - 1)
