"""Kalah as a PettingZoo environment: conformance, and every promise of the class docstring."""

import json

import numpy as np
import pettingzoo
import pytest
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

from mancala_rl import Position, kalah_v0, variant
from mancala_rl.envs.observation import observe
from mancala_rl.errors import ActionError, BadInputError, CallOrderError, IllegalMoveError, PositionError, RulesError
from tests.envs.conformance import api_test, pettingzoo_names, seed_test
from tests.envs.copies import finish

A, B = "player_0", "player_1"
EXTRA_TURN, NO_EXTRA_TURN = 2, 0  # from the start of Kalah(6,4)
NEARLY_OVER = "0,0,0,0,0,1+20/1,1,0,0,0,5+20 0"  # pit 5 ends the game: 21 against 27


def standard_wrapping(**options):
    """The environment in the wrappers that PettingZoo's own games use."""
    env = wrappers.TerminateIllegalWrapper(kalah_v0.raw_env(**options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


def made(**options):
    return pettingzoo.make("aec", "mancala/kalah-v0", **options)


MAKERS = {"raw_env": kalah_v0.raw_env, "env": kalah_v0.env, "make": made, "standard wrapping": standard_wrapping}
every_maker = pytest.mark.parametrize("make", MAKERS.values(), ids=list(MAKERS))
own_makers = pytest.mark.parametrize("make", [kalah_v0.raw_env, made], ids=["raw_env", "make"])


def started(make=kalah_v0.env, seed=0, reset_options=None, **options):
    env = make(**options)
    env.reset(seed=seed, options=reset_options)
    return env


def play_random(env, rng, check=lambda: None):
    """Play the game to its end, calling `check` before every move, and return the moves."""
    moves = []
    for _ in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        check()
        if terminated or truncated:
            return moves
        moves.append(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
        env.step(moves[-1])
    return moves


# Conformance


@pytest.mark.parametrize("options", [{}, {"pits": 3, "stones": 2, "pie": True, "observation": "lookahead"}], ids=str)
@every_maker
def test_pettingzoo_api(make, options):
    api_test(make(**options), num_cycles=300)


test_pettingzoo_api.pytestmark += pettingzoo_names


@every_maker
def test_pettingzoo_seeds(make):
    seed_test(lambda: make(first="random", start_position="random"), num_cycles=100)


# Whose turn it is and what may be done


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"pits": 3, "stones": 2, "first": 1},
        {"pits": 4, "pie": True},
        {"pits": 1, "stones": 5},
        {"pits": 60, "stones": 1},
        {"end_check": "on_turn", "leftovers": "unscored"},
    ],
    ids=str,
)
@every_maker
def test_masks_observations_and_infos_follow_the_rules_at_every_step(make, options):
    env, rng = started(make, **options), np.random.default_rng(1)

    def check():
        position = env.unwrapped.position
        for seat, agent in enumerate(env.agents):
            is_selected = agent == env.agent_selection and not position.is_over
            legal = position.legal_moves if is_selected else ()
            seen = env.observe(agent)
            assert tuple(np.flatnonzero(seen["action_mask"])) == legal, position
            row = observe(position.row.reshape(1, -1), np.array([seat]), "counts", position.rules)[0]
            assert (seen["observation"] == row).all()
            info = dict(env.infos[agent])
            assert (info.pop("action_mask") == seen["action_mask"]).all()
            assert info == {
                "scores": position.scores,
                "extra_turn": position.extra_turn,
                "captured": position.captured,
                "decided": position.decided,
                "ply": position.ply,
            }
        if not position.is_over:
            assert env.agent_selection == f"player_{position.to_move}"

    for _ in range(5):
        play_random(env, rng, check)
        env.reset()


@pytest.mark.parametrize("make", [kalah_v0.env], ids=["env"])
def test_positions_follow_the_moves(make):
    env, position = started(make), variant("kalah").start()
    for move in play_random(env, np.random.default_rng(3)):
        position = position.play(move)
    assert env.position == position
    assert position.is_over


@every_maker
def test_an_extra_turn_keeps_the_agent_selected(make):
    env = started(make)
    env.step(EXTRA_TURN)
    assert env.agent_selection == A
    assert env.infos[A]["extra_turn"]
    assert env.observe(A)["action_mask"].tolist() == [1, 1, 0, 1, 1, 1]
    assert env.observe(B)["action_mask"].tolist() == [0] * 6
    env.step(NO_EXTRA_TURN)
    assert env.agent_selection == B
    assert not env.infos[A]["extra_turn"]


