"""Four cells at a time: a row is read and written in words of 64 bits, and counted in all four fields at once.

Field i of a word is cell i of the four. None is written past the end of a row, but up to three cells behind those meant
are read and written back unchanged; see `mancala_rl.kernel.layout`, where something always stands behind the cells.
"""

from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from mancala_rl.kernel.compile import PLAIN_PYTHON, kernel
from mancala_rl.kernel.layout import CELLS_A_WORD

ONES = 0x0001_0001_0001_0001  # a one in every field
SIGNS = -0x7FFF_7FFF_7FFF_8000  # the sign of every field


@kernel
def at_most(word, number):  # type: ignore[no-untyped-def]
    """Return a one in every field that holds at most `number`; neither may be negative."""
    return (int(number) * ONES | SIGNS) - int(word) >> 15 & ONES


def _pointer(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Return the address of the word that begins with a cell."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    cell = cgutils.get_item_pointer(context, builder, signature.args[0], array, arguments[1:3])  # type: ignore[no-untyped-call]
    return builder.bitcast(cell, ir.IntType(64).as_pointer())


def _typed_load(_typing, array, _row, _cell):  # type: ignore[no-untyped-def]
    """Read a word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_pointer(context, builder, signature, arguments), align=2)

    return types.int64(array, types.int64, types.int64), generate


def _typed_store(_typing, array, _row, _cell, _word):  # type: ignore[no-untyped-def]
    """Write a word."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[3], _pointer(context, builder, signature, arguments), align=2)
        return context.get_dummy_value()

    return types.none(array, types.int64, types.int64, types.int64), generate


_load: Any = intrinsic(_typed_load)
_store: Any = intrinsic(_typed_store)


if PLAIN_PYTHON:

    @kernel
    def load_word(S, g, cell):  # type: ignore[no-untyped-def]
        """Return the four cells of row g from `cell` on."""
        return int(S[g, cell : cell + CELLS_A_WORD].view(np.int64)[0])

    @kernel
    def store_word(S, g, cell, word):  # type: ignore[no-untyped-def]
        """Write the four cells of row g from `cell` on."""
        S[g, cell : cell + CELLS_A_WORD] = np.array([word & (1 << 64) - 1], np.uint64).view(np.int16)

else:

    @kernel
    def load_word(S, g, cell):  # type: ignore[no-untyped-def]
        """Return the four cells of row g from `cell` on."""
        return _load(S, g, cell)

    @kernel
    def store_word(S, g, cell, word):  # type: ignore[no-untyped-def]
        """Write the four cells of row g from `cell` on."""
        _store(S, g, cell, word)


@kernel
def copy_cells(S, g, cell, T, h, to, count):  # type: ignore[no-untyped-def]
    """Copy `count` cells of row g of S, from `cell` on, to place `to` of row h of T."""
    if count < CELLS_A_WORD:
        for i in range(count):
            T[h, to + i] = S[g, cell + i]
        return
    i, last = 0, count - CELLS_A_WORD
    while i < last:
        store_word(T, h, to + i, load_word(S, g, cell + i))
        i += CELLS_A_WORD
    store_word(T, h, to + last, load_word(S, g, cell + last))  # some cells twice, but none behind the others
