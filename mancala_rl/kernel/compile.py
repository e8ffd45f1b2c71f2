"""The `kernel` decorators: numba.njit for functions that call one another, compiled in half the time.

Numba makes of every function one that Python can call too, optimised and in machine code, and once more for every
mixture of int16, int64, bool and literal numbers it is called with. Here a function that kernels call is an ingredient
of theirs and no more: made once for all whole numbers, and optimised as a part of those that Python calls.
"""

import functools
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numba
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

from mancala_rl.kernel.cache import KernelCache

_numba: Any = numba  # what is used of it below carries hardly any annotations
PLAIN_PYTHON = bool(_numba.config.DISABLE_JIT)  # NUMBA_DISABLE_JIT=1: nothing is compiled

# No kernel may recurse (a second process that loads it from the cache crashes), and none may take a function as an
# argument (it would never be cached).
#
# Inlining and NumPy's error model (a division never raises, so no call has to be checked) make `play` twice as fast.
# Without Numba's runtime no references are counted, which costs 40 ns wherever a function holds a call that is not
# inlined; such a function cannot make arrays either.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def _compiler(**options: Any) -> Any:
    """Return a decorator that compiles with these options when first called, and keeps the code in a `KernelCache`."""

    def decorate(function: Callable[..., Any]) -> Any:
        compiled = _numba.njit(**OPTIONS, **options, no_cfunc_wrapper=True)(function)
        if not PLAIN_PYTHON:
            compiled._cache = KernelCache(function)
            _serve_kernels(compiled, options)
        return compiled

    return decorate


def _serve_kernels(compiled: Any, options: dict[str, Any]) -> None:
    """Let a kernel that calls the function take in its ingredient, which is made when first asked for."""

    @functools.cache
    def ingredient() -> Any:
        bare = {"no_cfunc_wrapper": True, "no_cpython_wrapper": True, "pipeline_class": _IngredientCompiler}
        return _numba.njit(**OPTIONS, **options, **bare)(compiled.py_func)

    compiled.get_call_template = lambda args, kws: ingredient().get_call_template(tuple(map(_widened, args)), kws)
    compiled.get_overload = lambda signature: ingredient().get_overload(signature)


def _widened(kind: types.Type) -> types.Type:
    """Return the type of argument that an ingredient is made for when a kernel passes one of type `kind`."""
    whole = isinstance(kind, types.Boolean) or (isinstance(kind, types.Integer) and kind != types.uint64)
    return types.int64 if whole else kind


class _IngredientCompiler(Compiler):
    """Numba's compiler, but for where it puts the result."""

    def define_pipelines(self) -> Any:
        codegen = self.state.targetctx.codegen()
        self.state.library = _Ingredient(codegen, self.state.func_id.func_qualname)  # type: ignore[no-untyped-call]
        return super().define_pipelines()  # type: ignore[no-untyped-call]


class _Ingredient(JITCodeLibrary):
    """A function before it is optimised and becomes machine code, which happens to the whole it is a part of.

    Only passes over single functions have been made; without them the whole would be 4% slower.
    """

    def _optimize_final_module(self) -> None:
        """Leave it as it is."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: there is no machine code."""
        self._ensure_finalized()  # type: ignore[no-untyped-call]
        return 0

    @property
    def codegen(self) -> Any:
        """What is told of the surroundings of machine code, of which there is none."""
        return SimpleNamespace(set_env=lambda _name, _environment: None)


kernel = _compiler(forceinline=True, _nrt=False)

# For what most games never do. Inlined too, it would double the time to compile and help nobody.
rare_kernel = _compiler(_nrt=False)

# For what makes an array of its own.
allocating_kernel = _compiler()
