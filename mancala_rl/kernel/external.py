"""Calls by address, from the kernels that everything inlines to the mechanics that few games have.

Numba compiles a callee again within every function that calls it. With these mechanics inside, each of a dozen
functions would take ten seconds. So they are compiled once, in `mancala_rl.kernel.special`, and only for rules that
need them: their array says where the code is.
"""

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic

from mancala_rl.kernel.compile import PLAIN_PYTHON, kernel
from mancala_rl.kernel.layout import DEAL_ADDRESS, PITS_ADDRESS, PLAY_ADDRESS


def _typed_call(_typing, _address, _row, _length, _g, _player, _number, _rules, _size):  # type: ignore[no-untyped-def]
    """Call the function at an address with a row, its length and number, two numbers, the rules and their length."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.call(_bridge(builder.module), arguments)

    return types.int64(*[types.int64] * 8), generate


def _bridge(module: Any) -> Any:
    """Return a function of an LLVM module that calls an address.

    It is marked as cold. A call in its place would make the search 5% slower, though it is hardly ever made: the
    compiler would keep registers free for it.
    """
    name, number = "mancala_rl_call", ir.IntType(64)
    if name not in module.globals:
        bridge = ir.Function(module, ir.FunctionType(number, [number] * 8), name)
        bridge.linkage = "linkonce_odr"
        for attribute in ("cold", "noinline", "nounwind"):
            bridge.attributes.add(attribute)
        builder = ir.IRBuilder(bridge.append_basic_block())
        target, *rest = bridge.args
        function = ir.FunctionType(number, [number] * 7)
        builder.ret(builder.call(builder.inttoptr(target, function.as_pointer()), rest))
    return module.globals[name]


_call: Any = intrinsic(_typed_call)


if PLAIN_PYTHON:

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

    @kernel
    def call_finish_deal(S, g, seed, r):  # type: ignore[no-untyped-def]
        """Call `moves.finish_deal`."""
        from mancala_rl.kernel.moves import finish_deal

        finish_deal(S, g, seed, r)

    @kernel
    def call_random_opening(S, g, plies, seed, _address, r):  # type: ignore[no-untyped-def]
        """Call `batch.random_opening`."""
        from mancala_rl.kernel.batch import random_opening

        random_opening(S, g, plies, seed, S[:1].copy(), r)

else:

    @kernel
    def call_play_specially(S, g, player, action, r):  # type: ignore[no-untyped-def]
        """Call `moves.play_specially`."""
        row = S.ctypes.data + g * S.strides[0]
        _call(r[PLAY_ADDRESS], row, S.shape[1], 0, player, action, r.ctypes.data, r.shape[0])

    @kernel
    def call_allowed_pits(S, g, player, bits, r):  # type: ignore[no-untyped-def]
        """Call `legal.allowed_pits`."""
        row = S.ctypes.data + g * S.strides[0]
        return _call(r[PITS_ADDRESS], row, S.shape[1], 0, player, bits, r.ctypes.data, r.shape[0])

    @kernel
    def call_finish_deal(S, g, seed, r):  # type: ignore[no-untyped-def]
        """Call `moves.finish_deal`."""
        row = S.ctypes.data + g * S.strides[0]
        _call(r[DEAL_ADDRESS], row, S.shape[1], 0, seed, 0, r.ctypes.data, r.shape[0])

    @kernel
    def call_random_opening(S, g, plies, seed, address, r):  # type: ignore[no-untyped-def]
        """Call `batch.random_opening`, whose code is at `address`."""
        row = S.ctypes.data + g * S.strides[0]
        _call(address, row, S.shape[1], 0, plies, seed, r.ctypes.data, r.shape[0])
