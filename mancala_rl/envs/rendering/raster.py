"""A scene as pixels, through Pillow."""

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.envs.rendering.extra import need
from mancala_rl.envs.rendering.shapes import Box, Circle, Line, Point, Polygon, Scene, Text
from mancala_rl.envs.rendering.vector import BASELINE

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

_FINER = 3  # drawn so many times larger, then averaged: Pillow's edges are not smooth


def paint(scene: Scene, size: int | None = None) -> NDArray[np.uint8]:
    """Return a scene as pixels, uint8[H, W, 3]; `size` is the longer side, the natural size if left out.

    Raises:
        ModuleNotFoundError: Pillow is missing; names the extra that brings it.
    """
    need("PIL")
    from PIL import Image, ImageDraw

    width, height = scene.pixels(size)
    image = Image.new("RGB", (width * _FINER, height * _FINER), scene.background)
    canvas = _Canvas(ImageDraw.Draw(image), scene, width * _FINER / scene.width)
    for shape in scene.shapes:
        _PAINTERS[type(shape)](canvas, shape)
    return np.array(image.reduce(_FINER), np.uint8)


class _Canvas:
    """Where the painters draw: places and lengths of a scene become those of the image."""

    def __init__(self, draw: "ImageDraw", scene: Scene, scale: float) -> None:
        self.draw, self.scale = draw, scale
        self._left, self._top = scene.left, scene.top

    def place(self, point: Point) -> tuple[float, float]:
        return (point.x - self._left) * self.scale, (point.y - self._top) * self.scale

    def bounds(self, centre: Point, half_width: float, half_height: float) -> tuple[float, float, float, float]:
        x, y = self.place(centre)
        wide, high = half_width * self.scale, half_height * self.scale
        return x - wide, y - high, x + wide, y + high

    def pixels(self, length: float) -> int:
        return max(1, round(length * self.scale))


def _circle(canvas: _Canvas, shape: Circle) -> None:
    radius = shape.radius + shape.width / 2  # Pillow's outlines lie inside
    bounds = canvas.bounds(shape.centre, radius, radius)
    width = canvas.pixels(shape.width) if shape.stroke else 0
    canvas.draw.ellipse(bounds, fill=shape.fill, outline=shape.stroke, width=width)


def _box(canvas: _Canvas, shape: Box) -> None:
    grown = shape.width / 2
    bounds = tuple(map(round, canvas.bounds(shape.centre, shape.half_width + grown, shape.half_height + grown)))
    width = canvas.pixels(shape.width) if shape.stroke else 0
    corner = (shape.corner + grown) * canvas.scale
    shorter = min(bounds[2] - bounds[0], bounds[3] - bounds[1])
    if 2 * corner > shorter - 4:  # Pillow trips over an edge that is almost all corners
        corner = shorter
    canvas.draw.rounded_rectangle(bounds, corner, fill=shape.fill, outline=shape.stroke, width=width)


def _line(canvas: _Canvas, shape: Line) -> None:
    places = [canvas.place(point) for point in shape.points]
    route = [*places, places[0]] if shape.closed else places
    width = canvas.pixels(shape.width)
    canvas.draw.line(route, fill=shape.colour, width=width, joint="curve")
    half = (width - 1) / 2  # Pillow's bounds belong to the ellipse
    for x, y in places if shape.closed else (places[0], places[-1]):
        canvas.draw.ellipse((x - half, y - half, x + half, y + half), fill=shape.colour)


def _polygon(canvas: _Canvas, shape: Polygon) -> None:
    canvas.draw.polygon([canvas.place(point) for point in shape.points], fill=shape.fill)


def _text(canvas: _Canvas, shape: Text) -> None:
    font = _font(shape.size * canvas.scale)
    widths = [font.getlength(run.text) for run in shape.runs]
    x, y = canvas.place(shape.at)
    x -= sum(widths) * {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor]
    y += BASELINE * shape.size * canvas.scale
    for run, width in zip(shape.runs, widths, strict=True):
        bold = shape.size * canvas.scale / 45 if run.bold else 0.0  # the font comes in one weight only
        canvas.draw.text((x, y), run.text, run.colour, font, anchor="ls", stroke_width=bold)
        x += width


@lru_cache(maxsize=64)
def _font(size: float) -> "FreeTypeFont":
    """Return the font that Pillow carries: the same picture on every machine."""
    from PIL import ImageFont

    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise ModuleNotFoundError("this Pillow was built without FreeType and cannot draw text", name="PIL")
    return font


_PAINTERS: dict[type, Callable[[_Canvas, Any], None]] = {
    Circle: _circle,
    Box: _box,
    Line: _line,
    Polygon: _polygon,
    Text: _text,
}
