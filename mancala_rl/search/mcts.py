"""Monte-Carlo tree search: `mcts` of one position, and the player `MCTS`.

Without an evaluator a simulation ends in random games (UCT); with one, such as a network, in its judgement (PUCT, as in
AlphaZero), of many games at once. Any number of players: a value is the reward of a seat, and every seat looks for its
own.
"""

import dataclasses
import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.agent import check_batch, spell
from mancala_rl.errors import BadInputError
from mancala_rl.rules import Batch, Position, Rules
from mancala_rl.rules.numbers import check_whole
from mancala_rl.search.forest import MAX_SIMULATIONS, Evaluator, Forest
from mancala_rl.search.guard import check_number, check_reward
from mancala_rl.search.random_game import random_game_rules
from mancala_rl.search.uct import uct_range

MAX_ROLLOUTS = 1000
UCT_EXPLORATION = {"outcome": 1.0, "margin": 0.2}  # margins differ less than outcomes
UNINTERRUPTED = 200_000  # random games, about, in one compiled call: a second, so that Ctrl-C is heard
TOGETHER = 256  # games searched side by side with an evaluator; bounds the memory


@dataclasses.dataclass(frozen=True)
class TreeAnalysis:
    """What a tree search found out about a position.

    A value is a mean reward of the player to move, from -1 to 1: by place (1, 0, -1 for two players), or the margin in
    stones over all stones of the game.

    Attributes:
        values: the value of each action, None where it is illegal or has not been tried.
        value: that of the best move.
        best_move: the action visited most; one that leads to the proven result where the position is proven.
        principal_variation: the best moves from here on, as far as the tree goes.
        nodes: positions in the tree.
        depth: plies from here to the farthest of them.
        visits: simulations that began with each action.
        seat_values: the mean reward of every seat.
        action_seat_values: the same after each action, None where it is illegal or has not been tried.
        lines: each action with the best moves after it, as far as the tree goes, () for one not tried.
        proven: whether the value and those of the seats are the exact results of perfect play.
    """

    values: tuple[float | None, ...]
    value: float
    best_move: int
    principal_variation: tuple[int, ...]
    nodes: int
    depth: int
    visits: tuple[int, ...]
    seat_values: tuple[float, ...]
    action_seat_values: tuple[tuple[float, ...] | None, ...]
    lines: tuple[tuple[int, ...], ...]
    proven: bool


def mcts(
    position: Position,
    simulations: int = 400,
    *,
    seed: int = 0,
    exploration: float | None = None,
    rollouts: int = 1,
    reward: str = "outcome",
    evaluator: Evaluator | None = None,
) -> TreeAnalysis:
    """Return what so many simulations from `position` find; an `MCTS` with the same arguments plays its best move.

    Args:
        position: where to begin; any variant, any number of players.
        simulations: lines looked at, 1 to 1,000,000; fewer if the result is proven before. The tree takes about 200
            bytes for each of them, 2,000 where the rules look for repetition.
        seed: draws the random games, in [0, 2**32).
        exploration: how much to try what has been visited less, >= 0; None for what suits the kind of search.
        rollouts: random games at the end of a line, 1 to 1000; their mean counts.
        reward: what a finished game is worth, "outcome" by place or "margin" in stones.
        evaluator: judges positions instead of random games.

    Raises:
        BadInputError: a position that is over, a number outside its range, a reward that does not exist, or an
            evaluator that does not answer as it should.
    """
    if position.is_over:
        raise BadInputError(f"mcts of {position}: the game is over; give a position with a player to move")
    check_whole("seed", seed, 0, 2**32 - 1)
    options: dict[str, Any] = {"exploration": exploration, "rollouts": rollouts, "reward": reward}
    return MCTS(position.rules, simulations, evaluator=evaluator, **options).analyse(position, seed)


