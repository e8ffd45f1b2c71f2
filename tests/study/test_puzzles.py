"""Puzzles: one first move wins, as many moves have to be found as is said, and every machine finds the same ones."""

from __future__ import annotations

import datetime as dt
import itertools
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mancala_rl import Position, variant
from mancala_rl.errors import AgentError, BadInputError, RulesError
from mancala_rl.rules import Batch
from mancala_rl.study.contest import contest_at
from mancala_rl.study.defence import Defence
from mancala_rl.study.endgames import endgames
from mancala_rl.study.exact import Exact, exact_for
from mancala_rl.study.puzzles import Puzzle, numbered_puzzle, puzzle_at, puzzles, seed_of_day
from tests.cases import at
from tests.search.plain import random_positions
from tests.solver.plain import boards, packed_rules, position_with, read_csv, values_of
from tests.study.plain import PlainContest, oracle, winning

GOLDEN = read_csv("puzzles.csv")
SMALL = (
    "kalah:pits=3,stones=3",
    "kalah:pits=4,stones=3",
    "mangala_official:pits=3,stones=3",
    "congkak:pits=3,stones=3",
)


def golden(line: dict[str, str]) -> Puzzle:
    """The puzzle of a line of puzzles.csv."""
    position = Position.parse(line["position"], line["variant"])
    moves = tuple(map(int, line["line"].split()))
    return Puzzle(position, int(line["move"]), int(line["value"]), int(line["difficulty"]), moves)


def check_first_move(puzzle: Puzzle) -> None:
    """By the oracle's rules exactly one of several moves wins."""
    assert winning(oracle(puzzle.position)) == [puzzle.move]
    assert len(puzzle.position.legal_moves) > 1


def check_line(puzzle: Puzzle) -> None:
    """The line of a puzzle wins, the solver finds as many exact moves as is said, and the defence plays best moves."""
    position, solver, exact = puzzle.position, puzzle.position.to_move, exact_for(puzzle.position.rules)
    found = 0
    for move in puzzle.line:
        values = exact.values(position)
        if position.to_move == solver:
            wins = [move for move, value in values.items() if value > 0]
            assert move in wins
            found += len(wins) == 1 < len(values)
        else:
            assert values[move] == max(values.values())
        position = position.play(move)
    assert position.is_over and position.returns[solver or 0] == 1
    assert puzzle.line[0] == puzzle.move and found == puzzle.difficulty


# The same everywhere


@pytest.mark.parametrize("spec", sorted({line["variant"] for line in GOLDEN}))
def test_the_puzzles_of_a_day_are_what_they_were(spec: str) -> None:
    lines = [line for line in GOLDEN if line["variant"] == spec]
    expected = [golden(line) for line in lines]
    day = seed_of_day("2026-12-01")
    if spec == "kalah":
        assert puzzles(spec, 10, day) == expected[:10]
        assert puzzles(spec, 2, day, difficulty=6) == expected[10:]
    else:
        assert puzzles(spec, len(lines), day) == expected
    for puzzle in expected:
        check_line(puzzle)


def test_fewer_puzzles_are_the_first_of_more_and_seeds_differ() -> None:
    ten = puzzles("kalah:pits=4,stones=3", 10, 5)
    assert puzzles("kalah:pits=4,stones=3", 4, 5) == ten[:4]
    assert puzzles("kalah:pits=4,stones=3", 10, 6) != ten
    assert len({puzzle.position for puzzle in ten}) == 10


def test_a_puzzle_is_found_by_its_number_without_the_others() -> None:
    assert numbered_puzzle("kalah", 3, 7) == numbered_puzzle(variant("kalah"), 3, 7)
    assert numbered_puzzle("kalah", 3, 7) in puzzles("kalah", 8, 3)


def test_progress_is_told() -> None:
    told: list[int] = []
    puzzles("kalah:pits=4,stones=3", 3, progress=told.append)
    assert told == [1, 2, 3]


def test_both_seats_and_all_sizes_are_drawn() -> None:
    found = puzzles("kalah", 24)
    assert {puzzle.position.to_move for puzzle in found} == {0, 1}
    assert len({sum(map(sum, puzzle.position.pits)) for puzzle in found}) > 4


# What they are, by the oracle


@pytest.mark.parametrize("line", GOLDEN, ids=str)
def test_exactly_one_first_move_wins(line: dict[str, str]) -> None:
    check_first_move(golden(line))


