"""Checkpoints: one file each, complete or absent, with a checksum; the newest few are kept.

A file is a line of JSON (format, step, run, SHA-256 of the rest) and a torch archive that is read without running
any code of its own (`weights_only=True`).
"""

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import torch

from mancala_rl.errors import CheckpointError
from mancala_rl.learning.files import write_atomically

FORMAT = 1


def save_checkpoint(folder: Path, step: int, run: str, state: dict[str, Any], keep: int) -> Path:
    """Write the state of a run at `step` and delete all but the newest `keep` checkpoints; return the file.

    Args:
        folder: the checkpoints of the run.
        step: decisions of the learner so far.
        run: hash of what the run was asked to do; a checkpoint of another run is refused.
        state: tensors, numbers, words, lists and dictionaries.
        keep: how many checkpoints stay.

    Raises:
        RunError: the file cannot be written.
    """
    buffer = io.BytesIO()
    torch.save(state, buffer)
    data = buffer.getvalue()
    head = {"format": FORMAT, "step": step, "run": run, "sha256": hashlib.sha256(data).hexdigest()}
    path = folder / f"step-{step:012d}.ckpt"
    write_atomically(path, json.dumps(head).encode() + b"\n" + data)
    for old in list_checkpoints(folder)[:-keep]:
        old.unlink(missing_ok=True)
    return path


def list_checkpoints(folder: Path) -> list[Path]:
    """Return the checkpoints of a run, oldest first."""
    return sorted(folder.glob("step-*.ckpt"))


def load_checkpoint(path: Path, run: str) -> dict[str, Any]:
    """Return the state that `save_checkpoint` wrote.

    Raises:
        CheckpointError: missing, damaged, or of another run; offers the newest other one.
    """
    try:
        head_line, _, data = path.read_bytes().partition(b"\n")
        head = json.loads(head_line)
        whole = head["sha256"] == hashlib.sha256(data).hexdigest() and head["format"] == FORMAT
        same_run = head["run"] == run
    except FileNotFoundError:
        raise CheckpointError(f"{path}: there is no such checkpoint{_remedy(path)}") from None
    except (OSError, ValueError, KeyError, TypeError):
        whole = same_run = False
    if not whole:
        raise CheckpointError(f"{path}: this checkpoint is damaged{_remedy(path)}")
    if not same_run:
        raise CheckpointError(f"{path}: this checkpoint is of another configuration; resume the run it belongs to")
    state: dict[str, Any] = torch.load(io.BytesIO(data), weights_only=True)
    return state


def _remedy(path: Path) -> str:
    others = [other for other in list_checkpoints(path.parent) if other != path]
    if not others:
        return "; there is no other: train again from the start"
    return f"; the previous one is {others[-1].name}: go on from it with --checkpoint {others[-1]}"
