"""The transposition table of the exact solver: bounds of positions, eight bytes each.

`T: int64[4 * clusters]` is cut into clusters of four entries. A position's number (`mancala_rl.solver.ranking`) is
spread by a multiplication that maps different numbers to different ones; its upper bits say which cluster, its lower
ones are the tag of the entry. So two positions are never taken for each other. An entry is, from the left,

    tag, work (5 bits), move + 1 (4 bits), lower bound (8 bits), upper bound (8 bits);

bounds are kept as (value + s) / step with s the stones in the pits, work as the logarithm of the nodes they took. Among
the four, what took least work makes room; what is spared so loses one unit of work, so nothing stays for ever. 0 is no
entry.

`k: int64[4]` holds what spreads a number: mask, factor, bits of a tag, and the fewest bits that a tag may have. A table
begins with few clusters, which the cache of the processor holds, and `grow` gives it more.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mancala_rl.kernel import kernel
from mancala_rl.solver.memory import check_enough

CLUSTER = 4
MASK, FACTOR, TAG_BITS, FEWEST_TAG_BITS = 0, 1, 2, 3
UPPER, LOWER, MOVE, WORK, TAG = 0, 8, 16, 20, 25  # where the parts of an entry begin
BYTE, MOST_WORK = 255, 31
_ENTRY_BITS = 63
_CLUSTER_BYTES = CLUSTER * 8
_LINE = 64  # bytes
_FIRST_CLUSTERS = 15  # two to this power: a mebibyte
_GOLDEN = (math.sqrt(5) - 1) / 2


def make_table(positions: int, memory: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return an empty table and `k` for so many positions, of at most `memory` bytes.

    Raises:
        BadInputError: less memory than the smallest table takes; says how much that is.
    """
    bits = _bits(positions)
    least = _least_bits(bits)
    check_enough(memory, least_table(positions), "the table of this position takes")
    clusters = min((memory // _CLUSTER_BYTES).bit_length() - 1, max(least, bits - 2))  # more would never be filled
    first = min(clusters, max(least, _FIRST_CLUSTERS))
    k = np.array([(1 << bits) - 1, int(_GOLDEN * (1 << bits)) | 1, bits - first, bits - clusters], np.int64)
    return _aligned(CLUSTER << clusters), k


def least_table(positions: int) -> int:
    """Return the bytes of the smallest table for so many positions."""
    return _CLUSTER_BYTES << _least_bits(_bits(positions))


def _bits(positions: int) -> int:
    """Return the bits of a position's number."""
    return max(positions - 1, 1).bit_length()


def _least_bits(bits: int) -> int:
    """Return the fewest bits of a cluster's number that leave a tag which fits into an entry."""
    return max(0, bits - (_ENTRY_BITS - TAG))


def _aligned(entries: int) -> NDArray[np.int64]:
    """Return zeros that begin a line of the processor's cache, so that no cluster lies in two."""
    room = np.zeros(entries + _LINE // 8 - 1, np.int64)
    skip = -room.ctypes.data % _LINE // 8
    return room[skip : skip + entries]


@kernel
def spread(number, k):  # type: ignore[no-untyped-def]
    """Return the number of a position, spread."""
    return number * int(k[FACTOR]) & int(k[MASK])


@kernel
def first_entry(code, k):  # type: ignore[no-untyped-def]
    """Return where the cluster of a spread number begins."""
    return (code >> int(k[TAG_BITS])) * CLUSTER


@kernel
def entries_in_use(k):  # type: ignore[no-untyped-def]
    """Return how many entries the table has at present."""
    return (int(k[MASK]) + 1 >> int(k[TAG_BITS])) * CLUSTER


@kernel
def grow(T, k):  # type: ignore[no-untyped-def]
    """Spread the entries over four times as many clusters, or as many as there may be."""
    old = int(k[TAG_BITS])
    new = max(old - 2, int(k[FEWEST_TAG_BITS]))
    if new == old:
        return
    last = entries_in_use(k) - 1
    k[TAG_BITS] = new
    # From the last to the first: what an entry's new cluster held before has gone on already.
    for i in range(last, -1, -1):
        entry = int(T[i])
        T[i] = 0
        if entry:
            code = i // CLUSTER << old | entry >> TAG
            at = first_entry(code, k) + i % CLUSTER
            T[at] = (code & ((1 << new) - 1)) << TAG | entry & ((1 << TAG) - 1)


@kernel
def find(code, T, k):  # type: ignore[no-untyped-def]
    """Return the entry of a spread number, 0 for none."""
    first = first_entry(code, k)
    tag = code & ((1 << int(k[TAG_BITS])) - 1)
    for i in range(CLUSTER):
        entry = int(T[first + i])
        if entry >> TAG == tag and entry:
            return entry
    return 0


@kernel
def lower_bound(entry, stones, step):  # type: ignore[no-untyped-def]
    """Return the lower bound of an entry."""
    return (entry >> LOWER & BYTE) * step - stones


@kernel
def upper_bound(entry, stones, step):  # type: ignore[no-untyped-def]
    """Return the upper bound of an entry."""
    return (entry >> UPPER & BYTE) * step - stones


@kernel
def entry_move(entry):  # type: ignore[no-untyped-def]
    """Return the move of an entry, -1 for no entry."""
    return (entry >> MOVE & 15) - 1


@kernel
def remember(code, low, high, move, nodes, stones, step, T, k):  # type: ignore[no-untyped-def]
    """Keep the bounds of a position and the move that was best, found with so many nodes."""
    first = first_entry(code, k)
    tag = code & ((1 << int(k[TAG_BITS])) - 1)
    work = 0
    while nodes > 1 and work < MOST_WORK:
        nodes >>= 1
        work += 1
    bounds = (low + stones) // step << LOWER | (high + stones) // step << UPPER
    entry = tag << TAG | work << WORK | (move + 1) << MOVE | bounds
    cheapest, least = first, MOST_WORK + 1
    for i in range(first, first + CLUSTER):
        old = int(T[i])
        if old >> TAG == tag and old:
            T[i] = entry
            return
        cost = old >> WORK & MOST_WORK if old else -1
        if cost < least:
            cheapest, least = i, cost
    if least > work:
        T[cheapest] -= 1 << WORK
    else:
        T[cheapest] = entry
