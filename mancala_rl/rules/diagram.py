"""A drawing of a position in plain characters, as a player sitting at the board sees it.

             5   4   3   2   1   0    seat 1
             4   4   4   4   4   4
       0                              *1
             4   4   0  *5  *5  *5
             0   1   2   3   4   5    seat 0 to move

A star marks what the last move sowed, x a pit that is closed or lifted off the board. After a name stand the place of
who is out, and the pit of the opponent that a player has claimed.
"""

from collections.abc import Iterable, Sequence

from mancala_rl.rules.position import Position

_GAP = "  "


def diagram(
    position: Position, names: Sequence[str] = (), seat: int | None = None, *, numbers: bool = True, turn: bool = True
) -> str:
    """Return the board as several lines; sowing runs counter-clockwise.

    With more than two players every seat has its own line: pits, then the store behind a bar.

    Args:
        position: what to draw; its `trace` is marked.
        names: one a seat; "seat 0", "seat 1" ... if left out.
        seat: whose side is at the bottom; if left out, seat 0 in a game for two, the last seat in a larger one.
        numbers: whether the pits' numbers stand outside, in a game for two.
        turn: whether the seat to move is marked.
    """
    seats = range(position.rules.players)
    names = names or [f"seat {s}" for s in seats]
    notes = [_note(position, s, turn) for s in seats]
    cells = _cells(position)
    if len(seats) != 2:
        order = [(s + 1 + (seats[-1] if seat is None else seat)) % len(seats) for s in seats]
        return _rows([(names[s], cells[s], notes[s]) for s in order])
    labels = [name + note for name, note in zip(names, notes, strict=True)]
    return _board(cells, labels, seat or 0, numbers)


def ordinal(place: int) -> str:
    """Return a place as a word, as in 1st."""
    return f"{place}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(place, 'th') }"


def _note(position: Position, seat: int, turn: bool) -> str:
    """Return what is said of a seat after its name: its turn, its place, its tuzdik."""
    place, tuzdik = position.places[seat], position.tuzdiks[seat]
    note = " to move" if turn and seat == position.to_move else ""
    note += f", {ordinal(place)}" if place else ""
    return note + (f", tuzdik in pit {tuzdik}" if tuzdik is not None else "")


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


def _rows(rows: Sequence[tuple[str, list[str], str]]) -> str:
    longest = max(len(name) for name, _, _ in rows)
    return "\n".join(f"  {name:>{longest}}:{_line(pits)}  | {store}{note}" for name, (*pits, store), note in rows)


def _line(cells: Iterable[str]) -> str:
    return "".join(_GAP + cell for cell in cells)


def _cells(position: Position) -> list[list[str]]:
    """Return the content of every cell, one row a seat with its store last, all of one width."""
    rules = position.rules
    sown = set(position.trace)
    texts = ["x" if n < 0 else str(n) for n in position.row[: rules.num_cells].tolist()]
    width = max(map(len, [*texts, str(rules.pits - 1)])) + 1  # room for a star
    marked = [f"{'*' * (cell in sown and text != 'x') + text:>{width}}" for cell, text in enumerate(texts)]
    row = rules.pits + 1
    return [marked[first : first + row] for first in range(0, len(marked), row)]
