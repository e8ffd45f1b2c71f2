"""A vector environment as tensors: the same numbers, no copies on the processor, no overwritten transfers to a GPU."""

import numpy as np
import pytest
import torch
from gymnasium.spaces import Box, MultiDiscrete
from gymnasium.vector import VectorEnv

from mancala_rl.envs.vector import MancalaVectorEnv, SelfPlayVectorEnv
from mancala_rl.errors import BadInputError
from mancala_rl.learning import tensors
from mancala_rl.learning.tensors import Staging, TensorVectorEnv

GAMES, SIZE, ACTIONS = 5, 7, 3  # odd numbers, so that no part of a buffer ends where the next could start
NAMES = ("observations", "rewards", "terminations", "truncations")
TOLD = ("action_mask", "to_move")

needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device that PyTorch can see")


class Noise(VectorEnv):
    """Returns random arrays of the right types, fresh ones or the same ones again, and keeps them."""

    def __init__(self, players=0, copy=True, games=GAMES):
        self.num_envs, self.copy = games, copy
        self.single_observation_space = Box(-1, 48, (SIZE,), np.int16)
        self.action_space = MultiDiscrete([ACTIONS] * games)
        self._rng = np.random.default_rng(0)
        self.made = {
            "observations": np.zeros((games, SIZE), np.int16),
            "rewards": np.zeros((games, players) if players else games, np.float64),
            "terminations": np.zeros(games, np.bool_),
            "truncations": np.zeros(games, np.bool_),
            "action_mask": np.zeros((games, ACTIONS), np.int8),
        }
        if players:
            self.made["to_move"] = np.zeros((games, 2), np.int64)[:, 1]  # a column, as the environments make it
        self.played = self.asked = None

    def make(self):
        if self.copy:
            self.made = {name: array.copy() for name, array in self.made.items()}
        for name, array in self.made.items():
            array[:] = self._rng.integers(-1 if name == "observations" else 0, 2, array.shape)
        self.infos = {name: self.made[name] for name in TOLD if name in self.made}
        self.infos["final_obs"] = np.full(self.num_envs, None, object)

    def reset(self, *, seed=None, options=None):
        self.make()
        self.asked = (seed, options)
        return self.made["observations"], self.infos

    def step(self, actions):
        self.make()
        self.played = actions
        return *(self.made[name] for name in NAMES), self.infos


class LateLink:
    """A device whose transfers take place as late as they may: when somebody waits for them."""

    def __init__(self, device=None):
        self.allocated, self.transfers = [], []

    def allocate(self, size):
        self.allocated.append(size)
        return torch.zeros(size, dtype=torch.uint8)

    def transfer(self, host):
        late = Late(host)
        self.transfers.append(late)
        return late.copy, late

    def finish(self):
        for late in self.transfers:
            late.synchronize()


class Late:
    def __init__(self, host):
        self.host, self.copy, self.done = host, torch.full_like(host, 77), False

    def synchronize(self):
        if not self.done:
            self.copy.copy_(self.host)
            self.done = True


def random_arrays(rng, games=GAMES):
    return {
        "observations": rng.integers(-1, 49, (games, SIZE)).astype(np.int16),
        "mask": rng.random((games, ACTIONS)) < 0.5,
        "rewards": rng.random(games).astype(np.float32),
        "wide": rng.random((games, 2)),
    }


def tensors_of(results):
    """What `step` returned, by name."""
    *parts, infos = results
    return dict(zip(NAMES, parts, strict=True)) | {name: infos[name] for name in TOLD if name in infos}


def is_equal(sent, arrays):
    return sent.keys() == arrays.keys() and all(
        np.array_equal(sent[name].cpu().numpy(), array) for name, array in arrays.items()
    )


# On the processor


@pytest.mark.parametrize("players", [0, 2, 3])
def test_a_step_gives_the_same_numbers_in_the_promised_types(players):
    env = Noise(players)
    results = TensorVectorEnv(env).step(np.zeros(GAMES, np.int64))
    sent = tensors_of(results)
    assert is_equal(sent, env.made)
    types = {"observations": torch.int16, "rewards": torch.float32, "to_move": torch.int64}
    assert {name: tensor.dtype for name, tensor in sent.items()} == {name: types.get(name, torch.bool) for name in sent}
    assert all(tensor.shape == env.made[name].shape for name, tensor in sent.items())


def test_on_the_processor_nothing_but_the_rewards_is_copied():
    env = Noise(players=2)
    wrapped = TensorVectorEnv(env)
    sent = tensors_of(wrapped.step(np.zeros(GAMES, np.int64)))
    for name in sent.keys() - {"rewards"}:
        assert sent[name].data_ptr() == env.made[name].ctypes.data, name
        sent[name][:] = 1
        assert (env.made[name] == 1).all(), name
    observations, infos = wrapped.reset()
    assert observations.data_ptr() == env.made["observations"].ctypes.data
    assert infos["action_mask"].data_ptr() == env.made["action_mask"].ctypes.data


