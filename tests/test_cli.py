"""The command line: what it prints, that JSON can be read, and that every mistake is one line and a status."""

import csv
import io
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
import types
from pathlib import Path

import pytest

import mancala_rl
from mancala_rl.cli import main
from mancala_rl.cli import progress as progress_module
from mancala_rl.cli.game import count_lines
from mancala_rl.cli.progress import progress
from mancala_rl.cli.train import _WITH_VALUE, Train, find_config, positionals_first
from mancala_rl.cli.usage import COMMANDS
from mancala_rl.errors import CheckpointError, ConfigError, RunError
from mancala_rl.rules import VARIANTS, variant
from mancala_rl.rules.registry import entry_of
from mancala_rl.rules.sheet import sheet
from mancala_rl.study.testsets import set_for
from tests.reference import DATA

PROGRAM = "from mancala_rl.cli import main; raise SystemExit(main())"
ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(mancala_rl.__file__).parents[1]), "PYTHONWARNINGS": "error"}


@pytest.fixture
def run(capsys):
    """Run a command in this process; returns status, standard output and standard error."""

    def run_command(*words: str) -> tuple[int, str, str]:
        status = main(words)
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run_command


@pytest.fixture
def ok(run):
    """Run a command that must succeed and say nothing on standard error; returns what it printed."""

    def run_well(*words: str) -> str:
        status, out, err = run(*words)
        assert (status, err) == (0, "")
        return out

    return run_well


@pytest.fixture
def trained(monkeypatch):
    """Put a stand-in for the trainer, which needs PyTorch, in its place; returns the calls it gets."""
    calls: list[tuple] = []

    def train(config_path, overrides, **options):
        calls.append((config_path, list(overrides), options))
        return Path("runs/x/agent")

    monkeypatch.setitem(sys.modules, "mancala_rl.learning", types.SimpleNamespace(train=train))
    return calls


# ----------------------------------------------------------------------------------------------------- what it prints


def test_without_arguments_it_prints_help(ok):
    text = ok()
    for command in COMMANDS:
        assert command in text


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(ok, command):
    assert f"usage: mancala-rl {command}" in ok(command, "--help")


@pytest.mark.parametrize("command", ["replay", "render"])
def test_help_tells_a_default_once_and_every_kind_of_move(ok, command):
    text = " ".join(ok(command, "--help").split())
    assert "(default: the start of the variant)" in text
    assert "default: None" not in text
    assert "pit numbers, swap or resign" in text


def test_help_tells_where_a_run_goes(ok):
    assert "--out DIR folder of a new run (default: a new one in runs)" in " ".join(ok("train", "--help").split())


def test_version(ok):
    assert ok("--version").startswith("mancala-rl ")


def test_variants(ok):
    text = ok("variants")
    for name in VARIANTS:
        entry = entry_of(name)
        row = next(line for line in text.splitlines() if line.split()[:1] == [name])
        assert entry.title in row
        assert f"{entry.rules.pits}x{entry.rules.stones}" in row
        assert entry.summary in row
        assert f"{', '.join((name, *entry.aliases))}: {entry.options[0]}" in text
    assert "2-4" in text
    (example,) = re.findall(r"custom:\S+", text)
    assert str(variant(example)).startswith("custom:") and "capture=none" in example  # as the record writes it


def test_variants_as_json(ok):
    listed = {entry["name"]: entry for entry in json.loads(ok("variants", "--json"))}
    assert list(listed) == list(VARIANTS)
    assert listed["kalah"]["options"] == list(entry_of("kalah").options)
    assert listed["kalah"]["pits"] == 6
    assert all(entry["summary"] and entry["title"] and entry["source"] for entry in listed.values())
    assert listed["kalah"]["hash"] == variant("kalah").hash


def test_rules(ok):
    assert ok("rules", "kalah:stones=3") == sheet(variant("kalah:stones=3"))


def test_rules_as_json(ok):
    data = json.loads(ok("rules", "kalah:pits=4", "--json"))
    assert mancala_rl.Rules.from_dict(data["record"]) == variant("kalah:pits=4")
    assert data["sheet"] == sheet(variant("kalah:pits=4"))


