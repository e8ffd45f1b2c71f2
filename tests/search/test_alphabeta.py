"""The search gives exactly what plain minimax gives."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from mancala_rl import Position, variant
from mancala_rl.search import minimax
from mancala_rl.search.packed_search import PackedSearch, packed_places
from mancala_rl.search.row_search import RowSearch, row_places
from mancala_rl.search.workspace import Workspace
from tests import reference
from tests.cases import read_lines
from tests.search.both import searches, values_by
from tests.search.plain import SPECS, oracle_value, plain_values, random_positions
from tests.twins import position_of

# Plain minimax goes through every line, so the larger boards get fewer positions.
BUDGET = 40_000


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("spec", SPECS)
def test_every_value_is_that_of_plain_minimax(spec: str, depth: int) -> None:
    rules = variant(spec)
    positions = random_positions(spec, max(10, min(150, BUDGET // 4**depth)), seed=depth)
    # Those with a table go on from one position to the next, one with a table in which everything is overwritten.
    ways = [search for places in (1, 2, 1 << 16) for search in searches(rules, depth, places)]
    for position in positions:
        expected = plain_values(position, depth)
        for search in ways:
            found = values_by(search, position, depth)
            assert found == expected or (found is None and position.pie is not None), (search, position)


def test_boards_too_large_for_exact_keys_have_the_same_values() -> None:
    spec = "kalah:pits=12,stones=6"
    (search,) = searches(variant(spec), 4, 1 << 12)
    for position in random_positions(spec, 6):
        assert values_by(search, position, 4) == plain_values(position, 4)


@pytest.mark.parametrize("depth", [8, 9, 10, 13])
@pytest.mark.parametrize("spec", ["kalah:pits=2,stones=3", "kalah:pits=2,stones=2,pie=true", "kalah:pits=3,stones=1"])
def test_deepening_changes_no_value(spec: str, depth: int) -> None:
    rules = variant(spec)
    ways = RowSearch(rules, depth, row_places(depth)), PackedSearch(rules, depth, packed_places(depth))
    for position in random_positions(spec, 20, plies=6, seed=depth):
        expected = plain_values(position, depth)
        for search in ways:
            assert len(search.table) > 1
            found = values_by(search, position, depth)
            assert found == expected or (found is None and position.pie is not None), (search, position)


def test_one_table_serves_every_depth() -> None:
    spec = "kalah:pits=4,stones=2"
    ways = searches(variant(spec), 6, 64)
    for position in random_positions(spec, 60):
        for depth in (6, 3, 5, 4, 6):
            expected = plain_values(position, depth)
            assert all(values_by(search, position, depth) == expected for search in ways)


@pytest.mark.parametrize("depth", [2, 4])
@pytest.mark.parametrize("spec", SPECS)
def test_the_chosen_moves_are_all_the_best_ones(spec: str, depth: int) -> None:
    """With enough seeds, each of the equally good moves is drawn, and no other."""
    workspace = Workspace(variant(spec), depth)
    seeds = np.random.default_rng(7).integers(0, 1 << 32, 100)
    for position in random_positions(spec, 12, seed=depth):
        values = plain_values(position, depth)
        best = max(value for value in values if value is not None)
        games = np.tile(position.row, (len(seeds), 1))
        chosen = workspace.choose(games, seeds, depth)[0]
        assert set(chosen.tolist()) == {move for move, value in enumerate(values) if value == best}


@pytest.mark.parametrize("pits, stones, options", [(6, 4, {}), (4, 3, {"pie": True}), (3, 4, {"leftovers": "emptier"})])
def test_values_agree_with_the_oracle_rules(pits: int, stones: int, options: dict[str, object]) -> None:
    settings = reference.Settings(pits=pits, stones=stones, **options)
    state = reference.start(settings)
    for ply in range(40):
        if state.over:
            break
        sign = 1 if state.turn == 0 else -1
        values = minimax(position_of(state), 4).values
        for move in reference.legal(state):
            assert values[move] == sign * oracle_value(reference.play(state, move), 3)
        moves = reference.legal(state)
        state = reference.play(state, moves[ply * 7 % len(moves)])


def solved_boards() -> list[dict[str, str]]:
    with (reference.DATA / "solved_values.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    boards = [(row, variant(row["variant"])) for row in rows if row["variant"].startswith("kalah")]
    return [row for row, rules in boards if rules.total <= 12]


@pytest.mark.parametrize("row", solved_boards(), ids=lambda row: row["variant"])
def test_solved_boards_have_their_published_values(row: dict[str, str]) -> None:
    analysis = minimax(variant(row["variant"]).start(), 60)
    expected = [None if value in ("", "-") else int(value) for value in row["move_values"].split()]
    assert (analysis.value, list(analysis.values)) == (int(row["value_first_player"]), expected)


def test_solved_late_positions_have_their_values() -> None:
    cases = [case for case in read_lines("positions_kalah64.jsonl") if sum(map(sum, case["pits"])) <= 14]
    assert len(cases) >= 30
    for case in cases:
        position = Position(variant(case["variant"]), case["pits"], case["stores"], case["to_move"])
        analysis = minimax(position, 50)
        assert (analysis.value, list(analysis.values)) == (case["value"], case["move_values"]), position


@pytest.mark.parametrize("spec", ["kalah", "kalah:pits=4,stones=4,pie=true", "kalah:pits=3,stones=3,leftovers=emptier"])
def test_values_do_not_change_when_the_seats_are_swapped(spec: str) -> None:
    for position in random_positions(spec, 60):
        seat = 1 - (position.to_move or 0)
        pie = None if position.pie is None else 1 - position.pie
        mirrored = Position(position.rules, position.pits[::-1], position.stores[::-1], seat, pie=pie)
        assert minimax(mirrored, 4).values == minimax(position, 4).values


def test_a_chain_of_extra_turns_keeps_the_player_to_move() -> None:
    """Three moves in a row end in the store; taken for the opponent's, the second and third would be avoided."""
    rules = variant("kalah:pits=3,stones=4")
    for seat in (0, 1):
        rows, stores = [(3, 2, 1), (4, 4, 4)], [3, 3]
        position = Position(rules, rows[:: -1 if seat else 1], stores[:: -1 if seat else 1], seat)
        # Pit 2 (1 stone), 1 (2 stones), 2, 0 (3 stones), 2: every one of them ends in the store.
        for depth, margin in enumerate((1, 2, 3, 4, 5), start=1):
            assert minimax(position, depth).value == margin
        assert minimax(position, 5).principal_variation[:3] == (2, 1, 2)


def test_the_principal_variation_leads_to_the_value() -> None:
    for spec in SPECS:
        for position in random_positions(spec, 10):
            analysis = minimax(position, 5)
            seat, end = position.to_move, position
            for move in analysis.principal_variation:
                end = end.play(move)
            assert end.is_over or len(analysis.principal_variation) == 5
            assert end.scores[seat] - end.scores[1 - seat] == analysis.value
            assert analysis.principal_variation[0] == analysis.best_move == analysis.values.index(analysis.value)
