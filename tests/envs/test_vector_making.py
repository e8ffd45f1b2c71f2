"""Batched environments as Gymnasium makes, describes and wraps them, and the arrays that they return."""

from itertools import pairwise

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorWrapper
from gymnasium.wrappers import vector as wrappers

from mancala_rl import MancalaVectorEnv, SelfPlayVectorEnv, variant
from mancala_rl.envs.registration import SINGLE_AGENT
from mancala_rl.errors import RulesError
from tests.envs.batched import RECORDS, SMALL, check_infos, every_mode, told, transcript

KALAH = "kalah:pits=3,stones=2"
every_kind = pytest.mark.parametrize("kind", [MancalaVectorEnv, SelfPlayVectorEnv])

# By their ids


@pytest.mark.parametrize("name", SINGLE_AGENT)
def test_every_id_makes_a_batched_environment(name):
    env = gymnasium.make_vec(name, num_envs=3)
    assert isinstance(env, MancalaVectorEnv)
    assert env.rules == variant(SINGLE_AGENT[name])
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert env.spec.id == name
    env.reset(seed=0)
    assert env.step(env.sample_actions())[0].shape == (3, env.rules.num_cells)
    env.close()


@pytest.mark.parametrize("name", SINGLE_AGENT)
def test_gymnasiums_own_batch_of_every_id_plays_the_same_games(name):
    options = {"pits": 3, "stones": 2, "opponent": "greedy", "reward": "outcome", "first": "random"}
    own = gymnasium.make_vec(name, num_envs=3, autoreset_mode="NEXT_STEP", **options)
    other = gymnasium.make_vec(name, num_envs=3, vectorization_mode="sync", **options)
    assert isinstance(other, SyncVectorEnv)
    assert other.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert own.single_observation_space == other.single_observation_space
    assert own.observation_space == other.observation_space
    assert (own.single_action_space, own.action_space) == (other.single_action_space, other.action_space)
    assert (own.reset(seed=4)[0] == other.reset(seed=4)[0]).all()
    for _ in range(30):
        actions = own.sample_actions()
        for mine, yours in zip(own.step(actions)[:4], other.step(actions)[:4], strict=True):
            assert (mine == yours).all()
    own.close()
    other.close()


def test_options_pass_through_the_registry():
    env = gymnasium.make_vec(
        "mancala/Mancala-v0",
        num_envs=2,
        rules=["oware", KALAH],
        records="random",
        opponent="greedy",
        seat=1,
        threads=2,
        copy=False,
        observation="tactical",
        autoreset_mode=AutoresetMode.DISABLED,
        render_mode="ansi",
        opening_plies=(1, 2),
    )
    assert [str(rules) for rules in env.records] == ["oware", KALAH]
    assert (
        env.record_choice,
        env.seat,
        env.threads,
        env.copy,
        env.observation_kind,
        env.render_mode,
        env.opening_plies,
    ) == (
        "random",
        1,
        2,
        False,
        "tactical",
        "ansi",
        (1, 2),
    )
    assert env.autoreset_mode is env.metadata["autoreset_mode"] is AutoresetMode.DISABLED
    with pytest.raises(RulesError, match="no option 'pit'; did you mean 'pits'"):
        gymnasium.make_vec("mancala/Kalah-v0", num_envs=2, pit=5)
    assert gymnasium.make_vec("mancala/Oware-v0", num_envs=2, pits=4).rules == variant("oware:pits=4")
    assert gymnasium.make_vec("mancala_rl:mancala/Kalah-v0").num_envs == 1


# Spaces


@every_mode
@every_kind
@pytest.mark.parametrize(
    "options", [{"rules": spec} for spec in SMALL] + [{"rules": RECORDS, "records": "random"}], ids=str
)
def test_the_spaces_hold_what_is_returned(kind, options, mode):
    env = kind(num_envs=5, autoreset_mode=mode, observation="tactical", first="random", **options)
    observations, infos = env.reset(seed=0)
    seat = "seat" if kind is MancalaVectorEnv else "to_move"
    for _ in range(25):
        assert env.observation_space.contains(observations)
        assert all(env.single_observation_space.contains(one) for one in observations)
        check_infos(infos, 5, int(env.single_action_space.n), max(rules.players for rules in env.records), seat)
        actions = env.sample_actions()
        assert actions.dtype == np.int64 and env.action_space.contains(actions)
        assert (infos["action_mask"][np.arange(5), actions] == infos["action_mask"].any(axis=1)).all()
        observations, rewards, ended, cut_off, infos = env.step(actions)
        assert rewards.dtype == np.float64 and ended.dtype == cut_off.dtype == np.bool_
        assert not (ended & cut_off).any()
        for view in infos.get("final_obs", ()):
            assert view is None or env.single_observation_space.contains(view)
        if mode == AutoresetMode.DISABLED and (ended | cut_off).any():
            observations, infos = env.reset(options={"reset_mask": ended | cut_off})


