"""Parity with OpenSpiel's mancala and oware, move for move over thousands of random games.

OpenSpiel leaves the last stones in the pits, so final boards are compared by store + row. In its mancala an action
names a cell of the whole board, and it lets a player sow the opponent's pit: only legal moves are played here.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from mancala_rl import Position, Rules, variant
from tests.reference.state import Row, Rows

pyspiel = pytest.importorskip("pyspiel", reason="needs the extra `openspiel`")

Board = tuple[Rows, Row]


class Mancala:
    """OpenSpiel's Kalah(6,4): cell 0 is the store of seat 1, 1-6 the row of seat 0, 7 its store, 8-13 the other row."""

    def __init__(self) -> None:
        self.state = pyspiel.load_game("mancala").new_initial_state()

    def board(self) -> Board:
        cells = [int(value) for value in self.state.observation_tensor(0)[:14]]
        return (tuple(cells[1:7]), tuple(cells[8:14])), (cells[7], cells[0])

    def legal_moves(self) -> list[int]:
        return [action - 1 - 7 * self.state.current_player() for action in self.state.legal_actions()]

    def play(self, move: int) -> None:
        self.state.apply_action(move + 1 + 7 * self.state.current_player())


class Oware:
    """OpenSpiel's Oware: the houses of seat 0, of seat 1, then both scores, as parts of all seeds."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        sizes = {"num_houses_per_player": rules.pits, "num_seeds_per_house": rules.stones}
        self.state = pyspiel.load_game("oware", sizes).new_initial_state()

    def board(self) -> Board:
        m = self.rules.pits
        cells = [round(value * self.rules.total) for value in self.state.observation_tensor(0)]
        return (tuple(cells[:m]), tuple(cells[m : 2 * m])), (cells[-2], cells[-1])

    def legal_moves(self) -> list[int]:
        return self.state.legal_actions()

    def play(self, move: int) -> None:
        self.state.apply_action(move)


def check_game(position: Position, other: Any, rng: random.Random) -> int:
    """Play a random game on both sides to its end; how many moves that took."""
    while not position.is_over:
        assert not other.state.is_terminal(), f"OpenSpiel calls the game over in {position}"
        assert other.board() == (position.pits, position.stores)
        assert other.state.current_player() == position.to_move, f"{position}"
        assert other.legal_moves() == list(position.legal_moves), f"{position}"
        move = rng.choice(position.legal_moves)
        other.play(move)
        position = position.play(move)
    assert other.state.is_terminal(), f"OpenSpiel plays on in {position}"
    rows, stores = other.board()
    assert tuple(store + sum(row) for row, store in zip(rows, stores, strict=True)) == position.scores
    assert tuple(other.state.returns()) == position.returns
    return position.ply


def test_two_thousand_games_of_kalah_are_those_of_openspiel() -> None:
    moves = sum(check_game(variant("kalah").start(), Mancala(), random.Random(seed)) for seed in range(2000))
    assert moves > 2000 * 30


@pytest.mark.parametrize("pits, stones, games", [(6, 4, 1500), (4, 4, 500), (3, 3, 500), (6, 2, 500)])
def test_thousands_of_games_of_oware_are_those_of_openspiel(pits: int, stones: int, games: int) -> None:
    rules = variant(f"oware:pits={pits},stones={stones}")
    moves = sum(check_game(rules.start(), Oware(rules), random.Random(seed)) for seed in range(games))
    assert moves > games * 10
