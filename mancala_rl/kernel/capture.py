"""What the last stone captures: opposite pits, even pits, chains and their grand slam, a tuzdik."""

import numpy as np

from mancala_rl.kernel.compile import kernel, rare_kernel
from mancala_rl.kernel.layout import (
    CAPTURE,
    CAPTURE_CROSS,
    CELLS,
    CHAIN,
    CHAIN_ANY_SIDE,
    EMPTY_CAPTURE,
    EVEN_CAPTURE,
    GRAND_SLAM,
    HEADER,
    LANDER_STAYS,
    MAX_CHAIN,
    PITS,
    PLAYERS,
    SLAM_LEAVES_FIRST,
    SLAM_LEAVES_LAST,
    SLAM_REST_TO_OPPONENT,
    SLAM_TAKES_NOTHING,
    TUZDIK,
    TUZDIKS,
)
from mancala_rl.kernel.sowing import is_tuzdik

TUZDIK_STONES = 3  # a pit that comes to hold so many can be claimed


@kernel
def row_stones(S, g, player, r):  # type: ignore[no-untyped-def]
    """Return the stones in the open pits of `player`."""
    first = player * (r[PITS] + 1)
    stones = 0
    for i in range(first, first + r[PITS]):
        stones += max(int(S[g, i]), 0)
    return stones


@kernel
def capture_pits(S, g, player, last, r):  # type: ignore[no-untyped-def]
    """Capture opposite pits or an even one (K6, M8); return how many stones go into the player's store.

    Only two players capture. There is no branch in it; see `mancala_rl.kernel.plain`.
    """
    pits = r[PITS]
    first, stones = player * (pits + 1), int(S[g, np.uintp(last)])
    is_own = (last >= first) & (last < first + pits)
    may_cross = is_own & (r[CAPTURE] == CAPTURE_CROSS)
    target = last + (2 * pits - 2 * last) * int(may_cross)
    held = max(int(S[g, np.uintp(target)]), 0)
    # K4, K6: one stone now means the pit was empty just before the last stone fell.
    is_cross = may_cross & (stones == 1) & ((held > 0) | (r[EMPTY_CAPTURE] != 0))
    is_even = (not is_own) & (last != pits) & (last != 2 * pits + 1) & (r[EVEN_CAPTURE] != 0) & (stones & 1 == 0)
    taken = held * int(is_cross | is_even)
    lander = int(is_cross & ((taken == 0) | (r[LANDER_STAYS] == 0)))
    S[g, np.uintp(target)] -= taken
    S[g, np.uintp(last)] -= lander
    S[g, np.uintp(first + pits)] += taken + lander
    return taken + lander


@kernel
def capture(S, g, player, last, r):  # type: ignore[no-untyped-def]
    """Move what the last stone captures into the player's store and return how many stones that is."""
    if last % (r[PITS] + 1) == r[PITS] or is_tuzdik(S, g, last, r):
        return 0
    if r[TUZDIK] and claims_tuzdik(S, g, player, last, r):
        S[g, r[TUZDIKS] + player] = last % (r[PITS] + 1) + 1
        S[g, player * (r[PITS] + 1) + r[PITS]] += S[g, last]
        S[g, last] = 0
        return TUZDIK_STONES
    captured = capture_pits(S, g, player, last, r)
    return captured if captured else capture_chain(S, g, player, last, r)


@rare_kernel
def claims_tuzdik(S, g, player, last, r):  # type: ignore[no-untyped-def]
    """Return whether the last stone claims the opponent's pit it fell into.

    It must be the third stone there; nobody claims two pits, the last pit of a row, or the number the rival holds.
    """
    pit = last % (r[PITS] + 1)
    if last // (r[PITS] + 1) == player or S[g, last] != TUZDIK_STONES or pit == r[PITS] - 1:
        return False
    return S[g, r[TUZDIKS] + player] == 0 and S[g, r[TUZDIKS] + 1 - player] != pit + 1


@rare_kernel
def in_chain(S, g, player, cell, r):  # type: ignore[no-untyped-def]
    """Return whether a chain of `player` may take the pit `cell`: on the right side, with a right number of stones."""
    theirs = cell // (r[PITS] + 1) != player
    stones = int(S[g, cell])
    return (theirs or r[CHAIN_ANY_SIDE]) and 0 < stones <= MAX_CHAIN and r[CHAIN] >> stones & 1


@rare_kernel
def cell_before(S, g, player, cell, r):  # type: ignore[no-untyped-def]
    """Return the cell from which the player's path leads to `cell`; closed ones are passed by."""
    path = HEADER + player * r[CELLS]
    before = cell
    while True:
        before = (before - 1) % r[CELLS]
        if r[path + (before - 1) % r[CELLS]] == before and S[g, before] >= 0:
            return before


@rare_kernel
def chain_end(S, g, player, last, r):  # type: ignore[no-untyped-def]
    """Return how many pits the chain takes that begins in `last` and goes backwards (O3), before any slam rule."""
    length, cell = 0, last
    while cell % (r[PITS] + 1) != r[PITS] and in_chain(S, g, player, cell, r):
        length += 1
        cell = cell_before(S, g, player, cell, r)
        if cell == last:  # once around
            break
    return length


@rare_kernel
def is_slam(S, g, player, last, length, r):  # type: ignore[no-untyped-def]
    """Return whether a chain of so many pits takes all the opponent's stones (O4)."""
    taken, cell = 0, last
    for _ in range(length):
        if cell // (r[PITS] + 1) != player:
            taken += int(S[g, cell])
        cell = cell_before(S, g, player, cell, r)
    return taken > 0 and taken == row_stones(S, g, 1 - player, r)


@rare_kernel
def capture_chain(S, g, player, last, r):  # type: ignore[no-untyped-def]
    """Capture the chain that ends in `last`, a grand slam as its rule says; return how many stones that is."""
    length = chain_end(S, g, player, last, r)
    if length == 0:
        return 0
    slam = is_slam(S, g, player, last, length, r)
    spared = -1
    if slam and r[GRAND_SLAM] == SLAM_TAKES_NOTHING:
        return 0
    if slam and r[GRAND_SLAM] == SLAM_LEAVES_LAST:
        spared = 0
    elif slam and r[GRAND_SLAM] == SLAM_LEAVES_FIRST:
        spared = length - 1
    captured, cell = 0, last
    for k in range(length):
        before = cell_before(S, g, player, cell, r)
        if k != spared:
            captured += int(S[g, cell])
            S[g, cell] = 0
        cell = before
    S[g, player * (r[PITS] + 1) + r[PITS]] += captured
    if slam and r[GRAND_SLAM] == SLAM_REST_TO_OPPONENT:
        bank_row(S, g, player, 1 - player, r)
    return captured


@kernel
def bank_row(S, g, player, taker, r):  # type: ignore[no-untyped-def]
    """Move all stones in the pits of `player` into the store of `taker`."""
    first = player * (r[PITS] + 1)
    store = taker * (r[PITS] + 1) + r[PITS]
    for i in range(first, first + r[PITS]):
        if S[g, i] > 0:
            S[g, store] += S[g, i]
            S[g, i] = 0


@kernel
def bank_rows(S, g, r):  # type: ignore[no-untyped-def]
    """Let each player bank the stones on the own side."""
    for player in range(r[PLAYERS]):
        bank_row(S, g, player, player, r)
