"""Many games at once: the same move on the rows lo..hi, without the interpreter between them.

Every function here releases the GIL and touches only its own rows, so a range can be cut among threads.
"""

from mancala_rl.kernel.compile import allocating_kernel, kernel
from mancala_rl.kernel.layout import CELLS, OVER, PITS
from mancala_rl.kernel.legal import legal_bits
from mancala_rl.kernel.moves import copy_row, deal, play
from mancala_rl.kernel.random import combine, pick_bit


@kernel
def play_range(lo, hi, S, actions, r):  # type: ignore[no-untyped-def]
    """Play `actions: int64[G]` on the rows lo..hi. All must be legal: see `first_illegal`."""
    for g in range(lo, hi):
        play(S, g, actions[g], r)


@kernel
def first_illegal(S, actions, r):  # type: ignore[no-untyped-def]
    """Return the first game whose action is not legal, -1 if there is none."""
    for g in range(S.shape[0]):
        if actions[g] < 0 or actions[g] > r[PITS] or not legal_bits(S, g, r) >> actions[g] & 1:
            return g
    return -1


@kernel
def legal_range(lo, hi, S, bits, r):  # type: ignore[no-untyped-def]
    """Write the legal actions of the rows lo..hi into `bits: int64[G]`."""
    for g in range(lo, hi):
        bits[g] = legal_bits(S, g, r)


@kernel
def mask_range(lo, hi, S, mask, r):  # type: ignore[no-untyped-def]
    """Write the legal actions of the rows lo..hi into `mask: bool[G, A]`."""
    for g in range(lo, hi):
        bits = legal_bits(S, g, r)
        for a in range(mask.shape[1]):
            mask[g, a] = bits >> a & 1


@kernel
def deal_range(lo, hi, S, first, seeds, start, r):  # type: ignore[no-untyped-def]
    """Set the rows lo..hi up for new games; `first: int64[G]` starts, `seeds: int64[G]` draw random starts."""
    for g in range(lo, hi):
        deal(S, g, first[g], seeds[g], start, r)


@kernel
def random_opening(S, g, plies, seed, before, r):  # type: ignore[no-untyped-def]
    """Play `plies` random legal moves on row g, stopping before one that would end the game.

    `before: int16[1, L]` is overwritten.
    """
    for ply in range(plies):
        bits = legal_bits(S, g, r)
        if not bits:
            break
        for i in range(S.shape[1]):
            before[0, i] = S[g, i]
        play(S, g, pick_bit(bits, combine(seed, ply)), r)
        if S[g, r[CELLS] + OVER]:
            for i in range(S.shape[1]):
                S[g, i] = before[0, i]
            break


@allocating_kernel
def random_plies(S, plies, seeds, r):  # type: ignore[no-untyped-def]
    """Play `plies: int64[G]` random legal moves on every row, stopping before a move that would end the game.

    `seeds: int64[G]` make the moves reproducible.
    """
    before = S[:1].copy()
    for g in range(S.shape[0]):
        random_opening(S, g, plies[g], seeds[g], before, r)


@kernel
def random_games(S, seeds, r):  # type: ignore[no-untyped-def]
    """Play every row to its end by uniformly random legal moves and return the number of moves made."""
    moves = 0
    for g in range(S.shape[0]):
        bits = legal_bits(S, g, r)
        ply = 0
        while bits:
            play(S, g, pick_bit(bits, combine(seeds[g], ply)), r)
            bits = legal_bits(S, g, r)
            ply += 1
        moves += ply
    return moves


@allocating_kernel
def perft(S, depth, r):  # type: ignore[no-untyped-def]
    """Return the number of sequences of exactly `depth` legal moves from row 0; rows 1..depth are scratch."""
    count = 0
    if depth == 0:
        return 1
    left = [legal_bits(S, 0, r)]
    ply = 0
    while ply >= 0:
        bits = left[ply]
        if not bits:
            ply -= 1
            left.pop()
            continue
        left[ply] = bits & (bits - 1)
        copy_row(S, ply, ply + 1)
        play(S, ply + 1, pick_bit(bits & -bits, 0), r)
        if ply + 1 == depth:
            count += 1
        else:
            left.append(legal_bits(S, ply + 1, r))
            ply += 1
    return count
