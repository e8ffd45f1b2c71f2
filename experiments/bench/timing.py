"""Timing things side by side: in turns, in CPU seconds, with ratios taken within a round.

On a machine that others use too, single figures drift by tens of percent within minutes. What two things cost relative
to each other hardly does, if they take turns and every round is compared with itself.
"""

import gc
import importlib.metadata
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

PACKAGES = ("mancala-rl", "numpy", "numba", "gymnasium", "pettingzoo", "open-spiel", "pgx", "jax", "pygame-ce")
QUIET_CORES = 0.1  # taken by other processes: below, a machine counts as quiet
QUIET_SPREAD = 1.15  # and so it does while the slowest round takes at most that many times the fastest


class Sample(NamedTuple):
    """One piece of work: `count` units in `cpu` seconds of all threads, `wall` seconds on the clock."""

    cpu: float
    wall: float
    count: int


def sample(work: Callable[[], int]) -> Sample:
    """Do a piece of work, which returns how many units it was, and time it."""
    wall, cpu = time.perf_counter(), time.process_time()
    count = work()
    return Sample(time.process_time() - cpu, time.perf_counter() - wall, count)


@dataclass(frozen=True)
class Contender:
    """Something to time.

    Attributes:
        name: in tables and JSON.
        loop: does so many steps, and returns how many units they were.
        unit: what it counts.
        warm_up: steps before the first that is timed, so that all is compiled and no two games are at the same ply.
        facts: what else stands in JSON, such as the size of a batch.
    """

    name: str
    loop: Callable[[int], int]
    unit: str = "moves"
    warm_up: int = 1
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Timing:
    """What a contender took, one sample a round."""

    contender: Contender
    samples: tuple[Sample, ...]

    @property
    def rates(self) -> list[float]:
        """Units per CPU second, by round."""
        return [taken.count / taken.cpu for taken in self.samples]

    @property
    def rate(self) -> float:
        """Units per CPU second, the median of the rounds."""
        return statistics.median(self.rates)

    @property
    def wall_rate(self) -> float:
        """Units per second on the clock, the median of the rounds."""
        return statistics.median(taken.count / taken.wall for taken in self.samples)

    @property
    def microseconds(self) -> float:
        """CPU microseconds a unit."""
        return 1e6 / self.rate

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON holds of it."""
        return {
            "name": self.contender.name,
            "unit": self.contender.unit,
            **self.contender.facts,
            "per_cpu_second": self.rate,
            "per_second": self.wall_rate,
            "rounds": [taken._asdict() for taken in self.samples],
        }


@dataclass(frozen=True)
class Ratio:
    """How many times as fast one contender is as another, taken within each round."""

    fast: str
    slow: str
    rounds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The median of the rounds."""
        return statistics.median(self.rounds)

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON holds of it."""
        extremes = {"median": self.median, "min": min(self.rounds), "max": max(self.rounds)}
        return {"fast": self.fast, "slow": self.slow, **extremes, "rounds": list(self.rounds)}

    def __str__(self) -> str:
        return f"{self.median:.3g} ({min(self.rounds):.3g} to {max(self.rounds):.3g})"


def ratio(fast: Timing, slow: Timing, deducted: Timing | None = None) -> Ratio:
    """Return how many times as long a unit of `slow` takes as one of `fast`, round by round.

    What a unit of `deducted` takes is a part of both that does not count.
    """
    parts = [1 / rate for rate in deducted.rates] if deducted else [0.0] * len(fast.samples)
    rounds = tuple((1 / b - part) / (1 / a - part) for a, b, part in zip(fast.rates, slow.rates, parts, strict=True))
    return Ratio(fast.contender.name, slow.contender.name, rounds)


def race(
    contenders: Sequence[Contender], rounds: int, seconds: float, tick: Callable[[], None] = lambda: None
) -> dict[str, Timing]:
    """Time contenders in turns, every other round in the opposite order, and return the timings by name.

    Args:
        contenders: what to time; their names differ.
        rounds: samples of each.
        seconds: about how long a sample takes.
        tick: called after every sample.
    """
    with _quiet_collector():
        steps = {contender.name: _steps(contender, seconds) for contender in contenders}
    samples: dict[str, list[Sample]] = {contender.name: [] for contender in contenders}
    with _quiet_collector():
        for number in range(rounds):
            for contender in contenders[:: -1 if number % 2 else 1]:
                count = steps[contender.name]
                samples[contender.name].append(sample(partial(contender.loop, count)))
                tick()
    return {contender.name: Timing(contender, tuple(samples[contender.name])) for contender in contenders}


@contextmanager
def _quiet_collector() -> Iterator[None]:
    """Leave what stands already out of garbage collections: nobody pays for the objects of another contender."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _steps(contender: Contender, seconds: float) -> int:
    """Warm up, and return how many steps take about that many seconds.

    The better of two tries counts: in the other something may have been compiled.
    """
    contender.loop(contender.warm_up)
    steps = 1
    while (taken := min(sample(partial(contender.loop, steps)).wall for _ in range(2))) < seconds / 4:
        steps *= 2
    return max(1, round(steps * seconds / max(taken, 1e-9)))


def spread(timings: Iterable[Timing]) -> float:
    """Return how many times the fastest round the slowest takes, the median of the contenders."""
    return statistics.median(max(timing.rates) / min(timing.rates) for timing in timings)


class Noise:
    """What other processes take of the machine from now on."""

    def __init__(self) -> None:
        self._begun = time.perf_counter(), _busy(), _own()

    def others(self) -> float | None:
        """Return how many cores they have taken on average; None where the system does not tell."""
        begun, busy_then, own_then = self._begun
        busy = _busy()
        if busy is None or busy_then is None:
            return None
        return max(0.0, (busy - busy_then - _own() + own_then) / (time.perf_counter() - begun))


def is_noisy(others: float | None, differing: float) -> bool:
    """Return whether absolute figures say little: others were at work, or rounds differ much."""
    return (others or 0) > QUIET_CORES or differing > QUIET_SPREAD


def _busy() -> float | None:
    """Return the seconds that all cores have worked since the machine started (Linux)."""
    try:
        words = Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:9]
    except OSError:
        return None
    user, nice, system, _idle, _waiting, *others = map(int, words)
    return (user + nice + system + sum(others)) / os.sysconf("SC_CLK_TCK")


def _own() -> float:
    """Return the CPU seconds of this process and of those it has waited for."""
    return sum(os.times()[:4])


def machine() -> dict[str, Any]:
    """Return what the figures depend on: processor, cores, Python, packages."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "cores_usable": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in PACKAGES},
        "compiled": os.environ.get("NUMBA_DISABLE_JIT", "0") == "0",
    }


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _processor() -> str:
    """Return the processor's name where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
