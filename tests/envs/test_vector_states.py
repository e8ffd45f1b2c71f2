"""States and copies of batched environments, taken in mid-run: they go on alike and alone, and nonsense is refused."""

import copy
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mancala_rl
from mancala_rl import MancalaVectorEnv, SelfPlayVectorEnv
from mancala_rl.envs.single import MancalaEnv
from mancala_rl.envs.vector import games
from mancala_rl.errors import BadInputError, CallOrderError
from mancala_rl.kernel import layout
from tests.envs.batched import CIRCLING, RECORDS, told, transcript

KALAH = "kalah:pits=3,stones=2,pie=true"
MAKE = {
    "seats": lambda: SelfPlayVectorEnv(KALAH, 5, first="random", opening_plies=(0, 4)),
    "learner": lambda: MancalaVectorEnv(
        "oware:pits=3,stones=2", 5, opponent="greedy", opening_plies=(0, 3), autoreset_mode="NEXT_STEP"
    ),
    "mixed": lambda: MancalaVectorEnv(
        RECORDS, 9, records="random", observation="tactical", first="random", autoreset_mode="DISABLED"
    ),
    "three": lambda: SelfPlayVectorEnv(
        "japanese:players=3,pits=2,stones=1,resign=true", 6, threads=2, copy=False, opening_plies=(0, 4)
    ),
    "circling": lambda: SelfPlayVectorEnv(CIRCLING, 2, autoreset_mode="NEXT_STEP"),
}


def through_state(env, make):
    other = make()
    other.set_state(pickle.loads(pickle.dumps(env.get_state())))
    return other


WAYS = {
    "deepcopy": lambda env, make: copy.deepcopy(env),
    "pickle": lambda env, make: pickle.loads(pickle.dumps(env)),
    "state": through_state,
}


def at(make, steps):
    env = make()
    env.reset(seed=7)
    transcript(env, steps)
    return env


@pytest.mark.parametrize("steps", [0, 1, 14, 40])
@pytest.mark.parametrize("make", MAKE.values(), ids=MAKE)
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_copy_goes_on_alike_and_alone(way, make, steps):
    env, untouched = at(make, steps), at(make, steps)
    before = told(env.get_state())
    other = way(env, make)
    assert told(other.get_state()) == before
    later = transcript(other, 12), other.sample_actions().tolist(), told(other.reset())
    assert told(env.get_state()) == before, "the copy's moves must not show in the original"
    for same in (env, untouched):
        assert (transcript(same, 12), same.sample_actions().tolist(), told(same.reset())) == later


@pytest.mark.parametrize("make", MAKE.values(), ids=MAKE)
@pytest.mark.parametrize("way", [way for name, way in WAYS.items() if name != "state"], ids=["deepcopy", "pickle"])
def test_masks_that_all_steps_share_stay_read_only_in_copies(way, make):
    for env in (make(), at(make, 3)):
        other = way(env, make)
        _, infos = other.reset(seed=0)
        assert not infos["_ply"].flags.writeable
        with pytest.raises(CallOrderError, match="before reset"):
            way(make(), make).get_state()


CONTINUE = """
import json, pickle, sys
from tests.envs.batched import transcript
env = pickle.load(open(sys.argv[1], "rb"))
print(json.dumps(transcript(env, 12)))
"""


@pytest.mark.parametrize("name", ["seats", "learner", "mixed", "three"])
def test_a_pickle_goes_on_alike_in_another_process(name, tmp_path):
    """There the code that some rules need lies at other addresses."""
    env = at(MAKE[name], 9)
    (tmp_path / "env").write_bytes(pickle.dumps(env))
    root = Path(__file__).parents[2]
    path = os.pathsep.join([str(root), str(Path(mancala_rl.__file__).parents[1])])
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", CONTINUE, str(tmp_path / "env")],
        env={**os.environ, "PYTHONPATH": path},
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == json.loads(json.dumps(transcript(env, 12)))


def test_an_opponent_given_as_an_object_is_part_of_a_pickle():
    env = MancalaVectorEnv(KALAH, 2, opponent=mancala_rl.make_agent("greedy", KALAH))
    env.reset(seed=0)
    other = pickle.loads(pickle.dumps(env))
    assert transcript(other, 10) == transcript(env, 10)


@pytest.mark.parametrize("mode", ["NEXT_STEP", "DISABLED"])
def test_games_that_wait_after_an_illegal_move_still_wait(mode):
    env = SelfPlayVectorEnv("kalah:pits=3,stones=2", 3, autoreset_mode=mode)
    env.reset(seed=0, options={"position": "0,2,2+2/2,2,2+0 0"})
    env.step([1, 0, 2])
    other = through_state(env, lambda: SelfPlayVectorEnv("kalah:pits=3,stones=2", 3, autoreset_mode=mode))
    assert other.to_move.tolist() == env.to_move.tolist()
    assert other.to_move[1] == -1
    for same in (env, other):
        if mode == "DISABLED":
            same.reset(options={"reset_mask": np.array([False, True, False])})
    assert transcript(env, 10) == transcript(other, 10)


