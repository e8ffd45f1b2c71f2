"""`set_state` refuses what `get_state` cannot have returned, and changes nothing then."""

import json

import pytest

from mancala_rl import kalah_v0
from mancala_rl.envs.single import MancalaEnv
from mancala_rl.errors import BadInputError, PositionError

CELLS = 14  # of kalah


def aec():
    """A game of two moves: player_0's into its store, and its next one."""
    env = kalah_v0.env()
    env.reset(seed=1)
    for action in (2, 0):
        env.step(action)
    return env


def single():
    env = MancalaEnv(seat=0)
    env.reset(seed=1)
    env.step(2)
    return env


def put(*path_and_value):
    *path, key, value = path_and_value

    def change(state):
        for step in path:
            state = state[step]
        state[key] = value

    return change


def shifted(state):
    """A negative pit made good elsewhere."""
    row = state["game"]["rows"][0]
    row[0], row[1] = -5, row[1] + row[0] + 5


GAME = {
    "seat 7": put("game", "rows", 0, CELLS, 7),
    "seat 7 before": put("game", "rows", 1, CELLS, 7),
    "negative pit": shifted,
    "over": put("game", "rows", 0, CELLS + 1, 3),
    "over without an end": put("game", "rows", 0, CELLS + 1, 1),
    "pie": put("game", "rows", 0, CELLS + 6, 1),
    "captured": put("game", "rows", 0, CELLS + 3, -2),
    "large": put("game", "rows", 0, 0, 99999),
    "huge": put("game", "rows", 0, 0, 10**30),
    "fraction": put("game", "rows", 0, 0, 4.5),
    "ragged": put("game", "rows", 0, [1, 2]),
    "no rows": put("game", "rows", None),
    "action of text": put("game", "last_action", "x"),
    "illegal action": put("game", "last_action", 63),
    "another action": put("game", "last_action", 5),
    "no action": put("game", "last_action", None),
    "no game": put("game", None),
    "illegal": put("illegal_move", "yes"),
}
AEC = {
    "selection": put("agent_selection", "bob"),
    "other selection": put("agent_selection", "player_0"),
    "agents": put("agents", ["bob"]),
    "agents of text": put("agents", "player_0"),
    "agent gone": put("agents", ["player_0"]),
    "rewards": put("rewards", {"player_0": 0.0}),
    "reward of text": put("cumulative_rewards", "player_1", "x"),
    "random state": put("rng", {}),
    "other generator": put("rng", "bit_generator", "MT19937"),
    "random number": put("rng", "state", "state", "x"),
}
SINGLE = {
    "seat": put("seat", 2),
    "other seat": put("seat", 1),
    "seat of text": put("seat", "random"),
    "seed": put("game_seed", -1),
    "large seed": put("game_seed", 2**32),
    "no stream": lambda state: state.pop("stream"),
    "stream": put("stream", -1),
    "large stream": put("stream", 2**32),
    "stream of text": put("stream", "x"),
    "no episode": lambda state: state.pop("episode"),
    "episode": put("episode", -1),
    "large episode": put("episode", 2**32),
    "fraction of an episode": put("episode", 0.5),
}
CASES = [(make, name, change) for make in (aec, single) for name, change in GAME.items()]
CASES += [(aec, *item) for item in AEC.items()] + [(single, *item) for item in SINGLE.items()]


@pytest.mark.parametrize("make, name, change", CASES, ids=[f"{make.__name__}-{name}" for make, name, _ in CASES])
def test_nonsense_is_refused_and_changes_nothing(make, name, change):
    env, twin = make(), make()
    state = json.loads(json.dumps(env.get_state()))
    change(state)
    before = env.get_state()
    with pytest.raises(BadInputError) as caught:
        env.set_state(state)
    assert "\n" not in str(caught.value)
    assert env.get_state() == before
    for action in env.position.legal_moves[:1]:
        env.step(action)
        twin.step(action)
    assert env.get_state() == twin.get_state()


def test_every_state_of_a_game_is_taken_back():
    env = kalah_v0.env(pits=3, stones=2, first=1)
    env.reset(seed=3)
    for _ in env.agent_iter():
        state = json.loads(json.dumps(env.get_state()))
        env.set_state(state)
        assert env.get_state() == state
        env.step(env.position.legal_moves[0] if env.position.legal_moves else None)
    env.set_state(env.get_state())
    assert env.agents == []


def test_a_state_with_an_illegal_move_in_a_game_that_is_over_is_refused():
    env = kalah_v0.env(pits=1, stones=1)
    env.reset()
    env.step(0)
    with pytest.raises(BadInputError, match="illegal_move"):
        env.set_state({**env.get_state(), "illegal_move": True})


def test_a_start_that_nobody_moved_from_has_equal_rows():
    env = kalah_v0.env()
    env.reset()
    state = env.get_state()
    state["game"]["rows"][1][CELLS] = 1
    with pytest.raises(PositionError, match="does not lead"):
        env.set_state(state)
