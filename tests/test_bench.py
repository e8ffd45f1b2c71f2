"""The measurement of speed: its arithmetic, loops and mistakes; nothing here depends on how long things take."""

import importlib
import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import gymnasium
import pytest

import mancala_rl as mrl
from mancala_rl.errors import RunError

EXPERIMENTS = Path(__file__).resolve().parent.parent / "experiments"


@pytest.fixture(scope="module")
def bench() -> Iterator[SimpleNamespace]:
    """The script and its modules, which are imported as the script does: from its own folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXPERIMENTS))
        names = ("memory", "ours", "peers", "plot", "report", "startup", "timing")
        modules = {name: importlib.import_module(f"bench.{name}") for name in names}
        yield SimpleNamespace(env=importlib.import_module("bench_env"), **modules)


def timed(bench, name: str, *rounds: tuple[float, int], unit: str = "moves"):
    """A timing with these CPU seconds and counts."""
    samples = tuple(bench.timing.Sample(cpu, cpu, count) for cpu, count in rounds)
    return bench.timing.Timing(bench.timing.Contender(name, lambda steps: steps, unit), samples)


def without(monkeypatch, *modules: str) -> None:
    """Make it look as if these modules were not installed."""
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in modules else find(name))


def test_contenders_take_turns_in_alternating_order(bench) -> None:
    calls = []

    def contender(name: str):
        return bench.timing.Contender(name, lambda steps: calls.append(name) or steps)

    timings = bench.timing.race([contender(name) for name in "abc"], rounds=3, seconds=0)
    assert "".join(calls)[-9:] == "abccbaabc"
    assert [len(timings[name].samples) for name in "abc"] == [3, 3, 3]


def test_a_sample_is_as_long_as_asked(bench, monkeypatch) -> None:
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(bench.timing.time, "perf_counter", lambda: clock.now)
    monkeypatch.setattr(bench.timing.time, "process_time", lambda: clock.now)

    compiled = []

    def loop(steps: int) -> int:
        clock.now += steps * 0.001
        if steps > 7 and not compiled:  # what takes seconds once must not make samples short
            compiled.append(steps)
            clock.now += 3
        return 10 * steps

    timing = bench.timing.race([bench.timing.Contender("a", loop, warm_up=7)], rounds=2, seconds=0.5)["a"]
    assert [taken.count for taken in timing.samples] == [5000, 5000]
    assert timing.rate == pytest.approx(10_000)
    assert timing.microseconds == pytest.approx(100)


def test_a_ratio_is_taken_within_each_round(bench) -> None:
    fast, slow = timed(bench, "fast", (1, 60), (2, 60), (1, 90)), timed(bench, "slow", (1, 10), (2, 10), (1, 10))
    pair = bench.timing.ratio(fast, slow)
    assert pair.rounds == pytest.approx((6, 6, 9))
    told = pair.to_dict()
    assert [told[key] for key in ("fast", "slow")] == ["fast", "slow"]
    assert [told[key] for key in ("median", "min", "max")] == pytest.approx([6, 6, 9])


def test_figures_are_medians(bench) -> None:
    timing = timed(bench, "a", (1, 10), (1, 30), (1, 1000))
    assert (timing.rate, timing.wall_rate) == (30, 30)


@pytest.mark.parametrize("rate, noisy, verdict", [(8, True, "reached"), (7, False, "missed"), (7, True, "open")])
def test_an_absolute_figure_decides_on_a_quiet_machine_only(bench, rate: float, noisy: bool, verdict: str) -> None:
    target = bench.report.Target(1, "batched", ">=", 8, "M", rate)
    assert target.verdict(noisy).partition(" ")[0] == verdict


def test_a_ratio_decides_always(bench) -> None:
    assert bench.report.Target(1, "batched", ">=", 15, "x", 14.9, is_ratio=True).verdict(noisy=True) == "missed"
    assert bench.report.Target(2, "last() + step()", "<=", 2, "x", 1.9, is_ratio=True).verdict(noisy=True) == "reached"


def test_the_targets_are_computed_from_the_rounds(bench) -> None:
    names = bench.report
    timings = [
        timed(bench, names.CHOOSING, (1, 4_000_000), unit="choices"),
        timed(bench, "AEC raw_env", (1, 250_000)),
        timed(bench, "AEC env", (1, 200_000)),
        timed(bench, names.OURS, (1, 9_000_000)),
        timed(bench, names.BASE, (1, 500_000)),
        timed(bench, names.TICTACTOE, (1, 10_000)),
    ]
    pairs = [(names.OURS, names.BASE), ("AEC raw_env", "AEC env"), ("AEC env", names.TICTACTOE)]
    measured = names.Measured()
    measured.peers = measured.add({timing.contender.name: timing for timing in timings}, pairs)
    start = bench.startup.Start
    measured.startup = [
        bench.startup.Startup("AEC env", start(4, 9), (start(0.5, 1), start(0.7, 1), start(0.9, 1))),
        bench.startup.Startup("Position.play", start(3, 9), (start(0.4, 1),)),
        bench.startup.Startup(names.EVERYTHING, start(30, 9), (start(1.5, 1),)),
    ]
    found = names.targets(measured)
    assert [target.row for target in found] == [1, 1, 2, 2, 2, 3, 3, 3]
    assert [target.measured for target in found] == pytest.approx([9, 18, 3.75, 1.25, 99.75 / 4.75, 0.7, 4, 30])


def test_the_single_agent_loop_counts_every_move_made_in_step(bench) -> None:
    class Count(gymnasium.Wrapper):
        plies, moves = 0, 0

        def reset(self, **options):
            observation, info = self.env.reset(**options)
            self.plies = info["ply"]
            return observation, info

        def step(self, action):
            *rest, info = self.env.step(action)
            self.moves += info["ply"] - self.plies
            self.plies = info["ply"]
            return *rest, info

    env = Count(gymnasium.make("mancala/Kalah-v0", pits=3, stones=2, seat="random"))
    loop = bench.ours.single(env).loop
    assert loop(1) + loop(99) == env.moves > 150


def test_batches_count_a_move_a_game(bench) -> None:
    assert bench.ours.self_play("kalah", 8).loop(3) == 24
    several = bench.ours.several("both", [bench.ours.self_play(rules, 8) for rules in ("kalah", "oware")])
    assert several.loop(3) == 48


@pytest.mark.parametrize("make", [mrl.kalah_v0.raw_env, mrl.kalah_v0.env])
def test_the_loop_of_pettingzoo_plays_legal_games_only(bench, make) -> None:
    env = make(illegal="raise", pits=3, stones=2)
    assert bench.ours.aec("kalah", env).loop(200) == 200


def test_what_is_not_installed_is_named_with_its_command(bench, monkeypatch) -> None:
    without(monkeypatch, "pyspiel", "pygame", "pgx")
    assert bench.peers.installed() == []
    for line, command in zip(bench.peers.missing(), ("open-spiel", "pygame-ce", "pgx jax"), strict=True):
        assert line.endswith(f"is left out: pip install {command}")


def test_a_section_prints_a_table_and_writes_json(bench, monkeypatch, tmp_path, capsys) -> None:
    for name, value in {"FEW": 8, "MANY": 64, "WARM_UP": 4, "STEPS": 2}.items():
        monkeypatch.setattr(bench.memory, name, value)
    file = tmp_path / "bench.json"
    assert bench.env.run(["--quick", "--only", "memory", "--json", str(file)]) == 0
    printed = capsys.readouterr()
    assert "Bytes a game" in printed.out
    assert "| kalah, copy=False" in printed.out
    assert printed.err == ""
    found = json.loads(file.read_text())
    held = {entry["name"]: entry["held"] for entry in found["memory"]}
    assert held["kalah"] >= 2 * mrl.variant("kalah").row_length  # int16
    longest = max(rules.row_length for rules in mrl.VARIANTS.values())
    assert held["all variants in one batch"] >= 2 * longest > held["kalah"]
    assert found["machine"]["python"] in printed.out
    assert (found["peers"], found["ratios"], found["reach"]) == ([], [], [])


@pytest.mark.parametrize(
    "words, message",
    [
        (["--only", "speed"], "--only speed: expected some of peers, variants, growth, records, memory, startup"),
        (["--rounds", "0"], "--rounds 0: expected at least 1"),
        (["--rounds", "x"], "invalid"),
        (["--fast"], "--fast"),
        (["--plot", "bench.pdf"], "--plot bench.pdf: expected a name that ends in .svg or .png"),
        (["--json", "nowhere/bench.json"], "--json nowhere/bench.json: expected a file in a folder that exists"),
        (["--plot", "bench.svg"], "--plot needs matplotlib: pip install matplotlib"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(bench, monkeypatch, tmp_path, capsys, words, message) -> None:
    without(monkeypatch, "matplotlib")
    monkeypatch.chdir(tmp_path)
    assert bench.env.run(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("bench_env: error: ")
    assert printed.err.count("\n") == 1
    assert message in printed.err
    assert list(tmp_path.iterdir()) == []


def test_the_time_of_a_fresh_process_is_that_to_its_end(bench, tmp_path) -> None:
    taken = bench.startup.start("import time; time.sleep(0.3)", tmp_path)
    assert 0 < taken.cpu < taken.wall
    assert taken.wall > 0.3
    with pytest.raises(RunError, match="it said: ValueError: no"):
        bench.startup.start("raise ValueError('no')", tmp_path)


@pytest.mark.slow  # compiles whatever nothing has compiled yet
def test_every_program_of_the_start_up_section_runs(bench) -> None:
    exec(compile(bench.startup.IMPORTS_OF_OWN + bench.startup.everything(), "everything", "exec"), {})


def test_a_picture_is_drawn_of_every_section(bench, tmp_path) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra `bench`")
    measured = bench.report.Measured(machine={"processor": "a processor", "python": "3.11"})
    measured.peers = {name: timed(bench, name, (1, 10), (1, 20)) for name in ("ours", "OpenSpiel mancala")}
    start = bench.startup.Start(1, 2)
    measured.startup = [bench.startup.Startup("AEC env", start, (start,))]
    for suffix in bench.plot.SUFFIXES:
        bench.plot.draw(measured, tmp_path / f"bench{suffix}")
    assert "OpenSpiel mancala" in (tmp_path / "bench.svg").read_text()
    assert (tmp_path / "bench.png").stat().st_size > 10_000