def test_sampled_actions_are_legal_and_evenly_drawn():
    env = SelfPlayVectorEnv("kalah", 3000)
    env.reset(seed=0)
    counts = np.bincount(env.sample_actions(), minlength=6)
    assert abs(counts - 500).max() < 5 * np.sqrt(500)
    env.step(np.arange(3000) % 6)
    actions = env.sample_actions()
    assert env.action_masks()[np.arange(3000), actions].all()


# Pictures


@every_kind
@pytest.mark.parametrize("mode", ["ansi", "svg"])
def test_every_game_is_drawn(kind, mode):
    env = kind(RECORDS[:3], 3, render_mode=mode)
    env.reset(seed=0)
    pictures = env.render()
    assert len(pictures) == 3 and len(set(pictures)) == 3
    assert all(isinstance(picture, str) for picture in pictures)
    name = "learner" if kind is MancalaVectorEnv else "player_0"
    assert all(name in picture for picture in pictures)


def test_the_learner_is_named_at_its_own_side():
    env = MancalaVectorEnv("japanese:players=3", 3, render_mode="ansi", opponent=["greedy", "uniform"])
    env.reset(seed=2)
    for g in range(3):
        seat = env.reset(seed=2)[1]["seat"][g]
        names = env._names(g, 3)
        assert [names[(seat + turn) % 3] for turn in range(3)] == ["learner", "greedy", "uniform"]


def test_a_game_lost_by_an_illegal_move_says_so():
    env = SelfPlayVectorEnv(KALAH, 2, render_mode="ansi", autoreset_mode="DISABLED")
    env.reset(options={"position": "0,2,2+2/2,2,2+0 0"})
    env.step([0, 1])
    lost, other = env.render()
    assert "illegal" in lost and "illegal" not in other


# Wrappers


def test_statistics_of_episodes_are_recorded():
    env = wrappers.RecordEpisodeStatistics(MancalaVectorEnv(KALAH, 4, autoreset_mode="NEXT_STEP", opponent="greedy"))
    env.reset(seed=0)
    lengths, waits, seen = np.zeros(4, np.int64), np.zeros(4, np.bool_), 0
    for _ in range(60):
        _, rewards, ended, _, infos = env.step(env.unwrapped.sample_actions())
        lengths = np.where(waits, 0, lengths + 1)
        waits = ended
        if ended.any():
            assert (infos["_episode"] == ended).all()
            assert infos["episode"]["l"][ended].tolist() == lengths[ended].tolist()
            assert infos["episode"]["r"][ended].tolist() == rewards[ended].tolist()
            seen += int(ended.sum())
    assert env.episode_count == seen > 10
    assert set(env.return_queue) <= {-1.0, 0.0, 1.0}


@every_mode
@every_kind
def test_infos_are_made_into_lists(kind, mode):
    env = wrappers.DictInfoToList(kind(KALAH, 3, autoreset_mode=mode))
    _, infos = env.reset(seed=0)
    assert [info["ply"] for info in infos] == [env.unwrapped.position(g).ply for g in range(3)]
    ends = 0
    for _ in range(20):
        *_, ended, _, infos = env.step(env.unwrapped.sample_actions())
        for g in range(3):
            assert (
                ("final_info" in infos[g])
                == ("final_obs" in infos[g])
                == (ended[g] and mode == AutoresetMode.SAME_STEP)
            )
        ends += int(ended.sum())
        if mode == AutoresetMode.DISABLED and ended.any():
            env.reset(options={"reset_mask": ended})
    assert ends


@every_kind
def test_observations_are_transformed_by_gymnasiums_own_wrapper(kind):
    """Gymnasium's refuses SAME_STEP, where it would leave `final_obs` as it is."""
    space = Box(0.0, 1.0, (8,), np.float32)
    env = wrappers.TransformObservation(
        kind(KALAH, 3, autoreset_mode="NEXT_STEP"), lambda seen: (seen / 12).astype(np.float32), None, space
    )
    twin = kind(KALAH, 3, autoreset_mode="NEXT_STEP")
    seen, own = env.reset(seed=0)[0], twin.reset(seed=0)[0]
    for _ in range(10):
        assert env.observation_space.contains(seen)
        assert seen == pytest.approx(own / 12)
        actions = twin.sample_actions()
        seen, own = env.step(actions)[0], twin.step(actions)[0]
    env.close()
    assert env.unwrapped.closed


class Halved(VectorWrapper):
    """Halves observations, those of the end of a game too."""

    def reset(self, *, seed=None, options=None):
        observations, infos = self.env.reset(seed=seed, options=options)
        return observations / 2, infos

    def step(self, actions):
        observations, *rest, infos = self.env.step(actions)
        if "final_obs" in infos:
            final = infos["final_obs"]
            for g in np.flatnonzero(infos["_final_obs"]).tolist():
                final[g] = final[g] / 2
        return observations / 2, *rest, infos


