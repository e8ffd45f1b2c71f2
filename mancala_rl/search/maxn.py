"""Search for three and four players: max^n, in which every seat looks for what is best for itself.

Rows and frames are as in `mancala_rl.search.alphabeta`; row p of `V: int64[depth + 1, P]` is what each seat gets at the
position p plies below the root. Of moves equally good for the seat to move, the lowest is taken to be played; the
others may see that differently, so it is part of the result. Every line is looked at.
"""

import numpy as np

from mancala_rl.kernel import copy_row, kernel, legal_bits, pick_bit, play, row_stones
from mancala_rl.kernel.layout import CELLS, GOAL_EMPTY, OVER, PLAYERS, TOTAL
from mancala_rl.kernel.sowing import mover_of
from mancala_rl.kernel.worth import score, write_merits
from mancala_rl.rules import Position
from mancala_rl.search.alphabeta import keep_root_line, put_before_line
from mancala_rl.search.frame import HORIZON, MOVE, NODES, OTHERS, SEAT, TRIED


def standings(position: Position) -> tuple[int, ...]:
    """Return what a position counts for each seat at the horizon, or at the end of the game."""
    rules = position.rules
    values = np.zeros((1, rules.players), np.int64)
    standing(position.row[None], 0, values, 0, np.zeros_like(values), rules.array)
    return tuple(values[0].tolist())


@kernel
def standing(S, g, V, at, points, r):  # type: ignore[no-untyped-def]
    """Write what game g counts for each seat into row `at` of V; `points: int64[1, P]` is scratch.

    That is the margin over the mean of the other seats, times P - 1, so that it is a whole number and for two players
    the margin. Where the first to empty the own side wins, stones on the own side count against a seat, and a place
    counts more than all of them.
    """
    players, everybody = r[PLAYERS], 0
    for seat in range(players):
        V[at, seat] = -row_stones(S, g, seat, r) if r[GOAL_EMPTY] else score(S, g, seat, r)
        everybody += V[at, seat]
    for seat in range(players):
        V[at, seat] = players * V[at, seat] - everybody
    if r[GOAL_EMPTY]:
        write_merits(S, g, points, 0, r)
        for seat in range(players):
            for other in range(players):
                ahead = int(points[0, other] < points[0, seat]) - int(points[0, other] > points[0, seat])
                V[at, seat] += ahead * (players - 1) * r[TOTAL]


@kernel
def open_node(S, F, ply, r):  # type: ignore[no-untyped-def]
    """Begin the search of row `ply`."""
    F[ply, SEAT] = mover_of(S, ply, r)
    F[ply, OTHERS] = legal_bits(S, ply, r)
    F[ply, MOVE] = -1


@kernel
def maxn(S, F, ply, depth, values, V, points, lines, limit, r):  # type: ignore[no-untyped-def]
    """Search row 0 to `depth` plies, from `open_node` and ply 0 on, or from where the search has paused; return -1.

    `values: int64[A]` gets the value of each legal move for the seat to move, `lines` the line behind it; for them and
    for `limit` see `alphabeta`.
    """
    while True:
        if F[0, NODES] >= limit:
            return ply
        bits = F[ply, OTHERS]
        if bits:
            F[ply, OTHERS] = bits & (bits - 1)
            F[ply, TRIED] = pick_bit(bits & -bits, 0)
            copy_row(S, ply, ply + 1)
            play(S, ply + 1, F[ply, TRIED], r)
            F[0, NODES] += 1
            lines[ply + 1, 0] = 0
            F[ply + 1, HORIZON] = 0
            if not S[ply + 1, r[CELLS] + OVER]:
                if ply + 1 < depth:
                    ply += 1
                    open_node(S, F, ply, r)
                    continue
                F[ply + 1, HORIZON] = 1
            standing(S, ply + 1, V, ply + 1, points, r)
        elif ply == 0:
            return -1
        else:
            ply -= 1
        take(F, V, ply, lines, r)
        if ply == 0:
            values[F[0, TRIED]] = V[1, F[0, SEAT]]
            keep_root_line(F[0, TRIED], lines)


@kernel
def take(F, V, ply, lines, r):  # type: ignore[no-untyped-def]
    """Take what the move just tried leads to into frame `ply`."""
    F[ply, HORIZON] |= F[ply + 1, HORIZON]
    seat = F[ply, SEAT]
    if F[ply, MOVE] >= 0 and V[ply + 1, seat] <= V[ply, seat]:
        return
    F[ply, MOVE] = F[ply, TRIED]
    for other in range(r[PLAYERS]):
        V[ply, other] = V[ply + 1, other]
    put_before_line(F[ply, TRIED], ply, lines)
