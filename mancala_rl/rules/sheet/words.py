"""Words that several sections of a rule sheet use."""

from collections.abc import Sequence

from mancala_rl.rules.record import Rules

_NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four"}


def count(number: int, noun: str) -> str:
    """Return a number of things in words, as in "six stones"."""
    return f"{_NUMBERS.get(number, number)} {noun}{'' if number == 1 else 's'}"


def alternatives(words: Sequence[str]) -> str:
    """Return the words as in "2, 4 or 6"."""
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def is_sown(rules: Rules) -> bool:
    """Return whether any store gets stones by sowing."""
    return rules.sow_stores != "none"


def relays(rules: Rules) -> bool:
    """Return whether a sowing can have more than one lap."""
    return rules.relay != "off" and rules.relay_limit != 1


def is_lifting(rules: Rules) -> bool:
    """Return whether players can leave the board while the others play on."""
    return rules.goal == "empty" and rules.players > 2 and (rules.play_out or rules.resign)
