"""The Gymnasium environment with the opponent inside `step`."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from stable_baselines3.common.env_checker import check_env as sb3_check_env

from mancala_rl import Batch, make_agent, variant
from mancala_rl.agent import turn_seeds
from mancala_rl.envs.observation import observe
from mancala_rl.envs.single import MancalaEnv
from mancala_rl.errors import ActionError, AgentError, BadInputError, CallOrderError, PositionError, RulesError

OPTIONS = [
    {},
    {"seat": 0, "opponent": "greedy"},
    {"seat": 1, "opponent": "greedy", "reward": "margin"},
    {"pits": 3, "stones": 2, "opening_plies": (0, 4), "first": "random"},
    {"pits": 4, "stones": 3, "pie": True, "observation": "tactical", "opponent": "minimax:depth=2"},
    {"rules": "kalah:pits=4,end_check=on_turn", "start_position": "random"},
]
every_option = pytest.mark.parametrize("options", OPTIONS, ids=str)


def made(**options):
    return gymnasium.make("mancala/Kalah-v0", **options)


def play_random(env, rng, check=lambda *args: None):
    """Play the episode to its end by random legal moves; `check(position before, action, what step returned)`."""
    while True:
        before = env.position
        action = int(rng.choice(np.flatnonzero(env.action_masks())))
        returned = env.step(action)
        check(before, action, returned)
        if returned[2] or returned[3]:
            return returned


def after_replies(env, position, action):
    """The position after a move and the opponent's replies, played move by move on `Position`."""
    state = env.get_state()
    position = position.play(action)
    while position.to_move not in (None, state["seat"]):
        seeds = turn_seeds(np.array([state["game_seed"]]), np.array([position.ply]))
        position = position.play(int(env.opponent.act(Batch.of([position]), seeds)[0]))
    return position


# Conformance


@every_option
def test_gymnasium_accepts_it(options):
    check_env(made(**options).unwrapped)


@every_option
def test_stable_baselines_accepts_it(options):
    sb3_check_env(MancalaEnv(**options))


def test_many_environments_can_be_stepped_together():
    envs = gymnasium.make_vec("mancala/Kalah-v0", num_envs=3, vectorization_mode="sync", opponent="greedy")
    observations, infos = envs.reset(seed=0)
    assert observations.shape == (3, 14)
    for _ in range(60):
        legal = np.where(infos["action_mask"].any(axis=1), infos["action_mask"].argmax(axis=1), 0)
        observations, _, _, _, infos = envs.step(legal)
    assert infos["action_mask"].shape == (3, 6)
    envs.close()


# One step


@every_option
def test_a_step_is_the_learners_move_and_the_opponents_replies(options):
    env, rng = MancalaEnv(**options), np.random.default_rng(0)

    def check(before, action, returned):
        seat = env.get_state()["seat"]
        position = after_replies(env, before, action)
        observation, reward, terminated, truncated, info = returned
        row = observe(position.row.reshape(1, -1), np.array([seat]), env.observation_kind, env.rules)[0]
        worth = position.returns[seat]
        if env.reward_kind == "margin":
            worth = (position.scores[seat] - position.scores[1 - seat]) / env.rules.total if position.is_over else 0
        assert position == env.position
        assert (observation == row).all()
        assert reward == pytest.approx(worth)
        assert (terminated, truncated) == (position.is_over, False)
        assert tuple(np.flatnonzero(info["action_mask"])) == position.legal_moves
        assert tuple(np.flatnonzero(env.action_masks())) == position.legal_moves
        mask = info.pop("action_mask")
        assert (mask.dtype, env.action_masks().dtype) == (np.int8, np.bool_)
        assert info == {
            "scores": position.scores,
            "extra_turn": position.extra_turn,
            "captured": position.captured,
            "decided": position.decided,
            "ply": position.ply,
            "seat": seat,
        }
        assert position.is_over or position.to_move == seat

    for episode in range(12):
        env.reset(seed=episode)
        assert env.position.to_move == env.get_state()["seat"]
        play_random(env, rng, check)


def test_both_signs_of_the_reward_are_seen_from_both_seats():
    rng = np.random.default_rng(1)
    for seat in (0, 1):
        env, rewards = MancalaEnv(seat=seat), []
        for episode in range(60):
            env.reset(seed=episode)
            rewards.append(play_random(env, rng)[1])
            own, other = env.position.scores[seat], env.position.scores[1 - seat]
            assert rewards[-1] == np.sign(own - other)
        assert {-1.0, 1.0} <= set(rewards)


def test_an_extra_turn_of_the_learner_comes_back_to_it_at_once():
    env = MancalaEnv(seat=0, opponent="greedy")
    env.reset(seed=0)
    observation, reward, terminated, _, info = env.step(2)
    assert observation.tolist() == [4, 4, 0, 5, 5, 5, 1, 4, 4, 4, 4, 4, 4, 0]
    assert (reward, terminated, info["extra_turn"], info["ply"]) == (0, False, True, 1)
    assert info["action_mask"].tolist() == [1, 1, 0, 1, 1, 1]


