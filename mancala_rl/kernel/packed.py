"""A two-row board in two integers: the stones of a row in fields of equal width, sown by adding rows of a table.

Pit i of a row is the field of `BITS` bits that begins at bit i*BITS. `own` is the row of the player to move, `opp` the
other one; the stores are left out, since nothing but the margin at the end depends on them. All numbers are signed and
of 64 bits, rows of 62 at most.

The rules are an `int64` array `q`: the header below, then the ENTRY numbers named below for every pit and every number
of stones in it. They say what a move does without asking where its last stone falls, and most of it without a branch.
"""

import numpy as np

from mancala_rl.kernel.compile import kernel, rare_kernel
from mancala_rl.kernel.layout import (
    CAPTURE,
    CELLS,
    EMPTY_CAPTURE,
    END_CHECK,
    END_ON_TURN,
    EVEN_CAPTURE,
    LANDER_STAYS,
    LEFTOVERS,
    PIE,
    PITS,
    TO_EMPTIER,
    UNSCORED,
)
from mancala_rl.kernel.moves import gives_extra_turn
from mancala_rl.kernel.sowing import sow_lap

Q_PITS = 0
Q_BITS = 1  # width of a field
Q_FIELD = 2  # a field full of ones
Q_ONES = 3  # a one in every field: a row times this holds the stones of pits 0..i in field i
Q_TOP = 4  # where the field of the last pit begins
Q_MOST = 5  # stones that a pit may hold
Q_JOINS = 6  # whether the stone that captures goes into the store with its prey
Q_EMPTY = 7  # whether it goes there where there is no prey
Q_EVEN = 8  # whether even pits of the opponent are captured
Q_ON_TURN = 9  # whether only an empty row of the player to move ends the game
Q_LEFTOVERS = 10
Q_ENTRIES = 16  # the entries begin here

OWN_CHANGE, OPP_CHANGE = 0, 1  # what sowing adds to the rows
SOWN = 2  # stones that fall into the own store, less those that fall into the other
AGAIN = 3  # whether the mover moves again
LANDING, ACROSS = 4, 5  # where the pit of the last stone begins in the own row, and the one it captures in the other
PAIRED = 6  # where the pit of the last stone begins in the row of the opponent
ENTRY = 8

ROW_BITS = 62
NOWHERE = 62  # where no row has a stone: a last stone that captures nothing


@rare_kernel
def fill_packed(q, S, bits, most, r):  # type: ignore[no-untyped-def]
    """Write header and entries for pits of at most `most` stones into `q: int64[Q_ENTRIES + m * (most + 1) * ENTRY]`.

    `S: int16[1, L]` is scratch. The stones fall as `sow_lap` lets them.
    """
    pits = r[PITS]
    q[Q_PITS], q[Q_BITS], q[Q_FIELD], q[Q_TOP], q[Q_MOST] = pits, bits, (1 << bits) - 1, bits * (pits - 1), most
    ones = 0
    for i in range(pits):
        ones |= 1 << i * bits
    q[Q_ONES] = ones
    q[Q_JOINS], q[Q_EMPTY], q[Q_EVEN] = 1 - r[LANDER_STAYS], r[EMPTY_CAPTURE], r[EVEN_CAPTURE]
    q[Q_ON_TURN], q[Q_LEFTOVERS] = r[END_CHECK] == END_ON_TURN, r[LEFTOVERS]
    for pit in range(pits):
        for stones in range(most + 1):
            for cell in range(S.shape[1]):
                S[0, cell] = 0
            S[0, pit] = stones
            fill_entry(q, Q_ENTRIES + (pit * (most + 1) + stones) * ENTRY, S, pit, r)


@rare_kernel
def fill_entry(q, at, S, pit, r):  # type: ignore[no-untyped-def]
    """Sow a pit of the board in row 0 of S, empty but for it, and write its entry."""
    pits, bits = r[PITS], int(q[Q_BITS])
    q[at + OWN_CHANGE] = -(int(S[0, pit]) << pit * bits)
    last = sow_lap(S, 0, 0, pit, r)
    q[at + OWN_CHANGE] += packed_row(S, 0, 0, q)
    q[at + OPP_CHANGE] = packed_row(S, 0, 1, q)
    q[at + SOWN] = int(S[0, pits]) - int(S[0, 2 * pits + 1])
    q[at + AGAIN] = gives_extra_turn(0, last, r)
    q[at + LANDING], q[at + ACROSS], q[at + PAIRED] = NOWHERE, 0, NOWHERE
    if r[CAPTURE] and last < pits:
        q[at + LANDING], q[at + ACROSS] = last * bits, (pits - 1 - last) * bits
    if r[EVEN_CAPTURE] and pits < last < 2 * pits + 1:
        q[at + PAIRED] = (last - pits - 1) * bits