def test_both_agents_see_the_board_from_their_own_side():
    env = started(reset_options={"position": "1,2,3,4,5,6+0/7,8,9,0,0,1+2 1"})
    assert env.observe(A)["observation"].tolist() == [1, 2, 3, 4, 5, 6, 0, 7, 8, 9, 0, 0, 1, 2]
    assert env.observe(B)["observation"].tolist() == [7, 8, 9, 0, 0, 1, 2, 1, 2, 3, 4, 5, 6, 0]
    assert env.observe(B)["action_mask"].tolist() == [1, 1, 1, 0, 0, 1]
    assert env.observe(A)["action_mask"].tolist() == [0] * 6


def test_observing_changes_nothing_and_what_was_seen_stays():
    env = started()
    state, seen = json.dumps(env.get_state()), env.observe(A)
    for agent in (A, B, B, A):
        env.observe(agent)["observation"][:] = -1
        env.last()
    assert json.dumps(env.get_state()) == state
    kept = {key: value.copy() for key, value in seen.items()}
    env.step(NO_EXTRA_TURN)
    assert all((seen[key] == kept[key]).all() for key in seen)
    with pytest.raises(ValueError, match="read-only"):
        seen["action_mask"][0] = 0


# Rewards and the end


@pytest.mark.parametrize(
    "reward, worth", [("outcome", lambda p: p.returns[0]), ("margin", lambda p: (p.scores[0] - p.scores[1]) / 48)]
)
@every_maker
def test_rewards_come_once_and_are_zero_sum(make, reward, worth):
    env, rng = started(make, reward=reward), np.random.default_rng(5)
    for _ in range(10):
        sums = dict.fromkeys([A, B], 0.0)

        def add(sums=sums):
            for agent, value in env.rewards.items():
                sums[agent] += value

        play_random(env, rng, add)
        position = env.unwrapped.position
        assert env.terminations == {A: True, B: True}
        assert env.truncations == {A: False, B: False}
        assert sums[A] == pytest.approx(worth(position))
        assert finish(env) == pytest.approx({A: worth(position), B: -worth(position)})
        assert env.agents == []
        env.reset()


def test_the_last_move_sweeps_and_ends_the_game_for_both():
    env = started(reset_options={"position": NEARLY_OVER}, reward="margin")
    env.step(5)
    assert env.infos[B]["scores"] == (21, 27)
    assert env.infos[B]["decided"]
    assert env.rewards == {A: -6 / 48, B: 6 / 48}
    assert env.observe(env.agent_selection)["action_mask"].sum() == 0


@every_maker
def test_a_dead_agent_takes_none_only_and_leaves(make):
    env = started(make, reset_options={"position": NEARLY_OVER})
    env.step(5)
    with pytest.raises((ValueError, AssertionError)):
        env.step(0)
    first = env.agent_selection
    env.step(None)
    assert env.agents == [agent for agent in (A, B) if agent != first]
    assert set(env.rewards) == set(env.terminations) == set(env.infos) == set(env.agents)
    assert env.rewards[env.agent_selection] == 0
    env.step(None)
    assert env.agents == []
    assert env.num_agents == 0
    assert list(env.agent_iter()) == []


@every_maker
def test_a_step_with_no_agent_left_only_warns(make, capsys):
    env = started(make, reset_options={"position": NEARLY_OVER})
    env.step(5)
    finish(env)
    EnvLogger.flush()
    env.step(None)
    assert any("Should reset() first" in message for message in EnvLogger.mqueue)
    EnvLogger.flush()


# Illegal moves


@pytest.mark.parametrize("reward", ["outcome", "margin"])
@pytest.mark.parametrize("before", [[], [NO_EXTRA_TURN], [EXTRA_TURN]], ids=str)
@own_makers
def test_an_illegal_move_loses_and_the_next_game_is_clean(make, before, reward):
    env = started(make, reward=reward, reset_options={"position": "0,0,3,4,4,5+8/0,4,4,4,4,4+4 0"})
    for move in before:
        env.step(move + 2 * (move == NO_EXTRA_TURN))
    loser = env.agent_selection
    winner = B if loser == A else A
    board, info = env.position, env.last()[-1]
    env.step(int(np.flatnonzero(env.observe(loser)["action_mask"] == 0)[0]))
    assert info["action_mask"].any(), "an info that was returned stays as it was"
    assert env.rewards == {loser: -1, winner: 1}
    assert env.terminations == {A: True, B: True}
    assert env.truncations == {A: False, B: False}
    assert all(env.infos[agent]["illegal_move"] for agent in (A, B))
    assert all(env.observe(agent)["action_mask"].sum() == 0 for agent in (A, B))
    assert all(env.infos[agent]["action_mask"].sum() == 0 for agent in (A, B))
    assert env.position == board
    assert finish(env) == {loser: -1, winner: 1}

    env.reset()
    assert env.agent_selection == A
    assert env.agents == [A, B]
    assert env.rewards == {A: 0, B: 0}
    assert env.terminations == {A: False, B: False}
    assert "illegal_move" not in env.infos[A]
    assert env.observe(A)["action_mask"].tolist() == [1] * 6
    assert env.position == variant("kalah").start()


