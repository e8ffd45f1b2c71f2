"""`SelfPlayVecEnv`: every transition against an independent replay, its chances, its state and its errors."""

from collections import Counter

import numpy as np
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecCheckNan, VecMonitor

from mancala_rl import make_agent, variant
from mancala_rl.envs import sb3
from mancala_rl.envs.sb3 import SelfPlayVecEnv, Starts
from mancala_rl.errors import AgentError, BadInputError
from mancala_rl.search.uniform import Uniform
from tests.envs.replay import Hashed, Replay

KALAH = variant("kalah")
ALTERNATING = variant("kalah:extra_turn=none")  # seats take turns, so the ply tells whose turn it is

RULES = [
    KALAH,
    ALTERNATING,
    variant("kalah:pits=1,stones=1"),  # over after one move
    variant("kalah:pits=1,stones=3"),
    variant("kalah:pits=2,stones=1"),
    variant("kalah:pits=3,stones=2,pie=true"),
    variant("kalah:pits=3,stones=13,start_position=random,pie=true"),
    variant("kalah:pits=4,stones=3,end_check=on_turn,leftovers=emptier,stop_when_decided=true"),
]


def make(rules=KALAH, games=16, opponents=2, **options) -> SelfPlayVecEnv:
    return SelfPlayVecEnv(rules, games, [Hashed(rules, salt) for salt in range(opponents)], **options)


def random_actions(env, rng, illegal=0.0):
    """A random legal action in every game; now and then any number in and around the action space."""
    actions = np.where(env.action_masks(), rng.random((env.num_envs, env.rules.num_actions)), -1).argmax(axis=1)
    slips = rng.random(env.num_envs) < illegal
    return np.where(slips, rng.integers(-2, env.rules.num_actions + 2, env.num_envs), actions)


def replayed(env, steps, illegal=0.0) -> Counter:
    """Play random moves; every game that ends is replayed. Returns what happened how often."""
    rng = np.random.default_rng(0)
    observations = env.reset()
    replay = Replay(env)
    for _ in range(steps):
        masks, actions = env.env_method("action_masks"), random_actions(env, rng, illegal)
        following, rewards, dones, infos = env.step(actions)
        replay.step(observations, masks, actions, rewards, dones, infos)
        observations = following
    return replay.facts


def played(env, steps, seed=0):
    """Play random legal moves from here on and return everything the environment showed."""
    rng = np.random.default_rng(seed)
    shown = []
    for _ in range(steps):
        observations, rewards, dones, infos = env.step(random_actions(env, rng))
        ends = [tuple(sorted((key, str(value)) for key, value in info.items())) for info in infos]
        shown.append((observations.tolist(), rewards.tolist(), dones.tolist(), ends, env.action_masks().tolist()))
    return shown


def ended(env, games, seed=0):
    """The infos of the first games that end."""
    rng = np.random.default_rng(seed)
    env.reset()
    infos = []
    while len(infos) < games:
        infos += [info for info in env.step(random_actions(env, rng))[3] if info]
    return infos[:games]


# -------------------------------------------------------------------------------------------------------- transitions


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("observation, reward", [("counts", "outcome"), ("tactical", "margin")])
def test_every_transition_is_what_position_says(rules, observation, reward):
    env = make(rules, observation=observation, reward=reward)
    facts = replayed(env, 60, illegal=0.03)
    assert facts["steps"] == 60 * 16
    assert facts["episodes"] > 20 and facts["illegal"] > 5


def test_the_replay_of_kalah_sees_every_kind_of_transition():
    facts = replayed(make(games=32), 200)
    for what in ("own extra turns", "extra turns of opponents", "ends by the opponent"):
        assert facts[what] > 20, facts
    for seat in (0, 1):
        assert facts[f"seat {seat}: win"] > 20 and facts[f"seat {seat}: loss"] > 20, facts


def test_random_starts_are_replayed_too():
    facts = replayed(make(starts=[Starts(plies=(0, 24))], observation="tactical"), 60, illegal=0.03)
    assert facts["episodes"] > 60


def test_a_game_begins_at_the_start_and_at_the_learners_turn():
    env = make(games=64, opponents=1)
    env.reset()
    for position in env.batch:
        expected = KALAH.start()
        while expected.to_move != position.to_move:
            expected = expected.play(env.opponents[0].move(expected))
        assert position == expected
    assert {position.to_move for position in env.batch} == {0, 1}


