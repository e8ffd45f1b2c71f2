"""A hint to the processor: what will be read soon.

A search or a build of a database reads one byte here and eight there, all over memory. What all moves of a position
will need is asked for before the first of it is used, so that the waits overlap.
"""

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.extending import intrinsic

from mancala_rl.kernel import kernel
from mancala_rl.kernel.compile import PLAIN_PYTHON

_READ, _KEEP, _DATA = 0, 3, 1  # to be read, worth keeping near, and no instructions


def _typed_hint(_typing, _address):  # type: ignore[no-untyped-def]
    """Fetch what lies at an address."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        pointer, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
        hints = [ir.Constant(number, hint) for hint in (_READ, _KEEP, _DATA)]
        builder.call(function, [builder.inttoptr(arguments[0], pointer), *hints])
        return ir.Constant(ir.IntType(64), 0)

    return types.int64(types.int64), generate


_hint: Any = intrinsic(_typed_hint)


if PLAIN_PYTHON:

    @kernel
    def prefetch(array, index):  # type: ignore[no-untyped-def]
        """Ask for an entry of a one-dimensional array."""

else:

    @kernel
    def prefetch(array, index):  # type: ignore[no-untyped-def]
        """Ask for an entry of a one-dimensional array."""
        _hint(array.ctypes.data + index * array.itemsize)
