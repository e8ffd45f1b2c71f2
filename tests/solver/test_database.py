"""Endgame databases: right, the same for any number of threads, and refused when anything about them is wrong."""

from __future__ import annotations

import errno
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mancala_rl import Position, Rules, lock, variant
from mancala_rl.errors import BadInputError, DatabaseError, RunError
from mancala_rl.kernel.compile import PLAIN_PYTHON
from mancala_rl.solver import Database, build_database, open_database
from mancala_rl.solver import database as database_module
from mancala_rl.solver.file import HEADER, Header, read_header
from mancala_rl.solver.ranking import positions_up_to, row_count
from mancala_rl.solver.verify import check_values
from tests.solver.plain import boards, layer_rules, packed_rules, position_with, read_csv, values_of

LAYERS = read_csv("database_layers.csv")
RULES = sorted({(line["m"], line["capture"], line["leftovers"]) for line in LAYERS})
SMALL = "kalah:pits=3"
STONES = {"1": 12, "2": 12, "3": 4, "4": 3} if PLAIN_PYTHON else {"1": 12, "2": 20, "3": 14, "4": 10}


def layer_facts(database: Database, stones: int) -> list[int]:
    """What a line of the file says of a layer: only positions with stones in both rows count there."""
    pits, layer = database.header.pits, database.header.layer(stones)
    one_sided = row_count(pits, stones)
    values = database.values[layer.start + one_sided : layer.stop - one_sided].astype(int) * 2 - stones
    counts = (values > 0).sum(), (values == 0).sum(), (values < 0).sum()
    return [len(values), int(values.sum()), int((values**2).sum()), *map(int, counts)]


def check_layers(rules: tuple[str, str, str], most: int) -> None:
    lines = [line for line in LAYERS if (line["m"], line["capture"], line["leftovers"]) == rules]
    database = build_database(layer_rules(lines[0]), min(most, max(int(line["stones_in_pits"]) for line in lines)))
    checked = 0
    for line in lines:
        if int(line["stones_in_pits"]) <= database.stones:
            names = "positions_both_rows_nonempty", "sum_value", "sum_value_sq", "wins", "draws", "losses"
            assert layer_facts(database, int(line["stones_in_pits"])) == [int(line[name]) for name in names], line
            checked += 1
    assert checked == database.stones - 1


@pytest.mark.parametrize("rules", RULES)
def test_whole_layers_are_as_others_found_them(rules: tuple[str, str, str]) -> None:
    check_layers(rules, STONES[rules[0]])


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_so_are_the_large_layers(rules: tuple[str, str, str]) -> None:
    check_layers(rules, 100)


@given(data=st.data(), rules=packed_rules(st.integers(1, 3)), seat=st.integers(0, 1), ahead=st.integers(0, 4))
@settings(max_examples=40)
def test_every_value_is_what_trying_everything_gives(data: st.DataObject, rules: Rules, seat: int, ahead: int) -> None:
    position = position_with(rules, data.draw(boards(rules.pits, 5)), seat, ahead)
    if position.is_over:
        return
    database = build_database(rules, sum(map(sum, position.pits)), threads=1)
    assert database.covers(position)
    assert database.value(position) == max(values_of(position).values()), (position, rules.to_dict())


def test_values_are_the_margin_of_the_player_to_move() -> None:
    database = build_database(SMALL, 4)
    # The last stone of the row goes into the store, and the other side banks the one it has.
    for text in ("0,0,1+3/1,0,0+19 0", "1,0,0+19/0,0,1+3 1"):
        assert database.value(Position.parse(text, SMALL)) == (3 + 1) - (19 + 1)


def test_it_refuses_positions_it_does_not_hold() -> None:
    database = build_database(SMALL, 3)
    for position in (variant(SMALL).start(), Position.parse("0,0,0+12/0,0,0+12 -", SMALL)):
        assert not database.covers(position)
        with pytest.raises(BadInputError, match="at most 3 stones"):
            database.value(position)
    with pytest.raises(DatabaseError, match="not for mangala:pits=3"):
        database.value(Position.parse("0,1,0+12/0,0,1+10 0", "mangala:pits=3"))


def test_the_number_of_stones_at_the_start_makes_no_difference(tmp_path: Path) -> None:
    path = tmp_path / "kalah.db"
    build_database("kalah:pits=3,stones=1", 4, path)
    for spec in ("kalah:pits=3,stones=5", "kalah:pits=3,pie=true", "custom:pits=3,start_position=random"):
        assert open_database(path, spec).stones == 4


