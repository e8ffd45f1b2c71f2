"""The perfect defence as an agent: it loses least, and of equal moves plays the one that makes winning hardest."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.agent import check_batch
from mancala_rl.rules import Batch, Position, Rules
from mancala_rl.study.contest import Contest
from mancala_rl.study.exact import exact_for


class Defence:
    """Plays late positions perfectly, as `Contest.move` says for the side that does not have to win.

    Args:
        rules: any that `mancala_rl.study.exact.Exact` takes.

    Raises:
        BadInputError: other rules.
    """

    def __init__(self, rules: Rules) -> None:
        self.name, self.rules = "perfect defence", rules
        self._exact = exact_for(rules)
        self._contests = [Contest(self._exact, solver) for solver in range(2)]

    def act(self, batch: Batch, seeds: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return one move a game, int64[B]; nothing is left to chance.

        Raises:
            AgentError: games of other rules.
            BadInputError: too many stones in the pits.
        """
        check_batch(self.name, self.rules, batch)
        return np.array([self._move(position) for position in batch], np.int64)

    def _move(self, position: Position) -> int:
        self._exact.check(position)
        return self._contests[1 - (position.to_move or 0)].move(position)

    def __reduce__(self) -> tuple[Any, ...]:
        return Defence, (self.rules,)
