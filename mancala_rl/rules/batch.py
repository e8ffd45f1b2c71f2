"""`Batch`: many games of one variant, moved together."""

from collections.abc import Iterator, Sequence
from reprlib import repr as shortened
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mancala_rl.errors import BadInputError, IllegalMoveError, PositionError
from mancala_rl.kernel import deal_range, first_illegal, layout, legal_range, mask_range, play_range, random_plies
from mancala_rl.rules import scoring
from mancala_rl.rules.numbers import is_whole
from mancala_rl.rules.position import Position
from mancala_rl.rules.record import Rules

SEEDS = PLIES = 2**32  # seeds are numbers in [0, 2**32); so many plies end every game


class Batch:
    """Many games of one variant in one array, changed in place by `play`.

    Args:
        rules: the variant.
        rows: int16[B, row_length], C-contiguous; kept, not copied. See `mancala_rl.kernel.layout`.
    """

    __slots__ = ("rows", "rules")

    def __init__(self, rules: Rules, rows: NDArray[np.int16]) -> None:
        self.rules = rules
        self.rows = rows

    @classmethod
    def start(cls, rules: Rules, games: int, *, first: ArrayLike = 0, seeds: ArrayLike = 0) -> "Batch":
        """Return `games` games at the start; `first` and `seeds` are one number or int64[B] each.

        Raises:
            BadInputError: no number of games, a seat that cannot start, or a seed outside [0, 2**32).
        """
        if not is_whole(games) or games < 0:
            raise BadInputError(f"games={games!r}: expected a whole number of games")
        batch = cls(rules, np.zeros((games, rules.row_length), np.int16))
        batch.deal(np.arange(games), first=first, seeds=seeds)
        return batch

    @classmethod
    def of(cls, positions: Sequence[Position]) -> "Batch":
        """Return a batch of the given positions, which must share their rules.

        Raises:
            PositionError: no position, or positions of different rules.
        """
        if not positions:
            raise PositionError("expected at least one position, got none")
        rules = positions[0].rules
        if any(position.rules != rules for position in positions):
            raise PositionError(f"expected positions of {rules} only, got other rules among them")
        return cls(rules, np.stack([position.row for position in positions]))

    def deal(self, games: NDArray[np.int64], *, first: ArrayLike = 0, seeds: ArrayLike = 0) -> None:
        """Set the named games up anew; `first` and `seeds` are one number or one a game.

        Raises:
            BadInputError: a seat that cannot start, or a seed outside [0, 2**32).
        """
        count = len(games)
        seats = _numbers("first", first, count, self.rules.players)
        if len(self.rules.starters) < self.rules.players and not np.isin(seats, self.rules.starters).all():
            raise BadInputError(f"first={shortened(seats.tolist())}: {self.rules} is over then before the first move")
        draws = _numbers("seeds", seeds, count, SEEDS)
        fresh = np.zeros((count, self.rules.row_length), np.int16)
        deal_range(0, count, fresh, seats, draws, self.rules.start_cells, self.rules.array)
        self.rows[games] = fresh

    def play(self, actions: ArrayLike) -> None:
        """Play one action in every game, int64[B].

        Raises:
            IllegalMoveError: names the game, its position and the legal moves, or says what is no array of actions;
                nothing has been played then.
        """
        moves = _actions(actions, len(self))
        bad = first_illegal(self.rows, moves, self.rules.array)
        if bad >= 0:
            try:
                self[bad].play(int(moves[bad]))
            except IllegalMoveError as error:
                raise IllegalMoveError(f"game {bad}: {error}") from None
        play_range(0, len(self), self.rows, moves, self.rules.array)

    def random_plies(self, plies: ArrayLike, seeds: ArrayLike) -> None:
        """Play up to `plies` random legal moves in every game, never one that ends it; int64[B] each or one number.

        Raises:
            BadInputError: plies or seeds outside [0, 2**32).
        """
        counts = _numbers("plies", plies, len(self), PLIES)
        draws = _numbers("seeds", seeds, len(self), SEEDS)
        if len(self):
            random_plies(self.rows, counts, draws, self.rules.array)

    def legal(self) -> NDArray[np.bool_]:
        """Return the legal actions, bool[B, num_actions]; no action is legal in a game that is over."""
        mask = np.empty((len(self), self.rules.num_actions), np.bool_)
        mask_range(0, len(self), self.rows, mask, self.rules.array)
        return mask

    def legal_bits(self) -> NDArray[np.int64]:
        """Return the legal actions as bit sets, int64[B]."""
        bits = np.empty(len(self), np.int64)
        legal_range(0, len(self), self.rows, bits, self.rules.array)
        return bits

    @property
    def to_move(self) -> NDArray[np.int64]:
        """The seat to move, int64[B], -1 in a game that is over."""
        return np.where(self.over, -1, self._tail(layout.MOVER)).astype(np.int64)

    @property
    def over(self) -> NDArray[np.bool_]:
        """Which games are over, bool[B]."""
        over: NDArray[np.bool_] = self._tail(layout.OVER) != layout.PLAYING
        return over

    @property
    def ply(self) -> NDArray[np.int64]:
        """Moves made in each game, int64[B]."""
        return self._tail(layout.PLY).astype(np.int64)

    @property
    def stones_in_pits(self) -> NDArray[np.int64]:
        """Stones in the pits of all rows, int64[B]."""
        cells = self.rows[:, : self.rules.num_cells].reshape(len(self), self.rules.players, self.rules.pits + 1)
        stones: NDArray[np.int64] = cells[:, :, :-1].clip(0).sum(axis=(1, 2), dtype=np.int64)  # closed pits hold -1
        return stones

    @property
    def scores(self) -> NDArray[np.int64]:
        """Stones that count for each seat, int64[B, P]."""
        return scoring.scores(self.rows, self.rules)

    @property
    def returns(self) -> NDArray[np.float64]:
        """The reward of each seat, float64[B, P], 0 in games that go on."""
        return scoring.returns(self.rows, self.rules)

    def select(self, index: Any) -> "Batch":
        """Return a new batch with copies of some games; `index` is anything NumPy indexes rows by."""
        rows = self.rows[index]
        own = rows.flags.owndata and rows.flags.c_contiguous  # a slice is a view
        return Batch(self.rules, rows if own else np.array(rows, order="C"))

    def copy(self) -> "Batch":
        """Return a batch of copies."""
        return Batch(self.rules, self.rows.copy())

    def _tail(self, entry: int) -> NDArray[np.int16]:
        return self.rows[:, self.rules.num_cells + entry]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, game: int) -> Position:
        return Position.from_row(self.rules, self.rows[game])

    def __iter__(self) -> Iterator[Position]:
        return (self[game] for game in range(len(self)))

    def __repr__(self) -> str:
        return f"Batch({self.rules}, {len(self)} games)"


