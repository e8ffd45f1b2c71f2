"""The keys of the transposition table, and what its entries say."""

from __future__ import annotations

import numpy as np
import pytest

from mancala_rl import Position, Rules, variant
from mancala_rl.search.frame import BEST, FIELDS, HIGH, KEY, KEY2, LOW, MOVE
from mancala_rl.search.table import entry_move, find, key_weights, remember, set_keys, settles
from tests.search.plain import random_positions

EXACT_SPECS = ("kalah", "kalah:stones=6", "kalah:pits=1,stones=1", "kalah:pits=4,stones=4,pie=true")
HASHED_SPECS = ("kalah:pits=12,stones=6,pie=true", "kalah:pits=60,stones=4", "kalah:pits=6,stones=2000")


def keys_of(position: Position) -> tuple[int, int]:
    rules = position.rules
    frames = np.zeros((1, FIELDS), np.int64)
    set_keys(position.row[None], frames, 0, key_weights(rules), rules.array)
    return int(frames[0, KEY]), int(frames[0, KEY2])


@pytest.mark.parametrize("spec", EXACT_SPECS + HASHED_SPECS)
def test_positions_share_their_keys_exactly_when_they_are_equal(spec: str) -> None:
    by_keys: dict[tuple[int, int], Position] = {}
    positions = random_positions(spec, 2000, plies=40)
    for position in positions:
        assert by_keys.setdefault(keys_of(position), position) == position
    assert len(by_keys) == len(set(positions))


@pytest.mark.parametrize("spec", EXACT_SPECS)
def test_the_keys_of_small_boards_are_the_position_itself(spec: str) -> None:
    """Every cell has bits of its own in one of the keys, so there is nothing that could collide."""
    rules = variant(spec)
    weights = key_weights(rules)
    width = (rules.total + 1).bit_length()
    used = [0, 0]
    for cell in range(rules.num_cells):
        (lane,) = np.flatnonzero(weights[:, cell])
        bits = ((1 << width) - 1) * int(weights[lane, cell])
        assert used[lane] & bits == 0
        used[lane] |= bits
    assert max(used) < 1 << 60  # the two bits above are the mover's and the pie flag's


@pytest.mark.parametrize("spec", EXACT_SPECS + HASHED_SPECS)
def test_the_seat_to_move_and_the_right_to_swap_are_in_the_keys(spec: str) -> None:
    rules = variant(spec)
    pits, stores = rules.start().pits, rules.start().stores
    same_board = [Position(rules, pits, stores, seat) for seat in (0, 1)]
    if rules.pie:
        same_board += [Position(rules, pits, stores, 1, pie=1), Position(rules, pits, stores, 0, pie=0)]
    assert len({keys_of(position) for position in same_board}) == len(same_board)


def test_keys_and_weights_stay_within_62_bits() -> None:
    for rules in (variant(HASHED_SPECS[0]), variant(HASHED_SPECS[2]), Rules("long", pits=60, stones=273)):
        assert key_weights(rules).min() >= 0
        assert key_weights(rules).max() < 1 << 62
        assert all(0 <= key < 1 << 62 for key in keys_of(rules.start()))


@pytest.mark.parametrize(
    "value, low, high, kind",
    [
        (5, 0, 10, "exact"),
        (12, 0, 10, "at least"),
        (10, 0, 10, "at least"),
        (0, 0, 10, "at most"),
        (-9, 0, 10, "at most"),
    ],
)
def test_an_entry_settles_only_what_it_proves(value: int, low: int, high: int, kind: str) -> None:
    frames, table = np.zeros((1, FIELDS), np.int64), np.zeros((4, 3), np.int64)
    frames[0, [KEY, KEY2, BEST, LOW, HIGH, MOVE]] = 11, 22, value, low, high, 3
    remember(frames, 0, 7, table, 0)
    entry = find(frames, 0, table)
    assert entry_move(entry) == 3
    assert not settles(frames, 0, entry, 6)
    assert not settles(frames, 0, entry, 8)

    def answers(new_low: int, new_high: int) -> bool:
        frames[0, [BEST, LOW, HIGH]] = 99, new_low, new_high
        answered = settles(frames, 0, entry, 7)
        assert frames[0, BEST] == (value if answered else 99)
        return bool(answered)

    assert answers(value - 3, value) == (kind != "at most")  # at least `value` is enough to leave this window upwards
    assert answers(value, value + 3) == (kind != "at least")  # and at most `value` to leave this one downwards
    assert answers(value - 3, value + 3) == (kind == "exact")


def test_another_position_in_the_same_place_is_not_taken_for_it() -> None:
    frames, table = np.zeros((1, FIELDS), np.int64), np.zeros((1, 3), np.int64)
    frames[0, [KEY, KEY2, BEST, LOW, HIGH]] = 11, 22, 5, 0, 10
    remember(frames, 0, 7, table, 0)
    for key, key2 in ((11, 23), (12, 22), (0, 0)):
        frames[0, [KEY, KEY2]] = key, key2
        assert find(frames, 0, table) == 0
    assert entry_move(0) == -1
    assert not settles(frames, 0, 0, 7)
