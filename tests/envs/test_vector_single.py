"""`MancalaVectorEnv` plays exactly the games that as many environments of one game play."""

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from hypothesis import given, settings
from hypothesis import strategies as st

from mancala_rl import Rules, variant
from mancala_rl.envs.observation import KINDS
from mancala_rl.envs.vector import MancalaVectorEnv
from mancala_rl.errors import AgentError, BadInputError, CallOrderError
from tests.envs.batched import CIRCLING, SMALL, Twins, every_mode, told, transcript
from tests.envs.replay import Hashed

THREE, FOUR = "japanese:players=3,pits=2,stones=2", "japanese:players=4,pits=2,stones=2"
MIXES = [
    ("kalah", {}),
    ("kalah:pits=3,stones=2,pie=true", {"opening_plies": (0, 4), "first": "random", "observation": "tactical"}),
    ("kalah:pits=3,stones=3", {"reward": "margin", "seat": 1, "opponent": "greedy"}),
    ("kalah:pits=3,stones=2", {"observation": "lookahead", "seat": 0, "first": 1}),
    ("kalah:pits=4,stones=2,start_position=random", {"opponent": ["minimax:depth=2"], "reward": "margin"}),
    ("oware:pits=3,stones=3,max_plies=9", {"observation": "tactical", "reward": "margin", "first": 1}),
    ("toguz_korgool:pits=3,stones=4", {"observation": "tactical", "opening_plies": (2, 2)}),
    ("japanese:pits=3,stones=2,resign=true", {"first": "random"}),
    (THREE, {"opening_plies": (0, 6), "opponent": ["greedy", "uniform"]}),
    (f"{THREE},play_out=false", {"seat": 2, "first": 1}),
    (f"{FOUR},resign=true", {"observation": "tactical", "opponent": ["greedy", "uniform", "greedy"]}),
    (f"{FOUR},max_plies=12", {"first": "random", "seat": 3}),
]


@every_mode
@pytest.mark.parametrize("spec", SMALL)
def test_every_variant_is_played_as_by_environments_of_one_game(spec, mode):
    twins = Twins(spec, 5, mode)
    twins.reset(seed=11)
    twins.play(50, np.random.default_rng(0), illegal=0.4)
    assert twins.facts["ended"] > 5 and twins.facts["illegal"] > 0
    assert twins.facts["won"] and twins.facts["lost"]


@every_mode
@pytest.mark.parametrize("spec, options", MIXES, ids=str)
def test_every_option_means_the_same(spec, options, mode):
    twins = Twins(spec, 4, mode, **options)
    twins.reset(seed=2**40)
    twins.play(50, np.random.default_rng(1))
    assert twins.facts["ended"] + twins.facts["cut_off"] > 2
    assert (twins.facts["cut_off"] > 0) == ("max_plies" in spec)


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32 - 1), mode=st.sampled_from(list(AutoresetMode)), kind=st.sampled_from(KINDS[:2]))
def test_rules_of_any_kind_are_played_as_by_environments_of_one_game(seed, mode, kind):
    rng = np.random.default_rng(seed)
    rules = Rules.sample(rng, pits=(2, 6), stones=(2, 5))
    reward = "margin" if rules.goal == "most" and rng.random() < 0.5 else "outcome"
    twins = Twins(rules, 3, mode, observation=kind, reward=reward, opening_plies=(0, int(rng.integers(4))))
    twins.reset(seed=seed)
    twins.play(20, rng)


@every_mode
def test_opponents_that_are_objects_play_the_same(mode):
    rules = variant(f"{FOUR},resign=true")
    twins = Twins(rules, 6, mode, opponent=[Hashed(rules, salt) for salt in range(3)], opening_plies=(0, 3))
    twins.reset(seed=4)
    twins.play(40, np.random.default_rng(2))
    assert twins.facts["ended"] > 6


@every_mode
def test_games_that_only_a_repetition_rule_ends_are_cut_off_alike(mode):
    twins = Twins(CIRCLING, 2, mode, opponent="greedy", seat=0)
    twins.reset(seed=0)
    twins.play(140, np.random.default_rng(0), illegal=0)
    assert twins.facts["cut_off"] > 0


@every_mode
def test_resets_in_mid_run_do_the_same(mode):
    twins = Twins("kalah:pits=3,stones=2", 5, mode, opening_plies=(0, 3), first="random")
    rng = np.random.default_rng(3)
    masks = [np.array([True, False, True, False, False]), np.array([False, True, True, True, True])]
    resets = [
        {"seed": 3},
        {},  # goes on with the chance there is
        {"seed": [9, None, 2**70, None, 9]},
        {"reset_mask": masks[0]},
        {"seed": 50, "reset_mask": masks[1]},  # game g still gets seed 50 + g
        {"seed": [None, 1, 2, 3, None], "reset_mask": masks[0]},
        {"first": 1},
        {"first": "random", "reset_mask": masks[1]},
        {"position": "1,2,0+3/2,2,1+1 1"},
        {"position": variant("kalah:pits=3,stones=2").start().play(1), "reset_mask": masks[0]},
        {},
        {"seed": 0},
    ]
    for options in resets:
        twins.reset(**options)
        twins.play(7, rng)
    assert twins.facts["ended"] > 5


def test_several_resets_of_games_that_wait_do_not_count_twice():
    twins = Twins("kalah:pits=2,stones=1", 4, AutoresetMode.NEXT_STEP)
    twins.reset(seed=1)
    twins.play(3, np.random.default_rng(0))
    while not twins.done.any():
        twins.play(1, np.random.default_rng(0))
    twins.reset(reset_mask=twins.done)  # nothing waits any more
    twins.play(20, np.random.default_rng(0))


