"""Dirichlet noise at the root: draws that make a search look at what its priors leave out."""

import math

from mancala_rl.kernel import combine, kernel, mix
from mancala_rl.search.tree import UNTRIED

STREAM = 0x5EED  # sets these draws apart from others with the same seed


@kernel
def mix_noise(lo, hi, size, T, children, priors, seeds, noise, alpha):  # type: ignore[no-untyped-def]
    """Make the share `noise` of the priors of the roots lo..hi a draw from the symmetric Dirichlet distribution.

    `seeds: int64[G]` draw it.
    """
    for g in range(lo, hi):
        root = g * size
        total = 0.0
        for action in range(priors.shape[1]):
            if T[root, UNTRIED] >> action & 1 or children[root, action]:
                total += gamma(alpha, combine(combine(seeds[g], STREAM), action))
        for action in range(priors.shape[1]):
            if total > 0 and (T[root, UNTRIED] >> action & 1 or children[root, action]):
                drawn = gamma(alpha, combine(combine(seeds[g], STREAM), action)) / total
                priors[root, action] += noise * (drawn - priors[root, action])


@kernel
def gamma(alpha, seed):  # type: ignore[no-untyped-def]
    """Return a number drawn from the gamma distribution with shape `alpha` > 0.

    Marsaglia and Tsang's method (2000) for alpha + 1, and a power of a uniform number from there to alpha.
    """
    d = alpha + 2 / 3
    c = 1 / math.sqrt(9 * d)
    for attempt in range(1000):  # each succeeds with a chance above 0.95
        draw = combine(seed, attempt)
        x = normal(draw)
        v = (1 + c * x) ** 3
        if v > 0 and math.log(uniform(combine(draw, 2))) < x * x / 2 + d - d * v + d * math.log(v):
            return d * v * uniform(combine(draw, 3)) ** (1 / alpha)
    return d


@kernel
def normal(seed):  # type: ignore[no-untyped-def]
    """Return a number drawn from the standard normal distribution."""
    return math.sqrt(-2 * math.log(uniform(combine(seed, 0)))) * math.cos(2 * math.pi * uniform(combine(seed, 1)))


@kernel
def uniform(seed):  # type: ignore[no-untyped-def]
    """Return a number drawn evenly between 0 and 1, neither of them included."""
    return (mix(seed) + 0.5) / 4294967296