# Files


@pytest.fixture
def built(tmp_path: Path) -> Path:
    path = tmp_path / "small.db"
    build_database(SMALL, 6, path)
    return path


def test_a_file_holds_what_memory_does(built: Path) -> None:
    opened = open_database(built, SMALL)
    assert built.stat().st_size == HEADER + positions_up_to(3, 6)
    assert (opened.values == build_database(SMALL, 6).values).all()
    assert str(opened.rules) == SMALL and len(opened) == positions_up_to(3, 6)
    check_values(opened, 200, 0)


def test_any_number_of_threads_gives_the_same_bytes(built: Path, tmp_path: Path) -> None:
    for threads, stones in ((1, 6), (3, np.int64(6))):
        again = tmp_path / f"{threads}.db"
        build_database(SMALL, stones, again, threads=threads)
        assert again.read_bytes() == built.read_bytes()
    assert not list(tmp_path.glob("*.part"))


def test_a_file_is_replaced_only_if_asked(built: Path) -> None:
    with pytest.raises(DatabaseError, match="exists"):
        build_database(SMALL, 3, built)
    build_database(SMALL, 3, built, overwrite=True)
    assert open_database(built).stones == 3


def test_a_file_flipped_by_one_bit_is_refused(built: Path) -> None:
    sound = built.read_bytes()
    rng = np.random.default_rng(0)
    header = [*range(0, 1200, 37), *rng.integers(0, HEADER, 40).tolist()]
    for place in [*header, HEADER, len(sound) - 1, *rng.integers(HEADER, len(sound), 40).tolist()]:
        damaged = bytearray(sound)
        damaged[place] ^= 1 << int(rng.integers(8))
        built.write_bytes(damaged)
        with pytest.raises(DatabaseError, match=r"damaged|expected an endgame database") as caught:
            open_database(built)
        assert "\n" not in str(caught.value) and str(built) in str(caught.value)


def test_a_file_cut_short_or_gone_on_is_refused(built: Path) -> None:
    sound = built.read_bytes()
    for length in (0, 10, 500, HEADER, len(sound) - 1):
        built.write_bytes(sound[:length])
        with pytest.raises(DatabaseError, match=r"truncated|damaged|expected an endgame database"):
            open_database(built)
    built.write_bytes(sound + b"\0")
    with pytest.raises(DatabaseError, match="too long"):
        open_database(built)


def test_what_is_no_database_for_these_rules_is_refused(built: Path, tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="holds values for kalah:pits=3, not for kalah"):
        open_database(built, "kalah")
    with pytest.raises(DatabaseError, match="not for kalah:pits=3,empty_capture=true"):
        open_database(built, "kalah:pits=3,empty_capture=true")
    for place in (tmp_path / "nothing", tmp_path):
        with pytest.raises(DatabaseError, match=str(place)):
            open_database(place)
    newer = built.read_bytes().replace(b'"format": 1', b'"format": 9', 1)
    built.write_bytes(newer)
    with pytest.raises(DatabaseError, match="format 9"):
        open_database(built)


def test_values_that_do_not_follow_from_each_other_are_found(built: Path) -> None:
    database = open_database(built)
    database.values[100:] ^= 1  # copied on write: the file keeps its own
    with pytest.raises(DatabaseError, match="its moves make it"):
        check_values(database, 500, 0)
    check_values(open_database(built), 500, 0)


# Interruptions


class StopError(Exception):
    """What a progress function raises to end a build."""


def interrupt(path: Path, after: int) -> None:
    """Begin a build that ends once so many positions are finished."""

    def stop(done: int) -> None:
        if done >= after:
            raise StopError

    with pytest.raises(StopError):
        build_database(SMALL, 6, path, progress=stop)


@pytest.mark.parametrize("layers", [0, 1, 4, 6])
def test_an_interrupted_build_goes_on_where_it_stopped(built: Path, tmp_path: Path, layers: int) -> None:
    path = tmp_path / "again.db"
    interrupt(path, positions_up_to(3, layers))
    part = tmp_path / "again.db.part"
    assert not path.exists()
    assert part.exists() == (layers > 0)  # nothing is left behind that holds nothing
    assert len(read_header(part).layers if layers else ()) == layers
    seen: list[int] = []
    build_database(SMALL, 6, path, progress=seen.append)
    assert min(seen) > (positions_up_to(3, layers - 1) if layers else 0)
    assert path.read_bytes() == built.read_bytes() and not part.exists()


