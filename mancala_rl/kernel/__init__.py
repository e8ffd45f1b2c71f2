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
    random_opening,
    random_plies,
)
from mancala_rl.kernel.capture import row_stones
from mancala_rl.kernel.compile import allocating_kernel, kernel
from mancala_rl.kernel.ending import is_decided, is_majority, settle
from mancala_rl.kernel.legal import legal_bits
from mancala_rl.kernel.moves import copy_row, deal, margin, play, play_and_list
from mancala_rl.kernel.random import below, combine, mix, pick_bit
from mancala_rl.kernel.sowing import trace
from mancala_rl.kernel.worth import margin_range, merit_range, score, share_forfeit, worth_range

__all__ = [
    "allocating_kernel",
    "below",
    "combine",
    "copy_row",
    "deal",
    "deal_range",
    "first_illegal",
    "is_decided",
    "is_majority",
    "kernel",
    "legal_bits",
    "legal_range",
    "margin",
    "margin_range",
    "mask_range",
    "merit_range",
    "mix",
    "perft",
    "pick_bit",
    "play",
    "play_and_list",
    "play_range",
    "random_games",
    "random_opening",
    "random_plies",
    "row_stones",
    "score",
    "settle",
    "share_forfeit",
    "trace",
    "worth_range",
]
