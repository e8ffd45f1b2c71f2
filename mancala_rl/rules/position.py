"""`Position`: one immutable state of a game."""

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from mancala_rl.errors import IllegalMoveError, PositionError
from mancala_rl.kernel import is_decided, layout, legal_bits, play, settle, trace
from mancala_rl.rules.notation import board_cells, format_board, split_position
from mancala_rl.rules.record import Rules
from mancala_rl.rules.registry import variant
from mancala_rl.rules.scoring import ranking, returns


class Position:
    """One state of a game: who has how many stones where, and who moves.

    Positions never change; `play` returns the next one. Two are equal when they are the same state under the same
    rules, however they were reached. A board that is over by the rules (an empty row in Kalah) is settled at once:
    what is left goes where the rules say.

    Args:
        rules: the variant, a record or a spec string.
        pits: one row a seat, pit 0 farthest from that seat's store.
        stores: one number a seat; all 0 if left out.
        to_move: the seat to move, None for a position that is over.
        pie: the seat that may still swap at its first action, where the rules have the pie rule.

    Raises:
        PositionError: wrong number of pits, a negative count, stones that do not add up to `rules.total`, or a seat
            that does not exist.
        RulesError: unknown rules.
    """

    __slots__ = ("_action", "_before", "_rows", "rules")

    rules: Rules
    _rows: NDArray[np.int16]
    _before: NDArray[np.int16] | None
    _action: int

    def __init__(
        self,
        rules: Rules | str,
        pits: Sequence[Sequence[int]],
        stores: Sequence[int] | None = None,
        to_move: int | None = 0,
        *,
        pie: int | None = None,
    ) -> None:
        rules = variant(rules)
        stores = [0] * rules.players if stores is None else list(stores)
        cells = board_cells([list(row) for row in pits], stores, rules)
        self._build(rules, _settled_rows(rules, cells, to_move, pie))

    def _build(self, rules: Rules, rows: NDArray[np.int16], before: Any = None, action: int = -1) -> None:
        for name, value in (("rules", rules), ("_rows", rows), ("_before", before), ("_action", action)):
            object.__setattr__(self, name, value)

    @classmethod
    def from_row(cls, rules: Rules, row: NDArray[np.int16]) -> "Position":
        """Return the position of a kernel row, int16[row_length]; the row is copied, not checked."""
        return cls._of(rules, np.array(row, np.int16).reshape(1, -1))

    @classmethod
    def _of(cls, rules: Rules, rows: NDArray[np.int16], before: Any = None, action: int = -1) -> "Position":
        position = cls.__new__(cls)
        position._build(rules, rows, before, action)
        return position

    @classmethod
    def parse(cls, text: str, rules: Rules | str) -> "Position":
        """Return the position a notation describes, as in "4,4,4,4,4,4+0/4,4,4,4,4,4+0 0"; `str` is the inverse.

        Raises:
            PositionError: unreadable text or an impossible board.
            RulesError: unknown rules.
        """
        rules = variant(rules)
        cells, to_move, pie = split_position(text, rules)
        return cls._of(rules, _settled_rows(rules, cells, to_move, pie))

    def play(self, action: int) -> "Position":
        """Return the position after `action` of the seat to move: pit 0..m-1, or m to swap under the pie rule.

        Raises:
            IllegalMoveError: names the position and the legal moves.
        """
        r = self.rules.array
        if isinstance(action, bool) or not isinstance(action, int | np.integer):
            raise IllegalMoveError(f"move {action!r}: expected a pit number, got {type(action).__name__}")
        if not 0 <= action <= self.rules.pits or not legal_bits(self._rows, 0, r) >> int(action) & 1:
            raise IllegalMoveError(self._refusal(int(action)))
        rows = self._rows.copy()
        play(rows, 0, int(action), r)
        return Position._of(self.rules, rows, self._rows, int(action))

    def _refusal(self, action: int) -> str:
        if self.is_over:
            return f"move {action} in {self}: the game is over, no move is legal"
        legal = ", ".join(map(str, self.legal_moves))
        return f"move {action} is illegal in {self} (seat {self.to_move} to move); legal moves: {legal}"

    @property
    def pits(self) -> tuple[tuple[int, ...], ...]:
        """Stones in the pits, one row a seat; a closed pit holds 0."""
        cells = self._cells
        return tuple(tuple(row) for row in cells[:, :-1].clip(0).tolist())

    @property
    def stores(self) -> tuple[int, ...]:
        """Stones in the stores, one number a seat."""
        return tuple(self._cells[:, -1].clip(0).tolist())

    @property
    def to_move(self) -> int | None:
        """The seat to move, None when the game is over."""
        return None if self.is_over else self._tail(layout.MOVER)

    @property
    def legal_moves(self) -> tuple[int, ...]:
        """Legal actions in rising order; empty when the game is over."""
        bits = int(legal_bits(self._rows, 0, self.rules.array))
        return tuple(a for a in range(self.rules.num_actions) if bits >> a & 1)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._tail(layout.OVER) != layout.PLAYING

    @property
    def ply(self) -> int:
        """Moves made since the start or the custom position, extra turns included."""
        return self._tail(layout.PLY)

    @property
    def captured(self) -> int:
        """Stones the last move captured, its own landing stone included; 0 if it captured nothing."""
        return self._tail(layout.CAPTURED)

    @property
    def extra_turn(self) -> bool:
        """Whether the last move gave its player another turn."""
        return bool(self._tail(layout.EXTRA))

    @property
    def trace(self) -> tuple[int, ...]:
        """Cells the last move sowed, in order; cell = seat * (pits + 1) + pit, the store counts as pit m."""
        if self._before is None:
            return ()
        out = np.empty(self.rules.total, np.int64)
        sown = trace(self._before, 0, self._action, out, self.rules.array)
        return tuple(out[:sown].tolist())

    @property
    def pie(self) -> int | None:
        """The seat that may still swap at its first action, None if none may."""
        return self._tail(layout.PIE) - 1 if self._tail(layout.PIE) else None

    @property
    def scores(self) -> tuple[int, ...]:
        """Stones that count for each seat, so far or in the end."""
        return self.stores

    @property
    def decided(self) -> bool:
        """Whether a seat holds more than half of all stones (K10: this does not end the game)."""
        return bool(is_decided(self._rows, 0, self.rules.array))

    @property
    def ranking(self) -> tuple[int, ...] | None:
        """The place of each seat, 1 = best, ties share one; None while the game goes on."""
        return tuple(ranking(self._rows, self.rules)[0].tolist()) if self.is_over else None

    @property
    def returns(self) -> tuple[float, ...]:
        """The reward of each seat by place, zero-sum: +1, 0, -1 for two players; all 0 while the game goes on."""
        return tuple(returns(self._rows, self.rules)[0].tolist())

    @property
    def row(self) -> NDArray[np.int16]:
        """A copy of the kernel row, int16[row_length]; see `mancala_rl.kernel.layout`."""
        row: NDArray[np.int16] = self._rows[0].copy()
        return row

    @property
    def _cells(self) -> NDArray[np.int16]:
        return self._rows[0, : self.rules.num_cells].reshape(self.rules.players, -1)

    def _tail(self, entry: int) -> int:
        return int(self._rows[0, self.rules.num_cells + entry])

    def _state(self) -> tuple[Any, ...]:
        cells = self.rules.num_cells
        places = self._rows[0, cells + layout.PLACES :].tobytes()
        return self.rules, self._rows[0, :cells].tobytes(), self.to_move, self._tail(layout.PIE), places

    def __eq__(self, other: object) -> bool:
        return self._state() == other._state() if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._state())

    def __str__(self) -> str:
        seat = "-" if self.is_over else str(self.to_move)
        pie = "" if self.pie is None or self.is_over else f" pie={self.pie}"
        return f"{format_board(self._rows[0, : self.rules.num_cells], self.rules)} {seat}{pie}"

    def __repr__(self) -> str:
        return f"Position.parse({str(self)!r}, {self.rules})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Position does not change: cannot set {name!r}; play() returns the next one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Position does not change: cannot delete {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Position._of, (self.rules, self._rows, self._before, self._action)


