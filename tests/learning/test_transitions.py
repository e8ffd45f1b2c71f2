"""What MaskablePPO learns from, transition by transition, and the advantages it makes of it."""

import numpy as np
import pytest
import torch
from stable_baselines3.common.callbacks import BaseCallback

from mancala_rl import variant
from mancala_rl.envs.sb3 import SelfPlayVecEnv, Starts
from mancala_rl.learning.config import parse_config
from mancala_rl.learning.ppo import build_model
from tests.envs.replay import Hashed, Replay

GAMES, STEPS, ROLLOUTS = 16, 64, 4


class Inspector(BaseCallback):
    """Replays every game of the run and compares the rollout buffer with what was shown."""

    def __init__(self) -> None:
        super().__init__()
        self.rollouts = 0

    def _on_training_start(self) -> None:
        self.replay = Replay(self.training_env)

    def _on_rollout_start(self) -> None:
        self.shown = []
        self.starts = [np.array(self.model._last_episode_starts)]

    def _on_step(self) -> bool:
        now = self.locals
        observations = np.array(self.model._last_obs)
        self.shown.append((observations, now["action_masks"], now["actions"], now["rewards"]))
        self.starts.append(now["dones"])
        self.replay.step(observations, *(now[key] for key in ("action_masks", "actions", "rewards", "dones", "infos")))
        return True

    def _on_rollout_end(self) -> None:
        buffer = self.model.rollout_buffer
        for kept, shown in zip(
            (buffer.observations, buffer.action_masks, buffer.actions[:, :, 0], buffer.rewards),
            zip(*self.shown, strict=True),
            strict=True,
        ):
            assert (kept == np.stack(shown)).all()
        assert (buffer.episode_starts == np.stack(self.starts[:-1])).all()
        self.check_advantages(buffer)
        self.rollouts += 1

    def check_advantages(self, buffer) -> None:
        """Compare with the definition: the discounted sum of one-step errors up to the end of the game."""
        with torch.no_grad():
            following = self.model.policy.predict_values(torch.as_tensor(self.model._last_obs))
        values = np.vstack([buffer.values, following.numpy().flatten()])
        ends = np.stack(self.starts[1:])
        expected = [[self.advantage(buffer.rewards, values, ends, t, g) for g in range(GAMES)] for t in range(STEPS)]
        np.testing.assert_allclose(buffer.advantages, expected, atol=1e-4)
        np.testing.assert_allclose(buffer.returns, np.array(expected) + values[:-1], atol=1e-4)

    def advantage(self, rewards, values, ends, t: int, g: int) -> float:
        total, factor = 0.0, 1.0
        for k in range(t, STEPS):
            following = 0.0 if ends[k, g] else values[k + 1, g]
            total += factor * (rewards[k, g] + self.model.gamma * following - values[k, g])
            factor *= self.model.gamma * self.model.gae_lambda
            if ends[k, g]:
                break
        return total


def learner(spec: str, reward: str):
    rules = variant(spec)
    config = parse_config(
        {
            "variant": spec,
            "steps": GAMES * STEPS * ROLLOUTS,
            "games": GAMES,
            "reward": reward,
            "network": {"width": 32},
            "ppo": {"n_steps": STEPS, "batch_size": 256, "n_epochs": 1, "gamma": 0.99},
        },
        "test",
    )
    opponents = [Hashed(rules, salt) for salt in range(3)]
    starts = [Starts(plies=(0, 6)), Starts(plies=(0, 24))]
    return build_model(
        config, SelfPlayVecEnv(rules, GAMES, opponents, observation="tactical", reward=reward, starts=starts)
    )


@pytest.mark.parametrize("spec, reward", [("kalah", "outcome"), ("kalah:pits=3,stones=3,pie=true", "margin")])
def test_a_run_of_maskable_ppo_learns_from_correct_transitions_only(spec, reward):
    inspector = Inspector()
    learner(spec, reward).learn(GAMES * STEPS * ROLLOUTS, inspector)
    facts = inspector.replay.facts
    assert inspector.rollouts == ROLLOUTS and facts["steps"] == GAMES * STEPS * ROLLOUTS
    assert facts["illegal"] == 0 and facts["episodes"] > 150
    for what in ("own extra turns", "extra turns of opponents", "ends by the opponent"):
        assert facts[what] > 20, facts
    for seat in (0, 1):
        assert facts[f"seat {seat}: win"] > 20 and facts[f"seat {seat}: loss"] > 20, facts


def test_the_policy_gives_the_same_numbers_in_training_as_that_of_sb3_contrib():
    model = learner("kalah", "outcome")
    model.learn(GAMES * STEPS)
    policy, buffer = model.policy, model.rollout_buffer
    batch = next(buffer.get(256))
    actions = batch.actions.long().flatten()
    ours = policy.evaluate_actions(batch.observations, actions, batch.action_masks)
    theirs = super(type(policy), policy).evaluate_actions(batch.observations, actions, batch.action_masks)
    for own, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(own.detach(), other.detach(), atol=1e-6)
    unmasked = super(type(policy), policy).evaluate_actions(batch.observations, actions)
    for own, other in zip(policy.evaluate_actions(batch.observations, actions), unmasked, strict=True):
        np.testing.assert_allclose(own.detach(), other.detach(), atol=1e-6)
    assert not np.allclose(ours[2].detach(), unmasked[2].detach())
