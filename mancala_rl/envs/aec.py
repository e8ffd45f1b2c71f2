"""`MancalaAEC`: any two-player variant as a PettingZoo AEC environment."""

from collections.abc import Iterator, Mapping
from operator import index
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo.utils.env import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from mancala_rl.envs import reward as rewarding
from mancala_rl.envs.game import Game, mask_row
from mancala_rl.envs.observation import observation_space, observe
from mancala_rl.envs.options import check_seat, checked_action, choice
from mancala_rl.envs.rendering import board_text
from mancala_rl.envs.start import start_row
from mancala_rl.envs.state import check_flag, check_random, check_values, refuse, require
from mancala_rl.errors import BadInputError, CallOrderError
from mancala_rl.kernel.layout import CUT_OFF, PLAYING
from mancala_rl.rules import Position, Rules

FROM_RESET = (
    "agent_selection",
    "agents",
    "infos",
    "num_agents",
    "position",
    "rewards",
    "terminations",
    "truncations",
)
STATE_KEYS = ("game", "agents", "agent_selection", "rewards", "cumulative_rewards", "illegal_move", "rng")


class MancalaAEC(AECEnv):  # type: ignore[misc]
    """A game for two, one agent at a time; the documented form is `mancala_rl.kalah_v0.raw_env`.

    What PettingZoo's standard wrappers check is checked here where it costs nothing, so there is nothing to wrap: use
    before `reset`, an action outside the action space, and `agent_iter` without a step raise; illegal moves end the
    game. Copies, pickles and states taken at any time go on independently and in the same way.

    Args:
        rules: the variant, for two players.
        observation: see `mancala_rl.envs.observation`.
        reward: see `mancala_rl.envs.reward`.
        first: the seat that starts, or "random".
        illegal: "lose" ends the game on an illegal move, "raise" refuses the move and changes nothing.
        render_mode: "ansi" for text from `render`, or None.

    Raises:
        BadInputError: an argument with a value that is not allowed.
    """

    metadata: dict[str, Any] = {"name": "mancala_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012 (PettingZoo's form)

    infos: dict[str, dict[str, Any]]

    def __init__(
        self,
        rules: Rules,
        *,
        observation: str = "counts",
        reward: Literal["outcome", "margin"] = "outcome",
        first: int | Literal["random"] = 0,
        illegal: Literal["lose", "raise"] = "lose",
        render_mode: Literal["ansi"] | None = None,
    ) -> None:
        super().__init__()
        rewarding.check_kind(reward)
        check_seat("first", first, rules.players)
        choice("illegal", illegal, ("lose", "raise"))
        choice("render_mode", render_mode, (None, "ansi"))
        self.rules, self.observation_kind, self.reward_kind = rules, observation, reward
        self.first, self.illegal, self.render_mode = first, illegal, render_mode
        self._actions = rules.num_actions
        self.possible_agents = [f"player_{seat}" for seat in range(rules.players)]
        self._make_spaces()
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._orders = _cell_orders(rules) if observation == "counts" and not rules.pie else None
        self._game = Game(rules)
        self._no_mask = mask_row(0, self._actions)
        self._rng: np.random.Generator | None = None
        self._over = True  # nothing to play before reset

    def _make_spaces(self) -> None:
        self.action_spaces: dict[str, Space[Any]] = {agent: Discrete(self._actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: Dict(
                observation=observation_space(self.rules, self.observation_kind),
                action_mask=Box(low=0, high=1, shape=(self._actions,), dtype=np.int8),
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the space of the agent's observations, the same object every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the space of the agent's actions, the same object every time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game.

        Args:
            seed: seeds what is drawn by chance (a random first seat, a random deal) from now on.
            options: `position` (a `Position` or its text) or `first`; see `mancala_rl.envs.start.start_row`.

        Raises:
            BadInputError: an option that cannot be used.
        """
        if seed is not None or self._rng is None:
            self._rng, _ = seeding.np_random(seed)
        self._game.begin(start_row(self.rules, self.first, options or {}, self._rng))
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection = None
        self._set_ends(over=False)
        self._stepped = True
        self._publish()

    def step(self, action: Any) -> None:
        """Play the selected agent's action; None for an agent whose game is over.

        Raises:
            ActionError: an action outside the action space.
            IllegalMoveError: an illegal move, under `illegal="raise"` only.
            CallOrderError: before `reset`.
            ValueError: an action for an agent whose game is over.
        """
        self._stepped = True
        if self._over:
            self._step_after_end(action)
            return
        game = self._game
        try:
            move = index(action)
            legal = game.bits >> move & 1
        except (TypeError, ValueError):  # not a whole number, or below 0
            legal = 0
        if not legal:
            self._refuse(action)
            return
        game.play(move)
        self._publish()
        if not game.bits:
            self._end(rewarding.rewards(game.rows[:1], self.reward_kind, self.rules)[0].tolist())

    def _refuse(self, action: Any) -> None:
        """Raise, or let the agent that made an illegal move lose (zero-sum)."""
        move = checked_action(action, self._actions)
        if self.illegal == "raise":
            self._game.position().play(move)  # raises, and says why
        self._end(rewarding.forfeit(self._seats[self.agent_selection], self.rules))
        self._withdraw()

    def _withdraw(self) -> None:
        """Show that an illegal move has ended the game: nothing is legal now."""
        self._mask = self._no_mask
        withdrawn = {"action_mask": self._no_mask, "illegal_move": True}
        self.infos = {agent: {**info, **withdrawn} for agent, info in self.infos.items()}

    def _end(self, values: list[float]) -> None:
        """End the game for every agent; `values` are the rewards by seat."""
        self.rewards = dict(zip(self.possible_agents, values, strict=True))
        self._cumulative_rewards = self.rewards.copy()  # all rewards come at the end
        self._set_ends(over=True)

    def _set_ends(self, over: bool) -> None:
        cut_off = over and self._game.end == CUT_OFF
        self._over = over
        self.terminations = dict.fromkeys(self.agents, over and not cut_off)
        self.truncations = dict.fromkeys(self.agents, cut_off)

    def _publish(self) -> None:
        """Tell whose turn it is and what the game is like now."""
        info, mover = self._game.info, self.possible_agents[self._game.mover]
        self.agent_selection, self._mask = mover, info["action_mask"]
        infos = {}
        for agent in self.agents:
            infos[agent] = info if agent == mover else {**info, "action_mask": self._no_mask}
        self.infos = infos

    def _step_after_end(self, action: Any) -> None:
        """Take an agent whose game is over out of the environment, the PettingZoo way."""
        self._require_reset("step")
        if self.agents:
            self._was_dead_step(action)
        else:
            EnvLogger.warn_step_after_terminated_truncated()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what an agent sees now, a fresh array int16[D] with a read-only action mask, int8[A].

        The mask is all zero unless the agent is to move. Observing changes nothing.

        Raises:
            CallOrderError: before `reset`.
            BadInputError: there is no such agent.
        """
        selected = self.agent_selection
        if agent not in self._seats:
            raise BadInputError(f"observe({agent!r}): expected one of {', '.join(self.possible_agents)}")
        seat = self._seats[agent]
        if self._orders:
            cells = self._game.row[self._orders[seat]]
        else:
            cells = observe(self._game.rows[:1], np.array([seat]), self.observation_kind, self.rules)[0]
        return {"observation": cells, "action_mask": self._mask if agent == selected else self._no_mask}

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """Yield the agent to act until none is left or `max_iter` have acted.

        Raises:
            CallOrderError: before `reset`, or without a step for the last agent yielded.
        """
        self._require_reset("agent_iter")
        return self._turns(max_iter)

    def _turns(self, max_iter: int) -> Iterator[str]:
        for _ in range(max_iter):
            if not self.agents:
                return
            if not self._stepped:
                raise CallOrderError("agent_iter(): call step() or reset() before asking for the next agent")
            self._stepped = False
            yield self.agent_selection

    @property
    def position(self) -> Position:
        """The game as it stands.

        Raises:
            CallOrderError: before `reset`.
        """
        self._require_reset("position")
        return self._game.position()

    def render(self) -> str | None:
        """Return the board as text under `render_mode="ansi"`, player_0 at the bottom.

        Raises:
            CallOrderError: before `reset`.
        """
        self._require_reset("render")
        if self.render_mode is None:
            gymnasium.logger.warn('render() draws nothing without a render mode: make it with render_mode="ansi"')
            return None
        return board_text(self.position, self.possible_agents, forfeited=self._forfeited)

    def close(self) -> None:
        """Release nothing: there is nothing to release."""

    def get_state(self) -> dict[str, Any]:
        """Return the game, the agents and the random state as a value that JSON can hold.

        Raises:
            CallOrderError: before `reset`.
        """
        self._require_reset("get_state")
        return {
            "game": self._game.get_state(),
            "agents": self.agents.copy(),
            "agent_selection": self.agent_selection,
            "rewards": self.rewards.copy(),
            "cumulative_rewards": self._cumulative_rewards.copy(),
            "illegal_move": self._forfeited,
            "rng": self._random().bit_generator.state,
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go on from a value that `get_state` returned, here or in another environment under the same rules.

        Raises:
            BadInputError: it is no such value, or is of other rules; nothing has changed then.
        """
        self._game = self._checked_game(state)
        self.agents = list(state["agents"])
        self.rewards = dict(state["rewards"])
        self._cumulative_rewards = dict(state["cumulative_rewards"])
        self._random().bit_generator.state = state["rng"]
        self._skip_agent_selection = None
        self._stepped = True
        self._publish()
        self._set_ends(over=state["illegal_move"] or self._game.end != PLAYING)
        self.agent_selection = state["agent_selection"]
        if state["illegal_move"]:
            self._withdraw()

    def _checked_game(self, state: Mapping[str, Any]) -> Game:
        """Return the game of a state whose entries are all in order."""
        require(state, STATE_KEYS)
        game = Game(self.rules)
        game.set_state(state["game"])
        check_flag("illegal_move", state["illegal_move"])
        if not game.bits and state["illegal_move"]:
            refuse("illegal_move", True, "false in a game that is over by the rules")
        self._check_agents(state, game)
        for key in ("rewards", "cumulative_rewards"):
            check_values(key, state[key], state["agents"])
        check_random(self._random(), state["rng"])
        return game

    def _check_agents(self, state: Mapping[str, Any], game: Game) -> None:
        """Refuse agents, or a selected one, that the game of the state cannot have."""
        agents, selected, everybody = state["agents"], state["agent_selection"], self.possible_agents
        over = not game.bits or state["illegal_move"]
        if not isinstance(agents, list) or agents != [agent for agent in everybody if agent in agents]:
            refuse("agents", agents, f"a list of some of {', '.join(everybody)}")
        if not over and agents != everybody:
            refuse("agents", agents, f"all of {', '.join(everybody)} while the game goes on")
        able = (agents or everybody) if over else [everybody[game.mover]]
        if selected not in able:
            refuse("agent_selection", selected, " or ".join(able))

    @property
    def _forfeited(self) -> bool:
        """Whether an illegal move has ended the game."""
        return self._over and self._game.end == PLAYING

    def _random(self) -> np.random.Generator:
        if self._rng is None:
            self._rng, _ = seeding.np_random()
        return self._rng

    def _require_reset(self, call: str) -> None:
        if not self._game.has_begun:
            raise CallOrderError(f"{call} before reset: call reset() first")

    if not TYPE_CHECKING:  # for a type checker a __getattr__ would make every name an attribute

        def __getattr__(self, name: str) -> NoReturn:
            if name in FROM_RESET:
                raise CallOrderError(f"{name} cannot be accessed before reset: call reset() first")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def _cell_orders(rules: Rules) -> list[NDArray[np.int64]]:
    """Return, for every seat, the cells of a row in the order that seat sees them: the fast way to its counts."""
    return [np.roll(np.arange(rules.num_cells), -seat * (rules.pits + 1)) for seat in range(rules.players)]
