"""B games at once: what is known of each beside its row, and the kernels that move, start and show them.

Games may have records of their own. `R: int64[K, N]` and `starts: int16[K, C]` hold the arrays of all K records, padded
with zeros at the end; column RECORD says which one a game has. Rows are as long as the longest record needs.

Actions and masks are numbered alike in all games: pit i is action i, and the action that is no pit (swap, give up) is
the one after the most `pits` that any record has. Column LEGAL holds a bit set in this numbering.
"""

import numpy as np

from mancala_rl.envs.episode import DRAW_RECORD, DRAW_SEAT, DRAW_TURNS, begin, drawn
from mancala_rl.envs.observation import write_counts
from mancala_rl.kernel import combine, is_majority, kernel, legal_bits, play_and_list, score, share_forfeit
from mancala_rl.kernel.layout import (
    CAPTURED,
    CELLS,
    ENDED,
    EXTRA,
    GOAL_EMPTY,
    MOVER,
    OVER,
    PITS,
    PLACES,
    PLAYERS,
    PLAYING,
    PLY,
)
from mancala_rl.kernel.worth import margin_share, worth, write_merits

# The columns of `G: int64[B, COLUMNS]`.
RECORD = 0  # index of the game's rules
STREAM = 1  # what chance is drawn from
EPISODE = 2  # number of the episode in the stream
SEAT = 3  # the learner's, -1 if every seat is one's own
TURNS = 4  # seeds the opponents' moves
LEGAL = 5  # bit set of the legal actions, 0 when nobody has one
TO_MOVE = 6  # the seat to move, -1 when the game is over
STATUS = 7  # what the last move or start made of it: PLAYING, ENDED or CUT_OFF
FORFEITED = 8  # 1 if that was an illegal move
PAID = 9  # bit set of the seats that have had their reward
IDLE = 10  # 1 if the game is over and waits for a new start
COLUMNS = 11

# The entries of `plan: int64[PLAN]`: how episodes begin.
FIRST_SEAT = 0  # -1 = drawn
LEARNER = 1  # seat of the learner, NOBODY, or ANYBODY = drawn
FEWEST, MOST = 2, 3  # random plies
REDRAW = 4  # 1 = every episode draws its record
GIVEN = 5  # 1 = rows come from `given`
OPENING = 6  # the code that plays random plies
PLAN = 7
NOBODY, ANYBODY = -1, -2

# The rows of `facts: int64[SCORES + P, B]` and `flags: bool[FLAGS, B]`: what infos tell.
FACT_PLY, FACT_CAPTURED, FACT_SEAT, SCORES = range(4)
FLAG_EXTRA, FLAG_DECIDED, FLAG_FORFEITED, FLAGS = range(4)


@kernel
def note(S, G, g, bits, values, points, margins, pits, r):  # type: ignore[no-untyped-def]
    """Take in what game g has become: who is to move, what is legal (`bits`), whether it is over and for whom."""
    tail = r[CELLS]
    status = int(S[g, np.uintp(tail + OVER)])
    several_leave = r[GOAL_EMPTY] and r[PLAYERS] > 2
    if status or several_leave:
        pay(S, G, g, values, points, margins, r)
    if several_leave and G[g, SEAT] >= 0 and S[g, tail + PLACES + G[g, SEAT]]:
        status = ENDED  # for the learner, though others may play on
    G[g, STATUS] = status
    if status:
        G[g, LEGAL] = 0
        G[g, TO_MOVE] = -1
        return
    G[g, LEGAL] = (bits & ((1 << r[PITS]) - 1)) | bits >> r[PITS] << pits
    G[g, TO_MOVE] = S[g, np.uintp(tail + MOVER)]


@kernel
def pay(S, G, g, values, points, margins, r):  # type: ignore[no-untyped-def]
    """Write the rewards of the seats that are out and have not had theirs, of all when the game is over."""
    over = S[g, r[CELLS] + OVER]
    write_merits(S, g, points, 0, r)
    for player in range(r[PLAYERS]):
        if not G[g, PAID] >> player & 1 and (over or S[g, r[CELLS] + PLACES + player]):
            values[g, player] = margin_share(S, g, player, r) if margins else worth(points, 0, player, r[PLAYERS])
            G[g, PAID] |= 1 << player


