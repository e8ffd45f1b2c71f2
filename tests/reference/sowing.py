"""Where the stones of a move fall: one lap, and relay sowing lap after lap."""

from __future__ import annotations

from tests.reference.state import Cell, Settings, State

Board = list[list[int]]  # a row a player: the pits, then the store


class EndlessSowingError(RuntimeError):
    """A relay sowing came back to a board and a pit it had been at, and no `relay_limit` stops it."""


def board_of(state: State) -> Board:
    return [[*row, store] for row, store in zip(state.pits, state.stores, strict=True)]


def ring(state: State, me: int) -> list[Cell]:
    """The cells that `me` sows into, counter-clockwise from the own pit 0 (K3, J3, O2, section 5)."""
    settings, cells = state.settings, []
    for step in range(settings.players):
        player = (me + step) % settings.players
        if state.places and state.places[player] is not None:
            continue  # J8, J10: the ring closes around a side that was lifted
        cells += [(player, i) for i in range(settings.pits) if (player, i) not in state.closed]  # M15
        if settings.sow_stores == "all" or (settings.sow_stores == "own" and player == me):
            cells.append((player, settings.pits))
    return cells


def lap(cells: list[Cell], origin: Cell, stones: int, settings: Settings) -> list[Cell]:
    """The cells that get the stones taken from `origin`, one each, in order."""
    at = cells.index(origin)
    following = cells[at + 1 :] + cells[:at]  # once around, the origin left out
    fallen: list[Cell] = []
    if settings.first_stone == "origin" and stones >= 2:
        fallen.append(origin)  # M3: the first stone goes back. M4: a single stone does not
    if not settings.skip_origin:
        following.append(origin)  # K4, J3, M5: an ordinary cell on every lap. O2: skipped on every lap
    while len(fallen) < stones:
        fallen += following
    return fallen[:stones]


def owner_of(state: State, cell: Cell) -> int | None:
    """The player whose tuzdik the cell is, if it is one."""
    player, i = cell
    if state.tuzdiks and state.tuzdiks[1 - player] == i:
        return 1 - player
    return None


def drop(board: Board, state: State, cell: Cell) -> None:
    """One stone into a cell; what falls into a tuzdik goes to the store of its owner."""
    player, i = cell
    owner = owner_of(state, cell)
    if owner is None:
        board[player][i] += 1
    else:
        board[owner][state.settings.pits] += 1


def taken_up(board: Board, state: State, cells: list[Cell], last: Cell) -> Cell | None:
    """The pit from which a relay goes on after a last stone in `last`, if it does."""
    m, relay = state.settings.pits, state.settings.relay
    player, i = last
    if relay == "off" or i == m or owner_of(state, last) is not None:
        return None  # a store ends every sowing
    if relay == "last":
        return last if board[player][i] >= 2 else None  # the pit held stones before
    player, i = cells[(cells.index(last) + 1) % len(cells)]
    return (player, i) if i < m and board[player][i] > 0 else None


def sow(state: State, move: int) -> tuple[Board, list[Cell]]:
    """The board after the sowing and before any capture, and every cell that got a stone, in order."""
    me = state.turn
    assert me is not None
    board, cells, sown = board_of(state), ring(state, me), []
    pit: Cell | None = (me, move)
    been, laps = set(), 0
    while pit is not None and (laps == 0 or laps != state.settings.relay_limit):
        here = (tuple(map(tuple, board)), pit)
        if here in been and not state.settings.relay_limit:
            raise EndlessSowingError(f"move {move} comes back to {here}")
        been.add(here)
        player, i = pit
        stones, board[player][i] = board[player][i], 0
        fallen = lap(cells, pit, stones, state.settings)
        for cell in fallen:
            drop(board, state, cell)
        sown += fallen
        laps += 1
        pit = taken_up(board, state, cells, fallen[-1])
    return board, sown


def sowing_cells(state: State, move: int) -> list[Cell]:
    """The cells that get the stones of the move, one each, in order. Cell m of a player is the store."""
    return sow(state, move)[1]
