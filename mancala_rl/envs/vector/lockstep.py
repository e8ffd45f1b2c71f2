"""`LockstepEnv`: what the batched environments have in common, B games in lock-step under any rules."""

import functools
import inspect
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from mancala_rl.envs import reward as rewarding
from mancala_rl.envs.episode import STREAMS, check_first, opening_code
from mancala_rl.envs.observation import Kind
from mancala_rl.envs.options import check_mapping, check_plies, choice, rules_for
from mancala_rl.envs.rendering.screen import RenderMode, Screen
from mancala_rl.envs.state import check_random, refuse, require
from mancala_rl.envs.vector import games
from mancala_rl.envs.vector.asked import array_of, asked_games, given_rows, seeds_of, streams_of
from mancala_rl.envs.vector.padding import Padding
from mancala_rl.envs.vector.state import array_like, check_games
from mancala_rl.envs.vector.threads import Workers
from mancala_rl.envs.vector.view import View
from mancala_rl.errors import ActionError, BadInputError, CallOrderError
from mancala_rl.kernel import kernel, pick_bit
from mancala_rl.kernel.layout import CUT_OFF, MOVER
from mancala_rl.kernel.random import MASK32
from mancala_rl.rules import Position, Rules
from mancala_rl.rules.numbers import is_whole

Infos = dict[str, Any]
Indices = NDArray[np.int64]  # a name: a function within a step would make the type anew in every step, which takes 4 us
Observations = NDArray[np.int16]
_NONE = np.zeros(0, np.int64)
RENDER_MODES: list[Any] = ["ansi", "svg", "rgb_array"]
STATE_KEYS = ("rules", "rows", "games", "rng")


