"""The kernel and `Position` against the oracle: whole random games on random boards, options and positions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mancala_rl import Batch, Position
from mancala_rl.errors import IllegalMoveError
from mancala_rl.kernel import margin
from tests import reference
from tests.twins import (
    draw_custom,
    draw_settings,
    draw_start,
    expected,
    position_of,
    random_game,
    rules_of,
    seen,
    sown_cells,
)

SEEDS = st.integers(0, 2**32 - 1)


def check_game(position: Position, state: reference.State, seed: int) -> None:
    assert seen(position) == expected(state)
    for ply, (move, after) in enumerate(random_game(state, seed), start=1):
        before, position = position, position.play(move)
        where = f"move {move} of ply {ply} in {before} of {position.rules}"
        assert seen(position) == expected(after), where
        assert position.ply == ply, where
        assert position.trace == sown_cells(state, move), where
        assert sum(map(sum, position.pits)) + sum(position.stores) == position.rules.total, where
        assert margin(position.row[None], 0, position.rules.array) == after.scores[0] - after.scores[1], where
        assert seen(before) == expected(state), f"{where} changed the position it was played from"
        state = after
    assert position.is_over


@settings(max_examples=250, deadline=None)
@given(draw_start(), SEEDS)
def test_a_game_from_the_uniform_start_is_the_oracles_game(state: reference.State, seed: int) -> None:
    check_game(rules_of(state.settings).start(first=state.settings.first), state, seed)


@settings(max_examples=400, deadline=None)
@given(draw_custom(), SEEDS)
def test_a_game_from_any_position_is_the_oracles_game(state: reference.State, seed: int) -> None:
    check_game(position_of(state), state, seed)


@settings(max_examples=100, deadline=None)
@given(draw_settings(), SEEDS, st.integers(1, 12))
def test_a_batch_plays_every_one_of_its_games_as_the_oracle_does(
    chosen: reference.Settings, seed: int, games: int
) -> None:
    rules = rules_of(chosen)
    played = [random_game(reference.start(chosen), seed + game) for game in range(games)]
    batch = Batch.start(rules, games, first=chosen.first)
    going = np.arange(games)
    for ply in range(max(map(len, played))):
        alive = [game for game in going if ply < len(played[game])]
        batch = batch.select([game in alive for game in going])
        going = np.array(alive)
        batch.play([played[game][ply][0] for game in going])
        after = [played[game][ply][1] for game in going]
        assert [seen(position) for position in batch] == [expected(state) for state in after]
        assert batch.to_move.tolist() == [-1 if state.over else state.turn for state in after]
        assert batch.over.tolist() == [state.over for state in after]
        assert batch.scores.tolist() == [list(state.scores) for state in after]
        assert batch.returns.tolist() == [list(expected(state)["returns"]) for state in after]
        legal = [[move in reference.legal(state) for move in range(rules.num_actions)] for state in after]
        assert batch.legal().tolist() == legal
        assert batch.legal_bits().tolist() == [sum(1 << move for move in reference.legal(state)) for state in after]


@settings(max_examples=100, deadline=None)
@given(draw_custom())
def test_every_action_outside_the_legal_ones_is_refused(state: reference.State) -> None:
    position = position_of(state)
    for action in {*range(-2, state.settings.pits + 3), 63, 64, 10**6} - set(reference.legal(state)):
        with pytest.raises(IllegalMoveError) as caught:
            position.play(action)
        assert str(position) in str(caught.value)
