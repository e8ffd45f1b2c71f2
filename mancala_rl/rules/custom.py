"""Rows of custom positions: what the notation or the caller named, checked and settled."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mancala_rl.errors import PositionError
from mancala_rl.kernel import layout, settle
from mancala_rl.rules.notation import Parts, format_board
from mancala_rl.rules.numbers import is_whole
from mancala_rl.rules.record import Rules

Seats = Sequence[int | None]


def settled_rows(rules: Rules, parts: Parts) -> NDArray[np.int16]:
    """Return rows int16[1, L] for a custom position, ended if the rules say it is over.

    Raises:
        PositionError: it cannot be; names what was expected and what came.
    """
    _check_seats(rules, parts)
    places, tuzdiks = parts.places or (), parts.tuzdiks or ()
    rows = np.zeros((1, rules.row_length), np.int16)
    rows[0, : rules.num_cells] = parts.cells
    tail = rules.num_cells
    rows[0, tail + layout.PIE] = 0 if parts.pie is None else parts.pie + 1
    rows[0, tail + layout.LIFTED] = rules.total - parts.cells.clip(0).sum()
    for seat, place in enumerate(places):
        rows[0, tail + layout.PLACES + seat] = place or 0
    for seat, pit in enumerate(tuzdiks):
        if pit is not None:
            rows[0, int(rules.array[layout.TUZDIKS]) + seat] = pit + 1
    if rules.goal == "empty":
        return _first_to_empty(rules, rows, parts)
    if parts.to_move is None:
        return _ended_rows(rules, rows)
    settle(rows, 0, int(parts.to_move), rules.array)
    return rows


def _check_seats(rules: Rules, parts: Parts) -> None:
    for word, seat in (("to_move", parts.to_move), ("pie", parts.pie)):
        if seat is not None and not (is_whole(seat) and 0 <= seat < rules.players):
            raise PositionError(f"{word}={seat!r}: expected a seat from 0 to {rules.players - 1}")
    if parts.pie is not None and not rules.pie:
        raise PositionError(f"pie={parts.pie}: {rules} has no pie rule; use the option pie=true")
    if parts.places is not None and tuple(parts.places) != (None,) * rules.players:
        _check_places(rules, parts)
    if parts.tuzdiks is not None and tuple(parts.tuzdiks) != (None,) * rules.players:
        _check_tuzdiks(rules, parts.tuzdiks, parts.cells)


def _check_places(rules: Rules, parts: Parts) -> None:
    places = parts.places or ()
    if rules.goal != "empty":
        raise PositionError(f"places={places}: nobody is out early in {rules}; leave places out")
    right = all(place is None or (is_whole(place) and 1 <= place <= rules.players) for place in places)
    if len(places) != rules.players or not right:
        raise PositionError(f"places={places}: expected for each of {rules.players} seats None or a place from 1")
    if parts.to_move is not None and places[parts.to_move] is not None:
        raise PositionError(f"to_move={parts.to_move}: that seat is out, at place {places[parts.to_move]}")


def _check_tuzdiks(rules: Rules, tuzdiks: Seats, cells: NDArray[np.int16]) -> None:
    if not rules.tuzdik:
        raise PositionError(f"tuzdiks={tuple(tuzdiks)}: {rules} has no tuzdiks; leave them out")
    last = rules.pits - 2
    right = all(pit is None or (is_whole(pit) and 0 <= pit <= last) for pit in tuzdiks)
    claimed = [pit for pit in tuzdiks if pit is not None]
    if len(tuzdiks) != 2 or not right or len(set(claimed)) < len(claimed):
        raise PositionError(
            f"tuzdiks={tuple(tuzdiks)}: expected for both seats None or a pit from 0 to {last}, no number twice"
        )
    for seat, pit in enumerate(tuzdiks):
        if pit is not None and cells[(1 - seat) * (rules.pits + 1) + pit]:
            raise PositionError(f"tuzdiks={tuple(tuzdiks)}: expected no stones in pit {pit} of seat {1 - seat}")


def _first_to_empty(rules: Rules, rows: NDArray[np.int16], parts: Parts) -> NDArray[np.int16]:
    """Return the rows of a game that the first to empty the own side wins, over if nobody is to move."""
    places = parts.places or (None,) * rules.players
    board = rows[0, : rules.num_cells].reshape(rules.players, -1)
    playing = [seat for seat, place in enumerate(places) if place is None]
    if parts.to_move is None and not playing:
        _check_ranking([place for place in places if place is not None])
        rows[0, rules.num_cells + layout.OVER] = layout.ENDED
        return rows
    if parts.to_move is None and not rules.max_plies:
        raise PositionError(f"to_move=None: {len(playing)} seats have no place yet; name the seat to move")
    if len(playing) < 2:
        raise PositionError(f"places={places}: expected at least two seats that still play, or to_move=None")
    numbers = [place for place in places if place is not None]
    if len(set(numbers)) < len(numbers):
        raise PositionError(f"places={places}: expected every place once")
    for seat in playing:
        if not board[seat, :-1].any():
            raise PositionError(
                f"the side of seat {seat} is empty: a player who still plays has stones in the pits (J6)"
            )
    if parts.to_move is None:
        rows[0, rules.num_cells + layout.OVER] = layout.CUT_OFF
    else:
        rows[0, rules.num_cells + layout.MOVER] = parts.to_move
    return rows


def _check_ranking(places: Sequence[int]) -> None:
    """Refuse places of a game that is over unless each is one more than the number of better ones (J8, J9)."""
    if any(place != 1 + sum(other < place for other in places) for place in places):
        raise PositionError(f"places={tuple(places)}: expected a ranking such as 1,2,3 or, where seats share, 1,2,2")


def _ended_rows(rules: Rules, rows: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return rows int16[1, L] of a board that is over whoever would have moved, if possible as it stands.

    A board that no rule ends has been cut off, where a limit can do that and leave the stones in the pits.
    """
    board = rows[0, : rules.num_cells]
    ended = []
    for turn in range(rules.players):
        settled = rows.copy()
        if settle(settled, 0, turn, rules.array):
            ended.append(settled)
    if not ended and rules.leftovers == "unscored" and (rules.max_plies or rules.repetition):
        rows[0, rules.num_cells + layout.OVER] = layout.CUT_OFF  # and nobody has banked anything
        return rows
    if not ended:
        raise PositionError(f"{format_board(board, rules)} -: the game is not over, name the seat to move")
    return next((over for over in ended if np.array_equal(over[0, : rules.num_cells], board)), ended[0])
