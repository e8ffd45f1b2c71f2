"""Checkpoints: one file each, complete or absent, with a checksum; the newest few are kept.

A file is a line of JSON (format, run, step, SHA-256 of everything else) and a torch archive that is read without
running any code of its own (`weights_only=True`).
"""

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import torch

from mancala_rl.errors import CheckpointError
from mancala_rl.learning.files import reason, write_atomically

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
        RunError: the file cannot be written; the older checkpoints are as they were.
    """
    buffer = io.BytesIO()
    torch.save(state, buffer)
    data = buffer.getvalue()
    head = {"format": FORMAT, "run": run, "step": step}
    path = folder / f"step-{step:012d}.ckpt"
    write_atomically(path, json.dumps(head | {"sha256": _checksum(head, data)}).encode() + b"\n" + data)
    for old in list_checkpoints(folder)[:-keep]:
        old.unlink(missing_ok=True)
    return path


def list_checkpoints(folder: Path) -> list[Path]:
    """Return the checkpoints of a run, oldest first."""
    return sorted(folder.glob("step-*.ckpt"))


def load_checkpoint(path: Path, run: str, folder: Path | None = None) -> dict[str, Any]:
    """Return the state that `save_checkpoint` wrote.

    Args:
        path: the file.
        run: hash of what the run was asked to do.
        folder: the checkpoints of the run, offered if this one is no good; those beside it if left out.

    Raises:
        CheckpointError: missing, damaged, of another run, or written by another version; offers the newest whole
            checkpoint of the run.
    """
    try:
        head, data = _read(path)
    except CheckpointError as error:
        raise CheckpointError(f"{path}: {error}{_remedy(path, folder or path.parent)}") from None
    if head["format"] != FORMAT:
        raise CheckpointError(f"{path}: written by another version of mancala-rl; go on with that version")
    if head["run"] != run:
        raise CheckpointError(f"{path}: this checkpoint is of another configuration; resume the run it belongs to")
    state: dict[str, Any] = torch.load(io.BytesIO(data), weights_only=True)
    return state


def _read(path: Path) -> tuple[dict[str, Any], bytes]:
    """Return head and archive of a checkpoint that is whole.

    Raises:
        CheckpointError: it is not; says why, without the path.
    """
    try:
        line, _, data = path.read_bytes().partition(b"\n")
        head = json.loads(line)
        whole = head.pop("sha256") == _checksum(head, data) and head.keys() >= {"format", "run"}
    except FileNotFoundError:
        raise CheckpointError("there is no such checkpoint") from None
    except OSError as error:
        raise CheckpointError(f"cannot read this checkpoint: {reason(error)}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        whole = False
    if not whole:
        raise CheckpointError("this checkpoint is damaged")
    return head, data


def _checksum(head: dict[str, Any], data: bytes) -> str:
    return hashlib.sha256(json.dumps(head, sort_keys=True).encode() + b"\n" + data).hexdigest()


def _remedy(path: Path, folder: Path) -> str:
    """Return what to do without this checkpoint: the newest whole one before it, else the newest whole one."""
    others = [other for other in list_checkpoints(folder) if other != path]
    for other in sorted(others, key=lambda other: (other.name < path.name, other.name), reverse=True):
        if _is_whole(other):
            run = other.parent.parent
            return f"; {other.name} is whole, go on from it: mancala-rl train --resume {run} --checkpoint {other}"
    return "; there is no other one: train again from the start"


def _is_whole(path: Path) -> bool:
    try:
        _read(path)
    except CheckpointError:
        return False
    return True
