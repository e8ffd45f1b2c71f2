"""The commands `testset` and `judge`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mancala_rl.cli import main
from mancala_rl.study.testsets import build_set, building, read_set, shipped_sets

SMALL = "kalah:pits=4,stones=2"
BUILD = ("testset", "build", SMALL, "--seed", "3", "--stones", "8", "--positions", "40")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    return status, *capsys.readouterr()


def ok(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    status, out, err = run(capsys, *words)
    assert (status, err) == (0, "")
    return out


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    status, out, err = run(capsys, *words)
    assert (status, out) == (2, "")
    assert err.startswith("mancala-rl: error: ") and err.count("\n") == 1
    return err


@pytest.fixture(autouse=True)
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "_MOST_BLOCKS", 4)


@pytest.fixture
def file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Path:
    path = tmp_path / "small.jsonl.gz"
    ok(capsys, *BUILD, "--out", str(path))
    return path


def test_build_writes_the_set_and_says_what_it_holds(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "new.jsonl.gz"
    text = ok(capsys, *BUILD, "--out", str(path))
    solved = read_set(path)
    assert solved == build_set(SMALL, 3, stones=8, positions=40)
    first, rest = text.split("\n", 1)
    assert first == "to solve: 240 positions of at most 8 stones; 384.0 MiB of memory"
    assert rest.startswith(f"{SMALL}: {len(solved)} positions (")
    assert f"made by: mancala-rl {' '.join(BUILD)} --out FILE" in rest
    assert ok(capsys, "testset", "info", str(path)) == rest


def test_build_says_which_database_helps(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ("testset", "build", "mangala_official", "--stones", "6", "--positions", "12", "--threads", "1")
    path = tmp_path / "new.jsonl.gz"
    first, rest = ok(capsys, *words, "--out", str(path)).split("\n", 1)
    assert first.startswith("to solve: 72 positions of at most 6 stones with a database of 6 stones; ")
    assert first.endswith(" MiB of memory")
    assert "made by: mancala-rl testset build mangala_official --seed 0 --stones 6 --positions 12 --out FILE" in rest
    two = tmp_path / "two.jsonl.gz"
    told = json.loads(ok(capsys, *words[:-1], "2", "--json", "--out", str(two)))
    assert told["positions"] == len(read_set(two))
    assert two.read_bytes() == path.read_bytes()


def test_info_as_json(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    solved = read_set(file)
    told = json.loads(ok(capsys, "testset", "info", str(file), "--json"))
    optimal, regret = solved.by_chance()
    counts = {str(best): count for best, count in solved.best_counts().items()}
    assert told == solved.header() | {"best_moves": counts, "optimal_by_chance": optimal, "regret_by_chance": regret}


def test_info_of_a_set_that_comes_with_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    for spec in shipped_sets():
        assert ok(capsys, "testset", "info", spec).startswith(f"{spec}: ")


def test_judge_takes_several_agents_and_a_file(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    words = ("judge", "uniform", "perfect", "--variant", SMALL, "--set", str(file))
    lines = [line.split() for line in ok(capsys, *words).splitlines()]
    first_words = [line[0] for line in lines if line]
    assert "uniform" in first_words and "perfect" in first_words
    assert [line[1:5] for line in lines if line[:1] == ["all"]][1][1] == "1.000"
    told = json.loads(ok(capsys, *words, "--json"))
    assert [judgement["agent"] for judgement in told] == ["uniform", "perfect"]
    assert told[1]["verdicts"][-1]["regret"] == 0
    assert json.loads(ok(capsys, *words, "--json", "--seed", "1"))[0]["verdicts"] != told[0]["verdicts"]


def test_judge_by_the_set_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    text = ok(capsys, "judge", "greedy", "--variant", "kalah")
    for word in ("greedy", "opening", "middle", "endgame", "all", "optimal", "regret", "seed 0"):
        assert word in text
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize(
    "words, said",
    [
        (("uniform", "--variant", "congkak"), "no solved test set for congkak; there are sets for"),
        (("uniform", "--variant", "japanese:players=3"), "no solved test set for japanese:players=3"),
        (("uniform", "--variant", "draughts"), "unknown variant"),
        (("nobody", "--variant", "kalah"), "unknown agent"),
        (("uniform", "--variant", "kalah", "--seed", "-1"), "seed -1"),
        (("uniform", "--variant", "kalah", "--set", "nothing.gz"), "--set nothing.gz: no such file"),
        (("uniform", "--variant", "kalah", "--set", __file__), "not a solved test set"),
        (("uniform",), "--variant"),
        (("--variant", "kalah"), "no agent: name at least one"),
    ],
)
def test_what_cannot_be_judged_is_one_line(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    assert said in refused(capsys, "judge", *words)


def test_a_set_for_another_variant_is_refused(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    said = refused(capsys, "judge", "uniform", "--variant", "kalah", "--set", str(file))
    assert f"holds positions of {SMALL}, not of kalah" in said


@pytest.mark.parametrize(
    "words, said",
    [
        (
            ("build", "kalah", "--out", "nowhere/set.gz"),
            "--out nowhere/set.gz: expected a file in a folder that exists",
        ),
        (("build", "kalah", "--out", __file__), "exists; choose another name or add --overwrite"),
        (("build", "japanese:players=3", "--out", "new.gz"), "two players"),
        (("build", "toguz_korgool", "--out", "new.gz"), "repetition=3"),
        (("build", "kalah", "--out", "new.gz", "--stones", "99"), "stones=99"),
        (("build", "kalah", "--out", "new.gz", "--threads", "0"), "threads=0"),
        (("build", "kalah"), "--out"),
        (("info", "congkak"), "no solved test set for congkak"),
        (("info", "nothing.gz"), "nothing.gz: no such file"),
        (("info", "nowhere/nothing"), "nowhere/nothing: no such file"),
        (("info", __file__), "not a solved test set"),
    ],
)
def test_what_cannot_be_built_or_described_is_one_line(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in refused(capsys, "testset", *words)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["judge", "testset"])
def test_the_commands_have_help(capsys: pytest.CaptureFixture[str], command: str) -> None:
    text = ok(capsys, command, "--help")
    assert f"usage: mancala-rl {command}" in text
    assert "default: None" not in text
    assert command in ok(capsys)
