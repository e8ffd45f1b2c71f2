"""One build at a time writes a file."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mancala_rl import lock
from mancala_rl.errors import DatabaseError


@contextmanager
def locked(part: Path) -> Iterator[None]:
    """Hold the lock of an unfinished file in the block; it is made if it is not there, and goes if it stays empty.

    Raises:
        DatabaseError: another build holds the lock.
        OSError: the file cannot be opened.
    """
    descriptor = _owned(part)
    try:
        yield
    finally:
        if part.exists() and part.stat().st_size == 0:
            part.unlink()
        if descriptor is not None:
            os.close(descriptor)


def _owned(part: Path) -> int | None:
    """Return a descriptor that holds the lock of the file that has this name now, None where there are no locks."""
    if not lock.available():
        part.touch()  # an open descriptor would keep the file from getting another name
        return None
    while True:
        descriptor = os.open(part, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            if not lock.take(descriptor):
                raise DatabaseError(
                    f"{part}: another build is writing it; wait until that ends, stop it, or choose another name"
                )
            if part.exists() and os.path.samestat(os.fstat(descriptor), part.stat()):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # another build has finished it meanwhile and given it its name
