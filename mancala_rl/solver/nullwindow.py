"""Is a position worth more than `alpha`? The exact search, on packed boards, without recursion.

Frame p of `F` is the position p plies below the root; see `mancala_rl.solver.frame`. A value is what the player to move
gains over the other until the end of the game. Before any move is searched all are tested: the end of the game, the
endgame database, the stones left, and the table may already answer.

The search can stop at any node and go on later: everything it knows is in its arrays.
"""

from mancala_rl.kernel import kernel
from mancala_rl.kernel.packed import Q_PITS, make_room, packed_pit, play_packed
from mancala_rl.solver.frame import (
    AGAIN,
    ALPHA,
    BEFORE,
    BEST,
    BUDGET,
    C_AGAIN,
    C_CODE,
    C_GAIN,
    C_OPP,
    C_ORDER,
    C_OWN,
    C_PIT,
    C_STONES,
    CHILD,
    CODE,
    COUNT,
    DONE,
    FULL,
    GAIN,
    HIGH,
    KEEP,
    LOW,
    MOVE,
    NEXT,
    NODES,
    OPP,
    OWN,
    PAUSED,
    PIT,
    PLY,
    STONES,
)
from mancala_rl.solver.layers import LOWEST
from mancala_rl.solver.prefetch import prefetch
from mancala_rl.solver.ranking import number_of
from mancala_rl.solver.table import entry_move, find, first_entry, lower_bound, remember, spread, upper_bound

FIRST_OF_ALL = 1 << 40  # the order of a move that the table recommends
EXTRA_TURN_ORDER = 1 << 20


@kernel
def search(F, C, state, T, values, known, step, q, w, k):  # type: ignore[no-untyped-def]
    """Search frame 0, or go on where an interrupted search stopped.

    Args:
        F, C, state: int64 arrays; see `mancala_rl.solver.frame`.
        T, k: the table; see `mancala_rl.solver.table`.
        values, known: an endgame database, uint8[...], and the most stones it covers; 0 for none.
        step: least distance of two values.
        q, w: the rules and the numbers of the positions.

    Returns:
        DONE when the answer stands in frame 0, PAUSED when `state[BUDGET]` nodes have been visited, FULL when `F` and
        `C` need more plies.
    """
    ply, nodes, budget = int(state[PLY]), int(state[NODES]), int(state[BUDGET])
    result = DONE
    while True:
        if F[ply, NEXT] < 0:
            if nodes >= budget:
                result = PAUSED
                break
            nodes += 1
            open_ply(F, C, ply, nodes, T, values, known, step, q, w, k)
        if F[ply, NEXT] < F[ply, COUNT]:
            if ply + 1 == F.shape[0]:
                result = FULL
                break
            descend(F, C, ply)
            ply += 1
            continue
        if F[ply, KEEP]:
            keep(F, ply, nodes, step, T, k)
        if ply == 0:
            break
        ply -= 1
        take_answer(F, ply)
    state[PLY], state[NODES] = ply, nodes
    return result


@kernel
def descend(F, C, ply):  # type: ignore[no-untyped-def]
    """Set the next frame up for the next move of this one."""
    move, below = int(F[ply, NEXT]), ply + 1
    F[ply, NEXT] = move + 1
    gain, again = int(C[ply, move, C_GAIN]), int(C[ply, move, C_AGAIN])
    F[below, OWN], F[below, OPP] = C[ply, move, C_OWN], C[ply, move, C_OPP]
    F[below, STONES], F[below, CODE] = C[ply, move, C_STONES], C[ply, move, C_CODE]
    F[below, GAIN], F[below, AGAIN], F[below, PIT] = gain, again, C[ply, move, C_PIT]
    # gain + value > alpha, or gain - value > alpha: not value > gain - alpha - 1
    F[below, ALPHA] = int(F[ply, ALPHA]) - gain if again else gain - int(F[ply, ALPHA]) - 1
    F[below, NEXT] = -1


@kernel
def take_answer(F, ply):  # type: ignore[no-untyped-def]
    """Take over what the frame below has found out."""
    below = ply + 1
    value = int(F[below, BEST])
    value = int(F[below, GAIN]) + (value if F[below, AGAIN] else -value)
    if value > F[ply, BEST]:
        F[ply, BEST], F[ply, MOVE] = value, F[below, PIT]
        if value > F[ply, ALPHA]:
            F[ply, COUNT] = 0


@kernel
def keep(F, ply, nodes, step, T, k):  # type: ignore[no-untyped-def]
    """Write the answer of a frame into the table."""
    best = int(F[ply, BEST])
    low, high = int(F[ply, LOW]), int(F[ply, HIGH])
    if best > F[ply, ALPHA]:
        low = max(low, best)
    else:
        high = min(high, best)
    spent = nodes - int(F[ply, BEFORE]) + 1
    remember(int(F[ply, CODE]), low, high, int(F[ply, MOVE]), spent, int(F[ply, STONES]), step, T, k)


