"""Searches to a fixed depth that pause and go on later, for all limits: on packed boards, on rows, and by max^n."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mancala_rl.kernel import kernel
from mancala_rl.kernel.sowing import mover_of
from mancala_rl.rules import Rules
from mancala_rl.search.alphabeta import alphabeta, begin
from mancala_rl.search.frame import HORIZON, LIMITED_FIELDS, MOVE, SEAT, STOPPED
from mancala_rl.search.maxn import maxn, open_node
from mancala_rl.search.packed_alphabeta import add_lead, begin_packed, packed_alphabeta
from mancala_rl.search.packed_search import PackedSearch
from mancala_rl.search.row_search import RowSearch


class Slices(Protocol):
    """A search in slices, for one thread at a time.

    Attributes:
        frames: int64[depth + 1, LIMITED_FIELDS]; see `mancala_rl.search.frame`.
        lines: int16[depth + 1 + A, depth + 2], one line a ply, its length first; row -1 - a is what follows action a.
    """

    frames: NDArray[np.int64]
    lines: NDArray[np.int16]

    def take_up(self, row: NDArray[np.int16]) -> None:
        """Turn to a position, int16[row_length], with an empty table and history."""

    def advance(self, resumed: bool, depth: int, slack: int, limit: int) -> bool:
        """Begin or resume a search; return whether it is finished, which it is not if it came to the limit of nodes."""

    def values(self) -> list[int]:
        """Return the value of each action for the seat to move, without meaning where it is illegal."""


class _Slices:
    def __init__(self, rules: Rules, depth: int) -> None:
        self.frames = np.zeros((depth + 1, LIMITED_FIELDS), np.int64)
        self.lines = np.zeros((depth + 1 + rules.num_actions, depth + 2), np.int16)


class PackedSlices(_Slices):
    """Alpha-beta on packed boards; for the arguments see `PackedSearch`."""

    def __init__(self, rules: Rules, depth: int, places: int) -> None:
        super().__init__(rules, depth)
        self._search = PackedSearch(rules, depth, places)
        self._search.frames = self.frames
        self._game = np.zeros((1, rules.row_length), np.int16)

    def take_up(self, row: NDArray[np.int16]) -> None:
        """Turn to a position that can be packed."""
        self._game[0] = row
        self._search.table[:] = 0

    def advance(self, resumed: bool, depth: int, slack: int, limit: int) -> bool:
        """Begin or resume a search."""
        arrays = *self._search.arrays, self._search.rules.array
        return bool(packed_slice(resumed, self._game, self.lines, depth, slack, limit, *arrays))

    def values(self) -> list[int]:
        """Return the value of each action."""
        return list(self._search.values.tolist())


class RowSlices(_Slices):
    """Alpha-beta on rows; for the arguments see `RowSearch`, for `factors` `mancala_rl.search.heuristic`."""

    def __init__(self, rules: Rules, depth: int, places: int, factors: NDArray[np.int64]) -> None:
        super().__init__(rules, depth)
        self._search = RowSearch(rules, depth, places)
        self._search.frames = self.frames
        self._factors = factors

    def take_up(self, row: NDArray[np.int16]) -> None:
        """Turn to a position."""
        self._search.rows[0] = row
        self._search.table[:] = 0
        self._search.history[:] = 0

    def advance(self, resumed: bool, depth: int, slack: int, limit: int) -> bool:
        """Begin or resume a search."""
        arrays = *self._search.arrays, self._search.rules.array
        return bool(row_slice(resumed, self.lines, depth, slack, limit, self._factors, *arrays))

    def values(self) -> list[int]:
        """Return the value of each action."""
        sign = -1 if self.frames[0, SEAT] else 1
        return [sign * value for value in self._search.values.tolist()]


class MaxnSlices(_Slices):
    """Max^n, for three players and more."""

    def __init__(self, rules: Rules, depth: int) -> None:
        super().__init__(rules, depth)
        self._rules = rules
        self._rows = np.zeros((depth + 1, rules.row_length), np.int16)
        self._values = np.zeros(rules.num_actions, np.int64)
        self._seat_values = np.zeros((depth + 1, rules.players), np.int64)
        self._points = np.zeros((1, rules.players), np.int64)

    def take_up(self, row: NDArray[np.int16]) -> None:
        """Turn to a position."""
        self._rows[0] = row

    def advance(self, resumed: bool, depth: int, slack: int, limit: int) -> bool:
        """Begin or resume a search; every value is exact."""
        arrays = self._rows, self.frames, self._values, self._seat_values, self._points, self._rules.array
        return bool(maxn_slice(resumed, self.lines, depth, limit, *arrays))

    def values(self) -> list[int]:
        """Return the value of each action."""
        return list(self._values.tolist())


@kernel
def reset(F):  # type: ignore[no-untyped-def]
    """Let a search begin at ply 0."""
    F[0, HORIZON] = F[0, STOPPED] = 0


@kernel
def packed_slice(resumed, games, lines, depth, slack, limit, F, C, values, T, q, r):  # type: ignore[no-untyped-def]
    """Do what `Slices.advance` says, for row 0 of `games`."""
    if not resumed:
        begin_packed(games, 0, mover_of(games, 0, r), F, C, F[0, MOVE], q)
        add_lead(games, 0, mover_of(games, 0, r), F, C, q)
        reset(F)
    F[0, STOPPED] = packed_alphabeta(F, C, F[0, STOPPED], depth, slack, values, T, lines, limit, q)
    return F[0, STOPPED] < 0


@kernel
def row_slice(resumed, lines, depth, slack, limit, factors, S, F, values, T, weights, landing, history, r):  # type: ignore[no-untyped-def]
    """Do it for row 0 of S."""
    if not resumed:
        begin(S, F, F[0, MOVE], landing, r)
        reset(F)
    F[0, STOPPED] = alphabeta(
        S, F, F[0, STOPPED], depth, slack, values, T, weights, landing, history, factors, lines, limit, r
    )
    return F[0, STOPPED] < 0


@kernel
def maxn_slice(resumed, lines, depth, limit, S, F, values, V, points, r):  # type: ignore[no-untyped-def]
    """Do it by `maxn`."""
    if not resumed:
        open_node(S, F, 0, r)
        reset(F)
    F[0, STOPPED] = maxn(S, F, F[0, STOPPED], depth, values, V, points, lines, limit, r)
    return F[0, STOPPED] < 0
