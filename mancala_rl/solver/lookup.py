"""From the kernel's rows to the numbers and values of a database."""

from mancala_rl.kernel import kernel, margin
from mancala_rl.kernel.layout import CELLS, GOAL_EMPTY, MOVER, PITS, TOTAL
from mancala_rl.kernel.packed import Q_BITS, packed_pit
from mancala_rl.solver.ranking import number_of


@kernel
def pack_row(S, g, player, q, r):  # type: ignore[no-untyped-def]
    """Return the pits of a player on row g in packed form; none may be closed."""
    first, row = player * (r[PITS] + 1), 0
    for i in range(r[PITS]):
        row |= int(S[g, first + i]) << i * int(q[Q_BITS])
    return row


@kernel
def unpack_rows(S, g, own, opp, q, r):  # type: ignore[no-untyped-def]
    """Set row g up with these rows, seat 0 to move and nothing in the stores."""
    for i in range(S.shape[1]):
        S[g, i] = 0
    for i in range(r[PITS]):
        S[g, i] = packed_pit(own, i, q)
        S[g, r[PITS] + 1 + i] = packed_pit(opp, i, q)


@kernel
def row_number(S, g, q, w, r):  # type: ignore[no-untyped-def]
    """Return the number of the position on row g, as the player to move sees it, and the stones in its pits."""
    mover = 0 + int(S[g, r[CELLS] + MOVER])
    return number_of(pack_row(S, g, mover, q, r), pack_row(S, g, 1 - mover, q, r), q, w)


@kernel
def held_margin(S, g, values, step, q, w, r):  # type: ignore[no-untyped-def]
    """Return the final margin of seat 0 on row g, which is not over, by a database that covers it."""
    number, stones = row_number(S, g, q, w, r)
    value = int(values[number]) * step - stones
    if r[GOAL_EMPTY]:  # all stones of the game more for the winner
        value += r[TOTAL] if value > 0 else -r[TOTAL]
    if S[g, r[CELLS] + MOVER]:
        value = -value
    return value if r[GOAL_EMPTY] else value + int(margin(S, g, r))
