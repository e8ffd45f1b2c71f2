"""Random rules: records drawn from the rule space, for work on agents that play games they have not seen.

Fields are drawn one after another, each evenly from the values that still go with those before it. That is a search
through clauses, "this field holds one of these or that one holds one of those", so a draw ends after a bounded number
of steps and never gives a record that `Rules` refuses.
"""

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mancala_rl.errors import RulesError
from mancala_rl.rules.consistency import FOR_TWO, NEEDS, NOT_FIRST_TO_EMPTY, canonical_chain
from mancala_rl.rules.notation import format_board
from mancala_rl.rules.record import REPETITIONS, WORDS, Rules, check_field
from mancala_rl.rules.registry import suggest

PITS, STONES = (1, 12), (1, 12)  # what is drawn unless the caller says otherwise
_MOST_LAPS, _MOST_PLIES, _LONGEST_CHAIN = 100, 1000, 8
_FIRST = ("goal", "players", "sow_stores", "relay", "repetition", "max_plies")  # what most others hang on

Domains = dict[str, list[Any]]


class Literal(NamedTuple):
    """A field holds one of some values, or, negated, none of them."""

    field: str
    values: tuple[Any, ...]
    negated: bool = False

    def holds(self, value: object) -> bool:
        """Return whether a value of the field makes it true."""
        return (value in self.values) != self.negated


Clause = tuple[Literal, ...]  # one of them holds


def sample(
    rng: np.random.Generator,
    *,
    players: int | Collection[int] = (2, 3, 4),
    pits: int | tuple[int, int] = PITS,
    stones: int | tuple[int, int] = STONES,
    finite: bool = True,
    name: str = "sampled",
    **fields: Any,
) -> Rules:
    """Return rules drawn at random; the same state of `rng` gives the same rules.

    Every combination of mechanics that a record can have may come. A game of such rules is not over before it begins,
    and seat 0 has a legal move.

    Args:
        rng: what the draw takes its chance from.
        players: a number, or some to draw from.
        pits: pits a player, a number or (fewest, most).
        stones: stones a pit, a number or (fewest, most).
        finite: whether only games that must end are drawn (`Rules.is_finite`).
        name: the name of the rules.
        fields: further fields of the record, each with the value it must hold, or a list, tuple or set of values to
            draw from. The start positions drawn are uniform, random and custom ones; "custom" asks for the last.

    Raises:
        RulesError: no generator, an unknown field, a value it cannot take, or fields that no record has together.
    """
    if not isinstance(rng, np.random.Generator):
        raise RulesError(f"rng={rng!r}: expected a generator, as in Rules.sample(numpy.random.default_rng(0))")
    domains = _domains(rng)
    domains["players"] = _choices("players", players)
    domains["pits"] = [_size(rng, "pits", pits)]
    domains["stones"] = [_size(rng, "stones", stones)]
    for key, value in fields.items():
        if key not in domains:
            raise RulesError(f"unknown field {key!r} of a rules record; {suggest(key, domains)}")
        domains[key] = _choices(key, value)
    drawn = _complete(domains, list(clauses(finite)), rng)
    if drawn is None:
        asked = ", ".join(f"{key}={value}" for key, value in ({"players": players} | fields).items())
        raise RulesError(f"no {'finite ' * finite}rules have {asked} together; leave one of them out")
    custom = drawn["start_position"] == "custom"
    rules = Rules(name=name, **(drawn | {"start_position": "uniform"} if custom else drawn))
    return dataclasses.replace(rules, start_position=_board(rng, rules)) if custom else rules


def _domains(rng: np.random.Generator) -> Domains:
    """Return the values that each field may hold; one is drawn for those that are numbers."""
    domains: Domains = {}
    for field in dataclasses.fields(Rules):
        domains[field.name] = list(WORDS[field.name]) if field.name in WORDS else [False, True]
    domains["relay_limit"] = [0, int(rng.integers(1, _MOST_LAPS + 1))]
    domains["max_plies"] = [0, int(rng.integers(1, _MOST_PLIES + 1))]
    domains["repetition"] = list(REPETITIONS)
    domains["chain"] = ["none", _chain(rng)]
    domains["start_position"] = ["uniform", "random", "custom"]
    del domains["name"]
    return domains


def _chain(rng: np.random.Generator) -> str:
    """Return a few of the numbers up to twelve."""
    count = int(rng.integers(1, _LONGEST_CHAIN + 1))
    return ",".join(map(str, sorted(rng.choice(np.arange(1, 13), count, replace=False).tolist())))


def _choices(key: str, value: Any) -> list[Any]:
    """Return the values a caller allows, checked as far as one field can be."""
    values = list(value) if isinstance(value, list | tuple | set | frozenset | range) else [value]
    if not values:
        raise RulesError(f"{key}: expected at least one value to draw from")
    if key == "start_position":
        return values
    return [_checked(key, each) for each in values]


