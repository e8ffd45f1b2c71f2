"""What few games have, compiled once and called by address; see `mancala_rl.kernel.external`."""

import llvmlite.binding  # type: ignore[import-untyped]
from numba import carray, cfunc, config, types  # type: ignore[attr-defined]

from mancala_rl.kernel import legal, moves
from mancala_rl.kernel.compile import OPTIONS
from mancala_rl.kernel.external import PITS_SYMBOL, PLAY_SYMBOL

_ROW, _RULES = types.CPointer(types.int16), types.CPointer(types.int64)  # type: ignore[no-untyped-call]
_ENTRY = types.int64(_ROW, types.intp, types.int64, types.int64, types.int64, _RULES, types.intp)


def play_specially(row, length, g, player, action, rules, size):  # type: ignore[no-untyped-def]
    """Play `action` of `player` on the row, by `moves.play_specially`."""
    moves.play_specially(carray(row, (1, length)), g, player, action, carray(rules, (size,)))
    return 0


def allowed_pits(row, length, g, player, bits, rules, size):  # type: ignore[no-untyped-def]
    """Return `legal.allowed_pits` of the row."""
    return legal.allowed_pits(carray(row, (1, length)), g, player, bits, carray(rules, (size,)))


def provide() -> None:
    """Compile both, or load them from the cache, and tell the linker where they are."""
    for name, function in ((PITS_SYMBOL, allowed_pits), (PLAY_SYMBOL, play_specially)):  # the second needs the first
        entry = cfunc(_ENTRY, **OPTIONS)(function)
        _kept.append(entry)
        llvmlite.binding.add_symbol(name, entry.address)


_kept: list[object] = []  # the code lives as long as these do

if not config.DISABLE_JIT:  # type: ignore[attr-defined]
    provide()
