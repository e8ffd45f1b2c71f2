"""`Training`: the parts of one run wired together, and what happens between two rollouts."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from torch.distributions import Distribution

from mancala_rl.arena import evaluate
from mancala_rl.envs.sb3 import SelfPlayVecEnv, Starts
from mancala_rl.errors import RunError
from mancala_rl.learning import ppo
from mancala_rl.learning.card import model_card
from mancala_rl.learning.checkpoint import save_checkpoint
from mancala_rl.learning.config import RunConfig
from mancala_rl.learning.league import League
from mancala_rl.learning.logs import open_logger
from mancala_rl.learning.network import architecture
from mancala_rl.learning.player import NetworkAgent, export_agent
from mancala_rl.learning.progress import TrainingProgress
from mancala_rl.learning.run_folder import RunFolder
from mancala_rl.roster import make_agent
from mancala_rl.rules import Rules, variant


class Training:
    """Games, learner, league and logs of one run.

    Torch's number of threads and the global random states of Python, NumPy and torch belong to the run: SB3 draws
    from them.

    Args:
        run: the folder, with the configuration in it.
        state: what a checkpoint holds, to go on from there; None at the start.
    """

    def __init__(self, run: RunFolder, state: dict[str, Any] | None = None) -> None:
        config = self.config = run.config
        self.run, self.rules = run, variant(config.variant)
        torch.set_num_threads(config.threads)
        Distribution.set_default_validate_args(False)  # checks every distribution built: a tenth of the time
        self.env = build_env(config, self.rules)
        self.model: MaskablePPO = ppo.build_model(config, self.env)
        self.network = ppo.network_of(self.model)
        self.league = League(config.league, self.rules, self.network, config.observation, config.seed)
        self.env.set_opponents(self.league.opponents, self.league.weights)
        self.games = 0
        self.next_evaluation, self.next_checkpoint = config.evaluation.every, config.checkpoint.every
        self.last_evaluation: list[dict[str, Any]] = []
        if state is not None:
            self._set_state(state)

    def run_to_end(self) -> Path:
        """Train for the steps still missing, export the agent and return its folder.

        Raises:
            RunError: a file cannot be written, or the weights are no longer finite.
        """
        if self.model.num_timesteps < self.config.steps:
            with self._logging():
                self._learn()
                self.check_weights()
                self.evaluate()
                self.save()
        self._export()
        return self.run.agent

    def check_weights(self) -> None:
        """Stop a run that has diverged before it writes a checkpoint of it.

        Raises:
            RunError: a weight is not a finite number.
        """
        if not ppo.is_finite(self.model):
            step = self.model.num_timesteps
            raise RunError(f"step {step}: the weights are no longer finite: train again with a lower ppo.learning_rate")

    def evaluate(self) -> None:
        """Play the learner's best moves against the opponents of the configuration and log the scores."""
        settings = self.config.evaluation
        agent = NetworkAgent("learner", self.rules, self.network, self.config.observation)
        opponents = [make_agent(spec, self.rules) for spec in settings.against]
        results = evaluate(agent, opponents, self.rules, settings.pairs, self.config.seed) if opponents else ()
        self.last_evaluation = []
        for result in results:
            for key in ("score", "score_first", "score_second"):
                self.model.logger.record(f"eval/{result.opponent}/{key}", getattr(result, key))
            self.last_evaluation.append({"opponent": result.opponent, "score": result.score, "pairs": result.pairs})
        self.model.logger.dump(self.model.num_timesteps)

    def save(self) -> None:
        """Log what is pending and write a checkpoint.

        Raises:
            RunError: a file cannot be written.
        """
        step, keep = self.model.num_timesteps, self.config.checkpoint.keep
        self.model.logger.dump(step)
        save_checkpoint(self.run.checkpoints, step, self.run.identity, self._get_state(), keep)
        self.run.mark_saved()

    @contextmanager
    def _logging(self) -> Iterator[None]:
        logger = open_logger(self.run, self.model.num_timesteps)
        self.model.set_logger(logger)
        try:
            yield
        finally:
            logger.close()

    def _learn(self) -> None:
        done = self.model.num_timesteps
        with TrainingProgress(self.config.steps, done, self.games) as progress:
            callback = TrainingCallback(self, progress)
            self.model.learn(self.config.steps - done, callback, reset_num_timesteps=done == 0)

    def _get_state(self) -> dict[str, Any]:
        return {
            "model": ppo.get_state(self.model, self.env),
            "league": self.league.get_state(),
            "games": self.games,
            "next": [self.next_evaluation, self.next_checkpoint],
            "last_evaluation": self.last_evaluation,
        }

    def _set_state(self, state: dict[str, Any]) -> None:
        ppo.set_state(self.model, self.env, state["model"])
        self.league.set_state(state["league"])
        self.games, self.last_evaluation = state["games"], state["last_evaluation"]
        self.next_evaluation, self.next_checkpoint = state["next"]

    def _export(self) -> None:
        config, steps, anchors = self.config, self.model.num_timesteps, self.league.anchors
        command = self.run.command
        card = model_card(config, self.rules, steps, self.games, anchors, self.last_evaluation, command)
        about = {
            "variant": str(self.rules),
            "steps": steps,
            "games": self.games,
            "seed": config.seed,
            "league_anchors": anchors,
        }
        shape = architecture(config.network)
        export_agent(self.run.agent, self.rules, self.network, config.observation, shape, about, card)


class TrainingCallback(BaseCallback):
    """Does between two rollouts what the run is due: evaluation, checkpoint, the league's changes."""

    def __init__(self, training: Training, progress: TrainingProgress) -> None:
        super().__init__()
        self.training, self.progress = training, progress

    def _on_rollout_start(self) -> None:
        training, step = self.training, self.num_timesteps
        training.check_weights()
        if step >= training.next_evaluation:
            training.next_evaluation = next_multiple(step, training.config.evaluation.every)
            training.evaluate()
        if step >= training.next_checkpoint:
            training.next_checkpoint = next_multiple(step, training.config.checkpoint.every)
            training.save()
        training.league.before_rollout(step)

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        training = self.training
        training.model.ent_coef = ppo.entropy_at(training.config, self.num_timesteps)
        results = training.env.pop_results()
        training.games += len(results.reward)
        self.logger.record("rollout/games", training.games)
        for index, opponent in enumerate(training.env.opponents):
            mine = results.reward[(results.opponents == index).any(axis=1)]
            if len(mine):
                self.logger.record(f"league/{opponent.name}/mean_reward", float(mine.mean()))
        self.progress.update(self.num_timesteps, training.games)


def build_env(config: RunConfig, rules: Rules) -> SelfPlayVecEnv:
    """Return the games of a run; their opponents are uniform until the league, which needs the learner, takes over."""
    return SelfPlayVecEnv(
        rules,
        config.games,
        [make_agent("uniform", rules)],
        observation=config.observation,
        reward=config.reward,
        starts=[Starts(start.weight, (start.plies[0], start.plies[1])) for start in config.starts],
        seed=config.seed,
    )


def next_multiple(step: int, every: int) -> int:
    """Return the first multiple of `every` after `step`."""
    return step - step % every + every
