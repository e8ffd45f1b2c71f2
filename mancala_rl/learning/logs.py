"""What a run writes down on the way: metrics.jsonl and TensorBoard events.

A line of metrics.jsonl is a JSON object: the step and the numbers logged at one moment. Several lines may share a step,
as learning, an evaluation and a checkpoint at the same step each write what is pending; no number is written twice.
"""

import contextlib
import json
import math
import shutil
import time
from pathlib import Path
from typing import Any

import numpy as np
from stable_baselines3.common.logger import KVWriter, Logger, TensorBoardOutputFormat

from mancala_rl.errors import RunError
from mancala_rl.learning.files import reason, write_atomically
from mancala_rl.learning.run_folder import RunFolder


def open_logger(run: RunFolder, step: int) -> Logger:
    """Return a logger that goes on after `step`: what was logged later, before an interruption, is dropped.

    Raises:
        RunError: a file cannot be written.
    """
    rewind(run.metrics, step)
    return Logger(str(run.path), [EventWriter(run.tensorboard, step), MetricsWriter(run.metrics)])


def rewind(metrics: Path, step: int) -> None:
    """Drop what was logged after `step`, and a line that a kill cut short.

    Raises:
        RunError: the file cannot be written.
    """
    if not metrics.exists():
        return
    lines = metrics.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
    write_atomically(metrics, "".join(line for line in lines if _step_of(line) <= step).encode())


def _step_of(line: str) -> float:
    """Return the step of a line, infinity for one that is not whole."""
    try:
        return float(json.loads(line)["step"]) if line.endswith("\n") else math.inf
    except (ValueError, KeyError, TypeError):
        return math.inf


def _await_new_name(folder: Path) -> None:
    """Wait until a new event file sorts after the others: TensorBoard reads them in the order of their names.

    A name begins with the second in which the file is made.
    """
    while any(folder.glob(f"events.out.tfevents.{int(time.time())}.*")):
        time.sleep(0.05)


class MetricsWriter(KVWriter):
    """Appends what is logged at one moment to a file as one line of JSON: the step and the numbers.

    A number that is not finite is written as null, because JSON has no word for it.

    Raises:
        RunError: the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._file = path.open("a", encoding="utf-8")
        except OSError as error:
            raise RunError(f"{path}: cannot write: {reason(error)}") from None

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0) -> None:
        """Append one line.

        Raises:
            RunError: the file cannot be written.
        """
        numbers = {key: float(value) for key, value in key_values.items() if isinstance(value, int | float | np.number)}
        if not numbers:
            return
        finite = {key: value if math.isfinite(value) else None for key, value in numbers.items()}
        try:
            self._file.write(json.dumps({"step": step, **finite}) + "\n")
            self._file.flush()
        except OSError as error:
            raise RunError(f"{self._path}: cannot write: {reason(error)}") from None

    def close(self) -> None:
        """Close the file; what could not be written has been reported by `write`."""
        with contextlib.suppress(OSError):
            self._file.close()


class EventWriter(TensorBoardOutputFormat):
    """SB3's writer of TensorBoard events, which can go on after a step: TensorBoard hides what was logged later."""

    def __init__(self, folder: Path, step: int) -> None:
        from torch.utils.tensorboard import SummaryWriter

        if step == 0:
            shutil.rmtree(folder, ignore_errors=True)
        _await_new_name(folder)
        self.writer = SummaryWriter(str(folder), purge_step=step + 1 if step else None)
        self._is_closed = False
