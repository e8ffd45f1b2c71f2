"""A drawing of a position in plain characters."""

from mancala_rl.rules.position import Position


def diagram(position: Position) -> str:
    """Return the board as several lines: seat 0 below, sowing runs counter-clockwise, pit numbers outside.

    With more than two players every seat has its own line: pits, then the store behind a bar.
    """
    if position.rules.players != 2:
        return _rows(position)
    width = max(len(str(number)) for number in (*sum(position.pits, ()), *position.stores, position.rules.pits))
    margin = width + 4
    blank = " " * margin
    below, above = position.pits
    numbers = range(position.rules.pits)
    left, right = position.stores[1], position.stores[0]
    middle = f"  {left:>{width}}" + " " * ((width + 2) * position.rules.pits + 4) + f"{right:>{width}}"
    lines = [
        blank + _cells(reversed(numbers), width) + "    pits of seat 1",
        blank + _cells(reversed(above), width) + f"    seat 1{_turn(position, 1)}",
        middle,
        blank + _cells(below, width) + f"    seat 0{_turn(position, 0)}",
        blank + _cells(numbers, width) + "    pits of seat 0",
    ]
    return "\n".join(lines)


def _rows(position: Position) -> str:
    width = max(len(str(number)) for number in (*sum(position.pits, ()), *position.stores))
    rows = zip(position.pits, position.stores, strict=True)
    return "\n".join(
        f"  seat {seat}:{_cells(pits, width)}  | {store:>{width}}{_turn(position, seat)}"
        for seat, (pits, store) in enumerate(rows)
    )


def _cells(numbers, width):
    return "".join(f"  {number:>{width}}" for number in numbers)


def _turn(position: Position, seat: int) -> str:
    return " to move" if position.to_move == seat else ""
