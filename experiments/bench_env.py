"""How fast the environments are, side by side with other libraries: OpenSpiel, PettingZoo and, when installed, Pgx.

python experiments/bench_env.py --json bench.json --plot bench.svg
python experiments/bench_env.py --quick --only peers memory

Everything of a section takes turns, at least five rounds of it; a figure is the median of the rounds, a ratio the
median of the ratios within a round. Time is CPU time of all threads. Play is random and legal; choosing the move and
starting new games are part of every loop. Takes up to four minutes on two cores, `--quick` half a minute.
"""

import contextlib
import importlib.util
import io
import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import gymnasium
import numpy as np
import tyro
from bench import memory, ours, peers, plot, startup, timing
from bench.report import EVERYTHING, OURS, TICTACTOE, Measured, tables
from bench.timing import Contender

import mancala_rl as mrl
from mancala_rl.cli.output import check_writable, show, show_table
from mancala_rl.cli.progress import progress
from mancala_rl.errors import BadInputError, MancalaError

BATCHES = (1, 64, 1024, 16384)
SIZES = {
    "games": (1, 4, 16, 64, 256, 1024, 4096, 16384, 65536),
    "pits": (2, 3, 4, 6, 8, 10, 12, 16),
    "stones": (1, 2, 3, 4, 6, 8, 12, 16),
    "players": (2, 3, 4),
}


@dataclass(frozen=True)
class Settings:
    """What is measured and where it is written.

    Attributes:
        only: sections to run; all if left out.
        quick: half a minute instead of four: fewer rounds and sizes, shorter samples.
        rounds: samples of everything, three times as many of the peers; 5 or, with --quick, 3 if left out.
        json: file for all figures.
        plot: file for a picture, .svg or .png.
    """

    only: tuple[str, ...] = ()
    quick: bool = False
    rounds: int | None = None
    json: Path | None = None
    plot: Path | None = None

    def check(self) -> None:
        """Refuse what cannot be done, before long work.

        Raises:
            BadInputError: names the option, what was expected and what came.
        """
        for name in self.only:
            if name not in SECTIONS:
                raise BadInputError(f"--only {name}: expected some of {', '.join(SECTIONS)}")
        if self.rounds is not None and self.rounds < 1:
            raise BadInputError(f"--rounds {self.rounds}: expected at least 1")
        if self.plot and self.plot.suffix not in plot.SUFFIXES:
            raise BadInputError(f"--plot {self.plot}: expected a name that ends in {' or '.join(plot.SUFFIXES)}")
        if self.plot and not importlib.util.find_spec("matplotlib"):
            raise BadInputError("--plot needs matplotlib: pip install matplotlib")
        for option, path in (("--json", self.json), ("--plot", self.plot)):
            if path:
                check_writable(option, path)

    @property
    def repeats(self) -> int:
        """Rounds."""
        return self.rounds or (3 if self.quick else 5)

    def race(self, title: str, contenders: list[Contender], seconds: float, times: int = 1) -> dict[str, timing.Timing]:
        """Time contenders in samples of about so many seconds, with a bar on a terminal.

        `times` as many rounds as otherwise; where ratios count, many short ones tell more: they are closer together.
        """
        seconds, rounds = seconds / 4 if self.quick else seconds, self.repeats * times
        with progress(title, rounds * len(contenders)) as show_done:
            done = iter(range(1, rounds * len(contenders) + 1))
            return timing.race(contenders, rounds, seconds, lambda: show_done(next(done)))


