"""In which order moves are tried: the table's move, extra turns, captures, the rest; nearest to the store first.

The order only decides how soon a search is done, never its result, so it may be guessed without playing the moves.
"""

from mancala_rl.kernel import kernel, legal_bits
from mancala_rl.kernel.layout import CAPTURE, CELLS, EVEN_CAPTURE, PITS
from mancala_rl.kernel.sowing import gives_extra_turn, sow_lap
from mancala_rl.search.frame import CAPTURES, EXTRA_TURNS, OTHERS, SEAT, TABLE_MOVE


@kernel
def landing_cells(S, landing, r):  # type: ignore[no-untyped-def]
    """Write the cell where n stones from a pit end on an open board into `landing: int16[cells, limit]`.

    Row 0 of S is scratch.
    """
    for cell in range(r[CELLS]):
        for stones in range(landing.shape[1]):
            S[0] = 0
            S[0, cell] = stones
            landing[cell, stones] = sow_lap(S, 0, cell // (r[PITS] + 1), cell, r)


@kernel
def may_capture(S, row, player, origin, last, r):  # type: ignore[no-untyped-def]
    """Return whether a last stone in the pit `last` looks like a capture."""
    first = player * (r[PITS] + 1)
    if first <= last < first + r[PITS]:
        return r[CAPTURE] and S[row, 2 * r[PITS] - last] > 0 and (S[row, last] == 0 or last == origin)
    return r[EVEN_CAPTURE] and S[row, last] % 2 == 1


@kernel
def rank_moves(S, F, ply, landing, r):  # type: ignore[no-untyped-def]
    """Sort the legal moves of row `ply` into extra turns, captures and others."""
    player = F[ply, SEAT]
    first = player * (r[PITS] + 1)
    legal = legal_bits(S, ply, r)
    extra, captures = 0, 0
    for i in range(r[PITS]):
        stones = int(S[ply, first + i])
        if stones <= 0:
            continue
        last = int(landing[first + i, min(stones, landing.shape[1] - 1)])
        if gives_extra_turn(player, last, r):
            extra |= 1 << i
        elif last % (r[PITS] + 1) != r[PITS] and may_capture(S, ply, player, first + i, last, r):
            captures |= 1 << i
    F[ply, EXTRA_TURNS] = legal & extra
    F[ply, CAPTURES] = legal & captures
    F[ply, OTHERS] = legal & ~extra & ~captures


@kernel
def take_move(F, ply, r):  # type: ignore[no-untyped-def]
    """Return the next move to try in frame `ply` and strike it off; -1 when all have been tried."""
    move = F[ply, TABLE_MOVE]
    if move >= 0:
        F[ply, TABLE_MOVE] = -1
        for group in range(EXTRA_TURNS, OTHERS + 1):
            F[ply, group] &= ~(1 << move)
        return move
    for group in range(EXTRA_TURNS, OTHERS + 1):
        bits = F[ply, group]
        if bits:
            move = r[PITS]  # the swap of the pie rule, then the pit next to the store
            while not bits >> move & 1:
                move -= 1
            F[ply, group] = bits & ~(1 << move)
            return move
    return -1
