"""Alpha-beta on the rows of a game: a search of fixed depth that gives exactly the values of plain minimax.

Row 0 of `S: int16[depth + 1, L]` is the position searched, row p the position p plies below it, and frame p of
`F: int64[depth + 1, FIELDS]` what the search knows about it. There is no recursion: `alphabeta` goes down and up these
two arrays.

Every value is the margin of seat 0 over seat 1. Seat 0 looks for the largest, seat 1 for the smallest, whoever moved
before, so an extra turn needs no care. A move is a ply, extra turns included.
"""

from mancala_rl.kernel import copy_row, kernel, margin, pick_bit, play
from mancala_rl.kernel.layout import CELLS, MOVER, OVER
from mancala_rl.search.frame import (
    ALPHA,
    BEST,
    BETA,
    HIGH,
    INFINITY,
    LOW,
    MOVE,
    SEAT,
    TABLE_MOVE,
    TIES,
    TRIED,
)
from mancala_rl.search.order import rank_moves, take_move
from mancala_rl.search.table import entry_move, find, remember, set_keys, settles

# In a shallower search neither table nor iterative deepening repays its cost; see experiments/bench_search.py.
DEEPEN_FROM = 6
# The table is asked about and told of positions with at least so many plies to go.
TABLE_PLIES = 2


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
def descend(S, F, ply, depth, T, use_table, weights, landing, r):  # type: ignore[no-untyped-def]
    """Open frame `ply + 1` below frame `ply`; return False if the table has answered it already."""
    below = ply + 1
    open_frame(S, F, below, F[ply, ALPHA], F[ply, BETA], r)
    if use_table and depth - below >= TABLE_PLIES:
        set_keys(S, F, below, weights, r)
        entry = find(F, below, T)
        if settles(F, below, entry, depth - below):
            return False
        F[below, TABLE_MOVE] = entry_move(entry)
    rank_moves(S, F, below, landing, r)
    return True


@kernel
def alphabeta(S, F, depth, slack, values, T, use_table, weights, landing, r):  # type: ignore[no-untyped-def]
    """Search row 0 to `depth` plies and return the number of moves played.

    Frame 0 then holds the value and, in TIES, all moves that reach it. `values: int64[A]` gets the value of each legal
    move, exact if it is at most `slack` >= 1 worse than the best. The table move of frame 0 is tried first.
    """
    move = F[0, TABLE_MOVE]
    open_frame(S, F, 0, -INFINITY, INFINITY, r)
    rank_moves(S, F, 0, landing, r)
    F[0, TABLE_MOVE] = move
    nodes = 0
    ply = 0
    while True:
        move = take_move(F, ply, r) if F[ply, ALPHA] < F[ply, BETA] else -1
        if move >= 0:
            F[ply, TRIED] = move
            copy_row(S, ply, ply + 1)
            play(S, ply + 1, move, r)
            nodes += 1
            if ply + 1 == depth or S[ply + 1, r[CELLS] + OVER]:
                value = margin(S, ply + 1, r)
            elif descend(S, F, ply, depth, T, use_table, weights, landing, r):
                ply += 1
                continue
            else:
                value = F[ply + 1, BEST]
        elif ply == 0:
            return nodes
        else:
            if use_table and depth - ply >= TABLE_PLIES:
                remember(F, ply, depth - ply, T)
            value = F[ply, BEST]
            ply -= 1
        if ply == 0:
            values[F[0, TRIED]] = value
            update(F, 0, value, slack)
        else:
            update(F, ply, value, 0)


@kernel
def deepen(S, F, depth, slack, values, T, weights, landing, r):  # type: ignore[no-untyped-def]
    """Search row 0 as `alphabeta` does; shallower searches teach a deep one the order of moves."""
    F[0, TABLE_MOVE] = -1
    if depth < DEEPEN_FROM:
        return alphabeta(S, F, depth, slack, values, T, False, weights, landing, r)
    nodes = 0
    for shallower in range(2 + depth % 2, depth, 2):
        nodes += alphabeta(S, F, shallower, slack, values, T, True, weights, landing, r)
        F[0, TABLE_MOVE] = F[0, MOVE]
    return nodes + alphabeta(S, F, depth, slack, values, T, True, weights, landing, r)


@kernel
def search_range(lo, hi, games, seeds, moves, depth, S, F, values, T, weights, landing, r):  # type: ignore[no-untyped-def]
    """Write one of the best moves of each row lo..hi of `games` into `moves: int64[G]`, drawn with `seeds: int64[G]`.

    All moves whose value to `depth` plies is the best are equally likely. Returns the number of moves played.
    """
    nodes = 0
    for g in range(lo, hi):
        for i in range(games.shape[1]):
            S[0, i] = games[g, i]
        nodes += deepen(S, F, depth, 1, values, T, weights, landing, r)
        moves[g] = pick_bit(F[0, TIES], seeds[g])
    return nodes
