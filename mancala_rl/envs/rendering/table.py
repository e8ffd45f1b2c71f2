"""Where everything stands on a board of any size, for two to four players.

Every side is the first one turned counter-clockwise about the middle of the board: the pits from the player's left to
right, then the store. So sowing always runs counter-clockwise. Two sides share one panel; three and four form a ring,
their stores in its corners.
"""

import math
from dataclasses import dataclass

from mancala_rl.envs.rendering import palette
from mancala_rl.envs.rendering.shapes import Anchor, Box, Line, Point, Shape

PIT = 30.0  # radius
STEP = 76.0  # from pit to pit
EDGE = 52.0  # from a row of pits to the edge of the board
NUMBERS = EDGE + 14  # ... to the pits' numbers
NAMES = EDGE + 37  # ... to the name above or below
BESIDE = EDGE + 34  # ... to the name at a side
MARGIN = 22.0
_ROWS_APART = 80.0
_PANEL_STORE = Point(34.0, 70.0)  # half width, half height
_CORNER_STORE = Point(42.0, 42.0)
_TO_CORNER = {3: 94.0, 4: 86.0}  # from a corner to the nearest pit
_SHORTEST_SIDE = {3: 330.0, 4: 240.0}  # leaves room in the middle
_NARROWEST = 440.0  # room for a name and what it does, under a small board


@dataclass(frozen=True)
class Side:
    """One player's part of the board.

    Attributes:
        pits: the middle of each pit.
        store: the middle of the store.
        outward: from the row of pits to the player who sits there, a unit vector.
        label: where the name stands.
        anchor: which end of the name stands there.
    """

    pits: tuple[Point, ...]
    store: Point
    outward: Point
    label: Point
    anchor: Anchor

    @property
    def is_beside(self) -> bool:
        """Whether the player sits to the left or right of the board, not above or below."""
        return abs(self.outward.x) > 0.1


@dataclass(frozen=True)
class Table:
    """A board without stones: its sides, the one at the bottom first, the panel below them, and the picture's frame.

    Attributes:
        sides: counter-clockwise.
        panel: what is painted first.
        store: half width and half height of a store.
        frame: left, top, right and bottom of the picture.
    """

    sides: tuple[Side, ...]
    panel: tuple[Shape, ...]
    store: Point
    frame: tuple[float, float, float, float]


def table(players: int, pits: int, beside: float) -> Table:
    """Return the board for 2 to 4 players with any number of pits a side; names at its sides have the room `beside`."""
    if players == 2:
        return _two_rows(pits)
    return _ring(players, pits, beside)


def _turned(point: Point, part: float) -> Point:
    """Return a point turned counter-clockwise by a part of a full turn."""
    cos, sin = math.cos(part * math.tau), math.sin(part * math.tau)
    return Point(point.x * cos + point.y * sin, point.y * cos - point.x * sin)


def _side(row: list[Point], store: Point, part: float, label: Point, anchor: Anchor) -> Side:
    """Return the first side, its row and store, turned by a part of a full turn."""
    pits = tuple(_turned(pit, part) for pit in row)
    return Side(pits, _turned(store, part), _turned(Point(0, 1), part), label, anchor)


def _row(pits: int, step: float, height: float) -> list[Point]:
    return [Point((pit - (pits - 1) / 2) * step, height) for pit in range(pits)]


def _two_rows(pits: int) -> Table:
    row = _row(pits, STEP, _ROWS_APART / 2)
    store = Point(row[-1].x + STEP / 2 + _PANEL_STORE.x + 8, 0.0)
    half_width, half_height = store.x + _PANEL_STORE.x + 20, _ROWS_APART / 2 + EDGE
    board = Box(Point(0, 0), half_width, half_height, 46, palette.BOARD, palette.BOARD_EDGE, 2)
    right = max(half_width, _NARROWEST / 2)
    label = Point(6 - right if half_width < right else 14 - half_width, 0)
    names = (label._replace(y=_ROWS_APART / 2 + NAMES), label._replace(y=-_ROWS_APART / 2 - NAMES))
    sides = tuple(_side(row, store, k / 2, name, "start") for k, name in enumerate(names))
    right, bottom = right + MARGIN, names[0].y + MARGIN + 2
    return Table(sides, (board,), _PANEL_STORE, (-right, -bottom, right, bottom))


def _ring(players: int, pits: int, beside: float) -> Table:
    to_corner = _TO_CORNER[players]
    length = max(2 * to_corner + (pits - 1) * STEP, _SHORTEST_SIDE[players])
    step = (length - 2 * to_corner) / (pits - 1) if pits > 1 else STEP
    height = length / 2 / math.tan(math.pi / players)  # from the middle of the board to a side
    row, store = _row(pits, step, height), Point(length / 2, height)
    sides = []
    for k in range(players):
        part = k / players
        label, anchor = _label(_turned(Point(0, height), part), _turned(Point(0, 1), part))
        sides.append(_side(row, store, part, label, anchor))
    corners = tuple(side.store for side in sides)
    panel = (
        Line(corners, palette.BOARD_EDGE, 2 * EDGE + 2, closed=True),
        Line(corners, palette.BOARD, 2 * EDGE - 2, closed=True),
    )
    return Table(tuple(sides), panel, _CORNER_STORE, _ring_frame(sides, beside))


def _label(middle: Point, outward: Point) -> tuple[Point, Anchor]:
    """Return where the name of a side stands: below, above or beside the middle of its row."""
    if abs(outward.x) < 0.1:
        return middle.towards(outward, NAMES), "middle"
    return middle.towards(outward, BESIDE), "start" if outward.x > 0 else "end"


def _ring_frame(sides: list[Side], beside: float) -> tuple[float, float, float, float]:
    names = [abs(side.label.x) + beside for side in sides if side.anchor != "middle"]
    right = max(*names, *(side.store.x + EDGE for side in sides)) + MARGIN
    tops = [side.store.y - EDGE for side in sides] + [side.label.y for side in sides if side.anchor == "middle"]
    return -right, min(tops) - MARGIN, right, sides[0].label.y + MARGIN + 2
