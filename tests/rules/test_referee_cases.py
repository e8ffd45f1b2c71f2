"""Every Kalah referee game and every hand-worked edge case, through `Position`."""

from __future__ import annotations

from typing import Any

import pytest

from mancala_rl import Position, Rules, variant
from mancala_rl.errors import IllegalMoveError
from tests.cases import edge_cases, moves_of, options_of, read_lines, tuples

GAMES = read_lines("games_kalah.jsonl")
EDGES = edge_cases("kalah")
SOLVED_POSITIONS = read_lines("positions_kalah64.jsonl")


def rules_of_game(game: dict[str, Any]) -> Rules:
    settings = game["settings"]
    return variant("kalah").replace(pits=settings["pits"], stones=settings["stones"], **options_of(game))


def rules_of_edge(case: dict[str, Any]) -> Rules:
    """Rules for a hand-worked board; its stones may not be a multiple of the pits that any start gives."""
    pits = len(case["before"]["pits"][0])
    total = sum(map(sum, case["before"]["pits"])) + sum(case["before"]["stores"])
    assert total % (2 * pits) == 0, "an edge case whose total no uniform start has"
    return variant("kalah").replace(pits=pits, stones=total // (2 * pits), **options_of(case))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: f"game-{game['id']}")
def test_a_referee_game_is_replayed_board_by_board(game: dict[str, Any]) -> None:
    position = rules_of_game(game).start(first=game["settings"]["first"])
    assert (position.pits, position.stores) == (tuples(game["start"]["pits"]), tuple(game["start"]["stores"]))
    for ply, step in enumerate(game["steps"]):
        assert position.to_move == step["player"], f"ply {ply} in {position}"
        position = position.play(step["move"])
        seen = (position.pits, position.stores, position.to_move, position.captured, position.extra_turn)
        board = (tuples(step["pits"]), tuple(step["stores"]))
        assert seen == (*board, step["next"], step["captured"], step["extra"]), f"ply {ply}: now {position}"
    assert position.is_over
    assert position.scores == tuple(game["final"]["stores"])
    assert position.ranking == tuple(game["final"]["ranking"])
    assert position.ply == game["final"]["plies"]
    winner = position.returns.index(1.0) if 1.0 in position.returns else None
    assert winner == game["final"]["winner"]


@pytest.mark.parametrize("case", EDGES, ids=lambda case: case["name"])
def test_a_hand_worked_case_comes_out_as_worked(case: dict[str, Any]) -> None:
    before = case["before"]
    position = Position(rules_of_edge(case), before["pits"], before["stores"], before["turn"])
    if case["legal"] is not None:
        assert list(position.legal_moves) == case["legal"]
    if case["illegal"]:
        assert case["move"] not in position.legal_moves
        with pytest.raises(IllegalMoveError):
            position.play(case["move"])
        return
    for move in moves_of(case):
        position = position.play(move)
    assert (position.pits, position.stores) == (tuples(case["after"]["pits"]), tuple(case["after"]["stores"]))
    assert (position.to_move, position.is_over) == (case["next_player"], case["terminal"]), case["why"]
    if case["scores"] is not None:
        assert list(position.scores) == case["scores"], case["why"]


@pytest.mark.parametrize("case", SOLVED_POSITIONS[::10], ids=lambda case: str(case["pits"]).replace(" ", ""))
def test_the_legal_moves_of_the_solved_positions_are_those_with_a_value(case: dict[str, Any]) -> None:
    position = Position(variant("kalah"), case["pits"], case["stores"], case["to_move"])
    assert list(position.legal_moves) == [move for move, value in enumerate(case["move_values"]) if value is not None]
