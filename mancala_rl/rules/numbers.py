"""Numbers that callers give."""

from typing import TypeGuard

import numpy as np

from mancala_rl.errors import BadInputError


def is_whole(value: object) -> TypeGuard[int]:
    """Return whether a value is a whole number, which True and False are not meant to be."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """Refuse what is no whole number from `low` to `high`.

    Raises:
        BadInputError: names the argument, its value and what was expected.
    """
    if not is_whole(value) or not low <= value <= high:
        raise BadInputError(f"{name}={value!r}: expected a whole number from {low} to {high}")
