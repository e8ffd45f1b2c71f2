"""The board as text, as a player sitting at it sees it: own side at the bottom, stores at the ends.

             5   4   3   2   1   0    player_1
             4   4   4   4   4   4
       0                              *1
             4   4   0  *5  *5  *5
             0   1   2   3   4   5    player_0
    player_0 to move again

A star marks what the last move sowed, x a closed pit.
"""

from collections.abc import Sequence

from mancala_rl.rules import Position


def board_text(position: Position, names: Sequence[str], seat: int = 0, *, forfeited: bool = False) -> str:
    """Return the board of a game for two as text.

    Args:
        position: the game; its `trace` is marked.
        names: one a seat.
        seat: whose side is at the bottom.
        forfeited: the seat to move has lost by an illegal move.
    """
    pits, other = position.rules.pits, 1 - seat
    cells = _cell_texts(position)
    width = max(len(str(n)) for n in (*position.row[: position.rules.num_cells], pits - 1)) + 3  # a star, two spaces
    own, far = (cells[s * (pits + 1) : (s + 1) * (pits + 1)] for s in (seat, other))
    margin = " " * (width + 2)
    numbers = [str(pit) for pit in range(pits)]
    return "\n".join(
        [
            f"{margin}{_line(numbers[::-1], width)}    {names[other]}",
            margin + _line(far[pits - 1 :: -1], width),
            f"{far[pits]:>{width}}  {' ' * (width * pits)}  {own[pits]:>{width}}",
            margin + _line(own[:pits], width),
            f"{margin}{_line(numbers, width)}    {names[seat]}",
            status(position, names, forfeited=forfeited),
        ]
    )


def status(position: Position, names: Sequence[str], *, forfeited: bool = False) -> str:
    """Return one line that says whose turn it is, or how the game ended."""
    if forfeited and position.to_move is not None:
        return f"{names[position.to_move]} loses by an illegal move"
    if position.to_move is not None:
        return f"{names[position.to_move]} to move{' again' if position.extra_turn else ''}"
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, position.scores, strict=True))
    best = [seat for seat, score in enumerate(position.scores) if score == max(position.scores)]
    return f"{names[best[0]]} wins: {scores}" if len(best) == 1 else f"a draw: {scores}"


def _line(texts: Sequence[str], width: int) -> str:
    return "".join(f"{text:>{width}}" for text in texts)


def _cell_texts(position: Position) -> list[str]:
    """Return the content of every cell, P*(m+1) texts."""
    counts = position.row[: position.rules.num_cells].tolist()
    sown = set(position.trace)
    return [f"{'*' if cell in sown else ''}{'x' if n < 0 else n}" for cell, n in enumerate(counts)]
