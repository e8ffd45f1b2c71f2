"""The policy network: pits as one-hot levels, tactical facts as numbers, one trunk, a policy and a value head."""

import itertools
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from mancala_rl.kernel import kernel
from mancala_rl.learning.config import NetworkConfig
from mancala_rl.rules import Rules

STORE_SCALE = 4.0  # a store that holds every stone of the game enters as 4
MOST_STONES, STONE_SCALE = 16.0, 0.25  # tactical amounts are cut off at 16 stones, which enter as 4


class Inputs(NamedTuple):
    """Where things stand in an observation, and what the network makes of them."""

    players: int
    pits: int
    facts: int
    levels: int
    total: int

    @property
    def size(self) -> int:
        """How many numbers the trunk reads."""
        return self.players * (self.pits * self.levels + 1) + 2 * self.facts


class PitFeatures(BaseFeaturesExtractor):
    """Trunk of the network: observation float[B, D] -> features float[B, width].

    Pits become one-hot vectors of `levels` levels (the last level stands for that many or more), because what a pit
    can do depends on its exact count. Stores enter as numbers, tactical facts both as "there is some" and as amounts;
    an observation of the plain kind has none.

    `precision` is that of the trunk's products, "float32" or "bfloat16"; weights and features are float32 either way.
    """

    def __init__(
        self,
        observation_space: spaces.Box,
        rules: Rules,
        *,
        width: int = 128,
        layers: int = 2,
        levels: int = 16,
        precision: str = "float32",
    ) -> None:
        super().__init__(observation_space, width)
        self.halved = precision == "bfloat16"
        facts = observation_space.shape[0] - rules.num_cells
        self.inputs = Inputs(rules.players, rules.pits, facts, levels, rules.total)
        sizes = [self.inputs.size] + [width] * layers
        blocks = ((nn.Linear(a, b), nn.ReLU()) for a, b in itertools.pairwise(sizes))
        self.trunk = nn.Sequential(*(layer for block in blocks for layer in block))

    def forward(self, observations: Tensor) -> Tensor:
        """Return features float[B, width]."""
        encoded = torch.from_numpy(encode(observations.detach().cpu().numpy(), self.inputs))
        with torch.autocast(observations.device.type, torch.bfloat16, enabled=self.halved):
            features: Tensor = self.trunk(encoded.to(observations.device))
        return features.float()


class PolicyNetwork(nn.Module):
    """Trunk and heads as one module: what is exported, loaded and played.

    Args:
        features: the trunk.
        policy: linear head, width -> actions.
        value: linear head, width -> 1; the expected reward of the observer.
    """

    def __init__(self, features: PitFeatures, policy: nn.Module, value: nn.Module) -> None:
        super().__init__()
        self.features = features
        self.policy = policy
        self.value = value

    @classmethod
    def build(cls, rules: Rules, observation_space: spaces.Box, config: NetworkConfig) -> "PolicyNetwork":
        """Return a network with fresh weights."""
        features = PitFeatures(observation_space, rules, **architecture(config))
        return cls(features, nn.Linear(config.width, rules.num_actions), nn.Linear(config.width, 1))

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits float[B, A] and values float[B] for observations [B, D]."""
        features = self.features(observations)
        return self.policy(features), self.value(features).flatten()

    def logits(self, observations: Tensor) -> Tensor:
        """Return logits float[B, A] alone."""
        logits: Tensor = self.policy(self.features(observations))
        return logits


def architecture(config: NetworkConfig) -> dict[str, Any]:
    """Return the arguments of `PitFeatures` that decide the network's shape."""
    return asdict(config)


def encode(observations: NDArray[Any], inputs: Inputs) -> NDArray[np.float32]:
    """Return what the trunk reads, float32[B, inputs.size], for observations [B, D] of any number type.

    In this order: one-hot levels of every pit, the stores, for each tactical fact whether there is some, and how much.
    One compiled pass, because a dozen small tensor operations cost more than the network itself.
    """
    out = np.zeros((len(observations), inputs.size), np.float32)
    _encode_all(np.ascontiguousarray(observations, np.float32), *inputs, out)
    return out


@kernel
def _encode_all(observations, players, pits, facts, levels, total, out):  # type: ignore[no-untyped-def]
    """Fill `out: float32[B, size]`, which must hold zeros."""
    stores_at = players * pits * levels
    present_at = stores_at + players
    cells = players * (pits + 1)
    store_scale = np.float32(STORE_SCALE / total)
    for g in range(observations.shape[0]):
        for player in range(players):
            first = player * (pits + 1)
            for pit in range(pits):
                level = min(max(int(observations[g, first + pit]), 0), levels - 1)
                out[g, (player * pits + pit) * levels + level] = 1
            out[g, stores_at + player] = observations[g, first + pits] * store_scale
        for fact in range(facts):
            amount = observations[g, cells + fact]
            out[g, present_at + fact] = amount > 0
            out[g, present_at + facts + fact] = min(amount, np.float32(MOST_STONES)) * np.float32(STONE_SCALE)