def test_replay_prints_every_ply(ok):
    lines = ok("replay", "kalah", "--moves", "2 5 3 0").splitlines()
    assert lines[0] == "start  4,4,4,4,4,4+0/4,4,4,4,4,4+0 0"
    assert lines[1] == "ply 1  Seat 0 plays 2: 4 stones, the last into its own store; moves again."
    assert lines[2].strip() == "4,4,0,5,5,5+1/4,4,4,4,4,4+0 0"
    assert lines[7] == "ply 4  Seat 0 plays 0: 5 stones, the last into its own pit 5; captures 6."
    assert lines[-1] == "Seat 1 to move (legal moves: 1, 2, 4, 5). Scores so far: 8 - 1"


def test_replay_prints_the_end(ok):
    text = ok("replay", "kalah", "--from", "0,0,0,0,0,1+22/0,0,0,0,8,0+17 0", "--moves", "5")
    assert text.splitlines()[-1] == (
        "The row of seat 0 is empty: the game is over. The 8 left in the pits go to seat 1. 23-25, seat 1 wins."
    )


def test_replay_tells_a_draw(ok):
    text = ok("replay", "kalah", "--from", "0,0,0,0,0,1+23/0,0,0,0,5,0+19 0", "--moves", "5")
    assert text.splitlines()[-1].endswith("24-24, a draw.")


def test_replay_tells_the_result_of_a_position_that_is_over(ok):
    text = ok("replay", "kalah", "--from", "0,0,0,0,0,0+22/0,0,0,0,9,0+17 0")
    assert text.splitlines()[-1] == "The game is over: 22-26, seat 1 wins"


def test_replay_of_three_players_who_finish_and_give_up(ok):
    start = "0,0,0,0,0,1+23/4,4,4,4,4,4+0/4,4,4,4,4,4+0 0"
    words = ("replay", "japanese:players=3,resign=true", "--from", start)
    lines = ok(*words, "--moves", "5").splitlines()
    assert lines[1] == "ply 1  Seat 0 plays 5: 1 stone, the last into its own store; has finished, first place."
    assert lines[-1] == (
        "Seat 1 to move (legal moves: 0, 1, 2, 3, 4, 5, resign). Stones left in the pits: out - 24 - 24"
    )
    text = ok(*words, "--moves", "5 resign")
    assert "Seat 1 gives up: third place." in text
    assert text.splitlines()[-1] == (
        "Only seat 2 is left: the game is over. Seat 0 first, seat 2 second, seat 1 third."
    )
    assert ok(*words, "--moves", "5 6") == text
    data = json.loads(ok(*words, "--moves", "5 resign", "--json"))
    assert (data["places"], data["ranking"], data["lifted"]) == ([1, 3, 2], [1, 3, 2], 48)


def test_replay_tells_a_game_that_was_cut_off(ok):
    text = ok("replay", "oware:max_plies=2", "--moves", "0 2")
    assert "2 moves have been made: the game is cut off." in text
    assert json.loads(ok("replay", "oware:max_plies=2", "--moves", "0 2", "--json"))["truncated"] is True


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_can_be_replayed_counted_and_read(ok, name):
    position, moves = variant(name).start(), []
    for _ in range(12):
        moves.append(position.legal_moves[len(moves) % len(position.legal_moves)])
        position = position.play(moves[-1])
        if position.is_over:
            break
    data = json.loads(ok("replay", name, "--moves", " ".join(map(str, moves)), "--json"))
    assert data["position"] == str(position)
    assert data["places"] == list(position.places)
    assert ok("replay", name, "--moves", " ".join(map(str, moves))).count("ply ") == len(moves)
    assert ok("perft", name, "1") == f"depth 1: {len(variant(name).start().legal_moves)}\n"
    assert ok("rules", name) == sheet(variant(name))


@pytest.mark.parametrize("moves", ["2 5 3", "2,5,3", " 2, 5 ,3, ", "2\n5\t3"])
def test_moves_stand_between_spaces_or_commas(ok, moves):
    data = json.loads(ok("replay", "kalah", "--moves", moves, "--json"))
    assert [ply["move"] for ply in data["plies"]] == [2, 5, 3]


