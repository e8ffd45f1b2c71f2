"""`Forest`: tree searches of many games side by side, so that one call judges the leaves of all of them."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mancala_rl.errors import BadInputError
from mancala_rl.kernel import kernel
from mancala_rl.kernel.layout import MOVER
from mancala_rl.rules import Batch, Rules
from mancala_rl.rules.numbers import check_whole
from mancala_rl.search.guard import check_number, check_reward
from mancala_rl.search.noise import mix_noise
from mancala_rl.search.tree import FIELDS, PROVEN, UNTRIED, USED, VISITS, back_up, best_action, plant, select

MAX_SIMULATIONS = 1_000_000
PUCT_EXPLORATION = 1.5


class Evaluator(Protocol):
    """What judges positions in the place of random games: a network, or anything else."""

    def __call__(self, batch: Batch) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return priors float[B, A] and values float[B, P] of B games that are not over.

        Priors are not negative and need not add up to anything; those of illegal actions are not looked at. Values are
        the rewards that the seats 0..P-1 may expect, from -1 to 1.
        """
        ...


class Forest:
    """The trees of `games` searches, one phase at a time for all of them; `run` is all phases of a whole search.

        forest.plant(batch)
        for _ in range(simulations + 1):  # the first one judges the roots
            forest.back_up(*evaluator(forest.select()))

    A tree has room for `simulations` more nodes than its root. For the arrays and phases see `mancala_rl.search.tree`.
    With `priors=False` there are none, and the trees are for `mancala_rl.search.uct`.

    Args:
        rules: the variant; any number of players.
        games: trees, at least 1.
        simulations: what each of them has room for.
        exploration: what the priors weigh, >= 0; None for 1.5.
        reward: what a finished game is worth, "outcome" or "margin".

    Raises:
        BadInputError: a number outside its range, a reward that does not exist, or margins where stones do not count.
    """

    def __init__(
        self,
        rules: Rules,
        games: int,
        simulations: int,
        exploration: float | None = None,
        reward: str = "outcome",
        priors: bool = True,
    ) -> None:
        check_whole("games", games, 1, MAX_SIMULATIONS)
        check_whole("simulations", simulations, 1, MAX_SIMULATIONS)
        check_reward(reward, rules)
        self.rules, self.games, self.simulations = rules, games, simulations
        self.exploration = PUCT_EXPLORATION if exploration is None else float(exploration)
        check_number("exploration", self.exploration, 0)
        self.by_margin = int(reward == "margin")
        self.size = simulations + 1  # nodes of a tree
        nodes = games * self.size
        self.rows = np.zeros((nodes + 1, rules.row_length), np.int16)  # the last one is for random games
        self.facts = np.zeros((nodes, FIELDS), np.int64)
        self.children = np.zeros((nodes, rules.num_actions), np.int64)
        self.means = np.zeros((nodes, rules.players))
        self.priors = np.zeros((nodes, rules.num_actions)) if priors else None
        self.values = np.zeros((games, rules.players))  # what a simulation found, one row a tree
        self.points = np.zeros((1, rules.players), np.int64)
        self._leaves = np.full(games, -1)  # where a simulation of each tree ended, -1 if it needs none
        self._waiting = np.zeros(0, np.int64)  # the trees whose leaf wants to be judged

    @property
    def tree(self) -> tuple[Any, ...]:
        """The arrays that every phase takes, in the order in which it takes them."""
        return self.rows, self.facts, self.children, self.means

    def run(
        self,
        batch: Batch,
        evaluator: Evaluator,
        seeds: NDArray[np.int64] | None = None,
        noise: float = 0,
        alpha: float = 1,
    ) -> None:
        """Search every game of a batch.

        Args:
            batch: 1 to `games` games of the forest's rules; a game that is over stays a root.
            evaluator: judges positions.
            seeds: int64[B] in [0, 2**32), which draw the noise.
            noise: the share of Dirichlet noise in the priors of the roots, 0 to 1.
            alpha: its parameter; the smaller, the more it prefers a single action.

        Raises:
            BadInputError: too many games, noise without seeds or outside its range, or an evaluator that does not
                answer as it should.
        """
        self.plant(batch)
        for number in range(self.simulations + 1):
            leaves = self.select()
            if len(leaves):
                self.back_up(*evaluator(leaves))
            elif (self._leaves < 0).all():
                return
            else:
                self.back_up()
            if number == 0 and noise:
                self.add_noise(seeds, noise, alpha)

    def plant(self, batch: Batch) -> None:
        """Begin the search of every game of a batch; what has been found before is gone.

        Raises:
            BadInputError: other than 1 to `games` games.
        """
        if not 1 <= len(batch) <= self.games:
            raise BadInputError(f"{len(batch)} games: this forest has room for 1 to {self.games}")
        self._leaves = np.zeros(len(batch), np.int64)
        self._waiting = np.zeros(0, np.int64)
        plant_range(0, len(batch), self.size, batch.rows, *self.tree, self.by_margin, self.points, self.rules.array)

    def select(self) -> Batch:
        """Take a simulation of every tree down to its leaf; return those that `back_up` wants to be judged.

        They are fewer than the trees where a line has come to the end of its game.
        """
        how = self.exploration, self.by_margin, self.points, self.rules.array
        select_range(0, len(self._leaves), self.size, self._leaves, *self.tree, self.priors, *how)
        judged = self.facts[self._leaves, PROVEN] == 0
        self._waiting = np.flatnonzero((self._leaves >= 0) & judged)
        return Batch(self.rules, self.rows[self._leaves[self._waiting]])

    def back_up(self, priors: NDArray[Any] | None = None, values: NDArray[Any] | None = None) -> None:
        """Take what an evaluator says of the positions that `select` returned up to the roots.

        Args:
            priors: float[B, A], see `Evaluator`.
            values: float[B, P].

        Raises:
            BadInputError: another shape, a negative prior, or what is no finite number.
        """
        leaves, rules = self._leaves[self._waiting], self.rules
        if len(leaves) or priors is not None or values is not None:
            shares = _checked("priors", priors, (len(leaves), rules.num_actions), 0)
            self.values[self._waiting] = _checked("values", values, (len(leaves), rules.players), -np.inf)
            if self.priors is not None:
                self.priors[leaves] = _normalised(shares, self.facts[leaves, UNTRIED])
        self._waiting = np.zeros(0, np.int64)
        back_up_range(0, len(self._leaves), self.size, self._leaves, *self.tree, self.values, rules.array)

    def add_noise(self, seeds: NDArray[np.int64] | None, noise: float, alpha: float) -> None:
        """Mix Dirichlet noise into the priors of the roots, which must have been judged; see `run`."""
        check_number("noise", noise, 0, 1)
        check_number("alpha", alpha, 1e-3, 1e3)
        if seeds is None or len(seeds) != len(self._leaves):
            raise BadInputError(f"noise={noise}: expected {len(self._leaves)} seeds, one a game, to draw it with")
        mix_noise(0, len(seeds), self.size, self.facts, self.children, self.priors, seeds, float(noise), float(alpha))

    @property
    def visits(self) -> NDArray[np.int64]:
        """Simulations that began with each action, int64[B, A]."""
        children = self.children[self._roots]
        visits: NDArray[np.int64] = self.facts[children, VISITS] * (children > 0)
        return visits

    @property
    def seat_values(self) -> NDArray[np.float64]:
        """The mean reward of every seat, float64[B, P]."""
        return self.means[self._roots]

    @property
    def action_values(self) -> NDArray[np.float64]:
        """The mean reward of the seat to move after each action, float64[B, A]; NaN for one not tried."""
        movers = self.rows[self._roots, self.rules.num_cells + MOVER].astype(np.int64)
        return np.take_along_axis(self.action_seat_values, movers[:, None, None], 2)[..., 0]

    @property
    def action_seat_values(self) -> NDArray[np.float64]:
        """The mean reward of every seat after each action, float64[B, A, P]; NaN for one not tried."""
        children = self.children[self._roots]
        return np.where(children[..., None] > 0, self.means[children], np.nan)

    @property
    def proven(self) -> NDArray[np.bool_]:
        """Which searches know the result of perfect play, bool[B]."""
        proven: NDArray[np.bool_] = self.facts[self._roots, PROVEN] > 0
        return proven

    @property
    def nodes(self) -> NDArray[np.int64]:
        """Positions in each tree, int64[B]."""
        used: NDArray[np.int64] = self.facts[self._roots, USED]
        return used

    def best_actions(self) -> NDArray[np.int64]:
        """Return the action that each search prefers, int64[B], -1 where none has been tried.

        It is the one visited most; one that leads to a proven result where the root is proven.
        """
        moves = np.zeros(len(self._leaves), np.int64)
        best_range(0, len(moves), self.size, moves, *self.tree, self.rules.array)
        return moves

    def line(self, game: int) -> tuple[int, ...]:
        """Return the preferred actions from the root of a tree on, as far as it goes."""
        return self._line_from(game * self.size)

    def lines(self, game: int) -> tuple[tuple[int, ...], ...]:
        """Return each action of the root of a tree with the preferred actions after it, () for one not tried."""
        children = self.children[game * self.size].tolist()
        return tuple((action, *self._line_from(child)) if child else () for action, child in enumerate(children))

    def _line_from(self, node: int) -> tuple[int, ...]:
        line: list[int] = []
        action = np.zeros(1, np.int64)
        while True:
            best_range(node, node + 1, 1, action, *self.tree, self.rules.array)
            if action[0] < 0:
                return tuple(line)
            line.append(int(action[0]))
            node = int(self.children[node, action[0]])

    def depth(self, game: int) -> int:
        """Return the plies from the root of a tree to the farthest node."""
        level, plies = self.children[game * self.size], 0
        while (level := level[level > 0]).size:
            level, plies = self.children[level], plies + 1
        return plies

    @property
    def _roots(self) -> NDArray[np.int64]:
        return np.arange(len(self._leaves)) * self.size


