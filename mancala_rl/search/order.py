"""In which order moves are tried: the table's move, extra turns, captures, the rest.

Extra turns go nearest to the store first, captures and the rest by their credit in the history, then nearest first. The
order only decides how soon a search is done, never its result, so it may be guessed without playing the moves.
"""

from mancala_rl.kernel import kernel, legal_bits
from mancala_rl.kernel.compile import rare_kernel
from mancala_rl.kernel.layout import CAPTURE, CELLS, CHAIN, CHAIN_ANY_SIDE, EVEN_CAPTURE, MAX_CHAIN, PITS
from mancala_rl.kernel.sowing import gives_extra_turn, sow_lap
from mancala_rl.search.frame import CAPTURES, EXTRA_TURNS, OTHERS, SEAT, TABLE_MOVE
from mancala_rl.search.history import favourite

LAST, FALLEN = 0, 1  # the cell where a lap ends, and how many of its stones fall there


@kernel
def fill_landing(S, landing, r):  # type: ignore[no-untyped-def]
    """Write where n stones from a pit end on an open board into `landing: int16[cells, limit, 2]`.

    Row 0 of S is scratch.
    """
    for cell in range(r[CELLS]):
        for stones in range(landing.shape[1]):
            S[0] = 0
            S[0, cell] = stones
            last = sow_lap(S, 0, cell // (r[PITS] + 1), cell, r)
            landing[cell, stones, LAST], landing[cell, stones, FALLEN] = last, S[0, last]


@kernel
def may_capture(S, row, player, origin, last, fallen, r):  # type: ignore[no-untyped-def]
    """Return whether a last stone in the pit `last`, where `fallen` stones of the move fall, looks like a capture."""
    if r[CHAIN]:
        return may_begin_chain(S, row, player, origin, last, fallen, r)
    first = player * (r[PITS] + 1)
    if first <= last < first + r[PITS]:
        return r[CAPTURE] and S[row, 2 * r[PITS] - last] > 0 and (S[row, last] == 0 or last == origin)
    return r[EVEN_CAPTURE] and (S[row, last] + fallen) % 2 == 0


@rare_kernel
def may_begin_chain(S, row, player, origin, last, fallen, r):  # type: ignore[no-untyped-def]
    """Return whether `last` is on a side where chains capture, and comes to hold as many stones as they take."""
    held = fallen + (int(S[row, last]) if last != origin else 0)
    on_side = r[CHAIN_ANY_SIDE] != 0 or last // (r[PITS] + 1) != player
    return on_side and held <= MAX_CHAIN and r[CHAIN] >> held & 1 != 0


@kernel
def rank_moves(S, F, ply, landing, r):  # type: ignore[no-untyped-def]
    """Sort the legal moves of row `ply` into extra turns, captures and others."""
    player = F[ply, SEAT]
    first = player * (r[PITS] + 1)
    legal = legal_bits(S, ply, r)
    extra, captures = 0, 0
    for i in range(r[PITS]):
        stones = min(int(S[ply, first + i]), landing.shape[1] - 1)
        if stones <= 0:
            continue
        last, fallen = int(landing[first + i, stones, LAST]), int(landing[first + i, stones, FALLEN])
        if gives_extra_turn(player, last, r):
            extra |= 1 << i
        elif last % (r[PITS] + 1) != r[PITS] and may_capture(S, ply, player, first + i, last, fallen, r):
            captures |= 1 << i
    F[ply, EXTRA_TURNS] = legal & extra
    F[ply, CAPTURES] = legal & captures
    F[ply, OTHERS] = legal & ~extra & ~captures


@kernel
def nearest(bits, r):  # type: ignore[no-untyped-def]
    """Return the first move of a bit set: the swap of the pie rule, then the pit next to the store."""
    move = int(r[PITS])
    while not bits >> move & 1:
        move -= 1
    return move


@kernel
def take_move(S, F, ply, history, r):  # type: ignore[no-untyped-def]
    """Return the next move to try in frame `ply` and strike it off; -1 when all have been tried."""
    move = F[ply, TABLE_MOVE]
    if move >= 0:
        F[ply, TABLE_MOVE] = -1
        for group in range(EXTRA_TURNS, OTHERS + 1):
            F[ply, group] &= ~(1 << move)
        return move
    for group in range(EXTRA_TURNS, OTHERS + 1):
        bits = int(F[ply, group])
        if bits:
            by_credit = history.shape[0] and group != EXTRA_TURNS and bits & (bits - 1)
            move = favourite(S, F, ply, bits, history, r) if by_credit else nearest(bits, r)
            F[ply, group] = bits & ~(1 << move)
            return move
    return -1
