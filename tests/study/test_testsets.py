"""Solved test sets: how they are drawn, that their values are right, and their files."""

from __future__ import annotations

import dataclasses
import gzip
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mancala_rl import Position, variant
from mancala_rl.errors import BadInputError
from mancala_rl.kernel.compile import PLAIN_PYTHON
from mancala_rl.solver import Solution, build_database, solve
from mancala_rl.solver.memory import MEMORY
from mancala_rl.study.testsets import (
    PHASES,
    Plan,
    SolvedSet,
    build_set,
    building,
    memory_needed,
    plan_for,
    read_set,
    set_for,
    shipped_sets,
    write_set,
)
from mancala_rl.study.testsets.drawing import Games
from tests import reference
from tests.solver.plain import values_of

SMALL = "kalah:pits=4,stones=2"


@pytest.fixture(autouse=True, scope="module")
def few_games() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "_MOST_BLOCKS", 4)
        yield


@pytest.fixture(scope="module")
def small(few_games: None) -> SolvedSet:
    return build_set(SMALL, 3, stones=8, positions=60)


@pytest.fixture
def file(small: SolvedSet, tmp_path: Path) -> Path:
    path = tmp_path / "small.jsonl.gz"
    write_set(small, path)
    return path


def pits_of(position: Position) -> tuple[tuple[int, ...], ...]:
    """The pits, those of the player to move first."""
    return position.pits[:: -1 if position.to_move else 1]


def test_equal_arguments_give_equal_bytes(small: SolvedSet, file: Path, tmp_path: Path) -> None:
    again = build_set(SMALL, np.int64(3), stones=np.int64(8), positions=np.int64(60))
    assert again == small
    write_set(again, tmp_path / "again.gz")
    assert (tmp_path / "again.gz").read_bytes() == file.read_bytes()
    assert set(build_set(SMALL, 4, stones=8, positions=60).positions) != set(small.positions)


def test_any_number_of_threads_gives_the_same_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "plan_for", lambda *_: Plan(stones=14, costly=10, database=6, positions=60))
    one, four = (build_set("mangala_official", 5, threads=threads) for threads in (1, 4))
    assert one == four
    assert len(one) > 40 and one.stones.max() > 10


def test_a_build_that_is_interrupted_solves_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Position] = []
    ended: list[Position] = []

    def slow(position: Position, **options: Any) -> Solution:
        begun.append(position)
        for _ in range(500 if len(begun) > 2 else 0):
            time.sleep(0.01)
            options["progress"](0, 0, 0)
        ended.append(position)
        return solve(position, **options)

    def interrupt(what: str, *_: int) -> None:
        if what == "positions":
            raise KeyboardInterrupt

    monkeypatch.setattr(building, "solve", slow)
    monkeypatch.setattr(building, "plan_for", lambda *_: Plan(stones=8, costly=8, database=6, positions=400))
    threads = threading.active_count()
    with pytest.raises(KeyboardInterrupt) as caught:
        build_set(SMALL, progress=interrupt)
    assert threading.active_count() == threads, caught  # which keeps all that was at work alive
    assert len(begun) <= 4
    assert len(ended) <= 2


def test_every_value_is_what_trying_everything_gives(small: SolvedSet) -> None:
    assert len(small) > 40
    for position, values in zip(small.positions, small.values, strict=True):
        known = {move: value for move, value in enumerate(values) if value is not None}
        assert known == values_of(position), position


def test_positions_differ_and_in_each_something_depends_on_the_move(small: SolvedSet) -> None:
    assert len({pits_of(position) for position in small.positions}) == len(small)
    for values in small.values:
        assert len({value for value in values if value is not None}) > 1
    assert {position.to_move for position in small.positions} == {0, 1}


def test_stages_of_the_game_and_numbers_of_best_moves_are_mixed(small: SolvedSet) -> None:
    assert small.stones.max() <= 8
    assert len(set(small.stones.tolist())) >= 5
    assert (np.diff(small.stones) < 8).all() and small.stones[0] > small.stones[-1]
    assert small.best_counts()[1] < 0.9 * len(small) and len(small.best_counts()) >= 2


