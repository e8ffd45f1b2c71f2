"""Exact values by trying everything, with the oracle's rules instead of the kernel's, and rules to try it on."""

from __future__ import annotations

import csv
import dataclasses
from typing import Any

from hypothesis import strategies as st

from mancala_rl import Position, Rules, variant
from tests import reference
from tests.reference import State
from tests.twins import margin_of, state_from

# Every option that matters to play on the packed board, with values that may stand beside any of the others.
OPTIONS: dict[str, tuple[Any, ...]] = {
    "first_stone": ("next", "origin"),
    "skip_origin": (False, True),
    "extra_turn": ("own_store", "none"),
    "even_capture": (False, True),
    "end_check": ("immediate", "on_turn"),
    "leftovers": ("owner", "emptier", "unscored"),
}
CAPTURES = (
    {"capture": "none"},
    {"capture": "cross"},
    {"capture": "cross", "empty_capture": True},
    {"capture": "cross", "lander": "stays"},
    {"capture": "cross", "lander": "stays", "empty_capture": True},
)


@st.composite
def packed_rules(draw: st.DrawFn, pits: st.SearchStrategy[int]) -> Rules:
    """Rules that the packed board plays."""
    fields = {field: draw(st.sampled_from(values)) for field, values in OPTIONS.items()}
    return Rules(name="custom", pits=draw(pits), stones=1, **fields, **draw(st.sampled_from(CAPTURES)))


@st.composite
def boards(draw: st.DrawFn, pits: int, most: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Two rows of at most so many stones in all, the first of which holds some."""
    numbers = st.lists(st.integers(0, 2 * pits - 1), min_size=1, max_size=most)
    fallen = draw(numbers)
    fallen[0] %= pits
    row = [fallen.count(cell) for cell in range(2 * pits)]
    return tuple(row[:pits]), tuple(row[pits:])


def position_with(rules: Rules, rows: tuple[tuple[int, ...], ...], seat: int = 0, ahead: int = 0) -> Position:
    """A position whose mover has the first of the rows; `ahead` stones lie in the mover's store."""
    total = ahead + sum(map(sum, rows))
    stones = max(1, -(-total // (2 * rules.pits)))
    rules = dataclasses.replace(rules, stones=stones)
    pits, stores = list(rows), [ahead, rules.total - total]
    if seat:
        pits.reverse()
        stores.reverse()
    return Position(rules, pits, stores, seat)


def values_of(position: Position) -> dict[int, int]:
    """The final margin of the player to move for every legal move."""
    state = state_from(position)._replace(ply=position.ply)
    assert state.turn is not None
    sign = -1 if state.turn else 1
    known: dict[Any, int] = {}
    return {move: sign * _margin(reference.play(state, move), known) for move in reference.legal(state)}


def _margin(state: State, known: dict[Any, int]) -> int:
    """The final margin of seat 0 when both play perfectly."""
    if state.over:
        return margin_of(state)
    key = state.pits, state.stores, state.turn, state.swapper, state.ply if state.settings.max_plies else 0
    if key not in known:
        values = [_margin(reference.play(state, move), known) for move in reference.legal(state)]
        known[key] = min(values) if state.turn else max(values)
    return known[key]


def read_csv(name: str) -> list[dict[str, str]]:
    """The lines of a data file of the tests."""
    with (reference.DATA / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def layer_rules(line: dict[str, str]) -> Rules:
    """The rules of a line of database_layers.csv."""
    empty = "true" if line["capture"] == "empty" else "false"
    return variant(f"kalah:pits={line['m']},empty_capture={empty},leftovers={line['leftovers']}")