@pytest.mark.slow
def test_exactly_one_first_move_wins_in_two_hundred_puzzles() -> None:
    for puzzle in puzzles("kalah", 200, 1):
        check_first_move(puzzle)
        check_line(puzzle)


@pytest.mark.parametrize("spec", SMALL)
def test_the_difficulty_is_what_trying_everything_gives(spec: str) -> None:
    for puzzle in puzzles(spec, 5, 2, difficulty=2):
        contest = PlainContest(puzzle.position.to_move or 0)
        here = oracle(puzzle.position)
        assert contest.values(here)[puzzle.move] == puzzle.value
        assert contest.exact_moves(here) == puzzle.difficulty >= 2
        check_first_move(puzzle)
        check_line(puzzle)


@pytest.mark.parametrize("spec", ["kalah:pits=4,stones=4", "mangala_official:pits=4,stones=3"])
def test_exact_moves_of_any_won_position_are_what_trying_everything_gives(spec: str) -> None:
    checked = 0
    for position in endgames(variant(spec), 5, 200, 4, 9):
        contest = contest_at(position)
        if contest.winning(position) and contest.exact_moves(position) > 0:
            assert PlainContest(contest.solver).exact_moves(oracle(position)) == contest.exact_moves(position)
            checked += 1
    assert checked > 10


@pytest.mark.slow
def test_the_difficulty_of_larger_puzzles_is_what_trying_everything_gives() -> None:
    small = [puzzle for puzzle in puzzles("kalah", 40, 1) if sum(map(sum, puzzle.position.pits)) <= 9]
    assert len(small) >= 5
    for puzzle in small[:8]:
        assert PlainContest(puzzle.position.to_move or 0).exact_moves(oracle(puzzle.position)) == puzzle.difficulty


@given(st.data())
def test_any_position_is_a_puzzle_or_none(data: st.DataObject) -> None:
    rules = data.draw(packed_rules(st.integers(2, 4)))
    rows = data.draw(boards(rules.pits, 8))
    position = position_with(rules, rows, data.draw(st.integers(0, 1)), data.draw(st.integers(0, 4)))
    if position.is_over:
        return
    values = values_of(position)
    best = [move for move in values if values[move] > 0]
    puzzle = puzzle_at(position)
    assert exact_for(position.rules).values(position) == values
    assert (puzzle is not None) == (len(best) == 1 < len(values))
    if puzzle is not None:
        assert (puzzle.move, puzzle.value) == (best[0], values[best[0]])
        assert puzzle.difficulty == PlainContest(position.to_move or 0).exact_moves(oracle(position))
        check_line(puzzle)


@pytest.mark.parametrize("spec", ["kalah", "mangala_official", "japanese:pits=4,stones=3"])
def test_whoever_keeps_winning_has_to_find_as_many_exact_moves(spec: str) -> None:
    """Whatever winning moves the solver chooses, the defence makes it find at least as many as was said."""
    rng = np.random.default_rng(0)
    for puzzle in puzzles(spec, 4, 1):
        contest, defence = contest_at(puzzle.position), Defence(variant(spec))
        for _ in range(4):
            position, found = puzzle.position, 0
            while not position.is_over:
                if position.to_move == puzzle.position.to_move:
                    found += contest.is_exact(position)
                    position = position.play(int(rng.choice(contest.winning(position))))
                else:
                    position = position.play(int(defence.act(Batch.of([position]), np.zeros(1, np.int64))[0]))
            assert found >= puzzle.difficulty
            assert position.returns[puzzle.position.to_move or 0] == 1


# The parts


def test_exact_values_are_those_of_the_oracle_where_the_slow_engine_has_to_find_them() -> None:
    for spec in ("japanese:pits=3,stones=2", "kalah:pits=2,stones=2,pie=true", "avalanche:pits=3,stones=2"):
        exact = Exact(variant(spec))
        for position in (variant(spec).start(), *random_positions(spec, 10, plies=6)):
            assert exact.values(position) == values_of(position)


@pytest.mark.parametrize("spec", ["kalah:pits=4,stones=4", "japanese:pits=4,stones=3"])
def test_threads_may_share_exact_values(spec: str) -> None:
    positions = list(endgames(variant(spec), 6, 60, 6, 12))
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(Exact(variant(spec)).values, positions))
    assert together == [*map(Exact(variant(spec)).values, positions)]


