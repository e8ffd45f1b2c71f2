"""Is the margin of seat 0 larger than `alpha`? The exact search on the kernel's rows, for every game that ends.

Row p of `S: int16[plies, L]` is the position p plies below the root and frame p of `F: int64[plies, FIELDS]` what is
known of it. All values are the final margin of seat 0 over seat 1; seat 0 looks for the largest, seat 1 for the
smallest. It is slower than the packed search by a factor of about ten, and it can stop and go on in the same way.

The table is `T: int64[entries, 3]`, a power of two of them: two keys of 62 bits each, which are sums of the numbers of
a row times fixed random weights, and bounds and move. Two positions share both keys with a chance below 2**-120.
"""

from mancala_rl.kernel import copy_row, kernel, legal_bits, margin, play
from mancala_rl.kernel.capture import row_stones
from mancala_rl.kernel.layout import CELLS, GOAL_EMPTY, MOVER, OVER, PIE, PITS, TOTAL
from mancala_rl.solver.frame import BUDGET, DONE, FULL, NODES, PAUSED, PLY
from mancala_rl.solver.lookup import held_margin

ALPHA, SEAT, BEST, MOVE, LOW, HIGH, KEY, KEY2, LEFT, FIRST, TRIED, OPENED = range(12)
FIELDS = 12
KEY_MASK = (1 << 62) - 1
OFFSET = 1 << 18  # makes every value positive
VALUE_BITS = 20
NONE = 1 << 30  # further from 0 than any value


@kernel
def search_rows(S, F, state, T, weights, values, known, step, q, w, r):  # type: ignore[no-untyped-def]
    """Search row 0, or go on where an interrupted search stopped; see `mancala_rl.solver.nullwindow.search`.

    `values`, with step, q and w, is a database of the positions of at most `known` stones in the pits; -1 for none.
    """
    ply, nodes, budget = int(state[PLY]), int(state[NODES]), int(state[BUDGET])
    result = DONE
    while True:
        if not F[ply, OPENED]:
            if nodes >= budget:
                result = PAUSED
                break
            nodes += 1
            open_row(S, F, ply, T, weights, values, known, step, q, w, r)
        if F[ply, LEFT]:
            if ply + 1 == F.shape[0]:
                result = FULL
                break
            move = next_move(F, ply, r)
            copy_row(S, ply, ply + 1)
            play(S, ply + 1, move, r)
            F[ply + 1, ALPHA], F[ply + 1, OPENED] = F[ply, ALPHA], 0
            ply += 1
            continue
        keep_row(F, ply, T)
        if ply == 0:
            break
        ply -= 1
        take_row(F, ply)
    state[PLY], state[NODES] = ply, nodes
    return result


@kernel
def next_move(F, ply, r):  # type: ignore[no-untyped-def]
    """Return the next move of a frame and strike it off: the table's, then the pit next to the store."""
    left, move = int(F[ply, LEFT]), int(F[ply, FIRST])
    if move < 0 or not left >> move & 1:
        move = r[PITS]
        while not left >> move & 1:
            move -= 1
    F[ply, LEFT] = left & ~(1 << move)
    F[ply, TRIED] = move
    return move


@kernel
def open_row(S, F, ply, T, weights, values, known, step, q, w, r):  # type: ignore[no-untyped-def]
    """Answer the question of a frame if that takes no search, else list its moves."""
    alpha = int(F[ply, ALPHA])
    F[ply, OPENED], F[ply, LEFT], F[ply, FIRST], F[ply, MOVE] = 1, 0, -1, -1
    standing = int(margin(S, ply, r))
    F[ply, KEY] = -1
    if S[ply, r[CELLS] + OVER]:
        F[ply, BEST] = standing
        return
    rest = row_stones(S, ply, 0, r) + row_stones(S, ply, 1, r)
    if rest <= known and not S[ply, r[CELLS] + PIE]:
        F[ply, BEST] = held_margin(S, ply, values, step, q, w, r)
        return
    if r[GOAL_EMPTY]:
        low, high = -2 * int(r[TOTAL]), 2 * int(r[TOTAL])
    else:
        low, high = standing - rest, standing + rest
    if low <= alpha < high:
        set_keys(S, F, ply, weights)
        entry = find_row(F, ply, T)
        if entry:
            low, high = (entry >> VALUE_BITS & (1 << VALUE_BITS) - 1) - OFFSET, (entry & (1 << VALUE_BITS) - 1) - OFFSET
            F[ply, FIRST] = F[ply, MOVE] = (entry >> 2 * VALUE_BITS) - 1
    F[ply, LOW], F[ply, HIGH] = low, high
    if low > alpha or high <= alpha:
        F[ply, BEST], F[ply, KEY] = low if low > alpha else high, -1
        return
    seat = int(S[ply, r[CELLS] + MOVER])
    F[ply, SEAT], F[ply, LEFT] = seat, legal_bits(S, ply, r)
    F[ply, BEST] = NONE if seat else -NONE


@kernel
def take_row(F, ply):  # type: ignore[no-untyped-def]
    """Take over what the frame below has found out."""
    value, seat = int(F[ply + 1, BEST]), int(F[ply, SEAT])
    if (value < F[ply, BEST]) if seat else (value > F[ply, BEST]):
        F[ply, BEST], F[ply, MOVE] = value, F[ply, TRIED]
        if (value <= F[ply, ALPHA]) if seat else (value > F[ply, ALPHA]):
            F[ply, LEFT] = 0


@kernel
def set_keys(S, F, ply, weights):  # type: ignore[no-untyped-def]
    """Write the two keys of a row into its frame."""
    for lane in range(2):
        key = 0
        for i in range(S.shape[1]):
            key += int(S[ply, i]) * int(weights[lane, i])
        F[ply, KEY + lane] = key & KEY_MASK


@kernel
def slot_of(F, ply, T):  # type: ignore[no-untyped-def]
    """Return the place of a frame in the table."""
    return (int(F[ply, KEY]) >> 20) & (T.shape[0] - 1)


@kernel
def find_row(F, ply, T):  # type: ignore[no-untyped-def]
    """Return the entry of a frame, 0 for none."""
    i = slot_of(F, ply, T)
    return int(T[i, 2]) if T[i, 0] == F[ply, KEY] and T[i, 1] == F[ply, KEY2] else 0


@kernel
def keep_row(F, ply, T):  # type: ignore[no-untyped-def]
    """Write the answer of a frame into the table, if it is news."""
    if F[ply, KEY] < 0:
        return
    low, high, best = int(F[ply, LOW]), int(F[ply, HIGH]), int(F[ply, BEST])
    if best > F[ply, ALPHA]:
        low = max(low, best)
    else:
        high = min(high, best)
    i = slot_of(F, ply, T)
    T[i, 0], T[i, 1] = F[ply, KEY], F[ply, KEY2]
    T[i, 2] = (int(F[ply, MOVE]) + 1) << 2 * VALUE_BITS | (low + OFFSET) << VALUE_BITS | (high + OFFSET)
