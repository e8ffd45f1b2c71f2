"""Alpha-beta on packed boards: what `mancala_rl.search.alphabeta` finds on rows, four times as fast.

A value is what the player to move gains over the other from the position on, so it does not depend on the stores, and
positions that differ in nothing else share an entry of the table. The way a value takes to the frame above is that of
the move between: it keeps its sign if the mover moves again.

The first move of a position is searched in the whole window, the others at first only for whether they beat it (a null
window). A node is a move that is searched; that all moves of a frame are played to sort them does not count.
"""

from mancala_rl.kernel import kernel
from mancala_rl.kernel.packed import Q_PITS, can_pack, packed_row
from mancala_rl.kernel.sowing import mover_of
from mancala_rl.search.alphabeta import DEEPEN_BY, is_spent, keep_root_line, put_before_line, shallowest
from mancala_rl.search.frame import (
    ALPHA,
    BEST,
    BETA,
    BETTER,
    COUNT,
    FULL,
    HIGH,
    HORIZON,
    INFINITY,
    LOW,
    MOVE,
    NEXT,
    NODES,
    NULL,
    OPP,
    OWN,
    SCOUT,
    TIES,
)
from mancala_rl.search.packed_last_plies import last_ply, last_two_plies
from mancala_rl.search.packed_moves import M_AGAIN, M_GAIN, M_OPP, M_OVER, M_OWN, M_PIT, list_moves
from mancala_rl.search.table import entry_horizon, entry_move, find, keep, settles

# The table is asked about and told of positions with at least so many plies to go; below, searching is cheaper.
TABLE_PLIES = 5


@kernel
def window_below(F, C, ply, i, left):  # type: ignore[no-untyped-def]
    """Return the window in which move i of frame `ply` is searched, from the side of the player to move after it.

    It is a null one for all moves but the first, unless the search below would cost too little to save anything.
    """
    alpha, beta = int(F[ply, ALPHA]), int(F[ply, BETA])
    F[ply, SCOUT] = NULL if i and left > 2 and -INFINITY < alpha < beta - 1 and F[ply, SCOUT] != BETTER else FULL
    if F[ply, SCOUT] == NULL:
        beta = alpha + 1
    gain = int(C[ply, i, M_GAIN])
    if C[ply, i, M_AGAIN]:
        return alpha - gain, beta - gain
    return gain - beta, gain - alpha


@kernel
def open_frame(F, ply, own, opp, alpha, beta):  # type: ignore[no-untyped-def]
    """Begin the search of a position within the window."""
    F[ply, OWN], F[ply, OPP] = own, opp
    F[ply, ALPHA] = F[ply, LOW] = alpha
    F[ply, BETA] = F[ply, HIGH] = beta
    F[ply, BEST], F[ply, MOVE], F[ply, TIES] = -INFINITY, -1, 0


@kernel
def uses_table(depth, T):  # type: ignore[no-untyped-def]
    """Return whether positions with `depth` plies to go are kept in the table."""
    return depth >= TABLE_PLIES and T.shape[0] > 1


@kernel
def visit(F, C, ply, depth, T, limit, q):  # type: ignore[no-untyped-def]
    """Try the next move of frame `ply`. Return whether the frame below has to be searched; if not, it has its value."""
    below, i = ply + 1, int(F[ply, NEXT])
    left = depth - below
    F[ply, NEXT] = i + 1
    F[0, NODES] += F[ply, SCOUT] != BETTER
    alpha, beta = window_below(F, C, ply, i, left)
    own, opp = int(C[ply, i, M_OWN]), int(C[ply, i, M_OPP])
    if left > 2 and not C[ply, i, M_OVER]:
        return enter(F, C, below, own, opp, alpha, beta, left, T, limit, q)
    value, nodes, goes_on = 0, 0, 0
    if not C[ply, i, M_OVER]:
        if left == 2:
            value, nodes, goes_on = last_two_plies(own, opp, alpha, beta, q)
        elif left == 1:
            value, nodes, goes_on = last_ply(own, opp, beta, q)
        else:
            goes_on = 1
    F[below, BEST] = value
    F[0, NODES] += nodes
    if limit is not None:
        F[below, HORIZON] = goes_on
    return False


