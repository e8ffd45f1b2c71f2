"""Counter-based randomness: a seed in [0, 2**32) is hashed into the next one, there is no hidden state.

The arithmetic never leaves int64, so compiled code and plain Python give the same numbers without a warning.
Source of the mixing constants: C. Wellons, "Prospecting for Hash Functions" (2018), `lowbias32`.
"""

import numpy as np

from mancala_rl.kernel.compile import kernel

MASK32 = 0xFFFFFFFF

# Of every bit set up to SMALL: how many bits, and the index of each, -1 if there is none. Most games have no more pits,
# and looking up takes no branch that is hard to foresee.
SMALL = 1 << 8
_indices = [[i for i in range(8) if bits >> i & 1] for bits in range(SMALL)]
COUNT = np.array([len(indices) for indices in _indices])
INDEX = np.array([indices + [-1] * (8 - len(indices)) for indices in _indices])


@kernel
def mix(seed):  # type: ignore[no-untyped-def]
    """Return a well mixed function of `seed`, both in [0, 2**32)."""
    x = (int(seed) + 0x9E3779B9) & MASK32
    x ^= x >> 16
    x = (x * 0x7FEB352D) & MASK32
    x ^= x >> 15
    # 0x846CA68B in two halves: the product of two 32-bit numbers would leave int64.
    x = ((((x * 0x42365345) & MASK32) << 1) + x) & MASK32
    return x ^ (x >> 16)


@kernel
def combine(seed, value):  # type: ignore[no-untyped-def]
    """Return a seed derived from `seed` and a non-negative `value`."""
    return mix(mix(seed) ^ (int(value) & MASK32))


@kernel
def below(limit, seed):  # type: ignore[no-untyped-def]
    """Return a number in [0, limit) drawn with `seed`."""
    return (mix(seed) * int(limit)) >> 32


@kernel
def pick_bit(bits, seed):  # type: ignore[no-untyped-def]
    """Return the index of one set bit of `bits` >= 0, each equally likely; -1 if there is none."""
    if bits < SMALL:
        return INDEX[bits, below(COUNT[bits], seed)]
    rest = bits
    for _ in range(below(count_bits(bits), seed)):
        rest &= rest - 1
    return count_bits((rest & -rest) - 1)


@kernel
def count_bits(bits):  # type: ignore[no-untyped-def]
    """Return how many bits of a number in [0, 2**63) are set, without a branch."""
    x = bits - (bits >> 1 & 0x5555555555555555)
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
    x += x >> 8
    x += x >> 16
    x += x >> 32
    return x & 0x7F
