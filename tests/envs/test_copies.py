"""Copies, pickles and states of environments, taken at any moment: they go on independently and in the same way."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from pettingzoo.utils import wrappers

from mancala_rl import kalah_v0
from mancala_rl.envs.single import MancalaEnv
from mancala_rl.errors import BadInputError, PositionError, RulesError
from tests.envs.copies import every_way, plain

AEC_OPTIONS = [
    {},
    {"pie": True, "observation": "tactical", "first": "random", "start_position": "random"},
    {"pits": 3, "stones": 2, "reward": "margin", "illegal": "raise", "render_mode": "ansi"},
]
SINGLE_OPTIONS = [
    {},
    {"opponent": "greedy", "opening_plies": (0, 6), "observation": "tactical", "first": "random"},
    {"pits": 3, "stones": 2, "seat": 1, "reward": "margin", "render_mode": "ansi"},
]


def aec_view(env):
    """Everything an AEC environment shows."""
    shown = {name: getattr(env, name) for name in ("agents", "rewards", "terminations", "truncations", "infos")}
    seen = [env.observe(agent) for agent in env.possible_agents]
    last = env.last() if env.agents else None
    return plain(
        [shown, seen, last, env.agent_selection if env.agents else None, str(env.position), env.position.trace]
    )


def aec_transcript(env, episodes=3):
    """What is shown from here to the end of some episodes, with moves that only depend on what is shown."""
    views = []
    for _ in range(episodes):
        while env.agents:
            views.append(aec_view(env))
            observation, _, terminated, _, _ = env.last()
            legal = np.flatnonzero(observation["action_mask"])
            env.step(None if terminated else int(legal[len(views) % len(legal)]))
        env.reset()
    return views


def aec_at(make, plies, end):
    env = make()
    env.reset(seed=3)
    for ply in range(plies):
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        env.step(int(legal[ply % len(legal)]))
    while end == "illegal" and env.last()[0]["action_mask"].all():
        env.step(0)
    if end == "illegal" and env.illegal == "lose":
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    if end == "one dead":
        while not any(env.terminations.values()):
            env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
        env.step(None)
    return env


@pytest.mark.parametrize("plies, end", [(0, ""), (1, ""), (5, ""), (5, "illegal"), (5, "one dead")])
@pytest.mark.parametrize("options", AEC_OPTIONS, ids=str)
@every_way
def test_a_copy_of_the_aec_environment_goes_on_alike_and_alone(way, options, plies, end):
    def make():
        return kalah_v0.env(**options)

    env, untouched = aec_at(make, plies, end), aec_at(make, plies, end)
    before = aec_view(env)
    other = way(env, make)
    assert aec_view(other) == before
    later = aec_transcript(other)
    assert aec_view(env) == before, "the copy's moves must not show in the original"
    assert aec_transcript(env) == later == aec_transcript(untouched)


def test_a_wrapped_environment_can_be_copied():
    env = wrappers.OrderEnforcingWrapper(kalah_v0.raw_env())
    env.reset(seed=0)
    env.step(2)
    other = copy.deepcopy(env.unwrapped)
    other.step(0)
    assert env.agent_selection == "player_0"
    assert other.agent_selection == "player_1"


def single_at(make, steps, end):
    env = make()
    env.reset(seed=5)
    for step in range(steps):
        legal = np.flatnonzero(env.action_masks())
        if len(legal):
            env.step(int(legal[step % len(legal)]))
    while end == "illegal" and env.action_masks().all():
        env.step(0)
    if end == "illegal" and env.action_masks().any():
        env.step(int(np.flatnonzero(~env.action_masks())[0]))
    return env


def single_view(env):
    return plain([str(env.position), env.action_masks(), env.get_state(), env.render() if env.render_mode else None])


def single_transcript(env, episodes=3):
    views = [single_view(env)]
    for _ in range(episodes):
        while env.action_masks().any():
            legal = np.flatnonzero(env.action_masks())
            views.append(plain(env.step(int(legal[len(views) % len(legal)]))))
        views.append(plain(env.reset()))
    return views


@pytest.mark.parametrize("steps, end", [(0, ""), (2, ""), (1, "illegal")])
@pytest.mark.parametrize("options", SINGLE_OPTIONS, ids=str)
@every_way
def test_a_copy_of_the_single_agent_environment_goes_on_alike_and_alone(way, options, steps, end):
    def make():
        return MancalaEnv(**options)

    env, untouched = single_at(make, steps, end), single_at(make, steps, end)
    before = single_view(env)
    other = way(env, make)
    assert single_view(other) == before
    later = single_transcript(other)
    assert single_view(env) == before, "the copy's moves must not show in the original"
    assert single_transcript(env) == later == single_transcript(untouched)


def test_copies_work_before_the_first_reset():
    for env in (kalah_v0.env(), MancalaEnv()):
        for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            other.reset(seed=1)
            assert other.position.ply == 0 or isinstance(other, MancalaEnv)
        with pytest.raises(BadInputError, match="before reset"):
            env.get_state()


@pytest.mark.parametrize("make", [kalah_v0.env, MancalaEnv], ids=["AEC", "single"])
def test_a_state_of_something_else_is_refused_and_changes_nothing(make):
    env, other = make(), make(stones=3)
    env.reset(seed=0)
    other.reset(seed=0)
    before = env.get_state()
    with pytest.raises(RulesError, match="expected a state under the rules kalah, got one under kalah:stones=3"):
        env.set_state(other.get_state())
    with pytest.raises(BadInputError, match=r"expected a state from get_state\(\) with the keys game"):
        env.set_state({"game": before["game"]})
    with pytest.raises(BadInputError, match=r"expected a state from get_state\(\).*got list"):
        env.set_state([])
    more, short = copy.deepcopy(before), copy.deepcopy(before)
    more["game"]["rows"][0][0] += 1
    short["game"]["rows"] = [[1, 2]]
    with pytest.raises(PositionError, match="expected a state with 48 stones"):
        env.set_state(more)
    with pytest.raises(PositionError, match="expected a state with rows"):
        env.set_state(short)
    assert env.get_state() == before


def test_an_opponent_given_as_an_object_is_part_of_a_pickle():
    from mancala_rl import make_agent, variant

    env = MancalaEnv(opponent=make_agent("greedy", variant("kalah")))
    env.reset(seed=0)
    assert pickle.loads(pickle.dumps(env)).opponent.name == "greedy"


def test_the_environment_made_by_gymnasium_can_be_copied():
    env = gymnasium.make("mancala/Kalah-v0", opponent="greedy")
    env.reset(seed=0)
    other = copy.deepcopy(env)
    legal = int(np.flatnonzero(env.get_wrapper_attr("action_masks")())[0])
    assert plain(env.step(legal)) == plain(other.step(legal))
