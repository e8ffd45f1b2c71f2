"""Which rules the packed board plays, and the array by which it knows them; see `mancala_rl.kernel.packed`."""

import numpy as np
from numpy.typing import NDArray

from mancala_rl.kernel.layout import SPECIAL
from mancala_rl.kernel.packed import ENTRY, Q_ENTRIES, ROW_BITS, fill_packed
from mancala_rl.rules.record import Rules

MOST_ENTRIES = 1 << 13  # half a mebibyte; more would only wait for memory


def packs(rules: Rules, stones: int) -> bool:
    """Return whether moves of boards with so many stones in the pits are those of the packed board.

    It knows nothing of an early end by majority, of swapping and of giving up.
    """
    if rules.players != 2 or rules.array[SPECIAL] or rules.pits * stones.bit_length() > ROW_BITS:
        return False
    return rules.pits * (stones + 1) <= MOST_ENTRIES


def packed_rules(rules: Rules, stones: int) -> NDArray[np.int64]:
    """Return the array `q` for boards with at most so many stones in the pits, which `packs` has to allow."""
    q = np.zeros(Q_ENTRIES + rules.pits * (stones + 1) * ENTRY, np.int64)
    fill_packed(q, np.zeros((1, rules.row_length), np.int16), max(1, stones.bit_length()), stones, rules.array)
    return q
