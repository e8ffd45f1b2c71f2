"""The run folder: what was asked, with which versions, and what was measured on the way.

config.yaml      every setting written out
run.json         versions, seed, rules hash, command
metrics.jsonl    what was logged, in the order of steps; see `mancala_rl.learning.logs`
checkpoints/     see `mancala_rl.learning.checkpoint`
checkpointed     an empty file: at least one checkpoint has been saved
tensorboard/     events
agent/           the trained agent
"""

import hashlib
import importlib.metadata
import json
import platform
import shlex
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import yaml

from mancala_rl.errors import ConfigError, RunError
from mancala_rl.learning.config import RunConfig, dump_config, load_config
from mancala_rl.learning.files import is_vacant, make_folder, reason, sweep, write_atomically
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
        self._marker = path / "checkpointed"

    @classmethod
    def create(cls, path: Path, config: RunConfig, overwrite: bool = False) -> "RunFolder":
        """Return a new run folder with its configuration written.

        Raises:
            ConfigError: the folder is in use, or cannot be written.
            RunError: the disk is full.
        """
        _make_way(path, overwrite)
        make_folder(path)
        sweep(path)
        # run.json comes first: it marks the folder as a run, which --overwrite may delete, even if a kill comes now.
        write_atomically(path / "run.json", json.dumps(_facts(config), indent=2).encode() + b"\n")
        text = yaml.safe_dump(dump_config(config), sort_keys=False)
        write_atomically(path / "config.yaml", text.encode())
        return cls.open(path)

    @classmethod
    def open(cls, path: Path) -> "RunFolder":
        """Return the run that a folder holds, to go on with it.

        Raises:
            ConfigError: there is no run in it, or it cannot be written.
        """
        if not _holds(path, "config.yaml"):
            raise ConfigError(f"{path}: expected a run folder with a config.yaml, there is none: check the path")
        run = cls(path, load_config(path / "config.yaml"))
        for folder in (path, run.checkpoints):
            make_folder(folder)
            sweep(folder)
        return run

    @property
    def identity(self) -> str:
        """Hash of what the run was asked to do; its checkpoints carry it."""
        return hashlib.sha256(json.dumps(dump_config(self.config), sort_keys=True).encode()).hexdigest()[:16]

    @property
    def command(self) -> str | None:
        """The command line that began the run; None if it was begun from Python."""
        try:
            words = json.loads((self.path / "run.json").read_text(encoding="utf-8"))["command"]
            return shlex.join(words) if words[1:2] == ["train"] else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    @property
    def has_logged(self) -> bool:
        """Whether anything has been measured."""
        return self.metrics.exists() and self.metrics.stat().st_size > 0

    @property
    def has_saved(self) -> bool:
        """Whether a checkpoint has ever been saved, be it still there or not."""
        return self._marker.exists() or self.agent.exists()

    def mark_saved(self) -> None:
        """Remember that a checkpoint has been saved.

        Raises:
            RunError: the folder cannot be written.
        """
        try:
            self._marker.touch()
        except OSError as error:
            raise RunError(f"{self._marker}: cannot write: {reason(error)}") from None

    def clear(self) -> None:
        """Delete everything in the folder."""
        _clear(self.path)


def _make_way(path: Path, overwrite: bool) -> None:
    """See to it that a new run can stand at `path`: only a former run is ever deleted, and only if asked."""
    try:
        if is_vacant(path):
            return
        if not _is_run(path):
            raise ConfigError(f"run folder {path}: holds something else than a run; choose another with --out")
        if not overwrite:
            raise ConfigError(
                f"run folder {path}: holds a run already; --resume it, or use --overwrite or another --out"
            )
        _clear(path)
    except OSError as error:
        raise ConfigError(f"run folder {path}: cannot use it ({reason(error)}); choose another with --out") from None


def _clear(path: Path) -> None:
    """Empty the folder of a run. It stays, as it bears the lock; run.json goes last, as it marks it as a run."""
    for item in sorted(path.iterdir(), key=lambda item: item.name == "run.json"):
        if item.is_dir() and not item.is_symlink():
            shutil.rmtree(item)
        else:
            item.unlink()


def _is_run(path: Path) -> bool:
    """Return whether a folder is one of ours: a stranger's may hold a run.json too, but not with our facts."""
    try:
        facts = json.loads((path / "run.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(facts, dict) and facts.keys() >= {"rules_hash", "versions", "seed"}


def _holds(path: Path, name: str) -> bool:
    try:
        return (path / name).is_file()
    except OSError:  # no permission to look
        return False


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
