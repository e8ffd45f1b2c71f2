"""What environments are asked for: opponents and rules by spec, starts that make no difference, and clear refusals."""

import math

import numpy as np
import pytest

from mancala_rl import Rules, japanese_mancala_v0, kalah_v0, make_agent, match_env, variant
from mancala_rl import env as env_of
from mancala_rl.envs import reward
from mancala_rl.envs.sb3 import SelfPlayVecEnv, Starts
from mancala_rl.envs.single import MancalaEnv
from mancala_rl.errors import ActionError, AgentError, BadInputError, CallOrderError

KALAH, RANDOM = variant("kalah"), variant("kalah:start_position=random")


class Answer:
    """An agent that always answers the same."""

    name = "answer"

    def __init__(self, answer, rules: Rules | None = KALAH) -> None:
        self.answer = answer
        if rules is not None:
            self.rules = rules

    def act(self, batch, seeds):
        return self.answer


def test_where_games_start_makes_no_difference_to_an_opponent():
    agent = make_agent("greedy", KALAH)
    MancalaEnv(RANDOM, opponent=agent, seat=1).reset(seed=0)
    SelfPlayVecEnv(RANDOM, 4, [agent], seat=1).reset()


def test_a_game_with_random_starts_begins_from_a_position_of_the_plain_one():
    env = kalah_v0.env(start_position="random")
    env.reset(options={"position": KALAH.start()})
    assert str(env.position) == str(KALAH.start())


def test_self_play_takes_spec_strings():
    env = SelfPlayVecEnv("kalah:pits=3,stones=2", 2, ["uniform", "greedy"])
    assert env.rules == variant("kalah:pits=3,stones=2")
    assert [agent.name for agent in env.opponents] == ["uniform", "greedy"]


@pytest.mark.parametrize(
    "options, words",
    [
        ({"num_games": 2.5}, "num_games=2.5"),
        ({"num_games": True}, "num_games=True"),
        ({"seed": -1}, "seed=-1"),
        ({"seed": 0.5}, "seed=0.5"),
        ({"weights": ["a"]}, "weights="),
        ({"opponents": "greedy"}, "expected a list"),
        ({"opponents": ["nobody"]}, "nobody"),
        ({"opponents": [Answer([0], None)]}, "attribute rules"),
        ({"starts": []}, "starts="),
        ({"starts": [(1.0, (0, 0))]}, "starts="),
        ({"seat": True}, "seat=True"),
    ],
)
def test_self_play_says_what_it_cannot_use(options, words):
    with pytest.raises(BadInputError, match=words):
        SelfPlayVecEnv(**{"rules": KALAH, "num_games": 2, "opponents": ["uniform"], **options})


@pytest.mark.parametrize("options", [{"plies": (0, 1.5)}, {"plies": 3}, {"plies": ("a", "b")}, {"weight": "a"}])
def test_starts_are_whole_numbers_of_plies_and_a_weight(options):
    with pytest.raises(BadInputError, match=f"{next(iter(options))}="):
        Starts(**options)


def test_a_step_before_reset_is_out_of_order():
    env = SelfPlayVecEnv(KALAH, 2, ["uniform"])
    with pytest.raises(CallOrderError, match="before reset"):
        env.step(np.zeros(2, np.int64))


@pytest.mark.parametrize("actions", [[0.0, 1.0], [True, False], [0], ["a", "b"]])
def test_actions_that_are_no_whole_numbers_are_refused(actions):
    env = SelfPlayVecEnv(KALAH, 2, ["uniform"])
    env.reset()
    with pytest.raises(ActionError, match="expected 2 whole numbers"):
        env.step(np.array(actions))


@pytest.mark.parametrize("action", [2.0, np.float32(2), "2", None, [2]])
def test_a_single_action_that_is_no_whole_number_is_refused(action):
    env = MancalaEnv(seat=0)
    env.reset(seed=0)
    with pytest.raises(ActionError, match="whole number"):
        env.step(action)


