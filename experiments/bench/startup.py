"""From the start of a process to its first step: with nothing compiled, and with the cache of the run before.

CPU seconds of the whole process, the start of Python and all imports included. Nothing but the folder that Numba keeps
its compiled code in is empty the first time: Python's own .pyc files are there, and so are the files in memory.
"""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from mancala_rl.errors import RunError

# What people begin with, to the first step.
FIRST_STEPS = {
    "Position.play": "mrl.variant('kalah').start().play(0)",
    "AEC env": "env = mrl.kalah_v0.env(); env.reset(); env.last(); env.step(0)",
    "Gymnasium env": "env = gymnasium.make('mancala/Kalah-v0', seat=0); env.reset(seed=0); env.step(0)",
    "SelfPlayVectorEnv": "env = mrl.SelfPlayVectorEnv('kalah', 64); env.reset(seed=0); env.step(env.sample_actions())",
    "MancalaVectorEnv": "env = mrl.MancalaVectorEnv('kalah', 64); env.reset(seed=0); env.step(env.sample_actions())",
}
IMPORTS_OF_OTHERS = "import gymnasium, numba, numpy, pettingzoo"  # what the imports of others alone take
# Whatever else leads to compiled code.
FURTHER = (
    "p = mrl.Position.parse('4,4,4,4,4,4+0/4,4,4,4,4,4+0 0', mrl.variant('kalah')); p.legal_moves; p.play(2).trace",
    "for rules in mrl.VARIANTS.values(): p = rules.start(); p = p.play(p.legal_moves[0]); p.scores, p.returns",
    "b = mrl.variant('kalah').batch(4); b.random_plies(9, 1); b.play(b.legal().argmax(1)); b.legal_bits(), b.returns",
    "env = mrl.env('oware', observation='tactical'); env.reset(); env.step(0)",
    "env = mrl.match_env('mangala_official', games=3, closing=True); env.reset(); env.step(0)",
    "env = mrl.kalah_v0.env(observation='lookahead', reward='margin'); env.reset(); env.last(); env.step(0)",
    "env = mrl.SelfPlayVectorEnv(['kalah', 'oware'], 8, threads=2); env.reset(seed=0); env.step(env.sample_actions())",
    "env = mrl.MancalaVectorEnv('kalah', 8, opponent='greedy'); env.reset(seed=0); env.step(env.sample_actions())",
    "env = mrl.MancalaVectorEnv('kalah', 8, opponent='minimax:depth=2'); env.reset(seed=0)",
    "mrl.search.minimax(mrl.variant('kalah').start(), depth=4)",
    "from mancala_rl.kernel import perft; r = mrl.variant('kalah'); "
    "perft(np.repeat(r.start().row[None], 4, 0), 3, r.array)",
    "from mancala_rl.arena import evaluate; r = mrl.variant('kalah'); "
    "evaluate(mrl.make_agent('uniform', r), [mrl.make_agent('greedy', r)], r, 2)",
)
IMPORTS_OF_OWN = "import gymnasium, numpy as np; import mancala_rl as mrl\n"
_TELL = "\nimport time; print(time.process_time(), time.time())"


@dataclass(frozen=True)
class Start:
    """Seconds from the start of a process to its first step: of the CPU, and on the clock."""

    cpu: float
    wall: float


@dataclass(frozen=True)
class Startup:
    """How long something takes to its first step.

    Attributes:
        name: what it is.
        cold: with an empty cache; None where there is no cache to empty.
        warm: with the cache that is there then, one a repetition.
        cache_bytes: the size of the cache, 0 where there is none.
    """

    name: str
    cold: Start | None
    warm: tuple[Start, ...]
    cache_bytes: int = 0

    @property
    def warm_cpu(self) -> float:
        """CPU seconds with a warm cache, the median."""
        return median(start.cpu for start in self.warm)

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON holds of it."""
        return {**asdict(self), "warm_cpu": self.warm_cpu}


def start(code: str, cache: Path) -> Start:
    """Run a program in a new process, with compiled code in that folder, and return what it took to its end.

    Raises:
        RunError: the program failed; names the last line of what it said.
    """
    begun = time.time()
    finished = subprocess.run(
        [sys.executable, "-c", code + _TELL],
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    if finished.returncode:
        said = finished.stderr.strip().splitlines() or ["nothing"]
        raise RunError(f"a process failed before its first step; it said: {said[-1]}")
    cpu, ended = map(float, finished.stdout.split()[-2:])
    return Start(cpu, ended - begun)


def measure(name: str, code: str, repeats: int) -> Startup:
    """Return the cold start of a program that uses this package, and its warm ones."""
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder)
        cold = start(IMPORTS_OF_OWN + code, cache)
        size = sum(path.stat().st_size for path in cache.rglob("*") if path.is_file())
        return Startup(name, cold, tuple(start(IMPORTS_OF_OWN + code, cache) for _ in range(repeats)), size)


def measure_warm(name: str, code: str, repeats: int) -> Startup:
    """Return the starts of a program that keeps nothing in Numba's cache."""
    return Startup(name, None, tuple(start(code, Path()) for _ in range(repeats)))


def everything() -> str:
    """Return a program that goes through every entry point that compiles anything."""
    return "\n".join([*FIRST_STEPS.values(), *FURTHER])