class LockstepEnv(VectorEnv[Observations, NDArray[np.int64], Any]):
    """B games in lock-step; `MancalaVectorEnv` and `SelfPlayVectorEnv` say whose decisions a step asks for.

    Args:
        rules: a record or a spec string, or a list of them; then every game has its own, see `records`.
        num_envs: the number of games, B.
        first: the seat that starts, or "random".
        opening_plies: (fewest, most) random legal moves made before the first decision.
        observation: see `mancala_rl.envs.observation`; for several records, see `mancala_rl.envs.vector.padding`.
        reward: see `mancala_rl.envs.reward`.
        autoreset_mode: what becomes of a game that is over: SAME_STEP starts the next one at once, NEXT_STEP in the
            next step, whose action is ignored, DISABLED leaves it to `reset(options={"reset_mask": ...})`.
        copy: whether every step returns arrays of its own, but for the masks of infos that name all games (`_ply` and
            its like), which all steps share and nobody can write. With False the arrays of the step before are
            overwritten; that saves little below some thousand games.
        threads: that share the games of a step; the results are the same for any number.
        records: with several rules, "cycle" gives game g record g modulo their number for good, "random" draws one for
            every episode.
        render_mode: what `render` returns for every game: "ansi" (text), "svg", "rgb_array".
        options: options of the variant that change all rules, such as `pits=5`.

    Raises:
        RulesError: unknown rules, or an option the variant does not have.
        BadInputError: another argument with a value that is not allowed.
    """

    _seat_entry: str  # the name under which infos tell the learner's seat or the seat to move

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        rules: Rules | str | Sequence[Rules | str] = "kalah",
        num_envs: int = 1,
        *,
        first: int | Literal["random"] = 0,
        opening_plies: tuple[int, int] = (0, 0),
        observation: Kind = "counts",
        reward: Literal["outcome", "margin"] = "outcome",
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        copy: bool = True,
        threads: int = 1,
        records: Literal["cycle", "random"] = "cycle",
        render_mode: RenderMode | None = None,
        **options: Any,
    ) -> None:
        given: list[Any] = list(rules) if isinstance(rules, list | tuple) else [rules]
        if not given:
            raise BadInputError(f"rules={rules!r}: expected at least one record or spec string")
        own = [name for name in inspect.signature(type(self)).parameters if name not in ("rules", "options")]
        self.records = tuple(rules_for(record, options, own) for record in given)
        for name, value in (("num_envs", num_envs), ("threads", threads)):
            if not is_whole(value) or value < 1:
                raise BadInputError(f"{name}={value!r}: expected a whole number, at least 1")
        check_plies("opening_plies", opening_plies)
        choice("copy", copy, (True, False))
        choice("records", records, ("cycle", "random"))
        choice("render_mode", render_mode, (None, *RENDER_MODES))
        for record in self.records:
            rewarding.check_kind(reward, record)
            check_first(first, record)
        self.num_envs, self.first, self.opening_plies = int(num_envs), first, opening_plies
        self.observation_kind, self.reward_kind, self.render_mode = observation, reward, render_mode
        self._render_mode = render_mode
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.copy, self.threads, self.record_choice = bool(copy), int(threads), records
        self._padding = Padding(self.records, observation)
        self._players = self._padding.players
        self.single_observation_space = self._padding.space
        self.single_action_space = Discrete(self._padding.num_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._make_games()

    def _make_games(self) -> None:
        """Make the arrays that the games live in."""
        count, records = self.num_envs, self.records
        self._rules_array = _stacked([rules.array for rules in records])
        self._starts = _stacked([rules.start_cells for rules in records])
        self._rows = np.zeros((count, max(rules.row_length for rules in records)), np.int16)
        self._games = np.zeros((count, games.COLUMNS), np.int64)
        self._games[:, games.RECORD] = np.arange(count) % len(records)
        self._games[:, games.SEAT] = games.NOBODY
        self._workers = Workers(count, self.threads)
        self._points = np.zeros((1, self._players), np.int64)
        self._all, self._over = np.arange(count), np.zeros(count, np.int64)
        self._everybody = np.ones(count, np.bool_)
        self._everybody.flags.writeable = False
        self._view = View(0, self._padding)  # of all games from the first reset on
        self._begun = False
        self._some_idle = True  # whether there may be games that wait for a new start
        self._halfway = False  # an error has left a step or a reset before its end

    @property
    def rules(self) -> Rules:
        """The rules, those of the first game if every game has its own."""
        return self.records[0]

    @functools.cached_property
    def _usual_plan(self) -> NDArray[np.int64]:
        """How episodes begin that follow another one; good for this process only."""
        return self._plan(self.first)

    def _plan(self, first: int | str, *, given: bool = False) -> NDArray[np.int64]:
        """Return how episodes begin, int64[PLAN]."""
        plan = np.zeros(games.PLAN, np.int64)
        plan[games.FIRST_SEAT] = -1 if first == "random" else first
        plan[games.LEARNER] = self._learner_seat()
        plan[games.FEWEST], plan[games.MOST] = self.opening_plies
        plan[games.REDRAW] = self.record_choice == "random" and not given
        plan[games.GIVEN] = given
        plan[games.OPENING] = opening_code(self.opening_plies[1])
        return plan

    def _learner_seat(self) -> int:
        return games.NOBODY

    # The vector interface

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Infos]:
        """Start new games.

        Args:
            seed: one number, game g then has seed + g, or one a game; None leaves a game to go on with its own chance.
            options: `reset_mask`, bool[B], resets these games only; `position` (a `Position`, its text, or one a game)
                and `first` (a seat or "random") as in the environment of one game.

        Returns:
            Observations int16[B, D] and infos of all games.

        Raises:
            BadInputError: a seed or an option that cannot be used.
            PositionError: a position that cannot be read, is of other rules, or is over.
        """
        options = {} if options is None else options
        check_mapping(options)
        asked, seeds = asked_games(options.get("reset_mask"), self.num_envs), seeds_of(seed, self.num_envs)
        if asked is None:
            asked = self._all
        elif len(asked) < self.num_envs:
            self._require_reset("reset with a reset_mask")
        first = options.get("first", self.first)
        for record in self.records:
            check_first(first, record)
        given = given_rows(options, self._column(games.RECORD), self.records, self._rows.shape[1])
        if seeds[0] is not None or self._np_random is None:
            self._np_random, self._np_random_seed = seeding.np_random(seeds[0])
        if not self._begun and None in seeds:
            self._restart(self._all, self.np_random.integers(STREAMS, size=self.num_envs))
        self._restart(*streams_of(seeds, asked))
        self._begun = True
        self._open_step()
        self._column(games.STATUS)[:] = 0
        self._renew(asked, self._plan(first, given=given is not None), given)
        return self._show(), self._infos()

    def _restart(self, chosen: NDArray[np.int64], streams: NDArray[np.int64]) -> None:
        self._games[chosen, games.STREAM] = streams
        self._games[chosen, games.EPISODE] = -1

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the legal actions, bool[B, A]; none in a game that is over.

        Raises:
            CallOrderError: before `reset`.
        """
        self._require_reset("action_masks")
        masks: NDArray[np.bool_] = self._column(games.LEGAL)[:, None] >> np.arange(self._padding.num_actions) & 1 > 0
        return masks

    def sample_actions(self) -> NDArray[np.int64]:
        """Return a random legal action of every game, int64[B], drawn with `np_random`; 0 in a game that is over.

        Raises:
            CallOrderError: before `reset`.
        """
        self._require_reset("sample_actions")
        actions = np.empty(self.num_envs, np.int64)
        _sample(self._column(games.LEGAL), self.np_random.bit_generator.random_raw() & MASK32, actions)
        return actions

    def position(self, game: int) -> Position:
        """Return one game as it stands.

        Raises:
            CallOrderError: before `reset`.
            BadInputError: there is no such game.
        """
        self._require_reset("position")
        if not is_whole(game) or not 0 <= game < self.num_envs:
            raise BadInputError(f"position({game!r}): expected a game from 0 to {self.num_envs - 1}")
        rules = self.records[self._games[game, games.RECORD]]
        return Position.from_row(rules, self._rows[game, : rules.row_length])

    def render(self) -> tuple[Any, ...] | None:
        """Return a picture of every game as `render_mode` says, text or uint8[H, W, 3].

        Raises:
            CallOrderError: before `reset`.
        """
        self._require_reset("render")
        return tuple(self._picture(g) for g in range(self.num_envs))

    def _picture(self, game: int) -> Any:
        position = self.position(game)
        names = self._names(game, position.rules.players)
        screen = Screen(self._render_mode, position.rules.name)
        bottom = max(int(self._games[game, games.SEAT]), 0)
        return screen.draw(position, names, bottom, forfeited=bool(self._games[game, games.FORFEITED]))

    def _names(self, game: int, players: int) -> list[str]:
        return [f"player_{seat}" for seat in range(players)]

    # One step, by phase

    def _checked(self, actions: ArrayLike) -> NDArray[np.int64]:
        """Return the actions of a step, int64[B].

        Raises:
            CallOrderError: before `reset`, or a game is over and nothing starts a new one.
            ActionError: not one whole number a game, or one outside the action space; nothing has been played then.
        """
        self._require_reset("step")
        given = array_of(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise ActionError(
                f"expected {self.num_envs} whole numbers, one action a game, got {given.dtype} of shape {given.shape}"
            )
        moves = np.ascontiguousarray(given, np.int64)
        limit = self._padding.num_actions
        if games.count_outside(moves, limit):
            bad = np.flatnonzero((moves < 0) | (moves >= limit))[0]
            raise ActionError(f"game {bad}: action {moves[bad]}: expected a whole number from 0 to {limit - 1}")
        if self.autoreset_mode == AutoresetMode.DISABLED and len(over := self._idle()):
            raise CallOrderError(
                f"games {_listed(over)} are over; without autoreset call "
                'reset(options={"reset_mask": terminations | truncations}) first'
            )
        return moves

    def _idle(self) -> NDArray[np.int64]:
        """Return the games that are over and wait for a new start, int64[N]."""
        if not self._some_idle:
            return _NONE
        idle = np.flatnonzero(self._column(games.IDLE))
        self._some_idle = len(idle) > 0
        return idle

    def _open_step(self) -> None:
        """Make room for what a step returns."""
        if self.copy or not len(self._view.obs):
            self._view = View(self.num_envs, self._padding)
            self._values = np.empty((self.num_envs, self._players))
        self._ended: NDArray[np.int64] = _NONE
        self._results: NDArray[np.int64] = _NONE
        self._last: View | None = None
        self._halfway = True

    def _act(self, moves: NDArray[np.int64]) -> None:
        """Play one action in every game that runs."""
        margins = self.reward_kind == "margin"
        common = self._padding.pits, self._rules_array

        def work(lo: int, hi: int) -> None:
            asked, points = self._all[lo:hi], np.empty_like(self._points)
            games.act_games(asked, self._rows, self._games, moves[lo:hi], 1, self._values, points, margins, *common)

        self._workers.run(work)

    def _renew(
        self, asked: NDArray[np.int64], plan: NDArray[np.int64] | None = None, given: Observations | None = None
    ) -> None:
        """Start the next episode of some games."""
        if not len(asked):
            return
        games.renew_games(
            asked,
            self._rows,
            self._games,
            self._usual_plan if plan is None else plan,
            self._rows if given is None else given,
            self._values,
            self._points,
            self.reward_kind == "margin",
            self._padding.pits,
            self._starts,
            self._rules_array,
        )

    def _step(self, moves: NDArray[np.int64]) -> NDArray[np.int64]:
        """Play one action in every game that runs, show those that go on, and return the others, int64[N]."""
        margins, plain, pits = self.reward_kind == "margin", self._padding.is_plain, self._padding.pits
        before = self._rows, self._games, moves, self._values
        after = self._over, *self._view.arrays, plain, pits, self._rules_array

        def work(lo: int, hi: int) -> Indices:
            count = games.step_range(lo, hi, *before, np.empty_like(self._points), margins, *after)
            return self._over[lo : lo + count]

        found = self._workers.run(work)
        return found[0].copy() if len(found) == 1 else np.concatenate(found)

    def _show(self) -> Observations:
        """Write what all games look like; return the observations."""
        self._workers.run(lambda lo, hi: self._show_games(self._all[lo:hi], self._view))
        return self._seen()

    def _show_games(self, asked: NDArray[np.int64], view: View) -> None:
        """Write what some games look like."""
        plain, pits = self._padding.is_plain, self._padding.pits
        games.show_games(asked, self._rows, self._games, *view.arrays, plain, pits, self._rules_array)

    def _seen(self) -> Observations:
        """Return the observations, all parts of the step being done."""
        if not self._padding.is_plain:
            rows, table, obs = self._rows, self._games, self._view.obs
            self._workers.run(lambda lo, hi: self._observe(rows[lo:hi], table[lo:hi], obs[lo:hi]))
        self._halfway = False
        return self._view.obs

    def _observe(self, rows: NDArray[np.int16], table: NDArray[np.int64], obs: Observations) -> None:
        """Write the observations of some games, whatever their kind."""
        for index in np.unique(table[:, games.RECORD]).tolist():
            rules, alike = self.records[index], np.flatnonzero(table[:, games.RECORD] == index)
            own = np.ascontiguousarray(rows[alike, : rules.row_length])
            obs[alike] = self._padding.observe(own, self._observers(own, table[alike], rules), index, rules)

    @staticmethod
    def _observers(rows: NDArray[np.int16], table: NDArray[np.int64], rules: Rules) -> NDArray[np.int64]:
        """Return who looks at each game, int64[N]: the learner, or the seat to move."""
        seats = table[:, games.SEAT]
        return np.where(seats >= 0, seats, rows[:, rules.num_cells + MOVER])

    def _end(self, over: NDArray[np.int64]) -> None:
        """Note that games have ended: how, and in SAME_STEP mode what they looked like before the next one starts."""
        self._ended, self._results = over, self._column(games.STATUS)[over]
        if self.autoreset_mode != AutoresetMode.SAME_STEP:
            self._games[over, games.IDLE] = 1
            self._some_idle = True
            return
        self._played = self._column(games.RECORD)[over]
        self._last = View(self.num_envs, self._padding, np.zeros)
        self._show_games(over, self._last)
        if not self._padding.is_plain:
            seen = np.empty((len(over), self._padding.size), np.int16)
            self._observe(self._rows[over], self._games[over], seen)
            self._last.obs[over] = seen

    def _returned(self, rewards: NDArray[np.float64]) -> tuple[Any, ...]:
        """Return what a step returns."""
        terminations, truncations = np.zeros(self.num_envs, np.bool_), np.zeros(self.num_envs, np.bool_)
        terminations[self._ended] = True
        cut_off = self._results == CUT_OFF
        if np.count_nonzero(cut_off):  # a sixth of what any() costs
            terminations[self._ended], truncations[self._ended] = ~cut_off, cut_off
        return self._seen(), rewards, terminations, truncations, self._infos()

    def _infos(self) -> Infos:
        """Return the infos of all games, and in SAME_STEP mode those of the games that ended."""
        infos = self._view.infos(self._everybody, self._seat_entry)
        if self._last is not None:
            infos |= self._last.final_infos(self._ended, self._seat_entry)
        if len(self.records) > 1:
            infos["record"], infos["_record"] = self._column(games.RECORD).copy(), self._everybody
            if self._last is not None:
                played = np.zeros(self.num_envs, np.int64)
                played[self._ended] = self._played
                infos["final_info"] |= {"record": played, "_record": infos["_final_info"]}
        return infos

    # State

    def get_state(self) -> dict[str, Any]:
        """Return everything that decides the future of the games but the opponents themselves, arrays copied.

        Raises:
            CallOrderError: before `reset`.
        """
        self._require_reset("get_state")
        return {
            "rules": [rules.hash for rules in self.records],
            "rows": self._rows.copy(),
            "games": self._games.copy(),
            "rng": self.np_random.bit_generator.state,
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go on from a value that `get_state` returned, here or in another environment of the same rules and size.

        Raises:
            BadInputError: it is no such value, or is of other rules or another number of games; nothing changes then.
            PositionError: its rows are none of games under these rules.
        """
        require(state, STATE_KEYS)
        own = [rules.hash for rules in self.records]
        if not isinstance(state["rules"], list) or state["rules"] != own:
            refuse("rules", state["rules"], f"{own}, the hashes of these rules")
        check_random(self.np_random, state["rng"])
        rows, table = array_like("rows", state["rows"], self._rows), array_like("games", state["games"], self._games)
        check_games(rows, table, self.records, self._padding.pits, self._learner_seat())
        self.np_random.bit_generator.state = state["rng"]
        self._rows[:], self._games[:] = rows, table
        self._begun, self._halfway, self._some_idle = True, False, True

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what a process can only make for itself."""
        own = ("_rules_array", "_view", "_last", "_usual_plan")
        return {key: value for key, value in self.__dict__.items() if key not in own}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._everybody.flags.writeable = False  # which copies of arrays are not
        self._rules_array, self._view = _stacked([rules.array for rules in self.records]), View(0, self._padding)

    def _column(self, column: int) -> NDArray[np.int64]:
        return self._games[:, column]

    def _require_reset(self, call: str) -> None:
        if not self._begun:
            raise CallOrderError(f"{call} before reset: call reset() first")
        if self._halfway:
            raise CallOrderError(f"{call} after an error inside step or reset: call reset() for all games first")

    def close_extras(self, **kwargs: Any) -> None:
        """Let the threads go."""
        if hasattr(self, "_workers"):  # Gymnasium closes what could not be made, too
            self._workers.close()


def _autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """Return the mode, given as itself, by its name or by its value.

    Raises:
        BadInputError: there is no such mode.
    """
    for known in AutoresetMode:
        if mode in (known, known.name, known.value):
            return known
    names = ", ".join(f"AutoresetMode.{known.name}" for known in AutoresetMode)
    raise BadInputError(f"autoreset_mode={mode!r}: expected one of {names}")


def _stacked(arrays: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return arrays of different lengths as the rows of one, with zeros at their ends."""
    stack = np.zeros((len(arrays), max(map(len, arrays))), arrays[0].dtype)
    for row, array in zip(stack, arrays, strict=True):
        row[: len(array)] = array
    return stack


def _listed(games: NDArray[np.int64]) -> str:
    """Return a few numbers as text."""
    return ", ".join(map(str, games[:5].tolist())) + (", ..." if len(games) > 5 else "")


@kernel
def _sample(legal, seed, actions):  # type: ignore[no-untyped-def]
    for g in range(len(legal)):
        actions[g] = max(pick_bit(legal[g], (seed + g) & MASK32), 0)
