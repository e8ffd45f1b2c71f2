"""The ways to an exact value: on packed boards, on the kernel's rows for all other games that end, else by look-up.

The first two ask questions of the form "is it larger than alpha?" and close in on the value (MTD(f)).
"""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mancala_rl.kernel import layout
from mancala_rl.kernel.packed import Q_ENTRIES
from mancala_rl.rules import Position, Rules
from mancala_rl.solver import frame, nullwindow, rowsearch
from mancala_rl.solver.database import Database, lead
from mancala_rl.solver.memory import check_enough
from mancala_rl.solver.packing import Packing, value_step
from mancala_rl.solver.ranking import number_of, positions_up_to
from mancala_rl.solver.table import entries_in_use, grow, make_table, spread

Progress = Callable[[int, int, int], None]
Ask = Callable[[int, int, int], int]  # an alpha and the bounds so far; the answer is a bound on one side of the alpha
UNINTERRUPTED = 500_000  # nodes, at most, in one compiled call: a second, so that Ctrl-C is heard
_PLIES = 128  # of the first arrays; they grow
ROW_ENTRY = 24  # bytes of an entry in the table of rows, which has at least one
_MOST_ENTRIES = 22  # two to this power


class Engine(Protocol):
    """Finds exact values of positions of one game."""

    nodes: int  # visited so far
    move: int  # the best of the position valued last, -1 if that took no search
    view: int  # 1 to tell bounds as the player to move sees them, -1 as the other does

    def value(self, position: Position, guess: int) -> int:
        """Return the final margin of the player to move over the other; a good guess saves time."""

    def at_least(self, position: Position, bound: int) -> bool:
        """Return whether that margin reaches a bound: one question instead of several."""


def close_in(low: int, high: int, guess: int, step: int, ask: Ask) -> int:
    """Return the value between two bounds by asking for bounds on one side of an alpha (MTD(f)).

    Args:
        low, high: bounds of the value.
        guess: where to begin.
        step: least distance of two values.
        ask: given alpha and the bounds, returns a lower bound above alpha or an upper bound that is not.
    """
    guess = min(max(guess, low), high)
    guess -= (guess - low) % step
    while low < high:
        alpha = guess + step - 1 if guess == low else guess - 1
        guess = ask(alpha, low, high)
        low, high = (guess, high) if guess > alpha else (low, guess)
    return low


class PackedEngine:
    """The fast way; `mancala_rl.solver.packing.fits` has to allow rules and stones.

    Args:
        rules: the variant.
        stones: the most stones in the pits of a position.
        memory: bytes that the table may take.
        tell: called with nodes, lower and upper bound about once a second.

    Raises:
        BadInputError: too little memory.
    """

    def __init__(self, rules: Rules, stones: int, memory: int, tell: Progress | None = None) -> None:
        self.nodes, self.move, self.view = 0, -1, 1
        self._step = value_step(rules)
        self._packing = Packing(rules, stones)
        self._stones = stones
        self._values = np.zeros(1, np.uint8)
        self._known = 0
        self._table, self._spread = make_table(positions_up_to(rules.pits, stones), memory)
        self._frames = np.zeros((_PLIES, frame.FIELDS), np.int64)
        self._moves = np.zeros((_PLIES, rules.pits, frame.CHILD), np.int64)
        self._tell = tell

    def use(self, database: Database) -> None:
        """Ask a database of the rules for positions that it covers."""
        self._values, self._known = database.values, min(database.stones, self._stones)

    def value(self, position: Position, guess: int = 0) -> int:
        """Return the final margin of the player to move over the other; nobody is taken to swap sides any more."""
        stones, ahead, ask = self._question(position)
        return ahead + close_in(-stones, stones, guess - ahead, self._step, ask)

    def at_least(self, position: Position, bound: int) -> bool:
        """Return whether that margin reaches a bound."""
        stones, ahead, ask = self._question(position)
        alpha = bound - ahead - 1
        return ask(alpha, -stones, stones) > alpha

    def _question(self, position: Position) -> tuple[int, int, Ask]:
        """Return the stones in the pits, the lead of the player to move, and what answers how much is still gained."""
        q, w = self._packing.q, self._packing.w
        own, opp = self._packing.rows_of(position)
        number, stones = map(int, number_of(own, opp, q, w))
        ahead = lead(position)
        self.move = -1
        if stones <= self._known:
            gain = int(self._values[number]) * self._step - stones
            return stones, ahead, lambda *_: gain
        root = self._frames[0].copy()
        root[frame.OWN], root[frame.OPP], root[frame.STONES] = own, opp, stones
        root[frame.CODE], root[frame.NEXT] = spread(number, self._spread), -1

        def ask(alpha: int, low: int, high: int) -> int:
            root[frame.ALPHA] = alpha
            self._frames[0] = root
            self._search(ahead + low, ahead + high)
            best = int(self._frames[0, frame.BEST])
            if best > alpha:
                self.move = int(self._frames[0, frame.MOVE])
            return best

        return stones, ahead, ask

    def _search(self, low: int, high: int) -> None:
        state = np.array([0, self.nodes, 0], np.int64)
        result = frame.PAUSED
        while result != frame.DONE:
            room = int(entries_in_use(self._spread))
            state[frame.BUDGET] = self.nodes + min(UNINTERRUPTED, room)
            arrays = self._frames, self._moves, state, self._table, self._values
            settings = self._known, self._step, self._packing.q, self._packing.w, self._spread
            result = nullwindow.search(*arrays, *settings)
            self.nodes = int(state[frame.NODES])
            if self.nodes > room:
                grow(self._table, self._spread)
            if result == frame.FULL:
                self._frames, self._moves = _doubled(self._frames), _doubled(self._moves)
            if self._tell is not None:
                self._tell(self.nodes, *sorted((self.view * low, self.view * high)))


