"""One training run, from a configuration to an agent folder."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, TensorBoardOutputFormat
from torch.distributions import Distribution

from mancala_rl.arena import evaluate
from mancala_rl.envs.sb3 import SelfPlayVecEnv, Starts
from mancala_rl.errors import ConfigError
from mancala_rl.learning import ppo
from mancala_rl.learning.card import model_card
from mancala_rl.learning.checkpoint import list_checkpoints, load_checkpoint, save_checkpoint
from mancala_rl.learning.config import RunConfig, load_config
from mancala_rl.learning.league import League
from mancala_rl.learning.player import NetworkAgent, export_agent
from mancala_rl.learning.progress import TrainingProgress
from mancala_rl.learning.run_folder import MetricsWriter, RunFolder
from mancala_rl.roster import make_agent
from mancala_rl.rules import variant


def train(
    config_path: Path | None,
    overrides: Sequence[str] = (),
    *,
    resume: Path | None = None,
    out: Path | None = None,
    overwrite: bool = False,
    checkpoint: Path | None = None,
) -> Path:
    """Train an agent and return its folder.

    Args:
        config_path: the YAML file of a new run; None to resume one.
        overrides: `key=value` settings that win over the file.
        resume: the folder of a run to go on with.
        out: the folder of a new run; `runs/NAME-TIME` if left out.
        overwrite: delete a run that stands in `out`.
        checkpoint: go on from this file instead of the newest.

    Raises:
        ConfigError: a configuration that is not valid, or a run folder that cannot be used.
        CheckpointError: a checkpoint that is damaged or of another run; nothing is changed.
        RunError: the disk is full or cannot be written.
    """
    run = _open_run(config_path, overrides, resume, out, overwrite)
    state = _find_state(run, checkpoint)
    return Training(run, state).run_to_end()


def _open_run(
    config_path: Path | None, overrides: Sequence[str], resume: Path | None, out: Path | None, overwrite: bool
) -> RunFolder:
    if resume is not None:
        if config_path is not None or overrides or out is not None or overwrite:
            raise ConfigError("--resume goes on with a run as it is: give no configuration, override, --out or --overwrite")
        return RunFolder.open(resume)
    if config_path is None:
        raise ConfigError("expected a configuration file, as in: mancala-rl train configs/ppo/kalah-demo.yaml")
    config = load_config(config_path, overrides)
    _check_agents(config, config_path)
    default = Path("runs") / f"{config_path.stem}-{time.strftime('%Y%m%d-%H%M%S')}"
    return RunFolder.create(default if out is None else out, config, overwrite)


def _check_agents(config: RunConfig, source: Path) -> None:
    """Refuse a misspelt opponent before anything is written or trained."""
    rules = variant(config.variant)
    for key, specs in (("league.anchors", config.league.anchors), ("evaluation.against", config.evaluation.against)):
        for spec in specs:
            try:
                make_agent(spec, rules)
            except ValueError as error:
                raise ConfigError(f"{source}: {key}: {error}") from None


def _find_state(run: RunFolder, checkpoint: Path | None) -> dict[str, Any] | None:
    """Return the state to go on from, None at the start of a run."""
    if checkpoint is None:
        found = list_checkpoints(run.checkpoints)
        checkpoint = found[-1] if found else None
    return load_checkpoint(checkpoint, run.identity) if checkpoint else None


class Training:
    """The parts of one run, wired together: games, learner, league, logs."""

    def __init__(self, run: RunFolder, state: dict[str, Any] | None = None) -> None:
        config = self.config = run.config
        self.run, self.rules = run, variant(config.variant)
        torch.set_num_threads(config.threads)
        Distribution.set_default_validate_args(False)  # checks every distribution built: a tenth of the time
        uniform = [make_agent("uniform", self.rules)]  # until the league exists, which needs the learner's network
        starts = [Starts(s.weight, (s.plies[0], s.plies[1])) for s in config.starts]
        self.env = SelfPlayVecEnv(
            self.rules,
            config.games,
            uniform,
            observation=config.observation,
            reward=config.reward,
            starts=starts,
            seed=config.seed,
        )
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
        """Train for the steps still missing, export the agent and return its folder."""
        done = self.model.num_timesteps
        self.run.rewind(done)
        if done < self.config.steps:
            outputs = [TensorBoardOutputFormat(str(self.run.tensorboard)), MetricsWriter(self.run.metrics)]
            self.model.set_logger(Logger(str(self.run.path), outputs))
            with TrainingProgress(self.config.steps, done, self.games) as progress:
                callback = TrainingCallback(self, progress)
                self.model.learn(self.config.steps - done, callback, reset_num_timesteps=done == 0)
            self.evaluate()
            self.save()
            self.model.logger.close()
        self._export()
        return self.run.agent

    def evaluate(self) -> None:
        """Play the learner's best moves against the opponents of the configuration and log the scores."""
        settings = self.config.evaluation
        agent = NetworkAgent("learner", self.rules, self.network, self.config.observation)
        opponents = [make_agent(spec, self.rules) for spec in settings.against]
        self.last_evaluation = []
        for result in evaluate(agent, opponents, self.rules, settings.pairs, self.config.seed).results:
            for key in ("score", "score_first", "score_second"):
                self.model.logger.record(f"eval/{result.opponent}/{key}", getattr(result, key))
            self.last_evaluation.append({"opponent": result.opponent, "score": result.score, "pairs": result.pairs})

    def save(self) -> None:
        """Log what is pending and write a checkpoint."""
        self.model.logger.dump(self.model.num_timesteps)
        step, keep = self.model.num_timesteps, self.config.checkpoint.keep
        save_checkpoint(self.run.checkpoints, step, self.run.identity, self._get_state(), keep)

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
        steps = self.model.num_timesteps
        card = model_card(self.config, self.rules, steps, self.games, self.last_evaluation)
        about = {"variant": str(self.rules), "steps": steps, "games": self.games, "seed": self.config.seed}
        shape = ppo.architecture(self.config)
        export_agent(self.run.agent, self.rules, self.network, self.config.observation, shape, about, card)


class TrainingCallback(BaseCallback):
    """Does between two rollouts what the run is due: evaluation, checkpoint, the league's changes."""

    def __init__(self, training: Training, progress: TrainingProgress) -> None:
        super().__init__()
        self.training, self.progress = training, progress

    def _on_rollout_start(self) -> None:
        training, step = self.training, self.num_timesteps
        if step >= training.next_evaluation and step < training.config.steps:
            training.next_evaluation = _next_multiple(step, training.config.evaluation.every)
            training.evaluate()
        if step >= training.next_checkpoint:
            training.next_checkpoint = _next_multiple(step, training.config.checkpoint.every)
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
            mine = results.reward[results.opponent == index]
            if len(mine):
                self.logger.record(f"league/{opponent.name}/mean_reward", float(mine.mean()))
        self.progress.update(self.num_timesteps, training.games)


def _next_multiple(step: int, every: int) -> int:
    return step - step % every + every
