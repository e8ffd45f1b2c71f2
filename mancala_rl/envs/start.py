"""Where an episode starts: from the deal or from a position given to `reset`."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.envs.options import check_mapping, check_seat
from mancala_rl.errors import BadInputError, PositionError
from mancala_rl.kernel import deal_range
from mancala_rl.rules import Batch, Position, Rules
from mancala_rl.rules.batch import SEEDS


def start_row(
    rules: Rules, first: int | str, options: Mapping[str, Any], rng: np.random.Generator
) -> NDArray[np.int16]:
    """Return the row a new episode starts from, int16[row_length].

    Args:
        rules: the variant played.
        first: the seat that starts, or "random".
        options: `position` (a `Position` or its text) starts there; `first` is used instead of the argument. Other
            keys mean nothing here and are passed over, as PettingZoo and Gymnasium want it.
        rng: draws a random first seat and a random deal.

    Raises:
        BadInputError: a seat that does not exist, or both options at once.
        PositionError: a position that cannot be read, is of other rules, or is over.
    """
    check_mapping(options)
    position, first = options.get("position"), options.get("first", first)
    check_seat("first", first, rules.players)
    if position is None:
        return dealt_row(rules, first, rng)
    if "first" in options:
        raise BadInputError("options 'position' and 'first' exclude each other: a position names the seat to move")
    return position_row(rules, position)


def dealt_row(rules: Rules, first: int | str, rng: np.random.Generator) -> NDArray[np.int16]:
    """Return the row of a new game, int16[row_length]; `first` is a seat or "random".

    Raises:
        BadInputError: the game is over before the first move of this seat.
    """
    seat, seed = draw_start(rules, first, rng)
    if seat not in rules.starters:
        Batch.start(rules, 1, first=seat)  # raises, and says why
    rows = np.zeros((1, rules.row_length), np.int16)
    deal_range(0, 1, rows, np.array([seat]), np.array([seed]), rules.start_cells, rules.array)
    row: NDArray[np.int16] = rows[0]
    return row


def draw_start(rules: Rules, first: int | str, rng: np.random.Generator) -> tuple[int, int]:
    """Return the seat that starts and what draws the board; chance is taken from `rng` only where it decides."""
    seat = int(rng.integers(rules.players)) if first == "random" else int(first)
    return seat, int(rng.integers(SEEDS)) if rules.start_position == "random" else 0


def position_row(rules: Rules, position: Position | str) -> NDArray[np.int16]:
    """Return the row of a given position, int16[row_length].

    Raises:
        PositionError: it cannot be read, is of other rules, or is over.
    """
    if isinstance(position, str):
        position = Position.parse(position, rules)
    if not isinstance(position, Position):
        raise PositionError(f"position={position!r}: expected a Position or its text, got {type(position).__name__}")
    if not rules.plays_like(position.rules):  # where games start makes no difference
        raise PositionError(f"expected a position of {rules}, got one of {position.rules}")
    if position.is_over:
        raise PositionError(f"position {position}: the game is over, an episode cannot start there")
    return position.row
