"""What was measured as tables for people, as JSON and as a picture, and beside the numbers that were to be reached."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from bench.memory import Memory
from bench.startup import FIRST_STEPS, Startup
from bench.timing import Ratio, Timing, is_noisy, ratio, spread
from rich import box
from rich.table import Table

OURS = "SelfPlayVectorEnv x 1024"
CHOOSING = "choosing from a mask, alone"
BASE = "OpenSpiel mancala, obs + mask"
TICTACTOE = "PettingZoo tictactoe env"
EVERYTHING = "every entry point"

Timings = dict[str, Timing]


@dataclass
class Measured:
    """All figures of a run; what no section has measured is empty."""

    peers: Timings = field(default_factory=dict)
    variants: Timings = field(default_factory=dict)
    growth: Timings = field(default_factory=dict)
    records: Timings = field(default_factory=dict)
    ratios: list[Ratio] = field(default_factory=list)
    memory: list[Memory] = field(default_factory=list)
    startup: list[Startup] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    machine: dict[str, Any] = field(default_factory=dict)
    others: float | None = None  # cores that other processes took meanwhile

    @property
    def timings(self) -> list[Timing]:
        """All timings."""
        return [t for section in (self.peers, self.variants, self.growth, self.records) for t in section.values()]

    @property
    def spread(self) -> float:
        """How many times the fastest round the slowest took, in the median."""
        return spread(self.timings) if self.timings else 1.0

    @property
    def is_noisy(self) -> bool:
        """Whether absolute figures say little."""
        return is_noisy(self.others, self.spread)

    def add(self, timings: Timings, pairs: Iterable[tuple[str, str]]) -> Timings:
        """Keep the ratios of the pairs (fast, slow) that have been timed both, and return the timings."""
        self.ratios += [ratio(timings[a], timings[b]) for a, b in pairs if a in timings and b in timings]
        return timings

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON holds it."""
        sections = {name: getattr(self, name) for name in ("peers", "variants", "growth", "records")}
        return {
            "machine": {**self.machine, "others_cores": self.others, "spread": self.spread, "noisy": self.is_noisy},
            "missing": self.missing,
            **{name: [timing.to_dict() for timing in timings.values()] for name, timings in sections.items()},
            "ratios": [pair.to_dict() for pair in self.ratios],
            "memory": [one.to_dict() for one in self.memory],
            "startup": [one.to_dict() for one in self.startup],
            "reach": [target.to_dict(self.is_noisy) for target in targets(self)],
        }


@dataclass(frozen=True)
class Target:
    """A number to reach, and the one measured; rows are those of the project's list."""

    row: int
    what: str
    sign: str
    goal: float
    unit: str
    measured: float
    is_ratio: bool = False

    def verdict(self, noisy: bool) -> str:
        """Return whether it was reached; on a noisy machine only ratios can be missed."""
        if self.measured >= self.goal if self.sign == ">=" else self.measured <= self.goal:
            return "reached"
        return "open (noisy machine)" if noisy and not self.is_ratio else "missed"

    def to_dict(self, noisy: bool) -> dict[str, Any]:
        """Return what JSON holds of it."""
        return {**asdict(self), "verdict": self.verdict(noisy)}


def targets(measured: Measured) -> list[Target]:
    """Return the numbers to reach of which the run tells something."""
    found = []
    ratios = {(pair.fast, pair.slow): pair.median for pair in measured.ratios}
    if OURS in measured.peers:
        rate = measured.peers[OURS].rate / 1e6
        found.append(Target(1, "batched, Kalah(6,4), B=1024", ">=", 8, "M moves/CPU-s", rate))
    if (OURS, BASE) in ratios:
        found.append(Target(1, "the same over OpenSpiel with obs + mask", ">=", 15, "x", ratios[OURS, BASE], True))
    if "AEC raw_env" in measured.peers:
        step = measured.peers["AEC raw_env"].microseconds - measured.peers[CHOOSING].microseconds
        found.append(Target(2, "AEC raw_env, last() + step() without choosing", "<=", 4, "us", step))
        found.append(Target(2, "AEC env(), in times of raw_env", "<=", 2, "x", ratios["AEC raw_env", "AEC env"], True))
    if ("AEC env", TICTACTOE) in ratios:
        times = ratio(measured.peers["AEC env"], measured.peers[TICTACTOE], measured.peers[CHOOSING]).median
        found.append(Target(2, "AEC env() over tictactoe's env(), without choosing", ">=", 15, "x", times, True))
    return found + _start_targets(measured.startup)


def _start_targets(starts: Sequence[Startup]) -> list[Target]:
    own = [one for one in starts if one.name in FIRST_STEPS]
    found = []
    if own:
        found.append(Target(3, "first step, warm, the slowest way", "<=", 1, "CPU-s", max(s.warm_cpu for s in own)))
    if colds := [one.cold.cpu for one in own if one.cold]:
        found.append(Target(3, "first step, cold, the slowest way", "<=", 5, "CPU-s", max(colds)))
    whole = [one.cold.cpu for one in starts if one.name == EVERYTHING and one.cold]
    return found + [Target(3, "every entry point, cold", "<=", 25, "CPU-s", cold) for cold in whole]