def test_extra_turns_of_the_opponent_are_all_played():
    env = MancalaEnv(seat=1, opponent="greedy")
    observation, info = env.reset(seed=0)
    assert info["ply"] > 1, "greedy takes the extra turn of pit 2 first"
    assert env.position.to_move == 1
    assert observation[13] == env.position.stores[0] >= 1


def test_the_learner_in_seat_1_sees_its_own_side_first():
    env = MancalaEnv(seat=1)
    observation, _ = env.reset(options={"position": "1,2,3,4,5,6+0/7,8,9,0,0,1+2 1"})
    assert observation.tolist() == [7, 8, 9, 0, 0, 1, 2, 1, 2, 3, 4, 5, 6, 0]


def test_nothing_returned_is_used_again():
    env = MancalaEnv(seat=0)
    observation, info = env.reset(seed=0)
    kept, mask = observation.copy(), info["action_mask"].copy()
    env.step(0)
    assert (observation == kept).all()
    assert (info["action_mask"] == mask).all()
    info["action_mask"][:] = 0
    assert env.action_masks().any()


# Illegal moves and wrong use


@pytest.mark.parametrize("reward", ["outcome", "margin"])
@pytest.mark.parametrize("seat", [0, 1])
def test_an_illegal_move_loses_and_the_next_game_is_clean(seat, reward):
    env = MancalaEnv(seat=seat, reward=reward)
    env.reset(seed=0)
    while env.action_masks().all():
        env.step(0)
    board = env.position
    observation, value, terminated, truncated, info = env.step(int(env.action_masks().argmin()))
    assert (value, terminated, truncated, info["illegal_move"]) == (-1, True, False, True)
    assert info["action_mask"].sum() == env.action_masks().sum() == 0
    assert env.observation_space.contains(observation)
    assert env.position == board
    _, info = env.reset(seed=1)
    assert "illegal_move" not in info
    assert env.position.to_move == seat
    assert play_random(env, np.random.default_rng(0))[2]


@pytest.mark.parametrize("action", [6, -1, 2.0, "2", None, 10**30], ids=str)
def test_what_is_not_in_the_action_space_is_an_error_and_changes_nothing(action):
    env = MancalaEnv(seat=0)
    env.reset(seed=0)
    with pytest.raises(ActionError, match="expected a whole number from 0 to 5"):
        env.step(action)
    assert env.position == variant("kalah").start()
    env.step(np.int64(2))


@pytest.mark.parametrize(
    "call",
    [
        lambda env: env.step(0),
        lambda env: env.render(),
        lambda env: env.action_masks(),
        lambda env: env.get_state(),
        lambda env: env.position,
    ],
    ids=["step", "render", "action_masks", "get_state", "position"],
)
def test_calls_need_a_reset(call):
    with pytest.raises(CallOrderError, match=r"before reset: call reset\(\) first"):
        call(MancalaEnv())


def test_a_step_after_the_end_is_an_error():
    env = MancalaEnv()
    env.reset(seed=0)
    play_random(env, np.random.default_rng(0))
    with pytest.raises(CallOrderError, match=r"after the end of the game: call reset\(\) first"):
        env.step(0)


class Stubborn:
    """Always plays pit 0, allowed or not."""

    def __repr__(self) -> str:  # the names of tests must not change from process to process
        return "Stubborn()"

    name = "stubborn"

    def __init__(self, rules):
        self.rules = rules

    def act(self, batch, seeds):
        return np.zeros(len(batch), np.int64)


def test_an_opponent_that_breaks_the_rules_is_named():
    env = MancalaEnv(opponent=Stubborn(variant("kalah")), seat=0)
    position = "4,4,4,4,4,4+0/0,4,4,4,4,4+4 0"
    env.reset(options={"position": position})
    with pytest.raises(AgentError, match=r"opponent stubborn chose 0 in .* legal moves: 1, 2, 3, 4, 5"):
        env.step(0)


@pytest.mark.parametrize("at", ["reset", "step"])
def test_after_an_error_in_mid_move_only_a_reset_goes_on(at):
    """What stands half-way through the replies is no position of the learner's: it must not move there."""
    rules = variant("kalah")
    agent = Stubborn(rules)
    env = MancalaEnv(opponent=agent, seat=1 if at == "reset" else 0)
    env.reset(seed=0)
    agent.act = lambda batch, seeds: np.full(len(batch), 7)
    with pytest.raises(AgentError, match="opponent stubborn chose 7"):
        env.reset(seed=1) if at == "reset" else env.step(0)
    assert not env.action_masks().any()
    with pytest.raises(CallOrderError, match=r"call reset\(\) first"):
        env.step(0)
    del agent.act
    env.reset(seed=0)
    assert env.action_masks().any()


