"""What batched environments are asked for: every value that cannot be used is named, and nothing is played then."""

import gc
import sys

import numpy as np
import pytest

from mancala_rl import MancalaVectorEnv, SelfPlayVectorEnv, make_agent, variant
from mancala_rl.errors import ActionError, AgentError, BadInputError, CallOrderError, PositionError, RulesError
from tests.envs.batched import told

SPEC = "kalah:pits=3,stones=2"
every_kind = pytest.mark.parametrize("kind", [MancalaVectorEnv, SelfPlayVectorEnv])

CONSTRUCTOR = [
    ({"rules": 3}, RulesError, "unknown variant '3'"),
    ({"rules": None}, RulesError, "unknown variant 'None'"),
    ({"rules": "go"}, RulesError, "unknown variant 'go'; expected one of"),
    ({"rules": []}, BadInputError, r"rules=\[\]: expected at least one record or spec string"),
    ({"rules": ()}, BadInputError, r"rules=\(\): expected at least one"),
    ({"rules": ["kalah", "go"]}, RulesError, "unknown variant 'go'"),
    ({"rules": ["kalah", ["oware"]]}, RulesError, "unknown variant"),
    ({"pit": 5}, RulesError, "kalah has no option 'pit'; did you mean 'pits'"),
    ({"thread": 2}, RulesError, "did you mean 'threads'"),
    ({"rules": ["kalah", "oware"], "empty_capture": True}, RulesError, "oware has no option 'empty_capture'"),
    ({"pits": 99}, RulesError, "pits=99"),
    ({"num_envs": 0}, BadInputError, "num_envs=0: expected a whole number, at least 1"),
    ({"num_envs": -1}, BadInputError, "num_envs=-1"),
    ({"num_envs": 2.5}, BadInputError, "num_envs=2.5"),
    ({"num_envs": True}, BadInputError, "num_envs=True"),
    ({"num_envs": "3"}, BadInputError, "num_envs='3'"),
    ({"num_envs": None}, BadInputError, "num_envs=None"),
    ({"threads": 0}, BadInputError, "threads=0: expected a whole number, at least 1"),
    ({"threads": 1.0}, BadInputError, "threads=1.0"),
    ({"threads": None}, BadInputError, "threads=None"),
    ({"first": 2}, BadInputError, "first=2: expected a seat from 0 to 1 or 'random'"),
    ({"first": "anyone"}, BadInputError, "first='anyone'"),
    ({"first": True}, BadInputError, "first=True"),
    ({"rules": ["japanese:players=3", "kalah"], "first": 2}, BadInputError, "first=2"),
    ({"opening_plies": (3, 1)}, BadInputError, r"opening_plies=\(3, 1\): expected \(fewest, most\)"),
    ({"opening_plies": 4}, BadInputError, "opening_plies=4"),
    ({"opening_plies": (0, 1.5)}, BadInputError, "opening_plies="),
    ({"opening_plies": (0, 2**31)}, BadInputError, "opening_plies="),
    ({"observation": "planes"}, BadInputError, "observation='planes': expected one of counts, tactical, lookahead"),
    (
        {"rules": ["kalah", "japanese:players=3"], "observation": "lookahead"},
        BadInputError,
        "two players, got japanese",
    ),
    ({"reward": "score"}, BadInputError, "reward='score': expected one of outcome, margin"),
    ({"rules": ["kalah", "japanese"], "reward": "margin"}, BadInputError, "reward='margin': japanese is not won by"),
    ({"autoreset_mode": "never"}, BadInputError, "autoreset_mode='never': expected one of AutoresetMode.NEXT_STEP"),
    ({"autoreset_mode": None}, BadInputError, "autoreset_mode=None"),
    ({"autoreset_mode": 1}, BadInputError, "autoreset_mode=1"),
    ({"copy": "no"}, BadInputError, "copy='no': expected one of True, False"),
    ({"copy": None}, BadInputError, "copy=None"),
    ({"records": "shuffle"}, BadInputError, "records='shuffle': expected one of cycle, random"),
    ({"render_mode": "pdf"}, BadInputError, "render_mode='pdf': expected one of None, ansi, svg, rgb_array"),
    ({"render_mode": "human"}, BadInputError, "render_mode='human'"),
]
OWN = [
    (SelfPlayVectorEnv, {"illegal": "pass"}, BadInputError, "illegal='pass': expected one of lose, raise"),
    (SelfPlayVectorEnv, {"illegal": None}, BadInputError, "illegal=None"),
    (SelfPlayVectorEnv, {"opponent": "greedy"}, RulesError, "no option 'opponent'"),
    (MancalaVectorEnv, {"illegal": "raise"}, RulesError, "no option 'illegal'"),
    (MancalaVectorEnv, {"seat": 2}, BadInputError, "seat=2: expected a seat from 0 to 1 or 'random'"),
    (MancalaVectorEnv, {"seat": True}, BadInputError, "seat=True"),
    (MancalaVectorEnv, {"rules": ["japanese:players=3", "kalah"], "seat": 2}, BadInputError, "seat=2"),
    (MancalaVectorEnv, {"opponent": "greddy"}, AgentError, "unknown agent 'greddy'; did you mean 'greedy'"),
    (MancalaVectorEnv, {"opponent": 3}, AgentError, "agent 3: expected an object with act"),
    (MancalaVectorEnv, {"opponent": ["greedy", "greedy"]}, BadInputError, "one for each of 1 other seat, got 2"),
    (MancalaVectorEnv, {"opponent": make_agent("greedy", "oware")}, AgentError, "plays oware; expected an agent for"),
    (
        MancalaVectorEnv,
        {"rules": ["kalah", "oware"], "opponent": make_agent("greedy", "kalah")},
        AgentError,
        "greedy plays kalah; expected an agent for oware",
    ),
    (
        MancalaVectorEnv,
        {"rules": ["kalah", "japanese:players=3"], "opponent": ["greedy"]},
        BadInputError,
        "2 other seats",
    ),
]
CASES = [(kind, *case) for case in CONSTRUCTOR for kind in (MancalaVectorEnv, SelfPlayVectorEnv)] + OWN


