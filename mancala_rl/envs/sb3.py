"""`SelfPlayVecEnv`: many games in lock-step for Stable-Baselines3, opponents inside the step.

The learner's next observation is its own next decision: after its move the opponents play until it is the learner's
turn again or the game is over, so the loser sees its -1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import ArrayLike, NDArray
from stable_baselines3.common.vec_env import VecEnv

from mancala_rl.agent import Agent, turn_seeds
from mancala_rl.envs.observation import observation_space, observe
from mancala_rl.envs.reward import check_kind, rewards
from mancala_rl.errors import BadInputError
from mancala_rl.rules import Batch, Rules


@dataclass(frozen=True)
class Starts:
    """One way to start games: `plies` = fewest and most random legal moves played before the first decision."""

    weight: float = 1.0
    plies: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Results:
    """Games that ended, in order: the opponent's index, the learner's seat and its reward; one entry a game each."""

    opponent: NDArray[np.int64]
    seat: NDArray[np.int64]
    reward: NDArray[np.float64]


class SelfPlayVecEnv(VecEnv):
    """B games of one variant in lock-step; the learner has one seat in each, opponents play inside `step`.

    Observations are int16[B, D] as `mancala_rl.envs.observation` describes them, rewards float32[B] come at the end
    of a game from the learner's view (+1, 0, -1, or the margin over all stones). A game that ends is replaced at
    once; its last observation stands in `infos[g]["terminal_observation"]`. An illegal action loses the game.
    `env_method("action_masks")` returns the whole batch, bool[B, A].

    Args:
        rules: the variant.
        num_games: games in lock-step, B.
        opponents: agents for the other seats; each game draws one at its start.
        weights: their odds, one number each; equal if left out.
        observation: kind of observation, see `observation_space`.
        reward: "outcome" or "margin".
        seat: the learner's seat, or "random" for a new draw every game.
        starts: how games start, drawn by weight; the start of the game alone if left out.
        seed: makes everything reproducible.

    Raises:
        BadInputError: no games, no opponents, weights that are no odds, an unknown reward or seat.
    """

    render_mode = None

    def __init__(
        self,
        rules: Rules,
        num_games: int,
        opponents: Sequence[Agent],
        weights: ArrayLike | None = None,
        *,
        observation: str = "counts",
        reward: str = "outcome",
        seat: int | str = "random",
        starts: Sequence[Starts] = (Starts(),),
        seed: int = 0,
    ) -> None:
        _check(rules, num_games, reward, seat)
        self.rules, self.observation, self.reward, self.seat = rules, observation, reward, seat
        self._plies = np.array([s.plies for s in starts], np.int64).reshape(-1, 2)
        self._odds_of_starts = _odds([s.weight for s in starts], "starts")
        self.set_opponents(opponents, weights)
        self.batch = Batch.start(rules, num_games)
        self._rng = np.random.default_rng(seed)
        self._seats, self._opponent_of, self._game_seeds, self._lengths, self._actions = (
            np.zeros(num_games, np.int64) for _ in range(5)
        )
        self._results: list[tuple[int, int, float]] = []
        actions = gymnasium.spaces.Discrete(rules.num_actions)
        super().__init__(num_games, observation_space(rules, observation), actions)

    def set_opponents(self, opponents: Sequence[Agent], weights: ArrayLike | None = None) -> None:
        """Replace the opponents; games under way go on against whoever now has their opponent's index."""
        if not opponents:
            raise BadInputError("opponents: expected at least one agent, got none")
        if any(agent.rules != self.rules for agent in opponents):
            raise BadInputError(f"opponents: expected agents that play {self.rules}")
        odds = _odds([1.0] * len(opponents) if weights is None else weights, "weights")
        if len(odds) != len(opponents):
            raise BadInputError(f"weights: expected one for each of {len(opponents)} opponents, got {len(odds)}")
        self.opponents, self._odds = tuple(opponents), odds

    # The VecEnv interface

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Restart the source of chance; takes effect at the next `reset`."""
        self._rng = np.random.default_rng(seed)
        return [seed] * self.num_envs

    def reset(self) -> NDArray[np.int16]:
        """Start every game anew and return the learner's first observations, int16[B, D]."""
        self._deal(np.arange(self.num_envs))
        return self._observe(slice(None))

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Keep the learner's actions, int64[B], for `step_wait`."""
        self._actions = np.array(actions, np.int64).reshape(self.num_envs)

    def step_wait(self) -> tuple[NDArray[np.int16], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play the learner's actions and the opponents' replies; return observations, rewards, dones and infos."""
        legal = self._are_legal(self._actions)
        moved = np.flatnonzero(legal)
        self._lengths += 1
        self._play(moved, self._actions[moved])
        self._play_opponents(moved)
        dones = self.batch.over | ~legal
        gains = np.where(legal, self._rewards(), -1.0).astype(np.float32)
        infos = self._infos(np.flatnonzero(dones), gains, legal)
        self._deal(np.flatnonzero(dones))
        return self._observe(slice(None)), gains, dones, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the learner's legal actions, bool[B, A]."""
        return self.batch.legal()

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> Any:
        """Call a method once for all games; the result has one row a game."""
        result = getattr(self, method_name)(*method_args, **method_kwargs)
        return result if indices is None else result[self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute, the same for every game."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute for all games."""
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: Any = None) -> list[bool]:
        """Return False for every game: there are no single environments to wrap."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    # State for checkpoints

    def get_state(self) -> dict[str, Any]:
        """Return everything that decides the future of the games but the opponents themselves."""
        arrays = {name: getattr(self, name).copy() for name in _STATE}
        return {"rows": self.batch.rows.copy(), "rng": self._rng.bit_generator.state, **arrays}

    def set_state(self, state: dict[str, Any]) -> None:
        """Go on from what `get_state` returned."""
        self.batch.rows[:] = state["rows"]
        self._rng.bit_generator.state = state["rng"]
        for name in _STATE:
            getattr(self, name)[:] = state[name]

    def pop_results(self) -> Results:
        """Return the games that ended since the last call."""
        table = np.array(self._results, np.float64).reshape(-1, 3)
        self._results.clear()
        return Results(table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), table[:, 2])

    # One step, by phase

    def _are_legal(self, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        inside = (actions >= 0) & (actions < self.rules.num_actions)
        allowed: NDArray[np.bool_] = self.action_masks()[np.arange(self.num_envs), np.where(inside, actions, 0)]
        return inside & allowed

    def _observe(self, games: Any) -> NDArray[np.int16]:
        return observe(self.batch.rows[games], self._seats[games], self.observation, self.rules)

    def _play(self, games: NDArray[np.int64], actions: NDArray[np.int64]) -> None:
        moved = self.batch.select(games)
        moved.play(actions)
        self.batch.rows[games] = moved.rows

    def _play_opponents(self, games: NDArray[np.int64]) -> None:
        """Let opponents move in `games` until each is over or at the learner's turn."""
        while True:
            to_move = self.batch.to_move[games]
            games = games[(to_move >= 0) & (to_move != self._seats[games])]
            if not len(games):
                return
            for index in np.unique(self._opponent_of[games]):
                waiting = games[self._opponent_of[games] == index]
                positions = self.batch.select(waiting)
                seeds = turn_seeds(self._game_seeds[waiting], positions.ply)
                self._play(waiting, self.opponents[index].act(positions, seeds))

    def _rewards(self) -> NDArray[np.float64]:
        """Return what each game is worth to the learner, float64[B]; 0 while it goes on."""
        return rewards(self.batch.rows, self.reward, self.rules)[np.arange(self.num_envs), self._seats]

    def _infos(
        self, ended: NDArray[np.int64], gains: NDArray[np.float32], legal: NDArray[np.bool_]
    ) -> list[dict[str, Any]]:
        """Return the infos of a step and note the results of the games that ended."""
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        scores = self.batch.scores
        for g, last in zip(ended.tolist(), self._observe(ended), strict=True):
            reward, opponent, seat = float(gains[g]), int(self._opponent_of[g]), int(self._seats[g])
            infos[g] = {
                "terminal_observation": last,
                "TimeLimit.truncated": False,
                "episode": {"r": reward, "l": int(self._lengths[g])},
                "scores": tuple(scores[g].tolist()),
                "seat": seat,
                "opponent": self.opponents[opponent].name,
            }
            if not legal[g]:
                infos[g]["illegal_move"] = int(self._actions[g])
            self._results.append((opponent, seat, reward))
        return infos

    def _deal(self, games: NDArray[np.int64]) -> None:
        """Start `games` anew, each at a decision of the learner; a game over before one is drawn again."""
        while len(games):
            self._draw(games)
            self._play_opponents(games)
            games = games[self.batch.over[games]]

    def _draw(self, games: NDArray[np.int64]) -> None:
        """Draw seats, opponents, seeds and starting positions for `games`."""
        count, rng = len(games), self._rng
        self._seats[games] = rng.integers(self.rules.players, size=count) if self.seat == "random" else self.seat
        self._opponent_of[games] = rng.choice(len(self.opponents), size=count, p=self._odds)
        self._game_seeds[games] = rng.integers(1 << 32, size=count)
        self._lengths[games] = 0
        plies = self._plies[rng.choice(len(self._plies), size=count, p=self._odds_of_starts)]
        fresh = Batch.start(self.rules, count, seeds=self._game_seeds[games])
        fresh.random_plies(rng.integers(plies[:, 0], plies[:, 1] + 1), rng.integers(1 << 32, size=count))
        self.batch.rows[games] = fresh.rows


_STATE = ("_seats", "_opponent_of", "_game_seeds", "_lengths")


def _check(rules: Rules, num_games: int, reward: str, seat: int | str) -> None:
    if num_games < 1:
        raise BadInputError(f"num_games={num_games}: expected at least 1")
    check_kind(reward)
    if seat != "random" and seat not in range(rules.players):
        raise BadInputError(f"seat={seat!r}: expected 'random' or a seat from 0 to {rules.players - 1}")


def _odds(weights: ArrayLike, name: str) -> NDArray[np.float64]:
    """Return weights as probabilities."""
    odds = np.asarray(weights, np.float64)
    if odds.ndim != 1 or not np.isfinite(odds).all() or (odds < 0).any() or not odds.sum() > 0:
        raise BadInputError(f"{name}: expected numbers >= 0, not all 0, got {np.asarray(weights).tolist()}")
    return odds / odds.sum()