class RowEngine:
    """The way for every game of two players that ends; see `check_position`.

    Args:
        rules: the variant.
        memory: bytes that the table may take.
        tell: called with nodes, lower and upper bound about once a second.

    Raises:
        BadInputError: too little memory.
    """

    def __init__(self, rules: Rules, memory: int, tell: Progress | None = None) -> None:
        self.nodes, self.move, self.view = 0, -1, 1
        self._rules = rules
        check_enough(memory, ROW_ENTRY, "the table of this position takes")
        self._table = np.zeros((1 << min((memory // ROW_ENTRY).bit_length() - 1, _MOST_ENTRIES), 3), np.int64)
        self._rows = np.zeros((_PLIES, rules.row_length), np.int16)
        self._frames = np.zeros((_PLIES, rowsearch.FIELDS), np.int64)
        self._weights = row_weights(rules)
        self._held: tuple[Any, ...] = np.zeros(1, np.uint8), -1, 1, np.zeros(Q_ENTRIES, np.int64), np.zeros(1, np.int64)
        self._tell = tell

    def use(self, database: Database) -> None:
        """Ask a database of the rules for positions that it covers; no pit may be closed."""
        packing = database.packing
        self._held = database.values, database.stones, database.header.step, packing.q, packing.w

    def value(self, position: Position, guess: int = 0) -> int:
        """Return the final margin of the player to move over the other."""
        side = -1 if position.to_move else 1
        most = 2 * self._rules.total
        return side * close_in(-most, most, side * guess, 1, self._question(position))

    def at_least(self, position: Position, bound: int) -> bool:
        """Return whether that margin reaches a bound."""
        most = 2 * self._rules.total
        alpha = -bound if position.to_move else bound - 1
        return (self._question(position)(alpha, -most, most) > alpha) != bool(position.to_move)

    def _question(self, position: Position) -> Ask:
        """Return what answers how large the margin of seat 0 is."""
        side = -1 if position.to_move else 1
        row = position.row
        self.move = -1

        def ask(alpha: int, low: int, high: int) -> int:
            self._rows[0] = row
            self._frames[0, rowsearch.ALPHA], self._frames[0, rowsearch.OPENED] = alpha, 0
            self._search(side * low, side * high)
            best = int(self._frames[0, rowsearch.BEST])
            if (best > alpha) == (side > 0):
                self.move = int(self._frames[0, rowsearch.MOVE])
            return best

        return ask

    def _search(self, low: int, high: int) -> None:
        state = np.array([0, self.nodes, 0], np.int64)
        result = frame.PAUSED
        while result != frame.DONE:
            state[frame.BUDGET] = self.nodes + UNINTERRUPTED
            arrays = self._rows, self._frames, state, self._table, self._weights
            result = rowsearch.search_rows(*arrays, *self._held, self._rules.array)
            self.nodes = int(state[frame.NODES])
            if result == frame.FULL:
                self._rows, self._frames = _doubled(self._rows), _doubled(self._frames)
            if self._tell is not None:
                self._tell(self.nodes, *sorted((self.view * low, self.view * high)))


class LookupEngine:
    """The way where games need not end: a database that holds the position and all that can follow."""

    def __init__(self, database: Database) -> None:
        self.nodes, self.move, self.view = 0, -1, 1
        self._database = database

    def value(self, position: Position, guess: int) -> int:
        """Return the final margin of the player to move over the other."""
        self.nodes += 1
        return self._database.value(position)

    def at_least(self, position: Position, bound: int) -> bool:
        """Return whether that margin reaches a bound."""
        return self.value(position, bound) >= bound


def row_weights(rules: Rules) -> NDArray[np.int64]:
    """Return the weights in both keys of what the future of a game depends on, int64[2, row_length]."""
    tail = rules.num_cells
    relevant = [*range(tail), tail + layout.MOVER, tail + layout.PIE]
    relevant += range(tail + layout.PLACES, tail + layout.PLACES + rules.players * (1 + rules.tuzdik))  # tuzdiks follow
    if rules.max_plies:
        relevant.append(tail + layout.PLY)
    weights = np.zeros((2, rules.row_length), np.int64)
    rng = np.random.Generator(np.random.PCG64(1))
    weights[:, relevant] = rng.integers(0, 1 << 61, (2, len(relevant)), np.int64) * 2 + 1
    return weights


def _doubled(array: NDArray[Any]) -> NDArray[Any]:
    """Return a copy with room for twice as many plies."""
    return np.concatenate([array, np.zeros_like(array)])
