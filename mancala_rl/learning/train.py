"""One training run, from a configuration to an agent folder."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from mancala_rl.arena.openings import openings
from mancala_rl.errors import BadInputError, CheckpointError, ConfigError, RunError
from mancala_rl.learning.checkpoint import list_checkpoints, load_checkpoint
from mancala_rl.learning.config import RunConfig, load_config
from mancala_rl.learning.lock import locked
from mancala_rl.learning.memory import memory_errors
from mancala_rl.learning.run_folder import RunFolder
from mancala_rl.learning.training import Training
from mancala_rl.roster import make_agent
from mancala_rl.rules import Rules, variant


def train(
    config_path: Path | None,
    overrides: Sequence[str] = (),
    *,
    resume: Path | None = None,
    out: Path | None = None,
    overwrite: bool = False,
    checkpoint: Path | None = None,
    on_start: Callable[[Path], None] | None = None,
) -> Path:
    """Train an agent and return its folder.

    Args:
        config_path: the YAML file of a new run; None to resume one.
        overrides: `key=value` settings that win over the file.
        resume: the folder of a run to go on with.
        out: the folder of a new run; `runs/NAME-TIME` if left out.
        overwrite: delete a run that stands in `out`.
        checkpoint: with `resume`, go on from this file instead of the newest.
        on_start: called with the run's folder before training begins.

    Raises:
        ConfigError: a configuration that is not valid, or a run folder that cannot be used, such as one in which
            another process is training.
        CheckpointError: a checkpoint that is damaged, of another run or missing; nothing is changed.
        RunError: the disk is full or cannot be written, or there is not enough memory.
    """
    if resume is None:
        opened = _new_run(config_path, overrides, out, overwrite, checkpoint)
    elif config_path is not None or overrides or out is not None or overwrite:
        raise ConfigError("--resume goes on with a run as it is: give no configuration, override, --out or --overwrite")
    else:
        opened = _old_run(resume)
    with opened as run, memory_errors():
        state = _find_state(run, checkpoint)
        if on_start is not None:
            on_start(run.path)
        return Training(run, state).run_to_end()


@contextmanager
def _old_run(path: Path) -> Iterator[RunFolder]:
    """Yield a run to go on with, locked."""
    with locked(path):
        yield RunFolder.open(path)


@contextmanager
def _new_run(
    config_path: Path | None, overrides: Sequence[str], out: Path | None, overwrite: bool, checkpoint: Path | None
) -> Iterator[RunFolder]:
    """Yield a new run, locked; one that fails before it has logged anything makes way for the next try."""
    if config_path is None:
        raise ConfigError("expected a configuration file, as in: mancala-rl train configs/ppo/kalah-demo.yaml")
    if checkpoint is not None:
        raise ConfigError("--checkpoint says where to go on with a run: give it with --resume")
    config = load_config(config_path, overrides)
    _check_opponents(config, config_path)
    path = Path("runs") / f"{config_path.stem}-{time.strftime('%Y%m%d-%H%M%S')}" if out is None else out
    with suppress(OSError):  # creating the run says what is wrong
        path.mkdir(parents=True, exist_ok=True)
    with locked(path):
        run = RunFolder.create(path, config, overwrite)
        try:
            yield run
        except RunError:
            if not run.has_logged:
                with suppress(OSError):
                    run.clear()
            raise


def _check_opponents(config: RunConfig, source: Path) -> None:
    """Refuse a misspelt opponent and an impossible evaluation before anything is written or trained."""
    rules = variant(config.variant)
    _check_agents(config.league.anchors, rules, f"{source}: league.anchors")
    _check_agents(config.evaluation.against, rules, f"{source}: evaluation.against")
    try:
        openings(rules, config.evaluation.pairs, config.seed)
    except BadInputError as error:
        raise ConfigError(f"{source}: evaluation.pairs: {error}") from None


def _check_agents(specs: Sequence[str] | dict[str, float], rules: Rules, key: str) -> None:
    seen: dict[str, str] = {}
    for spec in specs:
        try:
            name = make_agent(spec, rules).name
        except BadInputError as error:
            raise ConfigError(f"{key}: {error}") from None
        if name in seen:
            raise ConfigError(f"{key}: {seen[name]!r} and {spec!r} are the same agent: leave one out")
        seen[name] = spec


def _find_state(run: RunFolder, checkpoint: Path | None) -> dict[str, Any] | None:
    """Return the state to go on from, None at the start of a run.

    Raises:
        CheckpointError: the checkpoint cannot be used, or the run has saved some and none is left.
    """
    found = list_checkpoints(run.checkpoints)
    if checkpoint is None and not found and run.has_saved:
        again = f"mancala-rl train {run.path / 'config.yaml'} --out {run.path} --overwrite"
        raise CheckpointError(
            f"{run.checkpoints}: this run has saved checkpoints and none is left; put one back, or train anew: {again}"
        )
    checkpoint = checkpoint or (found[-1] if found else None)
    return load_checkpoint(checkpoint, run.identity, run.checkpoints) if checkpoint else None