def _numbers(name: str, values: ArrayLike, count: int, limit: int) -> NDArray[np.int64]:
    """Return one whole number of [0, limit) a game, int64[count], from that or from one number for all.

    Raises:
        BadInputError: names the argument, what was expected and what came.
    """
    given = _array(values)
    whole = given.size == 0 or (given.dtype.kind in "iu" and given.min() >= 0 and given.max() < limit)
    if not whole or given.shape not in ((), (count,)):
        several = f", or {count} of them" if count != 1 else ""
        raise BadInputError(
            f"{name}={shortened(given.tolist())}: expected a whole number from 0 to {limit - 1}{several}"
        )
    return np.broadcast_to(given.astype(np.int64), count).copy()


def _array(values: ArrayLike) -> NDArray[Any]:
    """Return an array of what the caller gave; lists of unequal length become one of objects, and are refused."""
    try:
        return np.asarray(values)
    except ValueError:
        return np.asarray(values, object)


def _actions(values: ArrayLike, count: int) -> NDArray[np.int64]:
    """Return one action a game, int64[count]; whether they are legal is another question.

    Raises:
        IllegalMoveError: not `count` whole numbers.
    """
    given = _array(values)
    mixed = isinstance(values, list | tuple) and any(isinstance(value, bool | np.bool_) for value in values)
    if given.shape != (count,) or mixed or (given.size and given.dtype.kind not in "iu"):
        raise IllegalMoveError(
            f"expected {count} whole numbers, one action a game, got {shortened(given.tolist())} "
            f"({given.dtype}, shape {given.shape})"
        )
    return np.ascontiguousarray(given, np.int64)