def _settled_rows(rules: Rules, cells: NDArray[np.int16], to_move: int | None, pie: int | None) -> NDArray[np.int16]:
    """Return rows int16[1, L] for a custom board, ended if the rules say it is over."""
    for word, seat in (("to_move", to_move), ("pie", pie)):
        if seat is not None and not (isinstance(seat, int | np.integer) and 0 <= seat < rules.players):
            raise PositionError(f"{word}={seat!r}: expected a seat from 0 to {rules.players - 1}")
    if pie is not None and not rules.pie:
        raise PositionError(f"pie={pie}: {rules} has no pie rule; use the option pie=true")
    rows = np.zeros((1, rules.row_length), np.int16)
    rows[0, : rules.num_cells] = cells
    rows[0, rules.num_cells + layout.PIE] = 0 if pie is None else pie + 1
    if to_move is None:
        return _ended_rows(rules, rows)
    settle(rows, 0, to_move, rules.array)
    return rows


def _ended_rows(rules: Rules, rows: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return rows int16[1, L] of a board that is over whoever would have moved, if possible as it stands."""
    board = rows[0, : rules.num_cells]
    ended = []
    for turn in range(rules.players):
        settled = rows.copy()
        if settle(settled, 0, turn, rules.array):
            ended.append(settled)
    if not ended:
        raise PositionError(f"{format_board(board, rules)} -: the game is not over, name the seat to move")
    return next((over for over in ended if np.array_equal(over[0, : rules.num_cells], board)), ended[0])
