"""How stones lie in a pit or a store: the tightest cluster that many stones can form, then more on top of it."""

import math
from functools import lru_cache

from mancala_rl.envs.rendering.shapes import Point

STONE = 7.0  # radius
_APART = 14.2  # from the middle of a stone to that of the next
_ROW = math.sqrt(3) / 2
# A cluster lies around a stone, around the middle of three, or around the middle of two.
_MIDDLES = (Point(0, 0), Point(0.5, _ROW / 3), Point(0.5, 0))


@lru_cache(maxsize=4096)
def heap(stones: int, wide: float, high: float) -> tuple[Point, ...]:
    """Return where stones lie around (0, 0), inside an ellipse with these half axes; those on top come last.

    What fits nowhere is not drawn: at most one layer side by side, and half as many on top.
    """
    low = _cluster(stones, wide, high)
    on_top = min(stones - len(low), (len(low) + 1) // 2)
    return low if on_top <= 0 else low + tuple(Point(x + 3, y - 4) for x, y in _cluster(on_top, wide * 0.7, high * 0.7))


def _cluster(stones: int, wide: float, high: float) -> tuple[Point, ...]:
    """Return places side by side, as close to the middle as can be; fewer than asked if there is no more room."""

    def spread(point: Point) -> float:
        return math.hypot(point.x / (wide - STONE), point.y / (high - STONE))

    def nearest(middle: Point) -> list[Point]:
        reach = int(max(wide, high) / _APART / _ROW) + 2
        lattice = (Point(x + y % 2 / 2, y * _ROW) for x in range(-reach, reach + 1) for y in range(-reach, reach + 1))
        places = [Point((x - middle.x) * _APART, (y - middle.y) * _APART) for x, y in lattice]
        places = [place for place in places if spread(place) <= 1]
        return sorted(places, key=lambda place: (round(spread(place), 6), place.y, place.x))[:stones]

    best = min(map(nearest, _MIDDLES), key=lambda places: (-len(places), round(max(map(spread, places), default=0), 6)))
    centred = _centred(best)
    return centred if all(spread(place) <= 1 for place in centred) else tuple(best)


def _centred(places: list[Point]) -> tuple[Point, ...]:
    if not places:
        return ()
    x, y = (sum(axis) / len(places) for axis in zip(*places, strict=True))
    return tuple(Point(place.x - x, place.y - y) for place in places)
