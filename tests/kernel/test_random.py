"""The counter-based randomness: reproducible, uniform, the same compiled and interpreted."""

from __future__ import annotations

import numpy as np
import pytest

from mancala_rl import variant
from mancala_rl.kernel import below, combine, mix, pick_bit, random_games


def plain(function: object) -> object:
    """The Python function behind a kernel, compiled or not."""
    return getattr(function, "py_func", function)


@pytest.mark.parametrize("value", [0, 1, 2, 12345, 2**31 - 1, 2**31, 2**32 - 1])
def test_mixing_stays_in_32_bits_and_is_the_same_in_plain_python(value: int) -> None:
    assert 0 <= mix(value) < 2**32
    assert mix(value) == plain(mix)(value)
    assert combine(value, 7) == plain(combine)(value, 7)
    assert below(10, value) == plain(below)(10, value)
    assert pick_bit(0b1011001, value) == plain(pick_bit)(0b1011001, value)


def test_mixing_gives_different_seeds_to_different_values() -> None:
    assert len({mix(value) for value in range(20000)}) == 20000
    assert len({combine(seed, value) for seed in range(100) for value in range(100)}) > 9990


def test_picking_a_bit_takes_every_set_bit_equally_often_and_no_other() -> None:
    bits = 1 << 0 | 1 << 3 | 1 << 4 | 1 << 59
    picked, counts = np.unique([pick_bit(bits, seed) for seed in range(8000)], return_counts=True)
    assert picked.tolist() == [0, 3, 4, 59]
    assert abs(counts - 2000).max() < 5 * 2000**0.5
    assert pick_bit(0, 1) == -1


def test_below_is_uniform() -> None:
    values, counts = np.unique([below(7, seed) for seed in range(7000)], return_counts=True)
    assert values.tolist() == list(range(7))
    assert abs(counts - 1000).max() < 5 * 1000**0.5


def test_random_games_end_conserve_the_stones_and_are_made_by_their_seeds() -> None:
    rules = variant("kalah")
    batch, again = rules.batch(300), rules.batch(300)
    moves = random_games(batch.rows, np.arange(300), rules.array)
    assert batch.over.all()
    assert moves == batch.ply.sum()
    assert (batch.rows[:, : rules.num_cells].sum(axis=1) == rules.total).all()
    random_games(again.rows, np.arange(300), rules.array)
    assert (again.rows == batch.rows).all()
    assert len({row.tobytes() for row in batch.rows}) > 290
