"""`Game`: one running game on kernel rows, the part that the environments of one game have in common."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.envs.state import game_rows, require
from mancala_rl.errors import RulesError
from mancala_rl.kernel import copy_row, is_decided, kernel, legal_bits, play
from mancala_rl.kernel.layout import CAPTURED, CELLS, EXTRA, MOVER, OVER, PLACES, PLAYERS, PLY
from mancala_rl.kernel.worth import margin_share, score, worth, write_merits
from mancala_rl.rules import Position, Rules

SCORES = 7  # where the scores stand in a summary
MOST_MASKS = 4096  # kept at a time; a board of twelve pits has no more


class Game:
    """A game that is played on in place, its last move remembered.

    Args:
        rules: the variant played.

    Attributes:
        rows: int16[2, row_length], the game and, for drawing, the state before its last move.
        row: int16[row_length], the game: a view of `rows`.
        last_action: the last move, None at the start.
        bits: the legal actions as a bit set, 0 when the game is over.
        mover: the seat to move; when the game is over, the seat that would have been next.
        end: 0 while the game goes on; see `OVER` of `mancala_rl.kernel.layout`.
        info: what infos tell about the game and its last move, with the action mask, int8[num_actions] and read-only;
            a new dict after every move.
    """

    __slots__ = (
        "_array",
        "_end_of_scores",
        "_masks",
        "_values",
        "bits",
        "end",
        "info",
        "last_action",
        "mover",
        "row",
        "rows",
        "rules",
    )

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._array = rules.array
        self._masks = masks_for(rules.num_actions)
        self._end_of_scores = SCORES + rules.players
        self.rows = np.zeros((2, rules.row_length), np.int16)
        self.row = self.rows[0]
        self.last_action: int | None = None
        self.refresh()

    @property
    def has_begun(self) -> bool:
        """Whether there is a game: no game is without stones."""
        return bool(self.row.any())

    @property
    def places(self) -> list[int]:
        """The place of each seat that is out of the game, 0 for one that plays."""
        first = self.rules.num_cells + PLACES
        places: list[int] = self.row[first : first + self.rules.players].tolist()
        return places

    def begin(self, row: NDArray[np.int16]) -> None:
        """Start from a row, int16[row_length]."""
        self.rows[:] = row
        self.last_action = None
        self.refresh()

    def play(self, action: int) -> None:
        """Play a legal action; whether it is legal is the caller's to ask of `bits`."""
        self._values = advance(self.rows, action, self._array)
        self.last_action = action
        self._tell()

    def refresh(self) -> None:
        """Take in rows that were written from outside."""
        self._values = summary(self.rows, self._array)
        self._tell()

    def _tell(self) -> None:
        values = self._values
        self.bits, self.mover, self.end = values[0], values[1], values[2]
        self.info = self.told()

    def told(self) -> dict[str, Any]:
        """Return what `info` is when a move has been made, as a new dict."""
        values = self._values
        return {
            "action_mask": self._masks[self.bits],
            "scores": values[SCORES : self._end_of_scores],
            "extra_turn": values[5] == 1,
            "captured": values[4],
            "decided": values[6] == 1,
            "ply": values[3],
        }

    def worth(self, *, margins: bool) -> list[float]:
        """Return the reward of every seat, 0 for one whose game goes on; by margin, or by place.

        It is that of `mancala_rl.envs.reward.rewards`, without the arrays a batch takes.
        """
        values = np.zeros((1, self.rules.players), np.float64)
        write_worth(self.rows, values, np.empty((1, self.rules.players), np.int64), margins, self._array)
        worth: list[float] = values[0].tolist()
        return worth

    def position(self) -> Position:
        """Return the current position; it knows the cells its last move sowed."""
        if self.last_action is None:
            return Position.from_row(self.rules, self.row)
        return Position.from_row(self.rules, self.rows[1]).play(self.last_action)

    def get_state(self) -> dict[str, Any]:
        """Return the whole game as a value that JSON can hold."""
        return {
            "rules": str(self.rules),
            "rules_hash": self.rules.hash,
            "rows": self.rows.tolist(),
            "last_action": self.last_action,
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go on from a value that `get_state` returned; whatever else is refused, and changes nothing.

        Raises:
            BadInputError: it is no such value.
            RulesError: it belongs to a game under other rules.
            PositionError: its rows are none of a game, or its last action does not lead from one to the other.
        """
        require(state, ("rules", "rules_hash", "rows", "last_action"))
        if state["rules_hash"] != self.rules.hash:
            raise RulesError(f"expected a state under the rules {self.rules}, got one under {state['rules']}")
        rows = game_rows(state["rows"], state["last_action"], self.rules)
        self.rows[:] = rows
        self.last_action = None if state["last_action"] is None else int(state["last_action"])
        self.refresh()

    def __getstate__(self) -> tuple[Any, ...]:
        return self.rules, self.rows, self.last_action

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        rules, rows, last_action = state
        self.__init__(rules)  # type: ignore[misc]
        self.rows[:] = rows
        self.last_action = last_action
        self.refresh()


@kernel
def advance(S, action, r):  # type: ignore[no-untyped-def]
    """Play a legal action on row 0 of `S: int16[2, L]`, keep the old row in row 1, and return the summary."""
    copy_row(S, 0, 1)
    play(S, 0, action, r)
    return summary(S, r)


@kernel
def summary(S, r):  # type: ignore[no-untyped-def]
    """Return what an environment has to know about row 0, the scores of two to four players last.

    A tuple costs less to read than an array.
    """
    tail = r[CELLS]
    return (
        int(legal_bits(S, 0, r)),
        int(S[0, tail + MOVER]),
        int(S[0, tail + OVER]),
        int(S[0, tail + PLY]),
        int(S[0, tail + CAPTURED]),
        int(S[0, tail + EXTRA]),
        int(is_decided(S, 0, r)),
        score(S, 0, 0, r),
        score(S, 0, 1, r),
        score(S, 0, 2, r) if r[PLAYERS] > 2 else 0,
        score(S, 0, 3, r) if r[PLAYERS] > 3 else 0,
    )


@kernel
def write_worth(S, values, points, margins, r):  # type: ignore[no-untyped-def]
    """Write the reward of every seat that is out into `values: float64[1, P]`; `points: int64[1, P]` is overwritten."""
    write_merits(S, 0, points, 0, r)
    for player in range(r[PLAYERS]):
        if S[0, r[CELLS] + OVER] or S[0, r[CELLS] + PLACES + player]:
            values[0, player] = margin_share(S, 0, player, r) if margins else worth(points, 0, player, r[PLAYERS])


class Masks(dict[int, NDArray[np.int8]]):
    """Bit sets of actions as masks, int8[actions]: shared, read-only arrays, each made when it is first asked for."""

    def __init__(self, actions: int) -> None:
        super().__init__()
        self._actions = actions

    def __missing__(self, bits: int) -> NDArray[np.int8]:
        if len(self) >= MOST_MASKS:
            self.clear()
        mask = np.array([bits >> action & 1 for action in range(self._actions)], np.int8)
        mask.flags.writeable = False
        self[bits] = mask
        return mask


@cache
def masks_for(actions: int) -> Masks:
    """Return the masks of all games with so many actions."""
    return Masks(actions)
