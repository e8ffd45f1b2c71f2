"""The single-agent environment for other variants than Kalah, and with two or three opponents."""

import copy
import json
import pickle

import numpy as np
import pytest

from mancala_rl import VARIANTS, Batch, make_agent, variant
from mancala_rl.agent import turn_seeds
from mancala_rl.envs.single import MancalaEnv
from mancala_rl.errors import AgentError, BadInputError, PositionError
from tests.envs.replay import Hashed, seen, worth

SPECS = [f"{name}:pits=3,stones=2" for name in VARIANTS] + [
    "japanese:pits=3,stones=2,resign=true",
    "japanese:players=3,pits=3,stones=2",
    "japanese:players=4,pits=2,stones=2,resign=true",
    "japanese:players=3,pits=3,stones=2,play_out=false",
    "japanese:players=4,pits=2,stones=2,max_plies=12",
    "oware:pits=3,stones=3,max_plies=9",
]
FOUR = "japanese:players=4,pits=2,stones=2"


def opponents_of(rules):
    return [Hashed(rules, salt) for salt in range(rules.players - 1)]


def after_replies(env, position, action, opponents):
    """The position after a move and the replies, played move by move on `Position`."""
    seat, seed = env.get_state()["seat"], env.get_state()["game_seed"]
    position = position.play(action)
    while position.to_move not in (None, seat) and position.places[seat] is None:
        opponent = opponents[(position.to_move - seat - 1) % position.rules.players]
        seeds = turn_seeds(np.array([seed]), np.array([position.ply]))
        position = position.play(int(opponent.act(Batch.of([position]), seeds)[0]))
    return position


@pytest.mark.parametrize("spec", SPECS)
def test_a_step_is_the_learners_move_and_the_opponents_replies(spec):
    rules, rng, seats, early = variant(spec), np.random.default_rng(0), set(), 0
    opponents = opponents_of(rules)
    env = MancalaEnv(rules, opponent=opponents, observation="tactical")
    for episode in range(16):
        env.reset(seed=episode)
        seat = env.get_state()["seat"]
        seats.add(seat)
        terminated = truncated = False
        while not (terminated or truncated):
            action = int(rng.choice(np.flatnonzero(env.action_masks())))
            position = after_replies(env, env.position, action, opponents)
            observation, reward, terminated, truncated, info = env.step(action)
            assert env.position == position
            assert observation.tolist() == seen(position, seat, "tactical")
            is_out = rules.players > 2 and position.places[seat] is not None
            assert terminated == (is_out or (position.is_over and not position.truncated))
            assert truncated == (position.truncated and not is_out)
            if not (truncated and rules.players > 2):
                assert reward == pytest.approx(worth(position, seat, "outcome"))
            legal = () if terminated or truncated else position.legal_moves
            assert tuple(np.flatnonzero(env.action_masks())) == legal == tuple(np.flatnonzero(info["action_mask"]))
            early += is_out and not position.is_over
    assert seats == set(range(rules.players))
    assert early or rules.players == 2 or not rules.play_out or rules.max_plies


def test_the_episode_ends_when_the_learner_is_out():
    env = MancalaEnv("japanese:players=3,pits=2,stones=1", seat=0)
    env.reset(seed=0, options={"position": "0,1+0/1,1+1/1,1+0 0"})
    observation, reward, terminated, truncated, info = env.step(1)
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert not env.position.is_over
    assert observation[:3].tolist() == [-1, -1, -1]
    assert not env.action_masks().any() and not info["action_mask"].any()
    with pytest.raises(BadInputError, match="after the end of the game"):
        env.step(0)


def test_giving_up_ends_the_episode_with_the_worst_place():
    env = MancalaEnv("japanese:players=3,resign=true", seat=0, opponent="greedy")
    env.reset(seed=0)
    assert env.step(6)[1:4] == (-1.0, True, False)


def test_an_illegal_move_loses():
    env = MancalaEnv("japanese:players=3,pits=2,stones=1", seat=0)
    env.reset(seed=0, options={"position": "0,1+0/1,1+1/1,1+0 0"})
    *_, info = returned = env.step(0)
    assert returned[1:4] == (-1.0, True, False) and info["illegal_move"]


def test_one_opponent_plays_all_other_seats_or_each_has_its_own():
    env = MancalaEnv(FOUR, opponent="greedy")
    assert [agent.name for agent in env.opponents] == ["greedy"] * 3
    env = MancalaEnv(FOUR, opponent=["greedy", "uniform", make_agent("greedy", FOUR)], render_mode="ansi", seat=2)
    assert [agent.name for agent in env.opponents] == ["greedy", "uniform", "greedy"]
    assert env.opponent is env.opponents[0]
    env.reset(seed=0)
    assert "learner" in env.render()


@pytest.mark.parametrize(
    "options, error, message",
    [
        ({"opponent": ["greedy"]}, BadInputError, "a list with one for each of 3 other seats, got 1"),
        ({"opponent": []}, BadInputError, "got 0"),
        ({"opponent": ["greedy", "greddy", "uniform"]}, AgentError, "did you mean 'greedy'"),
        ({"opponent": "minimax:depth=0"}, BadInputError, "depth=0"),
        ({"seat": 4}, BadInputError, "seat=4: expected a seat from 0 to 3"),
        ({"first": 4}, BadInputError, "first=4"),
        ({"observation": "lookahead"}, BadInputError, "for two players"),
    ],
    ids=str,
)
def test_a_wrong_argument_is_named(options, error, message):
    with pytest.raises(error, match=message):
        MancalaEnv(FOUR, **options)


def test_a_learner_who_is_out_from_the_start_is_refused():
    env = MancalaEnv("japanese:players=3,pits=2,stones=1", seat=1)
    with pytest.raises(BadInputError, match="before the learner's first turn"):
        env.reset(seed=0, options={"position": "1,1+2/x,x+x/1,0+0 0 places=-,1,-"})
    with pytest.raises(PositionError, match="cannot start there"):
        env.reset(seed=0, options={"position": "0,0+2/x,x+x/1,0+0 - places=1,2,3"})


def test_random_openings_leave_the_learner_in_the_game():
    env = MancalaEnv("japanese:players=3,pits=2,stones=1", opening_plies=(3, 8))
    for seed in range(20):
        env.reset(seed=seed)
        assert env.position.to_move == env.get_state()["seat"]


def through_json(env):
    other = MancalaEnv(env.rules, opponent=["greedy", "uniform"][: env.rules.players - 1])
    other.set_state(json.loads(json.dumps(env.get_state())))
    return other


def transcript(env):
    views = [(str(env.position), env.action_masks().tolist())]
    for _ in range(2):
        while env.action_masks().any():
            legal = np.flatnonzero(env.action_masks())
            observation, *rest, info = env.step(int(legal[len(views) % len(legal)]))
            views.append((observation.tolist(), rest, str(env.position), info["action_mask"].tolist()))
        views.append(env.reset()[0].tolist())
    return views


@pytest.mark.parametrize("way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)), through_json])
@pytest.mark.parametrize(
    "spec", ["japanese:players=3,pits=2,stones=2", "oware:pits=3,stones=2", "toguz_korgool:pits=3"]
)
def test_a_copy_goes_on_alike(spec, way):
    rules = variant(spec)
    for steps in (0, 2, 30):
        env = MancalaEnv(rules, opponent=["greedy", "uniform"][: rules.players - 1])
        env.reset(seed=4)
        for _ in range(steps):
            if env.action_masks().any():
                env.step(int(np.flatnonzero(env.action_masks())[0]))
        other = way(env)
        assert transcript(other) == transcript(env)
