"""Printing: text, JSON and tables; files that can be written."""

import json
import os
import sys
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


def check_writable(option: str, path: Path) -> None:
    """Refuse a file that cannot be written before long work is done for it.

    Raises:
        BadInputError: names the option, the path and what is wrong with it.
    """
    try:
        if path.is_dir():
            raise BadInputError(f"{option} {path}: expected a file, and this is a folder; name a file in it")
        if not path.parent.is_dir():
            raise BadInputError(f"{option} {path}: expected a file in a folder that exists")
        if not os.path.lexists(path):
            path.touch()  # the only way to find out: permissions say nothing about names and file systems
            path.unlink()
        elif not os.access(path, os.W_OK):
            raise BadInputError(f"{option} {path}: no permission to write it")
    except OSError as error:
        raise BadInputError(f"{option} {path}: cannot be written ({error.strerror})") from None
