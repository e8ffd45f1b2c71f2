"""Checks of the values that `set_state` is given: each refuses what `get_state` could not have returned."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.errors import BadInputError, PositionError, RulesError
from mancala_rl.kernel import layout, legal_bits, play
from mancala_rl.rules import Rules
from mancala_rl.rules.board import check_closed
from mancala_rl.rules.numbers import is_whole

_COUNTER = 32767  # the largest number of plies a row holds


def require(state: Any, keys: tuple[str, ...]) -> None:
    """Refuse what is no state with these keys.

    Raises:
        BadInputError: names the keys.
    """
    if not isinstance(state, Mapping) or not all(key in state for key in keys):
        found = ", ".join(map(str, state)) if isinstance(state, Mapping) else type(state).__name__
        raise BadInputError(f"expected a state from get_state() with the keys {', '.join(keys)}; got {found}")


def refuse(key: str, value: Any, expected: str) -> None:
    """Raise the BadInputError for an entry of a state."""
    text = repr(value)
    text = text if len(text) <= 80 else f"{text[:77]}..."
    raise BadInputError(f"state[{key!r}]={text}: expected {expected}, as get_state() returns it")


def check_number(key: str, value: Any, limit: int) -> None:
    """Refuse anything but a whole number of [0, limit)."""
    if not is_whole(value) or not 0 <= value < limit:
        refuse(key, value, f"a whole number from 0 to {limit - 1}")


def check_flag(key: str, value: Any) -> None:
    """Refuse anything but True and False."""
    if not isinstance(value, bool):
        refuse(key, value, "true or false")


def check_values(key: str, value: Any, agents: list[str]) -> None:
    """Refuse anything but one finite number for each of the agents."""
    right = isinstance(value, Mapping) and sorted(map(str, value)) == sorted(agents)
    if not right or not all(isinstance(v, int | float) and math.isfinite(v) for v in value.values()):
        refuse(key, value, f"a number for each of {', '.join(agents) or 'no agents'}")


def check_random(generator: np.random.Generator, state: Any) -> None:
    """Refuse what a generator cannot take as its state."""
    trial = type(generator.bit_generator)()
    try:
        trial.state = state
    except (ValueError, TypeError, KeyError, OverflowError):
        refuse("rng", state, f"the state of a {type(trial).__name__}")


def game_rows(value: Any, last_action: Any, rules: Rules) -> NDArray[np.int16]:
    """Return the rows of a game's state, int16[2, row_length]: the game, and what it was before its last move.

    Raises:
        PositionError: they are no such rows, or the last action does not lead from one to the other.
    """
    rows = _numbers(value, (2, rules.row_length))
    for row in rows:
        check_row(row, rules)
    before = rows[1:].copy()
    bits = int(legal_bits(before, 0, rules.array))
    if last_action is not None:
        if not is_whole(last_action) or not 0 <= last_action < rules.num_actions or not bits >> int(last_action) & 1:
            raise PositionError(f"last_action={last_action!r} of a state: expected an action legal before it, or None")
        play(before, 0, int(last_action), rules.array)
    elif not bits:
        raise PositionError("expected a state with a move to make, or with the last_action that ended the game")
    if not np.array_equal(before[0], rows[0]):
        raise PositionError(f"rows of a state: last_action={last_action!r} does not lead from the second to the first")
    return rows


def _numbers(value: Any, shape: tuple[int, int]) -> NDArray[np.int16]:
    try:
        given = np.array(value)
    except ValueError:  # rows of different lengths
        given = np.array(None)
    if given.shape != shape or given.dtype.kind != "i" or abs(given).max() > layout.MAX_TOTAL:
        raise PositionError(f"expected a state with rows of small whole numbers, shape {shape}; got {given.shape}")
    return given.astype(np.int16)


def check_row(row: NDArray[np.int16], rules: Rules) -> None:
    """Refuse a row that no game under these rules can have.

    Raises:
        PositionError: says what is wrong with it.
    """
    tail = row[rules.num_cells :].tolist()
    limits = _tail_limits(rules, playing=not tail[layout.OVER])
    for (name, largest), entry in zip(limits, tail, strict=True):
        if not 0 <= entry <= largest:
            raise PositionError(f"expected a state with {name} from 0 to {largest}, got {entry}")
    cells, lifted = row[: rules.num_cells], tail[layout.LIFTED]
    stones = int(cells.clip(0).sum()) + lifted
    if cells.min() < -1 or stones != rules.total:
        raise PositionError(
            f"expected a state with {rules.total} stones and no cell below -1, got {stones} stones "
            f"and {int(cells.min())} in a cell"
        )
    _check_missing(cells.reshape(rules.players, -1), tail, rules)


def _check_missing(board: NDArray[np.int16], tail: list[int], rules: Rules) -> None:
    """Refuse cells that are closed or lifted, `board: int16[P, m + 1]`, and stones off the board, where none can be."""
    closed, lifted = _missing_cells(board)
    try:
        check_closed(closed, rules)
    except RulesError as error:
        raise PositionError(f"expected a state that can be: {error}") from None
    playing = tail[layout.OVER] == layout.PLAYING
    out = {seat for seat, place in enumerate(tail[layout.PLACES : layout.PLACES + rules.players]) if place}
    if not lifted <= out or (playing and lifted != out):
        raise PositionError("expected a state in which exactly the players who are out have been lifted off the board")
    if playing and tail[layout.MOVER] in out:
        raise PositionError(f"expected a state with a seat to move that plays, got {tail[layout.MOVER]}, which is out")
    if tail[layout.LIFTED] and not lifted and rules.cycle_split != "even":
        raise PositionError(f"expected a state without stones off the board, got {tail[layout.LIFTED]}")


def _missing_cells(board: NDArray[np.int16]) -> tuple[list[tuple[int, int]], set[int]]:
    """Return the closed pits of `board: int16[P, m + 1]`, and the seats that have been lifted off it."""
    lifted = set(np.flatnonzero((board < 0).all(axis=1)).tolist())
    closed = [(seat, pit) for seat, pit in np.argwhere(board < 0).tolist() if seat not in lifted]
    if any(pit == board.shape[1] - 1 for _, pit in closed):
        raise PositionError("expected a state in which a store is lifted with all pits of its player or not at all")
    return closed, lifted


def _tail_limits(rules: Rules, *, playing: bool) -> list[tuple[str, int]]:
    """Return name and largest value of every entry of a row's tail, in their order."""
    limits = {
        layout.MOVER: ("seat", rules.players - 1),
        layout.OVER: ("over", layout.CUT_OFF),
        layout.PLY: ("ply", _COUNTER),
        layout.CAPTURED: ("captured", rules.total),
        layout.EXTRA: ("extra turn", 1),
        layout.LIFTED: ("lifted", rules.total),
        layout.PIE: ("pie", rules.players if rules.pie else 0),
        layout.SINCE: ("plies since a capture", layout.WINDOW - 1 - playing if rules.repetition else _COUNTER),
    }
    seats, keys = range(rules.players), (1 << layout.PART_BITS) - 1
    places = [(f"place of seat {seat}", rules.players if rules.goal == "empty" else 0) for seat in seats]
    tuzdiks = [(f"tuzdik of seat {seat}", rules.pits - 1) for seat in seats if rules.tuzdik]
    history = [("history", keys)] * (rules.row_length - int(rules.array[layout.HISTORY]))
    return [limits[entry] for entry in range(layout.TAIL)] + places + tuzdiks + history
