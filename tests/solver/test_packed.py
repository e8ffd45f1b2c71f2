"""The packed board against the kernel's own `play`, move for move, and the numbers of its positions."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mancala_rl import Rules, variant
from mancala_rl.kernel import legal_bits, margin, play
from mancala_rl.kernel.layout import MOVER, OVER
from mancala_rl.kernel.packed import packed_pit, packed_stones, play_packed
from mancala_rl.solver.packing import Packing, fits, obstacle
from mancala_rl.solver.ranking import fill_rows, layer_size, number_of, positions_up_to, row_count
from mancala_rl.solver.scope import future_hash
from tests.solver.plain import boards, packed_rules, position_with

LAPS = ((13, 0, 1, 0, 0, 14), (0, 2, 0, 3, 0, 27))  # full circles, and more than one


def check_moves(rules: Rules, rows: tuple[tuple[int, ...], ...], seat: int) -> int:
    """Compare every move of a position; how many there were."""
    position = position_with(rules, rows, seat)
    rules = position.rules
    if position.is_over:
        return 0
    packing = Packing(rules, sum(map(sum, rows)))
    own, opp = packing.rows_of(position)
    assert (packed_stones(own, packing.q), packed_stones(opp, packing.q)) == tuple(map(sum, rows))
    bits = legal_bits(position.row[None], 0, rules.array)
    for pit in range(rules.pits):
        assert packed_pit(own, pit, packing.q) == rows[0][pit]
        if bits >> pit & 1:
            check_move(rules, position.row, packing, (own, opp), pit, seat)
    return len(position.legal_moves)


def check_move(rules: Rules, before: np.ndarray, packing: Packing, rows: tuple[int, int], pit: int, seat: int) -> None:
    after = before[None].copy()
    play(after, 0, pit, rules.array)
    change = int(margin(after, 0, rules.array)) - int(margin(before[None], 0, rules.array))
    *packed, gain, again, over = play_packed(*rows, pit, packing.q)
    where = f"pit {pit} of {before} under {rules.to_dict()}"
    assert gain == (-change if seat else change), where
    assert over == (after[0, rules.num_cells + OVER] != 0), where
    if not over:
        cells = after[0, : rules.num_cells].reshape(2, -1)[:, :-1]
        left = [[int(packed_pit(row, i, packing.q)) for i in range(rules.pits)] for row in packed]
        assert left == [cells[seat].tolist(), cells[1 - seat].tolist()], where
        assert again == (after[0, rules.num_cells + MOVER] == seat), where


@given(data=st.data(), rules=packed_rules(st.integers(1, 8)), seat=st.integers(0, 1))
def test_every_move_is_that_of_the_kernel(data: st.DataObject, rules: Rules, seat: int) -> None:
    check_moves(rules, data.draw(boards(rules.pits, 40)), seat)


@given(rules=packed_rules(st.just(6)), seat=st.integers(0, 1))
def test_so_are_moves_of_more_than_a_lap(rules: Rules, seat: int) -> None:
    assert check_moves(rules, LAPS, seat) == 3


@pytest.mark.parametrize("spec", ["kalah", "mangala", "mangala_official", "kalah:stones=6", "kalah:pits=10,stones=3"])
def test_so_are_whole_random_games(spec: str) -> None:
    batch = variant(spec).batch(60)
    batch.random_plies(np.arange(60), np.arange(60))
    rules, moves = batch.rules, 0
    packing = Packing(rules, rules.total)
    for position in batch:
        seat = position.to_move
        if seat is not None:
            for pit in position.legal_moves:
                check_move(rules, position.row, packing, packing.rows_of(position), pit, seat)
                moves += 1
    assert moves > 100


@pytest.mark.parametrize("pits, stones", [(1, 6), (2, 5), (3, 4), (4, 3)])
def test_numbers_have_no_gaps_and_layers_follow_each_other(pits: int, stones: int) -> None:
    packing = Packing(variant(f"kalah:pits={pits}"), stones)
    numbers: dict[int, int] = {}
    for cells in itertools.product(range(stones + 1), repeat=2 * pits):
        if sum(cells) <= stones:
            own, opp = (sum(n << packing.bits * i for i, n in enumerate(row)) for row in (cells[:pits], cells[pits:]))
            number, counted = number_of(own, opp, packing.q, packing.w)
            assert counted == sum(cells)
            numbers[int(number)] = sum(cells)
    assert sorted(numbers) == list(range(positions_up_to(pits, stones)))
    assert [numbers[number] for number in sorted(numbers)] == sorted(numbers.values())
    assert list(numbers.values()).count(stones) == layer_size(pits, stones)


def test_a_move_that_scores_nothing_lowers_the_rank_of_the_row() -> None:
    packing = Packing(variant("kalah"), 5)
    rows = np.zeros(sum(row_count(6, n) for n in range(6)), np.int64)
    fill_rows(rows, 5, packing.q, packing.w)
    place = {int(row): i for i, row in enumerate(rows)}
    assert len(place) == len(rows) == math.comb(11, 5)
    quiet = 0
    for row, pit in itertools.product(place, range(6)):
        if packed_pit(row, pit, packing.q):
            own, opp, gain, _, over = play_packed(row, 1, pit, packing.q)
            if gain == 0 and not over:
                assert opp == 1 and place[int(own)] < place[row]
                quiet += 1
    assert quiet > 500


def test_what_cannot_be_packed_is_known() -> None:
    for spec, field in {
        "oware": "sow_stores",
        "japanese": "sow_stores",
        "japanese:players=3": "players",
        "avalanche": "relay",
        "kalah:stop_when_decided=true": "stop_when_decided",
        "custom:max_plies=9": "max_plies",
        "toguz_korgool": "sow_stores",
    }.items():
        assert f"{obstacle(variant(spec))}".startswith(field)
        assert not fits(variant(spec), 1)
    assert fits(variant("kalah"), 72)
    small = variant("kalah:pits=2")
    assert fits(small, 255) and not fits(small, 256)  # a value takes a byte
    assert fits(small.replace(leftovers="unscored"), 127) and not fits(small.replace(leftovers="unscored"), 128)
    assert fits(variant("kalah:pits=12"), 31) and not fits(variant("kalah:pits=12"), 32)  # a row takes 62 bits
    assert fits(variant("kalah:pits=14"), 15) and not fits(variant("kalah:pits=15"), 1)


def test_only_what_changes_the_rest_of_a_game_changes_the_hash() -> None:
    kalah = future_hash(variant("kalah"))
    for spec in ("kalah:stones=6", "kalah:pie=true", "kalah:start_position=random", "custom"):
        assert future_hash(variant(spec)) == kalah
    for spec in ("kalah:pits=5", "kalah:empty_capture=true", "kalah:leftovers=emptier", "mangala"):
        assert future_hash(variant(spec)) != kalah
