"""What the last move did to the board: where it began, where its stones fell, what it captured."""

import dataclasses
from collections import Counter
from collections.abc import Mapping

from mancala_rl.kernel import layout
from mancala_rl.rules import Position


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
    captured = _captured(before, action, origin, trace) if position.captured else {}
    return LastMove(origin, trace, captured)


def _captured(before: Position, action: int, origin: int, trace: tuple[int, ...]) -> dict[int, int]:
    """Return the stones that were in each pit after the sowing and are no longer there after the capture."""
    rules, width = before.rules, before.rules.pits + 1
    # What is shared out when the game ends is no capture, nor are the stones that fall into a tuzdik.
    unshared = dataclasses.replace(rules, leftovers="unscored", sweep_when_decided=False)
    after = Position.from_row(unshared, before.row).play(action).row
    sown = _sown(before, origin, trace)
    tuzdiks = [(1 - seat) * width + pit for seat, pit in enumerate(before.tuzdiks) if pit is not None]
    pits = [cell for cell in range(rules.num_cells) if cell % width != rules.pits and cell not in tuzdiks]
    taken = {cell: sown[cell] - max(int(after[cell]), 0) for cell in pits}
    return {cell: stones for cell, stones in taken.items() if stones > 0}


def _sown(before: Position, origin: int, trace: tuple[int, ...]) -> Counter[int]:
    """Return the stones in every cell after the sowing, lap after lap of a relay, before anything is captured."""
    rules = before.rules
    board = before.row[: rules.num_cells].clip(0).tolist()
    counts = Counter(dict(enumerate(board)))
    hand = counts.pop(origin)
    for number, cell in enumerate(trace):
        if hand == 0:
            hand = counts.pop(_taken_up(before, trace[number - 1]))
        counts[cell] += 1
        hand -= 1
    return counts


def _taken_up(before: Position, last: int) -> int:
    """Return the pit that a relay takes up after a lap that ended in `last`."""
    rules = before.rules
    if rules.relay == "last":
        return last
    path = layout.HEADER + (before.to_move or 0) * rules.num_cells
    cell = int(rules.array[path + last])
    while before.row[cell] < 0:
        cell = int(rules.array[path + cell])
    return cell