@pytest.mark.parametrize("action", [-1, 0, 5, 6, 10**12, -(10**12)])
def test_an_illegal_action_loses_and_the_next_game_is_correct(action):
    env = make(games=1)
    env.reset()
    env.batch.rows[0, :14] = [0, 4, 8, 4, 8, 0, 0] * 2  # pits 0 and 5 of both seats are empty
    observations, rewards, dones, infos = env.step(np.array([action]))
    assert rewards[0] == -1 and dones[0] and infos[0]["illegal_move"] is True
    assert infos[0]["terminal_observation"][:6].tolist() == [0, 4, 8, 4, 8, 0]
    assert env.pop_results().reward.tolist() == [-1]
    assert sum(observations[0]) == KALAH.total and env.batch[0].ply <= 3
    replay = Replay(env)
    rng = np.random.default_rng(0)
    while not replay.facts["episodes"]:
        masks, actions = env.action_masks(), random_actions(env, rng)
        following, rewards, dones, infos = env.step(actions)
        replay.step(observations, masks, actions, rewards, dones, infos)
        observations = following


def test_margin_reward_is_the_share_of_stones_won_by():
    env = make(games=1, reward="margin", seat=0)
    (info,) = ended(env, 1)
    own, other = info["scores"]
    assert info["episode"]["r"] == pytest.approx((own - other) / 48)
    assert env.pop_results().reward[0] == pytest.approx((own - other) / 48)


def test_results_tell_opponent_seat_and_reward_of_every_game_once():
    env = make(games=8, opponents=3)
    infos = []
    rng = np.random.default_rng(1)
    env.reset()
    for _ in range(40):
        infos += [info for info in env.step(random_actions(env, rng))[3] if info]
    results = env.pop_results()
    names = [env.opponents[index].name for index in results.opponent]
    told = sorted(zip(names, results.seat.tolist(), results.reward.tolist(), strict=True))
    assert told == sorted((info["opponent"], info["seat"], info["episode"]["r"]) for info in infos)
    assert len(env.pop_results().reward) == 0


# -------------------------------------------------------------------------------------------------------- tiny boards


@pytest.mark.parametrize("seat", [0, "random"])
def test_games_the_opponent_ends_before_the_learner_moves_are_drawn_again(seat):
    rules = variant("kalah:pits=1,stones=1")
    env = make(rules, games=50, seat=seat)
    observations = env.reset()
    assert observations.tolist() == [[1, 0, 1, 0]] * 50  # as seat 1 there is never a decision
    _, rewards, dones, infos = env.step(np.zeros(50, np.int64))
    assert dones.all() and (rewards == 0).all() and {info["seat"] for info in infos} == {0}
    assert len(env.pop_results().reward) == 50


def test_a_seat_that_never_decides_is_an_error_and_no_endless_loop(monkeypatch):
    monkeypatch.setattr(sb3, "_MOST_REDRAWS", 100)
    with pytest.raises(BadInputError, match=r"seat=1: games of kalah:pits=1,stones=1 are over before"):
        make(variant("kalah:pits=1,stones=1"), seat=1).reset()


# ------------------------------------------------------------------------------------------------------------ chances


def test_seats_are_random_or_fixed():
    seats = [info["seat"] for info in ended(make(games=200), 1000)]
    assert 0.45 < np.mean(seats) < 0.55
    for seat in (0, 1):
        assert {info["seat"] for info in ended(make(seat=seat), 40)} == {seat}


def test_opponents_are_drawn_by_weight_in_first_and_in_later_games():
    opponents = [Uniform(KALAH, name) for name in "abcd"]
    env = SelfPlayVecEnv(KALAH, 2000, opponents, [5, 0, 3, 2])
    rng = np.random.default_rng(0)
    env.reset()
    met: list[list[str]] = [[] for _ in range(2000)]
    while min(map(len, met)) < 2:  # the games of one slot follow each other, so short ones are not counted too often
        for names, info in zip(met, env.step(random_actions(env, rng))[3], strict=True):
            names += [info["opponent"]] if info else []
    for number in (0, 1):
        shares = Counter(names[number] for names in met)
        assert shares["b"] == 0
        for name, odds in (("a", 0.5), ("c", 0.3), ("d", 0.2)):
            assert abs(shares[name] / 2000 - odds) < 0.04, shares


