"""Numbers that callers give."""

import numpy as np

from mancala_rl.errors import BadInputError


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """Refuse what is no whole number from `low` to `high`.

    Raises:
        BadInputError: names the argument, its value and what was expected.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise BadInputError(f"{name}={value!r}: expected a whole number from {low} to {high}")
