"""A move taken apart: its laps, and the board between sowing and capture."""

import numpy as np
from numpy.typing import NDArray

from mancala_rl.kernel import layout
from mancala_rl.kernel.sowing import next_pit, sow, sow_lap
from mancala_rl.rules.position import Position


def laps(before: Position, action: int) -> list[int]:
    """Return how many stones each lap of a move sows; more than one lap only where the rules have relays."""
    r, rows = before.rules.array, before.row[None]
    seat = before.to_move or 0
    pit, sown = _origin(before, action), list[int]()
    while pit >= 0 and (not sown or len(sown) != r[layout.RELAY_LIMIT]):
        sown.append(int(rows[0, pit]))
        pit = int(next_pit(rows, 0, seat, int(sow_lap(rows, 0, seat, pit, r)), r))
    return sown


def sown_cells(before: Position, action: int) -> NDArray[np.int16]:
    """Return the cells after the sowing of a move and before any capture, int16[num_cells]."""
    rows = before.row[None]
    sow(rows, 0, before.to_move or 0, _origin(before, action), before.rules.array)
    cells: NDArray[np.int16] = rows[0, : before.rules.num_cells]
    return cells


def _origin(before: Position, action: int) -> int:
    return (before.to_move or 0) * (before.rules.pits + 1) + action
