"""The greedy player: it plays every legal move once and looks at what came of it."""

import numpy as np
from numpy.typing import NDArray

from mancala_rl.agent import check_batch, equal_chances
from mancala_rl.kernel import copy_row, kernel, legal_bits, pick_bit, play, row_stones
from mancala_rl.kernel.layout import CAPTURED, CELLS, EXTRA, GOAL_EMPTY, MAX_PITS, MOVER, PITS, PLACES
from mancala_rl.rules import Batch, Rules

WEIGHT = 1 << 16  # more than any difference of stones


class Greedy:
    """Prefers an extra turn to a capture, a larger capture to a smaller one, then the larger gain of its own store.

    Where the first to empty the own side wins it prefers finishing to an extra turn, then what takes most stones off
    its side, then the pit farthest from the store, and never gives up. Moves equal in all that are equally likely.
    """

    def __init__(self, rules: Rules, name: str = "greedy") -> None:
        self.rules = rules
        self.name = name

    def act(self, batch: Batch, seeds: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return one move a game, int64[B]; `seeds: int64[B]` decide between equals.

        Raises:
            AgentError: games of other rules.
        """
        check_batch(self.name, self.rules, batch)
        moves = np.empty(len(batch), np.int64)
        scratch = np.empty((2, self.rules.row_length), np.int16)
        greedy_range(0, len(batch), batch.rows, seeds, moves, scratch, self.rules.array)
        return moves

    def distribution(self, batch: Batch) -> NDArray[np.float64]:
        """Return how likely every action is, float64[B, num_actions]."""
        check_batch(self.name, self.rules, batch)
        bits = np.empty(len(batch), np.int64)
        scratch = np.empty((2, self.rules.row_length), np.int16)
        greedy_bits_range(0, len(batch), batch.rows, bits, scratch, self.rules.array)
        return equal_chances(bits, self.rules.num_actions)


@kernel
def greedy_range(lo, hi, games, seeds, moves, S, r):  # type: ignore[no-untyped-def]
    """Write the greedy move of each row lo..hi of `games` into `moves: int64[G]`; `S: int16[2, L]` is scratch."""
    for g in range(lo, hi):
        moves[g] = pick_bit(greedy_bits(games, g, S, r), seeds[g])


@kernel
def greedy_bits_range(lo, hi, games, bits, S, r):  # type: ignore[no-untyped-def]
    """Write the greedy moves of each row lo..hi of `games` into the sets `bits: int64[G]`; `S` is scratch."""
    for g in range(lo, hi):
        bits[g] = greedy_bits(games, g, S, r)


@kernel
def greedy_bits(games, g, S, r):  # type: ignore[no-untyped-def]
    """Return the bit set of the greedy moves of row g of `games`; `S: int16[2, L]` is scratch."""
    for i in range(games.shape[1]):
        S[0, i] = games[g, i]
    return best_at_once(S, r)


@kernel
def best_at_once(S, r):  # type: ignore[no-untyped-def]
    """Return the bit set of the greedy moves of row 0; row 1 is scratch."""
    bits = legal_bits(S, 0, r)
    best, ties = -WEIGHT * WEIGHT, 0
    for move in range(r[PITS] + 1):
        if bits >> move & 1:
            appeal = appeal_of(S, move, r)
            if appeal > best:
                best, ties = appeal, 0
            if appeal == best:
                ties |= 1 << move
    return ties


@kernel
def appeal_of(S, move, r):  # type: ignore[no-untyped-def]
    """Return a number that orders moves of row 0 by extra turn, then capture, then gain of the mover's store."""
    player = int(S[0, r[CELLS] + MOVER])
    store = player * (r[PITS] + 1) + r[PITS]
    copy_row(S, 0, 1)
    play(S, 1, move, r)
    if r[GOAL_EMPTY]:
        return appeal_in_a_race(S, player, move, r)
    extra, captured = int(S[1, r[CELLS] + EXTRA]), int(S[1, r[CELLS] + CAPTURED])
    return (extra * WEIGHT + captured) * WEIGHT + int(S[1, store]) - int(S[0, store])


@kernel
def appeal_in_a_race(S, player, move, r):  # type: ignore[no-untyped-def]
    """Return a number that orders moves from row 0 to row 1: finish, extra turn, stones off the side, farthest pit."""
    if move == r[PITS]:
        return -1  # giving up
    finished = S[1, r[CELLS] + PLACES + player] > 0
    gone = row_stones(S, 0, player, r) - row_stones(S, 1, player, r)
    # The far pits first: who leaves them to the end needs many moves for them, and loses to chance.
    return (finished * WEIGHT + int(S[1, r[CELLS] + EXTRA])) * WEIGHT + gone * (MAX_PITS + 1) + r[PITS] - move
