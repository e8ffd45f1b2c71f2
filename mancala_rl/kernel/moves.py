"""The rules: one move on one row, for every variant of the family.

A move is sowing, capture, the end test and the change of turn, in this order; each is one function below. K numbers
the rules of Kalah (`mancala_rl/rules/kalah.py`).
"""

from mancala_rl.kernel.compile import kernel
from mancala_rl.kernel.layout import (
    CAPTURE,
    CAPTURE_CROSS,
    CAPTURED,
    CELLS,
    EMPTY_CAPTURE,
    END_CHECK,
    END_ON_TURN,
    ENDED,
    EVEN_CAPTURE,
    EXTRA,
    EXTRA_IN_ANY_STORE,
    EXTRA_IN_OWN_STORE,
    EXTRA_TURN,
    FIRST_STONE,
    HEADER,
    LEFTOVERS,
    MOVER,
    OVER,
    PIE,
    PIE_RULE,
    PITS,
    PLAYERS,
    PLY,
    RANDOM_START,
    SINCE,
    SKIP_ORIGIN,
    START,
    STONES,
    STOP_WHEN_DECIDED,
    TO_OWNER,
    TOTAL,
    UNSCORED,
)
from mancala_rl.kernel.random import below, combine


@kernel
def copy_row(S, source, target):  # type: ignore[no-untyped-def]
    """Copy game `source` over game `target`."""
    for i in range(S.shape[1]):
        S[target, i] = S[source, i]


@kernel
def row_stones(S, g, player, r):  # type: ignore[no-untyped-def]
    """Return the stones in the open pits of `player`."""
    first = player * (r[PITS] + 1)
    stones = 0
    for i in range(first, first + r[PITS]):
        stones += max(int(S[g, i]), 0)
    return stones


@kernel
def row_empty(S, g, player, r):  # type: ignore[no-untyped-def]
    """Return whether no open pit of `player` holds a stone."""
    first = player * (r[PITS] + 1)
    for i in range(first, first + r[PITS]):
        if S[g, i] > 0:
            return False
    return True


@kernel
def legal_bits(S, g, r):  # type: ignore[no-untyped-def]
    """Return the legal actions as a bit set: bit i = pit i, bit m = swap; 0 when the game is over."""
    cells = r[CELLS]
    if S[g, cells + OVER]:
        return 0
    player = int(S[g, cells + MOVER])
    first = player * (r[PITS] + 1)
    bits = 0
    for i in range(r[PITS]):
        if S[g, first + i] > 0:
            bits |= 1 << i
    if S[g, cells + PIE] == player + 1:
        bits |= 1 << r[PITS]
    return bits


@kernel
def next_cell(S, g, cell, origin, path, skip_origin, r):  # type: ignore[no-untyped-def]
    """Return the cell that gets the next stone: closed cells are passed by, the origin too if the rules skip it."""
    cell = r[path + cell]
    while S[g, cell] < 0 or (skip_origin and cell == origin):
        cell = r[path + cell]
    return cell


@kernel
def sow(S, g, player, origin, r):  # type: ignore[no-untyped-def]
    """Sow the stones of cell `origin` along the player's path and return the cell of the last stone."""
    path = HEADER + player * r[CELLS]
    skip_origin = r[SKIP_ORIGIN]
    stones = int(S[g, origin])
    S[g, origin] = 0
    if r[FIRST_STONE] and stones > 1:  # the first stone goes back, but a single stone moves on
        S[g, origin] = 1
        stones -= 1
    cell = origin
    while stones > 0:
        cell = next_cell(S, g, cell, origin, path, skip_origin, r)
        S[g, cell] += 1
        stones -= 1
    return cell


@kernel
def trace(S, g, action, out, r):  # type: ignore[no-untyped-def]
    """Write the cells that `action` would sow, in order, into `out: int64[TOTAL]` and return how many there are."""
    player = int(S[g, r[CELLS] + MOVER])
    origin = player * (r[PITS] + 1) + action
    stones = int(S[g, origin]) if action < r[PITS] else 0
    sown = 0
    if r[FIRST_STONE] and stones > 1:
        out[0] = origin
        sown = 1
    cell = origin
    while sown < stones:
        cell = next_cell(S, g, cell, origin, HEADER + player * r[CELLS], r[SKIP_ORIGIN], r)
        out[sown] = cell
        sown += 1
    return sown


@kernel
def capture(S, g, player, last, r):  # type: ignore[no-untyped-def]
    """Move what the last stone captures into the player's store and return how many stones that is."""
    pits = r[PITS]
    first = player * (pits + 1)
    store = first + pits
    captured = 0
    if first <= last < store:
        opposite = 2 * pits - last
        # K4, K6: one stone now means the pit was empty just before the last stone fell.
        if r[CAPTURE] == CAPTURE_CROSS and S[g, last] == 1 and (S[g, opposite] > 0 or r[EMPTY_CAPTURE]):
            captured = 1 + max(int(S[g, opposite]), 0)
            S[g, last] = 0
            S[g, opposite] = min(int(S[g, opposite]), 0)
    elif r[EVEN_CAPTURE] and last % (pits + 1) != pits and S[g, last] % 2 == 0:
        captured = int(S[g, last])
        S[g, last] = 0
    S[g, store] += captured
    return captured


