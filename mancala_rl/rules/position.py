"""`Position`: one immutable state of a game."""

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from mancala_rl.errors import IllegalMoveError, PositionError
from mancala_rl.kernel import is_decided, layout, legal_bits, play, trace
from mancala_rl.rules.board import board_cells, closed_pairs, listed
from mancala_rl.rules.custom import settled_rows
from mancala_rl.rules.notation import Parts, format_board, format_numbers, split_position
from mancala_rl.rules.record import Rules
from mancala_rl.rules.registry import variant
from mancala_rl.rules.scoring import ranking, returns


class Position:
    """One state of a game: who has how many stones where, and who moves.

    Positions never change; `play` returns the next one. Two are equal when they are the same state under the same
    rules, however they were reached: neither `ply` nor what a repetition rule looks back over counts. A board that is
    over by the rules (an empty row in Kalah) is settled at once: what is left goes where the rules say.

    Args:
        rules: the variant, a record or a spec string.
        pits: one row a seat, pit 0 farthest from that seat's store.
        stores: one number a seat; all 0 if left out.
        to_move: the seat to move, None for a position that is over.
        pie: the seat that may still swap at its first action, where the rules have the pie rule.
        closed: (seat, pit) pairs that are out of use (M15).
        places: one a seat, the place of a player who is out, None for one who plays, where the first to empty the own
            side wins. Who is out has no pits and no store; what is missing from the total counts as lifted.
        tuzdiks: one a seat, the pit of the opponent's row that it has claimed or None, where the rules have tuzdiks.

    Raises:
        PositionError: an argument of the wrong shape, wrong number of pits, a negative count, stones that do not add
            up to `rules.total`, a seat or a place that does not exist, or, where the first to empty the own side wins,
            a player with an empty side.
        RulesError: unknown rules, or closed pits that cannot be.
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
        closed: Sequence[tuple[int, int]] = (),
        places: Sequence[int | None] | None = None,
        tuzdiks: Sequence[int | None] | None = None,
    ) -> None:
        rules = variant(rules)
        rows = [listed("pits", row, "one row a seat") for row in listed("pits", pits, "one row a seat")]
        stores = [0] * rules.players if stores is None else listed("stores", stores, "one number a seat")
        places = None if places is None else tuple(listed("places", places, "one a seat"))
        tuzdiks = None if tuzdiks is None else tuple(listed("tuzdiks", tuzdiks, "one a seat"))
        cells = board_cells(rows, stores, rules, closed_pairs(closed), places)
        self._build(rules, settled_rows(rules, Parts(cells, to_move, pie, places, tuzdiks)))

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
        if not isinstance(text, str):
            raise PositionError(f"expected the notation of a position as text, got {text!r}")
        return cls._of(rules, settled_rows(rules, split_position(text, rules)))

    def play(self, action: int) -> "Position":
        """Return the position after `action` of the seat to move: pit 0..m-1, or m to swap or to give up.

        Raises:
            IllegalMoveError: names the position and the legal moves.
        """
        r = self.rules.array
        if isinstance(action, bool) or not isinstance(action, int | np.integer):
            raise IllegalMoveError(f"move {action!r}: expected a pit number, got {type(action).__name__}")
        if not 0 <= action <= self.rules.pits or not self._legal_bits >> int(action) & 1:
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
        bits = self._legal_bits
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
    def last_action(self) -> int | None:
        """The action that `play` made this position with, None for one that was not played."""
        return None if self._before is None else self._action

    @property
    def previous(self) -> "Position | None":
        """The position before the last action, which does not know its own past; None for one that was not played."""
        return None if self._before is None else Position._of(self.rules, self._before)

    @property
    def trace(self) -> tuple[int, ...]:
        """Cells the last move sowed, in order; cell = seat * (pits + 1) + pit, the store counts as pit m."""
        if self._before is None:
            return ()
        out = np.empty(self.rules.total, np.int64)
        sown = trace(self._before.copy(), 0, self._action, out, self.rules.array)
        if sown > len(out):  # a relay
            out = np.empty(sown, np.int64)
            trace(self._before.copy(), 0, self._action, out, self.rules.array)
        return tuple(out[:sown].tolist())

    @property
    def pie(self) -> int | None:
        """The seat that may still swap at its first action, None if none may."""
        return self._tail(layout.PIE) - 1 if self._tail(layout.PIE) else None

    @property
    def closed(self) -> tuple[tuple[int, int], ...]:
        """The closed pits as (seat, pit) pairs; those of players who are out are not among them."""
        pits = (self._cells[:, :-1] < 0) & (self._cells[:, -1:] >= 0)
        return tuple((int(seat), int(pit)) for seat, pit in np.argwhere(pits))

    @property
    def places(self) -> tuple[int | None, ...]:
        """The place of each seat that is out of the game, None for one that still plays; see `ranking`."""
        places = self._entries(self.rules.num_cells + layout.PLACES)
        return tuple(place or None for place in places)

    @property
    def tuzdiks(self) -> tuple[int | None, ...]:
        """The pit of the opponent's row that each seat has claimed, None for none."""
        if not self.rules.tuzdik:
            return (None,) * self.rules.players
        return tuple(entry - 1 if entry else None for entry in self._entries(int(self.rules.array[layout.TUZDIKS])))

    @property
    def lifted(self) -> int:
        """Stones that have left the board."""
        return self._tail(layout.LIFTED)

    @property
    def truncated(self) -> bool:
        """Whether the game was cut off by a limit rather than ended by the rules."""
        return self._tail(layout.OVER) == layout.CUT_OFF

    @property
    def scores(self) -> tuple[int, ...]:
        """Stones that count for each seat, so far or in the end."""
        return self.stores

    @property
    def decided(self) -> bool:
        """Whether a seat holds more than half of all stones, where stones score (K10: this does not end the game)."""
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

    @property
    def _legal_bits(self) -> int:
        """The legal actions as a bit set, found on a copy: where a trial decides (O4, O5) the row changes meanwhile."""
        return int(legal_bits(self._rows.copy(), 0, self.rules.array))

    def _entries(self, at: int) -> list[int]:
        """Return the entries of all seats that begin at a place of the row."""
        entries: list[int] = self._rows[0, at : at + self.rules.players].tolist()
        return entries

    def _state(self) -> tuple[Any, ...]:
        cells = self.rules.num_cells
        rest = self._rows[0, cells + layout.PLACES : int(self.rules.array[layout.HISTORY])].tobytes()
        return self.rules, self._rows[0, :cells].tobytes(), self.to_move, self._tail(layout.PIE), rest

    def __eq__(self, other: object) -> bool:
        return self._state() == other._state() if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._state())

    def __str__(self) -> str:
        words = [format_board(self._rows[0, : self.rules.num_cells], self.rules)]
        words.append("-" if self.is_over else str(self.to_move))
        if self.pie is not None and not self.is_over:
            words.append(f"pie={self.pie}")
        if any(self.places):
            words.append(f"places={format_numbers(self.places)}")
        if any(pit is not None for pit in self.tuzdiks):
            words.append(f"tuzdiks={format_numbers(self.tuzdiks)}")
        return " ".join(words)

    def __repr__(self) -> str:
        return f"Position.parse({str(self)!r}, {self.rules})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Position does not change: cannot set {name!r}; play() returns the next one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Position does not change: cannot delete {name!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Position._of, (self.rules, self._rows, self._before, self._action)
