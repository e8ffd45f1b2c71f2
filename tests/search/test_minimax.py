"""What `search.minimax` returns, and what it refuses."""

from __future__ import annotations

import dataclasses

import pytest

import mancala_rl as mrl
from mancala_rl.errors import BadInputError
from mancala_rl.search.workspace import Workspace
from tests.search.plain import random_positions
from tests.test_public_api import by_kind


def test_the_analysis_of_a_position_worked_out_by_hand() -> None:
    """Pit 0 captures 4 with its own stone: 6 against 2. Pit 2 brings one into the store: 2 against 2."""
    rules = mrl.variant("kalah:pits=3,stones=2")
    position = mrl.Position(rules, [(1, 0, 1), (2, 4, 1)], [1, 2])
    analysis = mrl.search.minimax(position, 1)
    assert analysis.values == (4, None, 0)
    assert (analysis.value, analysis.best_move, analysis.principal_variation) == (4, 0, (0,))
    assert (analysis.nodes, analysis.depth) == (4, 1)  # two for the values, two for the principal variation


def test_an_analysis_does_not_change() -> None:
    analysis = mrl.search.minimax(mrl.variant("kalah").start(), 2)
    with pytest.raises(dataclasses.FrozenInstanceError):
        analysis.value = 0  # type: ignore[misc]


def test_two_analyses_of_a_position_are_equal() -> None:
    for position in random_positions("kalah", 10):
        assert mrl.search.minimax(position, 9) == mrl.search.minimax(position, 9)


def test_a_search_deeper_than_the_game_plays_it_to_its_end() -> None:
    rules = mrl.variant("kalah:pits=2,stones=2")
    analysis = mrl.search.minimax(rules.start(), 1000)
    position = rules.start()
    for move in analysis.principal_variation:
        position = position.play(move)
    assert position.is_over
    assert position.scores[0] - position.scores[1] == analysis.value


def test_a_position_that_is_over_is_refused() -> None:
    over = mrl.Position(mrl.variant("kalah:pits=2,stones=1"), [(0, 0), (1, 0)], [2, 1])
    with pytest.raises(BadInputError, match="the game is over"):
        mrl.search.minimax(over, 3)


@pytest.mark.parametrize("depth", [0, -1, 1001, 2.0, True, "4", None])
def test_an_impossible_depth_is_refused(depth: object) -> None:
    with pytest.raises(BadInputError, match=r"depth=.*: expected a whole number of plies from 1 to 1000"):
        mrl.search.minimax(mrl.variant("kalah").start(), depth)  # type: ignore[arg-type]


def test_facts_for_a_learner_are_for_two_players() -> None:
    rules = mrl.Rules("ring", players=3, capture="none")
    with pytest.raises(BadInputError, match=r"minimax needs rules for two players, got custom:name=ring.* with 3"):
        Workspace(rules, 2)


def test_the_names_of_the_module_are_sorted() -> None:
    assert mrl.search.__all__ == sorted(mrl.search.__all__, key=by_kind)
    assert all(hasattr(mrl.search, name) for name in mrl.search.__all__)