def test_after_a_loss_by_an_illegal_move_the_seat_that_starts_is_right():
    env = started(first=1)
    assert env.agent_selection == B
    env.step(EXTRA_TURN)
    env.step(EXTRA_TURN)  # empty now
    assert env.rewards == {A: 1, B: -1}
    env.reset()
    assert env.agent_selection == B


def test_raise_refuses_an_illegal_move_and_changes_nothing():
    env = started(illegal="raise")
    env.step(EXTRA_TURN)
    state = json.dumps(env.get_state())
    with pytest.raises(IllegalMoveError, match="move 2 is illegal in 4,4,0,5,5,5"):
        env.step(EXTRA_TURN)
    assert json.dumps(env.get_state()) == state
    assert not any(env.terminations.values())
    env.step(NO_EXTRA_TURN)
    assert env.agent_selection == B


@pytest.mark.parametrize("action", [6, -1, 2.0, "2", None, np.array([1, 2])], ids=str)
@every_maker
def test_what_is_not_in_the_action_space_is_an_error_and_changes_nothing(make, action):
    env = started(make)
    with pytest.raises((AssertionError, TypeError)):
        env.step(action)
    assert env.unwrapped.position == variant("kalah").start()
    assert not any(env.terminations.values())
    if make in (kalah_v0.env, kalah_v0.raw_env, made):
        with pytest.raises(ActionError, match="expected a whole number from 0 to 5"):
            env.step(action)
    env.step(NO_EXTRA_TURN)
    assert env.agent_selection == B


def test_a_huge_action_is_refused_like_any_other():
    with pytest.raises(ActionError, match="expected a whole number from 0 to 5"):
        started().step(10**30)


@pytest.mark.parametrize("kind", [int, np.int8, np.int32, np.int64, np.uint8, np.array], ids=str)
def test_any_kind_of_whole_number_is_an_action(kind):
    env = started()
    env.step(kind(EXTRA_TURN))
    assert env.position == variant("kalah").start().play(EXTRA_TURN)


# Use out of order, as PettingZoo's own wrapper treats it


@pytest.mark.parametrize(
    "name", ["agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents"]
)
@every_maker
def test_attributes_need_a_reset(make, name):
    env = make()
    with pytest.raises(AttributeError, match="cannot be accessed before reset"):
        getattr(env, name)
    env.reset()
    getattr(env, name)


@pytest.mark.parametrize(
    "call",
    [
        lambda env: env.step(0),
        lambda env: env.observe(A),
        lambda env: env.render(),
        lambda env: env.agent_iter(),
    ],
    ids=["step", "observe", "render", "agent_iter"],
)
@every_maker
def test_calls_need_a_reset(make, call):
    env = make(render_mode="ansi")
    with pytest.raises(AssertionError, match="reset"):
        call(env)
    env.reset()
    call(env)


@pytest.mark.parametrize("call", [lambda env: env.get_state(), lambda env: env.position, lambda env: env.last()])
def test_our_own_calls_need_a_reset(call):
    env = kalah_v0.env()
    with pytest.raises(CallOrderError, match=r"before reset: call reset\(\) first"):
        call(env)


@every_maker
def test_agent_iter_wants_a_step_in_between(make):
    env = started(make)
    turns = iter(env.agent_iter())
    assert next(turns) == A
    with pytest.raises(AssertionError, match="step"):
        next(turns)


@every_maker
def test_agent_iter_stops_after_max_iter(make):
    env = started(make)
    turns = [(agent, env.step(NO_EXTRA_TURN)) for agent in env.agent_iter(2)]
    assert [agent for agent, _ in turns] == [A, B]


def test_an_unknown_attribute_is_named():
    with pytest.raises(AttributeError, match="'raw_env' object has no attribute 'board'"):
        _ = started().board


# Arguments and reset options


