"""A drawing of a position in plain characters."""

from collections.abc import Iterable

from mancala_rl.rules.position import Position


def diagram(position: Position, numbers: bool = True) -> str:
    """Return the board as several lines: seat 0 below, sowing runs counter-clockwise, the pits' numbers outside.

    With more than two players every seat has its own line: pits, then the store behind a bar.
    """
    if position.rules.players != 2:
        return _rows(position)
    width = max(len(str(number)) for number in (*sum(position.pits, ()), *position.stores, position.rules.pits))
    indent = " " * (width + 4)
    (below, above), (right, left) = position.pits, position.stores
    pits = range(position.rules.pits)
    gap = " " * ((width + 2) * len(pits) + 4)
    board = [
        f"{indent}{_cells(reversed(above), width)}    seat 1{_turn(position, 1)}",
        f"  {left:>{width}}{gap}{right:>{width}}",
        f"{indent}{_cells(below, width)}    seat 0{_turn(position, 0)}",
    ]
    if numbers:
        board.insert(0, f"{indent}{_cells(reversed(pits), width)}    pits of seat 1")
        board.append(f"{indent}{_cells(pits, width)}    pits of seat 0")
    return "\n".join(board)


def _rows(position: Position) -> str:
    width = max(len(str(number)) for number in (*sum(position.pits, ()), *position.stores))
    rows = zip(position.pits, position.stores, strict=True)
    return "\n".join(
        f"  seat {seat}:{_cells(pits, width)}  | {store:>{width}}{_turn(position, seat)}"
        for seat, (pits, store) in enumerate(rows)
    )


def _cells(numbers: Iterable[int], width: int) -> str:
    return "".join(f"  {number:>{width}}" for number in numbers)


def _turn(position: Position, seat: int) -> str:
    return " to move" if position.to_move == seat else ""