def test_replay_as_json_holds_the_attributes(ok):
    data = json.loads(ok("replay", "kalah", "--moves", "2 5 3 0", "--json"))
    position = variant("kalah").start()
    for ply in data["plies"]:
        seat = position.to_move
        position = position.play(ply["move"])
        assert ply["seat"] == seat
        assert ply["position"] == str(position)
        assert (ply["captured"], ply["extra_turn"]) == (position.captured, position.extra_turn)
        assert tuple(ply["trace"]) == position.trace
    assert tuple(data["legal_moves"]) == position.legal_moves
    assert tuple(data["scores"]) == position.scores
    assert data["is_over"] is False
    assert data["ranking"] is None


def test_replay_without_moves_shows_the_start(ok):
    assert "Seat 0 to move" in ok("replay", "kalah")


def test_replay_swaps(ok):
    words = ok("replay", "kalah:pie=true", "--moves", "0 swap 3")
    assert "Seat 1 swaps" in words
    assert ok("replay", "kalah:pie=true", "--moves", "0 6 3") == words


def test_replay_of_the_golden_game_ends_as_it_does(ok):
    lines = (DATA / "golden" / "kalah.txt").read_text().splitlines()
    plies = [line.split() for line in lines if line.startswith("ply")]
    moves = " ".join(words[3] for words in plies)
    data = json.loads(ok("replay", "kalah", "--moves", moves, "--json"))
    assert data["is_over"]
    assert data["position"].split()[0] == plies[-1][5]


def test_perft_counts_as_the_reference_did(ok):
    lines = (DATA / "perft" / "kalah-6-4.txt").read_text().splitlines()
    counts = dict(line.split() for line in lines if line[:1].isdigit() and ":" not in line)
    for depth in ("1", "4", "6"):
        assert ok("perft", "kalah", depth) == f"depth {depth}: {counts[depth]}\n"


def test_perft_divides(ok):
    text = ok("perft", "kalah", "5", "--divide")
    assert text == "0: 868\n1: 845\n2: 739\n3: 773\n4: 748\n5: 717\ndepth 5: 4690\n"
    data = json.loads(ok("perft", "kalah", "5", "--divide", "--json"))
    assert data == {
        "rules": "kalah",
        "depth": 5,
        "divide": {"0": 868, "1": 845, "2": 739, "3": 773, "4": 748, "5": 717},
        "count": 4690,
    }


def test_perft_at_depth_nought_is_one(ok):
    assert ok("perft", "kalah", "0") == "depth 0: 1\n"


def test_deep_counts_are_the_sum_of_shallow_ones(monkeypatch):
    start = variant("kalah:pits=3,stones=2").start()
    whole = count_lines(start, 7)
    monkeypatch.setattr("mancala_rl.cli.game._UNINTERRUPTED", 3)
    assert count_lines(start, 7) == whole


def test_agents(ok):
    text = ok("agents")
    for name in ("uniform", "greedy", "minimax"):
        assert name in text
    listed = json.loads(ok("agents", "--json"))
    assert {"uniform", "greedy", "minimax"} <= {agent["name"] for agent in listed}
    assert all(agent["description"] for agent in listed)


def test_evaluate_prints_a_table_and_writes_csv(ok, tmp_path):
    path = tmp_path / "table.csv"
    words = ("evaluate", "greedy", "--variant", "kalah", "--against", "uniform", "--against", "greedy", "--pairs", "10")
    text = ok(*words, "--csv", str(path))
    assert "uniform" in text
    assert ".500" in text
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["opponent"] for row in rows] == ["uniform", "greedy"]
    assert float(rows[1]["score"]) == 0.5
    data = json.loads(ok(*words, "--json"))
    assert data["results"][0]["score"] == float(rows[0]["score"])
    assert data["results"][0]["games"] == 20


def test_evaluate_heeds_variant_and_seed(ok):
    words = (
        "evaluate",
        "uniform",
        "--variant",
        "kalah:pits=4,stones=3",
        "--against",
        "greedy",
        "--pairs",
        "10",
        "--json",
    )
    first, again, other = (json.loads(ok(*words, "--seed", seed)) for seed in ("1", "1", "2"))
    assert first == again
    assert first["rules"] == "kalah:pits=4,stones=3"
    assert first["results"] != other["results"]


