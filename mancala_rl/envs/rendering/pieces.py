"""The parts that boards are put together from: hollows, numbers, marks and arrows."""

import dataclasses
import math
from collections.abc import Iterator

from mancala_rl.envs.rendering import palette
from mancala_rl.envs.rendering.shapes import Box, Circle, Line, Point, Polygon, Run, Shape, Text
from mancala_rl.envs.rendering.table import EDGE, PIT, Side

RING = PIT + 3.5  # what marks a pit lies just outside of it


def hollow(outline: Box) -> Iterator[Shape]:
    """Yield a hollow in the wood: dark where the upper edge throws its shadow."""
    x, y = outline.centre
    half_width, half_height, corner = outline.half_width, outline.half_height, outline.corner
    yield Box(outline.centre, half_width, half_height, corner, palette.PIT_SHADE)
    yield Box(Point(x, y + 1.5), half_width - 1.5, half_height - 1.5, corner - 1.5, palette.PIT)


def turn_bar(side: Side) -> Shape:
    """Return the bar along the edge of the board that marks the side to move."""
    first, last = (pit.towards(side.outward, EDGE) for pit in (side.pits[0], side.pits[-1]))
    along = Point(side.outward.y, -side.outward.x)
    return Line((first.towards(along, -PIT), last.towards(along, PIT)), palette.TURN, 6)


def chip(centre: Point, stones: int, size: float) -> Iterator[Shape]:
    """Yield a number of stones on its plate."""
    half = size * (0.42 + 0.3 * len(str(stones)))
    yield Box(centre, half, size * 0.66, size * 0.66, palette.CHIP, palette.PIT, 1)
    yield word(centre, str(stones), size, palette.INK)


def number(centre: Point, pit: int) -> Text:
    """Return the number of a pit, to be read beside it."""
    return word(centre, str(pit), 12.5, palette.MUTED, bold=False)


def word(at: Point, text: str, size: float, colour: str, *, bold: bool = True) -> Text:
    """Return a text in one style around a point."""
    return Text(at, (Run(text, colour, bold),), size)


def closed(centre: Point) -> Iterator[Shape]:
    """Yield a pit that is out of use."""
    yield Circle(centre, PIT - 1, palette.CLOSED, palette.BOARD_EDGE, 2)
    for x in (-10, 10):
        ends = Point(centre.x - x, centre.y - 10), Point(centre.x + x, centre.y + 10)
        yield Line(ends, palette.PIT, 4)


def lifted(outline: Box) -> Iterator[Shape]:
    """Yield what is left of a pit or store that was taken off the board."""
    yield dataclasses.replace(outline, stroke=palette.BOARD_EDGE, width=1.5)


def diamond(centre: Point) -> Iterator[Shape]:
    """Yield the sign of a tuzdik."""
    for radius, colour in ((15.0, palette.STONES[0]), (10.0, palette.PIT_SHADE)):
        corners = ((0, -radius), (radius, 0), (0, radius), (-radius, 0))
        yield Polygon(tuple(Point(centre.x + x, centre.y + y) for x, y in corners), colour)


def arc(centre: Point, radius: float, start: float, end: float, pieces: int) -> tuple[Point, ...]:
    """Return points of a circle between two parts of a full turn, counter-clockwise."""
    angles = (math.tau * (start + (end - start) * k / pieces) for k in range(pieces + 1))
    return tuple(Point(centre.x + radius * math.cos(a), centre.y - radius * math.sin(a)) for a in angles)


def broken_ring(centre: Point) -> Iterator[Shape]:
    """Yield the mark of the pit that a move began in."""
    for k in range(8):
        yield Line(arc(centre, RING, k / 8, (k + 0.5) / 8, 4), palette.TRACE, 2.5)


def head(at: Point, ahead: Point, length: float = 9.0, colour: str = palette.TRACE, breadth: float = 1.4) -> Polygon:
    """Return the head of an arrow that begins at a point; its base is `breadth` lengths long."""
    aside = Point(-ahead.y, ahead.x)
    half = length * breadth / 2
    return Polygon((at.towards(aside, half), at.towards(ahead, length), at.towards(aside, -half)), colour)


def direction(room: float) -> Iterator[Shape]:
    """Yield the round arrow in the middle of a ring, which way the stones go; `room` is from there to it."""
    end, middle, radius = 0.74, Point(0, 0), min(34.0, room * 0.35)
    yield Line(arc(middle, radius, 0.0, end, 32), palette.BOARD_EDGE, radius / 5)
    tip = arc(middle, radius, end, end, 1)[0]
    ahead = Point(-math.sin((end + 0.05) * math.tau), -math.cos((end + 0.05) * math.tau))
    yield head(tip, ahead, radius * 0.8, palette.BOARD_EDGE, 0.9)  # slim, to leave no doubt where it points