def test_tensors_stay_as_they_are_unless_the_environment_writes_into_its_arrays_again():
    for copy in (True, False):
        env = TensorVectorEnv(Noise(copy=copy))
        first, _ = env.reset()
        kept = first.clone()
        for _ in range(3):
            env.step(np.zeros(GAMES, np.int64))
        assert torch.equal(first, kept) == copy


def test_an_array_that_must_not_be_written_to_is_copied():
    array = np.arange(3)
    array.flags.writeable = False
    shared = tensors.share({"a": array})["a"]
    shared += 1
    assert array.tolist() == [0, 1, 2]


@pytest.mark.parametrize("dtype", [torch.float32, torch.int64, torch.bfloat16])
def test_observations_are_converted_on_request(dtype):
    env = Noise()
    wrapped = TensorVectorEnv(env, dtype=dtype)
    for seen in (wrapped.reset()[0], wrapped.step(np.zeros(GAMES, np.int64))[0]):
        assert seen.dtype == dtype
    assert seen.tolist() == env.made["observations"].tolist()


def test_reset_passes_its_arguments_on_and_infos_keep_the_rest():
    env = Noise()
    observations, infos = TensorVectorEnv(env).reset(seed=3, options={"first": 1})
    assert env.asked == (3, {"first": 1})
    assert observations.tolist() == env.made["observations"].tolist()
    assert infos["action_mask"].tolist() == env.made["action_mask"].astype(bool).tolist()
    assert infos["final_obs"] is env.infos["final_obs"]
    assert env.infos["action_mask"] is env.made["action_mask"], "the environment's own infos are left alone"


@pytest.mark.parametrize(
    "actions",
    [
        torch.arange(GAMES),
        torch.arange(GAMES, dtype=torch.int32),
        torch.arange(GAMES, dtype=torch.uint8),
        torch.arange(2 * GAMES)[::2] // 2,
        np.arange(GAMES),
        list(range(GAMES)),
    ],
    ids=lambda actions: f"{type(actions).__name__} {getattr(actions, 'dtype', '')}",
)
def test_actions_arrive_as_the_environment_wants_them(actions):
    env = Noise()
    TensorVectorEnv(env).step(actions)
    assert env.played.dtype == np.int64
    assert env.played.tolist() == list(range(GAMES))


def test_a_mask_of_games_to_reset_may_be_a_tensor():
    env = Noise()
    TensorVectorEnv(env).reset(options={"reset_mask": torch.tensor([True, False] * 2 + [True]), "first": 1})
    asked = env.asked[1]
    assert isinstance(asked["reset_mask"], np.ndarray)
    assert asked["reset_mask"].tolist() == [True, False] * 2 + [True]
    assert asked["first"] == 1


def test_what_is_no_action_is_left_for_the_environment_to_refuse():
    env = Noise()
    TensorVectorEnv(env).step(torch.tensor([0.5] * GAMES, requires_grad=True))
    assert env.played.dtype == np.float32


def test_spaces_and_the_number_of_games_are_those_of_the_environment():
    env = Noise()
    wrapped = TensorVectorEnv(env)
    assert wrapped.num_envs == GAMES
    assert wrapped.single_observation_space is env.single_observation_space
    assert wrapped.unwrapped is env


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"env": 3}, r"env=3: expected a vector environment, such as SelfPlayVectorEnv"),
        ({"dtype": "float32"}, "dtype='float32': expected a type of PyTorch, such as torch.float32"),
        ({"device": "gpu"}, "device='gpu': expected cpu, cuda, or cuda:1"),
        ({"device": torch.device("meta")}, "device='meta': expected cpu, cuda"),
        ({"device": 1.5}, "device='1.5': expected cpu, cuda"),
        ({"device": "cuda:99"}, r"device='cuda:99': PyTorch sees \d+ CUDA devices here; use one of them, or cpu"),
    ],
    ids=str,
)
def test_a_wrong_argument_is_named(arguments, message):
    with pytest.raises(BadInputError, match=message):
        TensorVectorEnv(**{"env": Noise(), **arguments})


@pytest.mark.parametrize(
    "make",
    [
        lambda: SelfPlayVectorEnv("kalah:pits=3,stones=2", 9),
        lambda: SelfPlayVectorEnv("japanese:players=3,pits=2,stones=2", 9, copy=False),
        lambda: MancalaVectorEnv("oware:pits=3,stones=3,max_plies=9", 9, opponent="greedy"),
    ],
    ids=["self-play", "three players, copy=False", "one seat"],
)
def test_our_environments_play_the_same_games_in_tensors(make):
    env, wrapped = make(), TensorVectorEnv(make(), dtype=torch.float32)
    seen, infos = env.reset(seed=4)
    same, told = wrapped.reset(seed=4)
    ends = 0
    for _ in range(40):
        assert same.dtype == torch.float32
        assert same.tolist() == seen.tolist()
        assert told.keys() == infos.keys()
        assert told["action_mask"].tolist() == (infos["action_mask"] > 0).tolist()
        actions = told["action_mask"].int().argmax(1)
        seen, *parts, infos = env.step(actions.numpy())
        same, *tensors_of_parts, told = wrapped.step(actions)
        for part, tensor in zip(parts, tensors_of_parts, strict=True):
            assert tensor.tolist() == part.astype(np.float32 if part.dtype == np.float64 else bool).tolist()
        ends += int(parts[1].sum() + parts[2].sum())
    assert ends


