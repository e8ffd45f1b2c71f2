"""The league: anchors for ever, snapshots that come and go, and the learner as it is."""

import numpy as np
import pytest
import torch

from mancala_rl import variant
from mancala_rl.envs.observation import observation_space
from mancala_rl.envs.sb3 import SelfPlayVecEnv
from mancala_rl.learning.config import LeagueConfig, NetworkConfig
from mancala_rl.learning.league import League
from mancala_rl.learning.network import PolicyNetwork

RULES = variant("kalah:pits=3,stones=2")


def learner() -> PolicyNetwork:
    torch.manual_seed(0)
    return PolicyNetwork.build(RULES, observation_space(RULES), NetworkConfig(width=8, layers=1, levels=4))


def league(network=None, **settings) -> League:
    options = {"anchors": {"uniform": 0.1, "minimax": 0.2}, "latest": 0.3, "snapshots": 0.4}
    config = LeagueConfig(**{**options, "snapshot_every": 100, "keep": 3, **settings})
    return League(config, RULES, network or learner(), "counts", seed=5)


def mark(network: PolicyNetwork, step: int) -> None:
    """Make the weights tell the step they are of."""
    with torch.no_grad():
        network.value.bias.fill_(step)


def marks(league: League) -> list[float]:
    return [agent.network.value.bias.item() for agent in league.opponents[2:]]


def test_opponents_come_with_the_weights_of_the_configuration():
    opponents = league().opponents
    assert [agent.name for agent in opponents] == ["uniform", "minimax:depth=4", "latest", "snapshot-0", "snapshot-1"]
    assert league().weights == (0.1, 0.2, 0.3, 0.2, 0.2)
    assert league().anchors == {"uniform": 0.1, "minimax:depth=4": 0.2}


def test_an_anchor_of_weight_zero_keeps_its_place_but_is_not_named_as_played():
    unplayed = league(anchors={"uniform": 0.1, "minimax": 0})
    assert unplayed.weights[:2] == (0.1, 0) and unplayed.anchors == {"uniform": 0.1}


def test_anchors_keep_their_place_and_their_weight_for_ever():
    network = learner()
    players = league(network)
    env = SelfPlayVecEnv(RULES, 500, players.opponents, players.weights, seed=1)
    before = players.opponents, players.weights
    for step in range(0, 5000, 50):
        mark(network, step)
        players.before_rollout(step)
    assert (players.opponents, players.weights) == before and len(players.pool) == 3
    env.reset()
    for _ in range(12):
        env.step(env.action_masks().argmax(axis=1))
    met = np.bincount(env._opponent_of[:, 0], minlength=5) / 500
    np.testing.assert_allclose(met, [0.1, 0.2, 0.3, 0.2, 0.2], atol=0.06)


def test_the_latest_opponent_plays_by_the_weights_of_the_moment():
    network = learner()
    players = league(network)
    mark(network, 7)
    assert marks(players)[0] == 7
    assert players.opponents[2].network is network
    assert players.opponents[2].temperature == players.opponents[3].temperature == 1.0


def test_without_a_snapshot_the_latest_weights_stand_in():
    network = learner()
    players = league(network)
    mark(network, 42)
    players.before_rollout(50)
    assert players.pool == [] and marks(players) == [42, 42, 42]


def test_a_snapshot_is_taken_when_due_and_does_not_learn_on():
    network = learner()
    players = league(network)
    for step in (99, 130, 160, 205, 512):
        mark(network, step)
        players.before_rollout(step)
    assert [step for step, _ in players.pool] == [130, 205, 512]
    assert [weights["value.bias"].item() for _, weights in players.pool] == [130, 205, 512]


def test_a_full_pool_loses_an_older_snapshot_never_the_newest():
    network = learner()
    players = league(network)
    lost = []
    for step in range(100, 3000, 100):
        mark(network, step)
        before = {step for step, _ in players.pool}
        players.before_rollout(step)
        kept = [step for step, _ in players.pool]
        assert kept == sorted(kept) and kept[-1] == step and len(kept) <= 3
        lost += before - set(kept)
    assert len(lost) == 26 and lost != sorted(lost)  # not simply the oldest


def test_a_pool_of_one_holds_the_newest():
    players = league(keep=1)
    for step in (100, 200, 300):
        players.before_rollout(step)
    assert [step for step, _ in players.pool] == [300]


def test_active_snapshots_are_drawn_anew_before_every_rollout():
    network = learner()
    players = league(network)
    drawn = set()
    for step in range(100, 300, 100):
        mark(network, step)
        players.before_rollout(step)
    for _ in range(40):
        players.before_rollout(250)
        drawn.add(tuple(marks(players)[1:]))
    assert drawn == {(100, 100), (100, 200), (200, 100), (200, 200)}


def test_the_league_draws_from_its_own_source_of_chance():
    players = league()
    torch_state, numpy_state = torch.get_rng_state(), np.random.get_state()  # noqa: NPY002
    for step in range(100, 900, 100):
        players.before_rollout(step)
    assert torch.equal(torch.get_rng_state(), torch_state)
    assert (np.random.get_state()[1] == numpy_state[1]).all()  # noqa: NPY002


def test_a_state_goes_on_as_if_nothing_had_happened():
    network, other = learner(), learner()
    players = league(network)
    for step in range(100, 600, 100):
        mark(network, step)
        players.before_rollout(step)
    twin = league(other)
    twin.set_state(players.get_state())
    assert marks(twin)[1:] == marks(players)[1:]
    for step in range(600, 1500, 50):
        mark(network, step)
        mark(other, step)
        players.before_rollout(step)
        twin.before_rollout(step)
        assert marks(twin) == marks(players)
        assert [s for s, _ in twin.pool] == [s for s, _ in players.pool]


def test_a_state_does_not_change_when_the_league_goes_on():
    network = learner()
    players = league(network)
    mark(network, 100)
    players.before_rollout(100)
    state = players.get_state()
    mark(network, 200)
    players.before_rollout(200)
    assert [step for step, _ in state["pool"]] == [100] and state["active"][0]["value.bias"].item() == 100


@pytest.mark.parametrize("active", [1, 3])
def test_the_weight_of_snapshots_is_shared_among_the_active_ones(active):
    assert league(active=active).weights[3:] == (0.4 / active,) * active