@kernel
def seats_out(S, g, r):  # type: ignore[no-untyped-def]
    """Return the bit set of the seats that are out of game g."""
    bits = 0
    for player in range(r[PLAYERS]):
        bits |= int(S[g, r[CELLS] + PLACES + player] > 0) << player
    return bits


@kernel
def lose(S, G, g, values, points, r):  # type: ignore[no-untyped-def]
    """End game g because the seat to move made an illegal move: it loses, the others share what that leaves."""
    write_merits(S, g, points, 0, r)
    paid = G[g, PAID]
    for player in range(r[PLAYERS]):
        if paid >> player & 1:
            values[g, player] = worth(points, 0, player, r[PLAYERS])
    share_forfeit(values, g, G[g, TO_MOVE], ((1 << r[PLAYERS]) - 1) & ~paid, r[PLAYERS])
    for player in range(r[PLAYERS]):
        if paid >> player & 1:
            values[g, player] = 0.0
    G[g, STATUS], G[g, FORFEITED], G[g, LEGAL], G[g, TO_MOVE] = ENDED, 1, 0, -1


@kernel
def act(S, G, g, action, values, points, margins, pits, R):  # type: ignore[no-untyped-def]
    """Play `action` in game g, or end it if that is illegal."""
    r = R[G[g, RECORD]]
    if not G[g, LEGAL] >> action & 1:
        lose(S, G, g, values, points, r)
        return
    bits = play_and_list(S, g, r[PITS] if action == pits else action, r)
    note(S, G, g, bits, values, points, margins, pits, r)


@kernel
def open_turn(G, g, values):  # type: ignore[no-untyped-def]
    """Forget what the last step has made of game g."""
    for player in range(values.shape[1]):
        values[g, player] = 0.0
    G[g, STATUS], G[g, FORFEITED] = PLAYING, 0


@kernel
def act_games(games, S, G, actions, opens, values, points, margins, pits, R):  # type: ignore[no-untyped-def]
    """Play `actions[i]` in game `games[i]`, both int64[N], if it runs.

    `values: float64[B, P]` get the rewards, `points: int64[1, P]` is overwritten, `margins` is 1 for rewards by margin.
    With `opens` = 1 a new step begins, and who moves illegally loses. Else the moves are replies, and the first i that
    is illegal is returned, -1 if there is none; nothing after an illegal reply is played.
    """
    for i in range(len(games)):
        g = games[i]
        if opens:
            open_turn(G, g, values)
        elif not 0 <= actions[i] <= pits or not G[g, LEGAL] >> actions[i] & 1:
            return i
        if not G[g, IDLE]:
            act(S, G, g, actions[i], values, points, margins, pits, R)
    return -1


@kernel
def step_range(lo, hi, S, G, actions, values, points, margins, ended, obs, mask, facts, flags, counts, pits, R):  # type: ignore[no-untyped-def]
    """Play `actions: int64[B]` in the games lo..hi that run, a new step, and show at once those that go on.

    The numbers of the others are written into `ended: int64[B]` from place lo on; returned is how many there are. For
    the other arguments see `act_games` and `show_games`.
    """
    count = lo - lo
    for g in range(lo, hi):
        open_turn(G, g, values)
        if not G[g, IDLE]:
            act(S, G, g, actions[g], values, points, margins, pits, R)
        if G[g, STATUS]:
            ended[lo + count] = g
            count += 1
        else:
            show(S, G, g, obs, mask, facts, flags, counts, pits, R)
    return count


