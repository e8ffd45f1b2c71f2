"""The figures of a run as a picture, with matplotlib."""

from pathlib import Path
from typing import Any

from bench.report import Measured, by_series
from bench.timing import Timing

SUFFIXES = (".svg", ".png")
OWN, OTHERS = "#1f6f8b", "#c98b3c"
MARKS = "osD^vPX*<>"
STYLE = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.fonttype": "none",
}


def draw(measured: Measured, path: Path) -> None:
    """Write a picture of every section that was measured: SVG or PNG, as the file's name ends.

    Raises:
        OSError: the file cannot be written.
    """
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    panels = _panels(measured)
    mpl.rcParams.update(STYLE)
    columns = min(2, len(panels))
    rows = -(-len(panels) // columns)
    figure, axes = plt.subplots(rows, columns, figsize=(6.5 * columns, 4.2 * rows), layout="constrained", squeeze=False)
    for axis in axes.flat[len(panels) :]:
        axis.remove()
    for axis, (panel, data) in zip(axes.flat, panels, strict=False):
        panel(axis, data)
    machine = measured.machine
    figure.suptitle(f"Random legal play, {machine['processor']}, Python {machine['python']}", fontsize=9)
    figure.savefig(path, dpi=150)
    plt.close(figure)


def _panels(measured: Measured) -> list[tuple[Any, Any]]:
    panels: list[tuple[Any, Any]] = []
    if measured.peers:
        panels.append((_bars, [t for t in measured.peers.values() if t.contender.unit == "moves"]))
    if measured.variants:
        panels.append((_lines, measured.variants.values()))
    if measured.growth:
        panels.append((_growth, by_series(measured.growth)))
    if measured.startup:
        panels.append((_starts, measured.startup))
    return panels


def _bars(axis: Any, timings: list[Timing]) -> None:
    """Everything side by side, the fastest at the top."""
    timings = sorted(timings, key=lambda timing: timing.rate)
    names = [timing.contender.name for timing in timings]
    rates = [timing.rate for timing in timings]
    errors = [[t.rate - min(t.rates) for t in timings], [max(t.rates) - t.rate for t in timings]]
    colours = [OTHERS if name.startswith(("OpenSpiel", "PettingZoo", "Pgx")) else OWN for name in names]
    axis.barh(names, rates, xerr=errors, color=colours, error_kw={"elinewidth": 0.8})
    axis.set_xscale("log")
    axis.tick_params(axis="y", labelsize=7)
    axis.set_title("side by side (blue: mancala-rl)")
    axis.set_xlabel("moves per CPU second")


def _lines(axis: Any, timings: Any) -> None:
    """A line a variant over the size of the batch, one thread."""
    lines: dict[str, list[Timing]] = {}
    for timing in timings:
        if timing.contender.facts["threads"] == 1:
            lines.setdefault(timing.contender.facts["rules"], []).append(timing)
    for mark, (name, line) in zip(MARKS * 4, lines.items(), strict=False):
        sizes = [timing.contender.facts["batch"] for timing in line]
        axis.plot(sizes, [timing.rate / 1e6 for timing in line], marker=mark, markersize=4, linewidth=1, label=name)
    axis.set_xscale("log", base=2)
    axis.set_yscale("log")
    axis.set_title("SelfPlayVectorEnv, one thread")
    axis.set_xlabel("games in the batch")
    axis.set_ylabel("million moves per CPU second")
    axis.legend(fontsize=7, frameon=False)


def _growth(axis: Any, series: dict[str, list[Timing]]) -> None:
    """What a move costs by the size of the board, the stones and the players."""
    for mark, (name, line) in zip(MARKS, series.items(), strict=False):
        if name == "games":
            continue  # the panel of the variants shows it
        sizes = [timing.contender.facts["size"] for timing in line]
        axis.plot(sizes, [1e3 * timing.microseconds for timing in line], marker=mark, linewidth=1, label=name)
    axis.set_ylim(bottom=0)
    axis.set_title("1024 games: Kalah by pits and by stones, Japanese Mancala by players")
    axis.set_xlabel("pits a player, stones a pit, players")
    axis.set_ylabel("CPU nanoseconds a move")
    axis.legend(fontsize=7, frameon=False)


def _starts(axis: Any, starts: Any) -> None:
    """CPU seconds to the first step, cold and warm."""
    names = [one.name for one in starts][::-1]
    colds = [one.cold.cpu if one.cold else 0 for one in starts][::-1]
    warms = [one.warm_cpu for one in starts][::-1]
    axis.barh(names, colds, color="#a9c7d3", label="cold")
    axis.barh(names, warms, color=OWN, height=0.4, label="warm")
    axis.tick_params(axis="y", labelsize=7)
    axis.set_title("from the start of a process to its first step")
    axis.set_xlabel("CPU seconds")
    axis.legend(fontsize=7, frameon=False)