@pytest.mark.parametrize(
    "kind, options, error, words",
    CASES,
    ids=[f"{number}-{kind.__name__}-{'-'.join(options)}" for number, (kind, options, *_) in enumerate(CASES)],
)
def test_a_wrong_argument_is_named(kind, options, error, words):
    with pytest.raises(error, match=words) as caught:
        kind(**options)
    assert "\n" not in str(caught.value)


@every_kind
def test_what_could_not_be_made_leaves_quietly(kind, monkeypatch):
    """Gymnasium closes every environment that goes, those too whose constructor raised."""
    complaints = []
    monkeypatch.setattr(sys, "unraisablehook", complaints.append)
    for options in ({"num_envs": 0}, {"rules": "go"}, {"observation": "planes"}, {"copy": 3}):
        with pytest.raises(BadInputError):
            kind(**options)
    gc.collect()
    assert complaints == []


@every_kind
@pytest.mark.parametrize("mode", ["SAME_STEP", "SameStep"])
def test_modes_go_by_name_and_by_value(kind, mode):
    assert kind(autoreset_mode=mode).metadata["autoreset_mode"].name == "SAME_STEP"
    assert kind(autoreset_mode="DISABLED").metadata["autoreset_mode"].name == "DISABLED"
    assert kind.metadata["autoreset_mode"].name == "SAME_STEP", "of the class, and unchanged"


# reset

START = variant(SPEC).start()
OVER = START
while not OVER.is_over:
    OVER = OVER.play(OVER.legal_moves[0])

