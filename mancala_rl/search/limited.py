"""Search within limits: one ply deeper each time until time or nodes run out, and the last depth finished counts.

The same class searches positions of three and four players (`mancala_rl.search.maxn`), to a fixed depth too.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mancala_rl.errors import BadInputError
from mancala_rl.kernel import kernel, legal_bits
from mancala_rl.rules import Rules
from mancala_rl.search.alphabeta import alphabeta, begin
from mancala_rl.search.frame import HORIZON, LIMITED_FIELDS, MOVE, NODES, SEAT, STOPPED
from mancala_rl.search.guard import check_seconds, check_whole
from mancala_rl.search.heuristic import FEATURES
from mancala_rl.search.maxn import maxn, open_node
from mancala_rl.search.order import landing_cells
from mancala_rl.search.table import OFFSET, key_weights

MAX_NODES = 1 << 62
SLICE_SECONDS = 0.004  # about how long a search goes on between two looks at the clock
PLACES = 1 << 20  # of the table, 24 MiB


@dataclass(frozen=True)
class Limits:
    """When a search ends; the first limit that is reached counts, but one ply is always finished.

    Attributes:
        depth: plies.
        time: seconds from the end of the first ply on, so that compiling does not count; None for any.
        nodes: moves played; None for any number.
    """

    depth: int
    time: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if self.time is not None:
            check_seconds("time", self.time)
        if self.nodes is not None:
            check_whole("nodes", self.nodes, 1, MAX_NODES)


@dataclass(frozen=True)
class Found:
    """What a search within limits has found.

    Attributes:
        values: the value of each action for the seat to move, None where it is illegal.
        line: the principal variation; it may end early where the table knew the rest.
        depth: the plies of the last depth finished.
    """

    values: tuple[int | None, ...]
    line: tuple[int, ...]
    depth: int


class LimitedSearch:
    """The arrays of searches within limits, for one thread at a time.

    Every search begins with an empty table, so that what it finds depends on nothing that was searched before.

    Args:
        rules: the variant, for two players and more.
        depth: the most plies that are asked for.
        heuristic: what counts at the horizon, for two players; see `mancala_rl.search.heuristic`.
        places: the most entries of the table, 24 bytes each.
    """

    def __init__(self, rules: Rules, depth: int, heuristic: Sequence[int] = (1, 0, 0, 0), places: int = PLACES) -> None:
        self.rules = rules
        self.factors = checked_heuristic(heuristic, rules)
        self.rows = np.zeros((depth + 1, rules.row_length), np.int16)
        self.frames = np.zeros((depth + 1, LIMITED_FIELDS), np.int64)
        self.lines = np.zeros((depth + 1, depth + 2), np.int16)
        self.values = np.zeros(rules.num_actions, np.int64)
        has_table = rules.players == 2 and rules.is_memoryless
        self.table = np.zeros((places if has_table else 1, 3), np.int64)
        self.weights = key_weights(rules)
        self.landing = np.zeros((rules.num_cells, min(rules.total, 4 * rules.num_cells) + 1), np.int16)
        landing_cells(self.rows, self.landing, rules.array)
        self.seat_values = np.zeros((depth + 1, rules.players), np.int64)
        self.points = np.zeros((1, rules.players), np.int64)
        self._portion = 256  # nodes between two looks at the clock

    def run(self, row: NDArray[np.int16], limits: Limits, slack: int) -> tuple[Found, int]:
        """Search one position, int16[row_length], that is not over; return what has been found and the nodes.

        For `slack` see `alphabeta`.
        """
        deepens = limits.time is not None or limits.nodes is not None
        first = 1 if deepens else limits.depth
        self.rows[0] = row
        self.frames[0, [NODES, MOVE]] = 0, -1
        self.table[:] = 0
        self._search(first, slack, math.inf, MAX_NODES)
        found = self._found(first)
        end = math.inf if limits.time is None else time.perf_counter() + limits.time
        budget = MAX_NODES if limits.nodes is None else limits.nodes
        for depth in range(first + 1, limits.depth + 1):
            ends_above = not self.frames[0, HORIZON]  # every game below has come to its end
            if ends_above or not self._search(depth, slack, end, budget):
                break
            found = self._found(depth)
        return found, int(self.frames[0, NODES])

    def _search(self, depth: int, slack: int, end: float, budget: int) -> bool:
        """Search to `depth` plies; return whether there was enough time and nodes for it."""
        resumed = False
        while True:
            begun, nodes = time.perf_counter(), int(self.frames[0, NODES])
            if begun >= end or nodes >= budget:
                return False
            limit = min(nodes + self._portion, budget) if end < math.inf else budget
            if self._advance(resumed, depth, slack, limit):
                return True
            resumed = True
            is_short = time.perf_counter() - begun < SLICE_SECONDS
            self._portion = self._portion * 2 if is_short else max(self._portion // 2, 64)

    def _advance(self, resumed: bool, depth: int, slack: int, limit: int) -> bool:
        if self.rules.players > 2:
            seats = self.values, self.seat_values, self.points, self.lines
            return bool(maxn_slice(resumed, self.rows, self.frames, depth, *seats, limit, self.rules.array))
        own = self.values, self.table, self.weights, self.landing, self.factors, self.lines
        return bool(alphabeta_slice(resumed, self.rows, self.frames, depth, slack, *own, limit, self.rules.array))

    def _found(self, depth: int) -> Found:
        """Return what a finished depth has found."""
        sign = -1 if self.rules.players == 2 and self.frames[0, SEAT] else 1
        legal = int(legal_bits(self.rows, 0, self.rules.array))
        values = tuple(sign * v if legal >> a & 1 else None for a, v in enumerate(self.values.tolist()))
        return Found(values, tuple(self.lines[0, 1 : self.lines[0, 0] + 1].tolist()), depth)


def checked_heuristic(heuristic: Sequence[int], rules: Rules) -> NDArray[np.int64]:
    """Return the weights of the features, int64[4].

    Raises:
        BadInputError: other than four whole numbers, a first one below 1, or so large ones that values overflow.
    """
    if len(heuristic) != len(FEATURES):
        raise BadInputError(f"heuristic={heuristic!r}: expected {len(FEATURES)} weights: {', '.join(FEATURES)}")
    for weight in heuristic:
        check_whole("heuristic", weight, -OFFSET, OFFSET)
    factors = np.array(heuristic, np.int64)
    if factors[0] < 1:
        raise BadInputError(
            f"heuristic={heuristic!r}: expected a first weight, that of a stone of margin, of at least 1"
        )
    most = int(np.abs(factors) @ np.array([2 * rules.total, rules.total, rules.pits, 1]))
    if most >= OFFSET and list(factors) != [1, 0, 0, 0]:
        raise BadInputError(f"heuristic={heuristic!r}: values up to {most}; expected smaller weights, below {OFFSET}")
    if rules.players > 2 and list(factors) != [1, 0, 0, 0]:
        raise BadInputError(f"heuristic={heuristic!r}: expected (1, 0, 0, 0) for {rules.players} players")
    return factors


@kernel
def alphabeta_slice(resumed, S, F, depth, slack, values, T, weights, landing, factors, lines, limit, r):  # type: ignore[no-untyped-def]
    """Begin or resume a search of row 0; return whether it is finished, which it is not if it came to the limit."""
    if not resumed:
        begin(S, F, F[0, MOVE], landing, r)
        F[0, HORIZON] = F[0, STOPPED] = lines[0, 0] = 0
    F[0, STOPPED] = alphabeta(S, F, F[0, STOPPED], depth, slack, values, T, weights, landing, factors, lines, limit, r)
    return F[0, STOPPED] < 0


@kernel
def maxn_slice(resumed, S, F, depth, values, V, points, lines, limit, r):  # type: ignore[no-untyped-def]
    """Do the same by `maxn`."""
    if not resumed:
        open_node(S, F, 0, r)
        F[0, HORIZON] = F[0, STOPPED] = lines[0, 0] = 0
    F[0, STOPPED] = maxn(S, F, F[0, STOPPED], depth, values, V, points, lines, limit, r)
    return F[0, STOPPED] < 0
