"""What each pit would bring within a few plies: exact search values as facts for a learner."""

import threading

import numpy as np
from numpy.typing import NDArray

from mancala_rl.kernel import kernel, legal_bits, margin
from mancala_rl.kernel.layout import CELLS, MAX_TOTAL, MOVER, OVER, PIE
from mancala_rl.kernel.packed import has_closed
from mancala_rl.rules import Rules
from mancala_rl.search.alphabeta import alphabeta, begin
from mancala_rl.search.frame import COUNT, INFINITY, NODES
from mancala_rl.search.packed_alphabeta import begin_packed, packed_alphabeta
from mancala_rl.search.packed_moves import M_PIT
from mancala_rl.search.workspace import Workspace

_local = threading.local()  # threads may not share the arrays of a search


def outlook(rows: NDArray[np.int16], seats: NDArray[np.int64], depth: int, rules: Rules) -> NDArray[np.int16]:
    """Return by how much the margin of a seat changes if it plays a pit and both sides then play best, int16[B, m].

    0 for a pit that cannot be chosen and in a game that is over.

    Args:
        rows: int16[B, row_length], the games.
        seats: int64[B], whose pits are looked at, as if it were that seat's turn.
        depth: plies looked ahead, the pit itself included; an extra turn is a ply.
        rules: the variant, for two players.

    Raises:
        BadInputError: a depth outside 1..1000, or rules for more than two players.
    """
    out = np.zeros((len(rows), rules.pits), np.int16)
    space = _workspace(rules, depth)
    games = 0, len(rows), rows, seats, depth, out
    if space.packed is None or not packed_outlook_range(*games, *space.packed.arrays, rules.array):
        outlook_range(*games, *space.row_search().arrays, rules.array)
    return out


def _workspace(rules: Rules, depth: int) -> Workspace:
    """Return this thread's arrays for these rules; the last ones used are kept."""
    if getattr(_local, "key", None) != (rules, depth):
        _local.key, _local.workspace = (rules, depth), Workspace(rules, depth)
    workspace: Workspace = _local.workspace
    return workspace


@kernel
def outlook_range(lo, hi, games, seats, depth, out, S, F, values, T, weights, landing, history, r):  # type: ignore[no-untyped-def]
    """Write the outlook of `seats: int64[G]` in the games lo..hi into `out: int16[G, m]`, which must hold zeros."""
    for g in range(lo, hi):
        for i in range(games.shape[1]):
            S[0, i] = games[g, i]
        S[0, r[CELLS] + MOVER] = seats[g]
        S[0, r[CELLS] + PIE] = 0  # a swap is no pit
        bits = legal_bits(S, 0, r)
        if bits:
            F[0, NODES] = history[:] = 0
            begin(S, F, -1, landing, r)
            alphabeta(S, F, 0, depth, 2 * INFINITY, values, T, weights, landing, history, None, None, None, r)
            sign = -1 if seats[g] else 1
            for pit in range(out.shape[1]):
                if bits >> pit & 1:
                    change = sign * (values[pit] - margin(S, 0, r))
                    out[g, pit] = min(max(change, -MAX_TOTAL), MAX_TOTAL)  # int16


@kernel
def packed_outlook_range(lo, hi, games, seats, depth, out, F, C, values, T, q, r):  # type: ignore[no-untyped-def]
    """Do the same on packed boards; return whether it could be done, which it cannot where a pit is closed."""
    for g in range(lo, hi):
        if has_closed(games, g, r):
            return False
        if games[g, r[CELLS] + OVER] == 0:
            begin_packed(games, g, seats[g], F, C, -1, q)
            packed_alphabeta(F, C, 0, depth, 2 * INFINITY, values, T, None, None, q)
            for i in range(F[0, COUNT]):
                pit = C[0, i, M_PIT]
                out[g, pit] = min(max(int(values[pit]), -MAX_TOTAL), MAX_TOTAL)
    return True