def _checked(name: str, given: Any, shape: tuple[int, int], least: float) -> NDArray[np.float64]:
    """Return what an evaluator answered as float64."""
    numbers = np.asarray(given)
    if numbers.shape != shape or numbers.dtype.kind not in "fiu":
        raise BadInputError(f"{name} of an evaluator: expected numbers of shape {shape}, got {numbers.shape}")
    exact = numbers.astype(np.float64)
    if not np.isfinite(exact).all() or (exact < least).any():
        raise BadInputError(f"{name} of an evaluator: expected finite numbers{' >= 0' if least == 0 else ''}")
    return exact


def _normalised(shares: NDArray[np.float64], legal: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return priors that add up to 1 over the legal actions, given as bit sets; equal ones where none is above 0."""
    mask = legal[:, None] >> np.arange(shares.shape[1]) & 1
    shares = shares * mask
    total = shares.sum(axis=1, keepdims=True)
    return np.where(total > 0, shares / np.where(total > 0, total, 1), mask / mask.sum(axis=1, keepdims=True))


@kernel
def plant_range(lo, hi, size, games, S, T, children, V, by_margin, points, r):  # type: ignore[no-untyped-def]
    """Plant the rows lo..hi of `games`, each in its own tree."""
    for g in range(lo, hi):
        for i in range(games.shape[1]):
            S[g * size, i] = games[g, i]
        plant(S, T, children, V, g * size, by_margin, points, r)


@kernel
def select_range(lo, hi, size, leaves, S, T, children, V, priors, exploration, by_margin, points, r):  # type: ignore[no-untyped-def]
    """Write where a simulation of each tree lo..hi ends into `leaves: int64[G]`, -1 if the root is proven."""
    for g in range(lo, hi):
        leaves[g] = -1
        if not T[g * size, PROVEN]:
            leaves[g] = select(S, T, children, V, priors, g * size, exploration, 0, by_margin, points, r)


@kernel
def back_up_range(lo, hi, size, leaves, S, T, children, V, values, r):  # type: ignore[no-untyped-def]
    """Take `values: float64[G, P]` from the leaf of each tree lo..hi up to its root."""
    for g in range(lo, hi):
        if leaves[g] >= 0:
            back_up(S, T, children, V, g * size, leaves[g], values, g, r)


@kernel
def best_range(lo, hi, size, moves, S, T, children, V, r):  # type: ignore[no-untyped-def]
    """Write the action preferred at the root of each tree lo..hi into `moves: int64[hi - lo]`."""
    for g in range(lo, hi):
        moves[g - lo] = best_action(S, T, children, V, g * size, r)
