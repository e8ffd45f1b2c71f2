"""The network and the agent that plays by it."""

import numpy as np
import pytest
import torch

from mancala_rl import Position, Rules, variant
from mancala_rl.agent import choose
from mancala_rl.envs.observation import observation_space, observe
from mancala_rl.errors import AgentError
from mancala_rl.learning.config import NetworkConfig
from mancala_rl.learning.network import PolicyNetwork, encode
from mancala_rl.learning.player import NetworkAgent
from mancala_rl.solver import exploitability

KALAH = variant("kalah")
RULES = [KALAH, variant("kalah:pits=1,stones=30"), variant("kalah:pits=3,stones=9,pie=true")]


def network(rules=KALAH, kind="tactical", **shape) -> PolicyNetwork:
    torch.manual_seed(0)
    config = NetworkConfig(**{"width": 16, "layers": 2, "levels": 8, **shape})
    return PolicyNetwork.build(rules, observation_space(rules, kind), config).eval()


def agent(rules=KALAH, kind="tactical", temperature=0.0, **shape) -> NetworkAgent:
    return NetworkAgent("net", rules, network(rules, kind, **shape), kind, temperature)


def positions(rules, games=200):
    batch = rules.batch(games)
    batch.random_plies(np.arange(games) % 30, np.arange(games))
    return batch.select(~batch.over)


def expected_inputs(observation: list[int], rules: Rules, levels: int) -> list[float]:
    cells = rules.num_cells
    board = [observation[i : i + rules.pits + 1] for i in range(0, cells, rules.pits + 1)]
    inputs = [float(min(n, levels - 1) == level) for row in board for n in row[:-1] for level in range(levels)]
    inputs += [row[-1] * 4 / rules.total for row in board]
    facts = observation[cells:]
    return inputs + [float(fact > 0) for fact in facts] + [min(fact, 16) / 4 for fact in facts]


@pytest.mark.parametrize("kind", ["counts", "tactical", "lookahead"])
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_trunk_reads_levels_stores_and_facts(rules, kind):
    batch = positions(rules)
    observations = observe(batch.rows, batch.to_move, kind, rules)
    for levels in (2, 8):
        inputs = network(rules, kind, levels=levels).features.inputs
        encoded = encode(observations, inputs)
        expected = [expected_inputs(row, rules, levels) for row in observations.tolist()]
        assert encoded.dtype == np.float32
        np.testing.assert_allclose(encoded, expected, rtol=1e-6)
        assert (encode(observations.astype(np.float64), inputs) == encoded).all()


def test_a_closed_cell_reads_like_an_empty_pit():
    inputs = network(kind="counts").features.inputs
    empty, closed = np.zeros((2, 1, 14), np.int16)
    closed[0, 3] = -1
    assert (encode(empty, inputs) == encode(closed, inputs)).all()


def test_logits_are_those_of_the_whole_network_and_gradients_reach_every_weight():
    net = network()
    observations = torch.from_numpy(observe(positions(KALAH).rows, positions(KALAH).to_move, "tactical", KALAH))
    logits, values = net(observations)
    assert logits.shape == (len(observations), 6) and values.shape == (len(observations),)
    assert torch.equal(net.logits(observations), logits)
    (logits.square().sum() + values.square().sum()).backward()
    assert all(weight.grad is not None and weight.grad.abs().sum() > 0 for weight in net.parameters())


def test_the_best_move_is_the_legal_one_with_the_highest_logit():
    player, batch = agent(), positions(KALAH)
    moves = player.act(batch, np.zeros(len(batch), np.int64))
    logits = player.logits(batch)
    for move, row, position in zip(moves.tolist(), logits, batch, strict=True):
        assert move == max(position.legal_moves, key=lambda action: row[action])


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("temperature", [0.0, 0.3, 1.0])
def test_moves_are_legal_and_depend_on_seed_and_position_alone(rules, temperature):
    player, batch = agent(rules, temperature=temperature), positions(rules)
    seeds = np.arange(len(batch)) * 7919
    moves = player.act(batch, seeds)
    assert batch.legal()[np.arange(len(batch)), moves].all()
    order = np.random.default_rng(0).permutation(len(batch))
    assert (player.act(batch.select(order), seeds[order]) == moves[order]).all()
    assert (player.act(batch.select(slice(0, 3)), seeds[:3]) == moves[:3]).all()
    assert isinstance(choose(player, batch[0], 3), int)


@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_a_temperature_draws_from_the_softmax_of_the_legal_moves(temperature):
    player = agent(temperature=temperature)
    position = Position.parse("4,0,4,4,4,8+0/4,4,4,4,4,4+0 0", KALAH)
    games = 20_000
    batch = KALAH.batch(games)
    batch.rows[:] = position.row
    moves = player.act(batch, np.arange(games))
    scaled = np.exp(player.logits(batch.select(slice(0, 1)))[0] / temperature)
    scaled[1] = 0
    np.testing.assert_allclose(np.bincount(moves, minlength=6) / games, scaled / scaled.sum(), atol=0.015)
    np.testing.assert_allclose(player.distribution(batch.select(slice(0, 1)))[0], scaled / scaled.sum(), atol=1e-6)


def test_without_a_temperature_the_best_move_is_certain():
    player, batch = agent(), positions(KALAH)
    chances = player.distribution(batch)
    assert (chances.argmax(axis=1) == player.act(batch, np.zeros(len(batch), np.int64))).all()
    assert (chances.max(axis=1) == 1).all() and (chances.sum(axis=1) == 1).all()


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_network_is_judged_exactly(temperature):
    rules = variant("kalah:pits=3,stones=2")
    result = exploitability(agent(rules, temperature=temperature), rules, "margin")
    assert result.perfect == (4, -4) and result.exploitability > 0
    assert (min(result.positions) > 500) == (temperature > 0)


@pytest.mark.parametrize("temperature", [-1.0, float("nan"), float("inf")])
def test_an_impossible_temperature_is_refused(temperature):
    with pytest.raises(AgentError, match="expected a number >= 0"):
        agent(temperature=temperature)


def test_products_in_bfloat16_give_the_same_preferences_but_for_rounding():
    exact, rounded = network(width=64), network(width=64)
    rounded.features.halved = True
    batch = positions(KALAH)
    observations = torch.from_numpy(observe(batch.rows, batch.to_move, "tactical", KALAH))
    with torch.inference_mode():
        (a, u), (b, v) = exact(observations), rounded(observations)
    assert (b.dtype, v.dtype) == (torch.float32, torch.float32)
    assert not torch.equal(a, b)  # it does round
    torch.testing.assert_close(a, b, atol=0.02, rtol=0.05)
    torch.testing.assert_close(u, v, atol=0.02, rtol=0.05)