@kernel
def open_ply(F, C, ply, nodes, T, values, known, step, q, w, k):  # type: ignore[no-untyped-def]
    """Answer the question of a frame if that takes no search, else list the moves to be searched."""
    F[ply, BEFORE] = nodes
    if not is_known(F, ply, step, T, k):
        listed, best, move = list_moves(F, C, ply, T, values, known, q, w, k)
        sift_moves(F, C, ply, listed, best, move, T, values, known, step, k)


@kernel
def is_known(F, ply, step, T, k):  # type: ignore[no-untyped-def]
    """Return whether the table answers the question of a frame; if not, its move is the one to begin with."""
    alpha, stones = int(F[ply, ALPHA]), int(F[ply, STONES])
    entry = find(int(F[ply, CODE]), T, k)
    low = lower_bound(entry, stones, step) if entry else -stones
    high = upper_bound(entry, stones, step) if entry else stones
    known = low > alpha or high <= alpha
    F[ply, LOW], F[ply, HIGH], F[ply, MOVE] = low, high, entry_move(entry)
    F[ply, NEXT] = F[ply, COUNT] = 0
    F[ply, KEEP], F[ply, BEST] = not known, low if low > alpha else high
    return known


@kernel
def list_moves(F, C, ply, T, values, known, q, w, k):  # type: ignore[no-untyped-def]
    """List the moves whose worth is not plain from the board, and ask for what memory holds about each.

    Returns:
        How many there are, 0 if another one answers the question; the best bound by the others, and its move.
    """
    alpha, own, opp = int(F[ply, ALPHA]), int(F[ply, OWN]), int(F[ply, OPP])
    best, move, count = LOWEST, -1, 0
    for pit in range(int(q[Q_PITS]) - 1, -1, -1):  # the pit next to the store first: by far the best order
        if packed_pit(own, pit, q) == 0:
            continue
        mine, other, gain, again, over = play_packed(own, opp, pit, q)
        first, second = (mine, other) if again else (other, mine)
        number, left = number_of(first, second, q, w)
        if over:
            left = 0
        bound = gain - left if gain - left > alpha else gain + left
        if not over and (left <= known or gain - left <= alpha < gain + left):
            C[ply, count, C_OWN], C[ply, count, C_OPP], C[ply, count, C_STONES] = first, second, left
            C[ply, count, C_GAIN], C[ply, count, C_AGAIN], C[ply, count, C_PIT] = gain, again, pit
            C[ply, count, C_CODE] = ask_for(number, left, T, values, known, k)
            count += 1
        elif bound > best:
            best, move = bound, pit
            if best > alpha:
                return 0, best, move
    return count, best, move


@kernel
def ask_for(number, left, T, values, known, k):  # type: ignore[no-untyped-def]
    """Have the byte of a position fetched, or its cluster; return its number in the database or its spread one."""
    if left <= known:
        prefetch(values, number)
        return number
    code = spread(number, k)
    prefetch(T, first_entry(code, k))
    return code


@kernel
def sift_moves(F, C, ply, listed, best, move, T, values, known, step, k):  # type: ignore[no-untyped-def]
    """Keep those of the listed moves that have to be searched, the most promising first; the others set bounds."""
    alpha, table_move, count = int(F[ply, ALPHA]), int(F[ply, MOVE]), 0
    for i in range(listed):
        first, second, left = int(C[ply, i, C_OWN]), int(C[ply, i, C_OPP]), int(C[ply, i, C_STONES])
        gain, again, pit = int(C[ply, i, C_GAIN]), int(C[ply, i, C_AGAIN]), int(C[ply, i, C_PIT])
        code = int(C[ply, i, C_CODE])
        low, high = bounds(code, left, T, values, known, step, k)
        least, most = (gain + low, gain + high) if again else (gain - high, gain - low)
        if least <= alpha < most:
            order = EXTRA_TURN_ORDER + pit if again else gain * 16 + pit
            at = make_room(C, ply, count, FIRST_OF_ALL if pit == table_move else order, C_ORDER, CHILD)
            C[ply, at, C_OWN], C[ply, at, C_OPP], C[ply, at, C_STONES] = first, second, left
            C[ply, at, C_CODE], C[ply, at, C_GAIN], C[ply, at, C_AGAIN], C[ply, at, C_PIT] = code, gain, again, pit
            count += 1
            continue
        bound = least if least > alpha else most
        if bound > best:
            best, move = bound, pit
            if best > alpha:
                count = 0
                break
    F[ply, BEST], F[ply, MOVE], F[ply, COUNT] = best, move, count


@kernel
def bounds(code, stones, T, values, known, step, k):  # type: ignore[no-untyped-def]
    """Return what the database or the table knows of a position's value."""
    if stones <= known:
        value = int(values[code]) * step - stones
        return value, value
    entry = find(code, T, k)
    if not entry:
        return -stones, stones
    return lower_bound(entry, stones, step), upper_bound(entry, stones, step)
