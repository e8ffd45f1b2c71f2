"""Printing: text, JSON, tables and the progress of long work; files that can be written."""

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mancala_rl.errors import BadInputError

if TYPE_CHECKING:
    from rich.table import Table

_PIPED_WIDTH = 120  # columns of a table that no terminal limits


def show(text: str) -> None:
    """Print text as it is."""
    print(text)


def show_json(data: Any) -> None:
    """Print data as JSON."""
    print(json.dumps(data, indent=2))


def show_table(table: "Table") -> None:
    """Print a rich table; names are taken literally, also where they look like markup."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else _PIPED_WIDTH
    console = Console(file=sys.stdout, width=width, markup=False, highlight=False, emoji=False)
    with console.capture() as captured:  # rich would end the program where a reader has had enough
        console.print(table)
    show(captured.get().rstrip("\n"))


@contextlib.contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a bar on standard error, if that is a terminal, and give the function that says how far it is.

    The bar appears with the first call of the function: work that is refused shows none. Without a total it counts.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(file=sys.stderr), transient=True)
    task = bar.add_task(what, total=total)

    def advance(done: int) -> None:
        bar.start()
        bar.update(task, completed=done)

    try:
        yield advance
    finally:
        if bar.live.is_started:
            bar.stop()


@contextlib.contextmanager
def stages() -> Iterator[Callable[[str, int, int], None]]:
    """As `progress`, for work in stages: give the function that says what is done now, how far, and how much it is."""
    with contextlib.ExitStack() as shown:
        bars: dict[str, Callable[[int], None]] = {}

        def tell(what: str, done: int, total: int) -> None:
            if what not in bars:
                shown.close()
                bars[what] = shown.enter_context(progress(what, total))
            bars[what](done)

        yield tell


def check_writable(option: str, path: Path) -> None:
    """Refuse a file that cannot be written before long work is done for it.

    Raises:
        BadInputError: names the option, the path and what is wrong with it.
    """
    try:
        if path.is_dir() or not path.parent.is_dir():
            raise BadInputError(f"{option} {path}: expected a file in a folder that exists")
        if not os.path.lexists(path):
            path.touch()  # the only way to find out: permissions say nothing about names and file systems
            path.unlink()
        elif not os.access(path, os.W_OK):
            raise BadInputError(f"{option} {path}: no permission to write it")
    except OSError as error:
        raise BadInputError(f"{option} {path}: cannot be written ({error.strerror})") from None