class MCTS:
    """The player that goes by `mcts`, with the same options.

    Raises:
        BadInputError: a number outside its range, a reward that does not exist, or margins where stones do not count.
    """

    def __init__(
        self,
        rules: Rules,
        simulations: int = 400,
        exploration: float | None = None,
        rollouts: int = 1,
        reward: str = "outcome",
        evaluator: Evaluator | None = None,
        name: str | None = None,
    ) -> None:
        check_whole("simulations", simulations, 1, MAX_SIMULATIONS)
        check_whole("rollouts", rollouts, 1, MAX_ROLLOUTS)
        check_reward(reward, rules)
        if exploration is not None:
            check_number("exploration", exploration, 0)
        self.rules, self.simulations, self.exploration = rules, simulations, exploration
        self.rollouts, self.reward, self.evaluator = rollouts, reward, evaluator
        several = rollouts if rollouts > 1 else None
        counted = reward if reward != "outcome" else None
        own = {"simulations": simulations, "rollouts": several, "exploration": exploration, "reward": counted}
        self.name = name or spell("mcts", own)
        self._local = threading.local()  # threads may share the agent, but not the arrays of a search

    def act(self, batch: Batch, seeds: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return one move a game, int64[B]; `seeds: int64[B]` draw the random games. A forced move is not searched.

        Raises:
            AgentError: games of other rules.
            BadInputError: an evaluator that does not answer as it should.
        """
        check_batch(self.name, self.rules, batch)
        if self.evaluator is None:
            return self._play_out(batch, np.asarray(seeds, np.int64), False)
        legal = batch.legal()
        moves: NDArray[np.int64] = legal.argmax(axis=1)
        searched = np.flatnonzero(legal.sum(axis=1) > 1)
        for first in range(0, len(searched), TOGETHER):
            some = searched[first : first + TOGETHER]
            forest = self._forest(len(some))
            forest.run(batch.select(some), self.evaluator)
            moves[some] = forest.best_actions()
        return moves

    def analyse(self, position: Position, seed: int = 0) -> TreeAnalysis:
        """Return what the player thinks of a position of its rules that is not over."""
        batch = Batch.of([position])
        forest = self._forest(1)
        if self.evaluator is None:
            self._play_out(batch, np.array([seed], np.int64), True)
        else:
            forest.run(batch, self.evaluator)
        return report(forest)

    def _play_out(self, batch: Batch, seeds: NDArray[np.int64], forced_too: bool) -> NDArray[np.int64]:
        """Search one game after the other by random games."""
        forest, moves = self._forest(1), np.zeros(len(batch), np.int64)
        settings = np.array([self.simulations, self.rollouts, forest.by_margin, forced_too], np.int64)
        scratch = forest.values, forest.points, self._local.q, self.rules.array
        games = max(UNINTERRUPTED // (self.simulations * self.rollouts), 1)
        for first in range(0, len(batch), games):
            span = first, min(first + games, len(batch))
            uct_range(*span, batch.rows, seeds, moves, settings, forest.exploration, *forest.tree, *scratch)
        return moves

    def _forest(self, games: int) -> Forest:
        """Return this thread's arrays for at least so many games; the last ones are kept."""
        if getattr(self._local, "games", 0) < games:
            uct = self.evaluator is None
            exploration = UCT_EXPLORATION[self.reward] if uct and self.exploration is None else self.exploration
            self._local.forest = Forest(self.rules, games, self.simulations, exploration, self.reward, not uct)
            self._local.games, self._local.q = games, random_game_rules(self.rules)
        forest: Forest = self._local.forest
        return forest

    def __reduce__(self) -> tuple[Any, ...]:
        own = self.rules, self.simulations, self.exploration, self.rollouts, self.reward, self.evaluator, self.name
        return MCTS, own


def report(forest: Forest) -> TreeAnalysis:
    """Return what the first tree of a forest has found."""
    best, values = int(forest.best_actions()[0]), forest.action_values[0].tolist()
    seats = forest.action_seat_values[0].tolist()
    return TreeAnalysis(
        values=tuple(None if np.isnan(value) else value for value in values),
        value=values[best],
        best_move=best,
        principal_variation=forest.line(0),
        nodes=int(forest.nodes[0]),
        depth=forest.depth(0),
        visits=tuple(forest.visits[0].tolist()),
        seat_values=tuple(forest.seat_values[0].tolist()),
        action_seat_values=tuple(None if np.isnan(own[0]) else tuple(own) for own in seats),
        lines=forest.lines(0),
        proven=bool(forest.proven[0]),
    )