def test_phases_are_thirds_of_all_stones() -> None:
    rules = variant("kalah:pits=3,stones=2")  # 12 stones in all
    boards = {9: "opening", 8: "middle", 5: "middle", 4: "endgame", 2: "endgame"}
    positions = tuple(Position(rules, ((1, 1, 0), (0, 0, left - 2)), (12 - left, 0)) if left > 2 else
                      Position(rules, ((1, 0, 0), (0, 0, 1)), (10, 0)) for left in boards)  # fmt: skip
    solved = SolvedSet(rules, 0, "", positions, tuple(solve(position).values or () for position in positions))
    assert [PHASES[phase] for phase in solved.phases] == list(boards.values())


def test_regrets_are_what_a_move_loses() -> None:
    rules = variant("kalah:pits=3,stones=2")
    position = Position(rules, ((1, 0, 1), (0, 2, 2)), (3, 3))
    solved = SolvedSet(rules, 0, "", (position,), ((-3, None, 4),))
    assert solved.regrets.tolist() == [[7, -1, 0]]
    assert solved.by_chance() == (0.5, 3.5)
    assert solved.best_counts() == {1: 1}


def test_what_is_written_is_read_again(small: SolvedSet, file: Path) -> None:
    assert read_set(file) == small == read_set(str(file))
    first, *entries = gzip.decompress(file.read_bytes()).decode().splitlines()
    header = json.loads(first)
    assert header["rules"] == SMALL and header["hash"] == variant(SMALL).play_hash
    assert header["positions"] == len(entries) == header["opening"] + header["middle"] + header["endgame"]
    assert header["command"] == f"mancala-rl testset build {SMALL} --seed 3 --stones 8 --positions 60 --out FILE"
    assert json.loads(entries[0])[0] == str(small.positions[0])


def rewritten(file: Path, line: int, old: str, new: str) -> None:
    lines = gzip.decompress(file.read_bytes()).decode().splitlines()
    assert old in lines[line]
    lines[line] = lines[line].replace(old, new, 1)
    file.write_bytes(gzip.compress("\n".join(lines).encode()))


