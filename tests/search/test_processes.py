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
from mancala_rl.search.packed_alphabeta import packed_range
for spec, depth in (("kalah:pits=3,stones=3", 5), ("kalah:pits=2,stones=2,pie=true", 9), ("kalah:pits=12,stones=6", 2)):
    print(mrl.search.minimax(mrl.variant(spec).start(), depth))
"""
STATISTICS = """
for kernel in (search_range, packed_range):
    print(kernel.stats.cache_path, len(kernel.stats.cache_hits), len(kernel.stats.cache_misses))
"""
AGENTS = """
import numpy as np
from mancala_rl.agent import turn_seeds
batch = mrl.variant("kalah:pits=4,stones=3").batch(20)
batch.random_plies(np.arange(20) % 8, np.arange(20))
seeds = turn_seeds(np.arange(20), batch.ply)
for name in ("uniform", "greedy", "minimax:depth=3", "minimax:nodes=150", "mcts:simulations=20"):
    print(mrl.make_agent(name, batch.rules).act(batch, seeds).tolist())
"""
TREES = """
for spec in ("kalah:pits=4,stones=3", "oware:pits=3,stones=2", "japanese:players=3,pits=3,stones=2,resign=true"):
    start = mrl.variant(spec).start()
    print(mrl.search.mcts(start, 60, seed=3), mrl.search.mcts(start, 20, rollouts=3))
    print(mrl.search.minimax(start, 3), mrl.search.minimax(start, nodes=400))
forest = mrl.search.Forest(batch.rules, 20, 30)
even = lambda games: (np.ones((len(games), 4)), np.zeros((len(games), 2)))
forest.run(batch, even, seeds, 0.25, 0.3)
print(forest.visits.tolist(), forest.seat_values.tolist(), forest.priors.sum())
print(mrl.search.mcts(batch[3], 40, reward="margin", evaluator=even))
print(mrl.search.minimax(batch[5], 4, heuristic=(10, 1, 2, 3)))
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
    *first, by_rows, packed = run(ANALYSE + STATISTICS)
    for statistics in (by_rows, packed):
        folder, hits, misses = statistics.rsplit(" ", 2)
        assert (int(hits), int(misses)) in (
            (0, 1),
            (1, 0),
        )  # compiled or loaded, depending on what ran before this test
    files = code_files(folder)
    assert len(files) >= 2
    *second, by_rows, packed = run(ANALYSE + STATISTICS)
    assert by_rows == packed == f"{folder} 1 0"
    assert code_files(folder) == files
    assert second == first


def code_files(folder: str) -> list[str]:
    """The names of the files that hold compiled code of alpha-beta."""
    return sorted(path.name for path in Path(folder).glob("*alphabeta.*.nb?"))


def test_plain_python_finds_and_plays_the_same() -> None:
    assert run(ANALYSE + AGENTS + TREES, NUMBA_DISABLE_JIT="1") == run(ANALYSE + AGENTS + TREES)
