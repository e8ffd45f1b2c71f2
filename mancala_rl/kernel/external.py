"""Calls by address, from the kernels that everything inlines to the mechanics that few games have.

Numba compiles a callee again within every function that calls it. With these mechanics inside, each of a dozen
functions would take ten seconds. So they are compiled once, in `mancala_rl.kernel.special`, which tells the linker
their addresses under the names below; whoever calls them holds no more than the name.
"""

from typing import Any

from numba import config, types
from numba.core.types import ExternalFunction

from mancala_rl.kernel.compile import kernel

# A row and its length, the number of the row (always 0), two numbers, the rules and their length.
_CALL = types.int64(types.intp, types.intp, types.int64, types.int64, types.int64, types.intp, types.intp)

PLAY_SYMBOL, PITS_SYMBOL = "mancala_rl_play_specially", "mancala_rl_allowed_pits"
_play: Any = ExternalFunction(PLAY_SYMBOL, _CALL)
_pits: Any = ExternalFunction(PITS_SYMBOL, _CALL)


if config.DISABLE_JIT:  # type: ignore[attr-defined]

    @kernel
    def call_play_specially(S, g, player, action, r):  # type: ignore[no-untyped-def]
        """Call `moves.play_specially`."""
        from mancala_rl.kernel.moves import play_specially

        play_specially(S, g, player, action, r)

    @kernel
    def call_allowed_pits(S, g, player, bits, r):  # type: ignore[no-untyped-def]
        """Call `legal.allowed_pits`."""
        from mancala_rl.kernel.legal import allowed_pits

        return allowed_pits(S, g, player, bits, r)

else:

    @kernel
    def call_play_specially(S, g, player, action, r):  # type: ignore[no-untyped-def]
        """Call `moves.play_specially`."""
        row = S.ctypes.data + g * S.strides[0]
        return _play(row, S.shape[1], 0, player, action, r.ctypes.data, r.shape[0])

    @kernel
    def call_allowed_pits(S, g, player, bits, r):  # type: ignore[no-untyped-def]
        """Call `legal.allowed_pits`."""
        row = S.ctypes.data + g * S.strides[0]
        return _pits(row, S.shape[1], 0, player, bits, r.ctypes.data, r.shape[0])
