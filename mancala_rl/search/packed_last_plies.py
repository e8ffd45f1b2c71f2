"""The last two plies of a search on packed boards: most of it, so they do without frames, lists and table.

Both searches return the value for the player to move, or, where it is outside the window, a bound on that side of it;
the number of nodes; and whether a game goes on beyond one of them.
"""

from mancala_rl.kernel import kernel
from mancala_rl.kernel.packed import Q_PITS, packed_pit, play_packed
from mancala_rl.search.frame import INFINITY

SMALL_GAIN = 1  # what sowing past the own store brings


@kernel
def last_ply(own, opp, beta, q):  # type: ignore[no-untyped-def]
    """Search a position with one ply to go."""
    best, nodes, goes_on = -INFINITY, 0, 0
    for pit in range(int(q[Q_PITS]) - 1, -1, -1):
        if packed_pit(own, pit, q):
            _, _, gain, _, over = play_packed(own, opp, pit, q)
            best = max(best, gain)
            goes_on |= int(not over)
            nodes += 1
            if best >= beta:
                break
    return best, nodes, goes_on


@kernel
def last_two_plies(own, opp, alpha, beta, q):  # type: ignore[no-untyped-def]
    """Search a position with two plies to go, first the moves that capture, move again or end the game."""
    best, nodes, goes_on = -INFINITY, 0, 0
    for quiet in range(2):
        for pit in range(int(q[Q_PITS]) - 1, -1, -1):
            if packed_pit(own, pit, q):
                mine, other, gain, again, over = play_packed(own, opp, pit, q)
                if int(gain <= SMALL_GAIN and not again) == quiet:
                    nodes += 1
                    rest, more, further = 0, 0, 0
                    if not over:
                        first, second = (mine, other) if again else (other, mine)
                        enough = beta - gain if again else gain - max(alpha, best)
                        rest, more, further = last_ply(first, second, enough, q)
                    nodes += more
                    goes_on |= further
                    best = max(best, gain + (rest if again else -rest))
                    if best >= beta:
                        return best, nodes, goes_on
    return best, nodes, goes_on
