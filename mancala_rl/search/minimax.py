"""Minimax: the exact values of the moves of a position, and the player that goes by them."""

import dataclasses
import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.errors import BadInputError
from mancala_rl.rules import Batch, Position, Rules
from mancala_rl.search.guard import check_batch
from mancala_rl.search.workspace import Workspace, check_search


@dataclasses.dataclass(frozen=True)
class Analysis:
    """What a search found out about a position.

    A value is the margin of the player to move over the other one `depth` plies later, or at the end of the game if
    that comes sooner, when each plays for the best margin of its own.

    Attributes:
        values: the exact value of each action, None where it is illegal.
        value: the largest of them.
        best_move: the lowest action that reaches it.
        principal_variation: best moves from here on, at most `depth`, the lowest among equals each time.
        nodes: moves the search played, those that find the principal variation included.
        depth: plies looked ahead; an extra turn is a ply.
    """

    values: tuple[int | None, ...]
    value: int
    best_move: int
    principal_variation: tuple[int, ...]
    nodes: int
    depth: int


def minimax(position: Position, depth: int) -> Analysis:
    """Return the values of all moves of `position` to `depth` plies.

    Raises:
        BadInputError: a depth outside 1..1000, a position that is over, or rules for more than two players.
    """
    if position.is_over:
        raise BadInputError(f"minimax of {position}: the game is over; give a position with a player to move")
    workspace = Workspace(position.rules, depth)
    values, nodes = workspace.values_of(position, depth)
    value = max(v for v in values if v is not None)
    line, more = workspace.line_from(position, depth)
    return Analysis(values, value, values.index(value), line, nodes + more, depth)


class Minimax:
    """Searches `depth` plies with the store margin as its measure.

    Among equally good moves it plays the lowest, as `Analysis.best_move` does, or with `random_ties` one by chance.

    Raises:
        BadInputError: a depth outside 1..1000, or rules for more than two players.
    """

    def __init__(self, rules: Rules, depth: int = 4, random_ties: bool = False, name: str | None = None) -> None:
        check_search(rules, depth)
        self.rules = rules
        self.depth = depth
        self.random_ties = random_ties
        self.name = name or f"minimax:depth={depth}{',random_ties=true' if random_ties else ''}"
        self._local = threading.local()  # threads may share the agent, but not the arrays of a search

    def act(self, batch: Batch, seeds: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return one move a game, int64[B]; `seeds: int64[B]` decide between equally good ones if `random_ties`.

        Raises:
            AgentError: games of other rules.
        """
        check_batch(self.name, self.rules, batch)
        if not hasattr(self._local, "workspace"):
            self._local.workspace = Workspace(self.rules, self.depth)
        workspace: Workspace = self._local.workspace
        return workspace.choose(batch.rows, seeds if self.random_ties else None, self.depth)[0]

    def __reduce__(self) -> tuple[Any, ...]:
        return Minimax, (self.rules, self.depth, self.random_ties, self.name)