def test_starts_lie_within_their_bounds_and_every_length_is_as_likely():
    plies = Counter()
    env = make(ALTERNATING, games=4000, opponents=1, seat=0, starts=[Starts(plies=(0, 3))])
    env.reset()
    plies.update(env.batch.ply.tolist())
    assert set(plies) == {0, 2, 4}  # after one or three random moves the opponent makes the next
    for ply, odds in ((0, 0.25), (2, 0.5), (4, 0.25)):
        assert abs(plies[ply] / 4000 - odds) < 0.03, plies


def test_a_start_of_fixed_length_has_that_length():
    env = make(ALTERNATING, games=100, opponents=1, seat=1, starts=[Starts(plies=(3, 3))])
    env.reset()
    assert (env.batch.ply == 3).all()
    assert len({str(position) for position in env.batch}) > 50


def test_kinds_of_starts_are_drawn_by_weight():
    starts = [Starts(0.7, (0, 0)), Starts(2.1, (10, 10)), Starts(4.2, (20, 20))]
    env = make(ALTERNATING, games=4000, opponents=1, seat=0, starts=starts)
    env.reset()
    plies = env.batch.ply
    for low, odds in ((0, 0.1), (10, 0.3), (20, 0.6)):
        assert abs(((low <= plies) & (plies <= low + 1)).mean() - odds) < 0.03


def test_random_starts_never_end_the_game():
    env = make(variant("kalah:pits=2,stones=2"), games=500, starts=[Starts(plies=(0, 50))])
    env.reset()
    assert not env.batch.over.any()


def test_every_move_of_an_opponent_has_a_seed_of_its_own():
    seeds = []

    class Listening(Hashed):
        def act(self, batch, drawn):
            seeds.extend(drawn.tolist())
            return super().act(batch, drawn)

    env = SelfPlayVecEnv(KALAH, 32, [Listening(KALAH)])
    env.reset()
    played(env, 40)
    assert len(seeds) > 1000 and len(set(seeds)) == len(seeds)


# --------------------------------------------------------------------------------------------------- seeds and states


def mixed(seed=0, **options) -> SelfPlayVecEnv:
    """Opponents with chance in them, which must come from the seed as well."""
    opponents = [make_agent(spec, KALAH) for spec in ("uniform", "greedy", "minimax:depth=2")]
    return SelfPlayVecEnv(KALAH, 12, opponents, starts=[Starts(plies=(0, 6))], seed=seed, **options)


def test_equal_seeds_give_equal_games_and_others_do_not():
    envs = [mixed(0), mixed(0), mixed(1)]
    firsts = [env.reset().tolist() for env in envs]
    assert firsts[0] == firsts[1] != firsts[2]
    games = [played(env, 60) for env in envs]
    assert games[0] == games[1] != games[2]


def test_seed_restarts_everything_at_the_next_reset():
    env = mixed(3)
    first = env.reset().tolist(), played(env, 30)
    assert env.seed(3) == [3] * 12
    assert (env.reset().tolist(), played(env, 30)) == first


def test_a_state_taken_in_the_middle_of_games_continues_identically():
    env = mixed()
    env.reset()
    played(env, 25)
    state = env.get_state()
    masks = env.action_masks().tolist()
    expected = played(env, 60, seed=9)
    results = env.pop_results()
    env.set_state(state)
    assert env.action_masks().tolist() == masks
    assert played(env, 60, seed=9) == expected
    other = mixed(seed=77)  # in another environment too, reset or not
    other.set_state(state)
    assert played(other, 60, seed=9) == expected
    again = other.pop_results()
    assert again.reward.tolist() == results.reward[-len(again.reward) :].tolist()


def test_a_state_does_not_change_when_the_games_go_on():
    env = mixed()
    env.reset()
    state = env.get_state()
    rows = state["rows"].copy()
    played(env, 10)
    assert (state["rows"] == rows).all()


# ------------------------------------------------------------------------------------------------- what SB3 relies on


def test_spaces_shapes_and_types():
    env = make(observation="tactical")
    observations = env.reset()
    assert env.num_envs == 16 and env.action_space.n == 6 and env.observation_space.shape == (50,)
    for _ in range(50):
        assert observations.shape == (16, 50) and observations.dtype == env.observation_space.dtype
        assert all(env.observation_space.contains(row) for row in observations)
        observations, rewards, dones, infos = env.step(random_actions(env, np.random.default_rng(0)))
        assert rewards.shape == dones.shape == (16,)
        assert (rewards.dtype, dones.dtype) == (np.float32, np.bool_)
        assert isinstance(infos, list) and len(infos) == 16
        for g in np.flatnonzero(dones):
            assert env.observation_space.contains(infos[g]["terminal_observation"])


