"""When a game is over, who gets the stones that are left, who is out and which place that is."""

from mancala_rl.kernel.capture import bank_row, bank_rows, row_stones
from mancala_rl.kernel.compile import kernel, rare_kernel
from mancala_rl.kernel.layout import (
    CELLS,
    CUT_OFF,
    END_CHECK,
    END_ON_TURN,
    ENDED,
    EVEN_SPLIT,
    GOAL_EMPTY,
    HISTORY,
    KEY_PARTS,
    LEFTOVERS,
    LIFTED,
    MAX_PLIES,
    MOVER,
    OVER,
    PART_BITS,
    PIE,
    PITS,
    PLACES,
    PLAY_OUT,
    PLAYERS,
    PLAYING,
    PLY,
    REPETITION,
    SINCE,
    STOP_WHEN_DECIDED,
    SWEEP_WHEN_DECIDED,
    TO_EMPTIER,
    TOTAL,
    UNSCORED,
    WEIGHTS,
    WINDOW,
)
from mancala_rl.kernel.legal import legal_pits, row_empty

PART = (1 << PART_BITS) - 1
KEY = (1 << PART_BITS * KEY_PARTS) - 1


@kernel
def next_seat(S, g, player, r):  # type: ignore[no-untyped-def]
    """Return the seat that moves after `player`: the next one that is not out (J1, J8)."""
    seat = (player + 1) % r[PLAYERS]
    if r[GOAL_EMPTY]:
        while S[g, r[CELLS] + PLACES + seat] and seat != player:
            seat = (seat + 1) % r[PLAYERS]
    return seat


@rare_kernel
def settle(S, g, turn, r):  # type: ignore[no-untyped-def]
    """End the game if it has ended, else give the turn to seat `turn`; return whether it is over."""
    tail = r[CELLS]
    S[g, tail + MOVER] = turn
    end = PLAYING
    if not r[GOAL_EMPTY] and has_ended(S, g, turn, r):
        end = ENDED
    elif (r[MAX_PLIES] and S[g, tail + PLY] >= r[MAX_PLIES]) or (r[REPETITION] and S[g, tail + SINCE] >= WINDOW - 1):
        end = cut_off(S, g, r)
    S[g, tail + OVER] = end
    if end:
        S[g, tail + PIE] = 0  # nobody may swap any more
    return end != PLAYING


@kernel
def has_ended(S, g, turn, r):  # type: ignore[no-untyped-def]
    """Return whether the rules end the game before seat `turn` moves; if so, the stones left have been shared out."""
    # O5, O6: whoever cannot move may still have stones
    stuck = legal_pits(S, g, turn, r) == 0 if r[END_CHECK] == END_ON_TURN else first_empty(S, g, r) >= 0
    return is_shared_out(S, g, turn, stuck, r) or (r[REPETITION] and is_repeated(S, g, r))


@kernel
def is_shared_out(S, g, turn, stuck, r):  # type: ignore[no-untyped-def]
    """Return whether the end test (K8, M9, O6), in `stuck`, or a majority ends the game; if so, share out the rest."""
    if stuck:
        bank_leftovers(S, g, turn, r)
        return True
    if r[STOP_WHEN_DECIDED] and is_decided(S, g, r):
        if r[SWEEP_WHEN_DECIDED]:
            bank_rows(S, g, r)
        return True
    return False


@kernel
def is_decided(S, g, r):  # type: ignore[no-untyped-def]
    """Return whether a store holds more than half of all stones (K10); where stores do not score, never."""
    most = g - g
    for player in range(r[PLAYERS]):
        most = max(most, int(S[g, player * (r[PITS] + 1) + r[PITS]]))
    return is_majority(most, r)


@kernel
def is_majority(stones, r):  # type: ignore[no-untyped-def]
    """Return whether so many stones in a store decide the game."""
    return (2 * stones > r[TOTAL]) & (r[GOAL_EMPTY] == 0)


@kernel
def bank_leftovers(S, g, turn, r):  # type: ignore[no-untyped-def]
    """Give the stones still in the pits to whom the rules name (K9, M10); `turn` would move next."""
    if r[LEFTOVERS] == UNSCORED:
        return
    heir = -1
    if r[LEFTOVERS] == TO_EMPTIER:
        heir = turn if row_empty(S, g, turn, r) else first_empty(S, g, r)
    for player in range(r[PLAYERS]):
        bank_row(S, g, player, player if heir < 0 else heir, r)


@kernel
def first_empty(S, g, r):  # type: ignore[no-untyped-def]
    """Return the first seat whose row is empty, -1 if there is none."""
    for player in range(r[PLAYERS]):
        if row_empty(S, g, player, r):
            return player
    return -1


@rare_kernel
def cut_off(S, g, r):  # type: ignore[no-untyped-def]
    """Cut the game off (O6): each side banks its own stones where stones score."""
    if not r[GOAL_EMPTY] and r[LEFTOVERS] != UNSCORED:
        bank_rows(S, g, r)
    return CUT_OFF


# Repetition


