"""What is checked before a search writes into arrays that were made for its rules."""

import math

import numpy as np

from mancala_rl.errors import BadInputError
from mancala_rl.rules import Rules

REWARDS = ("outcome", "margin")


def check_number(name: str, value: object, low: float, high: float = math.inf) -> None:
    """Refuse what is no finite number from `low` to `high`.

    Raises:
        BadInputError: names the argument, its value and what was expected.
    """
    if not _is_number(value) or not low <= value <= high:  # type: ignore[operator]
        bounds = f"from {low:g} to {high:g}" if high < math.inf else f"of at least {low:g}"
        raise BadInputError(f"{name}={value!r}: expected a number {bounds}")


def check_seconds(name: str, value: object) -> None:
    """Refuse what is no finite number above 0.

    Raises:
        BadInputError: names the argument and its value.
    """
    if not _is_number(value) or value <= 0:  # type: ignore[operator]
        raise BadInputError(f"{name}={value!r}: expected a number of seconds above 0")


def _is_number(value: object) -> bool:
    is_number = isinstance(value, float | int | np.floating | np.integer) and not isinstance(value, bool)
    return is_number and math.isfinite(value)  # type: ignore[arg-type]


def check_reward(reward: object, rules: Rules) -> None:
    """Refuse a reward that does not exist, or not under these rules.

    Raises:
        BadInputError: names what there is.
    """
    if reward not in REWARDS:
        raise BadInputError(f"reward={reward!r}: expected one of {', '.join(REWARDS)}")
    if reward == "margin" and rules.goal != "most":
        raise BadInputError(f"reward='margin': {rules} is not won by stones; expected reward='outcome'")
