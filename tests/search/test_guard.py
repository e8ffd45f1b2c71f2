"""Agents refuse games of other rules, and do not mind where games start."""

import numpy as np
import pytest

from mancala_rl import make_agent, variant
from mancala_rl.errors import AgentError

SEEDS = np.zeros(2, np.int64)
AGENTS = ("uniform", "greedy", "minimax:depth=3", "minimax:nodes=90", "mcts:simulations=9")
every_agent = pytest.mark.parametrize("name", AGENTS)


@every_agent
@pytest.mark.parametrize("spec", ["kalah:pits=9", "kalah:pits=2", "kalah:pie=true", "kalah:stones=5"])
def test_games_of_other_rules_are_refused(name, spec):
    agent = make_agent(name, "kalah")
    with pytest.raises(AgentError, match=rf"plays kalah, got games of {spec}"):
        agent.act(variant(spec).batch(2), SEEDS)


@every_agent
def test_where_games_start_makes_no_difference(name):
    agent = make_agent(name, "kalah")
    batch = variant("kalah:start_position=random").batch(2, seeds=[1, 2])
    twin = make_agent(name, "kalah:start_position=random")
    assert agent.act(batch, SEEDS).tolist() == twin.act(batch, SEEDS).tolist()
