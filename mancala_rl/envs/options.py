"""The arguments that environments have in common, read and checked in one place."""

from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import Any

from mancala_rl.errors import ActionError, BadInputError, RulesError
from mancala_rl.rules import Rules, variant
from mancala_rl.rules.numbers import is_whole
from mancala_rl.rules.registry import options_of, suggest


def choice(name: str, value: object, allowed: Iterable[object]) -> None:
    """Refuse a value that is not among the allowed ones.

    Raises:
        BadInputError: names the option, the value and what is allowed.
    """
    allowed = list(allowed)
    if value not in allowed:
        raise BadInputError(f"{name}={value!r}: expected one of {', '.join(map(str, allowed))}")


def check_seat(name: str, value: object, players: int) -> None:
    """Refuse anything but a seat number or "random".

    Raises:
        BadInputError: names the option, the value and what is allowed.
    """
    if value != "random" and not (is_whole(value) and 0 <= value < players):
        raise BadInputError(f"{name}={value!r}: expected a seat from 0 to {players - 1} or 'random'")


def check_mapping(options: object) -> None:
    """Refuse options of `reset` that have no names.

    Raises:
        BadInputError: says what was expected.
    """
    if not isinstance(options, Mapping):
        raise BadInputError(f"options={options!r}: expected a dictionary, as in reset(options={{'first': 1}})")


def checked_seed(seed: object) -> int | None:
    """Return what seeds an environment as an int, or None.

    Raises:
        BadInputError: neither None nor a whole number >= 0.
    """
    if seed is None:
        return None
    if not is_whole(seed) or seed < 0:
        raise BadInputError(f"seed={seed!r}: expected a whole number >= 0")
    return int(seed)


def check_plies(name: str, value: Any) -> None:
    """Refuse what is not a pair of numbers of plies.

    Raises:
        BadInputError: says what was expected.
    """
    pair = tuple(value) if isinstance(value, tuple | list) else ()
    if len(pair) != 2 or not all(map(is_whole, pair)) or not 0 <= pair[0] <= pair[1] < 2**31:
        raise BadInputError(f"{name}={value!r}: expected (fewest, most), whole numbers with 0 <= fewest <= most")


def checked_action(action: Any, actions: int) -> int:
    """Return an action as an int; any kind of whole number will do, NumPy's included.

    Raises:
        ActionError: it lies outside the action space 0..actions-1.
    """
    try:
        move = index(action)
    except TypeError:
        move = -1
    if not 0 <= move < actions:
        raise ActionError(f"action {action!r}: expected a whole number from 0 to {actions - 1}")
    return move


def rules_for(rules: Rules | str, options: Mapping[str, Any], own: Iterable[str]) -> Rules:
    """Return the rules an environment was asked for.

    Args:
        rules: a record or a spec string.
        options: options of the variant that change it, such as `pits=5`.
        own: the names of the environment's own arguments, for the hint after a mistyped one.

    Raises:
        RulesError: an option that is neither the variant's nor the environment's, or a value it cannot take.
    """
    record = variant(rules)
    known = options_of(record) if options else ()
    for key in options:
        if key not in known:
            raise RulesError(f"{record.name} has no option {key!r}; {suggest(key, [*known, *own])}")
    return record.replace(**options) if options else record


def check_variant(environment: str, rules: Rules, names: Sequence[str], most_players: int) -> None:
    """Refuse rules that an environment does not play; no names stand for all variants.

    Raises:
        RulesError: names the rules and what is allowed.
    """
    if names and rules.name not in names:
        wanted = " or ".join(names)
        raise RulesError(f"rules={rules}: {environment} plays {wanted}; expected a record or spec string of {wanted}")
    if rules.players > most_players:
        raise RulesError(f"players={rules.players}: this environment is for {most_players} players")
