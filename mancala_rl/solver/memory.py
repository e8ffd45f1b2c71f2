"""Amounts of memory: how much may be taken, how much is free, and how they are said."""

from pathlib import Path

from mancala_rl.errors import BadInputError
from mancala_rl.rules.numbers import is_whole

MEMORY = 3 << 27  # bytes of database and table together unless the caller says otherwise
_MIB = 1 << 20


def in_bytes(number: int) -> str:
    """Return a number of bytes in words."""
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if number >= size:
            return f"{number / size:.1f} {unit}"
    return f"{number} bytes"


def checked_memory(memory: object) -> int:
    """Return a number of bytes; raise a BadInputError for what is none."""
    if not is_whole(memory):
        raise BadInputError(f"memory={memory!r}: expected a whole number of bytes")
    return int(memory)


def check_enough(memory: int, needed: int, what: str, remedy: str = "allow that much") -> None:
    """Raise a BadInputError if fewer bytes may be taken than are needed for something, as in "a table takes".

    Where the command line or an agent is told how many, it is in MiB: whole ones are answered in MiB.
    """
    if memory < needed:
        size, unit = (_MIB, "MiB") if memory and memory % _MIB == 0 else (1, "bytes")
        raise BadInputError(f"memory={memory // size} {unit}: {what} at least {-(-needed // size)} {unit}; {remedy}")


def free_memory() -> int | None:
    """Return the bytes of memory that can be had without swapping, None where the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
    except OSError:
        return None
    found = [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
    return found[0] if found else None
