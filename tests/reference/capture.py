"""What the last stone captures: opposite pits, even pits, chains with the grand slam, a tuzdik."""

from __future__ import annotations

from tests.reference.sowing import Board, owner_of, ring
from tests.reference.state import Cell, State


def stones_in(board: Board, cells: list[Cell]) -> int:
    return sum(board[player][i] for player, i in cells)


def cross(state: State, board: Board, me: int, last: Cell) -> list[Cell]:
    """K6, M7: the last stone in an own empty pit takes itself and the opposite stones."""
    player, i = last
    if not state.settings.capture or player != me or board[me][i] != 1:
        return []
    opposite = (1 - me, state.settings.pits - 1 - i)
    if stones_in(board, [opposite]) == 0:
        return [last] if state.settings.empty_capture else []
    return [last, opposite] if state.settings.lander == "taken" else [opposite]


def even(state: State, board: Board, me: int, last: Cell) -> list[Cell]:
    """M8: the last stone makes an opponent's pit even."""
    player, i = last
    is_even = player != me and board[player][i] >= 2 and board[player][i] % 2 == 0
    return [last] if state.settings.even_capture and is_even else []


def chain(state: State, board: Board, me: int, last: Cell) -> list[Cell]:
    """O3: the pit of the last stone, then backwards, while the pits hold the right numbers; before any slam rule."""
    settings, cells = state.settings, ring(state, me)
    taken: list[Cell] = []
    at = cells.index(last)
    while len(taken) < len(cells):
        player, i = cells[(at - len(taken)) % len(cells)]
        is_pit = i < settings.pits and (player != me or settings.chain_side == "any")
        if not is_pit or board[player][i] not in settings.chain or (player, i) in taken:
            break
        taken.append((player, i))
    return taken


def slams(board: Board, me: int, taken: list[Cell], m: int) -> bool:
    """O4: the chain would take all the opponent's stones."""
    theirs = [cell for cell in taken if cell[0] != me]
    return bool(theirs) and stones_in(board, theirs) == sum(board[1 - me][:m])


def after_slam_rule(state: State, taken: list[Cell]) -> list[Cell]:
    """O4: what a grand slam leaves of the chain, whose first pit is the one of the last stone."""
    rule = state.settings.grand_slam
    if rule == "no_capture":
        return []
    if rule == "leave_last":
        return taken[1:]  # the pit of the last stone stays
    if rule == "leave_first":
        return taken[:-1]  # the pit sown first, farthest back, stays
    return taken  # allow, rest_to_opponent, and illegal where nothing else could be played


def claims_tuzdik(state: State, board: Board, me: int, last: Cell) -> bool:
    """The last stone makes three in an opponent's pit: not the last pit, one a player, not the rival's number."""
    player, i = last
    mine, theirs = (state.tuzdiks[me], state.tuzdiks[1 - me]) if state.tuzdiks else (None, None)
    makes_three = state.settings.tuzdik and player != me and board[player][i] == 3
    return makes_three and mine is None and theirs != i and i != state.settings.pits - 1


def capture(state: State, board: Board, me: int, last: Cell) -> tuple[int, tuple[int | None, ...]]:
    """Move what the last stone captures into the mover's store; how many stones, and the tuzdiks after it."""
    m, tuzdiks = state.settings.pits, state.tuzdiks
    if last[1] == m or owner_of(state, last) is not None:
        return 0, tuzdiks
    slam = False
    if claims_tuzdik(state, board, me, last):
        taken = [last]
        both = list(tuzdiks or (None, None))
        both[me] = last[1]
        tuzdiks = tuple(both)
    else:
        taken = cross(state, board, me, last) or even(state, board, me, last)
        if not taken:
            taken = chain(state, board, me, last)
            slam = slams(board, me, taken, m)
            taken = after_slam_rule(state, taken) if slam else taken
    captured = stones_in(board, taken)
    for player, i in taken:
        board[player][i] = 0
    board[me][m] += captured
    if slam and state.settings.grand_slam == "rest_to_opponent":
        board[1 - me][m] += sum(board[me][:m])
        board[me][:m] = [0] * m
    return captured, tuzdiks
