"""Every referee game and every hand-worked edge case of the four founding games, through `Position`."""

from __future__ import annotations

from typing import Any

import pytest

from mancala_rl import Position, variant
from mancala_rl.errors import IllegalMoveError
from tests import reference
from tests.cases import EDGES, GAMES, action_of, moves_of, read_lines, state_of, tuples
from tests.twins import position_of, rules_of, stones_of

ALL_GAMES = [game for games in GAMES.values() for game in games]
SOLVED_POSITIONS = read_lines("positions_kalah64.jsonl")


def check_step(position: Position, step: dict[str, Any]) -> None:
    """Compare the position after a move with everything its step says."""
    assert (position.pits, position.stores) == (tuples(step["pits"]), tuple(step["stores"]))
    assert (position.to_move, position.extra_turn) == (step["next"], step["extra"])
    assert position.captured == step.get("captured", 0)
    assert position.lifted == step.get("lifted", 0)
    assert list(position.places) == step.get("places", [None] * position.rules.players)
    if "active" in step and not position.is_over:
        assert [place is None for place in position.places] == step["active"]
    if "finished" in step:  # by the mover, whose own side is empty then
        gave_up = step["move"] == "resign"
        assert step["finished"] == (not gave_up and not any(position.pits[step["player"]]))


def check_final(position: Position, game: dict[str, Any]) -> None:
    final = game["final"]
    assert position.is_over
    assert position.legal_moves == ()
    assert (position.ply, list(position.ranking or ())) == (final["plies"], final["ranking"])
    assert position.truncated == (game["steps"][-1].get("why") == "cap")
    if "returns" in final:
        assert list(position.returns) == pytest.approx(final["returns"])
        assert [sum(row) for row in position.pits] == final["stones_left"]
        assert position.lifted == final["lifted"]
    else:
        assert list(position.scores) == final["stores"]
        assert (position.returns.index(1.0) if 1.0 in position.returns else None) == final["winner"]


@pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: f"{game['variant']}-{game['id']}")
def test_a_referee_game_is_replayed_board_by_board(game: dict[str, Any]) -> None:
    start = state_of(game, game["start"])
    position = position_of(start)
    if not start.closed:
        assert position == rules_of(start.settings).start(first=start.settings.first)
    for ply, step in enumerate(game["steps"]):
        move = action_of(start, step["move"])
        assert (position.to_move, move in position.legal_moves) == (step["player"], True), f"ply {ply} in {position}"
        position = position.play(move)
        check_step(position, step)
        assert stones_of(position) == game["settings"]["total"]
    check_final(position, game)


@pytest.mark.parametrize("case", EDGES, ids=lambda case: f"{case['variant']}: {case['name']}")
def test_a_hand_worked_case_comes_out_as_worked(case: dict[str, Any]) -> None:
    before = state_of(case, case["before"])
    position = position_of(before)
    if case["legal"] is not None:
        assert list(position.legal_moves) == case["legal"]
    if case["illegal"]:
        assert case["move"] not in position.legal_moves
        with pytest.raises(IllegalMoveError):
            position.play(case["move"])
        return
    for move in moves_of(case):
        position = position.play(action_of(before, move))
        assert stones_of(position) == reference.total(before)
    check_after(position, case)


def check_after(position: Position, case: dict[str, Any]) -> None:
    after = case["after"]
    assert (position.pits, position.stores) == (tuples(after["pits"]), tuple(after["stores"]))
    assert (position.to_move, position.is_over) == (case["next_player"], case["terminal"]), case["why"]
    assert position.lifted == after.get("lifted", case["before"].get("lifted", 0))
    if "places" in after:
        assert list(position.places) == after["places"]
    if case["scores"] is not None:
        assert list(position.scores) == case["scores"], case["why"]
    if case["ranking"] is not None:
        assert list(position.ranking or ()) == case["ranking"], case["why"]


def test_the_cases_are_all_there() -> None:
    assert {name: len(games) for name, games in GAMES.items()} == dict.fromkeys(GAMES, 50)
    counts = {name: sum(case["variant"] == name for case in EDGES) for name in GAMES}
    assert counts == {"kalah": 13, "mangala": 15, "japanese": 15, "oware": 15}
    assert any(state_of(game, game["start"]).closed for game in GAMES["mangala"])


@pytest.mark.parametrize("case", SOLVED_POSITIONS[::10], ids=lambda case: str(case["pits"]).replace(" ", ""))
def test_the_legal_moves_of_the_solved_positions_are_those_with_a_value(case: dict[str, Any]) -> None:
    position = Position(variant("kalah"), case["pits"], case["stores"], case["to_move"])
    assert list(position.legal_moves) == [move for move, value in enumerate(case["move_values"]) if value is not None]
