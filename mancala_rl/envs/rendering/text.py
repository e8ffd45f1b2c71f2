"""What an environment says of its game: the board in plain characters, whose turn it is or how it ended."""

from collections.abc import Sequence

from mancala_rl.rules import Position
from mancala_rl.rules.diagram import diagram, ordinal


def board_text(position: Position, names: Sequence[str], seat: int = 0, *, forfeited: bool = False) -> str:
    """Return a game as text: the board, then its status.

    Args:
        position: the game; its `trace` is marked.
        names: one a seat.
        seat: whose side is at the bottom.
        forfeited: the seat to move has lost by an illegal move.
    """
    return f"{diagram(position, names, seat, turn=False)}\n{status(position, names, forfeited=forfeited)}"


def status(position: Position, names: Sequence[str], *, forfeited: bool = False) -> str:
    """Return one line that says whose turn it is, or how the game ended."""
    if position.to_move is not None:
        if forfeited:
            return f"{names[position.to_move]} loses by an illegal move"
        return f"{names[position.to_move]} to move{' again' if position.extra_turn else ''}"
    ranking = position.ranking or ()
    if position.rules.goal == "empty":
        results = ", ".join(f"{name} {ordinal(place)}" for name, place in zip(names, ranking, strict=True))
    else:
        results = ", ".join(f"{name} {score}" for name, score in zip(names, position.scores, strict=True))
    if position.truncated:
        return f"cut off after {position.ply} moves: {results}"
    best = [seat for seat, place in enumerate(ranking) if place == 1]
    return f"{names[best[0]]} wins: {results}" if len(best) == 1 else f"a draw: {results}"


def tag(position: Position, seat: int, *, forfeited: bool = False) -> tuple[str, bool]:
    """Return what a few words say of a seat, perhaps none, and whether it is to move."""
    if seat == position.to_move:
        turn = f"to move{' again' if position.extra_turn else ''}"
        return ("loses by an illegal move", False) if forfeited else (turn, True)
    place = position.places[seat]
    if position.ranking is None:
        return (f"{ordinal(place)} place" if place else "", False)
    if position.truncated and not place:
        return "cut off", False
    return _result(seat, position.ranking), False


def _result(seat: int, ranking: tuple[int, ...]) -> str:
    place = ranking[seat]
    shared = ranking.count(place) > 1
    if len(ranking) > 2:
        return f"{ordinal(place)} place{', shared' if shared else ''}"
    if shared:
        return "a draw"
    return "wins" if place == 1 else "loses"
