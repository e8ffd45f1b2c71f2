"""Counter-based randomness: a seed in [0, 2**32) is hashed into the next one, there is no hidden state.

The arithmetic never leaves int64, so compiled code and plain Python give the same numbers without a warning.
Source of the mixing constants: C. Wellons, "Prospecting for Hash Functions" (2018), `lowbias32`.
"""

from mancala_rl.kernel.compile import kernel

MASK32 = 0xFFFFFFFF


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
    """Return the index of one set bit of `bits`, each equally likely; -1 if there is none."""
    count = 0
    rest = bits
    while rest:
        rest &= rest - 1
        count += 1
    if count == 0:
        return -1
    skip = below(count, seed)
    index = 0
    while True:
        if bits >> index & 1:
            if skip == 0:
                return index
            skip -= 1
        index += 1
