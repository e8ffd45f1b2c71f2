"""What a position is worth by random games from it to the end."""

from mancala_rl.kernel import copy_row, kernel, legal_bits, pick_bit, play
from mancala_rl.kernel.layout import PITS, PLAYERS, RESIGN, TOTAL
from mancala_rl.kernel.packed import can_pack
from mancala_rl.kernel.random import combine
from mancala_rl.search.random_game import MAX_PLIES, random_margin
from mancala_rl.search.tree import add_rewards


@kernel
def random_rewards(S, g, scratch, rollouts, seed, values, at, by_margin, points, q, r):  # type: ignore[no-untyped-def]
    """Write the mean reward of every seat in `rollouts` random games from game g into row `at` of `values`.

    `seed` draws the moves; row `scratch` of S and `points: int64[1, P]` are overwritten; for `q` see
    `random_game_rules`. Where stones decide, a game of two is played until it is decided.
    """
    for seat in range(r[PLAYERS]):
        values[at, seat] = 0.0
    packed = q.shape[0] > 1 and can_pack(S, g, r)
    for number in range(rollouts):
        draw = combine(seed, number)
        if packed:
            margin = random_margin(S, g, draw, not by_margin, q, r)
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
