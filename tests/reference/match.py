"""Around a game: the table's settings of Japanese Mancala, series, the sets of Mangala, closing pits."""

from __future__ import annotations

from tests.reference.state import Row, Settings, State


def table_pits(players: int, pits: int) -> int:
    """J2: the pits a table offers for so many players; a number that does not fit falls back to six."""
    offered = (6, 7) if players == 2 else (6, 4)
    return pits if pits in offered else 6


def starter(game: int, first: int, players: int, rotate: bool = True) -> int:
    """J11, K1, M14: the seat that starts game 0, 1, ... of a series."""
    return (first + game) % players if rotate else first


def match_points(scores: list[Row]) -> tuple[float, float]:
    """M14: a set won is 1 point, a drawn set 1/2 for each; `scores` are the final stores of the sets played."""
    a = sum(1.0 if x > y else 0.5 if x == y else 0.0 for x, y in scores)
    return a, len(scores) - a


def match_winner(scores: list[Row], sets: int, play_all: bool) -> int | str | None:
    """M14: seat 0 or 1, "draw", or None while the match goes on. `sets` is 1, 3 or 5."""
    a, b = match_points(scores)
    left = sets - len(scores)
    caught = abs(a - b) <= left  # the one behind can still draw level
    if left > 0 and (play_all or caught):
        return None
    return "draw" if a == b else int(b > a)


def refill(stores: Row, settings: Settings) -> State | int:
    """M15: the start of the next set after one that ended with these stores, or the seat that has won the match.

    Each player fills from the own treasure, n a pit, starting next to the treasure; a side that cannot fill all its
    pits closes the rest, at the left end. What is not needed lies in the treasure.
    """
    m, n = settings.pits, settings.stones
    filled = [min(m, store // n) for store in stores]
    if 0 in filled:
        return 1 - filled.index(0)
    pits = tuple((0,) * (m - k) + (n,) * k for k in filled)
    rest = tuple(store - n * k for store, k in zip(stores, filled, strict=True))
    closed = tuple((p, i) for p in (0, 1) for i in range(m - filled[p]))
    return State(settings, pits, rest, settings.first, closed=closed)
