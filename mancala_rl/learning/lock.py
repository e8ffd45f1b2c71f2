"""One process at a time trains in a run folder."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mancala_rl import lock
from mancala_rl.errors import ConfigError


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a run folder in the block; what is no folder is left to its reader to refuse.

    Raises:
        ConfigError: another process holds the lock.
    """
    descriptor = None
    with suppress(OSError):  # Windows opens no folders
        descriptor = os.open(folder, os.O_RDONLY)
    try:
        if descriptor is not None and not lock.take(descriptor):
            raise ConfigError(f"run folder {folder}: another process is training in it; wait until it ends, or stop it")
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)
