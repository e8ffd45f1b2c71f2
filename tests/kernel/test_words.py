"""Cells read, written and counted four at a time are those that would be one at a time."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mancala_rl.kernel import kernel
from mancala_rl.kernel.words import at_most, copy_cells, load_word, store_word

CELLS = st.lists(st.integers(-1, 32767), min_size=4, max_size=40)


@kernel
def copied(S, g, cell, T, h, to, count):  # type: ignore[no-untyped-def]
    copy_cells(S, g, cell, T, h, to, count)


@kernel
def counted(S, cell, number):  # type: ignore[no-untyped-def]
    store_word(S, 1, cell, at_most(load_word(S, 0, cell), number))


@given(CELLS, st.data())
def test_a_copy_is_the_cells_and_nothing_else(cells, data):
    source = np.array([cells, cells[::-1]], np.int16)
    count = data.draw(st.integers(0, len(cells)))
    cell = data.draw(st.integers(0, len(cells) - count))
    to = data.draw(st.integers(0, 50 - count))
    target = np.full((3, 50), 77, np.int16)
    expected = target.copy()
    expected[2, to : to + count] = source[1, cell : cell + count]
    copied(source, 1, cell, target, 2, to, count)
    assert (target == expected).all()
    assert (source == [cells, cells[::-1]]).all()


@given(st.lists(st.integers(0, 32767), min_size=4, max_size=40), st.integers(0, 32767), st.data())
def test_every_field_is_compared_by_itself(cells, number, data):
    number = data.draw(st.sampled_from([number, *cells]))
    cell = data.draw(st.integers(0, len(cells) - 4))
    rows = np.array([cells, [-1] * len(cells)], np.int16)
    counted(rows, cell, number)
    expected = np.full(len(cells), -1)
    expected[cell : cell + 4] = np.array(cells[cell : cell + 4]) <= number
    assert (rows == [cells, expected]).all()
