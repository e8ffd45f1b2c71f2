"""A position as a scene: the board with its stones, numbers and names, and the trace of the last move."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from mancala_rl.envs.rendering import palette, pieces
from mancala_rl.envs.rendering.heap import STONE, heap
from mancala_rl.envs.rendering.move import LastMove, last_move
from mancala_rl.envs.rendering.shapes import Box, Circle, Point, Run, Scene, Shape, Text
from mancala_rl.envs.rendering.table import EDGE, NUMBERS, PIT, Side, Table, table
from mancala_rl.envs.rendering.text import status, tag
from mancala_rl.errors import BadInputError
from mancala_rl.rules import Position

_LONGEST_NAME = 20
_LETTER = 9.5  # width of a letter of a name, about
_SHORTEST_BESIDE = 130.0  # room for the longest note under a name


def scene(position: Position, names: Sequence[str] = (), seat: int = 0, *, forfeited: bool = False) -> Scene:
    """Return the picture of a game.

    Args:
        position: the game; its last move is marked: the pit it began in by a broken ring, what it sowed by blue rings,
            the last of them bold, and stones, what it captured by a ring and the number of stones.
        names: one a seat; "seat 0", "seat 1" ... if left out.
        seat: whose side is at the bottom.
        forfeited: the seat to move has lost by an illegal move.

    Raises:
        BadInputError: too few or too many names, or no such seat.
    """
    players = position.rules.players
    if (names and len(names) != players) or not 0 <= seat < players:
        raise BadInputError(
            f"expected {players} names and a seat from 0 to {players - 1}, got {list(names)} and {seat}"
        )
    names = [_short(name) for name in names or [f"seat {s}" for s in range(players)]]
    beside = max(_SHORTEST_BESIDE, _LETTER * max(map(len, names)))
    board = _Board(position, names, seat, forfeited, table(players, position.rules.pits, beside))
    left, top, right, bottom = board.table.frame
    title = f"{position.rules.name}: {status(position, names, forfeited=forfeited)}"
    return Scene(left, top, right - left, bottom - top, palette.PAGE, tuple(board.shapes()), title)


@dataclass(frozen=True)
class _Board:
    position: Position
    names: list[str]
    seat: int
    forfeited: bool
    table: Table

    @cached_property
    def move(self) -> LastMove:
        return last_move(self.position)

    @cached_property
    def cells(self) -> list[int]:
        return [int(n) for n in self.position.row[: self.position.rules.num_cells]]

    def shapes(self) -> Iterator[Shape]:
        """Yield everything from the bottom up."""
        yield from self.table.panel
        if len(self.names) > 2:
            yield from pieces.direction(self.side(self.seat).pits[0].y - EDGE)
        for seat in range(len(self.names)):
            yield from self._side(seat)
        yield from self._arrows()

    def side(self, seat: int) -> Side:
        return self.table.sides[(seat - self.seat) % len(self.table.sides)]

    def _side(self, seat: int) -> Iterator[Shape]:
        side, width = self.side(seat), self.position.rules.pits + 1
        first = seat * width
        for pit, centre in enumerate(side.pits):
            yield from self._pit(first + pit, centre, side.outward)
            if not self._is_lifted(first):
                yield pieces.number(centre.towards(side.outward, NUMBERS), pit)
        yield from self._store(first + width - 1, side)
        if seat == self.position.to_move and not self.forfeited:
            yield pieces.turn_bar(side)
        yield from self._name(seat, side)

    def _pit(self, cell: int, centre: Point, outward: Point) -> Iterator[Shape]:
        stones, outline = self.cells[cell], Box(centre, PIT, PIT, PIT)
        if stones < 0:
            yield from pieces.lifted(outline) if self._is_lifted(cell) else pieces.closed(centre)
            return
        yield from pieces.hollow(outline)
        yield from self._marks(cell, centre)
        yield from self._stones(cell, centre.towards(outward, -1.5), Point(PIT, PIT))
        if cell in self._tuzdiks:
            yield from pieces.diamond(centre)
        elif cell in self.move.captured and not stones:
            yield pieces.word(centre, f"-{self.move.captured[cell]}", 17, palette.CAPTURE_TEXT)
        yield from pieces.chip(centre.towards(outward, PIT), stones, 15)

    def _store(self, cell: int, side: Side) -> Iterator[Shape]:
        stones, size = self.cells[cell], self.table.store
        outline = Box(side.store, size.x, size.y, min(size))
        if stones < 0:
            yield from pieces.lifted(outline)
            return
        yield from pieces.hollow(outline)
        if cell in self.move.trace:
            width = 4.5 if cell == self.move.trace[-1] else 2.5
            yield Box(side.store, size.x + 3.5, size.y + 3.5, min(size) + 3.5, None, palette.TRACE, width)
        yield from self._stones(cell, side.store, size)
        yield from pieces.chip(self._store_chip(side), stones, 19)

    def _store_chip(self, side: Side) -> Point:
        if len(self.names) == 2:
            return side.store.towards(side.outward, self.table.store.y)
        distance = math.hypot(*side.store)
        return side.store.towards(Point(side.store.x / distance, side.store.y / distance), self.table.store.y)

    def _marks(self, cell: int, centre: Point) -> Iterator[Shape]:
        """Yield the rings that tell what the last move did here."""
        move = self.move
        if cell in move.captured:
            yield Circle(centre, pieces.RING, None, palette.CAPTURE, 4.5)
        elif cell == move.origin:
            yield from pieces.broken_ring(centre)
        elif cell in move.trace:
            yield Circle(centre, pieces.RING, None, palette.TRACE, 4.5 if cell == move.trace[-1] else 2.5)

    def _stones(self, cell: int, centre: Point, room: Point) -> Iterator[Shape]:
        fresh = self.move.trace.count(cell)
        places = heap(self.cells[cell], room.x - 1, room.y - 1)
        turn = 0.0 if room.x != room.y else cell * 0.9  # no two pits side by side look stamped
        cos, sin = math.cos(turn), math.sin(turn)
        for number, (x, y) in enumerate(places):
            at = Point(centre.x + x * cos - y * sin, centre.y + x * sin + y * cos)
            is_fresh = number >= len(places) - fresh
            colour = palette.FRESH if is_fresh else palette.STONES[(number + cell) % len(palette.STONES)]
            yield Circle(at, STONE, colour, palette.STONE_EDGE, 1)
            yield Circle(Point(at.x - 2, at.y - 2.2), 1.7, "#ffffff")

    def _is_lifted(self, cell: int) -> bool:
        """Whether the cell's whole side has been taken off the board, with its store."""
        width = self.position.rules.pits + 1
        return self.cells[cell - cell % width + width - 1] < 0

    @cached_property
    def _tuzdiks(self) -> set[int]:
        """The cells that somebody has claimed: the owner sits opposite."""
        width = self.position.rules.pits + 1
        return {(1 - seat) * width + pit for seat, pit in enumerate(self.position.tuzdiks) if pit is not None}

    def _name(self, seat: int, side: Side) -> Iterator[Shape]:
        note, is_turn = tag(self.position, seat, forfeited=self.forfeited)
        name = Run(self.names[seat], palette.INK, True)
        mark = Run(note, palette.TURN if is_turn else palette.MUTED, is_turn)
        if side.is_beside:
            above, below = side.label._replace(y=side.label.y - 10), side.label._replace(y=side.label.y + 11)
            yield Text(above if note else side.label, (name,), 17, side.anchor)
            if note:
                yield Text(below, (mark,), 15, side.anchor)
            return
        yield Text(side.label, (name, Run("   ", palette.INK), mark) if note else (name,), 17, side.anchor)

    def _arrows(self) -> Iterator[Shape]:
        """Yield an arrow head wherever the last move went from one cell to the next."""
        if self.move.origin is None:
            return
        route = (self.move.origin, *self.move.trace)
        for start, end in dict.fromkeys(pairwise(route)):
            if start != end and min(self.cells[start], self.cells[end]) >= 0:
                yield from self._arrow(start, end)

    def _arrow(self, start: int, end: int) -> Iterator[Shape]:
        """Yield the head in the middle of the gap between two cells."""
        a, b = self._middle(start), self._middle(end)
        if len(self.names) == 2:  # a store is as high as both rows: the way there is level
            a, b = (c._replace(y=d.y) if self._is_store(cell) else c for cell, c, d in ((start, a, b), (end, b, a)))
        length = math.hypot(b.x - a.x, b.y - a.y)
        ahead = Point((b.x - a.x) / length, (b.y - a.y) / length)
        radius, other = (self.table.store.x if self._is_store(cell) else PIT for cell in (start, end))
        yield pieces.head(a.towards(ahead, (radius + length - other) / 2 - 4), ahead)

    def _is_store(self, cell: int) -> bool:
        return cell % (self.position.rules.pits + 1) == self.position.rules.pits

    def _middle(self, cell: int) -> Point:
        seat, pit = divmod(cell, self.position.rules.pits + 1)
        side = self.side(seat)
        return (*side.pits, side.store)[pit]


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
