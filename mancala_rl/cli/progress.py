"""How far long work is, on standard error: a bar where that is a terminal, elsewhere a line now and then."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

from mancala_rl.progress import LINE_EVERY, Progress

Say = Callable[[str], None]


def now_and_then() -> Say:
    """Return a function that prints a line on standard error, unless the last one or the start was just before."""
    last = time.monotonic()

    def say(line: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= LINE_EVERY:
            last = now
            print(line, file=sys.stderr, flush=True)

    return say


@contextlib.contextmanager
def progress(what: str, total: int | None, say: Say | None = None) -> Iterator[Progress]:
    """Give the function that says how far some work is; without a total it counts.

    A bar appears with the first call of the function: work that is refused shows none. Where there is no terminal,
    `say` prints lines, by default those of this work alone.
    """
    if not sys.stderr.isatty():
        line, of = say or now_and_then(), "" if total is None else f" of {total:,}"
        yield lambda done: line(f"{what}: {done:,}{of}")
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Bar(*columns, console=Console(file=sys.stderr), transient=True)
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
        say, advances = now_and_then(), dict[str, Progress]()

        def tell(what: str, done: int, total: int) -> None:
            if what not in advances:
                shown.close()
                advances.clear()
                advances[what] = shown.enter_context(progress(what, total, say))
            advances[what](done)

        yield tell


@contextlib.contextmanager
def search_line() -> Iterator[Callable[[int, int, int], None]]:
    """Give the function that says how far a search is: positions, and the bounds of what it looks for.

    In a terminal it is one line, which goes when the search ends.
    """
    if not sys.stderr.isatty():
        say = now_and_then()
        yield lambda nodes, low, high: say(_searched(nodes, low, high))
        return
    try:
        yield lambda *facts: print(f"\r{_searched(*facts)}\033[K", end="", file=sys.stderr, flush=True)
    finally:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def _searched(nodes: int, low: int, high: int) -> str:
    return f"{nodes / 1e6:,.1f} M positions, between {low:+d} and {high:+d}"
