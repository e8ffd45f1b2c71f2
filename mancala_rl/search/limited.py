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
from mancala_rl.kernel import legal_bits
from mancala_rl.kernel.packed import can_pack
from mancala_rl.rules import Rules
from mancala_rl.rules.numbers import check_whole
from mancala_rl.search.frame import HORIZON, MOVE, NODES
from mancala_rl.search.guard import check_seconds
from mancala_rl.search.heuristic import FEATURES, MARGIN
from mancala_rl.search.packed_search import is_packable
from mancala_rl.search.slices import MaxnSlices, PackedSlices, RowSlices, Slices
from mancala_rl.search.table import OFFSET

MAX_NODES = 1 << 62
SLICE_SECONDS = 0.004  # about how long a search goes on between two looks at the clock
UNINTERRUPTED = 1 << 20  # nodes, at most, in one compiled call without a clock: a second, so that Ctrl-C is heard
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
        after: int16[A, depth + 2], the best moves after each action, their number first; they may end early where the
            table knew the rest, and mean nothing where `slack` left the value open.
        depth: the plies of the last depth finished.
    """

    values: tuple[int | None, ...]
    after: NDArray[np.int16]
    depth: int

    @property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """Each action with the best moves after it, () where it is illegal."""
        after = [moves[1 : moves[0] + 1].tolist() for moves in self.after]
        return tuple(() if value is None else (a, *after[a]) for a, value in enumerate(self.values))


class LimitedSearch:
    """Searches within limits, for one thread at a time.

    Every search begins with an empty table, so that what it finds depends on nothing that was searched before.

    Args:
        rules: the variant, for two players and more.
        depth: the most plies that are asked for.
        heuristic: what counts at the horizon, for two players; see `mancala_rl.search.heuristic`.
        places: the most entries of the table, 24 bytes each.
    """

    def __init__(self, rules: Rules, depth: int, heuristic: Sequence[int] = MARGIN, places: int = PLACES) -> None:
        self.rules = rules
        self._factors = checked_heuristic(heuristic, rules)
        self._depth, self._places = depth, places
        self._packable = is_packable(rules) and tuple(heuristic) == MARGIN
        self._kind = ""
        self._slices: Slices | None = None
        self._portion = 256  # nodes between two looks at the clock

    def run(self, row: NDArray[np.int16], limits: Limits, slack: int) -> tuple[Found, int]:
        """Search one position, int16[row_length], that is not over; return what has been found and the nodes.

        For `slack` see `alphabeta`.
        """
        search = self._slices_for(row)
        deepens = limits.time is not None or limits.nodes is not None
        first = 1 if deepens else limits.depth
        search.frames[0, [NODES, MOVE]] = 0, -1
        search.take_up(row)
        legal = int(legal_bits(row[None], 0, self.rules.array))
        self._search(search, first, slack, math.inf, MAX_NODES)
        found = found_by(search, first, legal)
        end = math.inf if limits.time is None else time.perf_counter() + limits.time
        budget = MAX_NODES if limits.nodes is None else limits.nodes
        for depth in range(first + 1, limits.depth + 1):
            ends_above = not search.frames[0, HORIZON]  # every game below has come to its end
            if ends_above or not self._search(search, depth, slack, end, budget):
                break
            found = found_by(search, depth, legal)
        return found, int(search.frames[0, NODES])

    def _slices_for(self, row: NDArray[np.int16]) -> Slices:
        """Return the arrays for a position; the last ones used are kept."""
        kind = "packed" if self._packable and can_pack(row[None], 0, self.rules.array) else "rows"
        if self._slices is None or kind != self._kind:
            self._kind, self._slices = kind, self._made(kind)
        return self._slices

    def _made(self, kind: str) -> Slices:
        if self.rules.players > 2:
            return MaxnSlices(self.rules, self._depth)
        if kind == "packed":
            return PackedSlices(self.rules, self._depth, self._places)
        return RowSlices(self.rules, self._depth, self._places, self._factors)

    def _search(self, search: Slices, depth: int, slack: int, end: float, budget: int) -> bool:
        """Search to `depth` plies; return whether there was enough time and nodes for it."""
        resumed = False
        while True:
            begun, nodes = time.perf_counter(), int(search.frames[0, NODES])
            if begun >= end or nodes >= budget:
                return False
            portion = self._portion if end < math.inf else UNINTERRUPTED
            if search.advance(resumed, depth, slack, min(nodes + portion, budget)):
                return True
            resumed = True
            is_short = time.perf_counter() - begun < SLICE_SECONDS
            self._portion = self._portion * 2 if is_short else max(self._portion // 2, 64)


def found_by(search: Slices, depth: int, legal: int) -> Found:
    """Return what a finished depth has found; `legal` are the legal actions, as a bit set."""
    values = tuple(value if legal >> action & 1 else None for action, value in enumerate(search.values()))
    return Found(values, search.lines[: -len(values) - 1 : -1, : depth + 2].copy(), depth)


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
    if most >= OFFSET and tuple(factors) != MARGIN:
        raise BadInputError(f"heuristic={heuristic!r}: values up to {most}; expected smaller weights, below {OFFSET}")
    if rules.players > 2 and tuple(factors) != MARGIN:
        raise BadInputError(f"heuristic={heuristic!r}: expected (1, 0, 0, 0) for {rules.players} players")
    return factors
