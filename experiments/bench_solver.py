"""How fast exact solving is: a database, Kalah(6,4) from nothing, its six moves, and late positions.

    python experiments/bench_solver.py [--stones 20] [--threads 2] [--positions 200] [--json FILE]

Seconds on the clock and of all threads' processors. Compilation is measured apart, and whatever is timed after it is
compiled. The values found are checked: +8 for Kalah(6,4), -14 -10 8 -2 -8 4 for its moves.
"""

import argparse
import json
import statistics
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from bench.timing import machine, sample

import mancala_rl as mrl
from mancala_rl.solver import Database, build_database, solve

VALUES = (-14, -10, 8, -2, -8, 4)


@dataclass(frozen=True)
class Settings:
    """What is measured.

    Attributes:
        stones: of the database.
        threads: that build it.
        positions: how many late positions are solved.
        most, least: stones in their pits.
    """

    stones: int = 20
    threads: int = 2
    positions: int = 200
    most: int = 30
    least: int = 21


def timed(name: str, work: Any) -> dict[str, Any]:
    """Do some work that returns a count, print how long it took and return that."""
    taken = sample(work)
    rate = f" {taken.count / taken.wall / 1e6:8.2f} M/s" if taken.count > 1000 else ""
    print(f"{name:<40} {taken.wall:8.2f} s {taken.cpu:8.2f} CPU s {taken.count:13,d}{rate}", flush=True)
    return {"name": name, "wall": taken.wall, "cpu": taken.cpu, "count": taken.count}


def compiled() -> int:
    """Compile everything by solving a small board in all ways."""
    rules = mrl.variant("kalah:pits=3,stones=2")
    solve(rules.start(), database=4)
    return 1


def built(path: Path, settings: Settings) -> int:
    """Build the database; its positions."""
    return len(build_database("kalah", settings.stones, path, threads=settings.threads))


def solved(moves: bool) -> int:
    """Solve Kalah(6,4) with a database that is built for it; the positions visited."""
    from mancala_rl.solver import solution as module

    module._kept.clear()
    solution = solve(mrl.variant("kalah").start(), moves=moves)
    if solution.value != VALUES[2] or (moves and solution.values != VALUES):
        raise SystemExit(f"wrong: {solution}")
    return solution.nodes


def late_positions(settings: Settings) -> list[mrl.Position]:
    """Positions of random games with the right number of stones in the pits."""
    batch = mrl.variant("kalah").batch(40 * settings.positions)
    rng = np.random.default_rng(0)
    batch.random_plies(rng.integers(4, 40, len(batch)), np.arange(len(batch)))
    within = [p for p in batch if not p.is_over and settings.least <= sum(map(sum, p.pits)) <= settings.most]
    return within[: settings.positions]


def bench_late(database: Database, settings: Settings) -> dict[str, Any]:
    """Solve late positions, all moves of each, and print the seconds they take."""
    positions = late_positions(settings)
    seconds = sorted(solve(position, database=database).seconds for position in positions)
    middle, worst = statistics.median(seconds), seconds[-1]
    print(
        f"{len(seconds)} positions of {settings.least} to {settings.most} stones, all moves: "
        f"median {1e3 * middle:.2f} ms, 9 in 10 within {1e3 * seconds[len(seconds) * 9 // 10]:.1f} ms, "
        f"at most {1e3 * worst:.1f} ms"
    )
    return {"name": "late positions", "median": middle, "most": worst, "count": len(seconds)}


def main() -> None:
    """Print all measurements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in asdict(Settings()).items():
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--json", type=Path, help="also write the figures there")
    options = vars(parser.parse_args())
    out = options.pop("json")
    settings = Settings(**options)
    facts = machine()
    print(f"{facts['processor']}, Python {facts['python']}, numba {facts['packages']['numba']}")
    figures = [timed("compilation, or loading from the cache", compiled)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kalah.db"
        figures.append(timed(f"database of {settings.stones} stones", lambda: built(path, settings)))
        print(f"{'':<40} {path.stat().st_size / 1e6:8.1f} MB")
        figures.append(bench_late(mrl.solver.open_database(path), settings))
    figures.append(timed("Kalah(6,4) from nothing", lambda: solved(moves=False)))
    figures.append(timed("Kalah(6,4) from nothing, all six moves", lambda: solved(moves=True)))
    if out is not None:
        out.write_text(json.dumps({"machine": facts, "settings": asdict(settings), "figures": figures}, indent=2))


if __name__ == "__main__":
    main()
