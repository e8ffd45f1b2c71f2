"""Exact values: as others found them, as trying everything gives them, and the same whichever way they are found."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mancala_rl import Position, Rules, variant
from mancala_rl.agent import choose
from mancala_rl.errors import BadInputError
from mancala_rl.kernel import layout
from mancala_rl.kernel.compile import PLAIN_PYTHON
from mancala_rl.solver import Perfect, Solution, build_database, engine, open_database, rowsearch, solve, supply
from mancala_rl.solver.database import memory_needed
from mancala_rl.solver.engine import PackedEngine, RowEngine, close_in
from mancala_rl.solver.memory import check_enough
from mancala_rl.solver.table import entries_in_use, find, grow, make_table, remember, spread
from tests import reference
from tests.search.plain import random_positions
from tests.solver.plain import boards, packed_rules, position_with, read_csv, values_of

SOLVED = read_csv("solved_values.csv")
FAST = 9 if PLAIN_PYTHON else 32  # stones in all
MIB = 1 << 20


def lines_up_to(stones: int, least: int = 0) -> list[dict[str, str]]:
    return [line for line in SOLVED if least <= variant(line["variant"]).total <= stones]


def check_line(line: dict[str, str], **options: object) -> None:
    """Compare with a line of solved_values.csv; of a race it knows only who wins."""
    solution = solve(variant(line["variant"]).start(), **options)
    if line["move_values"]:
        assert solution.value == int(line["value_first_player"])
        assert " ".join("null" if v is None else str(v) for v in solution.values or ()) == line["move_values"]
    else:
        assert np.sign(solution.value) == int(line["value_first_player"])
    check_form(solution)


def check_form(solution: Solution) -> None:
    legal, values = solution.position.legal_moves, solution.values
    assert values is not None and len(values) == solution.position.rules.num_actions
    assert [move for move, value in enumerate(values) if value is not None] == list(legal)
    assert solution.value == max(values[move] for move in legal)
    assert solution.best_moves == tuple(move for move in legal if values[move] == solution.value)
    assert solution.nodes >= 0 and solution.seconds > 0


def values_found(solution: Solution) -> dict[int, int]:
    return {move: value for move, value in enumerate(solution.values or ()) if value is not None}


@pytest.mark.parametrize("line", lines_up_to(FAST), ids=lambda line: line["variant"])
def test_small_boards_are_as_others_found_them(line: dict[str, str]) -> None:
    check_line(line)


def test_every_solved_board_is_checked() -> None:
    """The two that are left are checked at the end of this file."""
    rest = {line["variant"] for line in SOLVED} - {line["variant"] for line in lines_up_to(47)}
    assert rest == {"kalah:pits=6,stones=4", "kalah:pits=6,stones=4,empty_capture=true"}


@pytest.mark.slow
@pytest.mark.parametrize("line", lines_up_to(47, FAST + 1), ids=lambda line: line["variant"])
def test_so_are_larger_ones(line: dict[str, str]) -> None:
    check_line(line)


@given(data=st.data(), rules=packed_rules(st.integers(1, 3)), seat=st.integers(0, 1), stones=st.integers(0, 4))
def test_values_of_all_moves_are_what_trying_everything_gives(
    data: st.DataObject, rules: Rules, seat: int, stones: int
) -> None:
    position = position_with(rules, data.draw(boards(rules.pits, 7)), seat, data.draw(st.integers(0, 4)))
    if not position.is_over:
        solution = solve(position, database=stones)
        assert values_found(solution) == values_of(position), (position, rules.to_dict())
        check_form(solution)
        quick = solve(position, database=stones, moves=False)
        assert (quick.value, quick.values) == (solution.value, None)
        assert set(quick.best_moves) <= set(solution.best_moves) and len(quick.best_moves) == 1


OTHERS = [
    "kalah:pits=2,stones=4,leftovers=unscored",
    "kalah:pits=3,stones=2,leftovers=unscored,end_check=on_turn",
    "custom:pits=3,stones=2,first_stone=origin,leftovers=unscored",
    "kalah:pits=3,stones=2,stop_when_decided=true",
    "kalah:pits=3,stones=2,stop_when_decided=true,leftovers=unscored",
    "custom:pits=3,stones=2,stop_when_decided=true,sweep_when_decided=true",
    "kalah:pits=2,stones=3,pie=true",
    "kalah:pits=3,stones=2,pie=true",
    "kalah:pits=3,stones=2,pie=true,stop_when_decided=true",
    "kalah:pits=2,stones=3,pie=true,leftovers=emptier",
    "kalah:pits=2,stones=2,pie=true,leftovers=unscored,end_check=on_turn",
    "japanese:pits=2,stones=3",
    "japanese:pits=3,stones=2,resign=true",
    "congkak:pits=2,stones=2",
    "avalanche:pits=2,stones=3",
    "oware:pits=2,stones=1,repetition=0,max_plies=7",
    "custom:pits=2,stones=3,even_capture=true,tuzdik=true",
    "custom:pits=2,stones=3,chain=2-3",
    "custom:pits=3,stones=2,feed=true,end_check=on_turn",
]


@pytest.mark.parametrize("spec", OTHERS)
def test_every_other_rule_is_respected(spec: str) -> None:
    spec = spec.replace("chain=2-3", "chain=2,3")
    for position in [variant(spec).start(), variant(spec).start(first=1), *random_positions(spec, 4, plies=6)]:
        if not position.is_over:
            assert values_found(solve(position)) == values_of(position), position


@pytest.mark.parametrize(
    "spec, counted",
    [
        ("kalah:pits=3,pie=true,stop_when_decided=true", ("MOVER", "PIE")),
        ("japanese:pits=3", ("MOVER", "PLACES")),
        ("oware:pits=3,repetition=0,max_plies=9", ("MOVER", "PLY")),
        ("custom:pits=3,even_capture=true,tuzdik=true", ("MOVER", "TUZDIKS")),
    ],
)
def test_the_keys_of_rows_hold_all_that_counts_and_nothing_else(spec: str, counted: tuple[str, ...]) -> None:
    rules = variant(spec)
    places = {name: rules.num_cells + getattr(layout, name) for name in ("MOVER", "PIE", "PLY", "PLACES", "SINCE")}
    places |= {name: rules.num_cells + getattr(layout, name) for name in ("CAPTURED", "EXTRA", "LIFTED")}
    places["TUZDIKS"] = int(rules.array[layout.TUZDIKS])
    keys = {}
    for name, place in [("nothing", 0), *((n, p) for n, p in places.items() if p < rules.row_length)]:
        rows, frames = np.zeros((1, rules.row_length), np.int16), np.zeros((1, rowsearch.FIELDS), np.int64)
        rows[0, : rules.num_cells] = rules.start_cells
        rows[0, place] += name != "nothing"
        rowsearch.set_keys(rows, frames, 0, engine.row_weights(rules))
        keys[name] = tuple(frames[0, [rowsearch.KEY, rowsearch.KEY2]].tolist())
    changed = {name for name in keys if keys[name] != keys["nothing"]}
    assert changed == {"MOVER", "PIE", "PLACES", *counted}
    assert len({keys[name] for name in changed}) == len(changed)


def test_closed_pits_are_passed_by() -> None:
    position = Position("mangala:pits=3", ((0, 3, 2), (2, 1, 1)), (7, 8), 0, closed=[(0, 0)])
    assert values_found(solve(position)) == values_of(position)


@pytest.mark.parametrize(
    "spec",
    [
        "kalah:pits=3,stones=3",
        "mangala_official:pits=3,stones=2",
        "kalah:pits=2,stones=4",
        "kalah:pits=3,stones=3,leftovers=unscored",  # values of either parity
        "kalah:pits=3,stones=2,leftovers=unscored,capture=false",
        "custom:pits=3,stones=2,leftovers=unscored,first_stone=origin,even_capture=true",
    ],
)
def test_both_engines_agree(spec: str) -> None:
    rules = variant(spec)
    for position in random_positions(spec, 12, plies=3):
        packed = PackedEngine(rules, rules.total, MIB)
        expected = RowEngine(rules, MIB).value(position, -3)
        assert [packed.value(position, guess) for guess in (3, -5, 5)] == [expected] * 3, position


def test_a_database_of_any_size_changes_no_value(tmp_path: Path) -> None:
    rules = variant("kalah:pits=3,stones=2")
    expected = solve(rules.start(), database=0).values
    for stones in (1, 5, 9, 12, 14):
        assert solve(rules.start(), database=stones).values == expected
    path = tmp_path / "small.db"
    build_database(rules, 8, path)
    for database in (path, str(path), open_database(path)):
        assert solve(rules.start(), database=database).values == expected


def test_a_swap_turns_the_margin_round() -> None:
    # Seat 0 has to make the best of a position in which the other then takes the better side.
    solution = solve(variant("kalah:pits=3,stones=2,pie=true").start())
    plain = solve(variant("kalah:pits=3,stones=2").start())
    assert plain.value == 4 and solution.value == 0
    after = solution.position.play(0)
    assert after.pie == after.to_move == 1
    values = solve(after).values
    assert values is not None and values[3] == -max(v for v in values[:3] if v is not None)


@pytest.mark.parametrize(
    "spec", ["kalah:pits=3,stones=2", "mangala_official:pits=3,stones=2", "japanese:pits=3,stones=2"]
)
def test_values_are_symmetric_in_the_seats(spec: str) -> None:
    database = None if "japanese" in spec else build_database(spec, 12)
    for position in random_positions(spec, 8, plies=5):
        turned = position.pits[::-1], position.stores[::-1], 1 - (position.to_move or 0)
        mirrored = Position(position.rules, *turned, places=position.places[::-1])
        assert solve(position).values == solve(mirrored).values
        if database is not None:
            assert database.value(position) == database.value(mirrored) == solve(position).value


def test_a_chain_of_extra_turns_is_found() -> None:
    """Only a move that ends in the store five times over wins; see the same position in test_alphabeta."""
    rules = variant("kalah:pits=3,stones=4")
    for seat in (0, 1):
        rows, stores = [(3, 2, 1), (0, 0, 5)], [8, 5]
        position = Position(rules, rows[:: -1 if seat else 1], stores[:: -1 if seat else 1], seat)
        expected = values_of(position)
        for stones in (0, 5, 11):
            assert values_found(solve(position, database=stones)) == expected
        turns = 0
        while position.to_move == seat:
            position, turns = position.play(solve(position, moves=False).best_moves[0]), turns + 1
        assert turns >= 5 and position.stores[seat] > position.stores[1 - seat]


@pytest.mark.parametrize("stones", [1, 2, 3, 4, *(pytest.param(n, marks=pytest.mark.slow) for n in (5, 6))])
def test_the_first_player_wins_the_race_of_three_pits(stones: int) -> None:
    assert solve(variant(f"japanese:pits=3,stones={stones}").start(), moves=False).value > 0


@pytest.mark.parametrize("spec", ["kalah:pits=3,stones=3", "japanese:pits=3,stones=2"])
def test_an_interrupted_search_finds_the_same(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = solve(variant(spec).start(), database=0)
    monkeypatch.setattr(engine, "UNINTERRUPTED", 3)
    monkeypatch.setattr(engine, "_PLIES", 2)  # the arrays have to grow
    told: list[tuple[int, int, int]] = []
    pieces = solve(variant(spec).start(), database=0, progress=lambda *facts: told.append(facts))
    assert (pieces.value, pieces.values, pieces.nodes) == (whole.value, whole.values, whole.nodes)
    assert len(told) >= whole.nodes // 3
    assert [nodes for nodes, _, _ in told] == sorted(nodes for nodes, _, _ in told)
    assert all(low <= high for _, low, high in told)


def test_the_smallest_table_finds_the_same_and_less_is_refused() -> None:
    position = variant("kalah:pits=3,stones=3").start()
    expected = solve(position, database=0)
    small = solve(position, database=0, memory=32)
    assert small.values == expected.values and small.nodes > expected.nodes
    with pytest.raises(BadInputError, match="memory=31 bytes: the table of this position takes at least 32 bytes"):
        solve(position, database=0, memory=31)
    with pytest.raises(BadInputError, match="memory=3 bytes"):
        solve(variant("japanese:pits=2,stones=1").start(), memory=3)


@pytest.mark.parametrize("memory", [32, 1000, 10**6, 10**7])
def test_the_table_keeps_within_its_memory(memory: int) -> None:
    table, k = make_table(10**12, memory) if memory > 100 else make_table(1000, memory)
    assert memory / 4 < table.nbytes <= memory
    while entries_in_use(k) < len(table):
        before = entries_in_use(k)
        grow(table, k)
        assert before < entries_in_use(k) <= 4 * before
    grow(table, k)
    assert entries_in_use(k) == len(table)


def test_a_table_that_grows_forgets_nothing() -> None:
    table, k = make_table(10**9, 1 << 23)
    rng = np.random.default_rng(0)
    assert entries_in_use(k) < len(table)
    told = {int(number): int(number) % 14 for number in rng.integers(0, 10**9, entries_in_use(k) // 4)}
    for number, move in told.items():
        remember(spread(number, k), 1, 2, move, 5, 0, 1, table, k)
    held = [number for number in told if find(spread(number, k), table, k)]
    while entries_in_use(k) < len(table):
        grow(table, k)
    assert [number for number in told if find(spread(number, k), table, k)] == held
    assert all((int(find(spread(number, k), table, k)) >> 16 & 15) - 1 == told[number] for number in held)
    assert np.count_nonzero(table) == len(held) > 0.95 * len(told)


def test_the_table_gives_back_what_it_was_told_and_never_anything_of_another_position() -> None:
    positions = 5000
    table, k = make_table(positions, 4096)
    rng = np.random.default_rng(0)
    told: dict[int, tuple[int, int, int]] = {}
    for number in rng.permutation(positions).tolist():
        low = int(rng.integers(0, 100))
        told[number] = low, int(rng.integers(low, 100)), int(rng.integers(0, 14))
        remember(spread(number, k), *told[number], int(rng.integers(1, 1000)), 0, 1, table, k)
    found = 0
    for number, (low, high, move) in told.items():
        entry = int(find(spread(number, k), table, k))
        if entry:
            assert (entry >> 8 & 255, entry & 255, (entry >> 16 & 15) - 1) == (low, high, move)
            found += 1
    assert 0.9 * len(table) < found <= len(table)


def test_memory_holds_the_database_and_the_table(tmp_path: Path) -> None:
    position = variant("kalah:pits=3,stones=3").start()
    expected = solve(position, database=0).values
    built, path, table = build_database("kalah:pits=3", 12), tmp_path / "small.db", 32  # bytes of the smallest
    build_database("kalah:pits=3", 12, path)
    for database, needed in ((built, len(built) + table), (12, memory_needed(built.header)), (path, table)):
        supply._kept.clear()
        with pytest.raises(BadInputError, match=f"of 12 stones and the table of positions take at least {needed} "):
            solve(position, database=database, memory=needed - 1)
        assert not supply._kept
        assert solve(position, database=database, memory=needed).values == expected


def test_it_says_what_it_needs_before_it_builds_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supply, "build_database", None)
    supply._kept.clear()
    with pytest.raises(BadInputError, match=r"database of 18 stones .* take at least 8\d MiB;"):
        solve(variant("kalah").start(), database=18, memory=50 * MIB)


def test_numbers_may_be_those_of_numpy() -> None:
    position = variant("kalah:pits=3,stones=2").start()
    expected = solve(position)
    found = solve(position, database=np.int64(5), memory=np.int64(MIB), threads=np.int64(1))
    assert (found.values, found.best_moves) == (expected.values, expected.best_moves)
    agent = Perfect(position.rules, database=np.int64(5), memory=np.int64(MIB))
    assert choose(agent, position) == expected.best_moves[0]


@pytest.mark.parametrize(
    "memory, needed, words",
    [
        (31, 32, "memory=31 bytes: it takes at least 32 bytes; allow that much"),
        (MIB, MIB + 1, "memory=1 MiB: it takes at least 2 MiB; allow that much"),
        (5 * MIB, 7 * MIB, "memory=5 MiB: it takes at least 7 MiB; allow that much"),
        (7 * MIB - 1, 7 * MIB, "memory=7340031 bytes: it takes at least 7340032 bytes; allow that much"),
        (0, 24, "memory=0 bytes: it takes at least 24 bytes; allow that much"),
    ],
)
def test_memory_is_spoken_of_in_the_unit_in_which_it_was_given(memory: int, needed: int, words: str) -> None:
    with pytest.raises(BadInputError) as caught:
        check_enough(memory, needed, "it takes")
    assert str(caught.value) == words
    check_enough(needed, needed, "it takes")


@pytest.mark.parametrize("memory", [1 << 16, 1 << 20, 1 << 23])
def test_no_more_memory_is_taken_than_allowed(memory: int) -> None:
    position = Position.parse("2,3,0,1,4,2+12/3,0,2,4,1,2+12 0", "kalah")
    solve(position)  # compiled by now
    supply._kept.clear()
    tracemalloc.start()
    solve(position, moves=False, memory=memory)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    held = sum(database.held for database in supply._kept.values())
    assert 0 <= held <= memory // 2
    assert peak < memory + 300_000  # frames, rules and the numbers of positions


def test_a_kept_database_that_memory_has_no_room_for_is_not_used() -> None:
    position = variant("kalah:pits=3,stones=3").start()
    supply._kept.clear()
    expected = solve(position).values
    (kept,) = supply._kept.values()
    assert solve(position, memory=kept.held).values == expected
    (smaller,) = supply._kept.values()
    assert smaller.stones < kept.stones and smaller.held <= kept.held // 2


def test_close_in_asks_only_what_it_must() -> None:
    for value in range(-6, 7, 2):
        for guess in range(-9, 10):
            asked: list[int] = []

            def ask(alpha: int, low: int, high: int, value: int = value, asked: list[int] = asked) -> int:
                assert low <= alpha < high
                asked.append(alpha)
                return value  # as sharp as can be

            assert close_in(-6, 6, guess, 2, ask) == value
            assert len(asked) <= 2


def test_what_was_built_is_kept_for_the_next_call(monkeypatch: pytest.MonkeyPatch) -> None:
    position = variant("kalah:pits=3,stones=2").start()
    solve(position)
    monkeypatch.setattr(supply, "build_database", None)
    solve(position)
    solve(variant("kalah:pits=3,stones=1").start())


@pytest.mark.parametrize(
    "spec, text, options, words",
    [
        ("kalah", "0,0,0,0,0,0+24/0,0,0,0,0,0+24 -", {}, "the game is over"),
        ("japanese:players=3", None, {}, "two players"),
        ("oware", None, {}, "need not end"),
        ("oware:repetition=0", None, {}, "need not end"),
        ("toguz_korgool", None, {}, "repetition=3"),
        ("toguz_korgool:repetition=false", None, {}, "for ever"),
        ("kalah:pits=3", None, {"database": 100}, "from 0 to 80"),
        ("kalah:pits=3", None, {"database": -1}, "from 0 to 80"),
        ("kalah:pits=3", None, {"database": "nothing.db"}, "nothing.db"),
        ("japanese:pits=2,resign=true", None, {"database": "nothing.db"}, "no help"),
        ("kalah:pits=3", None, {"memory": 0}, "memory=0"),
        ("kalah:pits=3", None, {"memory": 2.5e8}, "memory=250000000.0: expected a whole number"),
        ("kalah:pits=3", None, {"threads": 0}, "threads=0"),
    ],
)
def test_what_cannot_be_solved_is_refused(spec: str, text: str | None, options: dict[str, object], words: str) -> None:
    supply._kept.clear()
    position = variant(spec).start() if text is None else Position.parse(text, spec)
    with pytest.raises(BadInputError, match=words) as caught:
        solve(position, **options)
    assert "\n" not in str(caught.value)


def test_a_database_for_other_rules_is_refused() -> None:
    database = build_database("kalah:pits=3", 3)
    with pytest.raises(BadInputError, match="not for mangala:pits=3"):
        solve(variant("mangala:pits=3").start(), database=database)


# Kalah with six pits and four stones in each

POSITIONS = [json.loads(line) for line in (reference.DATA / "positions_kalah64.jsonl").read_text("utf-8").splitlines()]


def check_positions(least: int, most: int, database: int) -> int:
    """Compare positions of so many stones in the pits with their values; how many there were."""
    checked = 0
    for facts in POSITIONS:
        if least <= sum(map(sum, facts["pits"])) <= most:
            position = Position(facts["variant"], facts["pits"], facts["stores"], facts["to_move"])
            solution = solve(position, database=database)
            assert (solution.value, list(solution.values or ())) == (facts["value"], facts["move_values"]), facts
            checked += 1
    return checked


def test_late_positions_of_kalah_are_as_others_found_them() -> None:
    assert check_positions(0, 9, 3) > 0 if PLAIN_PYTHON else check_positions(0, 26, 10) > 50


@pytest.mark.slow
@pytest.mark.skipif(PLAIN_PYTHON, reason="takes days")
def test_all_positions_of_kalah_are_as_others_found_them() -> None:
    assert check_positions(27, 48, 16) > 50


@pytest.mark.slow
@pytest.mark.skipif(PLAIN_PYTHON, reason="takes days")
@pytest.mark.parametrize(
    "spec, values", [("kalah", (-14, -10, 8, -2, -8, 4)), ("kalah:empty_capture=true", (-14, -8, 10, -2, -6, 4))]
)
def test_kalah_is_won_by_eight_and_with_empty_capture_by_ten(spec: str, values: tuple[int, ...]) -> None:
    solution = solve(variant(spec).start(), database=18)
    assert solution.value == max(values)
    assert solution.values == values
    assert solution.best_moves == (2,)


def test_what_is_no_position_is_refused() -> None:
    with pytest.raises(BadInputError, match=r"solve 'kalah': expected a Position, as variant\('kalah'\)"):
        solve("kalah")


LINED = (
    "kalah:pits=3,stones=2",
    "kalah:pits=4,stones=2,empty_capture=true",
    "kalah:pits=3,stones=3,pie=true",
    "mangala:pits=3,stones=3",
    "japanese:pits=2,stones=2,resign=true",
    "oware:pits=2,stones=2",
    "oware:pits=3,stones=1,stop_when_decided=true",
)


@pytest.mark.parametrize("spec", LINED)
def test_lines_lose_nothing_and_go_to_the_end_or_round(spec: str) -> None:
    for position in random_positions(spec, 4, plies=6):
        solution = solve(position, lines=True)
        plain = solve(position)
        assert (solution.value, solution.values, solution.best_moves) == (plain.value, plain.values, plain.best_moves)
        assert solution.lines is not None and plain.lines is None is plain.principal_variation
        assert solution.principal_variation == solution.lines[solution.best_moves[0]]
        for move, line in enumerate(solution.lines):
            assert line[:1] == ((move,) if move in position.legal_moves else ())
            if line:
                check_line_of(solution, line)


def test_lines_go_to_the_last_ply_where_only_that_ends_a_game() -> None:
    spec = "custom:pits=3,stones=1,sow_stores=none,extra_turn=none,capture=none,max_plies=30"
    for position in random_positions(spec, 4, plies=6):
        solution, seat = solve(position, lines=True), position.to_move or 0
        came_back = False
        for move, line in zip(position.legal_moves, filter(None, solution.lines or ()), strict=True):
            seen, end = set[Position](), position
            for step in line:
                came_back |= end in seen
                seen.add(end)
                end = end.play(step)
            assert end.is_over and end.scores[seat] - end.scores[1 - seat] == (solution.values or ())[move]
        assert came_back


def check_line_of(solution: Solution, line: tuple[int, ...]) -> None:
    position, seen = solution.position, list[Position]()
    seat, value = position.to_move, (solution.values or ())[line[0]]
    for move in line:
        seen.append(position)
        if len(seen) > 1:
            at = solve(position)
            assert move in at.best_moves
            assert at.value == (value if position.to_move == seat else -(value or 0))
        position = position.play(move)
    assert position.is_over or position in seen


def test_lines_come_with_the_values_of_all_moves() -> None:
    start = variant("kalah:pits=3,stones=2").start()
    assert solve(start, moves=False, lines=True).values == solve(start).values
    assert solve(start, moves=False).principal_variation is None
