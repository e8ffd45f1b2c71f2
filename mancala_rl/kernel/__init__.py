"""The compiled kernel: every rule of the family on rows of an integer array. It knows nothing of agents or learning.

With NUMBA_DISABLE_JIT=1 the same source runs as plain Python.
"""

from mancala_rl.kernel.batch import (
    deal_range,
    first_illegal,
    legal_range,
    mask_range,
    perft,
    play_range,
    random_games,
    random_plies,
)
from mancala_rl.kernel.compile import kernel
from mancala_rl.kernel.moves import (
    copy_row,
    deal,
    is_decided,
    legal_bits,
    margin,
    play,
    row_stones,
    settle,
    trace,
)
from mancala_rl.kernel.random import below, combine, mix, pick_bit

__all__ = [
    "below",
    "combine",
    "copy_row",
    "deal",
    "deal_range",
    "first_illegal",
    "is_decided",
    "kernel",
    "legal_bits",
    "legal_range",
    "margin",
    "mask_range",
    "mix",
    "perft",
    "pick_bit",
    "play",
    "play_range",
    "random_games",
    "random_plies",
    "row_stones",
    "settle",
    "trace",
]
