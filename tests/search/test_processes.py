"""The compiled search in other processes: loaded instead of compiled again, and equal to plain Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import mancala_rl

ROOT = Path(mancala_rl.__file__).parent.parent

ANALYSE = """
import mancala_rl as mrl
from mancala_rl.search.alphabeta import search_range
for spec, depth in (("kalah:pits=3,stones=3", 5), ("kalah:pits=2,stones=2,pie=true", 9), ("kalah:pits=12,stones=6", 2)):
    print(mrl.search.minimax(mrl.variant(spec).start(), depth))
"""
STATISTICS = """
print(search_range.stats.cache_path, len(search_range.stats.cache_hits), len(search_range.stats.cache_misses))
"""
AGENTS = """
import numpy as np
from mancala_rl.agent import turn_seeds
batch = mrl.variant("kalah:pits=4,stones=3").batch(20)
batch.random_plies(np.arange(20) % 8, np.arange(20))
seeds = turn_seeds(np.arange(20), batch.ply)
for name in ("uniform", "greedy", "minimax:depth=3"):
    print(mrl.make_agent(name, batch.rules).act(batch, seeds).tolist())
"""


def run(code: str, **environment: str) -> list[str]:
    """The lines a fresh interpreter prints; a warning in it is an error."""
    process = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout.splitlines()


def test_a_second_process_compiles_nothing() -> None:
    *first, statistics = run(ANALYSE + STATISTICS)
    folder, hits, misses = statistics.rsplit(" ", 2)
    assert (int(hits), int(misses)) in ((0, 1), (1, 0))  # compiled or loaded, depending on what ran before this test
    files = sorted(path.name for path in Path(folder).glob("alphabeta.*.nb?"))
    assert files
    *second, statistics = run(ANALYSE + STATISTICS)
    assert statistics == f"{folder} 1 0"
    assert sorted(path.name for path in Path(folder).glob("alphabeta.*.nb?")) == files
    assert second == first


def test_plain_python_finds_and_plays_the_same() -> None:
    assert run(ANALYSE + AGENTS, NUMBA_DISABLE_JIT="1") == run(ANALYSE + AGENTS)
