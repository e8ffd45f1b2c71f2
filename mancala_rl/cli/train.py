"""The command `train`."""

import itertools
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from tyro.conf import Positional, arg

import mancala_rl
from mancala_rl.cli.output import show, show_json
from mancala_rl.errors import ConfigError

_WITH_VALUE = ("--resume", "--out", "--checkpoint")


@dataclass(frozen=True)
class Train:
    """Train an agent by self-play, or go on with a run that was interrupted."""

    arguments: Annotated[
        Positional[tuple[str, ...]],
        arg(
            metavar="[CONFIG] [KEY=VALUE ...]",
            help="a YAML file, such as configs/ppo/kalah-demo.yaml, and settings that win over it",
        ),
    ] = ()
    resume: Annotated[Path | None, arg(metavar="DIR", help="go on with the run in this folder")] = None
    out: Annotated[
        Path | None, arg(metavar="DIR", help="folder of a new run", help_behavior_hint="(default: a new one in runs)")
    ] = None
    overwrite: Annotated[bool, arg(help="delete a run that stands in --out")] = False
    checkpoint: Annotated[Path | None, arg(metavar="FILE", help="go on from this file, not from the newest")] = None
    json: Annotated[bool, arg(help="print JSON")] = False

    def run(self) -> None:
        """Train and say where the agent is.

        Raises:
            KeyboardInterrupt: Ctrl-C; says how to go on, if there is a run folder to go on with.
        """
        started: list[Path] = []
        try:
            agent = self._train(started)
        except KeyboardInterrupt:
            ways = [f"go on with: mancala-rl train --resume {shlex.quote(str(folder))}" for folder in started]
            raise KeyboardInterrupt(*ways) from None
        if self.json:
            show_json({"agent": str(agent)})
        else:
            show(f"agent: {agent}")

    def _train(self, started: list[Path]) -> Path:
        """Return the agent's folder; the run's folder goes on standard error and into `started` beforehand."""
        config, overrides = split_arguments(self.arguments)
        path = None if config is None else find_config(config)
        from mancala_rl.learning import train  # after the checks: it imports torch

        def tell(folder: Path) -> None:
            started.append(folder)
            print(f"run folder: {folder}", file=sys.stderr, flush=True)

        return train(
            path,
            overrides,
            resume=self.resume,
            out=self.out,
            overwrite=self.overwrite,
            checkpoint=self.checkpoint,
            on_start=tell,
        )


def positionals_first(words: Sequence[str]) -> list[str]:
    """Return the words of `train` with its options last, so that settings may stand anywhere."""
    positional: list[str] = []
    options: list[str] = []
    rest = iter(words)
    for word in rest:
        if word.startswith("-"):
            options += [word, *itertools.islice(rest, 1 if word in _WITH_VALUE else 0)]
        else:
            positional.append(word)
    return positional + options


def split_arguments(arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the configuration, None if there is none, and the key=value settings.

    Raises:
        ConfigError: two configurations.
    """
    files = [word for word in arguments if "=" not in word or _is_file(word)]
    config = next((word for word in files if word.endswith((".yaml", ".yml"))), files[0] if files else None)
    for word in files:
        if word != config:
            raise ConfigError(f"{word!r}: expected key=value beside the configuration {config}, as in ppo.n_steps=64")
    if len(files) > 1:
        raise ConfigError(f"the configuration {config} is given twice")
    return config, [word for word in arguments if word != config]


def find_config(name: str) -> Path:
    """Return the file a configuration's name means: a path, or one of those that come with the package.

    Raises:
        ConfigError: there is no such file; lists the ones that come with the package.
    """
    if _is_file(name):
        return Path(name)
    inside = Path(*Path(name).parts[1:]) if Path(name).parts[:1] == ("configs",) else Path(name)
    shipped = {path.relative_to(folder): path for folder in _config_folders() for path in folder.rglob("*.yaml")}
    if inside in shipped:
        return shipped[inside]
    known = ", ".join(sorted(f"configs/{path.as_posix()}" for path in shipped))
    raise ConfigError(f"{name}: there is no such configuration; give a YAML file or one of: {known}")


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):  # a text too long for a path
        return False


def _config_folders() -> Iterator[Path]:
    """Yield where configurations lie: inside the installed package, or at the top of a checkout."""
    package = Path(mancala_rl.__file__).resolve().parent
    for folder in (package / "_configs", package.parent / "configs"):
        if folder.is_dir():
            yield folder
            return
