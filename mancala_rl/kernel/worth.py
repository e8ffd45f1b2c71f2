"""What a game is worth to each seat: places, rewards by place, margins, and how a forfeit is shared out.

`values: float64[G, P]` are rewards. More merit is a better place; equal merits share places.
"""

import numpy as np

from mancala_rl.kernel.compile import kernel
from mancala_rl.kernel.layout import CELLS, GOAL_EMPTY, PITS, PLACES, PLAYERS, TOTAL


@kernel
def score(S, g, player, r):  # type: ignore[no-untyped-def]
    """Return the stones that count for `player`: those in the store, 0 for one that is lifted off the board."""
    return max(int(S[g, np.uintp(player * (r[PITS] + 1) + r[PITS])]), 0)


@kernel
def merit(S, g, player, r):  # type: ignore[no-untyped-def]
    """Return the score, or where the first to empty the own side wins, the place with the sign changed.

    Who has no place yet stands behind those who finished and before those who gave up: at the first place free.
    """
    if not r[GOAL_EMPTY]:
        return score(S, g, player, r)
    places = r[CELLS] + PLACES
    place = int(S[g, places + player])
    if place:
        return -place
    taken = 0
    for other in range(r[PLAYERS]):
        taken |= 1 << int(S[g, places + other])
    free = 1
    while taken >> free & 1:
        free += 1
    return -free


@kernel
def write_merits(S, g, points, at, r):  # type: ignore[no-untyped-def]
    """Write the merits of all seats of game g into row `at` of `points: int64[G, P]`."""
    for player in range(r[PLAYERS]):
        points[at, player] = merit(S, g, player, r)


@kernel
def worth(points, g, player, players):  # type: ignore[no-untyped-def]
    """Return the reward of `player` by row g of `points: int64[G, P]`.

    Place k of P is worth 1 - 2(k - 1)/(P - 1), seats that share places take the mean; the sum is zero (J11).
    """
    ahead = 0
    for other in range(players):
        ahead += int(points[g, other] < points[g, player]) - int(points[g, other] > points[g, player])
    return ahead / (players - 1)


@kernel
def margin_share(S, g, player, r):  # type: ignore[no-untyped-def]
    """Return the own score minus the mean score of the others, over all stones of the game."""
    own, everybody = score(S, g, player, r), 0
    for other in range(r[PLAYERS]):
        everybody += score(S, g, other, r)
    return (own - (everybody - own) / (r[PLAYERS] - 1)) / r[TOTAL]


@kernel
def share_forfeit(values, g, loser, playing, players):  # type: ignore[no-untyped-def]
    """Let `loser` lose by an illegal move: -1, and the others still playing share what makes the sum of a game 0.

    Row g of `values` holds what players who are out have been paid; `playing` is the bit set of all others, the loser
    among them.
    """
    rest, sharing = 1.0, 0
    for player in range(players):
        if not playing >> player & 1:
            rest -= values[g, player]
        elif player != loser:
            sharing += 1
    for player in range(players):
        if playing >> player & 1:
            values[g, player] = -1.0 if player == loser else rest / sharing


@kernel
def merit_range(lo, hi, S, points, r):  # type: ignore[no-untyped-def]
    """Write the merits in the rows lo..hi into `points: int64[G, P]`."""
    for g in range(lo, hi):
        write_merits(S, g, points, g, r)


@kernel
def worth_range(lo, hi, points, values):  # type: ignore[no-untyped-def]
    """Write the rewards by the rows lo..hi of `points: int64[G, P]` into `values: float64[G, P]`."""
    for g in range(lo, hi):
        for player in range(points.shape[1]):
            values[g, player] = worth(points, g, player, points.shape[1])


@kernel
def margin_range(lo, hi, S, values, r):  # type: ignore[no-untyped-def]
    """Write the margins in the rows lo..hi into `values: float64[G, P]`."""
    for g in range(lo, hi):
        for player in range(r[PLAYERS]):
            values[g, player] = margin_share(S, g, player, r)
