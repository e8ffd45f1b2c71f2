"""Numbers for the positions of a game, in the order in which they are met.

A position is told by its code: cells, mover, the right to swap, places and whether it is over, in one number. `w:
int64[cells, width]` ranks the cells: with c_i the sum of cells 0..i, each one more than it holds (a cell that is closed
or lifted off the board holds -1), the rank is the sum of C(c_i + i, i + 1). `codes: int64[...]` holds the codes by
number, `slots: int32[2^k]` is a hash table of numbers + 1 with open addressing, 0 for an empty slot.
"""

import math

import numpy as np
from numpy.typing import NDArray

from mancala_rl.errors import RunError, TooLargeError
from mancala_rl.kernel import kernel
from mancala_rl.kernel.layout import CELLS, MOVER, OVER, PIE, PLACES, PLAYERS
from mancala_rl.rules import Rules
from mancala_rl.solver.memory import free_memory, in_bytes

_CODE_BITS = 62
_FACTOR = int((math.sqrt(5) - 1) / 2 * (1 << _CODE_BITS)) | 1
_CODE_MASK = (1 << _CODE_BITS) - 1
_FIRST_ROOM = 1 << 16  # positions


class Numbering:
    """Gives the positions of some rules their numbers, 0, 1, 2, ...

    Args:
        rules: for two players, without memory.

    Raises:
        TooLargeError: there are more possible positions than codes.
    """

    def __init__(self, rules: Rules) -> None:
        cells, highest = rules.num_cells, rules.total + rules.num_cells
        if math.comb(highest + cells, cells) * 3**5 >= 1 << _CODE_BITS:
            raise TooLargeError(f"{rules}: too many positions to list; take a smaller board")
        self._rules = rules
        ranks = [[math.comb(before + i, i + 1) for before in range(highest + 1)] for i in range(cells)]
        self._ranks = np.array(ranks, np.int64)
        self._codes = np.zeros(_FIRST_ROOM, np.int64)
        self._slots = np.zeros(2 * _FIRST_ROOM, np.int32)
        self.count = 0

    def of(self, rows: NDArray[np.int16]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the number of every row, int64[B], and which rows are the first of their positions, int64[...].

        Raises:
            RunError: too little memory for more positions.
        """
        while self.count + len(rows) > len(self._codes):
            self._grow()
        numbers, first = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
        arrays = self._codes, self._slots, self._ranks, self._rules.array
        before = self.count
        self.count = int(number_rows(0, len(rows), rows, numbers, first, before, *arrays))
        return numbers, first[: self.count - before]

    def _grow(self) -> None:
        """Make room for twice as many positions."""
        room = 2 * len(self._codes)
        free, needed = free_memory(), (room - self.count) * bytes_each(self._rules)
        if free is not None and needed > free:
            raise RunError(
                f"{self._rules}: listing {room:,} positions needs {in_bytes(needed)} of memory more, "
                f"{in_bytes(free)} are free; take a lower limit or a smaller board"
            )
        self._codes = np.concatenate([self._codes, np.zeros_like(self._codes)])
        self._slots = np.zeros(2 * room, np.int32)
        fill_slots(self.count, self._codes, self._slots)


def bytes_each(rules: Rules) -> int:
    """Return the bytes of memory that a position takes until all have their values; see `mancala_rl.solver.reach`."""
    return 40 + 12 * rules.num_actions


@kernel
def number_rows(lo, hi, rows, numbers, first, count, codes, slots, w, r):  # type: ignore[no-untyped-def]
    """Write the numbers of the rows lo..hi, new ones from `count` on, and which rows are new; return the new count."""
    before = count
    for g in range(lo, hi):
        code = code_of(rows, g, w, r)
        at = slot_of(code, codes, slots)
        if slots[at] == 0:
            codes[count] = code
            first[count - before] = g
            count += 1
            slots[at] = count
        numbers[g] = slots[at] - 1
    return count


@kernel
def fill_slots(count, codes, slots):  # type: ignore[no-untyped-def]
    """Enter the first `count` codes into empty slots."""
    for number in range(count):
        slots[slot_of(int(codes[number]), codes, slots)] = number + 1


@kernel
def slot_of(code, codes, slots):  # type: ignore[no-untyped-def]
    """Return the slot of a code: where its number is, or the empty one where it belongs."""
    mask = len(slots) - 1
    at = (code * _FACTOR & _CODE_MASK) >> 20 & mask
    while slots[at] != 0 and codes[slots[at] - 1] != code:
        at = at + 1 & mask
    return at


@kernel
def code_of(rows, g, w, r):  # type: ignore[no-untyped-def]
    """Return the code of the position in row g."""
    code, before = 0, 0
    for cell in range(r[CELLS]):
        before += int(rows[g, cell]) + 1
        code += int(w[cell, before])
    tail = int(r[CELLS])
    over = int(rows[g, tail + OVER])
    mover = 0 if over else int(rows[g, tail + MOVER])
    code = ((code * 3 + over) * 3 + mover) * 3 + int(rows[g, tail + PIE])
    for player in range(r[PLAYERS]):
        code = code * 3 + int(rows[g, tail + PLACES + player])
    return code