def test_a_truncated_or_damaged_file_is_refused(file: Path) -> None:
    whole = file.read_bytes()
    for bad in (b"", b"nothing", whole[:-9], whole[: len(whole) // 2], whole[:200] + b"\0\0" + whole[202:]):
        file.write_bytes(bad)
        with pytest.raises(BadInputError, match=r"small\.jsonl\.gz: .*(damaged|not a solved test set)") as caught:
            read_set(file)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "line, old, new, words",
    [
        (0, "positions 1", "positions 2", "not a solved test set"),
        (0, '"hash": "', '"hash": "0', "its first line does not fit"),
        (0, '"positions": ', '"positions": 1', "its first line does not fit"),
        (0, "kalah", "kallah", "damaged .*unknown variant"),
        (0, "pits=4,", "", "damaged"),
        (1, "null", "3", "damaged .*has no value for each"),
        (1, ", [", ", [0, ", "damaged .*has no value for each"),
        (1, "[", "[1, ", "damaged"),
        (2, " 0", " 2", "damaged"),
        (2, "]]", "", "damaged"),
    ],
)
def test_a_file_that_contradicts_itself_is_refused(file: Path, line: int, old: str, new: str, words: str) -> None:
    if line == 1:  # whichever line has an illegal move
        texts = gzip.decompress(file.read_bytes()).decode().splitlines()
        line = next(i for i, text in enumerate(texts) if i and "null" in text)
    if line == 2:
        texts = gzip.decompress(file.read_bytes()).decode().splitlines()
        line = next(i for i, text in enumerate(texts) if i and ' 0"' in text)
    rewritten(file, line, old, new)
    with pytest.raises(BadInputError, match=words):
        read_set(file)


@pytest.mark.skipif(PLAIN_PYTHON, reason="takes hours")
def test_games_do_not_depend_on_how_many_are_drawn() -> None:
    plan = Plan(stones=8, costly=8, database=0)
    games = Games(variant(SMALL), 0)
    rows, bands = games.positions(1, plan)
    again, _ = Games(variant(SMALL), 0).positions(1, plan)
    assert rows.tolist() == again.tolist()
    assert rows.tolist() != games.positions(0, plan)[0].tolist()
    wide = Games(variant("kalah"), 0).positions(0, Plan(stones=48, costly=48))[1]
    assert 200 < np.bincount(wide).max() <= 256  # at most one a game and band
    rows, bands = games.positions(1, Plan(stones=23, costly=23))  # bands of two stones, but for the last
    stones = [sum(map(sum, Position.from_row(variant(SMALL), row).pits)) for row in rows]
    assert bands.tolist() == [(count - 1) // 2 for count in stones]
    assert Games(variant("kalah"), 0).positions(0, Plan(stones=23, costly=23))[1].max() == 11


def test_a_plan_keeps_as_many_of_each_band_and_fewer_of_costly_ones() -> None:
    plan = Plan(stones=44, costly=36, database=20, positions=975)
    assert (plan.width, len(plan.bands)) == (4, 11)
    assert [plan.kept(band) for band in plan.bands] == [100] * 9 + [50, 25]
    assert [plan.tried(band) for band in plan.bands] == [600] * 9 + [50, 25]
    assert plan.tried_in_all == 5475
    shallow = Plan(stones=44, costly=36, database=20, positions=1081, fading=0.9)
    assert [shallow.kept(band) for band in plan.bands] == [101] * 9 + [91, 82]
    assert [shallow.tried(band) for band in plan.bands] == [606] * 9 + [91, 82]
    assert [Plan(stones, stones, 0).width for stones in (2, 10, 11, 21, 22)] == [1, 1, 1, 1, 2]


@pytest.mark.parametrize(
    "spec, options, words",
    [
        ("kalah", {"seed": -1}, "seed=-1"),
        ("kalah", {"seed": 2**32}, "seed=4294967296"),
        ("kalah", {"stones": 1}, "stones=1: expected a number from 2 to 48"),
        ("kalah", {"stones": 49}, "stones=49"),
        ("kalah", {"positions": 0}, "positions=0"),
        ("kalah", {"threads": 0}, "threads=0: expected a number of threads from 1"),
        ("japanese:players=3", {}, "two players"),
        ("oware:repetition=0", {}, "whose games end, got oware:repetition=0"),
        ("kalah:pits=1", {}, "to choose a move in"),
    ],
)
def test_what_cannot_be_built_is_refused(spec: str, options: dict[str, int], words: str) -> None:
    with pytest.raises(BadInputError, match=words) as caught:
        build_set(spec, **options)
    assert "\n" not in str(caught.value)


def test_rules_without_a_plan_have_one_made() -> None:
    assert plan_for(variant(SMALL)) == Plan(stones=8, costly=8, database=None)
    assert plan_for(variant("japanese:pits=3,stones=4")) == Plan(stones=8, costly=8)
    assert len(build_set("japanese:pits=3,stones=3", positions=20)) > 5


def test_a_database_holds_no_more_stones_than_the_positions() -> None:
    assert plan_for(variant("kalah"), stones=30) == dataclasses.replace(plan_for(variant("kalah")), stones=30)
    assert plan_for(variant("kalah"), stones=9).database == 9


def test_memory_is_for_the_database_and_the_tables_of_the_threads() -> None:
    rules = variant("kalah")
    by_two = memory_needed(rules, Plan(30, 30, database=10), 2)
    assert by_two - memory_needed(rules, Plan(30, 30, database=10), 1) == MEMORY
    assert by_two > 2 * MEMORY + len(build_database(rules, 10))
    assert memory_needed(rules, Plan(30, 30), 2) == MEMORY


# The sets that come with the package


def test_there_is_a_set_for_every_variant_promised() -> None:
    assert set(shipped_sets()) >= {"kalah", "kalah:stones=6", "mangala_official"}
    assert set_for(variant("kalah:start_position=random")).rules == variant("kalah")


def test_a_variant_without_a_set_is_told_how_to_make_one() -> None:
    with pytest.raises(BadInputError, match=r"no solved test set for congkak.*kalah.*testset build congkak --out FILE"):
        set_for(variant("congkak"))


@pytest.mark.parametrize("spec", sorted(shipped_sets()))
def test_a_shipped_set_is_large_mixed_and_without_repetition(spec: str) -> None:
    solved = set_for(variant(spec))
    assert len(solved) >= 2000
    assert solved.command == f"mancala-rl testset build {spec} --seed 0 --out FILE"
    assert len({pits_of(position) for position in solved.positions}) == len(solved)
    assert (solved.regrets.max(axis=1) > 0).all()
    best = solved.best_counts()
    assert best[1] < 0.6 * len(solved) and best[2] > 0.15 * len(solved)
    seats = Counter(position.to_move for position in solved.positions)
    assert min(seats.values()) > 0.4 * len(solved)


@pytest.mark.skipif(PLAIN_PYTHON, reason="takes hours")
@pytest.mark.parametrize("spec", sorted(shipped_sets()))
def test_shipped_values_are_what_the_solver_finds(spec: str) -> None:
    solved = set_for(variant(spec))
    database = build_database(solved.rules, 8)
    late = np.flatnonzero(solved.stones <= (8 if spec == "oware" else 24))  # games of Oware are looked up alone
    for index in late[:: len(late) // 60].tolist():
        assert solve(solved.positions[index], database=database).values == solved.values[index]


def test_where_others_solved_the_same_pits_they_found_the_same() -> None:
    """What is gained from here on depends on the pits alone; what lies in the stores comes on top."""
    solved = set_for(variant("kalah"))
    known = {
        pits_of(position): gains(position, values)
        for position, values in zip(solved.positions, solved.values, strict=True)
    }
    lines = map(json.loads, (reference.DATA / "positions_kalah64.jsonl").read_text("utf-8").splitlines())
    for case in (line for line in lines if line["variant"] == "kalah"):
        position = Position("kalah", case["pits"], case["stores"], case["to_move"])
        expected = gains(position, case["move_values"])
        assert known.get(pits_of(position), expected) == expected


def gains(position: Position, values: list[int | None] | tuple[int | None, ...]) -> list[int | None]:
    own, other = position.stores[:: -1 if position.to_move else 1]
    return [None if value is None else value - own + other for value in values]


@pytest.mark.parametrize("spec, positions, stones", [("kalah", 400, 41), ("mangala_official", 200, 39)])
def test_positions_come_from_all_phases(spec: str, positions: int, stones: int) -> None:
    solved = set_for(variant(spec))
    assert np.bincount(solved.phases, minlength=3).min() >= positions
    assert solved.stones.max() >= stones


@pytest.mark.skipif(PLAIN_PYTHON, reason="takes hours")
@pytest.mark.parametrize("spec", sorted(shipped_sets()))
def test_the_command_still_draws_what_is_shipped(spec: str) -> None:
    """Building it all again takes minutes; the first games of the seed have to bring the first of each band."""
    rules = variant(spec)
    plan, solved = plan_for(rules), set_for(rules)
    rows, bands = Games(rules, 0).positions(0, plan)
    drawn = {str(Position.from_row(rules, row)) for row in rows}
    common = [band for band in plan.bands if (bands == band).sum() >= 15]
    first = {
        int(band): str(solved.positions[i]) for i, band in reversed([*enumerate((solved.stones - 1) // plan.width)])
    }
    assert len(common) > 6
    assert all(first[band] in drawn for band in common)
