"""Where the stones of a move fall: laps, relays, and the cells in between that get none.

K, M, O, J number the rules of the variants; see `mancala_rl/rules/`.
"""

import numpy as np

from mancala_rl.kernel.compile import kernel, rare_kernel
from mancala_rl.kernel.layout import (
    APART,
    CAPTURED,
    CELL_BITS,
    CELLS,
    CELLS_A_WORD,
    DISTANCES,
    EXTRA_IN_ANY_STORE,
    EXTRA_IN_OWN_STORE,
    EXTRA_TURN,
    FIRST_STONE,
    HEADER,
    MOVER,
    PITS,
    RELAY,
    RELAY_FROM_LAST,
    RELAY_LIMIT,
    ROUND,
    ROUTES,
    SKIP_ORIGIN,
    TUZDIK,
    TUZDIKS,
    WORDS,
)
from mancala_rl.kernel.words import SIGNS, at_most, load_word, store_word


@kernel
def mover_of(S, g, r):  # type: ignore[no-untyped-def]
    """Return the seat to move, as int64; see `mancala_rl.kernel.compile`."""
    return 0 + int(S[g, np.uintp(r[CELLS] + MOVER)])


@kernel
def next_cell(S, g, cell, origin, path, skip_origin, r):  # type: ignore[no-untyped-def]
    """Return the cell that gets the next stone: closed cells are passed by, the origin too if the rules skip it."""
    cell = r[path + cell]
    while S[g, cell] < 0 or (skip_origin and cell == origin):
        cell = r[path + cell]
    return cell


@kernel
def gives_extra_turn(player, last, r):  # type: ignore[no-untyped-def]
    """Return whether a last stone in cell `last` lets the player move again (K5, J5, M6)."""
    if r[EXTRA_TURN] == EXTRA_IN_ANY_STORE:
        return last % (r[PITS] + 1) == r[PITS]
    return r[EXTRA_TURN] == EXTRA_IN_OWN_STORE and last == player * (r[PITS] + 1) + r[PITS]


@kernel
def sow_lap(S, g, player, origin, r):  # type: ignore[no-untyped-def]
    """Sow the stones of cell `origin` along the player's path and return the cell of the last stone."""
    held = int(S[g, np.uintp(origin)])
    stays = int((r[FIRST_STONE] != 0) & (held > 1))  # M3: the first stone goes back. M4: a single stone moves on
    stones = held - stays
    table = player * r[APART] + origin
    distances = r[DISTANCES] + table * r[WORDS]
    whole = r[ROUND] - r[SKIP_ORIGIN]
    falling = min(stones, whole)
    if drop(S, g, origin, stones, falling, distances, r):
        lift(S, g, falling, distances, r)
        return walk(S, g, player, origin, stones, r)
    while stones > whole:
        stones -= whole
        falling = min(stones, whole)
        drop(S, g, origin, 0, falling, distances, r)
    return r[np.uintp(r[ROUTES] + table * r[CELLS] + max(falling, 1) - 1)]


@kernel
def drop(S, g, origin, taken, stones, distances, r):  # type: ignore[no-untyped-def]
    """Take up `taken` stones, and let `stones`, no more than go once round, fall at the given `distances`.

    Returns whether any cell is closed. Going through all cells, four at a time, costs less than stone after stone:
    nothing depends on how many there are.
    """
    signs, from_word = stones - stones, origin >> 2
    up = taken << (int(origin) & 3) * CELL_BITS
    for word in range(r[WORDS]):
        held = load_word(S, g, word * CELLS_A_WORD)
        signs |= held
        falling = at_most(r[np.uintp(distances + word)], stones)
        store_word(S, g, word * CELLS_A_WORD, held + falling - (up if word == from_word else 0))
    return signs & SIGNS != 0


@rare_kernel
def lift(S, g, stones, distances, r):  # type: ignore[no-untyped-def]
    """Undo what `drop` did."""
    for word in range(r[WORDS]):
        held = load_word(S, g, word * CELLS_A_WORD)
        store_word(S, g, word * CELLS_A_WORD, held - at_most(r[distances + word], stones))