@kernel
def enter(F, C, ply, own, opp, alpha, beta, left, T, limit, q):  # type: ignore[no-untyped-def]
    """Open a frame, unless the table answers it: return whether it has to be searched."""
    open_frame(F, ply, own, opp, alpha, beta)
    table_move = -1
    if limit is not None:
        F[ply, HORIZON] = 0
    if uses_table(left, T):
        entry = find(F, ply, T)
        if settles(F, ply, entry, left):
            if limit is not None:
                F[ply, HORIZON] = entry_horizon(entry)
            return False
        table_move = entry_move(entry)
    list_moves(F, C, ply, table_move, q)
    return True


@kernel
def take_value(F, C, ply, slack, values, lines):  # type: ignore[no-untyped-def]
    """Take the value of the move just tried into its frame, or have it searched again if it is better than expected.

    Values up to `slack` worse than the best stay exact.
    """
    i = int(F[ply, NEXT]) - 1
    gain, value, pit = int(C[ply, i, M_GAIN]), int(F[ply + 1, BEST]), int(C[ply, i, M_PIT])
    value = gain + (value if C[ply, i, M_AGAIN] else -value)
    if F[ply, SCOUT] == NULL and F[ply, ALPHA] < value < F[ply, BETA]:
        F[ply, SCOUT], F[ply, NEXT] = BETTER, i
        return
    if ply == 0:
        values[pit] = value
    if lines is not None:
        F[ply, HORIZON] |= F[ply + 1, HORIZON]
        if ply == 0:
            keep_root_line(pit, lines)
        elif value > F[ply, BEST]:
            put_before_line(pit, ply, lines)
    if value > F[ply, BEST]:
        F[ply, BEST], F[ply, MOVE], F[ply, TIES] = value, pit, 0
    if value == F[ply, BEST]:
        F[ply, TIES] |= 1 << pit
    F[ply, ALPHA] = max(int(F[ply, ALPHA]), int(F[ply, BEST]) - slack)


@kernel
def packed_alphabeta(F, C, ply, depth, slack, values, T, lines, limit, q):  # type: ignore[no-untyped-def]
    """Do what `mancala_rl.search.alphabeta.alphabeta` does; `values: int64[A]` are those of the player to move."""
    while True:
        if is_spent(F, limit):
            return ply
        if F[ply, NEXT] < F[ply, COUNT] and F[ply, ALPHA] < F[ply, BETA]:
            if lines is not None:
                lines[ply + 1, 0] = 0
            if visit(F, C, ply, depth, T, limit, q):
                ply += 1
                continue
        elif ply == 0:
            return -1
        else:
            if uses_table(depth - ply, T):
                keep(F, ply, depth - ply, T, limit)
            ply -= 1
        take_value(F, C, ply, 0 if ply else slack, values, lines)


@kernel
def begin_packed(games, g, player, F, C, first, q):  # type: ignore[no-untyped-def]
    """Open frame 0 for row g of `games`, `player` to move, the move `first` before all others unless it is -1."""
    own, opp = packed_row(games, g, player, q), packed_row(games, g, 1 - player, q)
    open_frame(F, 0, own, opp, -INFINITY, INFINITY)
    list_moves(F, C, 0, first, q)


@kernel
def add_lead(games, g, player, F, C, q):  # type: ignore[no-untyped-def]
    """Let the first move gain what `player` is ahead too: values of frame 0 are then margins."""
    width = int(q[Q_PITS]) + 1
    lead = int(games[g, (player + 1) * width - 1]) - int(games[g, (2 - player) * width - 1])
    for i in range(F[0, COUNT]):
        C[0, i, M_GAIN] += lead


@kernel
def packed_range(lo, hi, games, best, depth, slack, F, C, values, T, q, r):  # type: ignore[no-untyped-def]
    """Write the best moves of each row lo..hi of `games` into `best: int64[G]` as a bit set, 0 if it cannot be packed.

    What `packed_alphabeta` leaves in frame 0 and in `values` is that of the last row. Returns the number of nodes.
    """
    F[0, NODES] = 0
    for g in range(lo, hi):
        best[g] = 0
        if can_pack(games, g, r):
            first = lo - lo - 1  # -1, but no literal
            # Shallower searches teach a deep one the order of moves.
            for plies in range(shallowest(depth), depth + 1, DEEPEN_BY):
                begin_packed(games, g, mover_of(games, g, r), F, C, first, q)
                add_lead(games, g, mover_of(games, g, r), F, C, q)
                packed_alphabeta(F, C, 0, plies, slack if plies == depth else 1, values, T, None, None, q)
                first = F[0, MOVE]
            best[g] = F[0, TIES]
    return F[0, NODES]