RESET = [
    ({"seed": -1}, BadInputError, "seed=-1: expected a whole number >= 0"),
    ({"seed": 1.5}, BadInputError, "seed=1.5"),
    ({"seed": True}, BadInputError, "seed=True"),
    ({"seed": "x"}, BadInputError, "seed='x'"),
    ({"seed": "abc"}, BadInputError, "seed='abc'"),
    ({"seed": b"abc"}, BadInputError, "seed=b'abc'"),
    ({"seed": {1, 2, 3}}, BadInputError, "seed="),
    ({"seed": [1, 2]}, BadInputError, r"seed=\[1, 2\]: .* a list of 3 of these"),
    ({"seed": [1, "x", 2]}, BadInputError, "seed='x'"),
    ({"seed": [1, -1, 2]}, BadInputError, "seed=-1"),
    ({"seed": [1, True, 2]}, BadInputError, "seed=True"),
    ({"seed": np.array([1.0, 2.0, 3.0])}, BadInputError, "seed=1.0"),
    ({"seed": np.array([[1, 2, 3]])}, BadInputError, r"seed=\[\[1, 2, 3\]\]"),
    ({"seed": np.arange(1000)}, BadInputError, r"seed=\[0, 1, 2"),
    ({"options": 3}, BadInputError, "options=3: expected a dictionary"),
    ({"options": [1]}, BadInputError, r"options=\[1\]: expected a dictionary"),
    (
        {"options": {"reset_mask": [1, 0, 1]}},
        BadInputError,
        r"reset_mask: expected 3 booleans, got int64 of shape \(3,\)",
    ),
    ({"options": {"reset_mask": [True, False]}}, BadInputError, r"got bool of shape \(2,\)"),
    ({"options": {"reset_mask": np.ones((3, 1), bool)}}, BadInputError, r"got bool of shape \(3, 1\)"),
    ({"options": {"reset_mask": True}}, BadInputError, r"got bool of shape \(\)"),
    ({"options": {"reset_mask": "all"}}, BadInputError, "reset_mask: expected 3 booleans"),
    ({"options": {"reset_mask": [[True], [True, False], []]}}, BadInputError, "reset_mask: expected 3 booleans"),
    ({"options": {"first": 2}}, BadInputError, "first=2: expected a seat from 0 to 1 or 'random'"),
    ({"options": {"first": None}}, BadInputError, "first=None"),
    ({"options": {"first": 0, "position": START}}, BadInputError, "'position' and 'first' exclude each other"),
    ({"options": {"position": "nonsense"}}, PositionError, "nonsense"),
    ({"options": {"position": "4,4+0/4,4+0 0"}}, PositionError, "expected 3 pits"),
    ({"options": {"position": 5}}, PositionError, "position 0: expected a Position or its text, got int"),
    ({"options": {"position": {"pits": 3}}}, PositionError, "got dict"),
    ({"options": {"position": [START, START]}}, BadInputError, "position: expected one, or 3, got 2"),
    ({"options": {"position": [START, None, START]}}, PositionError, "position 1: .*got NoneType"),
    ({"options": {"position": [[1], [2], [3]]}}, PositionError, "position 0: .*got list"),
    ({"options": {"position": variant("kalah").start()}}, PositionError, "expected a position of kalah:pits=3"),
    ({"options": {"position": OVER}}, PositionError, "the game is over"),
    ({"options": {"position": [START, START, OVER]}}, PositionError, "the game is over"),
]


@every_kind
@pytest.mark.parametrize(
    "arguments, error, words", RESET, ids=[f"{n}-{next(iter(a))}" for n, (a, *_) in enumerate(RESET)]
)
def test_a_wrong_argument_of_reset_is_named_and_changes_nothing(kind, arguments, error, words):
    env = kind(SPEC, 3)
    with pytest.raises(error, match=words):
        env.reset(**arguments)
    with pytest.raises(CallOrderError, match="before reset"):
        env.action_masks()
    env.reset(seed=0)
    env.step(env.sample_actions())
    before = told(env.get_state())
    with pytest.raises(error, match=words) as caught:
        env.reset(**arguments)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 300
    assert told(env.get_state()) == before
    # neither may what is wrong let through what is right: a seed beside it
    if "seed" not in arguments:
        with pytest.raises(error):
            env.reset(seed=5, **arguments)
        assert told(env.get_state()) == before


@every_kind
def test_seeds_are_any_whole_numbers(kind):
    env = kind(SPEC, 3, opening_plies=(0, 5))
    for one, other in (
        (3, np.int64(3)),
        (3, np.array(3)),
        ([3, 4, 5], (3, 4, 5)),
        ([3, 4, 5], np.arange(3, 6)),
        (3, [3, 4, 5]),
    ):
        assert told(env.reset(seed=one)) == told(env.reset(seed=other))
    env.reset(seed=10**40)


@every_kind
def test_options_without_a_meaning_are_passed_over(kind):
    env = kind(SPEC, 3)
    assert told(env.reset(seed=1, options={"colour": "green"})) == told(env.reset(seed=1, options={}))


@every_kind
def test_a_mask_of_no_game_resets_none(kind):
    env = kind(SPEC, 3)
    env.reset(seed=0)
    env.step(env.sample_actions())
    before = told(env.get_state())
    env.reset(options={"reset_mask": np.zeros(3, np.bool_)})
    assert told(env.get_state()) == before


