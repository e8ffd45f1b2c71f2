"""`SelfPlayVecEnv`: many games in lock-step for Stable-Baselines3, opponents inside the step.

The learner's next observation is its own next decision: after its move the opponents play until it is the learner's
turn again or the game is over, so the loser sees its -1. In games for three or four a learner that is out has its
reward, and its game is replaced.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import ArrayLike, NDArray
from stable_baselines3.common.vec_env import VecEnv

from mancala_rl.agent import Agent, turn_seeds
from mancala_rl.envs.observation import observation_space, observe
from mancala_rl.envs.opponent import opponent_for, replies
from mancala_rl.envs.options import check_plies, check_seat, checked_seed
from mancala_rl.envs.reward import check_kind, out, players_leave, rewards
from mancala_rl.errors import ActionError, AgentError, BadInputError, CallOrderError, IllegalMoveError
from mancala_rl.kernel.layout import CUT_OFF, OVER
from mancala_rl.rules import Batch, Rules, variant
from mancala_rl.rules.numbers import is_whole

_STATE = ("_seats", "_opponent_of", "_game_seeds", "_lengths")  # arrays that decide the future of the games
_MOST_REDRAWS = 10_000  # in one step, before games that always end without the learner are given up


@dataclass(frozen=True)
class Starts:
    """One way to start games: `plies` = fewest and most random legal moves played before the first decision.

    Raises:
        BadInputError: a weight that is not above 0, or plies that are not 0 <= fewest <= most.
    """

    weight: float = 1.0
    plies: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        if not isinstance(self.weight, int | float) or not 0 < self.weight < float("inf"):
            raise BadInputError(f"weight={self.weight!r} of a start: expected a number above 0")
        check_plies("plies", self.plies)


@dataclass(frozen=True)
class Results:
    """Games that ended, in order, one entry a game each.

    Attributes:
        opponents: int64[G, P-1], the opponents' indices, in the order of turns after the learner.
        seat: int64[G], the learner's.
        reward: float64[G], the learner's.
    """

    opponents: NDArray[np.int64]
    seat: NDArray[np.int64]
    reward: NDArray[np.float64]

    @property
    def opponent(self) -> NDArray[np.int64]:
        """The index of the opponent next after the learner, int64[G]; the only one in games for two."""
        return self.opponents[:, 0]


class SelfPlayVecEnv(VecEnv):
    """B games of one variant in lock-step; the learner has one seat in each, opponents play inside `step`.

    Seat 0 starts. A game that ends before the learner's first decision is dropped and drawn again; one that the
    learner is out of is over for it.

    Observations are int16[B, D] as `mancala_rl.envs.observation` describes them, rewards float32[B] come at the end
    of a game from the learner's view, see `mancala_rl.envs.reward`. A game that ends is replaced at once; its last
    observation stands in `infos[g]["terminal_observation"]`. An illegal action loses the game. A game that was cut off
    has its reward by the rules, so that `TimeLimit.truncated`, with which SB3 adds a guess of its own, is never set;
    `infos[g]["cut_off"]` tells it.
    `env_method("action_masks")` returns the whole batch, bool[B, A].

    Args:
        rules: the variant, a record or a spec string.
        num_games: games in lock-step, B.
        opponents: agents or spec strings of agents; each game draws one for each other seat at its start.
        weights: their odds, one number each; equal if left out.
        observation: kind of observation, see `observation_space`.
        reward: "outcome" or "margin".
        seat: the learner's seat, or "random" for a new draw every game.
        starts: how games start, drawn by weight; the start of the game alone if left out.
        seed: makes everything reproducible.

    Raises:
        RulesError: unknown rules.
        AgentError: an opponent that cannot be made or plays other rules.
        BadInputError: no games, no opponents, weights that are no odds, an unknown reward or seat, no seed.
    """

    render_mode = None

    def __init__(
        self,
        rules: Rules | str,
        num_games: int,
        opponents: Sequence[Agent | str],
        weights: ArrayLike | None = None,
        *,
        observation: str = "counts",
        reward: str = "outcome",
        seat: int | str = "random",
        starts: Sequence[Starts] = (Starts(),),
        seed: int = 0,
    ) -> None:
        rules = variant(rules)
        _check(rules, num_games, reward, seat)
        if seed is None:
            raise BadInputError("seed=None: expected a whole number >= 0")
        checked_seed(seed)
        if not isinstance(starts, Sequence) or not starts or not all(isinstance(start, Starts) for start in starts):
            raise BadInputError(f"starts={starts!r}: expected at least one Starts(weight, plies)")
        self.rules, self.observation, self.reward, self.seat = rules, observation, reward, seat
        self._plies = np.array([s.plies for s in starts], np.int64).reshape(-1, 2)
        self._odds_of_starts = _odds([s.weight for s in starts], "starts")
        self._seats, self._game_seeds, self._lengths, self._actions = (np.zeros(num_games, np.int64) for _ in range(4))
        # For each other seat, in the order of turns after the learner.
        self._opponent_of = np.zeros((num_games, rules.players - 1), np.int64)
        self._players_leave = players_leave(rules)
        self.set_opponents(opponents, weights)
        self.batch = Batch.start(rules, num_games)
        self._rng, self._begun = np.random.default_rng(seed), False
        self._results: list[tuple[float, ...]] = []
        actions: Discrete[np.int64] = Discrete(rules.num_actions)
        super().__init__(num_games, observation_space(rules, observation), actions)

    def set_opponents(self, opponents: Sequence[Agent | str], weights: ArrayLike | None = None) -> None:
        """Replace the opponents; games under way go on against whoever now has their opponent's index.

        Raises:
            AgentError: an opponent that cannot be made or plays other rules.
            BadInputError: no opponents, weights that are no odds, or too few opponents for the games under way.
        """
        if isinstance(opponents, str) or not isinstance(opponents, Sequence) or not opponents:
            raise BadInputError(f"opponents={opponents!r}: expected a list of at least one agent or spec string")
        agents = tuple(opponent_for(self.rules, opponent) for opponent in opponents)
        odds = _odds([1.0] * len(opponents) if weights is None else weights, "weights")
        if len(odds) != len(opponents):
            raise BadInputError(f"weights: expected one for each of {len(opponents)} opponents, got {len(odds)}")
        if self._opponent_of.max() >= len(opponents):
            raise BadInputError(f"opponents: games under way need {self._opponent_of.max() + 1}, got {len(opponents)}")
        self.opponents, self._odds = agents, odds

    # The VecEnv interface

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Restart the source of chance; takes effect at the next `reset`.

        Raises:
            BadInputError: neither None nor a whole number >= 0.
        """
        self._rng = np.random.default_rng(checked_seed(seed))
        return [seed] * self.num_envs

    def reset(self) -> NDArray[np.int16]:
        """Start every game anew and return the learner's first observations, int16[B, D].

        Raises:
            BadInputError: the learner's seat never gets a decision under these rules.
        """
        self._begun = True
        self._begin_step()
        self._dones[:] = True  # nothing that ends now is a result
        everything = np.arange(self.num_envs)
        self._draw(everything)
        self._advance(everything)
        return self._observe(slice(None))

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Keep the learner's actions, int64[B], for `step_wait`.

        Raises:
            CallOrderError: before `reset`.
            ActionError: not one whole number a game.
        """
        if not self._begun:
            raise CallOrderError("step before reset: call reset() first")
        given = np.asarray(actions)
        if given.size != self.num_envs or given.dtype.kind not in "iu":
            raise ActionError(
                f"expected {self.num_envs} whole numbers, one action a game, got {given.dtype} of shape {given.shape}"
            )
        self._actions = given.astype(np.int64).reshape(self.num_envs)

    def step_wait(self) -> tuple[NDArray[np.int16], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play the learner's actions and the opponents' replies; return observations, rewards, dones and infos.

        Raises:
            AgentError: an opponent's move is not legal.
        """
        self._begin_step()
        self._lengths += 1
        legal = self._are_legal(self._actions)
        moved = np.flatnonzero(legal)
        self._play(moved, self._actions[moved])
        if not legal.all():
            self._forfeit(np.flatnonzero(~legal))
        self._advance(np.arange(self.num_envs))
        return self._observe(slice(None)), self._gains, self._dones, self._infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the learner's legal actions, bool[B, A]."""
        return self.batch.legal()

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> Any:
        """Call a method once for all games; return one row a game, or what it returned once for every game."""
        result = getattr(self, method_name)(*method_args, **method_kwargs)
        if isinstance(result, np.ndarray):
            return result if indices is None else result[np.array(list(self._get_indices(indices)))]
        return [result for _ in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute, the same for every game."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute for all games."""
        setattr(self, attr_name, value)

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: Any = None
    ) -> list[bool]:
        """Return False for every game: there are no single environments to wrap."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    # State for checkpoints

    def get_state(self) -> dict[str, Any]:
        """Return everything that decides the future of the games but the opponents themselves."""
        arrays = {name: getattr(self, name).flatten() for name in _STATE}
        return {"rows": self.batch.rows.copy(), "rng": self._rng.bit_generator.state, **arrays}

    def set_state(self, state: dict[str, Any]) -> None:
        """Go on from what `get_state` returned; results not yet fetched are forgotten."""
        self._begun = True
        self._results.clear()
        self.batch.rows[:] = state["rows"]
        self._rng.bit_generator.state = state["rng"]
        for name in _STATE:
            getattr(self, name).flat[:] = state[name]

    def pop_results(self) -> Results:
        """Return the games that ended since the last call."""
        table = np.array(self._results, np.float64).reshape(-1, self.rules.players + 1)
        self._results.clear()
        return Results(table[:, :-2].astype(np.int64), table[:, -2].astype(np.int64), table[:, -1])

    # One step, by phase

    def _begin_step(self) -> None:
        """Make room for what a step returns; the arrays are fresh, because SB3 keeps the ones it was given."""
        self._gains = np.zeros(self.num_envs, np.float32)
        self._dones = np.zeros(self.num_envs, np.bool_)
        self._infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]

    def _are_legal(self, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        inside = (actions >= 0) & (actions < self.rules.num_actions)
        allowed: NDArray[np.bool_] = self.action_masks()[np.arange(self.num_envs), np.where(inside, actions, 0)]
        return inside & allowed

    def _play(self, games: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        moved = self.batch.select(games)
        moved.play(actions)
        self.batch.rows[games] = moved.rows

    def _forfeit(self, games: NDArray[np.int64]) -> None:
        """End games in which the learner's action was illegal: it loses them where they stand."""
        for g in games.tolist():
            self._infos[g]["illegal_move"] = True
        self._finish(games, np.full(len(games), -1.0))
        self._draw(games)

    def _advance(self, games: NDArray[np.int64]) -> None:
        """Let opponents move until it is the learner's turn in all of `games`; what is over is replaced at once.

        New games join those under way, so each round asks every opponent at most once.
        """
        redraws = 0
        while len(games):
            over = games[self._are_over(games)]
            if len(over):
                self._replace(over)
                redraws += 1
            if redraws > _MOST_REDRAWS:
                raise BadInputError(f"seat={self.seat!r}: games of {self.rules} are over before it has a decision")
            games = games[self.batch.to_move[games] != self._seats[games]]
            self._ask_opponents(games)

    def _are_over(self, games: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which of `games` are over for the learner, bool[G]."""
        over: NDArray[np.bool_] = self.batch.over[games]
        if self._players_leave:
            over = over | out(self.batch.rows[games], self.rules)[np.arange(len(games)), self._seats[games]]
        return over

    def _replace(self, over: NDArray[np.int64]) -> None:
        """Note how games ended and start new ones in their places."""
        # A game that was started in this very step ended without a decision of the learner: it counts for nothing.
        decided = over[~self._dones[over]]
        self._finish(decided, self._rewards_of(decided))
        self._draw(over)

    def _ask_opponents(self, games: NDArray[np.int64]) -> None:
        """Play one move of the opponent in each of `games`.

        Raises:
            AgentError: an opponent's move is not legal.
        """
        turns = (self.batch.to_move[games] - self._seats[games] - 1) % self.rules.players
        asked = self._opponent_of[games, turns]
        for index in np.unique(asked):
            waiting = games[asked == index]
            positions = self.batch.select(waiting)
            seeds = turn_seeds(self._game_seeds[waiting], positions.ply)
            moves = replies(self.opponents[index], positions, seeds)
            try:
                self._play(waiting, moves)
            except IllegalMoveError as error:
                raise AgentError(f"opponent {self.opponents[index].name}: {error}") from None

    def _rewards_of(self, games: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what games that are over are worth to the learner, float64[G]."""
        return rewards(self.batch.rows[games], self.reward, self.rules)[np.arange(len(games)), self._seats[games]]

    def _observe(self, games: Any) -> NDArray[np.int16]:
        return observe(self.batch.rows[games], self._seats[games], self.observation, self.rules)

    def _finish(self, games: NDArray[np.int64], gains: NDArray[np.float64]) -> None:
        """Note that `games` ended with these rewards: in the arrays of this step and for `pop_results`."""
        self._gains[games], self._dones[games] = gains, True
        scores = self.batch.select(games).scores.tolist()
        ends = self.batch.rows[games, self.rules.num_cells + OVER].tolist()
        facts = zip(games.tolist(), gains.tolist(), scores, ends, self._observe(games), strict=True)
        for g, reward, score, end, last in facts:
            opponents, seat = self._opponent_of[g].tolist(), int(self._seats[g])
            self._infos[g] |= {
                "terminal_observation": last,
                "TimeLimit.truncated": False,
                "episode": {"r": reward, "l": int(self._lengths[g])},
                "scores": tuple(score),
                "seat": seat,
                "opponent": " and ".join(self.opponents[index].name for index in opponents),
            }
            if end == CUT_OFF:
                self._infos[g]["cut_off"] = True
            self._results.append((*opponents, seat, reward))

    def _draw(self, games: NDArray[np.int64]) -> None:
        """Start `games` anew: draw seats, opponents, seeds and the moves played first."""
        count = len(games)
        # One draw more for every further opponent, so that games for two keep theirs.
        seat, opponent, start, length, *further = self._rng.random((2 + self.rules.players, count))
        self._game_seeds[games], move_seeds = self._rng.integers(1 << 32, size=(2, count))
        self._seats[games] = seat * self.rules.players if self.seat == "random" else self.seat
        self._opponent_of[games] = np.searchsorted(self._odds, np.stack([opponent, *further], axis=1), side="right")
        self._lengths[games] = 0
        fewest, most = self._plies[np.searchsorted(self._odds_of_starts, start, side="right")].T
        fresh = Batch.start(self.rules, count, seeds=self._game_seeds[games])
        fresh.random_plies(fewest + (length * (most - fewest + 1)).astype(np.int64), move_seeds)
        self.batch.rows[games] = fresh.rows


def _check(rules: Rules, num_games: int, reward: str, seat: int | str) -> None:
    if not is_whole(num_games) or num_games < 1:
        raise BadInputError(f"num_games={num_games!r}: expected a whole number, at least 1")
    check_kind(reward, rules)
    check_seat("seat", seat, rules.players)


def _odds(weights: ArrayLike, name: str) -> NDArray[np.float64]:
    """Return the upper ends of the shares of [0, 1) that the weights stand for, float64[N]."""
    try:
        odds = np.asarray(weights, np.float64)
    except (ValueError, TypeError):
        raise BadInputError(f"{name}={weights!r}: expected numbers >= 0, not all 0") from None
    if odds.ndim != 1 or not np.isfinite(odds).all() or (odds < 0).any() or not odds.sum() > 0:
        raise BadInputError(f"{name}: expected numbers >= 0, not all 0, got {np.asarray(weights).tolist()}")
    ends: NDArray[np.float64] = odds.cumsum() / odds.sum()
    ends[np.flatnonzero(odds)[-1] :] = 1.0  # whatever the rounding, the last one with a weight reaches the end
    return ends
