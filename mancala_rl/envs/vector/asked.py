"""What `reset` of a batched environment is asked for: which games, with which seeds, from which positions."""

from collections.abc import Mapping, Sequence
from reprlib import repr as shortened
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.envs.episode import given_row, stream_of
from mancala_rl.envs.options import checked_seed
from mancala_rl.errors import BadInputError, PositionError
from mancala_rl.rules import Position, Rules
from mancala_rl.rules.numbers import is_whole


def array_of(value: Any) -> NDArray[Any]:
    """Return an array of what the caller gave; lists of different lengths become one of objects, which fits nowhere."""
    try:
        return np.asarray(value)
    except ValueError:
        return np.asarray(value, object)


def asked_games(mask: Any, count: int) -> NDArray[np.int64] | None:
    """Return the games that `reset_mask` names, int64[N], None if there is no mask.

    Raises:
        BadInputError: not one boolean a game.
    """
    if mask is None:
        return None
    given = array_of(mask)
    if given.dtype != np.bool_ or given.shape != (count,):
        raise BadInputError(f"options: reset_mask: expected {count} booleans, got {given.dtype} of shape {given.shape}")
    return np.flatnonzero(given)


def seeds_of(seed: Any, count: int) -> list[int | None]:
    """Return one seed a game, None for a game that goes on with its own chance; one number s gives game g s + g.

    Raises:
        BadInputError: neither None, nor a whole number >= 0, nor one of these a game.
    """
    seed = seed.tolist() if isinstance(seed, np.ndarray) else seed
    if seed is None or is_whole(seed):
        one = checked_seed(seed)
        return [None if one is None else one + game for game in range(count)]
    if not isinstance(seed, Sequence) or isinstance(seed, str | bytes) or len(seed) != count:
        raise BadInputError(f"seed={shortened(seed)}: expected a whole number >= 0, None or a list of {count} of these")
    return [checked_seed(value) for value in seed]


def streams_of(seeds: Sequence[int | None], asked: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return those of the asked games that have a seed, and their streams, int64[N] both."""
    chosen = [game for game in asked.tolist() if seeds[game] is not None]
    streams = [stream_of(seed) for game in chosen if (seed := seeds[game]) is not None]
    return np.array(chosen, np.int64), np.array(streams, np.int64)


def given_rows(
    options: Mapping[str, Any], which: NDArray[np.int64], records: Sequence[Rules], length: int
) -> NDArray[np.int16] | None:
    """Return the rows that games are to start from, int16[B, length], if the options name positions.

    Args:
        options: of `reset`; `position` is one, or a list with one a game.
        which: int64[B], the record of each game.
        records: the rules there are.
        length: of a row.

    Raises:
        BadInputError: a list of another length.
        PositionError: a position that cannot be read, is of other rules, or is over.
    """
    positions = options.get("position")
    if positions is None:
        return None
    if not isinstance(positions, list | tuple):
        positions = [positions] * len(which)
    if len(positions) != len(which):
        raise BadInputError(f"options: position: expected one, or {len(which)}, got {len(positions)}")
    given = np.zeros((len(which), length), np.int16)
    known: dict[tuple[int, Any], Any] = {}  # a position is often given to every game
    for game, (record, position) in enumerate(zip(which.tolist(), positions, strict=True)):
        if not isinstance(position, Position | str):
            raise PositionError(
                f"options: position {game}: expected a Position or its text, got {type(position).__name__}"
            )
        if (record, position) not in known:
            known[record, position] = given_row(records[record], {**options, "position": position})
        row = known[record, position]
        given[game, : len(row)] = row
    return given