@rare_kernel
def walk(S, g, player, origin, stones, r):  # type: ignore[no-untyped-def]
    """Let stones fall one after the other past closed cells; return where the last one fell."""
    cell = origin
    while stones > 0:
        cell = next_cell(S, g, cell, origin, HEADER + player * r[CELLS], r[SKIP_ORIGIN], r)
        S[g, cell] += 1
        stones -= 1
    return cell


@rare_kernel
def sow(S, g, player, origin, r):  # type: ignore[no-untyped-def]
    """Sow the pit `origin`, lap after lap if the rules have relays, and return the cell of the last stone."""
    pit, last, laps = origin, origin, 0
    while pit >= 0 and (laps == 0 or laps != r[RELAY_LIMIT]):
        last = sow_lap(S, g, player, pit, r)
        pit = next_pit(S, g, player, last, r)
        laps += 1
    return last


@rare_kernel
def next_pit(S, g, player, last, r):  # type: ignore[no-untyped-def]
    """Finish a lap that ended in `last`; return the pit that a relay takes up, -1 for none.

    What fell into a tuzdik goes to its owner. A store and a tuzdik end every sowing.
    """
    width = r[PITS] + 1
    if r[TUZDIK]:
        empty_tuzdiks(S, g, player, r)
    if not r[RELAY] or last % width == r[PITS] or is_tuzdik(S, g, last, r):
        return -1
    if r[RELAY] == RELAY_FROM_LAST:
        return last if S[g, last] >= 2 else -1
    following = next_cell(S, g, last, r[CELLS], HEADER + player * r[CELLS], r[SKIP_ORIGIN], r)  # skips no cell
    return following if following % width != r[PITS] and S[g, following] > 0 else -1


@rare_kernel
def trace(S, g, action, out, r):  # type: ignore[no-untyped-def]
    """Sow `action` and write the cells, in order, into `out: int64[N]` as far as it reaches; return how many there are.

    Row g is spoilt: give a copy of the game.
    """
    if action >= r[PITS]:
        return 0
    player = mover_of(S, g, r)
    pit, sown, laps = player * (r[PITS] + 1) + action, g - g, 0
    while pit >= 0 and (laps == 0 or laps != r[RELAY_LIMIT]):
        sown = trace_lap(S, g, player, pit, sown, out, r)
        pit = next_pit(S, g, player, sow_lap(S, g, player, pit, r), r)
        laps += 1
    return sown


@rare_kernel
def trace_lap(S, g, player, origin, sown, out, r):  # type: ignore[no-untyped-def]
    """Write the cells of one lap behind the `sown` ones already in `out`; return how many there are then."""
    cell, stones = origin, int(S[g, origin])
    for k in range(stones):
        if k > 0 or not r[FIRST_STONE] or stones == 1:
            cell = next_cell(S, g, cell, origin, HEADER + player * r[CELLS], r[SKIP_ORIGIN], r)
        if sown < out.shape[0]:
            out[sown] = cell
        sown += 1
    return sown


@rare_kernel
def tuzdik_cell(S, g, player, r):  # type: ignore[no-untyped-def]
    """Return the cell of the opponent's row that `player` has claimed, -1 for none."""
    if not r[TUZDIK] or S[g, r[TUZDIKS] + player] == 0:
        return -1
    return (1 - player) * (r[PITS] + 1) + int(S[g, r[TUZDIKS] + player]) - 1


@rare_kernel
def is_tuzdik(S, g, cell, r):  # type: ignore[no-untyped-def]
    """Return whether a cell has been claimed by either player."""
    for player in range(2):
        if cell == tuzdik_cell(S, g, player, r):
            return True
    return False


@rare_kernel
def empty_tuzdiks(S, g, mover, r):  # type: ignore[no-untyped-def]
    """Move what has fallen into the tuzdiks into their owners' stores; the mover has captured what is its own."""
    for player in range(2):
        cell = tuzdik_cell(S, g, player, r)
        if cell >= 0:
            S[g, player * (r[PITS] + 1) + r[PITS]] += S[g, cell]
            if player == mover:
                S[g, r[CELLS] + CAPTURED] += S[g, cell]
            S[g, cell] = 0