def test_layers_damaged_meanwhile_are_built_again(built: Path, tmp_path: Path) -> None:
    path, part = tmp_path / "again.db", tmp_path / "again.db.part"
    interrupt(path, positions_up_to(3, 5))
    damaged = bytearray(part.read_bytes())
    damaged[HEADER + positions_up_to(3, 2) + 1] ^= 4
    part.write_bytes(damaged)
    seen: list[int] = []
    build_database(SMALL, 6, path, progress=seen.append)
    assert min(seen) <= positions_up_to(3, 3)
    assert path.read_bytes() == built.read_bytes()


@pytest.mark.slow
@pytest.mark.skipif(PLAIN_PYTHON, reason="takes hours")
def test_a_build_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    path, part = tmp_path / "kalah.db", tmp_path / "kalah.db.part"
    program = f"from mancala_rl.solver import build_database; build_database('kalah', 15, {str(path)!r}, threads=2)"
    finished = 0
    while finished < 12:  # killed anywhere, again and again: a layer more each time
        process = subprocess.Popen([sys.executable, "-c", program])
        while process.poll() is None and (not part.exists() or _finished(part) <= finished):
            time.sleep(0.002)
        process.kill()
        process.wait()
        finished = _finished(part)
    seen: list[int] = []
    build_database("kalah", 15, path, progress=seen.append)
    assert min(seen) > positions_up_to(6, finished - 1)
    assert (open_database(path).values == build_database("kalah", 15).values).all()


def _finished(part: Path) -> int:
    """How many layers an unfinished file holds; none while its header is being written."""
    try:
        return len(read_header(part).layers)
    except DatabaseError:
        return 0


@pytest.mark.parametrize("length", [0, 100, HEADER, HEADER + 3])
def test_a_beginning_that_was_cut_off_is_no_obstacle(built: Path, tmp_path: Path, length: int) -> None:
    path, part = tmp_path / "again.db", tmp_path / "again.db.part"
    interrupt(path, positions_up_to(3, 3))
    part.write_bytes(part.read_bytes()[:length])
    build_database(SMALL, 6, path)
    assert path.read_bytes() == built.read_bytes()


def test_the_beginning_of_another_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "again.db"
    interrupt(path, positions_up_to(3, 3))
    for rules, stones in ((SMALL, 7), ("mangala:pits=3", 6)):
        with pytest.raises(DatabaseError, match=r"again\.db\.part: the unfinished database of kalah:pits=3 with 6"):
            build_database(rules, stones, path)


# Two builds of one file


def test_a_second_build_of_a_file_is_refused_and_does_no_harm(built: Path, tmp_path: Path) -> None:
    path, refused = tmp_path / "again.db", []

    def begin_another(done: int) -> None:
        with pytest.raises(DatabaseError, match=r"again\.db\.part: another build is writing it") as caught:
            build_database(SMALL, 6, path)
        refused.append(str(caught.value))

    build_database(SMALL, 6, path, progress=begin_another)
    assert refused and path.read_bytes() == built.read_bytes()
    assert not list(tmp_path.glob("*.part"))


def test_so_is_one_in_another_process_until_that_is_killed(built: Path, tmp_path: Path) -> None:
    path, reached = tmp_path / "again.db", tmp_path / "reached"
    program = (
        "import pathlib, time; from mancala_rl.solver import build_database\n"
        f"wait = lambda done: done > 300 and (pathlib.Path({str(reached)!r}).touch(), time.sleep(600))\n"
        f"build_database({SMALL!r}, 6, {str(path)!r}, progress=wait)"
    )
    process = subprocess.Popen([sys.executable, "-c", program])
    try:
        while not reached.exists():
            assert process.poll() is None
            time.sleep(0.02)
        with pytest.raises(DatabaseError, match="another build is writing it"):
            build_database(SMALL, 6, path)
    finally:
        process.kill()
        process.wait()
    build_database(SMALL, 6, path)
    assert path.read_bytes() == built.read_bytes()


