"""The `kernel` decorator: numba.njit with an on-disk cache that never serves stale code.

Numba keys a cached function by its own source file, so an edit of a callee or a constant in another file would go
unseen. Here the cache file names carry a hash of all sources a kernel can depend on: every file of this folder and
of the function's own folder.
"""

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import njit
from numba.core import caching

_PACKAGE = Path(__file__).resolve().parent.parent
_KERNEL = Path(__file__).resolve().parent


@functools.cache
def source_stamp(folder: Path) -> str:
    """Return a hex hash of every Python file in the kernel folder and in `folder`."""
    digest = hashlib.sha256()
    for path in sorted({*_KERNEL.glob("*.py"), *folder.glob("*.py")}):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _stamped(base: Any) -> Any:
    """Return a cache locator like `base` for this package's files, stamped by all sources instead of one."""

    class Stamped(base):  # type: ignore[misc]
        def get_source_stamp(self) -> str:
            return source_stamp(Path(self._py_file).resolve().parent)

        def get_disambiguator(self) -> str:
            # In the file name too: a process that starts during an edit must never meet another stamp's data.
            return f"{self._lineno}-{self.get_source_stamp()[:12]}"

        @classmethod
        def from_function(cls, py_func: Callable[..., Any], py_file: str) -> Any:
            if not Path(py_file).resolve().is_relative_to(_PACKAGE):
                return None
            return super().from_function(py_func, py_file)

    return Stamped


caching.CacheImpl._locator_classes[:0] = [
    _stamped(caching.UserProvidedCacheLocator),
    _stamped(caching.InTreeCacheLocator),
    _stamped(caching.UserWideCacheLocator),
]

# No kernel may recurse (a second process that loads it from the cache crashes), and none may take a function as an
# argument (it would never be cached).
#
# Inlining and NumPy's error model (a division never raises, so no call has to be checked) make `play` twice as fast.
# Without Numba's runtime no references are counted, which costs 40 ns wherever a function holds a call that is not
# inlined; such a function cannot make arrays either.
#
# Numba compiles a function that is not inlined once more for every new type of an argument, int16 and the literal 0
# among them. Hence `mover_of`, `0 + g` where one is called, and variables of loops that do not start as literals.
OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy"}
_WITHOUT_RUNTIME: dict[str, Any] = {"_nrt": False}

kernel = njit(forceinline=True, **OPTIONS, **_WITHOUT_RUNTIME)

# For what most games never do. Inlined too, it would double the time to compile and help nobody.
rare_kernel = njit(**OPTIONS, **_WITHOUT_RUNTIME)

# For what makes an array of its own.
allocating_kernel = njit(**OPTIONS)
