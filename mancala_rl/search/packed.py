"""Random games on packed boards: for rules without special mechanics, four times as fast as on rows.

A side, its pits and then its store, is one int64 of equal fields, pit 0 in the lowest. The seat to move is always
`me`, the other one `you`. A table says what sowing adds to both, so that no stone is sown one by one.
"""

import numpy as np
from numpy.typing import NDArray

from mancala_rl.kernel import kernel, pick_bit
from mancala_rl.kernel.layout import (
    CAPTURE,
    CELLS,
    EMPTY_CAPTURE,
    END_CHECK,
    END_ON_TURN,
    EVEN_CAPTURE,
    LANDER_STAYS,
    LEFTOVERS,
    MOVER,
    PIE,
    PITS,
    SPECIAL,
    STOP_WHEN_DECIDED,
    SWEEP_WHEN_DECIDED,
    TO_EMPTIER,
    TOTAL,
    UNSCORED,
)
from mancala_rl.kernel.sowing import gives_extra_turn, sow_lap
from mancala_rl.rules import Rules

MAX_PLIES = 1000  # some rules let a game go on for ever; then what is in the stores counts
MINE, YOURS, LAST = 0, 1, 2  # the columns of the table: what is added to both sides, and the cell of the last stone


def sowing_table(rules: Rules) -> NDArray[np.int64]:
    """Return what n stones from a pit do, int64[pits, stones + 1, 3]; one entry for rules that cannot be packed."""
    width = field_width(rules.pits)
    if rules.players != 2 or rules.array[SPECIAL] or rules.total >> width:
        return np.zeros((1, 1, 3), np.int64)
    table = np.zeros((rules.pits, rules.total + 1, 3), np.int64)
    fill_table(table, np.zeros((1, rules.row_length), np.int16), width, rules.array)
    return table


@kernel
def field_width(pits):  # type: ignore[no-untyped-def]
    """Return the bits of a field."""
    return 63 // (pits + 1)


@kernel
def fill_table(table, S, width, r):  # type: ignore[no-untyped-def]
    """Sow every number of stones from every pit of an open board; row 0 of S is scratch."""
    for pit in range(table.shape[0]):
        for stones in range(1, table.shape[1]):
            S[0] = 0
            S[0, pit] = stones
            table[pit, stones, LAST] = sow_lap(S, 0, 0, pit, r)
            table[pit, stones, MINE] = packed_side(S, 0, 0, width, r) - (stones << pit * width)
            table[pit, stones, YOURS] = packed_side(S, 0, 1, width, r)


@kernel
def packed_side(S, g, player, width, r):  # type: ignore[no-untyped-def]
    """Return the side of a player, none of whose cells is closed."""
    side, first = 0, player * (r[PITS] + 1)
    for i in range(r[PITS] + 1):
        side |= int(S[g, first + i]) << i * width
    return side


@kernel
def can_pack(S, g, table, r):  # type: ignore[no-untyped-def]
    """Return whether game g can be played on packed sides: the rules fit, no pit is closed and nobody may swap."""
    if table.shape[1] == 1 or S[g, r[CELLS] + PIE]:
        return False
    for cell in range(r[CELLS]):
        if S[g, cell] < 0:
            return False
    return True


@kernel
def pit_stones(side, width, r):  # type: ignore[no-untyped-def]
    """Return the stones in the pits of a side."""
    stones, field = 0, (1 << width) - 1
    for i in range(r[PITS]):
        stones += side >> i * width & field
    return stones


@kernel
def filled_pits(side, width, r):  # type: ignore[no-untyped-def]
    """Return which pits of a side hold stones, as a bit set."""
    bits, field = 0, (1 << width) - 1
    for i in range(r[PITS]):
        bits |= int((side >> i * width & field) > 0) << i
    return bits


@kernel
def random_margin(S, g, seed, until_decided, table, r):  # type: ignore[no-untyped-def]
    """Play game g, which can be packed and is not over, to its end by uniformly random moves; its row stays as it is.

    Returns the stones of seat 0 less those of seat 1. `until_decided` stops at a majority, which leaves the sign.
    """
    width = field_width(r[PITS])
    store = r[PITS] * width
    open_pits = (1 << store) - 1
    player = int(S[g, r[CELLS] + MOVER])
    me, you = packed_side(S, g, player, width, r), packed_side(S, g, 1 - player, width, r)
    for ply in range(MAX_PLIES):
        pit = pick_bit(filled_pits(me, width, r), seed + ply)
        stones = me >> pit * width & (1 << width) - 1
        last = int(table[pit, stones, LAST])
        me += int(table[pit, stones, MINE])
        you += int(table[pit, stones, YOURS])
        me, you = packed_capture(me, you, last, width, r)
        if not gives_extra_turn(0, last, r):
            me, you = you, me
            player = 1 - player
        if not me & open_pits or (not you & open_pits and r[END_CHECK] != END_ON_TURN):
            me, you = packed_leftovers(me, you, width, r)
            break
        if (until_decided or r[STOP_WHEN_DECIDED]) and 2 * max(me >> store, you >> store) > r[TOTAL]:
            if r[SWEEP_WHEN_DECIDED]:
                me, you = me + (pit_stones(me, width, r) << store), you + (pit_stones(you, width, r) << store)
            break
    margin = (me >> store) - (you >> store)
    return -margin if player else margin


@kernel
def packed_capture(me, you, last, width, r):  # type: ignore[no-untyped-def]
    """Return both sides after what the last stone captures; see `mancala_rl.kernel.capture.capture_pits`."""
    pits, field = r[PITS], (1 << width) - 1
    if last < pits:
        at, across = last * width, (pits - 1 - last) * width
        taken = you >> across & field
        if r[CAPTURE] and me >> at & field == 1 and (taken or r[EMPTY_CAPTURE]):
            you -= taken << across
            me += taken << pits * width
            if not (r[LANDER_STAYS] and taken):
                me += (1 << pits * width) - (1 << at)
    elif r[EVEN_CAPTURE] and pits < last < 2 * pits + 1:
        at = (last - pits - 1) * width
        taken = you >> at & field
        if taken % 2 == 0:
            you -= taken << at
            me += taken << pits * width
    return me, you


@kernel
def packed_leftovers(me, you, width, r):  # type: ignore[no-untyped-def]
    """Return both sides with the stones left in the pits in the stores of those who get them.

    See `mancala_rl.kernel.ending.bank_leftovers`.
    """
    if r[LEFTOVERS] == UNSCORED:
        return me, you
    mine, yours = pit_stones(me, width, r), pit_stones(you, width, r)
    if r[LEFTOVERS] == TO_EMPTIER:
        mine, yours = (mine + yours, 0) if mine == 0 else (0, mine + yours)
    return me + (mine << r[PITS] * width), you + (yours << r[PITS] * width)