def test_a_build_that_ends_meanwhile_is_left_alone(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, part, take = tmp_path / "again.db", tmp_path / "again.db.part", lock.take
    interrupt(path, positions_up_to(3, 3))

    def finished_just_before(descriptor: int) -> bool:
        if not path.exists():
            part.replace(path)
            path.write_bytes(built.read_bytes())
        return take(descriptor)

    monkeypatch.setattr(lock, "take", finished_just_before)
    with pytest.raises(DatabaseError, match=r"again\.db: exists"):
        build_database(SMALL, 6, path)
    assert path.read_bytes() == built.read_bytes() and not part.exists()


@pytest.mark.parametrize("kind", ["no fcntl", "no locks on this file system"])
def test_where_there_are_no_locks_databases_are_built_all_the_same(
    built: Path, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    if kind == "no fcntl":
        monkeypatch.setattr(lock, "fcntl", None)
    else:
        monkeypatch.setattr(lock.fcntl, "flock", refuse)
    path = tmp_path / "again.db"
    interrupt(path, positions_up_to(3, 3))
    build_database(SMALL, 6, path)
    assert path.read_bytes() == built.read_bytes() and not list(tmp_path.glob("*.part"))


# Room


def test_too_little_room_is_said_before_anything_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_module, "free_memory", lambda: 1000)
    with pytest.raises(RunError, match=r"needs [0-9.]+ KiB of memory, 1000 bytes are free"):
        build_database(SMALL, 6)
    monkeypatch.undo()
    monkeypatch.setattr(database_module.shutil, "disk_usage", lambda _: FewBytes)
    with pytest.raises(RunError, match=r"needs 8.9 KiB on the disk of .*, 10 bytes are free"):
        build_database(SMALL, 6, tmp_path / "small.db")
    assert not list(tmp_path.iterdir())


class FewBytes:
    free = 10


def test_a_disk_that_is_full_is_a_run_that_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(database_module.os, "fsync", full)
    with pytest.raises(RunError, match="No space left on device; the finished layers are kept"):
        build_database(SMALL, 6, tmp_path / "small.db")


@pytest.mark.parametrize("layers", [0, 1, 4, 6])
def test_what_was_built_before_the_disk_was_full_is_kept(built: Path, tmp_path: Path, layers: int) -> None:
    """The limit of a file's size fails a write half-way through a layer, as a full disk does."""
    path, part = tmp_path / "again.db", tmp_path / "again.db.part"
    limit = HEADER + positions_up_to(3, layers) - 1  # one byte too few for this layer
    program = (
        "import resource, sys; from mancala_rl.cli import main\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n"
        f"sys.exit(main(['database', 'build', {SMALL!r}, '--stones', '6', '--out', {str(path)!r}]))"
    )
    failed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert failed.returncode == 1 and failed.stderr.count("\n") == 1
    assert f"{part}: File too large; the finished layers are kept, build again to go on" in failed.stderr
    assert not path.exists()
    assert len(read_header(part).layers if layers else ()) == layers
    seen: list[int] = []
    build_database(SMALL, 6, path, progress=seen.append)
    assert min(seen) > (positions_up_to(3, layers - 1) if layers else 0)
    assert path.read_bytes() == built.read_bytes()


@pytest.mark.parametrize(
    "rules, stones, words",
    [
        ("toguz_korgool", 5, "tuzdik=True"),
        ("oware:max_plies=50", 5, "max_plies=50"),
        ("japanese:resign=true", 5, "resign=True"),
        ("oware:pits=13", 30, "too many for a database of 13 pits"),
        ("japanese:players=3", 5, "players=3"),
        ("kalah:stop_when_decided=true", 5, "stop_when_decided=True"),
        ("kalah", -1, "stones=-1"),
        ("kalah", 2.5, "stones=2.5"),
        ("kalah", True, "stones=True"),
        ("kalah", 81, "from 0 to 80"),
        ("kalah:pits=12", 40, "too many for a database of 12 pits"),
    ],
)
def test_databases_that_cannot_be_are_refused(rules: str, stones: int, words: str) -> None:
    with pytest.raises(BadInputError, match=words):
        build_database(rules, stones)


@pytest.mark.parametrize("threads", [0, -1, 1.5, True])
def test_so_are_threads_that_cannot_be(threads: int) -> None:
    with pytest.raises(BadInputError, match="threads"):
        build_database(SMALL, 3, threads=threads)


def test_header_of_a_large_database_fits() -> None:
    header = Header("kalah:" + "x" * 300, "0" * 12, 6, 80, 2, ("0" * 64,) * 81)
    assert len(header.to_bytes()) == HEADER
