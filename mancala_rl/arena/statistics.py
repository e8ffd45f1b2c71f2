"""Confidence intervals of what was measured over pairs of games."""

import math

import numpy as np
from numpy.typing import NDArray

Z95 = 1.959963984540054  # the 97.5% point of the normal distribution


def score_interval(pair_scores: NDArray[np.float64]) -> tuple[float, float]:
    """Return the 95% interval of the mean score, clustered by pair.

    The two games of a pair share their opening, so the pair is the unit: with n pairs, mean p and sample variance s²
    of the pair scores, the design effect d = s² / (p (1 - p)) says what one pair is worth beside one independent
    win-or-loss trial (1: as much; less with draws, or when the seat decides). One pair that knows nothing is mixed in,
    d' = ((n - 1) d + 1) / n, so that a few equal pairs do not look like certainty. The interval is Wilson's with the
    effective number of trials n / d'; where every pair was won, or lost, d = 1. It never leaves [0, 1] and never has
    width 0.

    Args:
        pair_scores: float64[n], the mean score of each pair's two games, in [0, 1].

    Source: E. B. Wilson, J. Amer. Statist. Assoc. 22 (1927); the effective sample size for clustered data: E. L. Korn,
    B. I. Graubard, Survey Methodology 24 (1998).
    """
    pairs = len(pair_scores)
    mean = float(pair_scores.mean())
    spread = mean * (1 - mean)
    effect = 1.0
    if pairs > 1 and spread > 0:
        effect = ((pairs - 1) * float(pair_scores.var(ddof=1)) / spread + 1) / pairs
    return wilson(mean, pairs / effect)


def mean_interval(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the 95% interval of the mean of independent values, by the normal approximation.

    One value that is off by 1 is mixed into their variance, so that a few equal ones do not look like certainty.
    """
    count = len(values)
    variance = float(values.var(ddof=1)) if count > 1 else 0.0
    half = Z95 * math.sqrt(((count - 1) * variance + 1) / count / count)
    mean = float(values.mean())
    return mean - half, mean + half


def wilson(mean: float, trials: float) -> tuple[float, float]:
    """Return Wilson's 95% interval of a proportion seen in `trials` independent trials."""
    square = Z95 * Z95
    centre = (mean + square / (2 * trials)) / (1 + square / trials)
    half = Z95 / (1 + square / trials) * math.sqrt(mean * (1 - mean) / trials + square / (4 * trials * trials))
    # The bounds contain the mean by definition; rounding must not say otherwise.
    return max(0.0, min(centre - half, mean)), min(1.0, max(centre + half, mean))