@pytest.mark.parametrize("answer", [np.array([2.0]), None, [True], [1, 2], 3])
def test_replies_that_are_no_whole_numbers_are_the_agents_fault(answer):
    with pytest.raises(AgentError, match="opponent answer: expected 1 whole numbers"):
        MancalaEnv(opponent=Answer(answer), seat=1).reset(seed=0)
    with pytest.raises(AgentError, match="opponent answer: expected 1 whole numbers"):
        SelfPlayVecEnv(KALAH, 1, [Answer(answer)], seat=1).reset()


def test_an_opponent_must_say_what_it_plays():
    with pytest.raises(AgentError, match="attribute rules"):
        MancalaEnv(opponent=Answer([0], None))


def test_nobody_observes_nothing():
    env = kalah_v0.env()
    env.reset()
    with pytest.raises(BadInputError, match=r"observe\('nobody'\): expected one of player_0, player_1"):
        env.observe("nobody")


@pytest.mark.parametrize("kind", ["outcome", "margin"])
def test_no_reward_is_minus_zero(kind):
    batch = KALAH.batch(3)
    batch.play([2, 2, 2])
    values = reward.rewards(batch.rows, kind, KALAH)
    assert [math.copysign(1, value) for value in values.ravel()] == [1.0] * 6


@pytest.mark.parametrize("make", [kalah_v0.env, match_env, lambda: MancalaEnv("oware")])
@pytest.mark.parametrize("options", [3, "first", [1]])
def test_options_of_reset_are_a_dictionary(make, options):
    with pytest.raises(BadInputError, match=r"options=.*expected a dictionary"):
        make().reset(options=options)


def test_an_agent_whose_game_is_over_takes_none_only():
    env = env_of("japanese:players=3,pits=1,stones=1")
    env.reset()
    env.step(0)
    assert env.terminations["player_0"] and env.agent_selection == "player_0"
    with pytest.raises(ActionError, match=r"action 0: the game is over for player_0; expected None") as error:
        env.step(0)
    assert isinstance(error.value, ValueError)  # as PettingZoo raises there
    env.step(None)
    assert env.agent_selection == "player_1"


@pytest.mark.parametrize("call", ["observe", "observation_space", "action_space"])
def test_there_is_nothing_for_an_agent_that_does_not_exist(call):
    env = env_of("japanese:players=3")
    env.reset()
    with pytest.raises(BadInputError, match=rf"{call}..player_3..: expected one of player_0, player_1, player_2"):
        getattr(env, call)("player_3")


@pytest.mark.parametrize("value", ["no", 1, None])
def test_table_settings_are_true_or_false(value):
    with pytest.raises(BadInputError, match=r"table_settings=.*expected true or false"):
        japanese_mancala_v0.env(table_settings=value)


@pytest.mark.parametrize("opponents", [5, {"greedy": 1}])
def test_opponents_of_self_play_are_a_list(opponents):
    with pytest.raises(BadInputError, match="expected a list of at least one agent"):
        SelfPlayVecEnv(KALAH, 2, opponents)


@pytest.mark.parametrize("starts", [5, [5], []])
def test_starts_of_self_play_are_a_list(starts):
    with pytest.raises(BadInputError, match=r"starts=.*expected at least one Starts"):
        SelfPlayVecEnv(KALAH, 2, ["uniform"], starts=starts)


@pytest.mark.parametrize("make", [kalah_v0.env, match_env, lambda: MancalaEnv("oware")])
def test_the_seed_of_reset_is_a_whole_number(make):
    env = make()
    env.reset(seed=np.int64(3))
    before = str(env.position)
    for seed in ("x", -1, 1.5, True):
        with pytest.raises(BadInputError, match=f"seed={seed!r}: expected a whole number >= 0"):
            env.reset(seed=seed)
    assert str(env.position) == before
