"""What an environment shows of its game: the board, and a line that says whose turn it is or how the game ended."""

from collections.abc import Sequence

from mancala_rl.rules import Position
from mancala_rl.rules.diagram import diagram


def board_text(position: Position, names: Sequence[str], seat: int = 0, *, forfeited: bool = False) -> str:
    """Return a game for two as text: the board, then its status.

    Args:
        position: the game; its `trace` is marked.
        names: one a seat.
        seat: whose side is at the bottom.
        forfeited: the seat to move has lost by an illegal move.
    """
    return f"{diagram(position, names, seat, turn=False)}\n{status(position, names, forfeited=forfeited)}"


def status(position: Position, names: Sequence[str], *, forfeited: bool = False) -> str:
    """Return one line that says whose turn it is, or how the game ended."""
    if forfeited and position.to_move is not None:
        return f"{names[position.to_move]} loses by an illegal move"
    if position.to_move is not None:
        return f"{names[position.to_move]} to move{' again' if position.extra_turn else ''}"
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, position.scores, strict=True))
    best = [seat for seat, score in enumerate(position.scores) if score == max(position.scores)]
    return f"{names[best[0]]} wins: {scores}" if len(best) == 1 else f"a draw: {scores}"
