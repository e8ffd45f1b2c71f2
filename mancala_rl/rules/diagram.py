"""A drawing of a position in plain characters, as a player sitting at the board sees it.

             5   4   3   2   1   0    seat 1
             4   4   4   4   4   4
       0                              *1
             4   4   0  *5  *5  *5
             0   1   2   3   4   5    seat 0 to move

A star marks what the last move sowed, x a closed pit.
"""

from collections.abc import Iterable, Sequence

from mancala_rl.rules.position import Position

_GAP = "  "


def diagram(
    position: Position, names: Sequence[str] = (), seat: int = 0, *, numbers: bool = True, turn: bool = True
) -> str:
    """Return the board as several lines; sowing runs counter-clockwise.

    With more than two players every seat has its own line: pits, then the store behind a bar.

    Args:
        position: what to draw; its `trace` is marked.
        names: one a seat; "seat 0", "seat 1" ... if left out.
        seat: whose side is at the bottom, in a game for two.
        numbers: whether the pits' numbers stand outside, in a game for two.
        turn: whether the seat to move is marked.
    """
    seats = range(position.rules.players)
    names = names or [f"seat {s}" for s in seats]
    turns = [" to move" if turn and s == position.to_move else "" for s in seats]
    if len(seats) != 2:
        return _rows(_cells(position), names, turns)
    labels = [name + mark for name, mark in zip(names, turns, strict=True)]
    return _board(_cells(position), labels, seat, numbers)


def _board(cells: list[list[str]], labels: Sequence[str], seat: int, numbers: bool) -> str:
    (*far, left), (*own, right) = cells[1 - seat], cells[seat]
    width = len(left)
    above, below = [far[::-1]], [own]
    if numbers:
        pits = [f"{pit:>{width}}" for pit in range(len(own))]
        above.insert(0, pits[::-1])
        below.append(pits)
    tops, bottoms = ([" " * (width + 4) + _line(row) for row in rows] for rows in (above, below))
    tops[0] += f"    {labels[1 - seat]}"
    bottoms[-1] += f"    {labels[seat]}"
    middle = f"{_GAP}{left}  {_line([' ' * width] * len(own))}    {right}"
    return "\n".join([*tops, middle, *bottoms])


def _rows(cells: list[list[str]], names: Sequence[str], turns: Sequence[str]) -> str:
    longest = max(map(len, names))
    rows = zip(names, cells, turns, strict=True)
    return "\n".join(f"  {name:>{longest}}:{_line(pits)}  | {store}{turn}" for name, (*pits, store), turn in rows)


def _line(cells: Iterable[str]) -> str:
    return "".join(_GAP + cell for cell in cells)


def _cells(position: Position) -> list[list[str]]:
    """Return the content of every cell, one row a seat with its store last, all of one width."""
    rules = position.rules
    sown = set(position.trace)
    texts = ["x" if n < 0 else str(n) for n in position.row[: rules.num_cells].tolist()]
    width = max(map(len, [*texts, str(rules.pits - 1)])) + 1  # room for a star
    marked = [f"{'*' * (cell in sown) + text:>{width}}" for cell, text in enumerate(texts)]
    row = rules.pits + 1
    return [marked[first : first + row] for first in range(0, len(marked), row)]
