"""The oracle against the referee games and edge cases: everything else is tested against the oracle."""

from __future__ import annotations

import csv
from typing import Any

import pytest

from tests import reference
from tests.cases import EDGES, GAMES, action_of, moves_of, state_of, tuples


def check_step(state: reference.State, step: dict[str, Any]) -> None:
    """Compare the position after a move with everything its step says."""
    assert (state.pits, state.stores) == (tuples(step["pits"]), tuple(step["stores"]))
    assert (state.turn, state.extra) == (step["next"], step["extra"])
    assert state.captured == step.get("captured", 0)
    if "places" in step:
        assert (state.lifted, list(state.places or [None] * len(step["places"]))) == (step["lifted"], step["places"])


@pytest.mark.parametrize("variant", GAMES)
def test_the_oracle_replays_every_referee_game(variant: str) -> None:
    for game in GAMES[variant]:
        state = state_of(game, game["start"])
        for ply, step in enumerate(game["steps"], 1):
            move = action_of(state, step["move"])
            assert (state.turn, move in reference.legal(state)) == (step["player"], True), (game["id"], ply)
            state = reference.play(state, move)
            check_step(state, step)
            assert (state.ply, reference.total(state)) == (ply, game["settings"]["total"])
        check_final(state, game)


def check_final(state: reference.State, game: dict[str, Any]) -> None:
    final = game["final"]
    assert state.over
    assert not reference.legal(state)
    assert state.ply == final["plies"]
    assert list(reference.ranking(state)) == final["ranking"]
    assert state.truncated == (game["steps"][-1].get("why") == "cap")
    if "returns" in final:
        assert list(reference.returns(state)) == pytest.approx(final["returns"])
        assert [sum(row) for row in state.pits] == final["stones_left"]
    else:
        assert list(state.scores) == final["stores"]


def test_the_referee_games_cover_what_they_are_for() -> None:
    """50 games a variant; without these the replay above would prove less than it says."""
    assert {variant: len(games) for variant, games in GAMES.items()} == dict.fromkeys(GAMES, 50)
    assert {game["settings"]["players"] for game in GAMES["japanese"]} == {2, 3, 4}
    assert {game["preset"] for game in GAMES["mangala"]} == {"seed", "official", "seed-closed"}
    ends = {game["steps"][-1]["why"] for game in GAMES["oware"]}
    assert ends == {"majority", "no_move", "repetition", "cap"}


@pytest.mark.parametrize("variant", ["kalah", "japanese", "oware"])
def test_a_referee_game_from_the_uniform_start_begins_where_start_does(variant: str) -> None:
    for game in GAMES[variant]:
        state = state_of(game, game["start"])
        assert state._replace(places=()) == reference.start(state.settings)


@pytest.mark.parametrize("case", EDGES, ids=lambda case: f"{case['variant']}: {case['name']}")
def test_the_oracle_agrees_with_every_edge_case(case: dict[str, Any]) -> None:
    state = state_of(case, case["before"])
    if case["legal"] is not None:
        assert reference.legal(state) == case["legal"]
    if case["illegal"]:
        with pytest.raises(ValueError, match="is not one of"):
            reference.play(state, case["move"])
        return
    stones = reference.total(state)
    for move in moves_of(case):
        state = reference.play(state, action_of(state, move))
        assert reference.total(state) == stones
    after = case["after"]
    assert (state.pits, state.stores) == (tuples(after["pits"]), tuple(after["stores"]))
    assert (state.turn, state.over) == (case["next_player"], case["terminal"])
    assert state.lifted == after.get("lifted", case["before"].get("lifted", 0))
    if "places" in after:
        assert list(state.places) == after["places"]
        assert [p in reference.active(state) for p in range(len(state.pits))] == after["active"]
    if case["scores"] is not None:
        assert list(state.scores) == case["scores"]
    if case["ranking"] is not None:
        assert list(reference.ranking(state)) == case["ranking"]


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
            settings = reference.settings_of(row["variant"])
            if settings.pits <= 3 and settings.pits * settings.stones <= 9:
                marks = [pytest.mark.slow] if settings.pits * settings.stones > 6 else []
                params.append(pytest.param(row, marks=marks, id=row["variant"]))
    return params


def margin(state: reference.State, known: dict[reference.State, int]) -> int:
    """Final score of seat 0 minus seat 1 under perfect play; in Japanese Mancala 1 = a win of seat 0, -1 = a loss."""
    if state.over:
        a, b = state.places if state.settings.goal == "empty" else state.scores[::-1]
        return b - a
    key = state._replace(captured=0, extra=False, ply=0)
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
    given = [int(value) for value in row["move_values"].split()]  # the Japanese rows have none
    assert given == (values if given or not row["variant"].startswith("japanese") else [])
