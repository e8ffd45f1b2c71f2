"""The variants by name, and the spec strings that name them: NAME[:key=value,...].

A variant takes the options that its rules name. Every other record is written from scratch, as in
"custom:name=mine,players=3,capture=none": `custom` takes every field of the record, and leaves out those that hold
their default.
"""

import dataclasses
import difflib
import re
from collections.abc import Iterable, Mapping
from typing import Any

from mancala_rl.errors import RulesError
from mancala_rl.rules.consistency import written
from mancala_rl.rules.record import Rules


@dataclasses.dataclass(frozen=True)
class Variant:
    """A registered variant: its default rules, one line about it, and what people may change."""

    rules: Rules
    title: str
    summary: str
    aliases: tuple[str, ...]
    options: tuple[str, ...]
    source: str


VARIANTS: dict[str, Rules] = {}
_FAMILY: dict[str, Variant] = {}
CUSTOM = "custom"
_TRUTH = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
_SWITCHES = ("extra_turn", "capture", "chain")  # mechanics given by a word, which on and off switch too
_FIELDS = {field.name: field for field in dataclasses.fields(Rules)}


def register(entry: Variant) -> Rules:
    """Add a variant to `VARIANTS` under its name and return its default rules."""
    VARIANTS[entry.rules.name] = entry.rules
    _FAMILY[entry.rules.name] = entry
    return entry.rules


def entry_of(name: str) -> Variant:
    """Return the registered variant with this name or alias.

    Raises:
        RulesError: there is none; suggests a near name.
    """
    for known, entry in _FAMILY.items():
        if name == known or name in entry.aliases:
            return entry
    raise RulesError(f"unknown variant {name!r}; {suggest(name, [*_FAMILY, CUSTOM])}")


def entry_or_none(rules: Rules) -> Variant | None:
    """Return the registered variant that a record is named after, None for a record of one's own."""
    return _FAMILY.get(rules.name)


def options_of(rules: Rules) -> tuple[str, ...]:
    """Return what `Rules.replace` may change: the options of the variant, or every field of a record of one's own."""
    entry = entry_or_none(rules)
    return entry.options if entry else tuple(key for key in _FIELDS if key != "name")


def suggest(word: str, known: Iterable[str]) -> str:
    """Return the remedy for a mistyped word: the nearest known one, or all of them."""
    known = sorted(known)
    near = difflib.get_close_matches(word.lower(), known, n=1)
    listing = f"expected one of: {', '.join(known)}"
    return f"did you mean {near[0]!r}? {listing}" if near else listing


def variant(spec: str | Rules) -> Rules:
    """Return the rules that a spec string names, for example "kalah:pits=5,stones=3,pie=true".

    Rules are returned as they are, so that everything that takes a spec takes a record too.

    Raises:
        RulesError: unknown variant or option, or a value the option cannot take.
    """
    if isinstance(spec, Rules):
        return spec
    name, _, text = str(spec).partition(":")
    options = parse_options(text)
    if name.strip() == CUSTOM:
        return _with_fields(Rules(name=CUSTOM), options, tuple(_FIELDS))
    rules = entry_of(name.strip()).rules
    return _with_fields(rules, options, options_of(rules))


def parse_options(text: str) -> dict[str, str]:
    """Return the options of a spec string as text; a comma starts a new option only before `key=`.

    Raises:
        RulesError: an item that is not `key=value`, or a key given twice.
    """
    options: dict[str, str] = {}
    for item in re.split(r",(?=\s*[A-Za-z_]+\s*=)", text) if text.strip() else []:
        key, equals, value = (part.strip() for part in item.partition("="))
        if not equals or not key or not value:
            raise RulesError(f"option {item.strip()!r}: expected key=value, as in kalah:pits=6,stones=4")
        if key in options:
            raise RulesError(f"option {key!r} is given twice")
        options[key] = value
    return options


def with_options(rules: Rules, options: Mapping[str, Any]) -> Rules:
    """Return `rules` with some of `options_of` them changed; text values are read by the field's type.

    Raises:
        RulesError: an option the variant does not have, or a value it cannot take.
    """
    return _with_fields(rules, options, options_of(rules))


def _with_fields(rules: Rules, options: Mapping[str, Any], allowed: tuple[str, ...]) -> Rules:
    default = VARIANTS.get(rules.name, rules)
    values = {}
    for key, value in options.items():
        if key not in allowed:
            raise RulesError(f"{rules.name} has no option {key!r}; {_remedy(key, allowed)}")
        values[key] = _read(key, value, default)
    return dataclasses.replace(rules, **values)


def _remedy(key: str, allowed: tuple[str, ...]) -> str:
    if key in _FIELDS and key != "name":
        return f"expected one of: {', '.join(sorted(allowed))}; a game of your own takes it, as in {CUSTOM}:{key}=..."
    return suggest(key, allowed)


def _read(key: str, value: Any, default: Rules) -> Any:
    """Return an option in the type of its field; on and off switch what a word tells, and off the repetition rule."""
    kind = _FIELDS[key].type
    truth = _TRUTH.get(str(value).lower())
    if kind is bool and isinstance(value, str) and truth is not None:
        return truth
    if kind is str and truth is not None and key in _SWITCHES:
        usual = getattr(default, key)
        return (usual if usual != "none" else value) if truth else "none"
    if key == "repetition" and truth is False:
        return 0
    if kind is int and isinstance(value, str):
        if not re.fullmatch(r"[+-]?[0-9]{1,18}", value):
            raise RulesError(f"{key}={value!r}: expected a whole number, as in {key}={getattr(default, key)}")
        return int(value)
    if kind is bool and isinstance(value, str):
        raise RulesError(f"{key}={value!r}: expected true or false")
    return value


def spec_of(rules: Rules) -> str:
    """Return the shortest spec string that names these rules; `variant` is the inverse."""
    default = VARIANTS.get(rules.name)
    changed = _changes(rules, default) if default else {}
    if default is None or not set(changed) <= set(options_of(rules)):
        default = Rules(name=CUSTOM)
        changed = _changes(rules, default)
    options = ",".join(f"{key}={written(value)}" for key, value in changed.items())
    return default.name + (":" + options if options else "")


def _changes(rules: Rules, default: Rules) -> dict[str, Any]:
    return {key: getattr(rules, key) for key in _FIELDS if getattr(rules, key) != getattr(default, key)}