def test_closed_pits_are_seen() -> None:
    differ = 0
    for own, other in itertools.product(((0, 1, 2), (0, 2, 1)), ((0, 1, 2), (0, 0, 3), (0, 2, 2))):
        stores = 3, 9 - sum(own) - sum(other)
        closed = Position("kalah:pits=3,stones=2", (own, other), stores, 0, closed=[(0, 0)])
        opened = Position("kalah:pits=3,stones=2", (own, other), stores, 0)
        assert exact_for(closed.rules).values(closed) == values_of(closed)
        assert exact_for(opened.rules).values(opened) == values_of(opened)
        differ += values_of(closed) != values_of(opened)
    assert differ


def test_a_limit_of_moves_counts() -> None:
    rules = variant("oware:pits=3,stones=2,repetition=0,max_plies=12")
    position = rules.start()
    for _ in range(6):
        position = position.play(position.legal_moves[0])
    contest = contest_at(position)
    assert contest.exact.values(position) == values_of(position)
    assert contest.move(position) in position.legal_moves


def test_endgames_are_late_and_cut_no_corner() -> None:
    positions = list(endgames(variant("kalah"), 4, 64, 7, 14))
    assert 32 < len(positions) <= 64
    assert all(1 <= sum(map(sum, position.pits)) <= 14 for position in positions)
    assert positions[:20] == list(endgames(variant("kalah"), 4, 64, 7, 14))[:20]
    assert (
        list(endgames(variant("kalah"), 4, 40, 7, 14))
        == positions[: len(list(endgames(variant("kalah"), 4, 40, 7, 14)))]
    )
    assert len(set(positions)) > 30


def test_games_that_end_at_once_yield_nothing() -> None:
    assert list(endgames(variant("kalah:pits=1,stones=1"), 0, 32, 1, 1)) == []


def test_the_defence_travels_and_refuses_other_games() -> None:
    defence = pickle.loads(pickle.dumps(Defence(variant("kalah:pits=3,stones=2"))))
    position = at("kalah", "1,0,2+3/2,0,1+3 1")
    assert defence.act(Batch.of([position]), np.zeros(1, np.int64))[0] in position.legal_moves
    with pytest.raises(AgentError, match="plays kalah:pits=3,stones=2"):
        defence.act(variant("kalah").batch(1), np.zeros(1, np.int64))


# Bad input


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"count": 0}, "count=0: expected a whole number from 1"),
        ({"count": 2.5}, "count=2.5"),
        ({"seed": -1}, "seed=-1"),
        ({"seed": 2**32}, "seed=4294967296"),
        ({"difficulty": 0}, "difficulty=0"),
        ({"rules": "oware"}, "expected rules with repetition=0"),
        ({"rules": "japanese:players=3"}, "two players"),
        ({"rules": "japanese:resign=true"}, "expected rules with resign=false"),
        ({"rules": "kalah:pits=1,stones=1"}, "no puzzle of difficulty 3"),
        ({"rules": "kalah:pits=2,stones=3", "difficulty": 1, "count": 500}, "take fewer, a lower difficulty"),
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(BadInputError, match=message):
        puzzles(**arguments)


def test_unknown_rules_are_refused() -> None:
    with pytest.raises(RulesError, match="unknown variant"):
        puzzles("chess")


def test_positions_that_are_none_are_refused() -> None:
    with pytest.raises(BadInputError, match="the game is over"):
        puzzle_at(at("kalah", "0,0,0,0,0,0+24/0,0,0,0,0,0+24 -"))
    with pytest.raises(BadInputError, match="48 stones in the pits; expected at most 24"):
        puzzle_at(variant("kalah").start())
    with pytest.raises(BadInputError, match="expected a position of kalah:stones=3"):
        exact_for(variant("kalah:stones=3")).check(at("kalah", "1,1,0,0,0,0+20/1,0,0,0,0,1+24 0"))
    assert puzzle_at(at("kalah", "0,0,0,0,0,1+22/0,0,0,0,8,0+17 0")) is None


@pytest.mark.parametrize("day", ["2026-13-01", "2026-02-30", "20261201", "yesterday", "2026-W01-1", 20261201, None])
def test_no_day_is_refused(day: object) -> None:
    with pytest.raises(BadInputError, match="expected a day as in 2026-12-01"):
        seed_of_day(day)


def test_a_day_has_a_seed() -> None:
    assert seed_of_day("2026-12-01") == seed_of_day(dt.date(2026, 12, 1)) == 20261201