def _checked(key: str, value: Any) -> Any:
    value = value.item() if isinstance(value, np.generic) else value
    check_field(key, value)
    return canonical_chain(value) if key == "chain" else value


def _size(rng: np.random.Generator, key: str, value: int | tuple[int, int]) -> int:
    bounds = tuple(value) if isinstance(value, tuple | list) else (value, value)
    if len(bounds) != 2:
        raise RulesError(f"{key}={value!r}: expected a number or (fewest, most)")
    low, high = (_checked(key, bound) for bound in bounds)
    if low > high:
        raise RulesError(f"{key}={value!r}: expected (fewest, most), got more for the fewest")
    return int(rng.integers(low, high + 1))


def clauses(finite: bool) -> Iterator[Clause]:
    """Yield what a record must satisfy, besides what each field allows; `finite` asks for games that must end."""
    for field, value in FOR_TWO.items():
        yield Literal("players", (2,)), Literal(field, (value,))
    for field, value in NOT_FIRST_TO_EMPTY.items():
        yield Literal("goal", ("most",)), Literal(field, (value,))
    for field, default, other, off in NEEDS:
        yield Literal(field, (default,)), Literal(other, (off,), negated=True)
    no_store = Literal("sow_stores", ("none",))
    yield Literal("extra_turn", ("any_store",), negated=True), Literal("sow_stores", ("all",))
    yield Literal("repetition", (0,)), no_store
    yield Literal("goal", ("most",)), no_store._replace(negated=True)
    yield Literal("tuzdik", (False,)), Literal("pie", (False,))
    yield Literal("relay", ("off",)), no_store._replace(negated=True), Literal("relay_limit", (0,), negated=True)
    if finite:
        endless = Literal("repetition", (0,), negated=True), Literal("max_plies", (0,), negated=True)
        yield no_store._replace(negated=True), *endless


def _complete(domains: Domains, rules: Sequence[Clause], rng: np.random.Generator) -> dict[str, Any] | None:
    """Return one value a field that satisfy all clauses, drawn by depth-first search; None if there are none."""
    domains = _propagated(domains, rules)
    rules = [clause for clause in rules if not _is_settled(clause, domains)]
    if not all(domains.values()):
        return None
    open_fields = [key for key in (*_FIRST, *domains) if len(domains[key]) > 1]
    if not open_fields:
        return {key: values[0] for key, values in domains.items()}
    key = open_fields[0]
    for at in rng.permutation(len(domains[key])):
        found = _complete(domains | {key: [domains[key][at]]}, rules, rng)
        if found is not None:
            return found
    return None


def _is_settled(clause: Clause, domains: Domains) -> bool:
    """Return whether a clause holds whatever is drawn."""
    return any(all(map(literal.holds, domains[literal.field])) for literal in clause)


def _propagated(domains: Domains, rules: Iterable[Clause]) -> Domains:
    """Return the domains without the values that a clause whose other literals cannot hold forbids."""
    domains, changed = dict(domains), True
    while changed:
        changed = False
        for clause in rules:
            possible = [literal for literal in clause if any(map(literal.holds, domains[literal.field]))]
            if len(possible) > 1:
                continue
            literal = (possible or clause)[0]
            left = [value for value in domains[literal.field] if possible and literal.holds(value)]
            changed |= len(left) < len(domains[literal.field])
            domains[literal.field] = left
    return domains


def _board(rng: np.random.Generator, rules: Rules) -> str:
    """Return a start position with a stone on every side; nobody holds more than half in the store."""
    cells = np.zeros((rules.players, rules.pits + 1), np.int16)
    for seat in range(rules.players):
        cells[seat, rng.integers(rules.pits)] = 1
    in_pits = max(rules.total // 2, rules.players)
    _scatter(rng, cells[:, :-1], in_pits - rules.players)
    _scatter(rng, cells, rules.total - in_pits)
    if rules.players == 2 and rules.goal == "most":
        _close(rng, cells[int(rng.integers(2))])
    return format_board(cells.reshape(-1), rules)


def _scatter(rng: np.random.Generator, cells: NDArray[np.int16], stones: int) -> None:
    """Add stones to random cells."""
    at = rng.integers(0, cells.size, stones)
    cells += np.bincount(at, minlength=cells.size).reshape(cells.shape).astype(np.int16)


def _close(rng: np.random.Generator, row: NDArray[np.int16]) -> None:
    """Close some pits of a row at its left end (M15), or none; their stones go into the last pit."""
    closed = int(rng.integers(0, len(row) - 1))
    row[-2] += row[:closed].sum()
    row[:closed] = -1
