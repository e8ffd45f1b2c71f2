"""One process at a time trains in a run folder."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mancala_rl.errors import ConfigError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a run folder in the block.

    The lock is on the folder itself and so leaves no file behind; the kernel releases it when the process ends, by
    kill -9 too. Where the system has no such lock there is none, and what is no folder is left to its reader to refuse.

    Raises:
        ConfigError: another process holds the lock.
    """
    descriptor = None
    if fcntl is not None:
        with suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
    try:
        if descriptor is not None:
            _lock(descriptor, folder)
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _lock(descriptor: int, folder: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ConfigError(
            f"run folder {folder}: another process is training in it; wait until it ends, or stop it"
        ) from None
    except OSError:  # a file system without locks
        return
