"""The command `analyse`: it prints what minimax, mcts and solve find, and what an agent gives up by them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from mancala_rl import Position, variant
from mancala_rl.cli import main
from mancala_rl.cli.game import parse_moves, replay, spell_line
from mancala_rl.search import mcts, minimax
from mancala_rl.solver import build_database, solve
from mancala_rl.solver.scope import CONVENTION
from tests.cases import at

SMALL = "kalah:pits=3,stones=2"
LATE = "0,1,5,0,0,0+3/0,2,4,6,0,0+3 0"
OVER = "0,0,0,0,0,0+24/0,0,0,0,0,0+24 -"

Run = Callable[..., str]


@pytest.fixture
def ok(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `analyse`, which must succeed and say nothing on standard error; returns what it printed."""

    def run(*words: str) -> str:
        status = main(["analyse", *words])
        out, err = capsys.readouterr()
        assert (status, err) == (0, "")
        return out

    return run


def rows_of(text: str) -> list[list[str]]:
    """The rows of the table, each a list of its words; `---` is a cell between two spaces or more."""
    lines = [line.strip() for line in text.splitlines()]
    first = next(i for i, line in enumerate(lines) if line.startswith("─"))
    return [re.split(r"\s{2,}", line) for line in lines[first + 1 : lines.index("", first)]]


# What it prints


def test_a_search_prints_every_move_with_value_and_line_the_best_first(ok: Run) -> None:
    start = variant("kalah").start()
    found = minimax(start, 6, lines=True)
    text = ok("kalah", "--depth", "6")
    lines = text.splitlines()
    assert lines[0] == f"{start}, seat 0 to move"
    rows = rows_of(text)
    assert [int(row[1]) for row in rows] == sorted((v for v in found.values if v is not None), reverse=True)
    assert rows[0] == [
        str(found.best_move),
        f"{found.value:+d}",
        "best",
        spell_line(start, found.lines[found.best_move], 20),
    ]
    assert {int(row[0]): int(row[1]) for row in rows} == dict(enumerate(found.values))
    assert {int(row[0]): tuple(parse_moves(row[-1], start.rules)) for row in rows} == dict(enumerate(found.lines))
    assert lines[-2] == "value after 6 plies of best play: margin of seat 0"
    assert re.fullmatch(rf"alpha-beta: 6 plies, {found.nodes:,} nodes in 0\.\d\d s, [\d,]+ a second", lines[-1])


def test_moves_of_equal_value_are_all_the_best(ok: Run) -> None:
    assert [row[2] for row in rows_of(ok("oware", "--depth", "1"))] == ["best"] * 6


