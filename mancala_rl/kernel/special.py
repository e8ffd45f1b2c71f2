"""What few games have, compiled once and called by address; see `mancala_rl.kernel.external`."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import carray, types  # type: ignore[attr-defined]
from numba.core.ccallback import CFunc
from numba.core.compiler_lock import global_compiler_lock

from mancala_rl.kernel import batch, legal, moves
from mancala_rl.kernel.cache import KernelCache
from mancala_rl.kernel.compile import OPTIONS, PLAIN_PYTHON

_ROW, _RULES = types.CPointer(types.int16), types.CPointer(types.int64)  # type: ignore[no-untyped-call]
_ARGUMENTS = (_ROW, types.intp, types.int64, types.int64, types.int64, _RULES, types.intp)


def play_specially(row, length, g, player, action, rules, size):  # type: ignore[no-untyped-def]
    """Play `action` of `player` on the row, by `moves.play_specially`."""
    moves.play_specially(carray(row, (1, length)), g, player, action, carray(rules, (size,)))
    return 0


def allowed_pits(row, length, g, player, bits, rules, size):  # type: ignore[no-untyped-def]
    """Return `legal.allowed_pits` of the row."""
    return legal.allowed_pits(carray(row, (1, length)), g, player, bits, carray(rules, (size,)))


def finish_deal(row, length, g, seed, _number, rules, size):  # type: ignore[no-untyped-def]
    """Finish the deal of the row, by `moves.finish_deal`."""
    moves.finish_deal(carray(row, (1, length)), g, seed, carray(rules, (size,)))
    return 0


def random_opening(row, length, g, plies, seed, rules, size):  # type: ignore[no-untyped-def]
    """Play random moves on the row, by `batch.random_opening`."""
    before = np.empty((1, length), np.int16)
    batch.random_opening(carray(row, (1, length)), g, plies, seed, before, carray(rules, (size,)))
    return 0


def address(function: Callable[..., int]) -> int:
    """Return where the code of a function above lies in this process, 0 in plain Python.

    The first call compiles it or loads it from the cache.
    """
    return 0 if PLAIN_PYTHON else int(_compiled(function).address)


@global_compiler_lock  # one compiles, and what is cached lives as long as the process
@functools.cache
def _compiled(function: Callable[..., int]) -> Any:
    entry: Any = CFunc(function, (_ARGUMENTS, types.int64), locals={}, options=OPTIONS)
    entry._cache = KernelCache(function)
    entry.compile()
    return entry
