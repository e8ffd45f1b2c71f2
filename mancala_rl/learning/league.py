"""The league: whom the learner plays. Fixed anchors stay for ever, snapshots of the learner come and go."""

import copy
from typing import Any

import numpy as np
from torch import Tensor

from mancala_rl.agent import Agent
from mancala_rl.learning.config import LeagueConfig
from mancala_rl.learning.network import PolicyNetwork
from mancala_rl.learning.player import NetworkAgent
from mancala_rl.roster import make_agent
from mancala_rl.rules import Rules

Weights = dict[str, Tensor]


class League:
    """Anchors, the learner itself, and a few active snapshots drawn anew from a pool before every rollout.

    Learned opponents draw their moves (temperature 1), so that games differ. Before there is a snapshot, the latest
    weights stand in for it.

    Args:
        config: weights, how often a snapshot is taken, how many are kept and how many are active at a time.
        rules: the variant.
        learner: the network in training; the latest opponent reads its weights as they are.
        observation: the kind of observation the network reads.
        seed: draws the active snapshots.

    Attributes:
        opponents: anchors, latest, active snapshots; always as many and in this order.
        weights: the odds of each of them; they never change.
        anchors: name and weight of every anchor that is played, whose weight is above 0.
        pool: snapshots kept, (step, weights), oldest first.
    """

    def __init__(
        self, config: LeagueConfig, rules: Rules, learner: PolicyNetwork, observation: str, seed: int = 0
    ) -> None:
        self.config, self.learner = config, learner
        self.pool: list[tuple[int, Weights]] = []
        self._rng = np.random.default_rng(seed)
        self._next_snapshot = config.snapshot_every
        anchors: list[Agent] = [make_agent(spec, rules) for spec in config.anchors]
        latest = NetworkAgent("latest", rules, learner, observation, temperature=1.0)
        self._active = [
            NetworkAgent(f"snapshot-{i}", rules, copy.deepcopy(learner), observation, temperature=1.0)
            for i in range(config.active)
        ]
        self.opponents: tuple[Agent, ...] = (*anchors, latest, *self._active)
        self.weights = (*config.anchors.values(), config.latest, *[config.snapshots / config.active] * config.active)
        played = zip(anchors, self.weights, strict=False)
        self.anchors = {agent.name: weight for agent, weight in played if weight > 0}

    def before_rollout(self, step: int) -> None:
        """Take a snapshot if one is due at `step`, and draw which ones are active now."""
        if step >= self._next_snapshot:
            self._take_snapshot(step)
        for agent in self._active:
            pick = self._rng.integers(len(self.pool)) if self.pool else None
            agent.network.load_state_dict(self.learner.state_dict() if pick is None else self.pool[pick][1])

    def _take_snapshot(self, step: int) -> None:
        """Add the learner to the pool; if the pool is full, any older snapshot makes room."""
        self.pool.append((step, {key: value.clone() for key, value in self.learner.state_dict().items()}))
        self._next_snapshot = step - step % self.config.snapshot_every + self.config.snapshot_every
        if len(self.pool) > self.config.keep:
            del self.pool[self._rng.integers(len(self.pool) - 1)]

    def get_state(self) -> dict[str, Any]:
        """Return the pool, the active snapshots and the source of chance, for a checkpoint."""
        return {
            "pool": list(self.pool),
            "active": [copy.deepcopy(agent.network.state_dict()) for agent in self._active],
            "rng": self._rng.bit_generator.state,
            "next_snapshot": self._next_snapshot,
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Go on from what `get_state` returned."""
        self.pool = [(step, weights) for step, weights in state["pool"]]
        self._rng.bit_generator.state = state["rng"]
        self._next_snapshot = state["next_snapshot"]
        for agent, weights in zip(self._active, state["active"], strict=True):
            agent.network.load_state_dict(weights)
