"""The run folder: what was asked, with which versions, and what was measured on the way.

    config.yaml      every setting written out
    run.json         versions, seed, rules hash, command
    metrics.jsonl    one line a log step
    checkpoints/     see `mancala_rl.learning.checkpoint`
    tensorboard/     events
    agent/           the trained agent
"""

import hashlib
import importlib.metadata
import json
import platform
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import yaml
from stable_baselines3.common.logger import KVWriter

from mancala_rl.errors import ConfigError
from mancala_rl.learning.config import RunConfig, dump_config, load_config
from mancala_rl.learning.files import make_folder, write_atomically
from mancala_rl.rules import variant

PACKAGES = ("mancala-rl", "numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "gymnasium", "pettingzoo")


class RunFolder:
    """One training run on disk."""

    def __init__(self, path: Path, config: RunConfig) -> None:
        self.path, self.config = path, config
        self.checkpoints = path / "checkpoints"
        self.metrics = path / "metrics.jsonl"
        self.tensorboard = path / "tensorboard"
        self.agent = path / "agent"

    @classmethod
    def create(cls, path: Path, config: RunConfig, overwrite: bool = False) -> "RunFolder":
        """Return a new run folder with its configuration written.

        Raises:
            ConfigError: the folder is in use, or cannot be written.
        """
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            _clear(path, overwrite)
        run = cls(path, config)
        make_folder(path)
        make_folder(run.checkpoints)
        write_atomically(path / "run.json", json.dumps(_facts(config), indent=2).encode() + b"\n")
        text = yaml.safe_dump(dump_config(config), sort_keys=False)
        write_atomically(path / "config.yaml", text.encode())
        return run

    @classmethod
    def open(cls, path: Path) -> "RunFolder":
        """Return the run that a folder holds, to go on with it.

        Raises:
            ConfigError: there is no run in it, or it cannot be written.
        """
        if not (path / "config.yaml").is_file():
            raise ConfigError(f"{path}: expected a run folder with a config.yaml, there is none: check the path")
        run = cls(path, load_config(path / "config.yaml"))
        make_folder(path)
        make_folder(run.checkpoints)
        return run

    @property
    def identity(self) -> str:
        """Hash of what the run was asked to do; its checkpoints carry it."""
        return hashlib.sha256(json.dumps(dump_config(self.config), sort_keys=True).encode()).hexdigest()[:16]

    def rewind(self, step: int) -> None:
        """Drop what was logged after `step`, and a line that a kill cut short."""
        if not self.metrics.exists():
            return
        kept = []
        for line in self.metrics.read_text(encoding="utf-8", errors="replace").splitlines():
            try:
                if json.loads(line)["step"] <= step:
                    kept.append(line + "\n")
            except (ValueError, KeyError, TypeError):
                continue
        write_atomically(self.metrics, "".join(kept).encode())


class MetricsWriter(KVWriter):
    """Appends each log step to a file as one line of JSON: the step and every number logged at it."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8")

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0) -> None:
        """Append one line."""
        numbers = {key: float(value) for key, value in key_values.items() if isinstance(value, int | float)}
        if numbers:
            self._file.write(json.dumps({"step": step, **numbers}) + "\n")
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _clear(path: Path, overwrite: bool) -> None:
    """Make way for a new run: only a former run is ever deleted, and only if asked."""
    is_run = path.is_dir() and (path / "config.yaml").is_file() and (path / "run.json").is_file()
    if not is_run:
        raise ConfigError(f"run folder {path}: holds something else than a run; choose another with --out")
    if not overwrite:
        raise ConfigError(f"run folder {path}: holds a run already; --resume it, or use --overwrite or another --out")
    try:
        shutil.rmtree(path)
    except OSError as error:
        raise ConfigError(f"run folder {path}: cannot clear it ({error.strerror}); choose another --out") from None


def _facts(config: RunConfig) -> dict[str, Any]:
    return {
        "started": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "command": ["mancala-rl", *sys.argv[1:]],
        "seed": config.seed,
        "rules_hash": variant(config.variant).hash,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "versions": {name: _version(name) for name in PACKAGES},
    }


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None
