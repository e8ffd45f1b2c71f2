"""`MancalaEnv`: any variant as a Gymnasium environment, the opponents played inside `step`."""

import inspect
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from mancala_rl.agent import Agent, turn_seeds
from mancala_rl.envs import reward as rewarding
from mancala_rl.envs.episode import (
    DRAW_SEAT,
    DRAW_TURNS,
    DRAWS,
    STREAMS,
    begun,
    check_first,
    drawn,
    given_row,
    stream_of,
)
from mancala_rl.envs.game import Game
from mancala_rl.envs.observation import Kind, observation_space, observe
from mancala_rl.envs.opponent import Player, one_a_seat, opponent_for, replies
from mancala_rl.envs.options import check_plies, check_seat, checked_action, checked_seed, rules_for
from mancala_rl.envs.rendering.screen import RENDERING, RenderMode, Screen
from mancala_rl.envs.state import check_flag, check_number, refuse, require
from mancala_rl.errors import AgentError, BadInputError, CallOrderError
from mancala_rl.kernel import combine
from mancala_rl.kernel.layout import CUT_OFF
from mancala_rl.rules import Batch, Position, Rules

STATE_KEYS = ("game", "seat", "game_seed", "illegal_move", "stream", "episode")

Observation = NDArray[np.int16]