@kernel
def packed_row(S, g, player, q):  # type: ignore[no-untyped-def]
    """Return the row of a player in game g, none of whose cells is closed."""
    row, first = 0, player * (int(q[Q_PITS]) + 1)
    for i in range(int(q[Q_PITS])):
        row |= int(S[g, np.uintp(first + i)]) << i * int(q[Q_BITS])
    return row


@kernel
def can_pack(S, g, r):  # type: ignore[no-untyped-def]
    """Return whether game g fits the packed board of its rules: no cell is closed, and nobody may swap sides."""
    return S[g, r[CELLS] + PIE] == 0 and not has_closed(S, g, r)


@kernel
def has_closed(S, g, r):  # type: ignore[no-untyped-def]
    """Return whether a cell of game g is closed or lifted off the board."""
    closed = False
    for cell in range(r[CELLS]):
        closed |= S[g, np.uintp(cell)] < 0
    return closed


@kernel
def packed_stones(row, q):  # type: ignore[no-untyped-def]
    """Return the stones of a row."""
    return row * int(q[Q_ONES]) >> int(q[Q_TOP]) & int(q[Q_FIELD])


@kernel
def packed_pit(row, pit, q):  # type: ignore[no-untyped-def]
    """Return the stones of a pit."""
    return row >> pit * int(q[Q_BITS]) & int(q[Q_FIELD])


@kernel
def filled_pits(row, q):  # type: ignore[no-untyped-def]
    """Return which pits of a row hold stones, as a bit set."""
    bits, field = 0, int(q[Q_FIELD])
    for i in range(int(q[Q_PITS])):
        bits |= int((row >> i * int(q[Q_BITS]) & field) > 0) << i
    return bits


@kernel
def leftovers(own, opp, q):  # type: ignore[no-untyped-def]
    """Return what the player of row `own` gains over the other when the game ends and the rest is shared out (K9)."""
    if q[Q_LEFTOVERS] == UNSCORED:
        return 0
    if q[Q_LEFTOVERS] == TO_EMPTIER and own != 0:
        return -(packed_stones(own, q) + packed_stones(opp, q))
    if q[Q_LEFTOVERS] == TO_EMPTIER:
        return packed_stones(opp, q)
    return packed_stones(own, q) - packed_stones(opp, q)


@kernel
def play_packed(own, opp, pit, q):  # type: ignore[no-untyped-def]
    """Play a pit that is not empty.

    Returns:
        Both rows, the mover's first whoever moves next; by how many stones the move raises the mover's margin, what is
        left at the end of the game included; whether the mover moves again; whether the game is over. The rows still
        hold what is left.
    """
    field = int(q[Q_FIELD])
    at = Q_ENTRIES + (pit * (int(q[Q_MOST]) + 1) + packed_pit(own, pit, q)) * ENTRY
    own += int(q[np.uintp(at + OWN_CHANGE)])
    opp += int(q[np.uintp(at + OPP_CHANGE)])
    gain = int(q[np.uintp(at + SOWN)])
    again = q[np.uintp(at + AGAIN)] != 0
    # K6, as a product: whether the last stone captures is hard to foresee.
    landing, across = int(q[np.uintp(at + LANDING)]), int(q[np.uintp(at + ACROSS)])
    captures = int(own >> landing & field == 1)
    taken = (opp >> across & field) * captures
    lander = captures & (int(q[Q_JOINS]) if taken else int(q[Q_EMPTY]))
    opp -= taken << across
    own -= lander << landing
    gain += taken + lander
    if q[Q_EVEN]:  # M8
        there = int(q[np.uintp(at + PAIRED)])
        taken = opp >> there & field
        taken *= 1 - (taken & 1)
        opp -= taken << there
        gain += taken
    if q[Q_ON_TURN]:
        over = (own if again else opp) == 0
    else:
        over = own == 0 or opp == 0
    if over:
        gain += leftovers(own, opp, q)
    return own, opp, gain, again, over


@kernel
def make_room(C, ply, count, order, by, fields):  # type: ignore[no-untyped-def]
    """Return the place of a move of this order among the `count` moves of a ply; the ones behind it move on.

    They stand in rows of `C: int64[plies, m, fields]`, and what has more in field `by` stands before.
    """
    at = count
    while at > 0 and C[ply, at - 1, by] < order:
        for i in range(fields):
            C[ply, at, i] = C[ply, at - 1, i]
        at -= 1
    C[ply, at, by] = order
    return at
