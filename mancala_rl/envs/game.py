"""`Game`: one running game on kernel rows, the part that the environments of one game have in common."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.envs.state import game_rows, require
from mancala_rl.errors import RulesError
from mancala_rl.kernel import copy_row, is_decided, kernel, legal_bits, play
from mancala_rl.kernel.layout import CAPTURED, CELLS, EXTRA, MOVER, OVER, PITS, PLACES, PLAYERS, PLY
from mancala_rl.rules import Position, Rules

SCORES = 7  # where the scores stand in a summary


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
        "_actions",
        "_array",
        "_summary",
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
        self._actions = rules.num_actions
        self._summary = np.zeros(SCORES + rules.players, np.int64)
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
        advance(self.rows, action, self._summary, self._array)
        self.last_action = action
        self._tell()

    def refresh(self) -> None:
        """Take in rows that were written from outside."""
        summarise(self.rows, self._summary, self._array)
        self._tell()

    def _tell(self) -> None:
        values = self._summary.tolist()  # one conversion costs less than reading single entries
        self.bits, self.mover, self.end = values[:3]
        self.info: dict[str, Any] = {
            "action_mask": mask_row(self.bits, self._actions),
            "scores": tuple(values[SCORES:]),
            "extra_turn": values[5] == 1,
            "captured": values[4],
            "decided": values[6] == 1,
            "ply": values[3],
        }

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
def advance(S, action, summary, r):  # type: ignore[no-untyped-def]
    """Play a legal action on row 0 of `S: int16[2, L]`, keep the old row in row 1, and summarise."""
    copy_row(S, 0, 1)
    play(S, 0, action, r)
    summarise(S, summary, r)


@kernel
def summarise(S, summary, r):  # type: ignore[no-untyped-def]
    """Write into `summary: int64[SCORES + P]` what an environment has to know about row 0."""
    tail = r[CELLS]
    summary[0] = legal_bits(S, 0, r)
    summary[1] = S[0, tail + MOVER]
    summary[2] = S[0, tail + OVER]
    summary[3] = S[0, tail + PLY]
    summary[4] = S[0, tail + CAPTURED]
    summary[5] = S[0, tail + EXTRA]
    summary[6] = is_decided(S, 0, r)
    for player in range(r[PLAYERS]):
        summary[SCORES + player] = max(int(S[0, player * (r[PITS] + 1) + r[PITS]]), 0)  # -1: lifted off the board


@lru_cache(maxsize=4096)
def mask_row(bits: int, actions: int) -> NDArray[np.int8]:
    """Return a bit set as a mask, int8[actions]: a shared, read-only array."""
    row = np.array([bits >> action & 1 for action in range(actions)], np.int8)
    row.flags.writeable = False
    return row
