"""A move under the rules that most games have: two players, one lap, captures by the last stone alone.

Random play takes every branch at random, and one foreseen wrongly costs as much as half a move. So what happens here is
worked out without branches where that is possible, and both rows are looked at once for all that depends on them.
"""

import numpy as np

from mancala_rl.kernel.capture import capture_pits
from mancala_rl.kernel.compile import kernel
from mancala_rl.kernel.ending import is_shared_out
from mancala_rl.kernel.layout import (
    CAPTURED,
    CELLS,
    END_CHECK,
    END_ON_TURN,
    ENDED,
    EXTRA,
    MAX_PLIES_COUNTED,
    MOVER,
    OVER,
    PIE,
    PITS,
    PLAYING,
    SINCE,
    STOP_WHEN_DECIDED,
)
from mancala_rl.kernel.sowing import gives_extra_turn, sow_lap


@kernel
def play_plainly(S, g, player, pit, r):  # type: ignore[no-untyped-def]
    """Do the rest of `play` for a pit, under rules without special mechanics.

    Returns the pits that the next player may play as a bit set, 0 if the game is over.
    """
    tail, pits = r[CELLS], r[PITS]
    first = player * (pits + 1)
    last = sow_lap(S, g, player, first + pit, r)
    captured = capture_pits(S, g, player, last, r)
    S[g, np.uintp(tail + CAPTURED)] = captured
    S[g, np.uintp(tail + SINCE)] = min(int(S[g, np.uintp(tail + SINCE)]) + 1, MAX_PLIES_COUNTED) * int(captured == 0)
    again = int(gives_extra_turn(player, last, r))  # K7: a capture ends in a pit, so it never is one
    turn = player ^ 1 ^ again
    low, high = filled_pits(S, g, r)
    own = low ^ ((low ^ high) & -turn)
    stuck = own == 0 if r[END_CHECK] == END_ON_TURN else (low == 0) | (high == 0)
    over = (stuck or r[STOP_WHEN_DECIDED]) and is_shared_out(S, g, turn, stuck, r)
    S[g, np.uintp(tail + MOVER)] = turn
    S[g, np.uintp(tail + OVER)] = PLAYING
    S[g, np.uintp(tail + EXTRA)] = again
    if over:
        S[g, np.uintp(tail + OVER)] = ENDED
        S[g, np.uintp(tail + EXTRA)] = 0
        S[g, np.uintp(tail + PIE)] = 0  # nobody may swap any more
        return 0
    return own


@kernel
def filled_pits(S, g, r):  # type: ignore[no-untyped-def]
    """Return which pits of seat 0 hold stones as a bit set, and which of seat 1."""
    low, high = g - g, g - g
    for i in range(r[PITS]):
        low |= int(S[g, np.uintp(i)] > 0) << i
        high |= int(S[g, np.uintp(r[PITS] + 1 + i)] > 0) << i
    return low, high
