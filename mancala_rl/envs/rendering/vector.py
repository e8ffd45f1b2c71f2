"""A scene as SVG text."""

from collections.abc import Callable
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from mancala_rl.envs.rendering.shapes import Box, Circle, Line, Point, Polygon, Scene, Text

_FONT = "Aileron, 'Helvetica Neue', Helvetica, Arial, sans-serif"
_ATTRIBUTES = {"xml_space": "xml:space"}
BASELINE = 0.35  # of the font size below the middle of a digit


def paint(scene: Scene, size: int | None = None) -> str:
    """Return a scene as an SVG document; `size` is the longer side in pixels, the natural size if left out."""
    width, height = scene.pixels(size)
    box = " ".join(map(_number, (scene.left, scene.top, scene.width, scene.height)))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="{box}" role="img"'
    corner: dict[str, Any] = {"x": scene.left, "y": scene.top, "width": scene.width, "height": scene.height}
    return "\n".join(
        [
            f'{head} font-family="{_FONT}">',
            f"<title>{escape(_printable(scene.title))}</title>",
            _tag("rect", **corner, fill=scene.background),
            *(_PAINTERS[type(shape)](shape) for shape in scene.shapes),
            "</svg>\n",
        ]
    )


def _number(value: float) -> str:
    return f"{round(value, 2):g}" if abs(value) < 1000 else f"{round(value, 1):.6g}"


def _tag(name: str, content: str = "", **attributes: str | float | None) -> str:
    """Return an element; attributes that are None are left out."""
    parts = [name]
    for key, value in attributes.items():
        if value is not None:
            text = value if isinstance(value, str) else _number(value)
            parts.append(f"{_ATTRIBUTES.get(key, key.replace('_', '-'))}={quoteattr(text)}")
    return f"<{' '.join(parts)}" + (f">{content}</{name}>" if content else "/>")


def _style(fill: str | None, stroke: str | None, width: float) -> dict[str, Any]:
    return {"fill": fill or "none", "stroke": stroke, "stroke_width": width if stroke else None}


def _circle(shape: Circle) -> str:
    style = _style(shape.fill, shape.stroke, shape.width)
    return _tag("circle", cx=shape.centre.x, cy=shape.centre.y, r=shape.radius, **style)


def _box(shape: Box) -> str:
    corner: dict[str, Any] = {"x": shape.centre.x - shape.half_width, "y": shape.centre.y - shape.half_height}
    sides: dict[str, Any] = {"width": 2 * shape.half_width, "height": 2 * shape.half_height, "rx": shape.corner}
    return _tag("rect", **corner, **sides, **_style(shape.fill, shape.stroke, shape.width))


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _line(shape: Line) -> str:
    name = "polygon" if shape.closed else "polyline"
    ends = {"stroke_linecap": "round", "stroke_linejoin": "round"}
    return _tag(name, points=_points(shape.points), **_style(None, shape.colour, shape.width), **ends)


def _polygon(shape: Polygon) -> str:
    return _tag("polygon", points=_points(shape.points), fill=shape.fill)


def _text(shape: Text) -> str:
    runs = [
        _tag("tspan", escape(_printable(run.text)), fill=run.colour, font_weight="bold" if run.bold else None)
        for run in shape.runs
    ]
    place = {"x": shape.at.x, "y": shape.at.y + BASELINE * shape.size, "font_size": shape.size}
    return _tag("text", "".join(runs), **place, text_anchor=shape.anchor, xml_space="preserve")


def _printable(text: str) -> str:
    """Return a text without the characters that XML cannot hold."""
    return "".join(c if c.isprintable() else "�" for c in text)


_PAINTERS: dict[type, Callable[[Any], str]] = {
    Circle: _circle,
    Box: _box,
    Line: _line,
    Polygon: _polygon,
    Text: _text,
}
