"""How fast the search is: nodes a second on Kalah(6,4), and microseconds a search in batches as training makes them.

    python experiments/bench_search.py [--repeats 5]

CPU seconds of one thread, the best of some repeats, without compilation. A node is a move played. `perft` plays every
line and searches nothing, so it shows what the machine gives at the moment.
"""

import argparse
import platform
import time
from collections.abc import Callable

import numba
import numpy as np

import mancala_rl as mrl
from mancala_rl.kernel import perft
from mancala_rl.search.workspace import Workspace

GAMES = {1: 2048, 2: 2048, 4: 1024, 6: 256, 8: 64}  # positions of a batch, by depth
DEPTHS = (4, 8, 12, 16, 20)


def best_time(work: Callable[[], int], prepare: Callable[[], object], repeats: int) -> tuple[float, int]:
    """Return the least CPU seconds that `work` took, and what it returned."""
    prepare()
    work()
    times = []
    for _ in range(repeats):
        prepare()
        start = time.process_time()
        result = work()
        times.append(time.process_time() - start)
    return min(times), result


def bench_perft(rules: mrl.Rules, repeats: int) -> None:
    """Print how many lines a second the kernel plays."""
    rows = np.zeros((9, rules.row_length), np.int16)
    rows[0] = rules.start().row
    seconds, leaves = best_time(lambda: int(perft(rows, 8, rules.array)), lambda: None, repeats)
    print(f"perft 8            {leaves / seconds / 1e6:7.2f} M leaves/s")


def bench_start(rules: mrl.Rules, depth: int, repeats: int) -> None:
    """Print the speed of one search from the start, its table empty."""
    space = Workspace(rules, depth)
    row, seeds = rules.start().row[None], np.zeros(1, np.int64)
    times = max(1, 4000 // 4**depth)  # short searches are timed many at a time
    rows, many = np.repeat(row, times, axis=0), np.repeat(seeds, times)
    seconds, nodes = best_time(lambda: space.choose(rows, many, depth)[1], lambda: space.table.fill(0), repeats)
    print(f"start, depth {depth:2d}    {nodes / seconds / 1e6:7.2f} M nodes/s {nodes // times:11,d} nodes")


def bench_batch(rules: mrl.Rules, depth: int, repeats: int) -> None:
    """Print the time of a search in a batch of positions after 0 to 24 random plies."""
    games, space = GAMES[depth], Workspace(rules, depth)
    batch = rules.batch(games)
    batch.random_plies(np.arange(games) % 25, np.arange(games))
    seeds = np.arange(games)
    seconds, nodes = best_time(lambda: space.choose(batch.rows, seeds, depth)[1], lambda: space.table.fill(0), repeats)
    print(
        f"{games:4d} games, depth {depth} {seconds / games * 1e6:8.1f} us each {nodes / seconds / 1e6:6.2f} M nodes/s"
    )


def main() -> None:
    """Print all measurements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5, help="runs of which the best counts")
    repeats = parser.parse_args().repeats
    rules = mrl.variant("kalah")
    print(f"Python {platform.python_version()}, numba {numba.__version__}, {platform.machine()}, {rules}")
    bench_perft(rules, repeats)
    for depth in DEPTHS:
        bench_start(rules, depth, repeats)
    for depth in GAMES:
        bench_batch(rules, depth, repeats)
    bench_perft(rules, repeats)


if __name__ == "__main__":
    main()
