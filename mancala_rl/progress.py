"""How far long work is, told to whoever asked for it."""

from collections.abc import Callable

Progress = Callable[[int], None]  # called now and then with how much has been done
LINE_EVERY = 20.0  # seconds between two lines that tell it, where there is no terminal


def counting_on(progress: Progress | None, before: int) -> Progress | None:
    """Return `progress` counting on from what earlier calls have done."""
    return (lambda done: progress(before + done)) if progress else None
