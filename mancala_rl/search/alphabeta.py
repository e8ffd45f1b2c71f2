"""Alpha-beta on the rows of a game: a search of fixed depth that gives exactly the values of plain minimax.

Row 0 of `S: int16[depth + 1, L]` is the position searched, row p the position p plies below it, and frame p of
`F: int64[depth + 1, FIELDS]` what the search knows about it. There is no recursion: `alphabeta` goes down and up these
two arrays. At the horizon the store margin counts, at the end of a game the final one. `landing` and `history` are for
the order of moves (`mancala_rl.search.order`).

A search within limits (`mancala_rl.search.limited`) has three arguments more: `factors`, what counts at the horizon,
`lines`, which keep the best line behind every move, and `limit`, the number of nodes at which to pause. All are None in
a search of fixed depth, and what they are for is then not in its code.

Most games can be searched on packed boards, which is faster (`mancala_rl.search.packed_alphabeta`).

Every value is the margin of seat 0 over seat 1. Seat 0 looks for the largest, seat 1 for the smallest, whoever moved
before, so an extra turn needs no care. A move is a ply, extra turns included.
"""

from mancala_rl.kernel import copy_row, kernel, legal_bits, play
from mancala_rl.kernel.layout import CELLS, MOVER, OVER, PITS
from mancala_rl.search.frame import (
    ALPHA,
    BEST,
    BETA,
    HIGH,
    HORIZON,
    INFINITY,
    LOW,
    MOVE,
    NODES,
    SEAT,
    TABLE_MOVE,
    TIES,
    TRIED,
)
from mancala_rl.search.heuristic import estimate
from mancala_rl.search.history import credit
from mancala_rl.search.order import rank_moves, take_move
from mancala_rl.search.table import entry_horizon, entry_move, find, is_memoryless, keep, set_keys, settles, uses_table

# In a shallower search neither table nor iterative deepening repays its cost (measured on Kalah(6,4), depths 4 to 20).
DEEPEN_FROM = 8
DEEPEN_BY = 4


@kernel
def open_frame(S, F, ply, low, high, r):  # type: ignore[no-untyped-def]
    """Begin the search of row `ply` within the window."""
    player = int(S[ply, r[CELLS] + MOVER])
    F[ply, SEAT] = player
    F[ply, ALPHA] = F[ply, LOW] = low
    F[ply, BETA] = F[ply, HIGH] = high
    F[ply, BEST] = INFINITY if player else -INFINITY
    F[ply, MOVE] = -1
    F[ply, TIES] = 0
    F[ply, TABLE_MOVE] = -1


@kernel
def update(F, ply, value, slack):  # type: ignore[no-untyped-def]
    """Take the value of the move just tried into frame `ply`; values up to `slack` worse than the best stay exact."""
    best = F[ply, BEST]
    if value > best if F[ply, SEAT] == 0 else value < best:
        F[ply, BEST] = best = value
        F[ply, MOVE] = F[ply, TRIED]
        F[ply, TIES] = 0
    if value == best:
        F[ply, TIES] |= 1 << F[ply, TRIED]
    if F[ply, SEAT] == 0:
        F[ply, ALPHA] = max(F[ply, ALPHA], best - slack)
    else:
        F[ply, BETA] = min(F[ply, BETA], best + slack)


@kernel
def last_ply(S, F, ply, low, high, factors, limit, r):  # type: ignore[no-untyped-def]
    """Return the value of row `ply` one ply on; row `ply + 1` is scratch.

    Stops at a move that leaves the window. Most of a search happens here, so it does without a frame.
    """
    bits = legal_bits(S, ply, r)
    maximises = S[ply, r[CELLS] + MOVER] == 0
    best = -INFINITY if maximises else INFINITY
    for move in range(r[PITS], -1, -1):
        if bits >> move & 1:
            copy_row(S, ply, ply + 1)
            play(S, ply + 1, move, r)
            F[0, NODES] += 1
            value = estimate(S, ply + 1, factors, r)
            if limit is not None:
                F[ply, HORIZON] |= int(S[ply + 1, r[CELLS] + OVER] == 0)
            best = max(best, value) if maximises else min(best, value)
            if best >= high if maximises else best <= low:
                break
    return best


@kernel
def visit(S, F, ply, move, depth, T, weights, landing, factors, limit, r):  # type: ignore[no-untyped-def]
    """Play `move` of row `ply`. Return whether the row below has to be searched; if not, its value is in its frame."""
    below = ply + 1
    copy_row(S, ply, below)
    play(S, below, move, r)
    F[ply, TRIED] = move
    F[0, NODES] += 1
    if limit is not None:
        F[below, HORIZON] = 0
    if below == depth or S[below, r[CELLS] + OVER]:
        F[below, BEST] = estimate(S, below, factors, r)
        if limit is not None:
            F[below, HORIZON] = int(S[below, r[CELLS] + OVER] == 0)
        return False
    if below + 1 == depth:
        F[below, BEST] = last_ply(S, F, below, F[ply, ALPHA], F[ply, BETA], factors, limit, r)
        return False
    open_frame(S, F, below, F[ply, ALPHA], F[ply, BETA], r)
    if uses_table(depth - below, T):
        set_keys(S, F, below, weights, r)
        entry = find(F, below, T)
        if is_memoryless(r) and settles(F, below, entry, depth - below):
            if limit is not None:
                F[below, HORIZON] = entry_horizon(entry)
            return False
        F[below, TABLE_MOVE] = entry_move(entry)
    rank_moves(S, F, below, landing, r)
    return True