# --------------------------------------------------------------------------------------------------------------- train


def test_train_hands_everything_over(ok, trained, tmp_path):
    config = tmp_path / "my.yaml"
    config.write_text("variant: kalah\n")
    out = ok("train", str(config), "--out", "runs/x", "seed=1", "--overwrite", "ppo.n_steps=64")
    assert out == "agent: runs/x/agent\n"
    options = {"resume": None, "out": Path("runs/x"), "overwrite": True, "checkpoint": None}
    assert callable(trained[0][2].pop("on_start"))
    assert trained == [(config, ["seed=1", "ppo.n_steps=64"], options)]


def test_train_resumes_without_a_configuration(ok, trained):
    ok("train", "--resume", "runs/x", "--checkpoint", "c.pt")
    options = {"resume": Path("runs/x"), "out": None, "overwrite": False, "checkpoint": Path("c.pt")}
    assert callable(trained[0][2].pop("on_start"))
    assert trained == [(None, [], options)]


def test_train_as_json_gives_the_agent(ok, trained):
    assert json.loads(ok("train", "configs/ppo/kalah-demo.yaml", "--json")) == {"agent": "runs/x/agent"}


def test_settings_may_stand_before_the_configuration(ok, trained):
    ok("train", "foo=1", "configs/ppo/kalah-demo.yaml", "bar=2")
    config, settings, _ = trained[0]
    assert (config.name, settings) == ("kalah-demo.yaml", ["foo=1", "bar=2"])


@pytest.mark.parametrize("words", [("--out=a b",), ("--out", "a b"), ("--resume", "a b"), ()])
def test_ctrl_c_names_the_run_folder_that_training_named(run, monkeypatch, words):
    def train(*args, on_start, **options):
        on_start(Path("a b"))
        raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "mancala_rl.learning", types.SimpleNamespace(train=train))
    status, out, err = run("train", *words)
    assert (status, out) == (130, "")
    assert err.splitlines() == [
        "run folder: a b",
        "mancala-rl: error: stopped by Ctrl-C; go on with: mancala-rl train --resume 'a b'",
    ]


def test_settings_may_stand_anywhere():
    words = ["--out", "d", "a.yaml", "--overwrite", "x=1", "--resume=r", "y=2"]
    assert positionals_first(words) == ["a.yaml", "x=1", "y=2", "--out", "d", "--overwrite", "--resume=r"]


def test_every_option_of_train_that_takes_a_value_is_known():
    kinds = {name: kind for name, kind in Train.__annotations__.items() if name != "arguments"}
    assert {f"--{name}" for name, kind in kinds.items() if kind.__origin__ is not bool} == set(_WITH_VALUE)


def test_the_configurations_of_a_wheel_are_found_from_anywhere(monkeypatch, tmp_path):
    packed = tmp_path / "site" / "mancala_rl" / "_configs" / "ppo" / "some.yaml"
    packed.parent.mkdir(parents=True)
    packed.write_text("variant: kalah\n")
    monkeypatch.setattr(mancala_rl, "__file__", str(tmp_path / "site" / "mancala_rl" / "__init__.py"))
    monkeypatch.chdir(tmp_path)
    assert find_config("configs/ppo/some.yaml") == packed
    assert find_config("ppo/some.yaml") == packed
    with pytest.raises(ConfigError, match=r"one of: configs/ppo/some\.yaml"):
        find_config("configs/ppo/other.yaml")
    own = tmp_path / "configs" / "ppo" / "some.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("variant: kalah\n")
    assert find_config("configs/ppo/some.yaml") == Path("configs/ppo/some.yaml")  # one's own comes first