def test_a_state_of_one_mode_is_good_for_another():
    env = at(lambda: SelfPlayVectorEnv("kalah:pits=2,stones=1", 6, autoreset_mode="NEXT_STEP"), 3)
    while not (env.to_move < 0).any():
        env.step(env.sample_actions())
    other = SelfPlayVectorEnv("kalah:pits=2,stones=1", 6)
    other.set_state(env.get_state())
    other.step(other.sample_actions())
    assert (other.to_move >= 0).all()


def test_what_a_state_holds_is_a_copy():
    env = at(MAKE["seats"], 2)
    state = env.get_state()
    before = told(state)
    for name in ("rows", "games"):
        state[name][:] = 0
    assert told(env.get_state()) == before
    state = env.get_state()
    env.set_state(state)
    transcript(env, 1)
    assert told(state) == before


@pytest.mark.parametrize("mode", ["NEXT_STEP", "DISABLED"])
def test_games_that_the_window_of_a_repetition_rule_has_ended_are_taken_back(mode):
    env = SelfPlayVectorEnv(CIRCLING, 2, autoreset_mode=mode)
    env.reset(seed=0)
    cut_off = np.zeros(2, np.bool_)
    while not cut_off.all():
        cut_off = env.step(env.sample_actions())[3]
    assert env.position(0).ply == layout.WINDOW - 1
    other = through_state(env, lambda: SelfPlayVectorEnv(CIRCLING, 2, autoreset_mode=mode))
    assert other.to_move.tolist() == [-1, -1]


@pytest.mark.parametrize("make", [lambda: mancala_rl.env(CIRCLING), lambda: MancalaEnv(CIRCLING, seat=0)])
def test_so_are_those_of_environments_of_one_game(make):
    env = make()
    env.reset(seed=0)
    while not env.position.is_over:
        env.step(env.position.legal_moves[env.position.ply % len(env.position.legal_moves)])
    assert env.position.truncated
    other = make()
    other.set_state(env.get_state())
    assert other.position == env.position


def test_a_game_that_goes_on_past_that_window_is_refused():
    env = at(lambda: SelfPlayVectorEnv(CIRCLING, 2), 3)
    state = env.get_state()
    state["rows"][0, CIRCLING.num_cells + layout.SINCE] = layout.WINDOW - 1
    with pytest.raises(BadInputError, match="plies since a capture from 0 to 254, got 255"):
        env.set_state(state)


# What get_state cannot have returned


def put(name, *at_and_value):
    """A change of one entry of one of the arrays of a state."""
    *index, value = at_and_value

    def change(state):
        state[name][tuple(index)] = value

    return change


def replaced(name, value):
    def change(state):
        state[name] = value(state[name]) if callable(value) else value

    return change


def moved(state):
    """One stone from the row of one game to another's."""
    state["rows"][0, 1] += 1
    state["rows"][1, 1] -= 1


def other_seat(state):
    state["rows"][0, CELLS + layout.MOVER] ^= 1


CELLS = 8  # of kalah with three pits
BROKEN = {
    "no rows": (replaced("rows", None), "rows"),
    "rows of different lengths": (replaced("rows", [[1, 2], [1]]), "rows"),
    "rows of another type": (replaced("rows", lambda rows: rows.astype(np.int64)), "rows"),
    "fewer rows": (replaced("rows", lambda rows: rows[:-1]), "rows"),
    "shorter rows": (replaced("rows", lambda rows: rows[:, :-1]), "rows"),
    "fewer games": (replaced("games", lambda table: table[:-1]), "games"),
    "no games": (replaced("games", "x"), "games"),
    "other rules": (replaced("rules", ["0" * 12]), "rules"),
    "rules as an array": (replaced("rules", np.array), "rules"),
    "no rules": (replaced("rules", None), "rules"),
    "no random state": (replaced("rng", {}), "rng"),
    "another generator": (replaced("rng", lambda rng: {**rng, "bit_generator": "MT19937"}), "rng"),
    "a random state of text": (replaced("rng", "x"), "rng"),
    "a stone too many": (put("rows", 0, 0, 9), "stones"),
    "a stone elsewhere": (moved, "stones"),
    "a negative pit": (put("rows", 0, 0, -5), "stones"),
    "a seat that is not there": (put("rows", 0, CELLS + layout.MOVER, 2), "seat"),
    "over in an unknown way": (put("rows", 0, CELLS + layout.OVER, 3), "over"),
    "over without waiting": (put("rows", 0, CELLS + layout.OVER, 1), "games"),
    "another seat to move": (other_seat, "seats to move"),
    "record": (put("games", 1, games.RECORD, 1), "games"),
    "negative record": (put("games", 1, games.RECORD, -1), "games"),
    "stream": (put("games", 1, games.STREAM, 2**32), "games"),
    "negative stream": (put("games", 1, games.STREAM, -1), "games"),
    "episode": (put("games", 1, games.EPISODE, -1), "games"),
    "seat": (put("games", 1, games.SEAT, 2), "games"),
    "no seat": (put("games", 1, games.SEAT, -2), "games"),
    "seeds of opponents": (put("games", 1, games.TURNS, -1), "games"),
    "legal actions": (put("games", 1, games.LEGAL, 1 << 40), "games"),
    "nothing legal": (put("games", 1, games.LEGAL, 0), "games"),
    "seat to move": (put("games", 1, games.TO_MOVE, -1), "games"),
    "status": (put("games", 1, games.STATUS, 3), "games"),
    "forfeited": (put("games", 1, games.FORFEITED, 2), "games"),
    "paid": (put("games", 1, games.PAID, 4), "games"),
    "paid too early": (put("games", 1, games.PAID, 1), "games"),
    "waiting in an unknown way": (put("games", 1, games.IDLE, 2), "games"),
    "waiting while it runs": (put("games", 1, games.IDLE, 1), "games"),
}


