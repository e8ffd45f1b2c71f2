"""Solving with databases that retrograde analysis has made: by look-up where games need not end, else in the search."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest

from mancala_rl import Position, variant
from mancala_rl.cli import main
from mancala_rl.errors import BadInputError, DatabaseError
from mancala_rl.solver import build_database, solve, supply
from mancala_rl.solver.filling import bytes_needed
from mancala_rl.solver.room import check_room
from mancala_rl.solver.scope import CONVENTION
from tests.search.plain import random_positions
from tests.solver.plain import values_of


@pytest.fixture
def built(tmp_path: Path) -> Path:
    path = tmp_path / "oware.db"
    build_database("oware:pits=3", 7, path)
    return path


def test_solve_looks_up_every_move() -> None:
    rules = variant("oware:pits=3,stones=2")
    database = build_database(rules, 8)
    for position in random_positions(str(rules), 40, plies=9):
        stones = sum(map(sum, position.pits))
        if position.is_over or stones > database.stones:
            continue
        solution = solve(position, database=database)
        assert solution.position == position
        assert [move for move, value in enumerate(solution.values or ()) if value is not None] == [
            *position.legal_moves
        ]
        assert solution.value == database.value(position) == max(v for v in solution.values or () if v is not None)
        assert solve(position).values == solve(position, database=stones).values == solution.values
        quick = solve(position, database=database, moves=False)
        assert quick.value == solution.value and quick.best_moves[0] in solution.best_moves


def test_the_value_is_kept_as_long_as_both_play_best_moves() -> None:
    rules = variant("oware:repetition=0,stop_when_decided=false,sweep_when_decided=false")
    database = build_database(rules, 5)
    position = Position.parse("0,1,0,0,2,0+20/1,0,0,1,0,0+23 0", rules)
    expected, plies = database.value(position), 0
    while not position.is_over and plies < 60:
        sign = -1 if position.to_move else 1
        assert sign * database.value(position) == expected
        position = position.play(solve(position, database=database).best_moves[0])
        plies += 1
    assert plies > 2 and (plies == 60 or position.stores[0] - position.stores[1] == expected)


@pytest.mark.parametrize(
    "spec, text, options, words",
    [
        ("oware", None, {}, "up to 15 stones one is built at once"),
        ("oware", None, {"database": 3}, "the database of oware covers at most 3"),
        ("oware", "0,0,0,0,1,0+22/1,0,0,0,0,1+23 0", {"database": 0}, "covers at most 0"),
        ("oware", "0,0,0,0,0,0+25/0,0,0,0,0,0+23 -", {}, "the game is over"),
        ("oware:max_plies=9", None, {}, "repetition=2"),
        ("toguz_korgool", None, {}, "repetition=3"),
        ("japanese:pits=2,resign=true", None, {"database": 3}, "resign=True"),
        ("kalah:pits=2,stop_when_decided=true", None, {"database": 3}, "stop_when_decided=True"),
    ],
)
def test_what_cannot_be_solved_is_refused(spec: str, text: str | None, options: dict[str, int], words: str) -> None:
    position = variant(spec).start() if text is None else Position.parse(text, spec)
    with pytest.raises(BadInputError, match=words) as caught:
        solve(position, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "spec", ["japanese:pits=3,stones=2", "congkak:pits=3,stones=2", "avalanche:pits=2,stones=3,pie=true"]
)
@pytest.mark.parametrize("stones", [1, 5, 12])
def test_a_database_shortens_the_search_on_rows_and_changes_no_value(spec: str, stones: int) -> None:
    position = variant(spec).start()
    plain, helped = solve(position), solve(position, database=stones)
    assert helped.values == plain.values and helped.nodes <= plain.nodes
    assert {move: value for move, value in enumerate(helped.values or ()) if value is not None} == values_of(position)


@pytest.mark.parametrize(
    "spec, stones",
    [
        ("japanese", 12),
        ("japanese:stones=2", 8),
        ("japanese:pits=4,stones=2", 0),
        ("japanese:pits=15,stones=1", 0),  # wider than any database
        ("japanese:resign=true", 0),
        ("oware:pits=3,stones=2", 12),
        ("kalah", 18),
    ],
)
def test_a_database_is_built_unasked_where_it_pays(spec: str, stones: int) -> None:
    assert supply.database_stones(variant(spec).start()) == stones


def test_a_database_that_cannot_be_used_is_refused(built: Path) -> None:
    position = variant("oware:pits=3,stones=1").start()
    with pytest.raises(DatabaseError, match="holds values for kalah:pits=3, not for oware:pits=3"):
        solve(position, database=build_database("kalah:pits=3", 7))
    with pytest.raises(DatabaseError, match="not for japanese:pits=3"):
        solve(variant("japanese:pits=3").start(), database=built)
    built.write_bytes(built.read_bytes()[:-1])
    with pytest.raises(DatabaseError, match="truncated"):
        solve(position, database=built)


# Memory


@pytest.mark.parametrize(
    "spec, table, words",
    [
        ("oware:pits=3,stones=2", 0, "takes"),
        ("japanese:pits=3,stones=2", 24, "and the table of positions take"),
    ],
)
def test_memory_covers_what_retrograde_analysis_takes(spec: str, table: int, words: str, tmp_path: Path) -> None:
    position, path = variant(spec).start(), tmp_path / "small.db"
    built = build_database(position.rules, 12)
    build_database(position.rules, 12, path)
    expected = solve(position, database=built).values
    for database, needed in ((built, built.held + table), (12, bytes_needed(position.rules, 12)), (path, table)):
        supply._kept.clear()
        with pytest.raises(BadInputError, match=f"the database of 12 stones {words} at least {needed} "):
            solve(position, database=database, memory=needed - 1)
        assert not supply._kept
        assert solve(position, database=database, memory=needed).values == expected


@pytest.mark.parametrize("spec", ["oware:pits=4,stones=2", "japanese:pits=4,stones=2"])
def test_building_takes_no_more_memory_than_that(spec: str) -> None:
    position = variant(spec).start()
    solve(position, database=16)  # compiled by now
    supply._kept.clear()
    memory = bytes_needed(position.rules, 16)
    tracemalloc.start()
    solve(position, database=16, moves=False, memory=memory)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert 0.9 * memory < peak < memory + 300_000  # frames, rules and the numbers of positions


def test_the_database_that_only_look_up_needs_is_kept_while_memory_has_room_for_it() -> None:
    position = variant("oware:pits=3,stones=2").start()
    supply._kept.clear()
    expected = solve(position).values
    (kept,) = supply._kept.values()
    assert solve(position, memory=kept.held).values == expected  # a new one would take more
    assert [*supply._kept.values()] == [kept]
    with pytest.raises(BadInputError, match="from a file"):
        solve(position, memory=kept.held - 1)


@pytest.mark.parametrize("spec", ["kalah", "kalah:pits=14", "japanese:stones=6", "japanese:pits=3", "congkak:pits=1"])
def test_what_is_built_unasked_fits_into_any_memory(spec: str) -> None:
    position, before = variant(spec).start(), 0
    for memory in (int(1.3**power) for power in range(80)):
        stones = supply.database_stones(position, memory)
        assert stones >= before
        if stones:
            check_room(position, stones, memory)
        before = stones


# Commands


def test_the_commands_tell_the_convention(built: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    assert main(["database", "build", "oware:pits=3", "--stones", "4", "--out", str(path)]) == 0
    assert CONVENTION in capsys.readouterr().out
    assert main(["database", "info", str(built), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["convention"], facts["rules"], facts["stones"]) == (CONVENTION, "oware:pits=3", 7)
    assert main(["database", "verify", str(built), "--positions", "100"]) == 0
    assert "sound: all 8 layers" in capsys.readouterr().out
    assert (
        main(["solve", "oware:pits=3", "--position", "1,0,1+10/0,1,1+10 0", "--moves", "--database", str(built)]) == 0
    )
    assert capsys.readouterr().out.startswith("1,0,1+10/0,1,1+10 0: ")
    assert main(["solve", "oware:pits=3", "--position", "1,0,1+10/0,1,1+10 0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["values"] is None


def test_the_command_says_what_it_cannot_solve(capsys: pytest.CaptureFixture[str], built: Path) -> None:
    assert main(["solve", "oware"]) == 2
    assert "48 stones in the pits; games of oware need not end" in capsys.readouterr().err
    assert main(["solve", "oware:pits=3", "--database", str(built)]) == 2
    assert "covers at most 7" in capsys.readouterr().err
    text = "0,1,2,0,2,1+17/3,1,0,2,3,0+16 0"
    assert main(["solve", "oware", "--position", text, "--memory", "100"]) == 2
    assert "memory=100 MiB: the database of 15 stones takes at least 202 MiB" in capsys.readouterr().err