@pytest.mark.parametrize(
    "options, error, message",
    [
        ({"pit": 5}, RulesError, "kalah has no option 'pit'; did you mean 'pits'"),
        ({"observations": "counts"}, RulesError, "did you mean 'observation'"),
        ({"pits": 0}, RulesError, "pits=0: expected a number from 1"),
        ({"rules": "chess"}, RulesError, "unknown variant 'chess'"),
        ({"observation": "planes"}, BadInputError, "observation='planes': expected one of counts, tactical"),
        ({"reward": "score"}, BadInputError, "reward='score': expected one of outcome, margin"),
        ({"first": 2}, BadInputError, "first=2: expected a seat from 0 to 1 or 'random'"),
        ({"first": True}, BadInputError, "first=True"),
        ({"illegal": "ignore"}, BadInputError, "illegal='ignore': expected one of lose, raise"),
        ({"render_mode": "pdf"}, BadInputError, "render_mode='pdf': expected one of None, ansi"),
    ],
    ids=str,
)
@own_makers
def test_a_wrong_argument_is_named(make, options, error, message):
    with pytest.raises(error, match=message):
        make(**options)


def test_rules_of_other_games_are_refused():
    from mancala_rl import Rules

    with pytest.raises(RulesError, match="kalah_v0 plays kalah"):
        kalah_v0.env(rules=Rules(name="other"))
    with pytest.raises(RulesError, match="players=3: this environment is for 2 players"):
        kalah_v0.env(rules=Rules(name="kalah", players=3, capture="none"))


def test_rules_may_be_a_record_or_a_spec_and_options_change_them():
    assert kalah_v0.env(rules="kalah:pits=5", stones=3).rules == variant("kalah:pits=5,stones=3")
    assert kalah_v0.env(rules=variant("kalah:pits=5")).rules == kalah_v0.env(pits=5).rules


@pytest.mark.parametrize("make_position", [str, lambda position: position], ids=["text", "Position"])
def test_reset_takes_a_position(make_position):
    position = variant("kalah").start().play(2).play(0)
    env = started(reset_options={"position": make_position(position)})
    assert env.position == position
    assert env.agent_selection == B
    env.reset()
    assert env.position == variant("kalah").start()


@pytest.mark.parametrize(
    "options, error, message",
    [
        ({"position": "4,4+0/4,4+0 0"}, PositionError, "expected 6 pits"),
        ({"position": "1,0,0,0,0,0+47/0,0,0,0,0,0+0 -"}, PositionError, "the game is over"),
        ({"position": variant("kalah:pits=5").start()}, PositionError, "expected a position of kalah, got one of"),
        ({"position": 3}, PositionError, "expected a Position or its text, got int"),
        ({"first": 7}, BadInputError, "first=7: expected a seat"),
        ({"first": 0, "position": NEARLY_OVER}, BadInputError, "exclude each other"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_reset_option_is_named_and_changes_nothing(options, error, message):
    env = started()
    env.step(NO_EXTRA_TURN)
    before = env.position
    with pytest.raises(error, match=message):
        env.reset(options=options)
    assert env.position == before
    assert env.agent_selection == B


def test_the_first_seat_is_chosen_or_drawn():
    assert started(first=1).agent_selection == B
    assert started(reset_options={"first": 1}).agent_selection == B
    assert started(first=1, reset_options={"first": 0}).agent_selection == A
    env = started(first="random")
    assert {env.agent_selection for _ in range(30) if env.reset() is None} == {A, B}


def test_a_seed_fixes_everything_that_is_drawn():
    def games(seed):
        env = started(seed=seed, first="random", start_position="random")
        return [str(env.position) for _ in range(5) if env.reset() is None]

    assert games(7) == games(7)
    assert len({*games(7), *games(8)}) > 6


def test_the_spaces_are_the_same_objects_every_time_and_separate_for_the_agents():
    env = kalah_v0.env()
    assert env.action_space(A) is env.action_space(A)
    assert env.observation_space(A) is env.observation_space(A)
    assert env.action_space(A) is not env.action_space(B)
    assert env.action_space(A).n == 6
    assert kalah_v0.env(pie=True).action_space(A).n == 7
    assert str(env) == "kalah_v0"


def test_the_pie_rule_swaps_sides():
    env = started(pie=True)
    env.step(NO_EXTRA_TURN)
    assert env.observe(B)["action_mask"].tolist() == [1] * 7
    assert env.observe(B)["observation"][-1] == 1
    env.step(6)
    assert env.agent_selection == A
    assert env.position == Position.parse("4,4,4,4,4,4+0/0,5,5,5,5,4+0 0", variant("kalah:pie=true"))