class MancalaEnv(gymnasium.Env[Observation, int]):
    """A game in which the learner has one seat and agents have the others.

    ## Description
    After the learner's move the opponents play, extra turns included, until it is the learner's turn again or the
    game is over. So the next observation is the learner's own next decision, and a lost game is seen as lost. The
    game is Kalah unless the id or `rules` says otherwise; `mancala-rl rules VARIANT` prints what it is like.

    ## Observation space
    `Box(-1, total, (D,), int16)`: own pits 0..m-1, own store, the next player's pits and store, and so on, D = P(m+1)
    for P players; pits that are closed and all cells of a player who is out hold -1. With
    `observation="tactical"` every pit adds whether it gives an extra turn, what it captures and what it gains;
    `observation="lookahead"` what each own pit brings within three plies on top. See `mancala_rl.envs.observation`.

    ## Action space
    `Discrete(m)`: the own pit to sow, 0 being the farthest from the own store. With `pie=True`, `Discrete(m + 1)`: m
    swaps sides, with `resign=True` m gives up. `action_masks()`, bool[A], and `info["action_mask"]`, int8[A], tell
    which actions are legal; through wrappers it is `env.get_wrapper_attr("action_masks")()`.

    ## Reward
    At the end +1 for winning, -1 for losing, 0 for a draw, for P players 1 - 2(place - 1)/(P - 1), or with
    `reward="margin"` the difference of the scores over the number of all stones; 0 before.

    ## Episode end
    The episode terminates when the game ends, when the learner is out of it (the others need not be watched), or with
    a reward of -1 when the learner makes an illegal move. It is truncated when the game is cut off: by `max_plies`, or
    under a repetition rule after 255 moves without a capture; the reward is then that of the game as it stands.

    ## Infos
    `action_mask`, `scores` (stones in the stores, by seat), `extra_turn`, `captured` (both about the last move,
    whoever made it), `decided` (a store holds more than half of all stones), `ply`, `seat` (the learner's), and after
    an illegal move `illegal_move=True`.

    ## Arguments
    - `rules`: a record or spec string, "kalah" by default; options of the variant, such as `pits=5`, change it.
    - `opponent`: an `Agent` or the spec string of one for all other seats, "uniform" by default, or a list with one
      for each other seat, in the order of turns after the learner.
    - `seat`: the learner's seat, from 0 to P-1, or "random" (default), drawn for every episode.
    - `first`: the seat that starts, 0 (default) to P-1, or "random".
    - `opening_plies`: (fewest, most) random legal moves made before the game begins, (0, 0) by default.
    - `observation`: "counts" (default), "tactical" or "lookahead". `reward`: "outcome" (default) or "margin".
    - `render_mode`: None (default), "ansi" (text), "svg", "rgb_array" or "human" (a window), the learner's side at the
      bottom. A window shows every move, the opponents' too.

    `reset(seed=...)` seeds all chance: seat, first seat, deal, opening and the opponent's moves. The options of
    `reset` are `position` (a `Position` or its text, with no random opening) and `first`.

    ## Version history
    - v0: first version.

    Raises:
        RulesError: unknown rules, or an option the variant does not have.
        AgentError: an opponent that cannot be made or plays other rules.
        BadInputError: another argument with a value that is not allowed.
    """

    metadata: dict[str, Any] = {**RENDERING}  # noqa: RUF012 (Gymnasium's form)

    def __init__(
        self,
        rules: Rules | str = "kalah",
        *,
        opponent: Player | Sequence[Player] = "uniform",
        seat: int | Literal["random"] = "random",
        first: int | Literal["random"] = 0,
        opening_plies: tuple[int, int] = (0, 0),
        observation: Kind = "counts",
        reward: Literal["outcome", "margin"] = "outcome",
        render_mode: RenderMode | None = None,
        **options: Any,
    ) -> None:
        self.rules = rules_for(rules, options, OWN_OPTIONS)
        rewarding.check_kind(reward, self.rules)
        check_seat("seat", seat, self.rules.players)
        check_seat("first", first, self.rules.players)
        check_plies("opening_plies", opening_plies)
        self._screen = Screen(render_mode, self.rules.name)
        self.seat, self.first, self.opening_plies = seat, first, opening_plies
        self.observation_kind, self.reward_kind, self.render_mode = observation, reward, render_mode
        self.observation_space = observation_space(self.rules, observation)
        self.action_space = Discrete(self.rules.num_actions)
        self._players = one_a_seat(opponent, self.rules.players - 1)
        self.opponents = tuple(opponent_for(self.rules, player) for player in self._players)
        self._game = Game(self.rules)
        self._seat = self._game_seed = 0
        self._stream, self._episode = -1, -1
        self._running = self._illegal = False
        self._players_leave = rewarding.players_leave(self.rules)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a new game and let the opponents play until it is the learner's turn.

        Args:
            seed: seeds all chance from now on.
            options: `position` or `first`.

        Raises:
            BadInputError: a seed or an option that cannot be used, or one with which the learner never gets to move.
        """
        seed, options = checked_seed(seed), {} if options is None else options
        row = given_row(self.rules, options)
        first = options.get("first", self.first)
        if row is None:
            check_first(first, self.rules)
        super().reset(seed=seed)
        if seed is not None or self._stream < 0:
            self._stream = int(self.np_random.integers(STREAMS)) if seed is None else stream_of(seed)
            self._episode = -1
        for _ in range(DRAWS):
            self._begin(row, first)
            if self._running:
                return self._observe(), self._info()
        names = " and ".join(dict.fromkeys(agent.name for agent in self.opponents))
        raise BadInputError(
            f"{names} ended {DRAWS} games under {self.rules} before the learner's first turn; "
            "choose another seat, opening or position"
        )

    def _begin(self, row: NDArray[np.int16] | None, first: int | str) -> None:
        """Start the next episode, from a row if there is one, and play it to the learner's first turn."""
        rules, fewest, most = self.rules, *self.opening_plies
        self._episode += 1
        stream, episode = self._stream, self._episode
        if row is None:
            row = begun(rules, stream, episode, -1 if first == "random" else int(first), fewest, most)
        self._running = False
        self._game.begin(row)
        drawn_seat = drawn(rules.players, stream, episode, DRAW_SEAT)
        self._seat = int(drawn_seat if self.seat == "random" else self.seat)
        self._game_seed = int(combine(combine(stream, episode), DRAW_TURNS))
        self._illegal = False
        self._watch()
        self._reply()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play the learner's action and the opponents' replies.

        Returns:
            The learner's observation int16[D], its reward, terminated, truncated, info.

        Raises:
            ActionError: an action outside the action space.
            CallOrderError: before `reset`, or after the end of the game.
        """
        self._require_running()
        move = checked_action(action, self.rules.num_actions)
        if self._game.bits >> move & 1:
            self._running = False  # unless the opponents come to the end of their replies
            self._game.play(move)
            self._watch()
            self._reply()
        else:
            self._illegal, self._running = True, False
            self._watch()
        truncated = self._game.end == CUT_OFF and not self._is_out()
        return self._observe(), self._reward(), not (self._running or truncated), truncated, self._info()

    def _reply(self) -> None:
        """Let the opponents play until it is the learner's turn, or the game is over for the learner."""
        while self._game.bits and self._game.mover != self._seat and not self._is_out():
            self._game.play(self._opponent_action())
            self._watch()
        self._running = self._game.bits != 0 and not self._is_out()

    def _is_out(self) -> bool:
        """Whether the learner has left the game, which may go on."""
        return self._players_leave and self._game.places[self._seat] > 0

    def _opponent_action(self) -> int:
        opponent = self.opponents[(self._game.mover - self._seat - 1) % self.rules.players]
        seeds = turn_seeds(np.array([self._game_seed]), np.array([self._game.info["ply"]]))
        batch = Batch(self.rules, self._game.rows[:1].copy())
        action = int(replies(opponent, batch, seeds)[0])
        if not (0 <= action < self.rules.num_actions and self._game.bits >> action & 1):
            position = self._game.position()
            raise AgentError(
                f"opponent {opponent.name} chose {action} in {position}; legal moves: "
                + ", ".join(map(str, position.legal_moves))
            )
        return action

    def _reward(self) -> float:
        if self._illegal:
            return -1.0
        return 0.0 if self._running else self._game.worth(margins=self.reward_kind == "margin")[self._seat]

    def _observe(self) -> Observation:
        seats = np.array([self._seat])
        return observe(self._game.rows[:1], seats, self.observation_kind, self.rules).reshape(-1)

    def _info(self) -> dict[str, Any]:
        info = {**self._game.info, "action_mask": self.action_masks().astype(np.int8), "seat": self._seat}
        return {**info, "illegal_move": True} if self._illegal else info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the learner's legal actions, bool[A], as sb3-contrib asks for them; none when the game is over.

        Raises:
            CallOrderError: before `reset`.
        """
        self._require_reset("action_masks")
        mask: NDArray[np.bool_] = self._game.info["action_mask"] > 0
        return mask & self._running

    @property
    def opponent(self) -> Agent:
        """The opponent that moves next after the learner, the only one in games for two."""
        return self.opponents[0]

    @property
    def position(self) -> Position:
        """The game as it stands.

        Raises:
            CallOrderError: before `reset`.
        """
        self._require_reset("position")
        return self._game.position()

    def render(self) -> str | NDArray[np.uint8] | None:  # type: ignore[override]
        """Return the board as `render_mode` says, text or uint8[H, W, 3], the learner's side at the bottom.

        A window shows every position by itself; what is returned then is None.

        Raises:
            CallOrderError: before `reset`.
        """
        self._require_reset("render")
        names = ["learner", *(agent.name for agent in self.opponents)]
        names = names[-self._seat :] + names[: -self._seat]  # by seat
        return self._screen.draw(self.position, names, self._seat, forfeited=self._illegal)

    def close(self) -> None:
        """Close the window of `render_mode="human"`; there is nothing else to release."""
        self._screen.close()

    def _watch(self) -> None:
        if self.render_mode == "human":
            self.render()

    def get_state(self) -> dict[str, Any]:
        """Return the game, the learner's seat and the random state as a value that JSON can hold.

        Raises:
            CallOrderError: before `reset`.
        """
        self._require_reset("get_state")
        return {
            "game": self._game.get_state(),
            "seat": self._seat,
            "game_seed": self._game_seed,
            "illegal_move": self._illegal,
            "stream": self._stream,
            "episode": self._episode,
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go on from a value that `get_state` returned, here or in another environment under the same rules.

        Raises:
            BadInputError: it is no such value, or is of other rules; nothing has changed then.
        """
        self._game = self._checked_game(state)
        self._seat, self._game_seed, self._illegal = int(state["seat"]), int(state["game_seed"]), state["illegal_move"]
        self._stream, self._episode = int(state["stream"]), int(state["episode"])
        self._running = self._game.bits != 0 and not self._illegal and not self._is_out()

    def _checked_game(self, state: Mapping[str, Any]) -> Game:
        """Return the game of a state whose entries are all in order."""
        require(state, STATE_KEYS)
        game = Game(self.rules)
        game.set_state(state["game"])
        check_number("seat", state["seat"], self.rules.players)
        for key in ("game_seed", "stream", "episode"):
            check_number(key, state[key], STREAMS)
        check_flag("illegal_move", state["illegal_move"])
        is_out = self._players_leave and game.places[state["seat"]] > 0
        if game.bits and game.mover != state["seat"] and not is_out:
            refuse("seat", state["seat"], f"{game.mover}, the seat to move")
        if (not game.bits or is_out) and state["illegal_move"]:
            refuse("illegal_move", True, "false in a game that is over by the rules")
        return game

    def _require_reset(self, call: str) -> None:
        if not self._game.has_begun:
            raise CallOrderError(f"{call} before reset: call reset() first")

    def _require_running(self) -> None:
        self._require_reset("step")
        if not self._running:
            raise CallOrderError("step after the end of the game: call reset() first")

    def __getstate__(self) -> dict[str, Any]:
        """Leave the opponents out; those made from a spec are made anew: their files need not be importable."""
        return {key: value for key, value in self.__dict__.items() if key != "opponents"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.opponents = tuple(opponent_for(self.rules, player) for player in self._players)


OWN_OPTIONS = [name for name in inspect.signature(MancalaEnv).parameters if name not in ("rules", "options")]
