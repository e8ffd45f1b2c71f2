"""What tensors cost: a batch of games stepped with NumPy arrays, with tensors on the processor, and on a GPU.

    python experiments/bench_torch.py [--rounds 7] [--batches 64 1024 16384] [--json torch.json]

Everything takes turns and plays random legal moves, which the environment draws for all alike; on the GPU they are
sent there first, so that a step has to fetch them as it would fetch those of a network. A figure is the median of the
rounds, in CPU time of all threads; a ratio is the median of the ratios within a round, with the lowest and the highest.
Rows of a GPU need one that PyTorch can see.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import torch
import tyro
from bench import timing
from bench.ours import WARM_UP
from bench.timing import Contender, Timing
from rich.table import Table

from mancala_rl.cli.output import show, show_table
from mancala_rl.envs.vector import SelfPlayVectorEnv
from mancala_rl.learning.tensors import TensorVectorEnv

NUMPY = "NumPy arrays"
WAYS: dict[str, tuple[str, torch.dtype | None]] = {  # device and dtype of the observations
    "tensors": ("cpu", None),
    "tensors, float32": ("cpu", torch.float32),
    "GPU": ("cuda", None),
    "GPU, float32": ("cuda", torch.float32),
}


@dataclass(frozen=True)
class Settings:
    """What to run.

    Attributes:
        rounds: samples of everything.
        seconds: about how long a sample takes.
        batches: numbers of games in lock-step.
        rules: the variant.
        json: file for all figures.
    """

    rounds: int = 7
    seconds: float = 0.2
    batches: tuple[int, ...] = (64, 1024, 16384)
    rules: str = "kalah"
    json: Path | None = None


def arrays(rules: str, batch: int) -> Contender:
    """Return play with NumPy arrays."""
    env = SelfPlayVectorEnv(rules, batch)
    env.reset(seed=0)

    def loop(steps: int) -> int:
        for _ in range(steps):
            env.step(env.sample_actions())
        return steps * batch

    return Contender(NUMPY, loop, warm_up=WARM_UP, facts={"batch": batch})


def tensors(name: str, rules: str, batch: int) -> Contender:
    """Return play with tensors, one of `WAYS`."""
    device, dtype = WAYS[name]
    env = SelfPlayVectorEnv(rules, batch)
    wrapped = TensorVectorEnv(env, device, dtype)
    wrapped.reset(seed=0)

    def loop(steps: int) -> int:
        for _ in range(steps):
            wrapped.step(torch.from_numpy(env.sample_actions()).to(device))
        if device == "cuda":
            torch.cuda.synchronize()
        return steps * batch

    return Contender(name, loop, warm_up=WARM_UP, facts={"batch": batch})


def table_of(timings: dict[str, Timing], batch: int) -> Table:
    """Return what was measured with one number of games."""
    table = Table(title=f"{batch} games", title_justify="left")
    for heading in ("", "CPU us a step", "us on the clock", "M moves per CPU second", "CPU time over NumPy's"):
        table.add_column(heading, justify="right" if heading else "left")
    for name, taken in timings.items():
        step, clock = batch * taken.microseconds, batch * 1e6 / taken.wall_rate
        over = timing.ratio(timings[NUMPY], taken)
        table.add_row(name, f"{step:.1f}", f"{clock:.1f}", f"{taken.rate / 1e6:.2f}", str(over))
    return table


def main(settings: Settings) -> None:
    """Measure, print, write."""
    torch.set_num_threads(1)
    machine = timing.machine() | {"torch": torch.__version__}
    show(f"{machine['processor']}, Python {machine['python']}, PyTorch {machine['torch']}, {settings.rules}")
    names = [name for name, (device, _) in WAYS.items() if device == "cpu" or torch.cuda.is_available()]
    show(torch.cuda.get_device_name() if torch.cuda.is_available() else "No GPU that PyTorch can see: left out.")
    figures = []
    for batch in settings.batches:
        contenders = [arrays(settings.rules, batch), *(tensors(name, settings.rules, batch) for name in names)]
        timings = timing.race(contenders, settings.rounds, settings.seconds)
        show_table(table_of(timings, batch))
        figures += [taken.to_dict() for taken in timings.values()]
    if settings.json:
        settings.json.write_text(json.dumps({"machine": machine, "timings": figures}, indent=1) + "\n")


if __name__ == "__main__":
    main(tyro.cli(Settings))
