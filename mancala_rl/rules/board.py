"""The cells of a board given as numbers, checked against the rules."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.errors import PositionError, RulesError
from mancala_rl.kernel import layout
from mancala_rl.rules.numbers import is_whole

if TYPE_CHECKING:
    from mancala_rl.rules.record import Rules

_PAIRS = "(seat, pit) pairs, as in closed=[(0, 0), (0, 1)]"


def board_cells(
    pits: list[list[int]],
    stores: list[int],
    rules: "Rules",
    closed: Sequence[tuple[int, int]] = (),
    places: Sequence[int | None] | None = None,
) -> NDArray[np.int16]:
    """Return the cells, int16[num_cells], of a board given as numbers; checks lengths, signs and the total.

    The cells of a seat with a place are lifted off the board. What is missing from the total counts as lifted where
    somebody has a place, or where an even split may have left an odd stone.

    Raises:
        PositionError: names what was expected and what came.
        RulesError: closed pits where there can be none.
    """
    if len(pits) != rules.players or len(stores) != rules.players:
        raise PositionError(
            f"expected {rules.players} rows and stores for {rules}, got {len(pits)} rows and {len(stores)} stores"
        )
    for seat, row in enumerate(pits):
        if len(row) != rules.pits:
            raise PositionError(f"row of seat {seat}: expected {rules.pits} pits for {rules}, got {len(row)}")
        _check_counts(seat, [*row, stores[seat]])
    _check_total(pits, stores, rules, places)
    board = np.array([[*row, store] for row, store in zip(pits, stores, strict=True)], np.int16)
    check_closed(closed, rules)
    for seat, pit in closed:
        if board[seat, pit]:
            raise PositionError(f"pit {pit} of seat {seat} is closed: expected no stones in it, got {board[seat, pit]}")
        board[seat, pit] = -1
    for seat, place in zip(range(rules.players), places or (), strict=False):  # their number is checked later
        if place is None or rules.goal != "empty":
            continue
        if not board[seat].any():
            board[seat] = -1
        elif None in (places or ()):  # J7, J9: only a game that stopped at the first finisher leaves stones there
            raise PositionError(f"seat {seat} is out: expected an empty row and store, got {board[seat].tolist()}")
    return board.reshape(-1)


def listed(name: str, values: Any, wanted: str) -> list[Any]:
    """Return the values of an argument that has several.

    Raises:
        PositionError: it has none to give.
    """
    if not isinstance(values, Iterable) or (isinstance(values, np.ndarray) and values.ndim == 0):
        raise PositionError(f"{name}={values!r}: expected {wanted}, got {type(values).__name__}")
    return list(values)


def closed_pairs(closed: Any) -> tuple[tuple[int, int], ...]:
    """Return closed pits as pairs of whole numbers, each once.

    Raises:
        PositionError: they are no such pairs.
    """
    pairs = [tuple(pair) if isinstance(pair, Iterable) else (pair,) for pair in listed("closed", closed, _PAIRS)]
    for pair in pairs:
        if len(pair) != 2 or not all(map(is_whole, pair)):
            raise PositionError(f"closed={closed!r}: expected {_PAIRS}")
    return tuple(dict.fromkeys((int(seat), int(pit)) for seat, pit in pairs))


def _check_total(pits: list[list[int]], stores: list[int], rules: "Rules", places: Sequence[int | None] | None) -> None:
    found = sum(map(sum, pits)) + sum(stores)
    missing = rules.total - found
    odd = rules.players - 1 if rules.cycle_split == "even" else 0
    some_lifted = any(place is not None for place in places or ())
    if missing < 0 or (missing > odd and not some_lifted):
        raise PositionError(f"expected {rules.total} stones in all for {rules}, got {found}")


def check_closed(closed: Sequence[tuple[int, int]], rules: "Rules") -> None:
    """Refuse closed pits that cannot be (M15).

    Raises:
        RulesError: the game is not one of two players who collect stones, both sides have closed pits, a pit does not
            exist, or a whole row is closed.
    """
    if not closed:
        return
    if rules.players != 2 or rules.goal != "most":
        raise RulesError(f"closed={list(closed)}: only games for two that are won by most stones have closed pits (x)")
    for pair in closed:
        seat, pit = pair
        if not (0 <= seat < 2 and 0 <= pit < rules.pits):
            raise RulesError(f"closed={list(closed)}: expected (seat, pit) pairs, pits 0 to {rules.pits - 1}")
    seats = {seat for seat, _ in closed}
    if len(seats) > 1:
        raise RulesError(f"closed={list(closed)}: only one side, the loser's, can have closed pits")
    if len(set(closed)) == rules.pits:
        raise RulesError(f"closed={list(closed)}: expected at least one open pit for seat {seats.pop()}")


def _check_counts(seat: int, counts: list[int]) -> None:
    for count in counts:
        if not is_whole(count) or not 0 <= count <= layout.MAX_TOTAL:
            raise PositionError(f"row of seat {seat}: expected whole numbers of stones >= 0, got {count!r}")
