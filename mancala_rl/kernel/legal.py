"""Which actions are legal: a pit that is not empty (feeding and grand slams may forbid some), a swap, giving up."""

import numpy as np

from mancala_rl.kernel.capture import chain_end, is_slam
from mancala_rl.kernel.compile import kernel, rare_kernel
from mancala_rl.kernel.external import call_allowed_pits
from mancala_rl.kernel.layout import (
    CAPTURED,
    CELLS,
    FEED,
    GRAND_SLAM,
    OVER,
    PIE,
    PITS,
    RESIGN,
    SCRATCH,
    SLAM_ILLEGAL,
)
from mancala_rl.kernel.sowing import mover_of, sow

# Both loops below run to the end without a branch, which is cheaper than one that is hard to foresee. An unsigned index
# spares Numba's test for a negative one.


@kernel
def row_empty(S, g, player, r):  # type: ignore[no-untyped-def]
    """Return whether no open pit of `player` holds a stone."""
    first = player * (r[PITS] + 1)
    held = False
    for i in range(first, first + r[PITS]):
        held |= S[g, np.uintp(i)] > 0
    return not held


@kernel
def legal_pits(S, g, player, r):  # type: ignore[no-untyped-def]
    """Return the pits that `player` may play as a bit set."""
    first = player * (r[PITS] + 1)
    bits = g - g
    for i in range(r[PITS]):
        bits |= int(S[g, np.uintp(first + i)] > 0) << i
    if r[FEED] or r[GRAND_SLAM] == SLAM_ILLEGAL:
        bits = call_allowed_pits(S, g, player, bits, r)
    return bits


@rare_kernel
def allowed_pits(S, g, player, bits, r):  # type: ignore[no-untyped-def]
    """Return those of the pits `bits` that the duty to feed and a forbidden grand slam leave.

    An opponent without stones must get at least one (O5). Slams are left out unless nothing else is left (O4).
    """
    must_feed = r[FEED] and row_empty(S, g, 1 - player, r)
    if not must_feed and r[GRAND_SLAM] != SLAM_ILLEGAL:
        return bits
    feeding, slams = 0, 0
    for i in range(r[PITS]):
        if bits >> i & 1:
            captured = begin_trial(S, g, r)
            last = sow(S, g, player, player * (r[PITS] + 1) + i, r)
            feeding |= (not row_empty(S, g, 1 - player, r)) << i
            slams |= is_slam(S, g, player, last, chain_end(S, g, player, last, r), r) << i
            end_trial(S, g, captured, r)
    if must_feed:
        bits &= feeding
    if r[GRAND_SLAM] == SLAM_ILLEGAL and bits & ~slams:
        bits &= ~slams
    return bits


@kernel
def begin_trial(S, g, r):  # type: ignore[no-untyped-def]
    """Keep a copy of the cells; return the only other number that sowing may change."""
    for cell in range(r[CELLS]):
        S[g, r[SCRATCH] + cell] = S[g, cell]
    return S[g, r[CELLS] + CAPTURED]


@kernel
def end_trial(S, g, captured, r):  # type: ignore[no-untyped-def]
    """Undo what was sown since `begin_trial`."""
    for cell in range(r[CELLS]):
        S[g, cell] = S[g, r[SCRATCH] + cell]
        S[g, r[SCRATCH] + cell] = 0
    S[g, r[CELLS] + CAPTURED] = captured


@kernel
def legal_bits(S, g, r):  # type: ignore[no-untyped-def]
    """Return the legal actions as a bit set: bit i = pit i, bit m = swap or give up; 0 when the game is over."""
    cells = r[CELLS]
    if S[g, cells + OVER]:
        return 0
    player = mover_of(S, g, r)
    bits = legal_pits(S, g, player, r)
    if S[g, cells + PIE] == player + 1 or r[RESIGN]:
        bits |= 1 << r[PITS]
    return bits
