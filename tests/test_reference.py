"""The oracle against the referee games and edge cases: everything else is tested against the oracle."""

from __future__ import annotations

import csv
from typing import Any

import pytest

from tests import reference
from tests.cases import edge_cases, moves_of, options_of, read_lines, tuples

KALAH = read_lines("games_kalah.jsonl")
MANGALA = read_lines("games_mangala.jsonl")
EDGES = edge_cases("kalah") + edge_cases("mangala")


def settings_of(case: dict[str, Any]) -> reference.Settings:
    fields = options_of(case)
    fields.pop("single_stone", None)
    return reference.Settings(variant=case["variant"], **fields)


def closed_of(board: dict[str, Any]) -> tuple[tuple[int, int], ...]:
    rows = board.get("closed") or []
    return tuple((p, i) for p, row in enumerate(rows) for i, is_closed in enumerate(row) if is_closed)


def state_of(settings: reference.Settings, board: dict[str, Any]) -> reference.State:
    settings = settings._replace(pits=len(board["pits"][0]))
    pits, stores = tuples(board["pits"]), tuple(board["stores"])
    return reference.State(settings, pits, stores, board["turn"], closed=closed_of(board))


@pytest.mark.parametrize("game", KALAH + MANGALA, ids=lambda game: f"{game['preset']}-{game['id']}")
def test_the_oracle_replays_every_referee_game(game: dict[str, Any]) -> None:
    state = state_of(settings_of(game)._replace(stones=game["settings"]["stones"]), game["start"])
    for ply, step in enumerate(game["steps"]):
        assert (state.turn, step["move"] in reference.legal(state)) == (step["player"], True), ply
        state = reference.play(state, step["move"])
        seen = (state.pits, state.stores, state.turn, state.captured, state.extra)
        assert seen == (tuples(step["pits"]), tuple(step["stores"]), step["next"], step["captured"], step["extra"]), ply
        assert reference.total(state) == game["settings"]["total"]
    assert state.over
    assert not reference.legal(state)
    assert list(state.scores) == game["final"]["stores"]
    assert list(reference.ranking(state)) == game["final"]["ranking"]
    assert len(game["steps"]) == game["final"]["plies"]


def test_a_referee_game_from_the_uniform_start_begins_where_start_does() -> None:
    for game in KALAH:
        settings = settings_of(game)._replace(pits=game["settings"]["pits"], stones=game["settings"]["stones"])
        assert state_of(settings, game["start"]) == reference.start(settings)


@pytest.mark.parametrize("case", EDGES, ids=lambda case: f"{case['variant']}: {case['name']}")
def test_the_oracle_agrees_with_every_edge_case(case: dict[str, Any]) -> None:
    state = state_of(settings_of(case), case["before"])
    if case["legal"] is not None:
        assert reference.legal(state) == case["legal"]
    if case["illegal"]:
        with pytest.raises(ValueError, match="is not one of"):
            reference.play(state, case["move"])
        return
    for move in moves_of(case):
        state = reference.play(state, move)
    assert (state.pits, state.stores) == (tuples(case["after"]["pits"]), tuple(case["after"]["stores"]))
    assert (state.turn, state.over) == (case["next_player"], case["terminal"])
    if case["scores"] is not None:
        assert list(state.scores) == case["scores"]


def test_pie_gives_the_second_player_one_chance_to_take_over_the_first_players_side() -> None:
    opened = reference.play(reference.start(reference.Settings(pie=True)), 3)
    assert opened.turn == 1
    assert reference.legal(opened) == [0, 1, 2, 3, 4, 5, 6]
    swapped = reference.play(opened, 6)
    assert (swapped.pits, swapped.stores, swapped.turn) == (opened.pits[::-1], opened.stores[::-1], 0)
    assert 6 not in reference.legal(swapped)
    after_a_move = reference.play(opened, 0)
    while after_a_move.turn != 1:
        after_a_move = reference.play(after_a_move, reference.legal(after_a_move)[0])
    assert 6 not in reference.legal(after_a_move)


def test_pie_waits_for_the_end_of_the_first_players_extra_turns() -> None:
    again = reference.play(reference.start(reference.Settings(pie=True)), 2)
    assert again.extra
    assert reference.legal(again) == [0, 1, 3, 4, 5]
    assert reference.legal(reference.play(again, 5)) == [0, 1, 2, 3, 4, 5, 6]


def test_pie_follows_the_starter() -> None:
    opened = reference.play(reference.start(reference.Settings(pie=True, first=1)), 0)
    assert opened.turn == 0
    assert 6 in reference.legal(opened)


def test_unscored_stones_stay_in_their_pits() -> None:
    settings = reference.Settings(leftovers="unscored")
    before = reference.from_text("0,0,0,0,0,1+23/1,0,0,4,0,0+19 0", settings)
    after = reference.play(before, 5)
    assert reference.notate(after) == "0,0,0,0,0,0+24/1,0,0,4,0,0+19 -"
    assert after.scores == (24, 19)


def test_perft_counts_only_sequences_of_exactly_that_many_plies() -> None:
    one_move_game = reference.start(reference.Settings(pits=1, stones=1))
    assert [reference.perft(one_move_game, depth) for depth in range(3)] == [1, 1, 0]
    start = reference.start(reference.Settings())
    assert reference.perft(start, 3) == sum(reference.divide(start, 3).values())


def solved_small_boards() -> list[Any]:
    """The rows of solved_values.csv whose game tree plain minimax can walk, the larger ones marked slow."""
    params = []
    with (reference.DATA / "solved_values.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["variant"].startswith("japanese"):
                continue
            settings = reference.settings_of(row["variant"])
            if settings.pits <= 3 and settings.pits * settings.stones <= 9:
                marks = [pytest.mark.slow] if settings.pits * settings.stones > 6 else []
                params.append(pytest.param(row, marks=marks, id=row["variant"]))
    return params


def margin(state: reference.State, known: dict[reference.State, int]) -> int:
    """Final score of seat 0 minus seat 1 under perfect play."""
    if state.over:
        return state.scores[0] - state.scores[1]
    key = state._replace(captured=0, extra=False)
    if key not in known:
        best = max if state.turn == 0 else min
        known[key] = best(margin(reference.play(state, move), known) for move in reference.legal(state))
    return known[key]


@pytest.mark.parametrize("row", solved_small_boards())
def test_minimax_on_the_oracle_finds_the_solved_values(row: dict[str, str]) -> None:
    start = reference.start(reference.settings_of(row["variant"]))
    known: dict[reference.State, int] = {}
    assert margin(start, known) == int(row["value_first_player"])
    values = [margin(reference.play(start, move), known) for move in reference.legal(start)]
    assert values == [int(value) for value in row["move_values"].split()]
