"""What the last move did to the board: where it began, where its stones fell, what it captured."""

import dataclasses
from collections.abc import Mapping

from mancala_rl.rules import Position
from mancala_rl.rules.laps import sown_cells


@dataclasses.dataclass(frozen=True)
class LastMove:
    """The last move of a position, its cells numbered as in `Position.trace`.

    Attributes:
        origin: the pit whose stones were sown, None if nothing was sown.
        trace: the cells sown, in order.
        captured: how many stones it took out of which pits.
    """

    origin: int | None = None
    trace: tuple[int, ...] = ()
    captured: Mapping[int, int] = dataclasses.field(default_factory=dict)


def last_move(position: Position) -> LastMove:
    """Return the last move of a position, an empty one for a start, a swap or a player giving up."""
    before, action, trace = position.previous, position.last_action, position.trace
    if before is None or action is None or before.to_move is None or not trace:
        return LastMove()
    origin = before.to_move * (before.rules.pits + 1) + action
    captured = _captured(before, action) if position.captured else {}
    return LastMove(origin, trace, captured)


def _captured(before: Position, action: int) -> dict[int, int]:
    """Return the stones that were in each pit after the sowing and are no longer there after the capture."""
    rules, width = before.rules, before.rules.pits + 1
    # What is shared out when the game ends is no capture, nor are the stones that fall into a tuzdik.
    unshared = dataclasses.replace(rules, leftovers="unscored", sweep_when_decided=False)
    after = Position.from_row(unshared, before.row).play(action).row
    sown = sown_cells(before, action).tolist()
    taken = {cell: stones - max(int(after[cell]), 0) for cell, stones in enumerate(sown) if cell % width != rules.pits}
    return {cell: stones for cell, stones in taken.items() if stones > 0}
