"""MaskablePPO of sb3-contrib, set up for self-play: the model, its network, and its whole state."""

from collections import deque
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import PyTorchObs
from torch import Tensor

from mancala_rl.envs.sb3 import SelfPlayVecEnv
from mancala_rl.learning.config import RunConfig
from mancala_rl.learning.network import PitFeatures, PolicyNetwork, architecture

MASKED = -1e8  # the logit of an illegal action, as in sb3-contrib


class MaskedPolicy(MaskableActorCriticPolicy):
    """sb3-contrib's policy with a shorter way to the same numbers in training.

    `evaluate_actions` of the base class builds every distribution twice, which costs a twentieth of a training run.
    """

    def evaluate_actions(
        self, obs: PyTorchObs, actions: Tensor, action_masks: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return values float[B, 1], log-probabilities float[B] of the actions, and entropies float[B]."""
        features = self.extract_features(obs)
        latent_policy, latent_value = self.mlp_extractor(features)
        logits = self.action_net(latent_policy)
        if action_masks is not None:
            logits = torch.where(action_masks.bool(), logits, MASKED)
        logs = torch.log_softmax(logits, dim=1)
        chosen = logs.gather(1, actions.long().reshape(-1, 1)).squeeze(1)
        return self.value_net(latent_value), chosen, -(logs.exp() * logs).sum(dim=1)


def build_model(config: RunConfig, env: SelfPlayVecEnv) -> MaskablePPO:
    """Return a fresh learner; the trunk is shared, both heads are linear."""
    ppo = config.ppo
    first_rate, last_rate = ppo.learning_rate
    return MaskablePPO(
        MaskedPolicy,
        env,
        learning_rate=lambda remaining: last_rate + (first_rate - last_rate) * remaining,
        n_steps=ppo.n_steps,
        batch_size=ppo.batch_size,
        n_epochs=ppo.n_epochs,
        gamma=ppo.gamma,
        gae_lambda=ppo.gae_lambda,
        clip_range=ppo.clip_range,
        ent_coef=ppo.entropy[0],
        vf_coef=ppo.vf_coef,
        max_grad_norm=ppo.max_grad_norm,
        policy_kwargs={
            "features_extractor_class": PitFeatures,
            "features_extractor_kwargs": {
                "rules": env.rules,
                **architecture(config.network),
                "precision": config.precision,
            },
            "net_arch": [],
            "optimizer_kwargs": {"eps": 1e-5, "fused": True},  # eps as SB3 has it; fused: one pass over all weights
        },
        stats_window_size=1000,
        seed=config.seed,
        device="cpu",
    )


def network_of(model: MaskablePPO) -> PolicyNetwork:
    """Return the learner's network; it shares the weights in training."""
    policy: Any = model.policy
    return PolicyNetwork(policy.features_extractor, policy.action_net, policy.value_net)


def is_finite(model: MaskablePPO) -> bool:
    """Return whether every weight is a finite number; a learning rate far too high ends that."""
    return all(bool(torch.isfinite(weight).all()) for weight in model.policy.parameters())


def entropy_at(config: RunConfig, step: int) -> float:
    """Return the entropy coefficient at `step`: it falls linearly."""
    first, last = config.ppo.entropy
    return last + (first - last) * max(0.0, 1.0 - step / config.steps)


def get_state(model: MaskablePPO, env: SelfPlayVecEnv) -> dict[str, Any]:
    """Return everything that decides how learning goes on, for a checkpoint taken between two rollouts."""
    numpy_state: Any = np.random.get_state()  # noqa: NPY002 (SB3's rollout buffer draws from it)
    kind, keys, *rest = numpy_state
    return {
        "policy": model.policy.state_dict(),
        "optimizer": model.policy.optimizer.state_dict(),
        "num_timesteps": model.num_timesteps,
        "n_updates": model._n_updates,
        "last_obs": torch.from_numpy(np.asarray(model._last_obs)),
        "episode_starts": torch.from_numpy(np.asarray(model._last_episode_starts)),
        "episodes": [dict(episode) for episode in model.ep_info_buffer or ()],
        "torch_random": torch.get_rng_state(),
        "numpy_random": (kind, torch.from_numpy(keys.astype(np.int64)), *rest),
        "env": {key: torch.from_numpy(v) if isinstance(v, np.ndarray) else v for key, v in env.get_state().items()},
    }


def set_state(model: MaskablePPO, env: SelfPlayVecEnv, state: dict[str, Any]) -> None:
    """Make a fresh model and its environment go on from what `get_state` returned."""
    model.policy.load_state_dict(state["policy"])
    model.policy.optimizer.load_state_dict(state["optimizer"])
    model.num_timesteps = state["num_timesteps"]
    model._n_updates = state["n_updates"]
    model._last_obs = state["last_obs"].numpy()
    model._last_episode_starts = state["episode_starts"].numpy()
    model.ep_info_buffer = deque(state["episodes"], maxlen=model._stats_window_size)
    model.ep_success_buffer = deque(maxlen=model._stats_window_size)  # these games have no success apart from reward
    torch.set_rng_state(state["torch_random"])
    kind, keys, *rest = state["numpy_random"]
    np.random.set_state((kind, keys.numpy().astype(np.uint32), *rest))  # noqa: NPY002
    env.set_state({key: v.numpy() if isinstance(v, torch.Tensor) else v for key, v in state["env"].items()})
