"""Locks on files and folders, each held by one process at a time."""

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


def available() -> bool:
    """Return whether this system has such locks."""
    return fcntl is not None


def take(descriptor: int) -> bool:
    """Take the lock of what a descriptor is open for, a file or a folder; return False if somebody else holds it.

    It leaves nothing behind; the kernel releases it when the descriptor is closed or the process ends, by kill -9 too.
    Where the system or the file system has no such locks, everybody gets one.
    """
    if fcntl is None:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        pass
    return True