def test_without_options_it_searches_for_a_second(ok: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def search(position: Position, depth: int | None = None, **options: object):
        asked.append((depth, options))
        return minimax(position, 2, lines=True)

    monkeypatch.setattr("mancala_rl.cli.analyse.minimax", search)
    for words in ((), ("--depth", "9"), ("--time", "0.5"), ("--depth", "9", "--time", "0.5")):
        ok("kalah", *words)
    depth_and_time = [(depth, options.get("time")) for depth, options in asked[1::2]]
    assert depth_and_time == [(None, 1), (9, None), (None, 0.5), (9, 0.5)]


def test_a_time_ends_the_search(ok: Run) -> None:
    data = json.loads(ok("kalah", "--time", "0.05", "--json"))
    assert data["depth"] > 5 and data["seconds"] < 5


def test_moves_lead_from_the_position_to_the_one_analysed(ok: Run) -> None:
    text = ok("kalah", "--moves", "2 5", "--depth", "2")
    assert text.startswith("4,4,0,5,5,0+2/5,5,5,5,4,4+0 1, seat 1 to move\n")
    text = ok("kalah:stones=2", "--position", LATE, "--moves", "1", "--depth", "2")
    assert text.startswith(f"{at('kalah', LATE).play(1)}, seat ")


def test_a_position_keeps_its_past(ok: Run) -> None:
    """Only with the moves played is it known that the position has been there before."""
    rules, moves = "oware:pits=2,stones=1", ("--moves", "0 1 0 0 1")
    position = replay(variant(rules).start(), [0, 1, 0, 0, 1])[-1].after
    played, set_up = (
        json.loads(ok(rules, *words, "--depth", "3", "--json")) for words in (moves, ("--position", str(position)))
    )
    assert played["position"] == set_up["position"] == "1,0+0/1,2+0 1"
    assert (played["values"], set_up["values"]) == ([-2, 0], [0, 0])


def test_mcts_prints_visits(ok: Run) -> None:
    start = variant("kalah").start()
    found = mcts(start, 300, seed=7)
    text = ok("kalah", "--simulations", "300", "--seed", "7")
    rows = rows_of(text)
    assert {int(row[0]): (row[1], int(row[2])) for row in rows} == {
        move: (f"{value:+.3f}", found.visits[move]) for move, value in enumerate(found.values)
    }
    assert rows[0][3] == "best" and int(rows[0][0]) == found.best_move
    assert [int(row[2]) for row in rows] == sorted(found.visits, reverse=True)
    assert "value: mean reward of the simulations" in text and "proven" not in text
    assert f"MCTS: 300 simulations, {found.depth} plies at most, " in text
    assert text != ok("kalah", "--simulations", "300")


def test_mcts_says_what_is_proven_and_what_was_not_tried(ok: Run) -> None:
    late = "0,0,1,0,0,1+9/0,2,0,0,0,1+10 0"
    assert "\nproven: the best move" in ok("kalah:stones=2", "--position", late, "--simulations", "2000")
    rows = rows_of(ok("kalah", "--simulations", "2"))
    assert [row[1] for row in rows[2:]] == ["-"] * 4 and {row[-1] for row in rows[2:]} == {"0"}


def test_exact_values_are_those_of_the_solver(ok: Run) -> None:
    solution = solve(variant(SMALL).start(), lines=True)
    text = ok(SMALL, "--exact")
    rows = rows_of(text)
    assert {int(row[0]): int(row[1]) for row in rows} == dict(enumerate(solution.values))
    assert ["best" in row for row in rows] == [True, False, False]
    assert tuple(parse_moves(rows[0][-1], solution.position.rules)) == solution.principal_variation
    assert "\nvalue: the final margin of seat 0 when both play perfectly\n" in text
    assert re.search(r"\d+ positions searched, \d+\.\d s\n$", text)


def test_exact_values_say_what_they_rest_on(ok: Run) -> None:
    assert f"\ngames need not end: {CONVENTION}\n" in ok("oware:pits=2,stones=1", "--exact")
    assert "\na win counts 4, and " in ok("japanese:pits=2,stones=1", "--exact")


def test_exact_values_by_a_database(ok: Run, tmp_path: Path) -> None:
    build_database(SMALL, 12, tmp_path / "small.db")
    told = ok(SMALL, "--exact", "--database", str(tmp_path / "small.db"), "--json")
    assert json.loads(told)["values"] == list(solve(variant(SMALL).start()).values)


@pytest.mark.parametrize("search", [("--depth", "3"), ("--simulations", "200")])
def test_above_two_players_every_seat_has_a_value(ok: Run, search: tuple[str, str]) -> None:
    rules = variant("japanese:players=3")
    found = minimax(rules.start(), 3, lines=True) if search[0] == "--depth" else mcts(rules.start(), 200)
    text = ok("japanese:players=3", *search)
    assert "seat 0   seat 1   seat 2" in text
    for row in rows_of(text):
        assert [float(word) for word in row[1:4]] == pytest.approx(found.action_seat_values[int(row[0])], abs=5e-4)
    assert ("max^n: 3 plies" in text) == (search[0] == "--depth")


@pytest.mark.parametrize(
    "rules, words",
    [
        ("kalah", "2 plies of best play: margin of seat 0\n"),
        ("japanese", "2 plies of best play: how many stones fewer seat 0 has left, 48 more for a win\n"),
        ("japanese:players=3", "2 times how many stones fewer are left than\nto the others on average, 144 more for"),
        (
            "custom:players=3,pits=4,stones=3,sow_stores=all,extra_turn=any_store,capture=none",
            "best play: 2 times the margin over the mean of the others\n",
        ),
    ],
)
def test_it_says_what_a_value_of_a_search_is(ok: Run, rules: str, words: str) -> None:
    assert words in ok(rules, "--depth", "2")


def test_it_names_the_action_that_is_no_pit(ok: Run) -> None:
    swap = ok(f"{SMALL},pie=true", "--position", "0,3,3+0/2,2,2+0 1 pie=1", "--depth", "3")
    assert "swap" in [row[0] for row in rows_of(swap)]
    resign = ok("japanese:pits=3,resign=true", "--simulations", "50")
    assert "resign" in [row[0] for row in rows_of(resign)]


def test_a_long_line_is_cut_in_the_table(ok: Run) -> None:
    position = variant("kalah:pits=4,stones=4").start()
    line = solve(position, lines=True).principal_variation
    assert line is not None and spell_line(position, line, 3) == "0 2, 2, ..."
    assert spell_line(position, line[:3], 3) == "0 2, 2"
    assert "..." in ok("kalah:pits=4,stones=4", "--exact")


# What an agent plays


def test_an_agent_that_says_its_chances_is_put_beside_the_values(ok: Run) -> None:
    text = ok(SMALL, "--exact", "--agent", "uniform")
    assert [row[2] for row in rows_of(text)] == ["33.3%"] * 3
    assert "\nuniform gives up 5.33 of the value\n" in text
    text = ok(SMALL, "--exact", "--agent", "minimax:depth=8")
    assert [row[2:4] for row in rows_of(text) if "plays" in row] == [["plays", "best"]]
    assert "\nminimax:depth=8 gives up nothing\n" in text


def test_the_moves_of_any_other_agent_are_drawn(ok: Run) -> None:
    text = ok("kalah", "--depth", "4", "--agent", "mcts:simulations=10")
    assert sum("plays" in row for row in rows_of(text)) == 1
    assert "\nmcts:simulations=10 (1 move drawn) gives up " in text
    text = ok("kalah", "--depth", "4", "--agent", "mcts:simulations=10", "--samples", "40")
    shares = [float(word.rstrip("%")) for row in rows_of(text) for word in row if word.endswith("%")]
    assert sum(shares) == pytest.approx(100, abs=0.3) and len(shares) > 1
    assert "\nmcts:simulations=10 (40 moves drawn) gives up " in text


def test_what_the_search_did_not_try_costs_what_nobody_knows(ok: Run) -> None:
    assert "\nuniform plays what has no value here\n" in ok("kalah", "--simulations", "2", "--agent", "uniform")


# JSON


def test_json_has_the_attributes_of_an_analysis(ok: Run) -> None:
    start = variant("kalah").start()
    found = minimax(start, 5, lines=True)
    data = json.loads(ok("kalah", "--depth", "5", "--json"))
    assert data.pop("seconds") > 0
    assert data == json.loads(
        json.dumps(
            {"rules": "kalah", "position": str(start), "to_move": 0, "method": "minimax", "agent": None} | vars(found)
        )
    )


def test_json_has_the_attributes_of_a_tree_analysis(ok: Run) -> None:
    data = json.loads(ok("japanese:players=3", "--simulations", "60", "--json"))
    found = mcts(variant("japanese:players=3").start(), 60)
    assert data["method"] == "mcts"
    assert {name: data[name] for name in vars(found)} == json.loads(json.dumps(vars(found)))


def test_json_has_the_attributes_of_a_solution(ok: Run) -> None:
    data = json.loads(ok(SMALL, "--exact", "--agent", "greedy", "--json"))
    solution = solve(variant(SMALL).start(), lines=True)
    assert (data["method"], data["convention"], data["position"]) == ("solve", None, str(solution.position))
    assert (data["value"], tuple(data["values"])) == (solution.value, solution.values)
    assert tuple(data["best_moves"]) == solution.best_moves
    assert tuple(data["principal_variation"]) == solution.principal_variation
    assert [tuple(line) for line in data["lines"]] == list(solution.lines or ())
    agent = data["agent"]
    cost = solution.value - sum(c * (v or 0) for c, v in zip(agent["chances"], data["values"], strict=True))
    assert (agent["name"], agent["samples"], agent["regret"]) == ("greedy", 0, pytest.approx(cost))


# Bad input


@pytest.mark.parametrize(
    "words, complaint",
    [
        ((), "VARIANT"),
        (("kalha",), "did you mean 'kalah'"),
        (("kalah", "--position", "1,2"), "cannot read '1,2'"),
        (("kalah", "--position", "2,2,2+0/2,2,2+0 0"), "expected 6 pits"),
        (("kalah", "--position", OVER), "the game is over"),
        (("kalah", "--position", OVER, "--exact"), "the game is over"),
        (("kalah", "--position", OVER, "--simulations", "9"), "the game is over"),
        (("kalah", "--moves", "2 2"), "ply 2: move 2 is illegal"),
        (("kalah", "--moves", "two"), "cannot read the move 'two'"),
        (("kalah", "--depth", "0"), "depth=0"),
        (("kalah", "--depth", "1001"), "from 1 to 1000"),
        (("kalah", "--depth", "deep"), "--depth: expected a whole number, got 'deep'"),
        (("kalah", "--time", "0"), "time=0.0"),
        (("kalah", "--time", "nan"), "time=nan"),
        (("kalah", "--time", "inf"), "time=inf"),
        (("kalah", "--time", "soon"), "--time: expected a number, got 'soon'"),
        (("kalah", "--simulations", "0"), "simulations=0"),
        (("kalah", "--simulations", "1000001"), "simulations=1000001"),
        (("kalah", "--simulations", "9", "--seed", "-1"), "seed=-1"),
        (("kalah", "--seed", "1"), "--seed goes with --simulations"),
        (("kalah", "--exact", "--depth", "3"), "--depth and --exact exclude each other"),
        (("kalah", "--exact", "--time", "3"), "--time and --exact exclude each other"),
        (("kalah", "--exact", "--simulations", "3"), "--simulations and --exact exclude each other"),
        (("kalah", "--simulations", "3", "--depth", "3"), "--depth and --simulations exclude each other"),
        (("kalah", "--database", "x.db"), "--database goes with --exact"),
        (("kalah", "--exact", "--database", "x.db"), "x.db: expected an endgame database"),
        (("japanese:players=3", "--exact"), "two players"),
        (("oware", "--exact"), "need not end"),
        (("toguz_korgool", "--exact"), "repetition=3"),
        (("kalah", "--samples", "3"), "--samples goes with --agent"),
        (("kalah", "--agent", "uniform", "--samples", "0"), "--samples 0"),
        (("kalah", "--agent", "unifrom"), "did you mean 'uniform'"),
        (("kalah", "--agent", "minimax:deep=3"), "did you mean 'depth'"),
        (("oware", "--agent", "perfect"), "oware"),
        (("kalah", "--dept", "3"), "mancala-rl analyse --help"),
    ],
    ids=str,
)
def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], complaint: str) -> None:
    status = main(["analyse", *words])
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert err.startswith("mancala-rl: error: ") and err.count("\n") == 1
    assert complaint in err
