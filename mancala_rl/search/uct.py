"""Tree search with upper confidence bounds and random games (UCT), one position after the other in the same arrays."""

from mancala_rl.kernel import combine, kernel, pick_bit
from mancala_rl.search.rollout import random_rewards
from mancala_rl.search.tree import PROVEN, UNTRIED, back_up, best_action, plant, select


@kernel
def uct_range(lo, hi, games, seeds, moves, settings, exploration, S, T, children, V, values, points, q, r):  # type: ignore[no-untyped-def]
    """Write the move that a search finds in each row lo..hi of `games` into `moves: int64[G]`.

    `settings: int64[4]` are simulations, random games a simulation, whether margins are rewards, and whether a move
    that is the only legal one is searched too. The root is node 0, and the tree is left as the last search leaves it;
    see `mancala_rl.search.tree`. S has one row more than the tree; it, `values: float64[1, P]` and
    `points: int64[1, P]` are scratch.
    """
    rollouts, by_margin, forced_too = settings[1], settings[2], settings[3]
    for g in range(lo, hi):
        for i in range(games.shape[1]):
            S[0, i] = games[g, i]
        plant(S, T, children, V, 0, by_margin, points, r)
        if not forced_too and T[0, UNTRIED] & (T[0, UNTRIED] - 1) == 0:
            moves[g] = pick_bit(T[0, UNTRIED], 0)
            continue
        for number in range(settings[0] + 1):  # the first simulation stays at the root
            if T[0, PROVEN]:
                break
            draw = combine(seeds[g], number)
            leaf = select(S, T, children, V, None, 0, exploration, draw, by_margin, points, r)
            if not T[leaf, PROVEN]:
                random_rewards(S, leaf, S.shape[0] - 1, rollouts, draw, values, 0, by_margin, points, q, r)
            back_up(S, T, children, V, 0, leaf, values, 0, r)
        moves[g] = best_action(S, T, children, V, 0, r)
