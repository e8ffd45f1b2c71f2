"""What a position is worth by random games from it to the end."""

from mancala_rl.kernel import copy_row, kernel, legal_bits, pick_bit, play
from mancala_rl.kernel.layout import PITS, PLAYERS, RESIGN, TOTAL
from mancala_rl.kernel.random import combine
from mancala_rl.search.packed import MAX_PLIES, can_pack, random_margin
from mancala_rl.search.tree import add_rewards


@kernel
def random_rewards(S, g, scratch, rollouts, seed, values, at, by_margin, points, table, r):  # type: ignore[no-untyped-def]
    """Write the mean reward of every seat in `rollouts` random games from game g into row `at` of `values`.

    `seed` draws the moves; row `scratch` of S and `points: int64[1, P]` are overwritten; for `table` see
    `mancala_rl.search.packed`. Where stones decide, a game of two is played until it is decided.
    """
    for seat in range(r[PLAYERS]):
        values[at, seat] = 0.0
    packed = can_pack(S, g, table, r)
    for number in range(rollouts):
        draw = combine(seed, number)
        if packed:
            margin = random_margin(S, g, draw, not by_margin, table, r)
            reward = margin / r[TOTAL] if by_margin else float(int(margin > 0) - int(margin < 0))
            values[at, 0] += reward
            values[at, 1] -= reward
        else:
            copy_row(S, g, scratch)
            play_randomly(S, scratch, draw, r)
            add_rewards(S, scratch, values, at, by_margin, points, r)
    for seat in range(r[PLAYERS]):
        values[at, seat] /= rollouts


@kernel
def play_randomly(S, g, seed, r):  # type: ignore[no-untyped-def]
    """Play game g to its end by uniformly random moves, none of them giving up."""
    for ply in range(MAX_PLIES):
        bits = legal_bits(S, g, r)
        if r[RESIGN]:
            bits &= (1 << r[PITS]) - 1
        if bits == 0:
            return
        play(S, g, pick_bit(bits, seed + ply), r)
