"""The command line `mancala-rl`: parse, call the package, print.

Exit status: 0, 1 when a run failed, 2 for bad input (one line on standard error), 130 after Ctrl-C.
"""

import importlib.metadata
import io
import os
import sys
from collections.abc import Sequence

from mancala_rl.cli.usage import parse
from mancala_rl.errors import BadInputError, MancalaError

_EXTRAS = {
    "train": ("torch", "stable_baselines3", "sb3_contrib", "tensorboard", "safetensors"),
    "render": ("PIL", "pygame", "imageio", "imageio_ffmpeg"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; `argv` without the program's name, `sys.argv` if left out."""
    words = list(sys.argv[1:] if argv is None else argv)
    _replace_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that lacks a character is no reason to stop
    try:
        return _run(words)
    except KeyboardInterrupt as stop:
        return _refuse("; ".join(["stopped by Ctrl-C", *map(str, stop.args)]), 130)
    except MemoryError:
        return _refuse("not enough memory", 1)
    except BrokenPipeError:
        # The reader, such as `head`, has all it wants. What is still buffered goes nowhere, also at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        for extra, modules in _EXTRAS.items():
            if missing in modules:
                return _refuse(f"this command needs {error.name}: pip install 'mancala-rl[{extra}]'", 2)
        raise
    except (MancalaError, OSError) as error:
        return _refuse(_explain(error), 2 if _is_bad_input(error) else 1)


def _replace_closed_streams() -> None:
    """Stand in for streams that were closed before the start: nothing comes from them, what goes there is lost."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, io.StringIO())


def _run(words: list[str]) -> int:
    if words in (["--version"], ["-V"]):
        print(f"mancala-rl {_version()}")
        return 0
    try:
        command = parse(words)
    except SystemExit as stop:
        sys.stdout.flush()
        return int(stop.code or 0)
    command.run()
    sys.stdout.flush()
    return 0


def _version() -> str:
    try:
        return importlib.metadata.version("mancala-rl")
    except importlib.metadata.PackageNotFoundError:
        return "(a checkout that is not installed)"


def _is_bad_input(error: BaseException) -> bool:
    """Return whether the caller can mend it by another command: a folder without permission is a wrong folder."""
    return isinstance(error, BadInputError | PermissionError) or isinstance(error.__cause__, PermissionError)


def _explain(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _refuse(message: str, status: int) -> int:
    """Print one line on standard error and return the exit status."""
    print(f"mancala-rl: error: {' '.join(message.split())}", file=sys.stderr)
    return status