def test_game_g_of_seed_s_is_a_game_of_seed_s_plus_g():
    env = MancalaVectorEnv("kalah:pits=3,stones=2", 4, opening_plies=(0, 5))
    env.reset(seed=10)
    episodes = transcript(env, 20)
    env.reset(seed=[10, 11, 12, 13])
    assert transcript(env, 20) == episodes
    env.reset(seed=np.array([13, 12, 11, 10]))
    for g, seed in enumerate((13, 12, 11, 10)):
        other = MancalaVectorEnv("kalah:pits=3,stones=2", 1, opening_plies=(0, 5))
        other.reset(seed=seed)
        assert env.position(g) == other.position(0)


def test_equal_seeds_are_equal_games_and_no_seed_is_none():
    env = MancalaVectorEnv(
        "kalah:pits=6,stones=4,start_position=random", 3, seat=1, opening_plies=(4, 9), first="random"
    )
    observations, infos = env.reset(seed=[5, 5, 6])
    assert (observations[0] == observations[1]).all() and infos["ply"][0] == infos["ply"][1]
    assert (observations[0] != observations[2]).any()
    starts = [told(MancalaVectorEnv(env.rules, 3, seat=1, opening_plies=(4, 9)).reset()[0]) for _ in range(3)]
    assert len(set(map(str, starts))) == 3
    assert len(set(map(str, starts[0]))) == 3


def test_a_seed_fixes_what_sample_actions_draws_whatever_was_played_before():
    def drawn(env, seed):
        env.reset(seed=seed)
        return [env.sample_actions().tolist() for _ in range(3)]

    used = MancalaVectorEnv("kalah", 8)
    used.reset(seed=1)
    used.step(used.sample_actions())
    for seed in (7, [7, 8, 9, 10, 11, 12, 13, 14]):
        assert drawn(used, seed) == drawn(MancalaVectorEnv("kalah", 8), seed)


def test_the_learner_has_the_seat_that_was_asked_for():
    for seat in range(3):
        env = MancalaVectorEnv(THREE, 20, seat=seat, opening_plies=(0, 3))
        _, infos = env.reset(seed=0)
        assert (infos["seat"] == seat).all()
        for _ in range(10):
            infos = env.step(env.sample_actions())[4]
            assert all(env.position(g).to_move == seat for g in range(20))
        assert (infos["seat"] == seat).all()


# Opponents that fail


class Fails:
    """Plays pit 0, or what it is told to once it has been asked so many times."""

    name = "fails"

    def __init__(self, rules, after, answer):
        self.rules, self.after, self.answer = rules, after, answer

    def __repr__(self):
        return "Fails()"

    def act(self, batch, seeds):
        self.after -= 1
        if self.after >= 0:
            return np.array([position.legal_moves[0] for position in batch], np.int64)
        if isinstance(self.answer, Exception):
            raise self.answer
        return np.full(len(batch), self.answer, np.int64)


@pytest.mark.parametrize("answer", [3, 7, 63, -1, 2**40, -(2**40)])
def test_an_opponent_that_breaks_the_rules_is_named(answer):
    env = MancalaVectorEnv("kalah:pits=3", 3, opponent=Fails(variant("kalah:pits=3"), 0, answer), seat=1)
    with pytest.raises(AgentError, match=rf"opponent fails chose {answer} in 4,4,4\+0.* 0; legal moves: 0, 1, 2$"):
        env.reset(seed=0)


@pytest.mark.parametrize("at", ["reset", "step"])
@pytest.mark.parametrize("calls", ["step", "action_masks", "sample_actions", "get_state", "render", "position"])
def test_after_an_error_in_mid_move_only_a_reset_goes_on(at, calls):
    """What stands half-way through the replies is no position of the learner's: it must not move there."""
    rules = variant("kalah:pits=3,stones=2")
    agent = Fails(rules, 99, RuntimeError("lost"))
    env = MancalaVectorEnv(rules, 3, opponent=agent, seat=1)
    twin = MancalaVectorEnv(rules, 3, opponent=Fails(rules, 10**6, None), seat=1)
    env.reset(seed=0)
    state = env.get_state()
    agent.after = 0
    with pytest.raises(RuntimeError, match="lost"):
        env.reset(seed=1) if at == "reset" else env.step(env.sample_actions())
    agent.after = 10**6
    arguments = {"step": [np.zeros(3, np.int64)], "position": [0]}.get(calls, [])
    with pytest.raises(CallOrderError, match=rf"{calls} after an error .*: call reset\(\) for all games first"):
        getattr(env, calls)(*arguments)
    with pytest.raises(CallOrderError, match=r"call reset\(\) for all games first"):
        env.reset(options={"reset_mask": np.array([True, False, False])})
    env.set_state(state)
    twin.reset(seed=0)
    assert transcript(env, 5) == transcript(twin, 5)
    assert told(env.reset(seed=3)) == told(twin.reset(seed=3))
    assert transcript(env, 5) == transcript(twin, 5)


def test_a_game_without_a_turn_for_the_learner_is_reported():
    with pytest.raises(BadInputError, match="uniform ended 100 games under kalah:pits=1,stones=1 before the learner"):
        MancalaVectorEnv("kalah:pits=1,stones=1", 3, seat=1).reset(seed=0)
    env = MancalaVectorEnv("kalah:pits=1,stones=1", 30)
    _, infos = env.reset(seed=0)
    assert (infos["seat"] == 0).all()
