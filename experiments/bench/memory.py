"""What a game takes in memory: the bytes that Python and NumPy hold, of many games less those of few."""

import gc
import tracemalloc
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from bench.ours import WARM_UP

FEW, MANY = 256, 4096  # games; what does not grow with them drops out
STEPS = 16  # of which the hungriest counts: in some, games end


@dataclass(frozen=True)
class Memory:
    """Bytes a game: `held` between steps, and `step` more at the peak of one, with its actions and what it returns."""

    name: str
    held: float
    step: float

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON holds of it."""
        return asdict(self)


def measure(name: str, make: Callable[[int], Any]) -> Memory:
    """Measure a batched environment made for a number of games, once its games have drifted apart."""
    _footprint(make, 2)  # imports and compilation
    few, many = _footprint(make, FEW), _footprint(make, MANY)
    held, step = ((most - least) / (MANY - FEW) for least, most in zip(few, many, strict=True))
    return Memory(name, held, step)


def _footprint(make: Callable[[int], Any], games: int) -> tuple[int, int]:
    """Return the bytes held between steps, and those on top at the peak of a step."""
    gc.collect()
    tracemalloc.start()
    try:
        env = make(games)
        env.reset(seed=0)
        for _ in range(WARM_UP):
            env.step(env.sample_actions())
        gc.collect()
        held = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        for _ in range(STEPS):
            env.step(env.sample_actions())
        return held, tracemalloc.get_traced_memory()[1] - held
    finally:
        tracemalloc.stop()
