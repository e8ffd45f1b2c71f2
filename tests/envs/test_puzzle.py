"""The environment of puzzles: what comes up, what success is, and that the defence gives nothing back."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from stable_baselines3.common.env_checker import check_env as sb3_check_env

from mancala_rl import variant
from mancala_rl.envs.puzzle import NO_VALUE, PuzzleEnv
from mancala_rl.envs.single import MancalaEnv
from mancala_rl.errors import BadInputError, CallOrderError, PositionError, RulesError
from mancala_rl.study.contest import contest_at
from mancala_rl.study.exact import exact_for
from mancala_rl.study.puzzles import numbered_puzzle, puzzles, seed_of_day
from tests.cases import at

SMALL = "kalah:pits=4,stones=3"
LOST = "1,1,2,0+6/0,1,0,1+12 0"


def made(**options: Any) -> PuzzleEnv:
    return PuzzleEnv(SMALL, **{"puzzles": 6, **options})


def play(env: PuzzleEnv, choose: Any) -> list[tuple[Any, ...]]:
    """Play the episode to its end; `choose(env, info)` returns an action."""
    info, steps = env._info(), []
    while not steps or not (steps[-1][2] or steps[-1][3]):
        steps.append(env.step(choose(env, info)))
        info = steps[-1][4]
    return steps


def perfectly(env: PuzzleEnv, info: dict[str, Any]) -> int:
    return int(info["optimal_values"].argmax())


def badly(env: PuzzleEnv, info: dict[str, Any]) -> int:
    values = np.where(info["action_mask"] > 0, info["optimal_values"], np.iinfo(np.int32).max)
    return int(values.argmin())


# Conformance


@pytest.mark.parametrize("options", [{}, {"observation": "tactical"}, {"difficulty": 1, "puzzles": 1}], ids=str)
def test_gymnasium_and_stable_baselines_accept_it(options: dict[str, Any]) -> None:
    check_env(gymnasium.make("mancala/KalahPuzzle-v0", rules=SMALL, **options).unwrapped)
    sb3_check_env(made(**options))


def test_the_registered_one_is_kalah_and_many_step_together() -> None:
    env = gymnasium.make("mancala/KalahPuzzle-v0")
    observation, info = env.reset(seed=0)
    assert (
        env.observation_space == MancalaEnv("kalah").observation_space and env.action_space == MancalaEnv().action_space
    )
    assert env.observation_space.contains(observation) and info["optimal_value"] > 0
    envs = gymnasium.make_vec("mancala/KalahPuzzle-v0", num_envs=2, vectorization_mode="sync", rules=SMALL)
    _, infos = envs.reset(seed=0)
    assert infos["optimal_values"].shape == (2, 4) and infos["optimal_values"].dtype == np.float32
    for _ in range(20):
        _, rewards, _, _, infos = envs.step(infos["optimal_values"].argmax(axis=1))
        assert set(rewards) <= {0, 1}
    envs.close()


# What comes up


def test_every_episode_is_a_puzzle_of_the_pool_and_the_learner_begins() -> None:
    env, pool = made(), [numbered_puzzle(SMALL, 0, number).position for number in range(6)]
    met = set()
    for seed in range(40):
        _, info = env.reset(seed=seed)
        assert env.position in pool
        assert env.position.to_move == info["seat"]
        assert (info["target"], info["is_success"], info["ply"]) == (1, False, env.position.ply)
        met.add(env.position)
    assert met == set(pool)


def test_a_seed_fixes_the_puzzles_that_follow() -> None:
    def starts(seed: int) -> list[str]:
        env = made()
        return [env.reset(seed=seed if n == 0 else None)[0].tolist() for n in range(8)]

    assert starts(3) == starts(3)
    assert len({str(starts(seed)) for seed in range(5)}) == 5


def test_another_seed_of_puzzles_is_another_pool() -> None:
    met: list[set[Any]] = [set(), set()]
    for puzzle_seed, positions in enumerate(met):
        env = made(puzzle_seed=puzzle_seed)
        for seed in range(10):
            env.reset(seed=seed)
            positions.add(env.position)
    assert not met[0] & met[1]


def test_a_day_and_a_position_can_be_asked_for() -> None:
    env = made()
    env.reset(options={"date": "2026-12-01"})
    assert env.position == puzzles(SMALL, 1, seed_of_day("2026-12-01"))[0].position
    for position in (LOST, at("kalah", LOST)):
        _, info = env.reset(options={"puzzle": position})
        assert str(env.position) == LOST
        assert info["seat"] == 0
    env.reset(seed=1)
    assert env.target == 1


# Success


def test_perfect_play_succeeds_and_is_told_what_moves_are_worth() -> None:
    env = made()
    for seed in range(12):
        _, info = env.reset(seed=seed)
        start = env.position

        def choose(env: PuzzleEnv, info: dict[str, Any], start: Any = start) -> int:
            values = exact_for(env.rules).values(env.position)
            told = {action: v for action, v in enumerate(info["optimal_values"].tolist()) if v != NO_VALUE}
            assert told == values and info["optimal_value"] == max(values.values())
            cost = info["optimal_value"] - info["optimal_values"]
            assert cost.min() == 0 and (np.isinf(cost) == (info["action_mask"] == 0)).all()
            assert env.position.to_move == start.to_move
            return perfectly(env, info)

        best = info["optimal_value"]
        *before, last = play(env, choose)
        assert all(reward == 0 and not step_info["is_success"] for _, reward, _, _, step_info in before)
        _, reward, terminated, truncated, info = last
        assert (reward, terminated, truncated, info["is_success"]) == (1, True, False, True)
        assert info["optimal_value"] == best
        assert (info["optimal_values"] == NO_VALUE).all()


def test_a_win_that_is_let_go_does_not_come_back() -> None:
    env = made()
    for seed in range(12):
        _, info = env.reset(seed=seed)
        wrong = [a for a, v in enumerate(info["optimal_values"].tolist()) if NO_VALUE < v <= 0]
        *_, info = env.step(wrong[0])
        if info["optimal_values"].max() > NO_VALUE:
            _, reward, _, _, info = play(env, perfectly)[-1]
            assert reward == 0
        assert not info["is_success"]


def test_the_defence_is_the_one_of_the_puzzles() -> None:
    env = made()
    env.reset(seed=2)
    contest, position = contest_at(env.position), env.position
    while not position.is_over:
        action = contest.move(position)
        env.step(action)
        position = position.play(action)
        while not position.is_over and position.to_move != contest.solver:
            position = position.play(contest.move(position))
        assert env.position == position


def test_where_no_win_is_left_the_best_margin_is_success() -> None:
    env = made()
    _, info = env.reset(options={"puzzle": LOST})
    assert info["target"] == info["optimal_value"] < 0
    assert play(env, perfectly)[-1][1] == 1
    env.reset(options={"puzzle": LOST})
    *_, (_, reward, _, _, info) = play(env, badly)
    assert (reward, info["is_success"]) == (0, False)


@pytest.mark.parametrize("spec", ["japanese:pits=4,stones=3", "mangala_official:pits=4,stones=3"])
def test_other_games_have_puzzles_too(spec: str) -> None:
    env = PuzzleEnv(spec, puzzles=2)
    env.reset(seed=0)
    assert play(env, perfectly)[-1][1] == 1
    env.reset(seed=0)
    assert play(env, badly)[-1][1] == 0


def test_an_illegal_move_is_no_success() -> None:
    env = made()
    env.reset(options={"puzzle": "0,0,2,1+9/0,1,1,0+10 0"})
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated, info["is_success"], info["illegal_move"]) == (0, True, False, True)


# States, copies, pictures


def test_a_state_can_be_written_down_and_gone_on_from() -> None:
    env, other = made(), made()
    env.reset(options={"puzzle": LOST})
    state = json.loads(json.dumps(env.get_state()))
    other.reset(seed=0)
    other.set_state(state)
    for each in (env, other, pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
        assert each.target == env.target
        assert [step[1] for step in play(each, perfectly)][-1] == 1
    following = []
    for each in (env, other):
        each.set_state(state)
        following.append([each.reset()[0].tolist() for _ in range(3)])
    assert following[0] == following[1]


@pytest.mark.parametrize("state", [{}, {"target": 1}, {"target": "much"}])
def test_what_is_no_state_is_refused(state: dict[str, Any]) -> None:
    env = made()
    env.reset(seed=0)
    before = env.get_state()
    with pytest.raises(BadInputError, match=r"target|expected a state"):
        env.set_state({**before, **state} if state.get("target") == "much" else state)
    assert env.get_state() == before


@pytest.mark.parametrize("mode", ["ansi", "svg", "rgb_array"])
def test_it_can_be_drawn(mode: Any) -> None:
    env = made(render_mode=mode)
    env.reset(seed=0)
    picture = env.render()
    assert picture is not None
    if mode == "ansi":
        assert "learner" in picture and "perfect defence" in picture


# Bad input


@pytest.mark.parametrize(
    "options, error, message",
    [
        ({"rules": "oware"}, BadInputError, "expected rules with repetition=0"),
        ({"rules": "japanese:players=3"}, BadInputError, "two players"),
        ({"rules": "japanese:resign=true"}, BadInputError, "resign=false"),
        ({"rules": "go"}, RulesError, "unknown variant 'go'"),
        ({"puzzle": 5}, RulesError, "did you mean 'puzzles'"),
        ({"opponent": "greedy"}, RulesError, "no option 'opponent'"),
        ({"puzzles": 0}, BadInputError, "puzzles=0"),
        ({"puzzle_seed": -1}, BadInputError, "puzzle_seed=-1"),
        ({"difficulty": 0}, BadInputError, "difficulty=0"),
        ({"observation": "planes"}, BadInputError, "observation='planes'"),
        ({"render_mode": "pdf"}, BadInputError, "render_mode='pdf'"),
    ],
    ids=str,
)
def test_a_wrong_argument_is_named(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        PuzzleEnv(**options)


@pytest.mark.parametrize(
    "options, error, message",
    [
        ({"date": "2026-13-01"}, BadInputError, "expected a day as in 2026-12-01"),
        ({"date": "2026-12-01", "puzzle": LOST}, BadInputError, "exclude each other"),
        ({"puzzle": "4,4+0/4,4+0 0"}, PositionError, "expected 4 pits"),
        ({"puzzle": 3}, PositionError, "position=3"),
        ({"puzzle": "0,0,0,0+12/0,0,0,0+12 -"}, PositionError, "the game is over"),
        (["date"], BadInputError, "expected a dictionary"),
    ],
    ids=str,
)
def test_a_wrong_reset_option_is_named_and_changes_nothing(options: Any, error: Any, message: str) -> None:
    env = made()
    env.reset(seed=0)
    before = env.get_state()
    with pytest.raises(error, match=message):
        env.reset(seed=1, options=options)
    assert env.get_state() == before


def test_a_position_with_too_many_stones_is_refused() -> None:
    with pytest.raises(BadInputError, match="48 stones in the pits; expected at most 24"):
        PuzzleEnv("kalah").reset(options={"puzzle": variant("kalah").start()})


def test_calls_need_a_reset() -> None:
    with pytest.raises(CallOrderError, match=r"call reset\(\) first"):
        made().step(0)
