"""Who is out, when a game ends, who gets the stones that are left, places and rewards."""

from __future__ import annotations

from tests.reference.capture import chain, slams
from tests.reference.sowing import sow
from tests.reference.state import Row, State, total

REMEMBERED = 256  # positions


def active(state: State) -> list[int]:
    """The seats that still play."""
    return [p for p in range(state.settings.players) if not state.places or state.places[p] is None]


def next_seat(state: State, seat: int) -> int:
    """The next active player counter-clockwise (J1, J8)."""
    following = [p for p in active(state) if p > seat] + [p for p in active(state) if p < seat]
    return following[0] if following else seat


def is_slam(state: State, move: int) -> bool:
    """O4: the move would take all the opponent's stones."""
    me, m = state.turn, state.settings.pits
    assert me is not None
    board, cells = sow(state, move)
    return cells[-1][1] < m and slams(board, me, chain(state, board, me, cells[-1]), m)


def feeds(state: State, move: int) -> bool:
    """O5: after the sowing the opponent's row holds a stone."""
    board, _ = sow(state, move)
    return any(any(board[p][: state.settings.pits]) for p in active(state) if p != state.turn)


def pit_moves(state: State) -> list[int]:
    """The pits the player to move may play: the non-empty ones (K2), fewer by O5 and O4."""
    if state.turn is None:
        return []
    moves = [i for i, stones in enumerate(state.pits[state.turn]) if stones > 0]
    others_empty = not any(any(state.pits[p]) for p in active(state) if p != state.turn)
    if state.settings.feed and others_empty:
        moves = [i for i in moves if feeds(state, i)]
    if state.settings.grand_slam == "illegal":
        moves = [i for i in moves if not is_slam(state, i)] or moves  # "if other moves exist"
    return moves


# Most stones: Kalah, Mangala, Oware and their kin.


def end(state: State) -> State:
    """End the game if it is to end (K8, M9, O6, O7); `state` is right after a move, the next player in `turn`."""
    settings = state.settings
    if state.turn is None or settings.goal == "empty":
        return cap(state)
    if settings.end_check == "immediate":
        if not all(any(state.pits[p]) for p in active(state)):
            return over(share_out(state))
    elif not pit_moves(state):
        return over(share_out(state))
    if settings.stop_when_decided and 2 * max(state.stores) > total(state):
        return over(bank_own(state) if settings.sweep_when_decided else state)
    if settings.repetition:
        return repeated(state)
    return cap(state)


def over(state: State) -> State:
    return state._replace(turn=None, extra=False)


def bank_own(state: State) -> State:
    """Each side banks its own stones."""
    stores = tuple(store + sum(row) for store, row in zip(state.stores, state.pits, strict=True))
    return state._replace(pits=((0,) * state.settings.pits,) * state.settings.players, stores=stores)


def share_out(state: State) -> State:
    """The stones that are left when a row is empty (K9, M10, O5, option `leftovers`)."""
    if state.settings.leftovers == "unscored":
        return state
    empty = [p for p in active(state) if not any(state.pits[p])]
    if state.settings.leftovers == "owner" or not empty:
        return bank_own(state)
    heir = state.turn if state.turn in empty else empty[0]
    assert heir is not None
    banked = bank_own(state)
    stores = list(state.stores)
    stores[heir] += sum(sum(row) for row in state.pits)
    return banked._replace(stores=tuple(stores))


def repeated(state: State) -> State:
    """O7: the same pits and the same player to move, for the second or third time since the last capture."""
    here = (state.pits, state.turn)
    seen = (*(() if state.captured else state.seen), here)
    if seen.count(here) < state.settings.repetition:
        return cap(state._replace(seen=seen))
    if state.settings.cycle_split == "own_side":
        return over(bank_own(state))
    rest = sum(sum(row) for row in state.pits)
    share = rest // state.settings.players  # an odd stone is nobody's
    banked = bank_own(state)
    lifted = state.lifted + rest - share * state.settings.players
    return over(banked._replace(stores=tuple(store + share for store in state.stores), lifted=lifted))


def cap(state: State) -> State:
    """O6, O7: `max_plies` truncates; each side banks its own, unless leftovers do not count.

    So does a game with a repetition rule in which nothing has been captured for 255 moves: no more are remembered.
    """
    too_long = 0 < state.settings.max_plies <= state.ply or len(state.seen) >= REMEMBERED
    if state.turn is None or not too_long:
        return state
    banks = state.settings.goal == "most" and state.settings.leftovers != "unscored"
    return over(bank_own(state) if banks else state)._replace(truncated=True)


# First to empty the own side: Japanese Mancala.


def placed(state: State, places: dict[int, int]) -> State:
    now = list(state.places or (None,) * state.settings.players)
    for seat, place in places.items():
        now[seat] = place
    return state._replace(places=tuple(now))


def free_places(state: State) -> list[int]:
    return [place for place in range(1, state.settings.players + 1) if place not in state.places]


def lift(state: State, seat: int) -> State:
    """J8, J10: pockets and store of a player leave the board."""
    pits, stores = list(state.pits), list(state.stores)
    lifted = state.lifted + sum(pits[seat]) + stores[seat]
    pits[seat], stores[seat] = (0,) * state.settings.pits, 0
    return state._replace(pits=tuple(pits), stores=tuple(stores), lifted=lifted)


def leave(state: State, seat: int, place: int) -> State:
    """J8, J10: a player is out; the next one moves, or the last one left takes the last place."""
    state = lift(placed(state, {seat: place}), seat)
    left = active(state)
    if len(left) == 1:
        return over(placed(state, {left[0]: free_places(state)[0]}))
    return state._replace(turn=next_seat(state, seat), extra=False)


def finish(state: State, seat: int) -> State:
    """J6-J9: `seat` has emptied the own side."""
    best = free_places(state)[0]
    if state.settings.players > 2 and state.settings.play_out:
        return leave(state, seat, best)
    others = [p for p in active(state) if p != seat]  # J7, J9: the game stops here, nothing is lifted
    left = {p: sum(state.pits[p]) for p in others}
    places = {p: best + 1 + sum(left[q] < left[p] for q in others) for p in others}
    return over(placed(state, {seat: best, **places}))


def give_up(state: State, seat: int) -> State:
    """J10: the quitter takes the worst place that is free."""
    return leave(state, seat, free_places(state)[-1])


# Places and rewards.


def ranking(state: State) -> Row:
    """J7-J10: the places taken, the best free one for all who play on in a game that was cut off.

    K10, M11: by larger store. Equal ones share the better place.
    """
    if state.settings.goal == "empty":
        places = state.places or (None,) * state.settings.players
        return tuple(place or free_places(state)[0] for place in places)
    return tuple(1 + sum(other > store for other in state.stores) for store in state.stores)


def returns(state: State) -> tuple[float, ...]:
    """J11: 1 - 2 (place - 1) / (players - 1); those who share a place share the mean of the places. 0 while playing."""
    players = state.settings.players
    if not state.over:
        return (0.0,) * players
    places = ranking(state)
    means = [place + (places.count(place) - 1) / 2 for place in places]
    return tuple(1 - 2 * (mean - 1) / (players - 1) for mean in means)