def run_peers(settings: Settings, measured: Measured) -> None:
    """Time everything we have for Kalah and Oware, and what the peers have."""
    kalah, oware = mrl.variant("kalah"), mrl.variant("oware")
    mine = [
        ours.choosing(),
        ours.position(kalah),
        ours.single(gymnasium.make("mancala/Kalah-v0", opponent="uniform")),
        ours.aec("AEC raw_env", mrl.kalah_v0.raw_env()),
        ours.aec("AEC env", mrl.kalah_v0.env()),
        *(ours.self_play(kalah, batch, name=f"SelfPlayVectorEnv x {batch}") for batch in BATCHES),
        *(ours.self_play(kalah, n, 2, name=f"SelfPlayVectorEnv x {n}, 2 threads") for n in BATCHES[-2:]),
        ours.self_play(oware, 1024, name="SelfPlayVectorEnv oware x 1024"),
        ours.batched("MancalaVectorEnv x 1024, uniform inside", mrl.MancalaVectorEnv(kalah, 1024)),
    ]
    others = [one for peer in peers.installed() for one in peer.contenders(settings.quick)]
    faster = [(OURS, one.name) for one in others if "oware" not in one.name]
    oware_pairs = [("SelfPlayVectorEnv oware x 1024", one.name) for one in others if "oware" in one.name]
    aec = [("AEC env", TICTACTOE), ("AEC raw_env", "PettingZoo tictactoe raw_env"), ("AEC raw_env", "AEC env")]
    measured.peers = measured.add(settings.race("peers", mine + others, 0.04, times=3), [*faster, *oware_pairs, *aec])


def run_variants(settings: Settings, measured: Measured) -> None:
    """Time every variant by size of the batch, with one thread and with two."""
    batches, threads = (BATCHES[::2], (1,)) if settings.quick else (BATCHES, (1, 2))
    contenders = [ours.self_play(name, batch, count) for name in mrl.VARIANTS for batch in batches for count in threads]
    measured.variants = settings.race("variants", contenders, 0.06)


def run_growth(settings: Settings, measured: Measured) -> None:
    """Time Kalah as batch, board and stones grow, and Japanese Mancala with more players."""
    specs = {"games": "kalah", "pits": "kalah:pits={}", "stones": "kalah:stones={}", "players": "japanese:players={}"}
    contenders = []
    for series, sizes in SIZES.items():
        for size in sizes[:: 2 if settings.quick else 1]:
            env = mrl.SelfPlayVectorEnv(specs[series].format(size), size if series == "games" else 1024)
            contenders.append(ours.batched(f"{series} {size}", env, series=series, size=size))
    measured.growth = settings.race("growth", contenders, 0.06)


def run_records(settings: Settings, measured: Measured) -> None:
    """Time what it costs that every game has a record of its own."""
    kalah, rng = mrl.variant("kalah"), np.random.default_rng(0)
    drawn = [mrl.Rules.sample(rng) for _ in range(256)]
    every, each = list(mrl.VARIANTS.values()), 100
    contenders = [
        ours.self_play(kalah, 1024, name="Kalah, one record"),
        ours.self_play([kalah] * 2, 1024, name="Kalah, its record twice"),
        ours.self_play([kalah] * 1024, 1024, name="Kalah, its record 1024 times"),
        ours.several("all variants, a batch each", [ours.self_play(rules, each) for rules in every]),
        ours.self_play(every, each * len(every), name="all variants in one batch"),
        ours.self_play(every, each * len(every), records="random", name="all variants, drawn anew every game"),
        ours.self_play(drawn, 1024, name="256 sampled records"),
    ]
    pairs = [
        ("Kalah, its record twice", "Kalah, one record"),
        ("Kalah, its record 1024 times", "Kalah, one record"),
        ("all variants in one batch", "all variants, a batch each"),
        ("all variants, drawn anew every game", "all variants in one batch"),
    ]
    measured.records = measured.add(settings.race("records", contenders, 0.12), pairs)


def run_memory(settings: Settings, measured: Measured) -> None:
    """Measure what a game takes in the batched environments."""
    names = ("kalah",) if settings.quick else (*mrl.VARIANTS, "japanese:players=4", "kalah:pits=12,stones=12")
    every = list(mrl.VARIANTS.values())
    measured.memory = [
        *(memory.measure(name, lambda games, name=name: mrl.SelfPlayVectorEnv(name, games)) for name in names),
        memory.measure("kalah, copy=False", lambda games: mrl.SelfPlayVectorEnv("kalah", games, copy=False)),
        memory.measure("kalah, opponent inside", lambda games: mrl.MancalaVectorEnv("kalah", games)),
        memory.measure("all variants in one batch", lambda games: mrl.SelfPlayVectorEnv(every, games)),
    ]