@pytest.mark.parametrize(
    "options, error, message",
    [
        ({"pit": 5}, RulesError, "kalah has no option 'pit'; did you mean 'pits'"),
        ({"oponent": "greedy"}, RulesError, "did you mean 'opponent'"),
        ({"rules": "go"}, RulesError, "unknown variant 'go'"),
        ({"opponent": "greddy"}, AgentError, "unknown agent 'greddy'; did you mean 'greedy'"),
        ({"opponent": 3}, AgentError, "agent 3: expected an object with act"),
        (
            {"opponent": Stubborn(variant("kalah:pits=5"))},
            AgentError,
            "plays kalah:pits=5; expected an agent for kalah",
        ),
        ({"seat": 2}, BadInputError, "seat=2: expected a seat from 0 to 1 or 'random'"),
        ({"seat": "first"}, BadInputError, "seat='first'"),
        ({"first": -1}, BadInputError, "first=-1"),
        ({"opening_plies": (3, 1)}, BadInputError, r"opening_plies=\(3, 1\): expected \(fewest, most\)"),
        ({"opening_plies": 4}, BadInputError, "opening_plies=4"),
        ({"observation": "planes"}, BadInputError, "observation='planes'"),
        ({"reward": "score"}, BadInputError, "reward='score'"),
        ({"render_mode": "pdf"}, BadInputError, "render_mode='pdf'"),
    ],
    ids=str,
)
def test_a_wrong_argument_is_named(options, error, message):
    with pytest.raises(error, match=message):
        MancalaEnv(**options)


def test_a_wrong_reset_option_is_named_and_changes_nothing():
    env = MancalaEnv(seat="random")
    env.reset(seed=0)
    before = env.get_state()
    for seed in (None, 1, 2, 3, 4):  # neither the seat nor anything else is drawn anew
        with pytest.raises(PositionError, match="expected 6 pits"):
            env.reset(seed=seed, options={"position": "4,4+0/4,4+0 0"})
    assert env.get_state() == before


def test_a_game_without_a_turn_for_the_learner_is_reported():
    # With one pit and one stone each, seat 0's only move ends the game.
    with pytest.raises(BadInputError, match="before the learner's first turn"):
        MancalaEnv(pits=1, stones=1, seat=1).reset(seed=0)
    env = MancalaEnv(pits=1, stones=1, seat="random")
    assert all(env.reset(seed=seed)[1]["seat"] == 0 for seed in range(10))


# Chance


def test_a_seed_fixes_seat_opening_and_opponent():
    def episode(seed):
        env = MancalaEnv(opening_plies=(0, 8), first="random", start_position="random")
        env.reset(seed=seed)
        views = [(env.get_state()["seat"], str(env.position))]
        play_random(env, np.random.default_rng(0), lambda *_: views.append(str(env.position)))
        return views

    episodes = [episode(seed) for seed in range(12)]
    assert episodes == [episode(seed) for seed in range(12)]
    assert len({str(views) for views in episodes}) == 12
    assert {views[0][0] for views in episodes} == {0, 1}


def test_a_seed_fixes_the_episodes_that_follow():
    def starts(seed):
        env = MancalaEnv(opening_plies=(0, 8))
        return [env.reset(seed=seed if n == 0 else None)[0].tolist() for n in range(6)]

    assert starts(3) == starts(3)
    assert starts(3) != starts(4)


def test_the_opponent_plays_differently_in_different_games():
    env = MancalaEnv(seat=1)
    env.reset(seed=0)
    assert len({str(env.position) for _ in range(40) if env.reset()}) > 5


@pytest.mark.parametrize("plies", [(0, 0), (3, 3), (1, 6)])
def test_openings_have_the_length_asked_for(plies):
    env = MancalaEnv(seat="random", first="random", opening_plies=plies)
    lengths = set()
    for seed in range(60):
        env.reset(seed=seed)
        state = env.get_state()
        first_reply = env.position.ply
        lengths.add(first_reply)
        assert first_reply >= plies[0]
        assert env.position.to_move == state["seat"]
    assert min(lengths) == plies[0]


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_a_position_is_started_from_without_an_opening(plies):
    position = variant("kalah").start()
    for move in [2, 0, 3][:plies]:
        position = position.play(move)
    env = MancalaEnv(seat=position.to_move, opening_plies=(5, 5))
    for given in (position, str(position)):
        env.reset(options={"position": given})
        assert env.position == position


def test_the_first_seat_is_chosen():
    env = MancalaEnv(seat=0, first=1)
    env.reset(seed=0)
    assert env.position.ply > 0, "seat 1 has moved first"
    env.reset(options={"first": 0})
    assert env.position.ply == 0


# Making it


def test_masks_are_reached_through_the_wrappers_of_gymnasium():
    env = made(seat=0)
    env.reset(seed=0)
    assert env.get_wrapper_attr("action_masks")().tolist() == [True] * 6


def test_an_agent_object_is_an_opponent():
    rules = variant("kalah:stones=3")
    env = made(stones=3, opponent=make_agent("greedy", rules), seat=0).unwrapped
    env.reset(seed=0)
    assert env.opponent.name == "greedy"
    assert env.rules == rules
    assert MancalaEnv(rules=rules).rules == rules
