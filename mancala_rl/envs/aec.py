"""`MancalaAEC`: any variant as a PettingZoo AEC environment, for two to four agents."""

import inspect
from collections.abc import Iterator, Mapping
from operator import index
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo.utils.env import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

from mancala_rl.envs import reward as rewarding
from mancala_rl.envs.game import Game, masks_for
from mancala_rl.envs.observation import extra_size, observation_space, observe
from mancala_rl.envs.options import check_seat, check_variant, checked_action, checked_seed, choice, rules_for
from mancala_rl.envs.rendering.screen import RENDERING, RenderMode, Screen
from mancala_rl.envs.start import start_row
from mancala_rl.envs.state import check_flag, check_random, check_values, refuse, require
from mancala_rl.errors import ActionError, BadInputError, CallOrderError
from mancala_rl.kernel.layout import CUT_OFF, PLAYING
from mancala_rl.rules import Position, Rules

STATE_KEYS = ("game", "agents", "agent_selection", "rewards", "cumulative_rewards", "illegal_move", "rng")


class FromReset:
    """An attribute that `reset` sets; until then it raises as it does in PettingZoo's wrapper.

    A `__getattr__` would do the same, but a class that has one gives up Python's quick way to all its attributes: a
    quarter of the time of a step.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, env: object, owner: type) -> "FromReset":
        if env is None:
            return self
        raise before_reset(self.name)


def before_reset(name: str) -> CallOrderError:
    """Return the error of an attribute that is not there yet."""
    return CallOrderError(f"{name} cannot be accessed before reset: call reset() first")


class MancalaAEC(AECEnv):  # type: ignore[misc]
    """A game, one agent at a time; the documented forms are `mancala_rl.kalah_v0.raw_env` and those beside it.

    Where players leave one after the other (Japanese Mancala for three or four) an agent that is out terminates with
    its reward, takes its dead step at once, and the others play on.

    What PettingZoo's standard wrappers check is checked here where it costs nothing, so there is nothing to wrap: use
    before `reset`, an action outside the action space, and `agent_iter` without a step raise; illegal moves end the
    game. Copies, pickles and states taken at any time go on independently and in the same way.

    Attributes:
        plays: the names of the variants it is for, that of the default first; all variants, and Kalah, if empty.
        most_players: it is for.

    Args:
        rules: a record or a spec string; the default variant if left out.
        options: options of the variant that change the rules, such as `pits=5`.
        observation: see `mancala_rl.envs.observation`.
        reward: see `mancala_rl.envs.reward`.
        first: the seat that starts, or "random".
        illegal: "lose" ends the game on an illegal move: its agent gets -1, the others still playing share what makes
            the rewards of the game add up to 0. "raise" refuses the move and changes nothing.
        render_mode: what `render` returns: "ansi" (text), "svg", "rgb_array"; "human"
            shows every position in a window; None draws nothing.

    Raises:
        RulesError: unknown rules or those of another variant, an unknown option, or a value it cannot take.
        BadInputError: another argument with a value that is not allowed.
    """

    plays: tuple[str, ...] = ()
    most_players = 4
    metadata: dict[str, Any] = {"name": "mancala_v0", **RENDERING, "is_parallelizable": False}  # noqa: RUF012 (PettingZoo's form)

    _skip_agent_selection: str | None

    if not TYPE_CHECKING:
        agents, agent_selection, rewards, terminations, truncations = (FromReset() for _ in range(5))

    def __init__(
        self,
        rules: Rules | str | None = None,
        *,
        observation: str = "counts",
        reward: Literal["outcome", "margin"] = "outcome",
        first: int | Literal["random"] = 0,
        illegal: Literal["lose", "raise"] = "lose",
        render_mode: RenderMode | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        rules = rules_for((*self.plays, "kalah")[0] if rules is None else rules, options, OWN_OPTIONS)
        check_variant(self.metadata["name"], rules, self.plays, self.most_players)
        rewarding.check_kind(reward, rules)
        check_seat("first", first, rules.players)
        choice("illegal", illegal, ("lose", "raise"))
        self._screen = Screen(render_mode, rules.name)
        self.rules, self.observation_kind, self.reward_kind = rules, observation, reward
        self.first, self.illegal, self.render_mode = first, illegal, render_mode
        self._actions = rules.num_actions
        self.possible_agents = [f"player_{seat}" for seat in range(rules.players)]
        self._make_spaces()
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._orders: dict[str, NDArray[np.int64]] = {}
        if observation == "counts" and not extra_size(rules):
            self._orders = dict(zip(self.possible_agents, _cell_orders(rules), strict=True))
        self._players_leave = rewarding.players_leave(rules)
        self._game = self._new_game()
        self._mask = self._no_mask = masks_for(self._actions)[0]
        self._infos: dict[str, dict[str, Any]] | None = None
        self._rng: np.random.Generator | None = None
        self._mover: str | None = None
        self._forfeited = False  # whether an illegal move has ended the game
        self._dead = True  # whether the selected agent takes None only; before reset there is nothing to play

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
        """Return the space of the agent's observations, the same object every time.

        Raises:
            BadInputError: there is no such agent.
        """
        self._check_agent("observation_space", agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the space of the agent's actions, the same object every time.

        Raises:
            BadInputError: there is no such agent.
        """
        self._check_agent("action_space", agent)
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game.

        Args:
            seed: seeds what is drawn by chance (a random first seat, a random deal) from now on.
            options: `position` (a `Position` or its text) or `first`; see `mancala_rl.envs.start.start_row`.

        Raises:
            BadInputError: a seed or an option that cannot be used.
        """
        seed = checked_seed(seed)
        if seed is not None or self._rng is None:
            self._rng, _ = seeding.np_random(seed)
        self._begin(options or {}, self._rng)
        self.agents = self._agents_in()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection = None
        self._forfeited = False
        self._set_ends()
        self._stepped = True
        self._publish()

    def _new_game(self) -> Game:
        return Game(self.rules)

    def _begin(self, options: Mapping[str, Any], rng: np.random.Generator) -> None:
        """Set up what `reset` asks for."""
        self._game.begin(start_row(self.rules, self.first, options, rng))

    def _worth(self) -> list[float]:
        """Return the reward of every seat as the game stands, 0 for a seat whose game goes on."""
        return self._game.worth(margins=self.reward_kind == "margin")

    def _agents_in(self) -> list[str]:
        """Return the agents that are not out of the game; in a position given to `reset` some may be."""
        if not self._players_leave:
            return self.possible_agents.copy()
        return [agent for agent, place in zip(self.possible_agents, self._game.places, strict=True) if not place]

    def step(self, action: Any) -> None:
        """Play the selected agent's action; None for an agent whose game is over.

        Raises:
            ActionError: an action outside the action space, or any but None for an agent whose game is over.
            IllegalMoveError: an illegal move, under `illegal="raise"` only.
            CallOrderError: before `reset`.
        """
        self._stepped = True
        if self._dead:
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
        if not game.bits or (self._players_leave and self._agents_in() != self.agents):
            self._settle(self._worth())

    def _refuse(self, action: Any) -> None:
        """Raise, or let the agent that made an illegal move lose (zero-sum)."""
        move = checked_action(action, self._actions)
        if self.illegal == "raise":
            self._game.position().play(move)  # raises, and says why
        self._forfeited = True
        paid = [worth if place else None for place, worth in zip(self._game.places, self._worth(), strict=True)]
        self._settle(rewarding.forfeit(self._seats[self.agent_selection], self.rules, paid))
        self._withdraw()

    def _withdraw(self) -> None:
        """Show that an illegal move has ended the game: nothing is legal now."""
        self._mask = self._no_mask
        withdrawn = {"action_mask": self._no_mask, "illegal_move": True}
        self.infos = {agent: {**info, **withdrawn} for agent, info in self.infos.items()}
        if self.render_mode == "human":
            self.render()

    def _settle(self, values: list[float]) -> None:
        """End the game for every agent, or for one that is out of it; `values` are the rewards by seat."""
        self.rewards = {agent: values[self._seats[agent]] for agent in self.agents}
        self._cumulative_rewards = self.rewards.copy()  # an agent gets all its reward at once
        self._set_ends()
        if self._game.bits and not self._forfeited:
            self._deads_step_first()

    def _set_ends(self) -> None:
        """Say for which agents the game is over."""
        cut_off = self._game.end == CUT_OFF
        over = self._forfeited or self._game.end != PLAYING
        self.terminations = dict.fromkeys(self.agents, over and not cut_off)
        self.truncations = dict.fromkeys(self.agents, cut_off)
        self._dead = over
        if self._players_leave:
            self._set_ends_of_those_out()

    def _set_ends_of_those_out(self) -> None:
        places = self._game.places
        for agent in self.agents:
            if places[self._seats[agent]]:
                self._dead = self.terminations[agent] = True
                self.truncations[agent] = False

    def _publish(self) -> None:
        """Tell whose turn it is and what the game is like now."""
        self._info, self._infos = self._game.info, None
        self._mask = self._info["action_mask"]
        self.agent_selection = self._mover = self.possible_agents[self._game.mover]
        if self.render_mode == "human":
            self.render()

    @property
    def infos(self) -> dict[str, dict[str, Any]]:
        """What each agent is told beside its observation.

        After a step they are made when they are first asked for: `last` needs no more than that of one agent.

        Raises:
            CallOrderError: before `reset`.
        """
        if self._infos is None:
            self._require_access("infos")
            self._infos = {agent: self._info if agent == self._mover else self._told() for agent in self.agents}
        return self._infos

    @infos.setter
    def infos(self, infos: dict[str, dict[str, Any]]) -> None:
        self._infos = infos

    @property
    def num_agents(self) -> int:
        """How many agents have not been taken out of the environment.

        Raises:
            CallOrderError: before `reset`.
        """
        self._require_access("num_agents")
        return len(self.agents)

    def _told(self) -> dict[str, Any]:
        """Return what an agent is told that is not to move."""
        return {**self._game.told(), "action_mask": self._no_mask}

    def last(self, observe: bool = True) -> tuple[dict[str, NDArray[Any]] | None, float, bool, bool, dict[str, Any]]:
        """Return what the selected agent sees, its reward since its last step, terminated, truncated and its info.

        Args:
            observe: whether to look at the board; without, None takes the place of the observation.

        Raises:
            CallOrderError: before `reset`.
        """
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self._info if self._infos is None and agent == self._mover else self.infos[agent],
        )

    def _step_after_end(self, action: Any) -> None:
        """Take an agent whose game is over out of the environment, the PettingZoo way."""
        self._require_reset("step")
        if self.agents:
            if action is not None:
                raise ActionError(f"action {action!r}: the game is over for {self.agent_selection}; expected None")
            self._was_dead_step(action)
            self._dead = self._forfeited or not self._game.bits  # else whose turn it is plays on
        else:
            EnvLogger.warn_step_after_terminated_truncated()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what an agent sees now, a fresh array int16[D] with a read-only action mask, int8[A].

        The mask is all zero unless the agent is to move. Observing changes nothing.

        Raises:
            CallOrderError: before `reset`.
            BadInputError: there is no such agent.
        """
        order, mover = self._orders.get(agent), self._mover
        if order is None or mover is None:
            seen = self._observed(agent)
        else:
            seen = self._game.row[order]
        return {"observation": seen, "action_mask": self._mask if agent == mover else self._no_mask}

    def _observed(self, agent: str) -> NDArray[np.int16]:
        """Return any kind of observation, or say why there is none."""
        self._require_reset("observe")
        self._check_agent("observe", agent)
        seats = np.array([self._seats[agent]])
        return observe(self._game.rows[:1], seats, self.observation_kind, self.rules).reshape(-1)

    def _check_agent(self, call: str, agent: object) -> None:
        if agent not in self._seats:
            raise BadInputError(f"{call}({agent!r}): expected one of {', '.join(self.possible_agents)}")

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
        self._require_access("position")
        return self._game.position()

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the board as `render_mode` says, text or uint8[H, W, 3], player_0 at the bottom; None for a window.

        Raises:
            CallOrderError: before `reset`.
        """
        self._require_reset("render")
        return self._screen.draw(self.position, self.possible_agents, forfeited=self._forfeited)

    def close(self) -> None:
        """Close the window of `render_mode="human"`; there is nothing else to release."""
        self._screen.close()

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
        self._forfeited = state["illegal_move"]
        self._set_ends()
        if state["agent_selection"] != self.agent_selection and self._game.bits and not self._forfeited:
            self._skip_agent_selection = self.agent_selection  # the mover waits for a dead step
        self.agent_selection = state["agent_selection"]
        if self._forfeited:
            self._withdraw()

    def _checked_game(self, state: Mapping[str, Any]) -> Game:
        """Return the game of a state whose entries are all in order."""
        require(state, STATE_KEYS)
        game = self._new_game()
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
        gone = [agent for agent, place in zip(everybody, game.places, strict=True) if place] if game.bits else []
        playing = [agent for agent in everybody if agent not in gone]
        dead = [agent for agent in agents if agent in gone]
        if not over and (len(dead) > 1 or [agent for agent in agents if agent not in dead] != playing):
            refuse("agents", agents, f"all of {', '.join(playing)} while the game goes on")
        able = (agents or everybody) if over else dead or [everybody[game.mover]]
        if selected not in able:
            refuse("agent_selection", selected, " or ".join(able))

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make masks read-only again, which copies of arrays are not."""
        self.__dict__.update(state)
        self._mask.flags.writeable = self._no_mask.flags.writeable = False

    def _random(self) -> np.random.Generator:
        if self._rng is None:
            self._rng, _ = seeding.np_random()
        return self._rng

    def _require_reset(self, call: str) -> None:
        if not self._game.has_begun:
            raise CallOrderError(f"{call} before reset: call reset() first")

    def _require_access(self, name: str) -> None:
        if self._mover is None:
            raise before_reset(name)


def _cell_orders(rules: Rules) -> list[NDArray[np.int64]]:
    """Return, for every seat, the cells of a row in the order that seat sees them: the fast way to its counts."""
    return [np.roll(np.arange(rules.num_cells), -seat * (rules.pits + 1)) for seat in range(rules.players)]


OWN_OPTIONS = [name for name in inspect.signature(MancalaAEC).parameters if name not in ("rules", "options")]