# The way to a device


def test_no_buffer_is_overwritten_before_its_transfer_has_ended():
    link, rng = LateLink(), np.random.default_rng(1)
    staging = Staging(link)
    made = [random_arrays(rng) for _ in range(7)]
    sent = [staging.send(arrays) for arrays in made]
    link.finish()
    for arrays, copies in zip(made, sent, strict=True):
        assert is_equal(copies, arrays)
        assert all(copies[name].shape == array.shape for name, array in arrays.items())


@pytest.mark.parametrize("buffers", [1, 2, 3])
def test_only_the_transfer_out_of_the_same_buffer_is_waited_for(buffers):
    link, rng = LateLink(), np.random.default_rng(2)
    staging = Staging(link, buffers)
    for number in range(1, 8):
        staging.send(random_arrays(rng))
        assert [late.done for late in link.transfers] == [i < number - buffers for i in range(number)]


def test_buffers_are_used_again_and_grow_when_they_have_to():
    link, rng = LateLink(), np.random.default_rng(3)
    staging = Staging(link)
    sizes = [GAMES, GAMES, GAMES, 2, 2, 100, 100, GAMES, 100]
    made = [random_arrays(rng, games) for games in sizes]
    sent = [staging.send(arrays) for arrays in made]
    link.finish()
    assert all(is_equal(copies, arrays) for copies, arrays in zip(sent, made, strict=True))
    assert len([size for size in link.allocated if size]) == 4  # two small ones, two large ones


def test_no_games_are_no_mistake():
    assert Staging(LateLink()).send(random_arrays(np.random.default_rng(0), 0))["observations"].shape == (0, SIZE)


def sent_over(monkeypatch, link, env, **options):
    """The environment with a made-up device behind a made-up link."""
    monkeypatch.setattr(tensors, "CudaLink", lambda device: link)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    return TensorVectorEnv(env, "cuda:0", **options)


@pytest.mark.parametrize("copy", [True, False])
def test_every_step_arrives_on_a_slow_device_in_one_transfer(monkeypatch, copy):
    link, env = LateLink(), Noise(players=2, copy=copy)
    wrapped = sent_over(monkeypatch, link, env)
    kept = []
    for step in range(1, 7):
        sent = tensors_of(wrapped.step(np.zeros(GAMES, np.int64)))
        kept.append((sent, {name: array.copy() for name, array in env.made.items()}))
        assert len(link.transfers) == step
    observations, _ = wrapped.reset()
    link.finish()
    assert all(is_equal(sent, made) for sent, made in kept)
    assert observations.tolist() == env.made["observations"].tolist()


def test_observations_are_converted_after_the_transfer(monkeypatch):
    link, env = LateLink(), Noise()
    link.transfer = lambda host: (host.clone(), Late(host))
    seen, *_ = sent_over(monkeypatch, link, env, dtype=torch.float32).step(np.zeros(GAMES, np.int64))
    assert seen.dtype == torch.float32
    assert seen.tolist() == env.made["observations"].tolist()


# On a GPU


@needs_cuda
@pytest.mark.parametrize("dtype", [None, torch.float32])
def test_a_gpu_gets_every_step(dtype):
    env = Noise(players=2, copy=False, games=4096)
    wrapped = TensorVectorEnv(env, "cuda", dtype)
    kept = []
    for _ in range(20):
        torch.cuda._sleep(2_000_000)  # a busy stream: the transfers queue behind it
        sent = tensors_of(wrapped.step(torch.zeros(4096, dtype=torch.int64)))
        assert all(tensor.is_cuda for tensor in sent.values())
        kept.append((sent, {name: array.copy() for name, array in env.made.items()}))
    assert all(is_equal(sent, made) for sent, made in kept)


@needs_cuda
def test_transfers_start_from_page_locked_memory_and_are_not_waited_for():
    link = tensors.CudaLink(torch.device("cuda"))
    host = link.allocate(64)
    assert host.is_pinned()
    torch.cuda._sleep(100_000_000)
    _, pending = link.transfer(host)
    assert not pending.query()
    pending.synchronize()
    assert pending.query()


@needs_cuda
def test_actions_may_lie_on_a_gpu():
    env = Noise()
    TensorVectorEnv(env, "cuda").step(torch.arange(GAMES, device="cuda"))
    assert env.played.tolist() == list(range(GAMES))
