"""Legal moves, playing one, and counting them."""

from __future__ import annotations

from tests.reference.capture import capture
from tests.reference.ending import end, finish, give_up, is_slam, next_seat, pit_moves
from tests.reference.sowing import owner_of, sow
from tests.reference.state import State

__all__ = ["divide", "is_slam", "legal", "perft", "play"]


def legal(state: State) -> list[int]:
    """K2, M2, O4, O5: the pits that may be played; then the swap when it is offered, or giving up (J10)."""
    if state.turn is None:
        return []
    moves = pit_moves(state)
    if state.swapper == state.turn or state.settings.resign:
        moves.append(state.settings.pits)
    return moves


def play(state: State, move: int) -> State:
    """The position after a legal move; ValueError for any other."""
    if state.turn is None or move not in legal(state):
        raise ValueError(f"move {move} is not one of {legal(state)}")
    present = (state.pits, state.turn)
    seen = (state.seen or (present,)) if state.settings.repetition else ()
    state = state._replace(ply=state.ply + 1, captured=0, extra=False, seen=seen)
    if move < state.settings.pits:
        return end(sow_and_capture(state, move))
    if state.swapper == state.turn:
        return end(swap(state))
    assert state.turn is not None
    return end(give_up(state, state.turn))


def swap(state: State) -> State:
    """Pie: sides and stores change hands and the other player, who had the first move, moves again."""
    assert state.turn is not None
    closed = tuple((1 - p, i) for p, i in state.closed)
    return state._replace(
        pits=state.pits[::-1], stores=state.stores[::-1], turn=1 - state.turn, swapper=None, closed=closed
    )


def sow_and_capture(state: State, move: int) -> State:
    """Sow, capture, and say who is next; a player who has emptied the own side is out (J6)."""
    me, m = state.turn, state.settings.pits
    assert me is not None
    board, cells = sow(state, move)
    last = cells[-1]
    captured, tuzdiks = capture(state, board, me, last)
    captured += sum(owner_of(state, cell) == me for cell in cells)  # fell into the mover's own tuzdik
    in_turn_store = last[1] == m and (last[0] == me or state.settings.turn_stores == "any")
    extra = in_turn_store and state.settings.extra_turn  # K5, J5, M6; K7: a capture ends in a pit
    after = state._replace(
        pits=tuple(tuple(row[:m]) for row in board),
        stores=tuple(row[m] for row in board),
        captured=captured,
        extra=extra,
        swapper=None if state.swapper == me else state.swapper,
        tuzdiks=tuzdiks,
    )
    if state.settings.goal == "empty" and not any(after.pits[me]):
        return finish(after, me)  # J6: finishing beats the extra turn
    return after._replace(turn=me if extra else next_seat(after, me))


def perft(state: State, depth: int) -> int:
    """Number of move sequences of exactly `depth` plies; a game that is over sooner counts for nothing."""
    if depth == 0:
        return 1
    moves = legal(state)
    if depth == 1:
        return len(moves)
    return sum(perft(play(state, move), depth - 1) for move in moves)


def divide(state: State, depth: int) -> dict[int, int]:
    """perft(depth) split by the first move."""
    return {move: perft(play(state, move), depth - 1) for move in legal(state)}
