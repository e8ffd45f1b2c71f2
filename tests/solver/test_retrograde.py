"""Databases of games that need not end, and of all others that the packed board does not play."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mancala_rl import Position, Rules, variant
from mancala_rl.errors import DatabaseError, RunError
from mancala_rl.kernel.compile import PLAIN_PYTHON
from mancala_rl.solver import Database, build_database, filling, open_database
from mancala_rl.solver import database as database_module
from mancala_rl.solver.file import HEADER, read_header
from mancala_rl.solver.filling import bytes_needed
from mancala_rl.solver.ranking import layer_size, number_of, positions_up_to
from mancala_rl.solver.scope import future_hash
from mancala_rl.solver.verify import check_values
from tests import reference
from tests.reference import State
from tests.solver.attractors import all_values
from tests.solver.plain import position_with, read_csv
from tests.twins import margin_of, state_from

SLAMS = ("no_capture", "illegal", "allow", "rest_to_opponent", "leave_last", "leave_first")
SPECS = [
    *(f"oware:pits=3,grand_slam={slam}" for slam in SLAMS),
    "oware:pits=2",
    "oware:pits=1",
    "oware:pits=3,feed=false",
    "oware:pits=2,repetition=0,stop_when_decided=false,sweep_when_decided=false",
    "bohnenspiel:pits=3",
    "bohnenspiel:pits=2,chain_side=opponent",
    "ayoayo:pits=2",
    "ayoayo:pits=3,lander=stays,leftovers=unscored",
    "congkak:pits=3",
    "congkak:pits=2,leftovers=emptier",
    "avalanche:pits=3,end_check=on_turn",
    "japanese:pits=2",
    "japanese:pits=3",
    "japanese:pits=1",
]
STONES = 4 if PLAIN_PYTHON else 5


def check_all(rules: Rules, stones: int, threads: int = 2) -> list[int]:
    """Compare every entry of a database with what each side can force; the values."""
    database, expected = build_database(rules, stones, threads=threads), all_values(rules, stones)
    q, w, bits = database.packing.q, database.packing.w, database.packing.bits
    held = {}
    for rows in expected:
        packed = (sum(number << bits * pit for pit, number in enumerate(row)) for row in rows)
        number, in_pits = number_of(*packed, q, w)
        held[rows] = int(database.values[number]) * database.header.step - in_pits
    assert held == expected, rules.to_dict()
    return list(held.values())


def rest_of(database: Database, position: Position) -> int:
    """What `all_values` says of a position: the value without the stores, or without the stones of a whole race."""
    value = database.value(position)
    if position.rules.goal == "empty":
        return value - position.rules.total if value > 0 else value + position.rules.total
    return value - (position.stores[0] - position.stores[1]) * (-1 if position.to_move else 1)


@pytest.mark.parametrize("spec", SPECS)
def test_every_value_is_what_each_side_can_force(spec: str) -> None:
    check_all(variant(spec), STONES)


@pytest.mark.slow
@pytest.mark.parametrize("slam", SLAMS)
def test_so_it_is_on_the_whole_board_and_with_many_stones(slam: str) -> None:
    for pits, stones in ((6, 4), (2, 14)):
        values = check_all(variant(f"oware:pits={pits},grand_slam={slam}"), stones)
        assert 0 in values and max(values) > 2


@st.composite
def odd_rules(draw: st.DrawFn) -> Rules:
    """Rules that no packed board plays."""
    endless = draw(st.booleans())
    relay = draw(st.sampled_from(("off", "last", "next")))
    fields = {
        "pits": draw(st.integers(1, 3)),
        "stones": 1,
        "sow_stores": "none" if endless else draw(st.sampled_from(("own", "all"))),
        "first_stone": draw(st.sampled_from(("next", "origin"))),
        "skip_origin": draw(st.booleans()),
        "relay": relay,
        "relay_limit": 0 if relay == "off" else draw(st.integers(1, 5)),
        "extra_turn": "none" if endless else draw(st.sampled_from(("none", "own_store"))),
        "capture": draw(st.sampled_from(("none", "cross"))),
        "even_capture": draw(st.booleans()),
        "chain": draw(st.sampled_from(("2", "2,3", "1,4"))),
        "chain_side": draw(st.sampled_from(("opponent", "any"))),
        "grand_slam": draw(st.sampled_from(SLAMS)),
        "feed": draw(st.booleans()),
        "end_check": draw(st.sampled_from(("immediate", "on_turn"))),
        "leftovers": draw(st.sampled_from(("owner", "emptier", "unscored"))),
    }
    return Rules(name="custom", **fields)


@given(rules=odd_rules(), stones=st.integers(1, 4))
@settings(max_examples=30)
def test_so_it_is_under_rules_nobody_plays(rules: Rules, stones: int) -> None:
    check_all(rules, stones, threads=1)


@pytest.mark.parametrize("repetition", [2, 3])
def test_a_rule_that_splits_evenly_what_comes_back_changes_nothing(repetition: int) -> None:
    rules = variant(
        f"oware:pits=2,repetition={repetition},cycle_split=even,stop_when_decided=false,sweep_when_decided=false"
    )
    stones = 2 if repetition == 3 else 3
    for rows, value in all_values(rules, stones).items():
        position = position_with(rules, rows)
        if not position.is_over:
            state = state_from(position)
            state = state._replace(seen=((state.pits, state.turn),))
            ahead = position.stores[0] - position.stores[1]
            assert with_past(state, {}) == ahead + value, position


def with_past(state: State, known: dict[object, int]) -> int:
    """The final margin of seat 0 in a game that remembers which positions have been there."""
    if state.over:
        return margin_of(state)
    key = state.pits, state.stores, state.turn, tuple(sorted(state.seen))
    if key not in known:
        values = [with_past(reference.play(state, move), known) for move in reference.legal(state)]
        known[key] = min(values) if state.turn else max(values)
    return known[key]


def test_a_majority_that_ends_the_game_changes_no_winner() -> None:
    rules = variant("oware:pits=2,stones=2,repetition=2,cycle_split=even")
    database = build_database(rules, 3)
    for rows in all_values(rules, 3):
        for store in range(9 - sum(map(sum, rows))):
            position = Position(rules, rows, (store, 8 - sum(map(sum, rows)) - store), 0)
            if not position.is_over:
                state = state_from(position)
                state = state._replace(seen=((state.pits, state.turn),))
                assert np.sign(with_past(state, {})) == np.sign(database.value(position)), position


# What is known without a computer


@pytest.mark.parametrize(
    "board, slam, value",
    [
        ("0,0,0,0,0,1+23/0,0,0,0,0,0+24 0", "no_capture", -1),  # it has to feed, and is not fed again
        ("0,0,0,0,0,1+22/1,0,0,0,0,1+23 0", "no_capture", 3),  # takes two, is fed one and keeps it
        ("0,0,0,0,0,1+23/1,0,0,0,0,0+23 0", "no_capture", -2),  # a grand slam takes nothing: the other keeps both
        ("0,0,0,0,0,1+23/1,0,0,0,0,0+23 0", "allow", 2),
        ("0,0,0,0,0,1+23/1,0,0,0,0,0+23 0", "rest_to_opponent", 2),
        ("0,0,0,0,0,1+23/1,0,0,0,0,0+23 0", "leave_last", -2),
    ],
)
def test_endgames_of_oware_that_one_can_work_out(board: str, slam: str, value: int) -> None:
    rules = variant(f"oware:grand_slam={slam}")
    position = Position.parse(board, rules)
    assert rest_of(build_database(rules, 3), position) == value


RACES = [line for line in read_csv("solved_values.csv") if line["variant"].startswith("japanese")]


def check_race(line: dict[str, str]) -> None:
    """Compare who wins, by a database of all positions of the game, with the file."""
    start = variant(line["variant"]).start()
    database = build_database(start.rules, start.rules.total)
    assert np.sign(database.value(start)) == int(line["value_first_player"])


@pytest.mark.parametrize(
    "line", [line for line in RACES if variant(line["variant"]).total <= (6 if PLAIN_PYTHON else 14)]
)
def test_races_are_won_by_whom_others_found(line: dict[str, str]) -> None:
    check_race(line)


@pytest.mark.slow
@pytest.mark.skipif(PLAIN_PYTHON, reason="takes hours")
@pytest.mark.parametrize("line", [line for line in RACES if 14 < variant(line["variant"]).total <= 36])
def test_so_are_longer_ones(line: dict[str, str]) -> None:
    check_race(line)


# Layers and files


def test_the_memory_of_a_build_is_told_before(monkeypatch: pytest.MonkeyPatch) -> None:
    swept, analysed = (bytes_needed(variant(spec), 15) for spec in ("kalah", "oware"))
    assert analysed - swept == layer_size(6, 15) * 25
    monkeypatch.setattr(database_module, "free_memory", lambda: swept)
    with pytest.raises(RunError, match=r"needs 20[0-9]\.[0-9] MiB of memory"):
        build_database("oware", 15)


def test_layers_have_the_sizes_that_are_known() -> None:
    database = build_database("oware", 5)
    sizes = [len(database.values[database.header.layer(stones)]) for stones in range(6)]
    assert sizes == [1, 12, 78, 364, 1365, 4368] == [layer_size(6, stones) for stones in range(6)]
    assert len(database) == positions_up_to(6, 5) and database.header.step == 1


@pytest.fixture
def built(tmp_path: Path) -> Path:
    path = tmp_path / "oware.db"
    build_database("oware:pits=3", 7, path)
    return path


@pytest.mark.parametrize("spec", ["oware:pits=3", "japanese:pits=3"])
def test_any_number_of_threads_gives_the_same_bytes(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = []
    for threads, at_once in ((1, 1 << 18), (2, 50), (3, 7)):
        monkeypatch.setattr(filling, "LISTED_AT_ONCE", at_once)
        monkeypatch.setattr(filling, "IMPROVED_AT_ONCE", at_once)
        path = tmp_path / f"{threads}.db"
        build_database(spec, 7, path, threads=threads)
        files.append(path.read_bytes())
    assert files[0] == files[1] == files[2]


def test_the_file_is_checked_bit_by_bit_and_value_by_value(built: Path) -> None:
    database = open_database(built, "oware:pits=3,grand_slam=no_capture,repetition=3,cycle_split=even,stones=2")
    check_values(database, 300, 0)
    check_values(build_database("japanese:pits=3", 6), 300, 0)
    database.values[positions_up_to(3, 5) :] ^= 1
    with pytest.raises(DatabaseError, match="its moves make it"):
        check_values(database, 300, 0)
    sound = built.read_bytes()
    rng = np.random.default_rng(0)
    for place in [HEADER, len(sound) - 1, *rng.integers(0, len(sound), 60).tolist()]:
        damaged = bytearray(sound)
        damaged[place] ^= 1 << int(rng.integers(8))
        built.write_bytes(damaged)
        with pytest.raises(DatabaseError, match=r"damaged|expected an endgame database"):
            open_database(built)
    built.write_bytes(sound[:-5])
    with pytest.raises(DatabaseError, match="truncated"):
        open_database(built)


def test_a_database_of_other_rules_is_refused(built: Path) -> None:
    for spec in ("oware:pits=3,grand_slam=allow", "oware:pits=3,feed=false", "kalah:pits=3", "oware"):
        with pytest.raises(DatabaseError, match="holds values for oware:pits=3, not for"):
            open_database(built, spec)


class StopError(Exception):
    """What a progress function raises to end a build."""


@pytest.mark.parametrize("layers", [1, 4, 7])
def test_an_interrupted_build_goes_on_where_it_stopped(built: Path, tmp_path: Path, layers: int) -> None:
    path, part = tmp_path / "again.db", tmp_path / "again.db.part"

    def stop(done: int) -> None:
        if done >= positions_up_to(3, layers):
            raise StopError

    with pytest.raises(StopError):
        build_database("oware:pits=3", 7, path, progress=stop)
    assert len(read_header(part).layers) == layers
    seen: list[int] = []
    build_database("oware:pits=3", 7, path, progress=seen.append)
    assert min(seen) > positions_up_to(3, layers - 1)
    assert max(seen) == positions_up_to(3, 7)
    assert path.read_bytes() == built.read_bytes() and not part.exists()


def test_a_second_build_of_a_file_is_refused_and_does_no_harm(built: Path, tmp_path: Path) -> None:
    path, refused = tmp_path / "again.db", []

    def begin_another(done: int) -> None:
        with pytest.raises(DatabaseError, match="another build is writing it"):
            build_database("oware:pits=3", 7, path)
        refused.append(done)

    build_database("oware:pits=3", 7, path, progress=begin_another)
    assert refused and path.read_bytes() == built.read_bytes() and not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("spec", ["oware", "japanese"])
def test_what_makes_no_difference_to_a_board_makes_none_to_its_database(spec: str) -> None:
    usual = future_hash(variant(spec))
    assert future_hash(variant(f"{spec}:stones=3")) == usual
    if spec == "oware":
        for options in ("repetition=0", "repetition=3,cycle_split=even", "sweep_when_decided=false"):
            assert future_hash(variant(f"{spec}:{options}")) == usual
        assert future_hash(variant("oware:grand_slam=allow")) != usual


@pytest.mark.slow
@pytest.mark.skipif(PLAIN_PYTHON, reason="takes hours")
def test_a_build_that_is_killed_goes_on(tmp_path: Path) -> None:
    path, part = tmp_path / "oware.db", tmp_path / "oware.db.part"
    program = f"from mancala_rl.solver import build_database; build_database('oware', 9, {str(path)!r})"
    process = subprocess.Popen([sys.executable, "-c", program])
    while process.poll() is None and (not part.exists() or part.stat().st_size < HEADER + positions_up_to(6, 6)):
        pass
    process.kill()
    process.wait()
    build_database("oware", 9, path)
    assert (open_database(path).values == build_database("oware", 9).values).all()
