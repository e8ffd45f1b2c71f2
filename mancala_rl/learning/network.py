"""The policy network: pits as one-hot levels, tactical facts as numbers, one trunk, a policy and a value head."""

from typing import Any

import torch
from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from mancala_rl.errors import BadInputError
from mancala_rl.rules import Rules

OBSERVATIONS = ("counts", "tactical")


class PitFeatures(BaseFeaturesExtractor):
    """Trunk of the network: observation float[B, D] -> features float[B, width].

    Pits become one-hot vectors of `levels` levels (the last level stands for that many or more), because what a pit
    can do depends on its exact count. Stores enter as numbers, tactical facts both as "there is some" and as amounts;
    an observation of the plain kind has none.
    """

    def __init__(
        self, observation_space: spaces.Box, rules: Rules, *, width: int = 128, layers: int = 2, levels: int = 16
    ) -> None:
        super().__init__(observation_space, width)
        self.levels = levels
        self.total = rules.total
        self.cells = rules.num_cells
        self.players, self.pits = rules.players, rules.pits
        self.facts = observation_space.shape[0] - self.cells
        inputs = rules.players * rules.pits * levels + rules.players + 2 * self.facts
        sizes = [inputs] + [width] * layers
        blocks = ((nn.Linear(a, b), nn.ReLU()) for a, b in zip(sizes, sizes[1:], strict=False))
        self.trunk = nn.Sequential(*(layer for block in blocks for layer in block))

    def forward(self, observations: Tensor) -> Tensor:
        """Return features float[B, width]."""
        board = observations[:, : self.cells].reshape(-1, self.players, self.pits + 1)
        counts = board[:, :, :-1].clamp(0, self.levels - 1).flatten(1)
        levels = torch.arange(self.levels, device=counts.device, dtype=counts.dtype)
        one_hot = (counts[:, :, None] == levels).flatten(1).to(torch.float32)
        stores = board[:, :, -1] * (4.0 / self.total)
        facts = observations[:, self.cells :]
        present, amount = (facts > 0).to(torch.float32), facts.clamp(max=16) * 0.25
        features: Tensor = self.trunk(torch.cat([one_hot, stores, present, amount], dim=1))
        return features


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
    def build(cls, rules: Rules, observation_space: spaces.Box, architecture: dict[str, Any]) -> "PolicyNetwork":
        """Return a network with fresh weights.

        Raises:
            BadInputError: an architecture with missing or unknown entries.
        """
        try:
            features = PitFeatures(observation_space, rules, **architecture)
        except TypeError:
            known = "width, layers and levels"
            raise BadInputError(f"architecture: expected the entries {known}, got {sorted(architecture)}") from None
        width = architecture["width"]
        return cls(features, nn.Linear(width, rules.num_actions), nn.Linear(width, 1))

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits float[B, A] and values float[B]."""
        features = self.features(observations.to(torch.float32))
        return self.policy(features), self.value(features).flatten()
