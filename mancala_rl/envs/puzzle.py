"""`PuzzleEnv`: positions that have to be won against perfect play, as a Gymnasium environment."""

import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.envs.episode import DRAW_PUZZLE, drawn
from mancala_rl.envs.observation import Kind
from mancala_rl.envs.options import check_mapping, rules_for
from mancala_rl.envs.rendering.screen import RenderMode
from mancala_rl.envs.single import STATE_KEYS, MancalaEnv, Observation
from mancala_rl.envs.start import position_row
from mancala_rl.envs.state import refuse, require
from mancala_rl.errors import BadInputError
from mancala_rl.kernel import margin
from mancala_rl.kernel.layout import PLAYING
from mancala_rl.rules import Position, Rules
from mancala_rl.rules.numbers import check_whole, is_whole
from mancala_rl.study.defence import Defence
from mancala_rl.study.exact import exact_for
from mancala_rl.study.puzzles import DIFFICULTY, MOST, SEEDS, numbered_puzzle, seed_of_day

NO_VALUE = -np.inf  # of an action that is not legal: below all others, also after arithmetic


class PuzzleEnv(MancalaEnv):
    """A puzzle an episode: late in a game one single move wins, and the defence is perfect.

    ## Description
    The learner has the seat that is to move. One of its moves wins, all others draw or lose, and winning takes several
    more such moves, as the defence always plays a best move, and of equals the one that asks for most. What is lost
    against it stays lost.

    ## Observation space and action space
    Those of `MancalaEnv`, and so are `observation` and `render_mode`.

    ## Reward
    At the end 1 for success, else 0; 0 before. Success is to win. In a position of the user's own that cannot be won it
    is to reach the best margin that perfect play allows.

    ## Episode end
    When the game ends, or with an illegal move, which is no success.

    ## Infos
    Those of `MancalaEnv`, and `is_success` (false until the end), `target` (the margin at the end that is success),
    `optimal_value` (the margin at the end if both sides play perfectly from here) and `optimal_values`, float32[A], the
    same after each action, -inf where it is illegal: `argmax` is a best move, and what an action costs is
    `optimal_value - optimal_values`, inf for an illegal one. At the end `optimal_value` is the final margin.

    ## Arguments
    - `rules`: a record or spec string, "kalah" by default, for two players, without giving up, under which games
      end and what has been before does not count; options of the variant, such as `pits=5`, change it.
    - `puzzles`: an episode draws one of so many, 256 by default, each made when it first comes up.
    - `puzzle_seed`: what these are, 0 by default: number k is the same in every process, so that another seed is a
      test set that no training has seen.
    - `difficulty`: the fewest moves that have to be found, 3 by default.

    `reset(seed=...)` seeds which puzzle comes. The options of `reset` are `date`, the first puzzle of a day, as in
    "2026-12-01", and `puzzle`, any position with few stones left and a player to move, or its text.

    ## Version history
    - v0: first version.

    Raises:
        RulesError: unknown rules, or an option the variant does not have.
        BadInputError: rules that have no puzzles, or another argument with a value that is not allowed.
    """

    def __init__(
        self,
        rules: Rules | str = "kalah",
        *,
        puzzles: int = 256,
        puzzle_seed: int = 0,
        difficulty: int = DIFFICULTY,
        observation: Kind = "counts",
        render_mode: RenderMode | None = None,
        **options: Any,
    ) -> None:
        record = rules_for(rules, options, OWN_OPTIONS)
        check_whole("puzzles", puzzles, 1, MOST)
        check_whole("puzzle_seed", puzzle_seed, 0, SEEDS - 1)
        check_whole("difficulty", difficulty, 1, MOST)
        self.puzzles, self.puzzle_seed, self.difficulty = puzzles, puzzle_seed, difficulty
        self.target = 1
        super().__init__(record, opponent=Defence(record), observation=observation, render_mode=render_mode)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Set the next puzzle.

        Args:
            seed: seeds which puzzles come from now on.
            options: `date` or `puzzle`.

        Raises:
            BadInputError: a seed or an option that cannot be used.
        """
        position = self._asked_for({} if options is None else options)
        return super().reset(seed=seed, options=None if position is None else {"position": position})

    def _asked_for(self, options: dict[str, Any]) -> Position | None:
        """Return the position that the options of `reset` name."""
        check_mapping(options)
        date, puzzle = options.get("date"), options.get("puzzle")
        if date is not None and puzzle is not None:
            raise BadInputError("options 'date' and 'puzzle' exclude each other; give one of them")
        if date is not None:
            return numbered_puzzle(self.rules, seed_of_day(date), 0, difficulty=self.difficulty).position
        if puzzle is None:
            return None
        position = Position.from_row(self.rules, position_row(self.rules, puzzle))
        exact_for(self.rules).check(position)
        return position

    def _begin(self, row: NDArray[np.int16] | None, first: int | str) -> None:
        """Start the next episode, from a row if there is one, else with a puzzle that chance draws."""
        if row is None:
            number = int(drawn(self.puzzles, self._stream, self._episode + 1, DRAW_PUZZLE))
            puzzle = numbered_puzzle(self.rules, self.puzzle_seed, number, difficulty=self.difficulty)
            row = puzzle.position.row
        start = Position.from_row(self.rules, row)
        self.seat = start.to_move or 0
        self.target = min(1, max(exact_for(self.rules).values(start).values()))
        super()._begin(row, first)

    def _margin(self) -> int:
        """Return by how much the learner is ahead."""
        ahead = int(margin(self._game.rows, 0, self.rules.array))
        return -ahead if self._seat else ahead

    def _is_success(self) -> bool:
        return self._game.end != PLAYING and self._margin() >= self.target

    def _reward(self) -> float:
        return float(self._is_success())

    def _info(self) -> dict[str, Any]:
        values = exact_for(self.rules).values(self._game.position()) if self._running else {}
        every = np.full(self.rules.num_actions, NO_VALUE, np.float32)
        every[list(values)] = list(values.values())
        best = max(values.values(), default=self._margin())
        told = {"is_success": self._is_success(), "target": self.target}
        return {**super()._info(), **told, "optimal_value": best, "optimal_values": every}

    def get_state(self) -> dict[str, Any]:
        """Return the puzzle as it stands and the random state as a value that JSON can hold.

        Raises:
            CallOrderError: before `reset`.
        """
        return {**super().get_state(), "target": self.target}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go on from a value that `get_state` returned, here or in another environment under the same rules.

        Raises:
            BadInputError: it is no such value, or is of other rules; nothing has changed then.
        """
        require(state, (*STATE_KEYS, "target"))
        if not is_whole(state["target"]):
            refuse("target", state["target"], "a whole number")
        super().set_state(state)
        self.seat, self.target = self._seat, int(state["target"])


OWN_OPTIONS = [name for name in inspect.signature(PuzzleEnv).parameters if name not in ("rules", "options")]
