"""The code of compiled functions on disk, never stale.

Numba's own cache knows a function by its source file alone, so an edit of a callee or of a constant in another file
would go unseen; it cannot be used where neither the installation nor the home directory is writable; and processes
that fill it at the same moment can mix up its entries.
"""

import contextlib
import functools
import hashlib
import inspect
import os
import pickle
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite  # type: ignore[import-untyped]
import numba
from numba.core.caching import NullCache

_numba: Any = numba  # what is used of it below carries hardly any annotations
_KERNEL = Path(__file__).resolve().parent
_DIGEST = 32  # bytes of a SHA-256
_KEPT = 16  # files of one function, the newest: several types of arguments, interpreters and edits


def source_stamp(folder: Path) -> str:
    """Return a hex hash of every Python file in `folder`."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


_stamp_at_import = functools.cache(source_stamp)


@functools.cache
def cache_folders(source: Path) -> tuple[Path, ...]:
    """Return where the compiled functions of a file may lie: all are read, and the first that can be is written.

    That is NUMBA_CACHE_DIR and nothing else if it is set and can be written. Else it is `__pycache__` beside the file,
    and Numba's folder in the user's own cache.
    """
    apart = f"{source.parent.name}_{hashlib.sha256(str(source.parent).encode()).hexdigest()[:20]}"
    folders = [source.parent / "__pycache__"]
    home = Path(_numba.misc.appdirs.AppDirs(appname="numba", appauthor=False).user_cache_dir)
    if home.is_absolute():  # else there is no home
        folders.append(home / apart)
    if _numba.config.CACHE_DIR:
        given = Path(_numba.config.CACHE_DIR).absolute() / apart
        with contextlib.suppress(OSError):
            given.mkdir(parents=True, exist_ok=True)
        folders = [given] if os.access(given, os.W_OK) else [given, *folders]
    return tuple(folders)


class KernelCache(NullCache):
    """The compiled versions of one function, a file for each combination of argument types.

    A file's name holds a hash of all that the code depends on, the sources as they were when they were imported among
    it. So a file is right or is not found, whoever else reads and writes at the same time. Where no folder can be
    written, every process compiles for itself.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        source = Path(inspect.getfile(function)).resolve()
        self._names = function.__globals__
        self._stem = f"{source.stem}.{function.__qualname__}"
        self._line = function.__code__.co_firstlineno
        self._folder = source.parent
        self._own_stamp = _stamp_at_import(source.parent)
        has_one_source = source.is_file() and not function.__closure__  # unlike what is typed in, or made by a function
        self._places = cache_folders(source) if has_one_source else ()

    @property
    def cache_path(self) -> str | None:
        """The folder of first choice, None for a function that is kept in none."""
        return str(self._places[0]) if self._places else None

    @functools.cached_property
    def stamps(self) -> dict[Path, str]:
        """The source folders on which the code depends, its own and those of what it may call, each with its stamp."""
        stamps = {_KERNEL: _stamp_at_import(_KERNEL), self._folder: self._own_stamp}
        for value in list(self._names.values()):
            callee = getattr(value, "_cache", None)
            if isinstance(callee, KernelCache) and callee._names is not self._names:
                stamps |= callee.stamps
        return stamps

    def _file_name(self, signature: Any, codegen: Any) -> str:
        versions = sys.implementation.cache_tag, numba.__version__, llvmlite.__version__
        parts = *versions, *sorted(self.stamps.values()), self._line, signature, codegen.magic_tuple()
        return f"{self._stem}-{hashlib.sha256(repr(parts).encode()).hexdigest()[:20]}.nbc"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for argument types `sig`, None if it is not there or damaged."""
        name = self._file_name(sig, target_context.codegen())
        for place in self._places:
            try:
                stored = (place / name).read_bytes()
            except OSError:
                continue
            if hashlib.sha256(stored[_DIGEST:]).digest() == stored[:_DIGEST]:
                # Numba would first load all that it needs to compile, which takes longer than everything else here.
                # Compiled code needs no more than its runtime.
                _numba.core.runtime.rtsys.initialize(target_context)
                parts = pickle.loads(stored[_DIGEST:])  # noqa: S301  (our own file, as safe as the sources beside it)
                return _numba.core.compiler.CompileResult._rebuild(target_context, *parts)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep code that has just been compiled, unless an edit has come between import and now."""
        if data.library.has_dynamic_globals or any(source_stamp(f) != stamp for f, stamp in self.stamps.items()):
            return
        name = self._file_name(sig, data.codegen)
        content = _numba.core.caching.dumps(data._reduce())
        for place in self._places:
            with contextlib.suppress(OSError):
                _write(place / name, hashlib.sha256(content).digest() + content)
                self._drop_old(place)
                return

    def _drop_old(self, place: Path) -> None:
        """Keep what edit after edit leaves behind from growing without end."""
        with contextlib.suppress(OSError):  # another process may be doing the same
            files = sorted(place.glob(f"{self._stem}-*.nbc"), key=lambda path: path.stat().st_mtime)
            for path in files[:-_KEPT]:
                path.unlink(missing_ok=True)


def _write(path: Path, content: bytes) -> None:
    """Write a file that is there whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{uuid.uuid4().hex[:8]}")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
