"""Filling a layer of an endgame database: the exact values of all positions with the same number of stones in the pits.

`values: uint8[...]` holds one byte a position, in the order of `mancala_rl.solver.ranking`: (v + s) / step, where v is
what the player to move gains over the other until the end of the game, s the stones in the pits, and step the least
distance of two values.

A move either scores, which leads to a layer of fewer stones, or lowers the rank of the own row and leaves the other row
as it is. So the positions with a stones in one row and b = s - a in the other, whoever moves, need nothing else of
their layer, and can be filled in this order: for every rank of a row of a stones first the positions in which that row
is to move, then those in which it is not.
"""

from mancala_rl.kernel import kernel
from mancala_rl.kernel.packed import Q_ON_TURN, Q_PITS, leftovers, packed_pit, play_packed
from mancala_rl.solver.ranking import number_of

LOWEST = -(1 << 40)


@kernel
def value_of(own, opp, values, step, q, w):  # type: ignore[no-untyped-def]
    """Return the value of a position: by what its moves lead to, all of which must be known, or because it is over."""
    if own == 0 or (opp == 0 and not q[Q_ON_TURN]):
        return leftovers(own, opp, q)
    best = LOWEST
    for pit in range(int(q[Q_PITS]) - 1, -1, -1):
        if packed_pit(own, pit, q) == 0:
            continue
        mine, other, gain, again, over = play_packed(own, opp, pit, q)
        value = gain
        if not over:
            first, second = (mine, other) if again else (other, mine)
            number, stones = number_of(first, second, q, w)
            future = int(values[number]) * step - stones
            value += future if again else -future
        best = max(best, value)
    return best


@kernel
def fill_block(stones, less, values, rows, step, q, w):  # type: ignore[no-untyped-def]
    """Fill in the positions of `stones` stones with `less` of them in one row, at most half, whoever moves.

    Args:
        stones, less: which positions.
        values: uint8[...], all layers; those of fewer stones must be complete.
        rows: int64[...], the packed rows in the order of stones, then rank; see `fill_rows`.
        step: least distance of two values.
        q: the rules; see `mancala_rl.kernel.packed`.
        w: the numbers of the positions; see `mancala_rl.solver.ranking`.
    """
    more = stones - less
    few, many = rows_at(less, q, w), rows_at(more, q, w)
    count, others = row_total(less, q, w), row_total(more, q, w)
    base, mirrored = base_of(stones, less, q, w), base_of(stones, more, q, w)
    for rank in range(count):
        row = int(rows[few + rank])
        for turn in range(2):
            # Where both rows hold the same number, (A, B) and (B, A) with a lower rank of B are there already.
            for other in range(rank + turn if less == more else 0, others):
                opposite = int(rows[many + other])
                own, opp = (opposite, row) if turn else (row, opposite)
                value = value_of(own, opp, values, step, q, w)
                at = mirrored + other * count + rank if turn else base + rank * others + other
                values[at] = (value + stones) // step


@kernel
def row_total(stones, q, w):  # type: ignore[no-untyped-def]
    """Return the number of rows of so many stones."""
    return int(w[1 + int(q[Q_PITS]) * int(w[0]) + stones])


@kernel
def rows_at(stones, q, w):  # type: ignore[no-untyped-def]
    """Return where the rows of so many stones begin among all rows."""
    at = 0
    for fewer in range(stones):
        at += row_total(fewer, q, w)
    return at


@kernel
def base_of(stones, own, q, w):  # type: ignore[no-untyped-def]
    """Return the lowest number of a position of `stones` stones with `own` of them in the row of the player to move."""
    return int(w[1 + (int(q[Q_PITS]) + 1 + stones) * int(w[0]) + own])


@kernel
def value_at(own, opp, values, step, q, w):  # type: ignore[no-untyped-def]
    """Return what a position is worth by what its moves lead to, and what the database says."""
    number, stones = number_of(own, opp, q, w)
    return value_of(own, opp, values, step, q, w), int(values[number]) * step - stones
