"""The commands `hint` and `puzzles`."""

from __future__ import annotations

import datetime as dt
import io
import json
import sys
from collections.abc import Callable

import pytest

from mancala_rl import variant
from mancala_rl.cli import main
from mancala_rl.study.hint import hint
from mancala_rl.study.puzzles import puzzles, seed_of_day
from tests.cases import at

SMALL = "kalah:pits=4,stones=3"
ONE = ("puzzles", "--variant", SMALL, "--seed", "1", "--count", "1")
LATE = "0,1,5,0,0,0+3/0,2,4,6,0,0+3 0"

Run = Callable[..., str]


@pytest.fixture
def ok(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command that must succeed and say nothing on standard error; returns what it printed."""

    def run(*words: str) -> str:
        status = main(list(words))
        out, err = capsys.readouterr()
        assert (status, err) == (0, "")
        return out

    return run


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, ok: Run) -> Run:
    """Run a command in what looks like a terminal, with some lines typed in."""

    def run(*words: str, lines: str) -> str:
        keyboard = io.StringIO(lines)
        monkeypatch.setattr(keyboard, "isatty", lambda: True)
        monkeypatch.setattr(sys, "stdin", keyboard)
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        return ok(*words)

    return run


# hint


def test_hint_says_move_reason_and_values(ok: Run) -> None:
    lines = ok("hint", "kalah:stones=2", "--position", LATE).splitlines()
    found = hint(at("kalah", LATE))
    assert lines[0] == str(found)
    assert lines[1] == f"{LATE}, seat 0 to move:"
    assert [line.split() for line in lines[2:4]] == [["2", "+0"], ["1", "-10"]]
    assert lines[4:] == ["exact values"]


def test_hint_begins_at_the_start_of_kalah(ok: Run) -> None:
    text = ok("hint", "--depth", "3")
    assert text == ok("hint", "kalah", "--depth", "3")
    assert text.splitlines()[-1] == "values of a search of 3 plies"


def test_hint_as_json(ok: Run) -> None:
    data = json.loads(ok("hint", "japanese:players=3", "--depth", "2", "--json"))
    found = hint(variant("japanese:players=3").start(), depth=2)
    assert data["rules"] == "japanese:players=3"
    assert data["reasons"][0]["kind"] == found.reasons[0].kind
    assert (data["move"], data["value"], data["text"]) == (found.move, found.value, str(found))


def test_hint_names_the_swap(ok: Run) -> None:
    text = ok("hint", "kalah:pits=3,stones=2,pie=true", "--position", "1,1,2+5/2,1,0+0 1 pie=1")
    assert ["swap", "+2"] in [line.split() for line in text.splitlines()]


# puzzles


def test_puzzles_are_printed_where_there_is_no_terminal(ok: Run) -> None:
    text = ok("puzzles", "--date", "2026-12-01", "--count", "2")
    first, same = text.split("\n", 1)
    assert first == "Puzzles of kalah, 2026-12-01"
    assert ok("puzzles", "--seed", "20261201", "--count", "2", "--print") == f"Puzzles of kalah, seed 20261201\n{same}"
    for number, puzzle in enumerate(puzzles("kalah", 2, 20261201), 1):
        assert f"Puzzle {number} of 2: seat {puzzle.position.to_move} moves and wins, by one move alone." in text
        assert f"Moves to be found in all: {puzzle.difficulty}." in text
        assert str(puzzle.position) in text.splitlines()
    assert "only move that wins" not in text


def test_todays_puzzles_are_the_default(ok: Run) -> None:
    before = dt.date.today()
    text = ok("puzzles", "--count", "1")
    assert text in [ok("puzzles", "--count", "1", "--date", day.isoformat()) for day in (before, dt.date.today())]


def test_solutions_are_printed_with_the_moves_that_have_to_be_found(ok: Run) -> None:
    (puzzle,) = puzzles(SMALL, 1, 1)
    text = ok(*ONE, "--solution")
    assert text.count("(the only move that wins)") == puzzle.difficulty
    assert text.count(" plays ") == len(puzzle.line)
    assert f"seat {puzzle.position.to_move} wins." in text


def test_puzzles_as_json(ok: Run) -> None:
    data = json.loads(ok("puzzles", "--variant", SMALL, "--date", "2026-12-01", "--json"))
    found = puzzles(SMALL, 3, seed_of_day("2026-12-01"))
    assert (data["rules"], data["seed"]) == (SMALL, 20261201)
    assert [entry["position"] for entry in data["puzzles"]] == [str(puzzle.position) for puzzle in found]
    assert set(data["puzzles"][0]) == {"position", "to_move", "legal_moves", "difficulty"}
    solved = json.loads(ok("puzzles", "--variant", SMALL, "--date", "2026-12-01", "--json", "--solution"))
    assert [entry["line"] for entry in solved["puzzles"]] == [list(puzzle.line) for puzzle in found]
    assert [entry["move"] for entry in solved["puzzles"]] == [puzzle.move for puzzle in found]


def test_difficulty_is_heeded(ok: Run) -> None:
    data = json.loads(ok("puzzles", "--seed", "3", "--count", "1", "--difficulty", "5", "--json"))
    assert data["puzzles"][0]["difficulty"] >= 5


def test_a_puzzle_is_solved_in_a_terminal(typed: Run) -> None:
    (puzzle,) = puzzles(SMALL, 1, 1)
    position, moves = puzzle.position, []
    for move in puzzle.line:
        if position.to_move == puzzle.position.to_move:
            moves.append(str(move))
        position = position.play(move)
    text = typed(*ONE, lines="\n".join(moves))
    assert "you to move" in text and "the defence" in text
    assert text.count(" plays ") == len(puzzle.line)
    assert text.endswith("Solved.\n\nSolved: 1 of 1.\n")


def test_a_wrong_move_is_told_with_what_was_right(typed: Run) -> None:
    (puzzle,) = puzzles(SMALL, 1, 1)
    wrong = next(move for move in puzzle.position.legal_moves if move != puzzle.move)
    text = typed(*ONE, lines=f"{wrong}\n")
    assert f"{wrong} does not win: with best play it " in text
    assert text.count("(the only move that wins)") == puzzle.difficulty
    assert text.endswith("Solved: 0 of 1.\n")


def test_the_keyboard_may_say_other_things(typed: Run) -> None:
    (puzzle,) = puzzles(SMALL, 1, 1)
    text = typed(*ONE, lines="9\nhello\n\n0 1\nHINT\nsolution\n")
    assert "move 9 is illegal in" in text
    assert "cannot read the move 'hello'; expected pit numbers 0 to 3" in text
    assert text.count("expected one of ") == 2
    assert str(hint(puzzle.position)) in text
    assert text.count("(the only move that wins)") == puzzle.difficulty
    assert text.endswith("Solved: 0 of 1.\n")


@pytest.mark.parametrize("lines", ["quit\n", "q\n", ""])
def test_the_user_may_stop(typed: Run, lines: str) -> None:
    text = typed("puzzles", "--variant", SMALL, "--seed", "1", lines=lines)
    assert text.count("Puzzle 1 of 3") == 1 and "Puzzle 2" not in text
    assert text.endswith("Solved: 0 of 3.\n")


def test_a_terminal_can_be_told_to_print(typed: Run, ok: Run) -> None:
    assert typed(*ONE, "--print", lines="").startswith(f"Puzzles of {SMALL}, seed 1\n\nPuzzle 1 of 1: ")


# Bad input


@pytest.mark.parametrize(
    "words, complaint",
    [
        (("hint", "chess"), "unknown variant 'chess'"),
        (("hint", "kalah", "--position", "1,2"), "cannot read '1,2'"),
        (("hint", "kalah", "--position", "0,0,0,0,0,0+24/0,0,0,0,0,0+24 -"), "the game is over"),
        (("hint", "kalah", "--depth", "0"), "depth=0"),
        (("hint", "kalah", "--depth", "deep"), "--depth"),
        (("puzzles", "--date", "2026-13-01"), "date '2026-13-01': expected a day as in 2026-12-01"),
        (("puzzles", "--date", "tomorrow"), "date 'tomorrow': expected a day"),
        (("puzzles", "--date", ""), "date '': expected a day"),
        (("puzzles", "--date", "2026-12-01", "--seed", "1"), "--date and --seed exclude each other"),
        (("puzzles", "--count", "0"), "count=0"),
        (("puzzles", "--count", "many"), "--count"),
        (("puzzles", "--seed", "-1"), "seed=-1"),
        (("puzzles", "--difficulty", "0"), "difficulty=0"),
        (("puzzles", "--variant", "oware"), "expected rules with repetition=0"),
        (("puzzles", "--variant", "japanese:players=3"), "two players"),
        (("puzzles", "--variant", "kalha"), "did you mean 'kalah'"),
        (("puzzles", "--variant", "kalah:pits=1,stones=1"), "no puzzle of difficulty 3"),
    ],
    ids=str,
)
def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], complaint: str) -> None:
    status = main(list(words))
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert err.startswith("mancala-rl: error: ") and err.count("\n") == 1
    assert complaint in err


def test_a_word_that_is_no_move_is_explained_without_options_of_other_commands(typed: Run) -> None:
    text = typed("puzzles", "--count", "1", lines="left\nquit\n")
    assert "cannot read the move 'left'; expected pit numbers 0 to 5\n" in text
    assert "--moves" not in text
