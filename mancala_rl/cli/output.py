"""Printing: text, JSON, tables and the progress of long work."""

import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

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
    Console(file=sys.stdout, width=width, markup=False, highlight=False, emoji=False).print(table)


@contextlib.contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar on standard error, if that is a terminal, and give the function that says how far it is.

    The bar appears with the first call of the function: work that is refused shows none.
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
