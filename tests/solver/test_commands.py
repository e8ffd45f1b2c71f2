"""The commands `solve` and `database`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mancala_rl import make_agent
from mancala_rl.cli import main
from mancala_rl.solver import build_database, exploitability
from mancala_rl.solver.scope import CONVENTION

SMALL = "kalah:pits=3,stones=2"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(list(words))
    return status, *capsys.readouterr()


def ok(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    status, out, err = run(capsys, *words)
    assert (status, err) == (0, "")
    return out


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "small.db"
    build_database(SMALL, 6, path)
    return path


def test_solve_says_value_and_moves(capsys: pytest.CaptureFixture[str]) -> None:
    lines = ok(capsys, "solve", SMALL, "--moves").splitlines()
    assert lines[0] == "2,2,2+0/2,2,2+0 0: +4 for seat 0"
    assert [line.split() for line in lines[1:4]] == [["0", "-8"], ["1", "+4", "best"], ["2", "+0"]]
    assert "positions searched" in lines[4]


def test_solve_finds_a_best_move_without_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    lines = ok(capsys, "solve", SMALL).splitlines()
    assert lines[:2] == ["2,2,2+0/2,2,2+0 0: +4 for seat 0", "  a best move: 1"]


def test_solve_names_the_action_that_is_no_pit(capsys: pytest.CaptureFixture[str]) -> None:
    text = ok(capsys, "solve", f"{SMALL},pie=true", "--position", "0,3,3+0/2,2,2+0 1 pie=1", "--moves")
    assert "  swap " in text
    assert "resign" in ok(capsys, "solve", "japanese:pits=2,stones=1,resign=true", "--moves")


@pytest.mark.parametrize("source", ["file", "memory", "none"])
def test_solve_as_json(capsys: pytest.CaptureFixture[str], database: Path, source: str) -> None:
    words = {"file": ("--database", str(database)), "memory": ("--stones", "5"), "none": ("--stones", "0")}[source]
    data = json.loads(ok(capsys, "solve", SMALL, "--moves", "--json", *words))
    assert data.pop("seconds") > 0 and data.pop("nodes") > 0
    assert data == {
        "rules": SMALL,
        "position": "2,2,2+0/2,2,2+0 0",
        "convention": None,
        "value": 4,
        "values": [-8, 4, 0],
        "best_moves": [1],
    }


def test_solve_says_what_a_value_rests_on_where_games_need_not_end(capsys: pytest.CaptureFixture[str]) -> None:
    text = ok(capsys, "solve", "oware:pits=2,stones=1")
    assert f"\ngames need not end: {CONVENTION}\n" in text
    assert json.loads(ok(capsys, "solve", "oware:pits=2,stones=1", "--json"))["convention"] == CONVENTION
    assert "need not end" not in ok(capsys, "solve", SMALL)


def test_solve_says_what_a_win_counts_where_the_first_to_be_empty_wins(capsys: pytest.CaptureFixture[str]) -> None:
    late = ("--position", "0,1+4/0,1+2 0")
    text = ok(capsys, "solve", "japanese:pits=2,stones=2", *late)
    assert text.splitlines()[0].endswith(": +9 for seat 0")
    assert "\na win counts 8, and every stone that the other has left 1 more\n" in text
    assert "a win counts" not in ok(capsys, "solve", SMALL)


def test_solve_takes_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    text = ok(capsys, "solve", SMALL, "--position", "0,0,1+5/0,1,0+5 1", "--json")
    assert json.loads(text)["value"] == 0


def test_database_is_built_described_and_verified(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "small.db"
    text = ok(capsys, "database", "build", SMALL, "--stones", "6", "--out", str(path))
    assert text.startswith("924 positions: 8.9 KiB on disk, ")
    assert f"{path}: {SMALL}, at most 6 stones in the pits, 924 positions, 9,116 bytes\n" in text
    facts = json.loads(ok(capsys, "database", "info", str(path), "--json"))
    assert (facts["rules"], facts["stones"], facts["positions"], facts["finished"]) == (SMALL, 6, 924, True)
    assert "sound: all 7 layers" in ok(capsys, "database", "verify", str(path), "--positions", "50")
    facts = json.loads(ok(capsys, "database", "verify", str(path), "--variant", "kalah:pits=3", "--json"))
    assert facts["sound"] and facts["worked_out_again"] == 20_000
    again = json.loads(ok(capsys, "database", "build", SMALL, "--stones=3", f"--out={path}", "--overwrite", "--json"))
    assert again["stones"] == 3


def test_an_unfinished_database_is_described(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    class StopError(Exception):
        pass

    def stop(done: int) -> None:
        if done > 300:
            raise StopError

    with pytest.raises(StopError):
        build_database(SMALL, 6, tmp_path / "small.db", progress=stop)
    part = tmp_path / "small.db.part"
    assert "unfinished: 5 of 7 layers" in ok(capsys, "database", "info", str(part))
    assert "unfinished" in run(capsys, "database", "verify", str(part))[2]


def test_exploit_is_exact_where_all_positions_can_be_listed(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("exploit", "minimax:depth=2", "--variant", SMALL, "--payoff", "margin")
    lines = ok(capsys, *words).splitlines()
    assert lines[0] == f"minimax:depth=2 at {SMALL}, exactly, in stones"
    assert lines[1].startswith("  moving first") and lines[1].endswith("best response, +4 by perfect play")
    assert lines[3].startswith("exploitability ") and lines[4].endswith(" s")
    data = json.loads(ok(capsys, *words, "--json"))
    result = exploitability(make_agent("minimax:depth=2", SMALL), SMALL, "margin")
    assert (data["method"], data["agent"], data["rules"]) == ("exact", "minimax:depth=2", SMALL)
    assert (data["payoff"], data["perfect"], data["samples"]) == ("margin", [4, -4], 0)
    assert (data["guaranteed"], data["positions"]) == (list(result.guaranteed), list(result.positions))
    assert data["exploitability"] == result.exploitability and data["seconds"] > 0


@pytest.mark.parametrize(
    "words", [(SMALL, "--method", "sampled"), (SMALL, "--limit", "20"), ("kalah:pits=3,start_position=random",)]
)
def test_exploit_samples_openings_elsewhere(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    words = ("exploit", "greedy", "--variant", *words, "--pairs", "5", "--stones", "8", "--seed", "3")
    lines = ok(capsys, *words).splitlines()
    assert ", sampled, in points: " in lines[0] and "5 openings with at most 8 stones" in lines[0]
    assert lines[2].startswith("  nothing was lost in ") and lines[3].endswith(" s")
    data = json.loads(ok(capsys, *words, "--json"))
    assert (data["method"], data["opponent"], data["pairs"], data["stones"]) == ("sampled", "perfect play", 5, 8)
    assert data["low"] <= data["lost"] <= data["high"]
    data = json.loads(ok(capsys, *words, "--against", "uniform", "--json"))
    assert data["opponent"] == "uniform"


@pytest.mark.parametrize("option", [("--stones", "8"), ("--against", "uniform")])
def test_exploit_samples_if_given_what_only_samples_need(
    capsys: pytest.CaptureFixture[str], option: tuple[str, str]
) -> None:
    words = ("exploit", "greedy", "--variant", SMALL, "--pairs", "2", "--json")
    methods = [json.loads(ok(capsys, *words, *more))["method"] for more in ((), option)]
    assert methods == ["exact", "sampled"]


def test_exploit_names_no_more_stones_than_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    text = ok(capsys, "exploit", "greedy", "--variant", SMALL, "--method", "sampled", "--pairs", "2")
    assert "with at most 12 stones" in text


@pytest.mark.parametrize(
    "words, complaint",
    [
        (("solve",), "VARIANT"),
        (("solve", "chess"), "chess"),
        (("solve", "oware"), "need not end"),
        (("solve", "toguz_korgool"), "repetition=3"),
        (("solve", "japanese:players=3"), "two players"),
        (("solve", SMALL, "--position", "1,2"), "1,2"),
        (("solve", SMALL, "--position", "0,0,0+6/0,0,0+6 -"), "the game is over"),
        (("solve", SMALL, "--memory", "0"), "--memory 0"),
        (("solve", SMALL, "--stones", "-3"), "stones=-3"),
        (("solve", SMALL, "--threads", "0"), "threads=0"),
        (("solve", SMALL, "--threads", "two"), "error: --threads: expected a whole number, got 'two'; --threads N"),
        (("solve", SMALL, "--thread", "2"), "mancala-rl solve --help"),
        (("solve", SMALL, "--database", "nothing.db"), "nothing.db: expected an endgame database"),
        (("solve", SMALL, "--database", "FILE", "--stones", "3"), "exclude each other"),
        (("solve", "kalah:pits=3,empty_capture=true", "--database", "FILE"), "not for kalah:pits=3,empty_capture=true"),
        (("exploit", "greedy"), "--variant"),
        (("exploit", "nobody", "--variant", SMALL), "nobody"),
        (("exploit", "greedy", "--variant", "oware"), "repetition=2"),
        (("exploit", "greedy", "--variant", SMALL, "--payoff", "fun"), "outcome"),
        (("exploit", "greedy", "--variant", SMALL, "--method", "exact", "--limit", "20"), "more than 20 positions"),
        (("exploit", "greedy", "--variant", SMALL, "--limit", "0"), "--limit 0"),
        (("exploit", "greedy", "--variant", SMALL, "--method", "exact", "--stones", "3"), "--stones is of the sampled"),
        (("exploit", "greedy", "--variant", SMALL, "--method", "exact", "--against", "greedy"), "--method sampled"),
        (("exploit", "greedy", "--variant", "kalah", "--samples", "3"), "--samples"),
        (("exploit", "greedy", "--variant", "kalah", "--pairs", "0"), "--pairs"),
        (("exploit", "greedy", "--variant", "kalah", "--stones", "-1"), "stones=-1"),
        (("exploit", "greedy", "--variant", "kalah", "--against", "nobody"), "nobody"),
        (("exploit", "mcts:simulations=5", "--variant", SMALL), "--samples 100"),
        (("database",), "build"),
        (("database", "build", SMALL, "--stones", "6"), "--out"),
        (("database", "build", SMALL, "--stones", "6", "--out", "FILE"), "exists; choose another name"),
        (("database", "build", SMALL, "--stones", "6", "--out", "."), "--out .: expected a file"),
        (("database", "build", "toguz_korgool", "--stones", "6", "--out", "NEW"), "tuzdik=True"),
        (("database", "build", SMALL, "--stones", "-1", "--out", "NEW"), "stones=-1"),
        (("database", "build", SMALL, "--stones", "6", "--threads", "0", "--out", "NEW"), "threads=0"),
        (("database", "build", SMALL, "--stones", "6", "--out", "nowhere/x.db"), "--out nowhere/x.db"),
        (("database", "build", SMALL, "--stones", "6", "--out", "/proc/x.db"), "--out /proc/x.db: cannot be written"),
        (("database", "info", "nothing.db"), "nothing.db"),
        (("database", "info", __file__), "expected an endgame database"),
        (("database", "verify", "FILE", "--variant", "mangala"), "not for mangala"),
        (("database", "verify", "FILE", "--positions", "-1"), "--positions -1"),
    ],
)
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str], database: Path, words: tuple[str, ...], complaint: str
) -> None:
    places = {"FILE": str(database), "NEW": str(database.with_name("new.db"))}
    status, out, err = run(capsys, *(places.get(word, word) for word in words))
    assert status == 2 and out == ""
    assert err.startswith("mancala-rl: error: ") and err.count("\n") == 1
    assert complaint in err


def test_a_damaged_database_is_refused(capsys: pytest.CaptureFixture[str], database: Path) -> None:
    data = bytearray(database.read_bytes())
    data[-1] ^= 8
    database.write_bytes(data)
    for words in (("database", "verify", str(database)), ("solve", SMALL, "--database", str(database))):
        status, _, err = run(capsys, *words)
        assert status == 2 and "the layer of 6 stones has another checksum" in err