@every_kind
@pytest.mark.parametrize("first", [1, "random"])
def test_a_seat_that_cannot_start_is_refused(kind, first):
    blocked = "kalah:pits=2,stones=2,end_check=on_turn,start_position=2,2+0/0,0+4"
    with pytest.raises(
        BadInputError, match=f"first={first!r}: .* over before the first move of some seats; expected 0"
    ):
        kind(blocked, 3, first=first)
    env = kind(blocked, 3)
    env.reset(seed=0)
    before = told(env.get_state())
    with pytest.raises(BadInputError, match="expected 0"):
        env.reset(options={"first": first})
    assert told(env.get_state()) == before


# step

ACTIONS = [
    (np.zeros(3), "expected 3 whole numbers, one action a game, got float64 of shape"),
    (np.zeros(3, np.bool_), "got bool"),
    (np.zeros(2, np.int64), r"shape \(2,\)"),
    (np.zeros((3, 1), np.int64), r"shape \(3, 1\)"),
    (np.int64(0), r"shape \(\)"),
    (0, r"shape \(\)"),
    (None, "got object"),
    ([None] * 3, "got object"),
    (["a", "b", "c"], "got <U1"),
    ([[0], [0, 1], []], "got object"),
    ([10**30] * 3, "got object"),
    ({0: 1}, "got object"),
    ([0, 3, 0], "game 1: action 3: expected a whole number from 0 to 2"),
    ([0, 0, -1], "game 2: action -1"),
    ([2**40, 0, 0], "game 0: action 1099511627776"),
    (np.array([0, 0, 2**64 - 1], np.uint64), "game 2: action"),
]


@every_kind
@pytest.mark.parametrize("actions, words", ACTIONS, ids=[str(n) for n in range(len(ACTIONS))])
def test_what_are_no_actions_is_an_error_and_plays_nothing(kind, actions, words):
    env = kind(SPEC, 3)
    env.reset(seed=0)
    before = told(env.get_state())
    with pytest.raises(ActionError, match=words) as caught:
        env.step(actions)
    assert "\n" not in str(caught.value)
    assert told(env.get_state()) == before


@every_kind
def test_actions_are_whole_numbers_of_any_type(kind):
    env, actions = kind(SPEC, 3, seat=0) if kind is MancalaVectorEnv else kind(SPEC, 3), [1, 0, 2]
    results = []
    for given in (
        actions,
        tuple(actions),
        np.array(actions, np.uint8),
        np.array(actions, np.int32),
        np.array([1, 9, 0, 9, 2], np.int64)[::2],
    ):
        env.reset(seed=1)
        results.append(told(env.step(given)))
    assert all(result == results[0] for result in results)


# Order of calls

CALLS = {
    "step": lambda env: env.step([0, 0, 0]),
    "action_masks": lambda env: env.action_masks(),
    "sample_actions": lambda env: env.sample_actions(),
    "position": lambda env: env.position(0),
    "render": lambda env: env.render(),
    "get_state": lambda env: env.get_state(),
    "reset with a reset_mask": lambda env: env.reset(options={"reset_mask": np.array([True, False, True])}),
}


@every_kind
@pytest.mark.parametrize("call", CALLS)
def test_calls_need_a_reset(kind, call):
    with pytest.raises(CallOrderError, match=rf"{call} before reset: call reset\(\) first"):
        CALLS[call](kind(SPEC, 3))


def test_whose_turn_it_is_needs_a_reset():
    with pytest.raises(CallOrderError, match="to_move before reset"):
        _ = SelfPlayVectorEnv(SPEC, 3).to_move


@every_kind
def test_the_first_reset_may_name_all_games(kind):
    env = kind(SPEC, 3)
    env.reset(seed=0, options={"reset_mask": np.ones(3, np.bool_)})
    assert told(env.get_state()["games"]) == told(_reset(kind(SPEC, 3)).get_state()["games"])


def _reset(env):
    env.reset(seed=0)
    return env


@every_kind
@pytest.mark.parametrize("game", [-1, 3, 1.0, True, None, "0"])
def test_a_game_that_is_not_there_has_no_position(kind, game):
    env = kind(SPEC, 3)
    env.reset(seed=0)
    with pytest.raises(BadInputError, match=rf"position\({game!r}\): expected a game from 0 to 2"):
        env.position(game)


@every_kind
def test_nothing_is_drawn_without_a_render_mode(kind):
    env = kind(SPEC, 3)
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="draws nothing without a render mode"):
        assert env.render() == (None, None, None)