@kernel
def gives_extra_turn(player, last, r):  # type: ignore[no-untyped-def]
    """Return whether a last stone in cell `last` lets the player move again (K5)."""
    if r[EXTRA_TURN] == EXTRA_IN_ANY_STORE:
        return last % (r[PITS] + 1) == r[PITS]
    return r[EXTRA_TURN] == EXTRA_IN_OWN_STORE and last == player * (r[PITS] + 1) + r[PITS]


@kernel
def bank_leftovers(S, g, r):  # type: ignore[no-untyped-def]
    """Give the stones still in the pits to whom the rules name (K9)."""
    width = r[PITS] + 1
    if r[LEFTOVERS] == UNSCORED:
        return
    for player in range(r[PLAYERS]):
        stones = row_stones(S, g, player, r)
        if stones == 0:
            continue
        taker = player if r[LEFTOVERS] == TO_OWNER else (player + 1) % r[PLAYERS]
        S[g, taker * width + r[PITS]] += stones
        for i in range(player * width, player * width + r[PITS]):
            S[g, i] = min(int(S[g, i]), 0)


@kernel
def rows_ended(S, g, turn, r):  # type: ignore[no-untyped-def]
    """Return whether the row test ends the game before seat `turn` moves (K8)."""
    if r[END_CHECK] == END_ON_TURN:
        return row_empty(S, g, turn, r)
    for player in range(r[PLAYERS]):
        if row_empty(S, g, player, r):
            return True
    return False


@kernel
def is_decided(S, g, r):  # type: ignore[no-untyped-def]
    """Return whether a store holds more than half of all stones (K10)."""
    for player in range(r[PLAYERS]):
        if 2 * int(S[g, player * (r[PITS] + 1) + r[PITS]]) > r[TOTAL]:
            return True
    return False


@kernel
def settle(S, g, turn, r):  # type: ignore[no-untyped-def]
    """End the game if it has ended, else give the turn to seat `turn`; return whether it is over."""
    over = rows_ended(S, g, turn, r)
    if over:
        bank_leftovers(S, g, r)
    elif r[STOP_WHEN_DECIDED]:
        over = is_decided(S, g, r)
    S[g, r[CELLS] + MOVER] = turn
    S[g, r[CELLS] + OVER] = ENDED if over else 0
    if over:
        S[g, r[CELLS] + PIE] = 0  # nobody may swap any more
    return over


@kernel
def swap_sides(S, g, player, r):  # type: ignore[no-untyped-def]
    """The pie rule: rows and stores change hands and the other player moves."""
    for i in range(r[PITS] + 1):
        own = S[g, i]
        S[g, i] = S[g, r[PITS] + 1 + i]
        S[g, r[PITS] + 1 + i] = own
    S[g, r[CELLS] + MOVER] = 1 - player


@kernel
def play(S, g, action, r):  # type: ignore[no-untyped-def]
    """Play the legal `action` of the seat to move on row g. Illegal actions are not looked for: see `legal_bits`."""
    tail = r[CELLS]
    player = int(S[g, tail + MOVER])
    S[g, tail + PLY] += S[g, tail + PLY] < 32767
    S[g, tail + CAPTURED] = 0
    S[g, tail + EXTRA] = 0
    if S[g, tail + PIE] == player + 1:  # the right to swap is used up by any first action
        S[g, tail + PIE] = 0
    if action == r[PITS]:
        swap_sides(S, g, player, r)
        return
    last = sow(S, g, player, player * (r[PITS] + 1) + action, r)
    captured = capture(S, g, player, last, r)
    S[g, tail + CAPTURED] = captured
    S[g, tail + SINCE] = 0 if captured else min(int(S[g, tail + SINCE]) + 1, 32767)
    again = gives_extra_turn(player, last, r)  # K7: a capture ends in a pit, so it never is one
    turn = player if again else (player + 1) % r[PLAYERS]
    if not settle(S, g, turn, r) and again:
        S[g, tail + EXTRA] = 1


@kernel
def deal(S, g, first, seed, start, r):  # type: ignore[no-untyped-def]
    """Set row g up for a new game: `start: int16[cells]`, or a random composition of it, seat `first` to move."""
    cells = r[CELLS]
    for i in range(S.shape[1]):
        S[g, i] = start[i] if i < cells else 0
    if r[START] == RANDOM_START:
        for player in range(r[PLAYERS]):
            _compose(S, g, player, combine(seed, player), r)
    S[g, cells + MOVER] = first
    S[g, cells + PIE] = 2 - first if r[PIE_RULE] else 0


@kernel
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
    """Return the score of seat 0 minus the score of seat 1."""
    return int(S[g, r[PITS]]) - int(S[g, 2 * r[PITS] + 1])