@rare_kernel
def is_repeated(S, g, r):  # type: ignore[no-untyped-def]
    """Remember the position and return whether it has been there too often (O7); if so, the stones are split."""
    since = 0 + int(S[g, r[CELLS] + SINCE])
    if since >= WINDOW:
        return False
    remember(S, g, r)
    found = 1
    for k in range(since):
        found += same_key(S, g, k, since, r)
    if found < r[REPETITION]:
        return False
    if r[EVEN_SPLIT]:
        split_evenly(S, g, r)
    else:
        bank_rows(S, g, r)
    return True


@kernel
def remember(S, g, r):  # type: ignore[no-untyped-def]
    """Write down the key of the pits and the player to move."""
    key = int(S[g, r[CELLS] + MOVER])
    at = r[HISTORY] + int(S[g, r[CELLS] + SINCE]) * KEY_PARTS
    for player in range(r[PLAYERS]):
        first = player * (r[PITS] + 1)
        for i in range(first, first + r[PITS]):
            key += 2 * int(S[g, i]) * int(r[r[WEIGHTS] + i])
    for part in range(KEY_PARTS):
        S[g, at + part] = (key & KEY) >> part * PART_BITS & PART


@rare_kernel
def same_key(S, g, a, b, r):  # type: ignore[no-untyped-def]
    """Return whether two remembered positions are the same."""
    at, other = r[HISTORY] + a * KEY_PARTS, r[HISTORY] + b * KEY_PARTS
    for part in range(KEY_PARTS):
        if S[g, at + part] != S[g, other + part]:
            return False
    return True


@rare_kernel
def split_evenly(S, g, r):  # type: ignore[no-untyped-def]
    """Give every player the same share of the stones in the pits; an odd one leaves the board."""
    rest = 0
    for player in range(r[PLAYERS]):
        rest += row_stones(S, g, player, r)
    share = rest // r[PLAYERS]
    for player in range(r[PLAYERS]):
        first = player * (r[PITS] + 1)
        for i in range(first, first + r[PITS]):
            S[g, i] = min(int(S[g, i]), 0)
        S[g, first + r[PITS]] += share
    S[g, r[CELLS] + LIFTED] += rest - share * r[PLAYERS]


# First to empty the own side: Japanese Mancala


@rare_kernel
def is_taken(S, g, place, r):  # type: ignore[no-untyped-def]
    """Return whether some player has this place."""
    for player in range(r[PLAYERS]):
        if S[g, r[CELLS] + PLACES + player] == place:
            return True
    return False


@rare_kernel
def best_place(S, g, r):  # type: ignore[no-untyped-def]
    """Return the best place nobody has taken yet."""
    for place in range(1, r[PLAYERS] + 1):
        if not is_taken(S, g, place, r):
            return place
    return 0


@rare_kernel
def worst_place(S, g, r):  # type: ignore[no-untyped-def]
    """Return the worst place nobody has taken yet."""
    place = r[PLAYERS]
    while is_taken(S, g, place, r):
        place -= 1
    return place


@rare_kernel
def lift(S, g, player, r):  # type: ignore[no-untyped-def]
    """Take the pits and the store of a player off the board; the ring closes around them (J8, J10)."""
    first = player * (r[PITS] + 1)
    for i in range(first, first + r[PITS] + 1):
        S[g, r[CELLS] + LIFTED] += max(int(S[g, i]), 0)
        S[g, i] = -1


@rare_kernel
def leave(S, g, player, place, r):  # type: ignore[no-untyped-def]
    """Take a player out of the game, who gets this place (J8, J10)."""
    places = r[CELLS] + PLACES
    S[g, places + player] = place
    lift(S, g, player, r)
    turn = next_seat(S, g, player, r)
    settle(S, g, turn, r)
    if next_seat(S, g, turn, r) == turn:  # one is left
        S[g, places + turn] = best_place(S, g, r)
        S[g, r[CELLS] + OVER] = ENDED


@rare_kernel
def finish(S, g, player, r):  # type: ignore[no-untyped-def]
    """A player has emptied the own side (J6-J9)."""
    if r[PLAYERS] > 2 and r[PLAY_OUT]:
        leave(S, g, player, best_place(S, g, r), r)
        return
    places = r[CELLS] + PLACES
    best = best_place(S, g, r)
    S[g, r[CELLS] + MOVER] = next_seat(S, g, player, r)
    S[g, r[CELLS] + OVER] = ENDED
    for seat in range(r[PLAYERS]):  # the others rank by fewer stones left; negative while places are being found
        if seat != player and S[g, places + seat] == 0:
            S[g, places + seat] = -(best + 1 + fewer_left(S, g, seat, player, r))
    for seat in range(r[PLAYERS]):
        S[g, places + seat] = abs(S[g, places + seat])
    S[g, places + player] = best


@rare_kernel
def fewer_left(S, g, seat, finisher, r):  # type: ignore[no-untyped-def]
    """Return how many players still in the game, the finisher aside, have fewer stones in their pits than `seat`."""
    fewer = 0
    for other in range(r[PLAYERS]):
        if other != finisher and S[g, r[CELLS] + PLACES + other] <= 0:
            fewer += row_stones(S, g, other, r) < row_stones(S, g, seat, r)
    return fewer
