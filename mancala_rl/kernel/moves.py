"""The rules: one move on one row, for every variant of the family.

A move is sowing, capture, the end test and the change of turn, in this order: `sowing`, `capture` and `ending` beside
this file. K numbers the rules of Kalah (`mancala_rl/rules/kalah.py`), J, M and O those of Japanese Mancala, Mangala
and Oware.
"""

import numpy as np

from mancala_rl.kernel.capture import capture, row_stones
from mancala_rl.kernel.compile import kernel, rare_kernel
from mancala_rl.kernel.ending import finish, leave, next_seat, remember, settle, worst_place
from mancala_rl.kernel.external import call_finish_deal, call_play_specially
from mancala_rl.kernel.layout import (
    CAPTURED,
    CELLS,
    EXTRA,
    GOAL_EMPTY,
    MAX_PLIES_COUNTED,
    MOVER,
    OVER,
    PIE,
    PIE_RULE,
    PITS,
    PLACES,
    PLAYERS,
    PLY,
    RANDOM_START,
    REPETITION,
    SINCE,
    SPECIAL,
    START,
    STONES,
    TOTAL,
)
from mancala_rl.kernel.legal import legal_bits, row_empty
from mancala_rl.kernel.plain import play_plainly
from mancala_rl.kernel.random import below, combine
from mancala_rl.kernel.sowing import gives_extra_turn, mover_of, sow


@kernel
def copy_row(S, source, target):  # type: ignore[no-untyped-def]
    """Copy game `source` over game `target`."""
    for i in range(S.shape[1]):
        S[target, i] = S[source, i]


@rare_kernel
def swap_sides(S, g, r):  # type: ignore[no-untyped-def]
    """Let rows and stores change hands."""
    for i in range(r[PITS] + 1):
        own = S[g, i]
        S[g, i] = S[g, r[PITS] + 1 + i]
        S[g, r[PITS] + 1 + i] = own


@kernel
def play(S, g, action, r):  # type: ignore[no-untyped-def]
    """Play the legal `action` of the seat to move on row g. Illegal actions are not looked for: see `legal_bits`.

    Most games take the short way, `play_plainly`. What that leaves out is one call away: inlined here it would cost
    them half their speed.
    """
    player = begin_move(S, g, r)
    if r[SPECIAL] or action == r[PITS]:
        call_play_specially(S, g, player, action, r)
    else:
        play_plainly(S, g, player, action, r)


@kernel
def play_and_list(S, g, action, r):  # type: ignore[no-untyped-def]
    """Play as `play` does and return what is legal after it, as `legal_bits` does, for less than both cost."""
    player = begin_move(S, g, r)
    if r[SPECIAL] or action == r[PITS]:
        call_play_specially(S, g, player, action, r)
        return legal_bits(S, g, r)
    bits = play_plainly(S, g, player, action, r)
    return bits | int(S[g, r[CELLS] + PIE] == mover_of(S, g, r) + 1) << r[PITS]


@kernel
def begin_move(S, g, r):  # type: ignore[no-untyped-def]
    """Count a move and forget what the last one told; return who makes it."""
    tail = r[CELLS]
    player = mover_of(S, g, r)
    S[g, np.uintp(tail + PLY)] += S[g, np.uintp(tail + PLY)] < MAX_PLIES_COUNTED
    S[g, np.uintp(tail + CAPTURED)] = 0
    S[g, np.uintp(tail + EXTRA)] = 0
    if S[g, np.uintp(tail + PIE)] == player + 1:  # the right to swap is used up by any first action
        S[g, np.uintp(tail + PIE)] = 0
    return player


@rare_kernel
def play_specially(S, g, player, action, r):  # type: ignore[no-untyped-def]
    """Do the rest of `play` for every record and action."""
    tail = r[CELLS]
    if action == r[PITS]:
        play_extra_action(S, g, player, r)
        return
    last = sow(S, g, player, player * (r[PITS] + 1) + action, r)
    captured = int(S[g, tail + CAPTURED]) + capture(S, g, player, last, r)  # some may have fallen into the tuzdik
    S[g, tail + CAPTURED] = captured
    S[g, tail + SINCE] = 0 if captured else min(int(S[g, tail + SINCE]) + 1, MAX_PLIES_COUNTED)
    if r[GOAL_EMPTY] and row_empty(S, g, player, r):
        finish(S, g, player, r)  # J6: finishing beats the extra turn
        return
    again = gives_extra_turn(player, last, r)
    turn = player if again else next_seat(S, g, player, r)
    if not settle(S, g, turn, r) and again:
        S[g, tail + EXTRA] = 1


@rare_kernel
def play_extra_action(S, g, player, r):  # type: ignore[no-untyped-def]
    """Play the action that is no pit: swap under the pie rule, else give up (J10)."""
    if r[PIE_RULE]:
        swap_sides(S, g, r)
        S[g, r[CELLS] + SINCE] += 1
        settle(S, g, 1 - player, r)
    else:
        leave(S, g, player, worst_place(S, g, r), r)


@kernel
def deal(S, g, first, seed, start, r):  # type: ignore[no-untyped-def]
    """Set row g up for a new game: `start: int16[cells]`, or a random composition of it, seat `first` to move."""
    cells = r[CELLS]
    for i in range(S.shape[1]):
        S[g, i] = start[i] if i < cells else 0
    S[g, cells + MOVER] = first
    S[g, cells + PIE] = 2 - first if r[PIE_RULE] else 0
    if r[START] == RANDOM_START or r[REPETITION]:
        call_finish_deal(S, g, seed, r)


@rare_kernel
def finish_deal(S, g, seed, r):  # type: ignore[no-untyped-def]
    """Do the rest of `deal` for every record: draw a random start, remember the first position."""
    if r[START] == RANDOM_START:
        for player in range(r[PLAYERS]):
            _compose(S, g, player, combine(seed, player), r)
    if r[REPETITION]:
        remember(S, g, r)


@rare_kernel
def _compose(S, g, player, seed, r):  # type: ignore[no-untyped-def]
    """Spread m*n stones over the row so that every way to do so is equally likely (a Polya urn)."""
    pits = r[PITS]
    first = player * (pits + 1)
    for i in range(pits):
        S[g, first + i] = 0
    for placed in range(pits * r[STONES]):
        skip = below(placed + pits, combine(seed, placed))
        i = 0
        while skip > S[g, first + i]:
            skip -= int(S[g, first + i]) + 1
            i += 1
        S[g, first + i] += 1


@kernel
def margin(S, g, r):  # type: ignore[no-untyped-def]
    """Return the score of seat 0 minus the score of seat 1.

    Where the first to empty the own side wins, it is how many stones fewer seat 0 has left there, and all stones of
    the game more for the winner.
    """
    if r[GOAL_EMPTY]:
        return lead(S, g, r)
    return int(S[g, r[PITS]]) - int(S[g, 2 * r[PITS] + 1])


@kernel
def lead(S, g, r):  # type: ignore[no-untyped-def]
    """Return by how many stones seat 0 is nearer to an empty side than seat 1."""
    places = r[CELLS] + PLACES
    won = int(S[g, places + 1]) - int(S[g, places]) if S[g, r[CELLS] + OVER] else 0
    return won * r[TOTAL] + row_stones(S, g, 1, r) - row_stones(S, g, 0, r)