def tables(measured: Measured) -> list[tuple[str, Table]]:
    """Return title and table of each section that was measured, and at the end what was reached."""
    found = []
    if measured.peers:
        found.append(_peers_table(measured))
    if measured.variants:
        found.append(_variants_table(measured.variants))
    found += [_series_table(name, timings) for name, timings in by_series(measured.growth).items()]
    if measured.records:
        rows = [[t.contender.name, millions(t.rate)] for t in measured.records.values()]
        found.append(grid("One record per game", ["batch", "M moves/CPU-s"], rows))
    if pairs := measured.ratios:
        rows = [[pair.fast, pair.slow, f"{pair.median:.3g}", *_extremes(pair)] for pair in pairs]
        found.append(grid("Ratios of rounds", ["what", "how many times as fast as", "median", "min", "max"], rows))
    if measured.memory:
        rows = [[one.name, f"{one.held:.0f}", f"{one.step:.0f}"] for one in measured.memory]
        found.append(grid("Bytes a game", ["batched environment", "between steps", "more during a step"], rows))
    if measured.startup:
        found.append(_startup_table(measured.startup))
    if aims := targets(measured):
        rows = [
            [str(a.row), a.what, f"{a.sign} {a.goal:g} {a.unit}", f"{a.measured:.3g}", a.verdict(measured.is_noisy)]
            for a in aims
        ]
        found.append(grid("Reach", ["row", "what", "to reach", "measured", "verdict"], rows))
    return found


def _peers_table(measured: Measured) -> tuple[str, Table]:
    base = measured.peers.get(BASE)
    rows = []
    for timing in measured.peers.values():
        times = f"{ratio(timing, base).median:.3g}" if base and timing.contender.unit == "moves" else ""
        extremes = f"{1e6 / max(timing.rates):.3g}-{1e6 / min(timing.rates):.3g}"
        rows.append([timing.contender.name, millions(timing.rate), f"{timing.microseconds:.3g}", extremes, times])
    headings = ["random legal play", "M moves/CPU-s", "us a move", "min-max", "x"]
    title = f"Side by side, choice of the move and new games included; x = times as fast as {BASE}"
    return grid(title, headings, rows)


def _variants_table(timings: Timings) -> tuple[str, Table]:
    """One row a variant, one column a size of the batch; threads by the clock."""
    cells: dict[str, dict[tuple[int, int], Timing]] = {}
    for timing in timings.values():
        facts = timing.contender.facts
        cells.setdefault(facts["rules"], {})[facts["batch"], facts["threads"]] = timing
    sizes = sorted({key for row in cells.values() for key in row}, key=lambda key: (key[1], key[0]))
    headings = ["variant", *(f"B={batch}" if threads == 1 else f"{batch}, {threads} thr." for batch, threads in sizes)]
    rows = []
    for name, row in cells.items():
        single = [millions(row[key].rate) for key in sizes if key[1] == 1]
        gains = [f"x{row[key].wall_rate / row[key[0], 1].wall_rate:.2f}" for key in sizes if key[1] > 1]
        rows.append([name, *single, *gains])
    title = "Batched, in million moves per CPU second; two threads: how many times as fast on the clock"
    return grid(title, headings, rows)


def by_series(timings: Timings) -> dict[str, list[Timing]]:
    """Return the timings of growth by what grows."""
    series: dict[str, list[Timing]] = {}
    for timing in timings.values():
        series.setdefault(timing.contender.facts["series"], []).append(timing)
    return series


def _series_table(name: str, timings: list[Timing]) -> tuple[str, Table]:
    sizes = [str(timing.contender.facts["size"]) for timing in timings]
    return grid(f"Growth with {name}", [name, *sizes], [["M moves/CPU-s", *(millions(t.rate) for t in timings)]])


def _startup_table(starts: Sequence[Startup]) -> tuple[str, Table]:
    rows = []
    for one in starts:
        cold = f"{one.cold.cpu:.2f}" if one.cold else ""
        size = f"{one.cache_bytes / 2**20:.1f}" if one.cache_bytes else ""
        rows.append([one.name, cold, f"{one.warm_cpu:.2f}", size])
    headings = ["a fresh process to its first step", "cold, CPU-s", "warm, CPU-s", "cache, MiB"]
    return grid("Start-up", headings, rows)


def _extremes(pair: Ratio) -> tuple[str, str]:
    return f"{min(pair.rounds):.3g}", f"{max(pair.rounds):.3g}"


def millions(rate: float) -> str:
    """Return a rate in millions with three digits."""
    return f"{rate / 1e6:.3g}" if rate >= 1e3 else f"{rate / 1e6:.2g}"


def grid(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[str, Table]:
    """Return a title and a table that is Markdown too, so that it can be copied to a page; figures to the right."""
    view = Table(box=box.MARKDOWN)
    for index, heading in enumerate(headings):
        is_text = index == 0 or not any(any(c.isdigit() for c in row[index][:2]) for row in rows)
        view.add_column(heading, justify="left" if is_text else "right", no_wrap=True)
    for row in rows:
        view.add_row(*row)
    return title, view