@every_kind
def test_a_wrapper_may_change_the_observations_at_the_end_too(kind):
    env, twin = Halved(kind(KALAH, 4)), kind(KALAH, 4)
    env.reset(seed=0)
    twin.reset(seed=0)
    ends = 0
    for _ in range(25):
        actions = twin.sample_actions()
        observations, *_, infos = env.step(actions)
        own, *_, own_infos = twin.step(actions)
        assert (observations == own / 2).all()
        for mine, yours in zip(infos.get("final_obs", ()), own_infos.get("final_obs", ()), strict=True):
            assert (mine is None and yours is None) or (mine == yours / 2).all()
            ends += yours is not None
    assert ends


@every_kind
def test_rewards_are_clipped_by_gymnasiums_own_wrapper(kind):
    env = wrappers.ClipReward(kind(KALAH, 4), -0.5, 0.5)
    env.reset(seed=0)
    rewards = np.concatenate([np.ravel(env.step(env.unwrapped.sample_actions())[1]) for _ in range(30)])
    assert {-0.5, 0.5} <= set(rewards.tolist()) <= {-0.5, 0.0, 0.5}


# Arrays


def returned_arrays(value, path=""):
    """Every array in what a step returns, by its name."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from returned_arrays(item, f"{path}.{key}")
    elif isinstance(value, tuple) or (isinstance(value, np.ndarray) and value.dtype == object):
        for number, item in enumerate(value):
            yield from returned_arrays(item, f"{path}[{number}]")
    elif isinstance(value, np.ndarray):
        yield path, value


OPTIONS = [
    {},
    {"rules": RECORDS, "records": "random", "observation": "tactical"},
    {"autoreset_mode": "NEXT_STEP", "threads": 2},
]


@every_kind
@pytest.mark.parametrize("options", OPTIONS, ids=["plain", "mixed", "threads"])
def test_what_a_step_returned_is_never_touched_again(kind, options):
    env = kind(num_envs=6, **{"rules": KALAH, **options})
    kept = [env.reset(seed=0)]
    values = [told(kept[0])]
    for number in range(30):
        kept.append(env.step(env.sample_actions()) if number != 20 else env.reset())
        values.append(told(kept[-1]))
    for step, value in zip(kept, values, strict=True):
        assert told(step) == value
    shared = {"_action_mask", "_scores", "_extra_turn", "_captured", "_decided", "_ply", "_seat", "_to_move", "_record"}
    for one, other in pairwise(kept):
        mine, yours = dict(returned_arrays(one)), dict(returned_arrays(other))
        for name in set(mine) & set(yours):
            if name.rpartition(".")[2] in shared and "final" not in name:
                assert not mine[name].flags.writeable, "what steps share cannot be written"
            else:
                assert not np.shares_memory(mine[name], yours[name]), name
                assert mine[name].flags.writeable, name


@every_kind
@pytest.mark.parametrize("options", OPTIONS, ids=["plain", "mixed", "threads"])
def test_without_copies_the_same_arrays_are_returned_with_the_same_values(kind, options):
    env, twin = (kind(num_envs=6, copy=copy, **{"rules": KALAH, **options}) for copy in (False, True))
    one, other = env.reset(seed=0), twin.reset(seed=0)
    ends = 0
    for number in range(40):
        assert told(one) == told(other)
        actions = twin.sample_actions()
        before, final = one, told(one[-1].get("final_obs"))
        one, other = (env.step(actions), twin.step(actions)) if number != 20 else (env.reset(), twin.reset())
        assert np.shares_memory(one[0], before[0])
        for name in ("action_mask", "scores", "ply", "decided"):
            assert np.shares_memory(one[-1][name], before[-1][name]), name
        assert told(before[-1].get("final_obs")) == final, "the end of a game is the caller's"
        ends += final is not None
    assert ends or options.get("autoreset_mode") == "NEXT_STEP"


@every_kind
@pytest.mark.parametrize("copy", [True, False])
def test_writing_into_what_was_returned_changes_no_game(kind, copy):
    env, twin = kind(KALAH, 6, copy=copy), kind(KALAH, 6)
    returned = env.reset(seed=0)
    twin.reset(seed=0)
    for number in range(20):
        actions = twin.sample_actions()
        for _, array in returned_arrays(returned):
            if array.flags.writeable:
                array[:] = 77
        for array in (env.action_masks(), *([env.to_move] if kind is SelfPlayVectorEnv else [])):
            array[:] = 0
        returned = env.step(actions)
        assert told(returned) == told(twin.step(actions)), number


def test_actions_are_not_kept():
    env, twin = SelfPlayVectorEnv(KALAH, 3), SelfPlayVectorEnv(KALAH, 3)
    env.reset(seed=0)
    twin.reset(seed=0)
    actions = np.array([0, 1, 2])
    env.step(actions)
    assert actions.tolist() == [0, 1, 2]
    actions[:] = 99
    twin.step([0, 1, 2])
    assert transcript(env, 5) == transcript(twin, 5)
