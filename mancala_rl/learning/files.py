"""Writing files so that a reader, or a kill at any moment, finds the old one or the new one and nothing between."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mancala_rl.errors import ConfigError, RunError


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` to `path` through a temporary file beside it, flushed to the disk before it takes the name.

    Raises:
        RunError: no space or no permission.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise RunError(f"{path}: cannot write: {error.strerror}") from None


@contextmanager
def replace_folder(folder: Path) -> Iterator[Path]:
    """Yield an empty folder that takes the place of `folder` when the block ends well.

    Raises:
        RunError: no space or no permission.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        fresh.chmod(0o755)
        try:
            yield fresh
            if folder.exists():
                shutil.rmtree(folder)
            fresh.replace(folder)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    except OSError as error:
        raise RunError(f"{folder}: cannot write: {error.strerror}") from None


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
            f"run folder {folder}: cannot write there ({error.strerror}); choose another with --out"
        ) from None