@pytest.mark.parametrize("kind", [SelfPlayVectorEnv, MancalaVectorEnv])
@pytest.mark.parametrize("name", BROKEN)
def test_nonsense_is_refused_and_changes_nothing(name, kind):
    change, word = BROKEN[name]
    env, twin = (at(lambda: kind("kalah:pits=3,stones=2", 4), 3) for _ in range(2))
    state, before = env.get_state(), told(env.get_state())
    change(state)
    with pytest.raises(BadInputError, match=word) as caught:
        env.set_state(state)
    assert "\n" not in str(caught.value)
    assert told(env.get_state()) == before
    assert transcript(env, 4) == transcript(twin, 4)


@pytest.mark.parametrize("state", [None, [], {}, {"rows": 1}, "x"], ids=str)
def test_what_is_no_state_is_refused(state):
    env = at(MAKE["seats"], 1)
    with pytest.raises(
        BadInputError, match=r"expected a state from get_state\(\) with the keys rules, rows, games, rng"
    ):
        env.set_state(state)


def test_a_seat_of_the_learner_that_it_cannot_have_is_refused():
    env = at(lambda: MancalaVectorEnv("kalah:pits=3,stones=2", 3, seat=0), 2)
    state = env.get_state()
    state["games"][0, games.SEAT] = 1
    with pytest.raises(BadInputError, match="seat to be the one to move"):
        env.set_state(state)
    other = at(lambda: MancalaVectorEnv("kalah:pits=3,stones=2", 3, seat=1), 2)
    with pytest.raises(BadInputError, match="games"):
        env.set_state(other.get_state())


def test_states_of_the_other_kind_of_environment_are_refused():
    seats = at(lambda: SelfPlayVectorEnv("kalah:pits=3,stones=2", 3), 2)
    learner = at(lambda: MancalaVectorEnv("kalah:pits=3,stones=2", 3), 2)
    for env, other in ((seats, learner), (learner, seats)):
        with pytest.raises(BadInputError, match="games"):
            env.set_state(other.get_state())


def test_states_of_other_records_or_another_order_are_refused():
    def make(*specs):
        return at(lambda: SelfPlayVectorEnv(specs, 4), 1)

    env = make("kalah", "oware")
    for other in (make("oware", "kalah"), make("kalah"), make("kalah", "oware", "oware"), make("kalah", "mangala")):
        with pytest.raises(BadInputError, match="rules"):
            env.set_state(other.get_state())
    state = env.get_state()
    env.set_state(state)
    env = make("kalah", "oware:pits=4")
    state = env.get_state()
    state["games"][:, games.RECORD] = 0  # a row of oware under kalah's rules
    with pytest.raises(BadInputError, match="expected a state with"):
        env.set_state(state)


def test_rewards_paid_are_those_of_the_players_who_are_out():
    env = SelfPlayVectorEnv("japanese:players=3,pits=2,stones=2,resign=true", 2)
    env.reset(seed=0)
    env.step([2, 0])  # one gives up
    state = env.get_state()
    assert state["games"][:, games.PAID].tolist() == [1, 0]
    for value in (0, 2, 3):
        broken = copy.deepcopy(state)
        broken["games"][0, games.PAID] = value
        with pytest.raises(BadInputError, match="paid to the players who are out"):
            env.set_state(broken)
    env.set_state(state)