@kernel
def renew_games(games, S, G, plan, given, values, points, margins, pits, starts, R):  # type: ignore[no-untyped-def]
    """Start the next episode of `games: int64[N]`; `given: int16[B, L]` are rows to start from if the plan says so."""
    for i in range(len(games)):
        g = games[i]
        G[g, EPISODE] += 1
        stream, episode = G[g, STREAM], G[g, EPISODE]
        if plan[REDRAW]:
            G[g, RECORD] = drawn(R.shape[0], stream, episode, DRAW_RECORD)
        r = R[G[g, RECORD]]
        if plan[GIVEN]:
            for cell in range(S.shape[1]):
                S[g, cell] = given[g, cell]
        else:
            length = plan[FEWEST], plan[MOST]
            begin(S, g, stream, episode, plan[FIRST_SEAT], *length, plan[OPENING], starts[G[g, RECORD]], r)
        G[g, SEAT] = plan[LEARNER] if plan[LEARNER] != ANYBODY else drawn(r[PLAYERS], stream, episode, DRAW_SEAT)
        G[g, TURNS] = combine(combine(stream, episode), DRAW_TURNS)
        G[g, IDLE] = G[g, FORFEITED] = 0
        G[g, PAID] = seats_out(S, g, r)  # they are not in this game, and the rewards may still be those of the last
        note(S, G, g, legal_bits(S, g, r), values, points, margins, pits, r)


@kernel
def show(S, G, g, obs, mask, facts, flags, counts, pits, R):  # type: ignore[no-untyped-def]
    """Write what game g looks like now; see `show_games`."""
    r = R[G[g, RECORD]]
    tail, legal = r[CELLS], G[g, LEGAL]
    for action in range(mask.shape[1]):
        mask[g, action] = legal >> action & 1
    facts[FACT_PLY, g] = S[g, np.uintp(tail + PLY)]
    facts[FACT_CAPTURED, g] = S[g, np.uintp(tail + CAPTURED)]
    facts[FACT_SEAT, g] = G[g, SEAT] if G[g, SEAT] >= 0 else G[g, TO_MOVE]
    most = legal - legal
    for player in range(facts.shape[0] - SCORES):
        stones = score(S, g, player, r) if player < r[PLAYERS] else 0
        facts[SCORES + player, g] = stones
        most = max(most, stones)
    flags[FLAG_EXTRA, g] = S[g, np.uintp(tail + EXTRA)] > 0
    flags[FLAG_DECIDED, g] = is_majority(most, r)
    flags[FLAG_FORFEITED, g] = G[g, FORFEITED] > 0
    if counts:
        seat = G[g, SEAT] if G[g, SEAT] >= 0 else int(S[g, np.uintp(tail + MOVER)])
        if r[CELLS] == obs.shape[1]:
            write_counts(S, g, seat, obs, r)
        else:
            write_padded_counts(S, g, seat, obs, pits, r)


@kernel
def show_games(games, S, G, obs, mask, facts, flags, counts, pits, R):  # type: ignore[no-untyped-def]
    """Write what `games: int64[N]` look like now.

    `mask: int8[B, A]`, `facts: int64[SCORES + P, B]`, `flags: bool[FLAGS, B]`, and if `counts` is 1, the cells as the
    learner or the seat to move sees them into `obs: int16[B, D]`.
    """
    for i in range(len(games)):
        show(S, G, games[i], obs, mask, facts, flags, counts, pits, R)


@kernel
def write_padded_counts(S, g, seat, obs, pits, r):  # type: ignore[no-untyped-def]
    """Write all cells of game g, those of `seat` first, every row as long as `pits`; missing cells hold -1."""
    width, own_width = pits + 1, r[PITS] + 1
    for at in range(obs.shape[1]):
        obs[g, at] = -1
    for turn in range(r[PLAYERS]):
        first = (seat + turn) % r[PLAYERS] * own_width
        for i in range(r[PITS]):
            obs[g, turn * width + i] = S[g, first + i]
        obs[g, turn * width + pits] = S[g, first + r[PITS]]


@kernel
def count_outside(actions, limit):  # type: ignore[no-untyped-def]
    """Return how many of the actions are not in [0, limit)."""
    count = limit - limit
    for g in range(len(actions)):
        count += (actions[g] < 0) | (actions[g] >= limit)
    return count
