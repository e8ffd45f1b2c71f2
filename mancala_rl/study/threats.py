"""What a side could do at once if it were its turn: the measure of what a move saves and takes away."""

from typing import NamedTuple

from mancala_rl.kernel import layout
from mancala_rl.rules import Position
from mancala_rl.rules.commentary import unsettled
from mancala_rl.rules.laps import sown_cells


class Threat(NamedTuple):
    """A capture that is possible: stones of the other side that it takes, and the move; 0 and None if there is none."""

    stones: int
    move: int | None


def passed(position: Position) -> Position:
    """Return a position of two players as it would be if the player to move could pass."""
    row, tail = position.row, position.rules.num_cells
    row[tail + layout.MOVER] = 1 - (position.to_move or 0)
    row[tail + layout.EXTRA] = row[tail + layout.PIE] = 0
    return Position.from_row(position.rules, row)


def threat(position: Position) -> Threat:
    """Return the capture of the player to move that takes most from the pits of the other of two players."""
    losses = {pit: taken(position, pit) for pit in _pits(position)}
    pit = max(losses, key=lambda move: losses[move], default=None)
    return Threat(0, None) if pit is None or losses[pit] == 0 else Threat(losses[pit], pit)


def taken(position: Position, pit: int) -> int:
    """Return how many stones the player to move captures from the pits of the other of two players.

    They are counted when all stones have been sown; what is shared out at the end of a game does not count.
    """
    victim, width = 1 - (position.to_move or 0), position.rules.pits + 1
    sown = sown_cells(position, pit)[victim * width : victim * width + position.rules.pits]
    return int(sown.clip(0).sum()) - sum(unsettled(position, pit).pits[victim])


def extra_turns(position: Position) -> tuple[int, ...]:
    """Return the moves that give the player to move another turn."""
    return tuple(pit for pit in _pits(position) if position.play(pit).extra_turn)


def _pits(position: Position) -> list[int]:
    return [move for move in position.legal_moves if move < position.rules.pits]
