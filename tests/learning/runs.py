"""Small training runs and what they leave behind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from mancala_rl.learning.checkpoint import list_checkpoints, load_checkpoint
from mancala_rl.learning.run_folder import RunFolder

# Everything a run can be due happens several times: evaluations, checkpoints, snapshots, a full pool.
TINY: dict[str, Any] = {
    "variant": "kalah:pits=3,stones=2",
    "steps": 1600,
    "games": 8,
    "network": {"width": 16, "layers": 1, "levels": 6},
    "ppo": {"n_steps": 8, "batch_size": 32, "n_epochs": 2},
    "league": {
        "anchors": {"uniform": 0.1, "minimax:depth=2": 0.2},
        "latest": 0.3,
        "snapshots": 0.4,
        "snapshot_every": 200,
        "keep": 2,
    },
    "starts": [{"weight": 0.7, "plies": [0, 3]}, {"weight": 0.3, "plies": [0, 9]}],
    "evaluation": {"every": 500, "pairs": 5, "against": ["greedy", "minimax"]},
    "checkpoint": {"every": 300, "keep": 2},
}


def write_config(folder: Path, **changes: Any) -> Path:
    """Write the tiny configuration, some keys replaced, and return its path."""
    path = folder / "tiny.yaml"
    path.write_text(yaml.safe_dump(TINY | changes), encoding="utf-8")
    return path


def metrics(run: Path) -> list[dict[str, Any]]:
    """What was logged, without what depends on the clock."""
    lines = (run / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    return [{key: value for key, value in json.loads(line).items() if not key.startswith("time/")} for line in lines]


def scalars(run: Path) -> dict[str, list[tuple[int, float]]]:
    """TensorBoard's own reading of the events: steps and values by tag."""
    events = EventAccumulator(str(run / "tensorboard"), size_guidance={"scalars": 0})
    events.Reload()
    return {tag: [(e.step, e.value) for e in events.Scalars(tag)] for tag in events.Tags()["scalars"]}


def newest_state(run: Path) -> dict[str, Any]:
    """The newest checkpoint: weights, optimiser, league, games, random states."""
    return load_checkpoint(list_checkpoints(run / "checkpoints")[-1], RunFolder.open(run).identity)


def plain(value: Any) -> Any:
    """A state as something that can be compared with ==, bit for bit."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return (str(value.dtype), value.numpy().tobytes()) if hasattr(value, "numpy") else value


def without_command(path: Path) -> bytes:
    """What a file of an agent holds but for the command that made it, which tells where the run was."""
    lines = path.read_bytes().splitlines(keepends=True)
    return (
        b"".join(line for line in lines if not line.startswith(b"Made with: "))
        if path.suffix == ".md"
        else path.read_bytes()
    )


def traces(run: Path) -> dict[str, Any]:
    """Everything a run leaves that does not depend on the clock."""
    return {
        "agent": {path.name: without_command(path) for path in (run / "agent").iterdir()},
        "metrics": metrics(run),
        "state": plain(newest_state(run)),
        "checkpoints": [path.name for path in list_checkpoints(run / "checkpoints")],
    }


def assert_same_run(run: Path, expected: dict[str, Any]) -> None:
    found = traces(run)
    for what, value in expected.items():
        assert found[what] == value, what
    assert list(run.rglob(".*")) == []  # nothing unfinished is left
