"""Which fields of a record go together. Every refusal names the fields, what they hold and what is allowed."""

import re
from typing import TYPE_CHECKING

from mancala_rl.errors import RulesError
from mancala_rl.kernel import layout

if TYPE_CHECKING:
    from mancala_rl.rules.record import Rules

# A mechanic that only two players can play, and the value that switches it off.
FOR_TWO = {"capture": "none", "even_capture": False, "chain": "none", "tuzdik": False, "feed": False, "pie": False}

# Where the first to empty the own side wins there is nothing to capture, to share out or to repeat.
NOT_FIRST_TO_EMPTY = {
    "relay": "off",
    "capture": "none",
    "even_capture": False,
    "chain": "none",
    "tuzdik": False,
    "feed": False,
    "end_check": "immediate",
    "leftovers": "owner",
    "stop_when_decided": False,
    "repetition": 0,
    "pie": False,
}

# A field changed from its default means something only if another one holds something else than this.
NEEDS = (
    ("relay_limit", 0, "relay", "off"),
    ("empty_capture", False, "capture", "none"),
    ("lander", "taken", "capture", "none"),
    ("chain_side", "opponent", "chain", "none"),
    ("grand_slam", "allow", "chain", "none"),
    ("sweep_when_decided", False, "stop_when_decided", False),
    ("cycle_split", "own_side", "repetition", 0),
    ("play_out", True, "goal", "most"),
    ("resign", False, "goal", "most"),
    ("extra_turn", "none", "sow_stores", "none"),
)

# What the other field may hold then, in words.
_ALLOWED = {
    "relay": "last or next",
    "capture": "cross",
    "chain": "2,3 or other numbers of stones",
    "stop_when_decided": "true",
    "repetition": "2 or 3",
    "goal": "empty",
    "sow_stores": "own or all",
}


def chain_numbers(chain: str) -> tuple[int, ...]:
    """Return the numbers of stones that a chain captures, in rising order."""
    return () if chain == "none" else tuple(sorted({int(number) for number in chain.split(",")}))


def canonical_chain(chain: str) -> str:
    """Return the one way to write a chain: "none", or rising numbers such as "2,3".

    Raises:
        RulesError: it is no list of numbers from 1 to 60.
    """
    words = [word.strip() for word in chain.split(",")]
    if words == ["none"]:
        return "none"
    if not all(re.fullmatch(r"[0-9]{1,2}", word) and 1 <= int(word) <= layout.MAX_CHAIN for word in words):
        raise RulesError(f"chain={chain!r}: expected none, or numbers of stones from 1 to {layout.MAX_CHAIN} as in 2,3")
    return ",".join(map(str, chain_numbers(",".join(words))))


def check_together(rules: "Rules") -> None:
    """Raise a RulesError if fields of the record contradict each other or ask for too much."""
    if rules.total > layout.MAX_TOTAL:
        raise RulesError(
            f"players x pits x stones = {rules.total} stones; a game holds at most {layout.MAX_TOTAL}: "
            "take fewer pits or stones"
        )
    if rules.players > 2:
        _require(rules, FOR_TWO, f"players={rules.players}")
    if rules.goal == "empty":
        _require(rules, NOT_FIRST_TO_EMPTY, "goal=empty")
    for field, default, other, off in NEEDS:
        value, held = getattr(rules, field), getattr(rules, other)
        if value != default and held == off:
            raise RulesError(f"{_word(field, value)} needs {other}={_ALLOWED[other]}, got {_word(other, held)}")
    _check_stores(rules)


def _require(rules: "Rules", values: dict[str, object], reason: str) -> None:
    for field, value in values.items():
        held = getattr(rules, field)
        if held != value:
            raise RulesError(f"{reason} needs {_word(field, value)}, got {_word(field, held)}")


def _check_stores(rules: "Rules") -> None:
    """Check what depends on which stores get stones: only where none does can a game come back to a position."""
    sown = _word("sow_stores", rules.sow_stores)
    if rules.extra_turn == "any_store" and rules.sow_stores != "all":
        raise RulesError(f"extra_turn=any_store needs sow_stores=all, got {sown}")
    if rules.repetition and rules.sow_stores != "none":
        raise RulesError(f"{_word('repetition', rules.repetition)} needs sow_stores=none, got {sown}")
    if rules.relay != "off" and rules.sow_stores == "none" and not rules.relay_limit:
        raise RulesError(
            f"{_word('relay', rules.relay)} with {sown} may sow for ever: "
            "it needs relay_limit=1 or more, the most laps, got relay_limit=0"
        )
    if rules.goal == "empty" and rules.sow_stores == "none":
        raise RulesError(f"goal=empty needs sow_stores={_ALLOWED['sow_stores']}, got {sown}")
    if rules.tuzdik and rules.pie:
        raise RulesError("tuzdik=true and pie=true exclude each other: a swap would have to trade the tuzdiks")


def written(value: object) -> str:
    """Return a value as spec strings write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _word(field: str, value: object) -> str:
    return f"{field}={written(value)}"