def test_what_was_returned_is_never_changed_by_a_later_step():
    env = make()
    first = env.reset()
    kept = [first, *env.step(random_actions(env, np.random.default_rng(0)))[:3], env.action_masks()]
    copies = [array.copy() for array in kept]
    played(env, 20)
    assert all((array == copy).all() for array, copy in zip(kept, copies, strict=True))


def test_action_masks_come_as_one_batch():
    env = make(games=7)
    env.reset()
    masks = env.env_method("action_masks")
    assert masks.shape == (7, 6) and masks.dtype == np.bool_ and masks.any(axis=1).all()
    assert (env.env_method("action_masks", indices=[4, 1]) == masks[[4, 1]]).all()
    assert (env.env_method("action_masks", indices=2) == masks[[2]]).all()
    assert is_masking_supported(env) and (get_action_masks(env) == masks).all()


def test_attributes_and_methods_are_those_of_every_game():
    env = make(games=3)
    assert env.get_attr("reward") == ["outcome"] * 3 and env.get_attr("reward", [0]) == ["outcome"]
    env.set_attr("reward", "margin")
    assert env.reward == "margin"
    assert env.env_method("seed", 5, indices=[0, 2]) == [[5, 5, 5]] * 2
    assert not env.has_attr("no_such_thing") and env.env_is_wrapped(Monitor) == [False] * 3
    assert env.render_mode is None
    env.close()


def test_the_wrappers_of_sb3_fit():
    env = VecCheckNan(VecMonitor(make()), raise_exception=True)
    env.reset()
    rng = np.random.default_rng(0)
    episodes = []
    for _ in range(40):
        episodes += [info["episode"] for info in env.step(random_actions(env.unwrapped, rng))[3] if info]
    assert episodes and all(episode["r"] in (-1, 0, 1) for episode in episodes)


# ------------------------------------------------------------------------------------------------------------- errors


class Stubborn:
    """An opponent that always answers the same."""

    def __init__(self, answer) -> None:
        self.rules, self.name, self.answer = KALAH, "stubborn", answer

    def act(self, batch, seeds):
        return self.answer(len(batch))


@pytest.mark.parametrize("answer", [lambda n: np.full(n, 6), lambda n: np.full(n, -1), lambda n: np.zeros(n + 1)])
def test_an_opponent_that_moves_illegally_is_named(answer):
    with pytest.raises(AgentError, match=r"opponent stubborn: .*(illegal|expected)"):
        SelfPlayVecEnv(KALAH, 8, [Stubborn(answer)], seat=1).reset()


@pytest.mark.parametrize(
    "options, message",
    [
        ({"games": 0}, "num_games=0"),
        ({"opponents": 0}, "at least one agent"),
        ({"weights": [1]}, "one for each of 2"),
        ({"weights": [0, 0]}, "not all 0"),
        ({"weights": [1, -1]}, "numbers >= 0"),
        ({"weights": [1, float("nan")]}, "numbers >= 0"),
        ({"seat": 2}, "seat=2"),
        ({"seat": "first"}, "seat='first'"),
        ({"observation": "pixels"}, "observation='pixels': expected one of counts, tactical"),
        ({"reward": "money"}, "reward='money': expected one of outcome, margin"),
        ({"starts": []}, "starts"),
    ],
)
def test_impossible_arguments_are_refused(options, message):
    with pytest.raises(BadInputError, match=message):
        make(**options)


@pytest.mark.parametrize(
    "start",
    [{"weight": 0}, {"weight": -1}, {"weight": float("inf")}, {"plies": (3, 2)}, {"plies": (-1, 2)}, {"plies": (1,)}],
)
def test_impossible_starts_are_refused(start):
    with pytest.raises(BadInputError, match=rf"^{next(iter(start))}=.*: expected"):
        Starts(**start)


def test_opponents_must_play_the_same_rules_and_be_enough_for_the_games_under_way():
    env = make(games=64, opponents=3)
    with pytest.raises(BadInputError, match="expected an agent for kalah"):
        env.set_opponents([Hashed(ALTERNATING)])
    env.reset()
    with pytest.raises(BadInputError, match="games under way need 3, got 1"):
        env.set_opponents([Hashed(KALAH)])
    env.set_opponents([Hashed(KALAH, 7), *env.opponents], [1, 0, 0, 0])
    assert replayed(env, 40)["episodes"] > 20
