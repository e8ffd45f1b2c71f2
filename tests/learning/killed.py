"""Training in a process that kills itself, with SIGKILL, at a moment that is hard to hit from outside.

Each moment is a function that lays a trap; `train_until_killed` is what the process runs.
"""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from stable_baselines3.common.logger import Logger

from mancala_rl.learning import checkpoint, files, logs, player, train
from mancala_rl.learning.config import load_config
from mancala_rl.learning.lock import locked
from mancala_rl.learning.run_folder import RunFolder
from mancala_rl.learning.training import Training, TrainingCallback
from tests.learning.runs import write_config


def die(*args: Any, **options: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def at_call(owner: Any, name: str, number: int, last_deed: Callable[..., Any] = die) -> None:
    """Replace a function: at its call number `number` do the last deed and die."""
    original, calls = getattr(owner, name), []

    def counted(*args: Any, **options: Any) -> Any:
        calls.append(args)
        if len(calls) == number:
            last_deed(*args, **options)
            die()
        return original(*args, **options)

    setattr(owner, name, counted)


def while_the_run_folder_is_made() -> None:
    at_call(files.os, "fsync", 1)


def before_the_configuration_is_written() -> None:
    at_call(files.os, "fsync", 2)


def before_the_first_checkpoint() -> None:
    at_call(TrainingCallback, "_on_rollout_end", 3)


def when_the_first_checkpoint_is_due() -> None:
    at_call(checkpoint, "write_atomically", 1)


def with_half_of_a_checkpoint_written() -> None:
    def halve(descriptor: int) -> None:
        os.ftruncate(descriptor, os.fstat(descriptor).st_size // 2)

    at_call(files.os, "fsync", 4, halve)  # run.json, config.yaml, one checkpoint, this one


def with_a_checkpoint_written_but_not_named() -> None:
    at_call(files.os, "fsync", 5)


def before_older_checkpoints_are_deleted() -> None:
    at_call(checkpoint, "list_checkpoints", 3)


def in_the_middle_of_a_line_of_metrics() -> None:
    def half_a_line(writer: logs.MetricsWriter, *args: Any) -> None:
        writer._file.write('{"step": 900, "train/lo')
        writer._file.flush()

    at_call(logs.MetricsWriter, "write", 15, half_a_line)


def during_a_rollout() -> None:
    at_call(TrainingCallback, "_on_step", 111)


def after_the_last_step() -> None:
    at_call(TrainingCallback, "_on_training_end", 1)


def while_the_agent_is_exported() -> None:
    at_call(player, "save", 1)


def between_two_files_of_the_agent() -> None:
    def write_weights(folder: Path, data: bytes) -> None:
        with folder.open("wb") as file:
            file.write(data)

    at_call(Path, "write_bytes", 1, write_weights)


MOMENTS: dict[str, Callable[[], None]] = {
    moment.__name__: moment
    for moment in (
        before_the_first_checkpoint,
        when_the_first_checkpoint_is_due,
        with_half_of_a_checkpoint_written,
        with_a_checkpoint_written_but_not_named,
        before_older_checkpoints_are_deleted,
        in_the_middle_of_a_line_of_metrics,
        during_a_rollout,
        after_the_last_step,
        while_the_agent_is_exported,
        between_two_files_of_the_agent,
    )
}
EARLY: dict[str, Callable[[], None]] = {
    moment.__name__: moment for moment in (while_the_run_folder_is_made, before_the_configuration_is_written)
}


def load_kernels() -> None:
    """Load the compiled kernels that a run uses, so that a process forked from this one has them already."""
    with tempfile.TemporaryDirectory() as folder:
        run = RunFolder.create(Path(folder) / "run", load_config(write_config(Path(folder))))
        training = Training(run)
        training.model.set_logger(Logger(None, []))
        training.env.reset()
        for _ in range(20):
            training.env.step(training.env.action_masks().argmax(axis=1))
        training.evaluate()


def train_until_killed(moment: str, config: Path | None, folder: Path) -> None:
    """Start a run in `folder`, or go on with it if there is no configuration, with a trap laid."""
    if moment:
        (MOMENTS | EARLY)[moment]()
    if config is None:
        train(None, resume=folder)
    else:
        train(config, out=folder)


def hold_lock(folder: Path, ready: Any) -> None:
    """Hold the lock of a run folder until killed; `ready` is an event."""
    with locked(folder):
        ready.set()
        time.sleep(600)