def run_startup(settings: Settings, measured: Measured) -> None:
    """Measure fresh processes up to their first step."""
    repeats = 1 if settings.quick else settings.repeats
    firsts = list(startup.FIRST_STEPS.items())[: 1 if settings.quick else None]
    programs = firsts if settings.quick else [*firsts, (EVERYTHING, startup.everything())]
    with progress("start-up", len(programs)) as show_done:
        measured.startup.append(startup.measure_warm("imports of others, alone", startup.IMPORTS_OF_OTHERS, repeats))
        for count, (name, code) in enumerate(programs, 1):
            measured.startup.append(startup.measure(name, code, repeats if name != EVERYTHING else 1))
            show_done(count)
    if not settings.quick:
        measured.startup += [startup.measure_warm(p.name, p.first_step, 1) for p in peers.installed()]


SECTIONS: dict[str, Callable[[Settings, Measured], None]] = {
    "peers": run_peers,
    "variants": run_variants,
    "growth": run_growth,
    "records": run_records,
    "memory": run_memory,
    "startup": run_startup,
}


def main(settings: Settings) -> None:
    """Measure, print, write.

    Raises:
        BadInputError: settings that cannot be used.
        OSError: a file cannot be written.
    """
    settings.check()
    measured = Measured(machine=timing.machine(), missing=peers.missing())
    noise = timing.Noise()
    for name, section in SECTIONS.items():
        if not settings.only or name in settings.only:
            section(settings, measured)
    measured.others = noise.others()
    report(measured)
    if settings.json:
        settings.json.write_text(json.dumps(measured.to_dict(), indent=1) + "\n", encoding="utf-8")
    if settings.plot:
        plot.draw(measured, settings.plot)


def report(measured: Measured) -> None:
    """Print what was measured, on what machine, and how far it can be trusted."""
    machine = measured.machine
    versions = ", ".join(f"{name} {version}" for name, version in machine["packages"].items() if version)
    show(f"{machine['processor']}, {machine['cores_usable']} of {machine['cores']} cores, {machine['system']}")
    show(f"Python {machine['python']}, {versions}")
    for line in measured.missing:
        show(line)
    if not machine["compiled"]:
        show("NUMBA_DISABLE_JIT is set: nothing is compiled, and these are no figures of its speed")
    if machine["cores_usable"] == 1:
        show("This process may use one core only: two threads cannot be faster than one.")
    for title, table in tables(measured):
        show(f"\n{title}")
        show_table(table)
    others = "unknown" if measured.others is None else f"{measured.others:.2f} cores"
    show(f"\nTaken by other processes meanwhile: {others}; slowest over fastest round: {measured.spread:.2f}.")


def parse(words: list[str]) -> Settings:
    """Return the settings that the words ask for.

    Raises:
        BadInputError: one line of what tyro prints in a frame.
        SystemExit: after help.
    """
    complaint = io.StringIO()
    try:
        with contextlib.redirect_stderr(complaint):
            return tyro.cli(Settings, args=words, config=(tyro.conf.FlagCreatePairsOff,))
    except SystemExit as stop:
        if not stop.code:
            raise
        plain = re.sub(r"\x1b\[[0-9;]*m|[│╭╮╰╯─]|-{8,}", " ", complaint.getvalue())
        raise BadInputError(" ".join(plain.split())) from None


def run(words: list[str]) -> int:
    """Run with these words of the command line, and return the exit status."""
    try:
        main(parse(words))
    except (MancalaError, OSError) as error:
        print(f"bench_env: error: {error}", file=sys.stderr)
        return 2 if isinstance(error, BadInputError) else 1
    return 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
