"""A two-row board in two integers: the stones of a row in fields of equal width, sown by adding rows of a table.

Pit i of a row is the field of `BITS` bits that begins at bit i*BITS. `own` is the row of the player to move, `opp` the
other one; the stores are left out, since nothing but the margin at the end depends on them. All numbers are signed and
of 64 bits, rows of 62 at most.

The rules are an `int64` array `q`: the header below, then SOWN numbers for every pit and every number of stones in it:
what sowing them adds to the own row and to the opponent's, how many fall into the own store, and where the last falls
(pit i of the own row is i, the store m, pit i of the opponent m + 1 + i).
"""

from mancala_rl.kernel.compile import kernel, rare_kernel
from mancala_rl.kernel.layout import (
    CAPTURE,
    CAPTURE_CROSS,
    EMPTY_CAPTURE,
    END_CHECK,
    END_ON_TURN,
    EVEN_CAPTURE,
    EXTRA_IN_OWN_STORE,
    EXTRA_TURN,
    LANDER_STAYS,
    LEFTOVERS,
    PITS,
    TO_EMPTIER,
    UNSCORED,
)
from mancala_rl.kernel.sowing import sow_lap

Q_PITS = 0
Q_BITS = 1  # width of a field
Q_FIELD = 2  # a field full of ones
Q_ONES = 3  # a one in every field: a row times this holds the stones of pits 0..i in field i
Q_TOP = 4  # where the field of the last pit begins
Q_MOST = 5  # stones that a pit may hold
Q_CROSS, Q_EMPTY, Q_STAYS, Q_EVEN = 6, 7, 8, 9  # captures
Q_EXTRA = 10  # whether a last stone in the own store gives another turn
Q_ON_TURN = 11  # whether only an empty row of the player to move ends the game
Q_LEFTOVERS = 12
Q_SOWN = 16  # the sowing begins here
SOWN = 4

ROW_BITS = 62


@rare_kernel
def fill_packed(q, S, bits, most, r):  # type: ignore[no-untyped-def]
    """Write header and sowing for pits of at most `most` stones into `q: int64[Q_SOWN + m * (most + 1) * SOWN]`.

    `S: int16[1, L]` is scratch. The stones fall as `sow_lap` lets them.
    """
    pits = r[PITS]
    q[Q_PITS], q[Q_BITS], q[Q_FIELD], q[Q_TOP], q[Q_MOST] = pits, bits, (1 << bits) - 1, bits * (pits - 1), most
    ones = 0
    for i in range(pits):
        ones |= 1 << i * bits
    q[Q_ONES] = ones
    q[Q_CROSS], q[Q_EMPTY] = r[CAPTURE] == CAPTURE_CROSS, r[EMPTY_CAPTURE]
    q[Q_STAYS], q[Q_EVEN] = r[LANDER_STAYS], r[EVEN_CAPTURE]
    q[Q_EXTRA], q[Q_ON_TURN] = r[EXTRA_TURN] == EXTRA_IN_OWN_STORE, r[END_CHECK] == END_ON_TURN
    q[Q_LEFTOVERS] = r[LEFTOVERS]
    for pit in range(pits):
        for stones in range(most + 1):
            for cell in range(S.shape[1]):
                S[0, cell] = 0
            S[0, pit] = stones
            at = Q_SOWN + (pit * (most + 1) + stones) * SOWN
            q[at + 3] = sow_lap(S, 0, 0, pit, r)
            own, opp = 0, 0
            for i in range(pits):
                own += int(S[0, i]) << i * bits
                opp += int(S[0, pits + 1 + i]) << i * bits
            q[at] = own - (stones << pit * bits)
            q[at + 1], q[at + 2] = opp, int(S[0, pits])


@kernel
def packed_stones(row, q):  # type: ignore[no-untyped-def]
    """Return the stones of a row."""
    return row * int(q[Q_ONES]) >> int(q[Q_TOP]) & int(q[Q_FIELD])


@kernel
def packed_pit(row, pit, q):  # type: ignore[no-untyped-def]
    """Return the stones of a pit."""
    return row >> pit * int(q[Q_BITS]) & int(q[Q_FIELD])


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
    bits, field, pits = int(q[Q_BITS]), int(q[Q_FIELD]), int(q[Q_PITS])
    at = Q_SOWN + (pit * (int(q[Q_MOST]) + 1) + packed_pit(own, pit, q)) * SOWN
    own += int(q[at])
    opp += int(q[at + 1])
    gain = int(q[at + 2])
    last = int(q[at + 3])
    if last < pits:
        if q[Q_CROSS] and own >> last * bits & field == 1:  # K6
            opposite = (pits - 1 - last) * bits
            taken = opp >> opposite & field
            opp -= taken << opposite
            gain += taken
            if (taken and not q[Q_STAYS]) or (not taken and q[Q_EMPTY]):
                own -= 1 << last * bits
                gain += 1
    elif q[Q_EVEN] and last > pits:  # M8
        there = (last - pits - 1) * bits
        taken = opp >> there & field
        if taken & 1 == 0:
            opp -= taken << there
            gain += taken
    again = q[Q_EXTRA] != 0 and last == pits
    if q[Q_ON_TURN]:
        over = (own if again else opp) == 0
    else:
        over = own == 0 or opp == 0
    if over:
        gain += leftovers(own, opp, q)
    return own, opp, gain, again, over
