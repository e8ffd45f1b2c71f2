"""Writing files so that a reader, or a kill at any moment, finds the old one or the new one and nothing between."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mancala_rl.errors import ConfigError, RunError

_UNFINISHED = ".*.unfinished"  # what a kill may leave behind; `sweep` removes it


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` to `path` through a temporary file beside it, flushed to the disk before it takes the name.

    Raises:
        RunError: no space or no permission.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise RunError(f"{path}: cannot write: {reason(error)}") from None
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def replace_folder(folder: Path) -> Iterator[Path]:
    """Yield an empty folder that takes the place of `folder` when the block ends well.

    Raises:
        RunError: no space or no permission.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".unfinished", dir=folder.parent))
        try:
            (work / "new").mkdir()
            yield work / "new"
            if folder.exists():
                folder.replace(work / "old")
            (work / "new").replace(folder)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    except OSError as error:
        raise RunError(f"{folder}: cannot write: {reason(error)}") from None


def sweep(folder: Path) -> None:
    """Remove what a kill in the middle of `write_atomically` or `replace_folder` left in `folder`."""
    for path in folder.glob(_UNFINISHED):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def is_vacant(folder: Path) -> bool:
    """Return whether nothing stands at `folder` but, at most, what `sweep` removes."""
    if not folder.exists():
        return True
    return folder.is_dir() and set(folder.iterdir()) <= set(folder.glob(_UNFINISHED))


def make_folder(folder: Path) -> None:
    """Make a folder and check that files can be written in it.

    Raises:
        ConfigError: no permission, or a file is in the way.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise ConfigError(
            f"run folder {folder}: cannot write there ({reason(error)}); choose another with --out"
        ) from None


def reason(error: OSError) -> str:
    """Return what the system says went wrong."""
    return error.strerror or str(error)
