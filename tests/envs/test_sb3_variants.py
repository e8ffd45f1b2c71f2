"""`SelfPlayVecEnv` for every two-player variant and for three and four players."""

from collections import Counter

import numpy as np
import pytest

from mancala_rl import VARIANTS, variant
from mancala_rl.envs.sb3 import SelfPlayVecEnv, Starts
from mancala_rl.errors import BadInputError
from mancala_rl.search import Uniform
from tests.envs.replay import Hashed
from tests.envs.test_sb3 import ended, make, played, random_actions, replayed

TWO = [f"{name}:pits=3,stones=2" for name in VARIANTS] + [
    "japanese:pits=3,stones=2,resign=true",
    "oware:pits=3,stones=3,max_plies=9",
    "oware:pits=2,stones=2,grand_slam=illegal,repetition=3",
]
MORE = [
    "japanese:players=3,pits=3,stones=2",
    "japanese:players=4,pits=2,stones=2,resign=true",
    "japanese:players=3,pits=3,stones=2,play_out=false",
]


@pytest.mark.parametrize("spec", TWO)
def test_every_transition_of_a_game_for_two_is_what_position_says(spec):
    rules = variant(spec)
    reward = "margin" if rules.goal == "most" else "outcome"
    facts = replayed(make(rules, games=8, observation="tactical", reward=reward), 30, illegal=0.03)
    assert facts["episodes"] > 10
    assert facts["cut off"] > 5 or not rules.max_plies


@pytest.mark.parametrize("observation", ["counts", "tactical"])
@pytest.mark.parametrize("spec", MORE)
def test_every_transition_of_a_game_for_more_is_what_position_says(spec, observation):
    rules = variant(spec)
    facts = replayed(make(rules, games=8, opponents=3, observation=observation), 40, illegal=0.03)
    assert facts["episodes"] > 20 and facts["illegal"] > 2
    assert facts["others play on"] > 5 or not rules.play_out
    for seat in range(rules.players):
        assert facts[f"seat {seat}: win"] > 0 and facts[f"seat {seat}: loss"] > 0, facts


def test_each_other_seat_draws_an_opponent_of_its_own():
    rules = variant("japanese:players=3,pits=2,stones=1")
    env = SelfPlayVecEnv(rules, 400, [Uniform(rules, name) for name in "abc"], [5, 0, 5])
    pairs = Counter(info["opponent"] for info in ended(env, 800))
    assert set(pairs) == {"a and a", "a and c", "c and a", "c and c"}
    assert all(0.18 < count / 800 < 0.32 for count in pairs.values()), pairs
    results = env.pop_results()
    assert results.opponents.shape == (len(results.reward), 2)
    assert (results.opponent == results.opponents[:, 0]).all()
    assert set(results.opponents.ravel()) == {0, 2}


def test_a_seat_is_played_by_the_opponent_drawn_for_it():
    rules = variant("japanese:players=3,pits=3,stones=2")
    asked = []

    class Listening(Hashed):
        def act(self, batch, seeds):
            asked.extend((self.name, seat) for seat in batch.to_move.tolist())
            return super().act(batch, seeds)

    env = SelfPlayVecEnv(rules, 1, [Listening(rules, salt) for salt in range(4)], seat=1, seed=5)
    env.reset()
    names = [env.opponents[index].name for index in env._opponent_of[0]]
    asked.clear()
    while not env.step(random_actions(env, np.random.default_rng(0)))[2][0]:
        assert set(asked) <= {(names[0], 2), (names[1], 0)}
    assert len(set(asked)) >= 2


def test_a_game_in_which_the_learner_is_out_before_its_first_decision_is_drawn_again():
    rules = variant("japanese:players=3,pits=2,stones=1")
    env = make(rules, games=60, starts=[Starts(plies=(4, 8))])
    env.reset()
    assert not env.batch.over.any()
    assert (env.batch.to_move == env._seats).all() and env.action_masks().any(axis=1).all()


@pytest.mark.parametrize("spec", [MORE[1], "oware:pits=3,stones=2", "toguz_korgool:pits=3,stones=2"])
def test_a_state_taken_in_the_middle_of_games_continues_identically(spec):
    rules = variant(spec)
    env = make(rules, games=6, opponents=3)
    env.reset()
    played(env, 5)
    state = env.get_state()
    expected = played(env, 20, seed=9)
    other = make(rules, games=6, opponents=3, seed=77)
    other.set_state(state)
    assert played(other, 20, seed=9) == expected


# What a version without games for three and four drew.
GOLDEN = {
    "opponents": [0, 0, 2, 1, 1, 1],
    "seats": [0, 0, 1, 0, 0, 1],
    "seeds": [4225238491, 1517303948, 3987111746, 2540882482, 3095719690, 1010611094],
    "positions": ["5,5,0,1,1,7+3/1,6,0,6,6,6+1 0", "0,5,1,6,6,5+1/0,5,5,5,5,4+0 0"],
}


def test_games_for_two_draw_what_they_always_drew():
    rules = variant("kalah")
    env = SelfPlayVecEnv(rules, 6, [Uniform(rules, name) for name in "abc"], starts=[Starts(plies=(0, 6))], seed=11)
    env.reset()
    state = env.get_state()
    assert state["_opponent_of"].tolist() == GOLDEN["opponents"]
    assert state["_seats"].tolist() == GOLDEN["seats"]
    assert state["_game_seeds"].tolist() == GOLDEN["seeds"]
    assert [str(position) for position in env.batch][:2] == GOLDEN["positions"]


def test_there_is_no_margin_where_stones_do_not_count():
    with pytest.raises(BadInputError, match="not won by stones"):
        SelfPlayVecEnv("japanese", 2, ["uniform"], reward="margin")
