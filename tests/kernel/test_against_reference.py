"""The kernel and `Position` against the oracle: whole random games on random records, boards and positions."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mancala_rl import Batch, Position, Rules
from mancala_rl.errors import IllegalMoveError
from mancala_rl.kernel import margin
from tests import reference
from tests.reference import PRESETS, State
from tests.twins import (
    draw_custom,
    draw_settings,
    draw_start,
    expected,
    longest,
    margin_of,
    position_of,
    random_game,
    rules_of,
    seen,
    settings_from,
    sown_cells,
    state_from,
    stones_of,
)

SEEDS = st.integers(0, 2**32 - 1)


def check_step(before: Position, state: State, move: int, after: State) -> Position:
    """Play a move in both and compare everything; the position after it."""
    position = before.play(move)
    where = f"move {move} of {before} under {before.rules}"
    assert seen(position) == expected(after), where
    assert position.trace == sown_cells(state, move), where
    assert stones_of(position) == position.rules.total, where
    assert margin(position.row[None], 0, position.rules.array) == margin_of(after), where
    check_turn(before, move, position)
    return position


def check_turn(before: Position, move: int, after: Position) -> None:
    """J1, J8, K5: an extra turn keeps the move, else it goes to the next seat that is not out."""
    assert not (after.extra_turn and after.is_over)
    if after.is_over:
        assert (after.to_move, after.legal_moves) == (None, ())
        return
    assert before.to_move is not None
    order = [(before.to_move + step) % after.rules.players for step in range(1, after.rules.players)]
    following = [seat for seat in order if after.places[seat] is None]
    assert after.to_move == (before.to_move if after.extra_turn else following[0])
    assert not after.extra_turn or after.trace[-1] % (after.rules.pits + 1) == after.rules.pits
    assert after.legal_moves


def check_end(position: Position) -> None:
    """A finite game ends within its bound; the rewards of a game that is over add up to nothing and follow places."""
    if not position.is_over:
        assert not position.rules.is_finite
        return
    assert not position.rules.is_finite or position.ply <= longest(position.rules)
    assert sum(position.returns) == pytest.approx(0)
    assert position.ranking is not None
    best = max(position.returns)
    assert [value == best for value in position.returns] == [place == 1 for place in position.ranking]


def check_game(position: Position, state: State, seed: int) -> None:
    assert seen(position) == expected(state)
    for ply, (move, after) in enumerate(random_game(state, seed), start=1):
        before, position = position, check_step(position, state, move, after)
        assert position.ply == ply
        assert seen(before) == expected(state), f"move {move} changed {before}, from which it was played"
        state = after
    check_end(position)


@settings(max_examples=150, deadline=None)
@given(draw_start(), SEEDS)
def test_a_game_from_the_uniform_start_is_the_oracles_game(state: State, seed: int) -> None:
    check_game(rules_of(state.settings).start(first=state.settings.first), state, seed)


@settings(max_examples=250, deadline=None)
@given(draw_custom(), SEEDS)
def test_a_game_from_any_position_is_the_oracles_game(state: State, seed: int) -> None:
    check_game(position_of(state), state, seed)


def check_sampled(seed: int) -> None:
    """Play a game of random rules from the start they name: uniform, composed at random, or custom with closed pits."""
    rng = np.random.default_rng(seed)
    rules = Rules.sample(rng, pits=(1, 7), stones=(1, 7), finite=bool(rng.integers(10)))
    assert rules_of(settings_from(rules)) == dataclasses.replace(rules, start_position="uniform")
    position = rules.start(first=int(rng.choice(rules.starters)), seed=seed)
    check_game(position, state_from(position), seed)


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_a_game_of_sampled_rules_is_the_oracles_game(seed: int) -> None:
    check_sampled(seed)


@pytest.mark.slow
@settings(max_examples=2000, deadline=None)
@given(SEEDS)
def test_thousands_of_games_of_sampled_rules_are_the_oracles_games(seed: int) -> None:
    check_sampled(seed)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=300, deadline=None)
@given(st.data(), SEEDS)
def test_thousands_of_games_of_every_preset_and_its_neighbours(preset: str, data: st.DataObject, seed: int) -> None:
    custom = data.draw(draw_custom((preset,)))
    check_game(position_of(custom), custom, seed)


@pytest.mark.parametrize("preset", PRESETS)
def test_games_of_every_preset_as_it_stands_are_the_oracles_games(preset: str) -> None:
    for players in (2, 3, 4) if PRESETS[preset].goal == "empty" else (2,):
        chosen = PRESETS[preset]._replace(players=players)
        for seed in range(3):
            check_game(rules_of(chosen).start(), reference.start(chosen), seed)


@settings(max_examples=60, deadline=None)
@given(draw_settings(), SEEDS, st.integers(1, 8))
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
        check_batch(batch, [played[game][ply][1] for game in going])


def check_batch(batch: Batch, states: list[State]) -> None:
    """Compare what a batch says of all its games with the oracle, and a few of its positions in full."""
    assert batch.rows[:, : batch.rules.num_cells].clip(0).tolist() == [
        [n for row, store in zip(state.pits, state.stores, strict=True) for n in (*row, store)] for state in states
    ]
    assert batch.to_move.tolist() == [-1 if state.over else state.turn for state in states]
    assert batch.over.tolist() == [state.over for state in states]
    assert batch.ply.tolist() == [state.ply for state in states]
    assert batch.scores.tolist() == [list(state.scores) for state in states]
    assert batch.returns.ravel().tolist() == pytest.approx([v for state in states for v in reference.returns(state)])
    moves = [reference.legal(state) for state in states]
    assert batch.legal().tolist() == [[a in legal for a in range(batch.rules.num_actions)] for legal in moves]
    assert batch.legal_bits().tolist() == [sum(1 << move for move in legal) for legal in moves]
    assert seen(batch[0]) == expected(states[0])


@settings(max_examples=100, deadline=None)
@given(draw_custom())
def test_every_action_outside_the_legal_ones_is_refused(state: State) -> None:
    position = position_of(state)
    for action in {*range(-2, state.settings.pits + 3), 63, 64, 10**6} - set(reference.legal(state)):
        with pytest.raises(IllegalMoveError) as caught:
            position.play(action)
        assert str(position) in str(caught.value)
