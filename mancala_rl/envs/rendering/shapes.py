"""What a picture consists of: a few plain shapes in the order they are painted. The painters know nothing else.

Lengths are in units of a pixel of the natural size; x grows to the right, y downwards, from the board's
middle.
Colours are "#rrggbb". A stroke lies half inside and half outside its outline.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple

Anchor = Literal["start", "middle", "end"]


class Point(NamedTuple):
    """A place, or a direction."""

    x: float
    y: float

    def towards(self, direction: "Point", distance: float) -> "Point":
        """Return the point that lies so far away in the direction of a unit vector."""
        return Point(self.x + direction.x * distance, self.y + direction.y * distance)


@dataclass(frozen=True)
class Circle:
    """A disc, a ring, or both."""

    centre: Point
    radius: float
    fill: str | None = None
    stroke: str | None = None
    width: float = 0


@dataclass(frozen=True)
class Box:
    """A rectangle with rounded corners, upright."""

    centre: Point
    half_width: float
    half_height: float
    corner: float
    fill: str | None = None
    stroke: str | None = None
    width: float = 0


@dataclass(frozen=True)
class Line:
    """Straight pieces from point to point, their ends round."""

    points: tuple[Point, ...]
    colour: str
    width: float
    closed: bool = False


@dataclass(frozen=True)
class Polygon:
    """A filled area with straight edges, such as the head of an arrow."""

    points: tuple[Point, ...]
    fill: str


class Run(NamedTuple):
    """A piece of text in one style."""

    text: str
    colour: str
    bold: bool = False


@dataclass(frozen=True)
class Text:
    """One line of text, its digits vertically centred on the point."""

    at: Point
    runs: tuple[Run, ...]
    size: float
    anchor: Anchor = "middle"


Shape = Circle | Box | Line | Polygon | Text


@dataclass(frozen=True)
class Scene:
    """A picture: the shapes, and the rectangle of the plane that it shows."""

    left: float
    top: float
    width: float
    height: float
    background: str
    shapes: tuple[Shape, ...]
    title: str

    def pixels(self, size: int | None) -> tuple[int, int]:
        """Return width and height in pixels, the longer one being `size`, or the natural ones if that is None."""
        scale = size / max(self.width, self.height) if size else 1.0
        return round(self.width * scale), round(self.height * scale)
