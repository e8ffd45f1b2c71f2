"""Records of different sizes side by side: what their observations and actions have in common.

A player's row is as long as the longest of any record, and there are as many rows as the most players. Cells that a
game does not have hold -1 like closed ones, all other numbers that it does not have hold 0. The parts of an observation
(board, what pits would do, lookahead, and what some rules add) keep their order.
"""

from collections.abc import Sequence

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from mancala_rl.envs.observation import (
    LOOKAHEAD,
    PER_PIT,
    TACTICAL,
    extra_size,
    kind_code,
    observation_space,
    observe,
    tells_places,
)
from mancala_rl.rules import Rules


class Padding:
    """The common size of some records.

    Args:
        records: at least one.
        kind: of observation; see `mancala_rl.envs.observation`.

    Attributes:
        pits: the most pits a player has.
        players: the most players.
        num_actions: the size of the action space: the pits, and one more if any record has an action that is no pit.
        space: of one observation, int16[D].
        size: D.
        is_plain: whether every observation is the board and nothing else.

    Raises:
        BadInputError: no such kind, or none for these rules.
    """

    def __init__(self, records: Sequence[Rules], kind: str) -> None:
        self.kind = kind
        self.pits = max(rules.pits for rules in records)
        self.players = max(rules.players for rules in records)
        self.num_actions = self.pits + max(rules.num_actions - rules.pits for rules in records)
        spaces = [observation_space(rules, kind) for rules in records]
        self.is_plain = kind == "counts" and not any(map(extra_size, records))
        self._parts = self._start_of_parts(records)
        self._places = [np.array(self._places_of(rules)) for rules in records]
        low, high = min(int(s.low.min()) for s in spaces), max(int(s.high.max()) for s in spaces)
        self.size = self._parts[-1]
        self.space = Box(low=low, high=high, shape=(self.size,), dtype=np.int16)

    def _start_of_parts(self, records: Sequence[Rules]) -> list[int]:
        """Return where each part begins: board, tactics, lookahead, pie, tuzdik, places, and the end."""
        code, rows, pits = kind_code(self.kind), self.players, self.pits
        sizes = [
            rows * (pits + 1),
            rows * pits * PER_PIT * (code >= TACTICAL),
            pits * (code >= LOOKAHEAD),
            any(rules.pie for rules in records),
            rows * any(rules.tuzdik for rules in records),
            rows * any(map(tells_places, records)),
        ]
        return [sum(sizes[:part]) for part in range(len(sizes) + 1)]

    def _places_of(self, rules: Rules) -> list[int]:
        """Return where the numbers of a record's own observation go, in their order."""
        board, tactics, lookahead, pie, tuzdik, places, _ = self._parts
        code, turns, pits = kind_code(self.kind), range(rules.players), range(rules.pits)
        to = [board + turn * (self.pits + 1) + i for turn in turns for i in (*pits, self.pits)]
        if code >= TACTICAL:
            to += [
                tactics + (turn * self.pits + i) * PER_PIT + j for turn in turns for i in pits for j in range(PER_PIT)
            ]
        if code >= LOOKAHEAD:
            to += [lookahead + i for i in pits]
        if rules.pie:
            to.append(pie)
        if rules.tuzdik:
            to += [tuzdik + turn for turn in turns]
        if tells_places(rules):
            to += [places + turn for turn in turns]
        return to

    def observe(
        self, rows: NDArray[np.int16], seats: NDArray[np.int64], record: int, rules: Rules
    ) -> NDArray[np.int16]:
        """Return what `seats: int64[N]` see in N games of record number `record`, int16[N, D]."""
        seen = observe(rows, seats, self.kind, rules)
        places = self._places[record]
        if len(places) == self.size:
            return seen
        padded = np.zeros((len(rows), self.size), np.int16)
        padded[:, : self._parts[1]] = -1
        padded[:, places] = seen
        return padded
