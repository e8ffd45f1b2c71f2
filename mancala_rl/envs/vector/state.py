"""Checks of the values that `set_state` of a batched environment is given: kernels must never meet a broken row."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.envs.episode import STREAMS
from mancala_rl.envs.state import check_row, refuse
from mancala_rl.envs.vector import games
from mancala_rl.envs.vector.asked import array_of
from mancala_rl.kernel.layout import CUT_OFF, PLACES
from mancala_rl.rules import Batch, Rules


def array_like(key: str, value: Any, own: NDArray[Any]) -> NDArray[Any]:
    """Return an entry of a state as an array of the shape and type of `own`.

    Raises:
        BadInputError: it is none.
    """
    given = array_of(value)
    if given.shape != own.shape or given.dtype != own.dtype:
        refuse(key, f"{given.dtype} of shape {given.shape}", f"{own.dtype} of shape {own.shape}")
    return given


def check_games(
    rows: NDArray[np.int16], table: NDArray[np.int64], records: Sequence[Rules], pits: int, learner: int
) -> None:
    """Refuse rows and columns of games that do not fit together.

    Args:
        rows: int16[B, L].
        table: int64[B, COLUMNS].
        records: the rules there are.
        pits: the most that any of them has.
        learner: the seat of the learner, NOBODY or ANYBODY.

    Raises:
        BadInputError: an entry of `table` that cannot be.
        PositionError: a row that cannot be.
    """
    _check_columns(table, records)
    for index, rules in enumerate(records):
        own = np.flatnonzero(table[:, games.RECORD] == index)
        for row in rows[own]:
            check_row(row[: rules.row_length], rules)
        _check_turns(Batch(rules, rows[own, : rules.row_length].copy()), table[own], pits, learner)


def _check_columns(table: NDArray[np.int64], records: Sequence[Rules]) -> None:
    players = np.array([rules.players for rules in records])
    highest = {
        games.RECORD: len(records) - 1,
        games.STREAM: STREAMS - 1,
        games.EPISODE: STREAMS - 1,
        games.SEAT: players.max() - 1,
        games.TURNS: STREAMS - 1,
        games.STATUS: CUT_OFF,
        games.FORFEITED: 1,
        games.PAID: (1 << players.max()) - 1,
        games.IDLE: 1,
    }
    for column, high in highest.items():
        low = games.NOBODY if column == games.SEAT else 0
        outside = (table[:, column] < low) | (table[:, column] > high)
        if outside.any():
            refuse("games", table[outside, column][0].item(), f"column {column} from {low} to {high}")
    if (table[:, games.SEAT] >= players[table[:, games.RECORD]]).any():
        refuse("games", table[:, games.SEAT].tolist(), "seats that the games have")


def _check_turns(batch: Batch, table: NDArray[np.int64], pits: int, learner: int) -> None:
    """Refuse games of one record whose columns tell another seat to move or other legal actions than their rows."""
    rules, idle, seats = batch.rules, table[:, games.IDLE] > 0, table[:, games.SEAT]
    bits = batch.legal_bits()
    legal = np.where(idle, 0, (bits & ((1 << rules.pits) - 1)) | bits >> rules.pits << pits)
    to_move = np.where(idle, -1, batch.to_move)
    if (legal != table[:, games.LEGAL]).any() or (to_move != table[:, games.TO_MOVE]).any():
        refuse("games", table[:, games.TO_MOVE].tolist(), f"seats to move {to_move.tolist()}, with what is legal there")
    if (~idle & batch.over).any():
        refuse("games", table[:, games.IDLE].tolist(), "games marked as over where they are")
    first = rules.num_cells + PLACES
    out = (batch.rows[:, first : first + rules.players] > 0) @ (1 << np.arange(rules.players))
    if (~idle & (out != table[:, games.PAID])).any():
        refuse("games", table[:, games.PAID].tolist(), "rewards paid to the players who are out and to nobody else")
    if learner == games.NOBODY:
        wrong = seats != games.NOBODY
    else:
        wrong = (seats < 0) | (~idle & (seats != to_move)) | ((learner >= 0) & (seats != learner))
    if wrong.any():
        refuse("games", seats.tolist(), "the learner's seat to be the one to move in every game that runs")