def test_the_configurations_of_a_checkout_are_found_from_anywhere(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert find_config("configs/ppo/kalah-demo.yaml").is_file()


# ------------------------------------------------------------------------------------------------------------ bad input

NO_AGENT = ("--variant", "kalah", "--against", "uniform", "--pairs", "2")
MISTAKES = [
    (("variant",), "variants"),
    (("variants", "--jason"), "--json"),
    (("rules",), "VARIANT"),
    (("rules", "kalha"), "did you mean 'kalah'"),
    (("rules", "kalah:pit=3"), "did you mean 'pits'"),
    (("rules", "kalah:pits=x"), "whole number"),
    (("rules", "kalah:pits=0"), "pits=0"),
    (("rules", "kalah:pits"), "key=value"),
    (("replay", "kalah", "--moves", "2 5 3 0 0"), "ply 5: move 0 is illegal in 0,6,1,6,6,0+8/0,5,5,0,5,5+1 1"),
    (("replay", "kalah", "--moves", "0 9"), "legal moves: 0, 1, 2, 3, 4, 5"),
    (("replay", "kalah", "--moves", "-1"), "ply 1: move -1 is illegal"),
    (("replay", "kalah", "--moves", "2 two"), "ply 2: cannot read the move 'two'"),
    (("replay", "kalah", "--moves", "2;5"), "cannot read the move '2;5'"),
    (("replay", "kalah", "--moves", "2 swap"), "expected pit numbers 0 to 5"),
    (("replay", "kalah:pie=true", "--moves", "swap"), "ply 1"),
    (("replay", "japanese", "--moves", "2 resign"), "expected pit numbers 0 to 5, as in"),
    (("replay", "japanese:resign=true", "--moves", "2 swap"), "expected pit numbers 0 to 5 or resign"),
    (("replay", "kalah:pie=true", "--moves", "2 resign"), "expected pit numbers 0 to 5 or swap"),
    (("rules", "custm:pits=3"), "did you mean 'custom'"),
    (("rules", "kalah:chain=2,3"), "as in custom:chain="),
    (("rules", "custom:players=3"), "players=3 needs capture=none, got capture=cross"),
    (("rules", "KALAH"), "did you mean 'kalah'"),
    (("evaluate", "uniform", "--variant", "japanese:players=3", "--against", "greedy"), "choose rules for two"),
    (("perft", "oware:repetition=5", "2"), "repetition=5: expected 0 (off), 2 or 3"),
    (("replay", "kalah", "--moves", "9" * 5000), "cannot read"),
    (("replay", "kalah", "--from", "4,4+0/4,4+0 0"), "expected 6 pits"),
    (("replay", "kalah", "--from", "4,4,4,4,4,4+1/4,4,4,4,4,4+0 0"), "expected 48 stones"),
    (("replay", "kalah", "--from", "4,4,4,4,4,-4+0/4,4,4,4,4,4+8 0"), "cannot read"),
    (("replay", "kalah", "--from", "4,4,4,4,4,4+0/4,4,4,4,4,4+0 2"), "seat from 0 to 1"),
    (("replay", "kalah", "--from", "nonsense"), "cannot read 'nonsense'"),
    (("perft", "kalah"), "DEPTH"),
    (("perft", "kalah", "deep"), "DEPTH"),
    (("perft", "kalah", "-1"), "depth -1"),
    (("perft", "kalah", "100000000000"), "from 0 to"),
    (("perft", "kalah", "0", "--divide"), "depth of 1 or more"),
    (("evaluate", "uniform", "--against", "greedy"), "--variant"),
    (("evaluate", "uniform", "--variant", "kalah"), "--against"),
    (("evaluate", "--variant", "kalah", "--against", "greedy"), "AGENT"),
    (("evaluate", "unifrom", *NO_AGENT), "did you mean 'uniform'"),
    (("evaluate", "minimax:deep=2", *NO_AGENT), "did you mean 'depth'"),
    (("evaluate", "minimax:depth=two", *NO_AGENT), "depth"),
    (("evaluate", "minimax:depth=0", *NO_AGENT), "depth"),
    (("evaluate", "no/such/folder", *NO_AGENT), "no folder"),
    (("evaluate", ".", *NO_AGENT), "no config.json"),
    (("evaluate", "no_such_module:make", *NO_AGENT), "cannot import"),
    (("evaluate", "uniform", "--variant", "kalah", "--against", "greed", "--pairs", "2"), "did you mean 'greedy'"),
    (("evaluate", "uniform", "--variant", "kalha", "--against", "greedy"), "did you mean 'kalah'"),
    (("evaluate", "uniform", "--variant", "kalah", "--against", "greedy", "--pairs", "0"), "0 pairs"),
    (("evaluate", "uniform", "--variant", "kalah", "--against", "greedy", "--pairs", "ten"), "--pairs"),
    (("evaluate", "uniform", "--variant", "kalah", "--against", "greedy", "--seed", "-1"), "seed -1"),
    (("evaluate", "uniform", *NO_AGENT, "--csv", "no/such/folder/x.csv"), "folder that exists"),
    (("evaluate", "uniform", *NO_AGENT, "--csv", "."), "--csv .: expected a file, and this is a folder"),
    (("evaluate", "uniform", "--variant", "kalah:pits=2,stones=1", "--against", "uniform"), "take at most 6 pairs"),
    (("train", "no.yaml"), "no.yaml: there is no such configuration"),
    (("train", "no.yaml", "--ot", "x"), "--out"),
    (("train", "--resume"), "--resume"),
    (("train", "configs/ppo/kalah-demo.yaml", "seed"), "'seed': expected key=value"),
    (("train", "two.yaml", "three.yaml"), "three.yaml"),
    (("train", "seed", "two.yaml"), "'seed': expected key=value"),
    (("train", "two.yaml", "two.yaml"), "given twice"),
    (("train", "x" * 300), "no such configuration"),
    (("evaluate", "uniform", *NO_AGENT, "--csv", "x" * 300), "File name too long"),
    (("evaluate", "uniform", *NO_AGENT, "--seeds", "1"), "did you mean --seed?"),
    (("rules", "kalah:pits=six"), "pits='six': expected a whole number, as in pits=6"),
    (("rules", "kalah:pits=\N{ARABIC-INDIC DIGIT THREE}"), "whole number"),
    (("rules", "kalah:pie=perhaps"), "pie='perhaps': expected true or false"),
    (("evaluate", "uniform", "--variant", "kalah:pits=1,stones=1", "--against", "uniform"), "at most 1 pair,"),
]


@pytest.mark.parametrize("words, message", MISTAKES, ids=[" ".join(words)[:60] for words, _ in MISTAKES])
def test_a_mistake_is_one_line_and_status_2(run, words, message):
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert err.startswith("mancala-rl: error: ")
    assert err.count("\n") == 1
    assert message in err


def test_a_usage_error_on_a_coloured_terminal_is_plain(run, monkeypatch):
    monkeypatch.setattr("tyro._fmtlib._FORCE_ANSI", True)
    monkeypatch.setattr("tyro._fmtlib._FORCE_UTF8_BOXES", True)
    _, _, err = run("variants", "--jason")
    assert err == (
        "mancala-rl: error: Unrecognized options: --jason; did you mean --json?; "
        "For full helptext, run mancala-rl variants --help\n"
    )


def test_a_usage_error_without_drawing_characters_is_the_same(run, monkeypatch):
    monkeypatch.setattr("tyro._fmtlib._should_use_utf8_drawing_chars", lambda: False)
    _, _, err = run("variants", "--jason")
    assert err.startswith("mancala-rl: error: Unrecognized options: --jason; did you mean --json?; For")


@pytest.mark.parametrize("source", ["raise SystemExit(3)", "def make(rules): raise SystemExit(3)"])
def test_a_strangers_factory_that_exits_is_bad_input(run, monkeypatch, tmp_path, source):
    (tmp_path / "an_agent_that_exits.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "an_agent_that_exits", raising=False)
    status, out, err = run("evaluate", "an_agent_that_exits:make", *NO_AGENT)
    assert (status, out) == (2, "")
    assert "agent 'an_agent_that_exits:make'" in err
    assert "SystemExit: 3" in err


def test_yes_and_no_are_read_as_true_and_false(ok):
    assert ok("rules", "kalah:pie=yes") == ok("rules", "kalah:pie=true") != ok("rules", "kalah:pie=no")


def test_a_csv_without_permission_is_refused_before_the_games(run, monkeypatch, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("mine")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    status, out, err = run("evaluate", "uniform", *NO_AGENT, "--csv", str(path))
    assert (status, out) == (2, "")
    assert "no permission" in err
    assert path.read_text() == "mine"


def test_a_csv_that_no_file_system_takes_is_refused_before_the_games(run, monkeypatch, tmp_path):
    def refuse(self):
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(Path, "touch", refuse)
    status, out, err = run("evaluate", "uniform", *NO_AGENT, "--csv", str(tmp_path / "x"))
    assert (status, out) == (2, "")
    assert f"{tmp_path / 'x'}: cannot be written (No such file or directory)" in err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_csv_that_fails_in_the_end_does_not_take_the_result_with_it(run):
    status, out, err = run("evaluate", "uniform", *NO_AGENT, "--json", "--csv", "/dev/full")
    assert status == 1
    assert json.loads(out)["results"][0]["games"] == 4
    assert err == "mancala-rl: error: /dev/full: No space left on device\n"


def test_what_is_refused_shows_no_bar(monkeypatch):
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress("games", 5):
        pass
    assert terminal.getvalue() == ""
    with progress("games", 5) as advance:
        advance(1)
    assert "games" in terminal.getvalue()


@pytest.fixture
def slow_clock(monkeypatch):
    """Whenever long work looks at the clock, seven seconds have gone by."""
    seconds = itertools.count(0, 7)
    monkeypatch.setattr(progress_module, "time", types.SimpleNamespace(monotonic=lambda: next(seconds)))


def test_without_a_terminal_there_is_a_line_now_and_then(run, slow_clock):
    status, out, err = run("judge", "greedy", "uniform", "--variant", "kalah", "--json")
    assert status == 0 and len(json.loads(out)) == 2
    lines = err.splitlines()
    assert lines[0] == f"greedy: 7 of {len(set_for(variant('kalah'))):,}"
    assert {line.partition(":")[0] for line in lines} == {"greedy", "uniform"}


@pytest.mark.parametrize(
    "words, pattern",
    [
        (("solve", "kalah:pits=3,stones=3", "--stones", "0"), r"0\.0 M positions, between [-+]\d+ and [-+]\d+"),
        (("evaluate", "greedy", *NO_AGENT), r"games: \d of 4"),
        (("exploit", "greedy", "--variant", "kalah:pits=2,stones=2"), r"positions: \d+"),
        (("testset", "build", "kalah:pits=3,stones=2", "--stones", "8", "--out", "x.gz"), r"\w+: [\d,]+ of [\d,]+"),
    ],
)
def test_so_there_is_for_all_long_work(run, slow_clock, monkeypatch, tmp_path, words, pattern):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(*words, "--json")
    assert status == 0 and json.loads(out)
    assert err and all(re.fullmatch(pattern, line) for line in err.splitlines())


@pytest.mark.parametrize(
    "error, status, message",
    [
        (ConfigError("my.yaml: unknown key 'stpes'"), 2, "unknown key 'stpes'"),
        (CheckpointError("c.pt is damaged;\n  use b.pt"), 2, "c.pt is damaged; use b.pt"),
        (PermissionError(13, "Permission denied", "runs/x"), 2, "runs/x: Permission denied"),
        (RunError("the run failed: no space left"), 1, "no space left"),
        (OSError(28, "No space left on device", "runs/x/c.pt"), 1, "runs/x/c.pt: No space left on device"),
        (KeyboardInterrupt(), 130, "stopped by Ctrl-C\n"),
        (MemoryError(), 1, "not enough memory"),
        (ModuleNotFoundError("No module named 'torch'", name="torch"), 2, "pip install 'mancala-rl[train]'"),
    ],
)
def test_what_fails_in_a_run_has_its_status(run, monkeypatch, error, status, message):
    def train(*args, **options):
        raise error

    monkeypatch.setitem(sys.modules, "mancala_rl.learning", types.SimpleNamespace(train=train))
    found, out, err = run("train", "configs/ppo/kalah-demo.yaml", "--out", "runs/x")
    assert (found, out) == (status, "")
    assert err.count("\n") == 1
    assert message in err


def test_a_run_stopped_by_its_cause_without_permission_is_bad_input(run, monkeypatch):
    def train(*args, **options):
        try:
            raise PermissionError(13, "Permission denied", "runs/x")
        except PermissionError as error:
            raise RunError("cannot write runs/x") from error

    monkeypatch.setitem(sys.modules, "mancala_rl.learning", types.SimpleNamespace(train=train))
    assert run("train", "configs/ppo/kalah-demo.yaml")[0] == 2


def test_a_fault_of_the_program_is_not_hidden(run, monkeypatch):
    def train(*args, **options):
        raise ZeroDivisionError

    monkeypatch.setitem(sys.modules, "mancala_rl.learning", types.SimpleNamespace(train=train))
    with pytest.raises(ZeroDivisionError):
        run("train", "configs/ppo/kalah-demo.yaml")


# --------------------------------------------------------------------------------------------------- as its own process


def process(*words: str, before: str = "") -> subprocess.CompletedProcess:
    program = [sys.executable, "-c", before + PROGRAM, *words]
    return subprocess.run(program, env=ENVIRONMENT, capture_output=True, text=True, check=False)


def test_listing_variants_imports_nothing_heavy():
    found = "sorted({'torch', 'pygame', 'matplotlib'} & set(sys.modules))"
    done = process("variants", before=f"import atexit, sys; atexit.register(lambda: print({found}));")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_typo_shows_no_traceback():
    done = process("replay", "kalah", "--moves", "2 2")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        "mancala-rl: error: ply 2: move 2 is illegal in 4,4,0,5,5,5+1/4,4,4,4,4,4+0 0 (seat 0 to move); "
        "legal moves: 0, 1, 3, 4, 5"
    ]


def test_training_without_pytorch_says_what_to_install():
    done = process("train", "configs/ppo/kalah-demo.yaml", before="import sys; sys.modules['torch'] = None;")
    assert done.returncode == 2
    assert done.stderr.splitlines() == ["mancala-rl: error: this command needs torch: pip install 'mancala-rl[train]'"]


@pytest.mark.parametrize("words", [("rules", "kalah"), ("variants",), ("analyse", "kalah", "--depth", "2")])
def test_a_reader_that_has_enough_is_no_error(words):
    read, write = os.pipe()
    os.close(read)
    words = [sys.executable, "-c", PROGRAM, *words]
    done = subprocess.run(words, env=ENVIRONMENT, stdout=write, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_module_is_the_command_under_the_same_name():
    def module(*words: str) -> subprocess.CompletedProcess:
        program = [sys.executable, "-m", "mancala_rl", *words]
        return subprocess.run(program, env=ENVIRONMENT, capture_output=True, text=True, check=False)

    done = module("rules", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == process("rules", "--help").stdout
    assert done.stdout.startswith("usage: mancala-rl rules ")
    done = module("rules", "chess")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("mancala-rl: error: ")


@pytest.mark.parametrize("closed", [0, 1, 2])
@pytest.mark.parametrize("words", [("puzzles", "--count", "1"), ("evaluate", "greedy", *NO_AGENT)])
def test_a_stream_that_was_closed_before_the_start_is_no_error(closed, words):
    done = process(*words, before=f"import sys; sys.{('stdin', 'stdout', 'stderr')[closed]} = None;")
    assert (done.returncode, done.stderr) == (0, "")
    assert bool(done.stdout) == (closed != 1)


def test_a_terminal_that_knows_only_ascii_is_no_error():
    done = process("evaluate", "greedy", *NO_AGENT, before="import sys; sys.stdout.reconfigure(encoding='ascii');")
    assert (done.returncode, done.stderr) == (0, "")
    assert "uniform" in done.stdout


@pytest.mark.parametrize("count", [("kalah", "60"), ("kalah:pits=60,stones=1", "7")], ids=["deep", "wide"])
def test_ctrl_c_ends_a_long_count_in_one_line(count):
    started = PROGRAM.replace(";", "; print('ready', flush=True);")
    words = [sys.executable, "-c", started, "perft", *count]
    with subprocess.Popen(
        words, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as counting:
        assert counting.stdout.readline() == "ready\n"
        time.sleep(3)
        counting.send_signal(signal.SIGINT)
        _, err = counting.communicate(timeout=10)
    assert counting.returncode == 130
    assert err.splitlines() == ["mancala-rl: error: stopped by Ctrl-C"]