@kernel
def begin(S, F, first, landing, r):  # type: ignore[no-untyped-def]
    """Open frame 0 for row 0, the move `first` before all others unless it is -1."""
    open_frame(S, F, 0, -INFINITY, INFINITY, r)
    rank_moves(S, F, 0, landing, r)
    F[0, TABLE_MOVE] = first


@kernel
def alphabeta(S, F, ply, depth, slack, values, T, weights, landing, history, factors, lines, limit, r):  # type: ignore[no-untyped-def]
    """Search row 0 to `depth` plies, from `begin` and ply 0 on, or from where the search has paused; return -1.

    Frame 0 then holds the value and, in TIES, all moves that reach it. `values: int64[A]` gets the value of each legal
    move, exact if it is at most `slack` >= 1 worse than the best. If there is a `limit` to the nodes the search pauses
    there and returns the ply.
    """
    while True:
        if is_spent(F, limit):
            return ply
        move = take_move(S, F, ply, history, r) if F[ply, ALPHA] < F[ply, BETA] else -1
        if move >= 0:
            if limit is not None:
                lines[ply + 1, 0] = 0
            if visit(S, F, ply, move, depth, T, weights, landing, factors, limit, r):
                ply += 1
                continue
        elif ply == 0:
            return -1
        else:
            if uses_table(depth - ply, T):
                keep(F, ply, depth - ply, T, limit)
            if history.shape[0]:
                credit(S, F, ply, depth - ply, history, r)
            ply -= 1
        if ply == 0:
            values[F[0, TRIED]] = F[1, BEST]
        if limit is not None:
            F[ply, HORIZON] |= F[ply + 1, HORIZON]
            take_line(F, ply, lines)
        update(F, ply, F[ply + 1, BEST], 0 if ply else slack)


@kernel
def is_spent(F, limit):  # type: ignore[no-untyped-def]
    """Return whether so many nodes have been searched that it is time to pause."""
    if limit is None:
        return False
    return F[0, NODES] >= limit


@kernel
def take_line(F, ply, lines):  # type: ignore[no-untyped-def]
    """If the move just tried is the best so far, put it before the line below; keep all lines of the root.

    `lines: int16[depth + 1 + A, depth + 2]` hold one line a ply, its length first, then those of the root's moves.
    """
    value, best = F[ply + 1, BEST], F[ply, BEST]
    if ply == 0:
        keep_root_line(F[0, TRIED], lines)
    elif value > best if F[ply, SEAT] == 0 else value < best:
        put_before_line(F[ply, TRIED], ply, lines)


@kernel
def keep_root_line(move, lines):  # type: ignore[no-untyped-def]
    """Keep the line below the root as what follows its move; the last rows are for that, the first move's the last."""
    for i in range(lines[1, 0] + 1):
        lines[-1 - move, i] = lines[1, i]


@kernel
def put_before_line(move, ply, lines):  # type: ignore[no-untyped-def]
    """Make a move and the line below it the line of a ply."""
    length = int(lines[ply + 1, 0])
    for i in range(length, 0, -1):
        lines[ply, i + 1] = lines[ply + 1, i]
    lines[ply, 1] = move
    lines[ply, 0] = length + 1


@kernel
def shallowest(depth):  # type: ignore[no-untyped-def]
    """Return the depth of the first of the searches that deepen up to `depth`."""
    return depth if depth < DEEPEN_FROM else DEEPEN_BY + depth % DEEPEN_BY


@kernel
def search_range(lo, hi, games, best, depth, slack, S, F, values, T, weights, landing, history, r):  # type: ignore[no-untyped-def]
    """Write the best moves of each row lo..hi of `games` to `depth` plies into `best: int64[G]` as a bit set.

    What `alphabeta` leaves in frame 0 and in `values` is that of the last row. Returns the number of moves played.
    """
    F[0, NODES] = 0
    for g in range(lo, hi):
        for i in range(games.shape[1]):
            S[0, i] = games[g, i]
        if depth > 2:  # else there is nothing to credit
            history[:] = 0
        first = lo - lo - 1  # -1, but no literal
        # Shallower searches teach a deep one the order of moves.
        for plies in range(shallowest(depth), depth + 1, DEEPEN_BY):
            begin(S, F, first, landing, r)
            step = slack if plies == depth else 1
            alphabeta(S, F, 0, plies, step, values, T, weights, landing, history, None, None, None, r)
            first = F[0, MOVE]
        best[g] = F[0, TIES]
    return F[0, NODES]
