"""`MatchGame`: the running game of a match, played on in place like any `Game`; when one ends the next is set up."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.envs.game import Game
from mancala_rl.envs.state import require
from mancala_rl.errors import RulesError
from mancala_rl.kernel.layout import ENDED
from mancala_rl.rules import Match


class MatchGame(Game):
    """A match played on in place. It ends as a game does: with no legal action left.

    Args:
        match: the kind of match; `first` and `seed` are chosen anew by `begin_match`.

    Attributes:
        match: the match at the start of its running game, or as it ended.
        moves: the actions of the running game, of the last one once the match is over.
        info: as that of a game, with `game_number`, `points` and, after the last move of a game, `finished_game`.
    """

    __slots__ = ("_finished", "_standing", "_views", "match", "moves")

    def __init__(self, match: Match) -> None:
        self.match = match
        self.moves: list[int] = []
        self._finished: dict[str, Any] = {}
        self._look()
        super().__init__(match.rules)

    def begin_match(self, first: int = 0, seed: int = 0) -> None:
        """Start a new match of the same kind.

        Raises:
            RulesError: `first` is no seat that can start.
        """
        self.match = dataclasses.replace(self.match, first=first, seed=seed)
        self._finished = {}
        self._set_up()

    def play(self, action: int) -> None:
        """Play a legal action; the last one of a game also sets the next one up."""
        self._finished = {}
        super().play(action)
        self.moves.append(action)
        if not self.bits:
            self._close_game()

    def _close_game(self) -> None:
        """Count the game that has ended."""
        self.match = self.match.with_game(self.position(), self.moves)
        game = dataclasses.asdict(self.match.history[-1])
        del game["moves"]
        self._finished = {"finished_game": game}
        if self.match.is_over:
            self._look()
            self._tell()
        else:
            self._set_up()

    def _set_up(self) -> None:
        self.moves = []
        self._look()
        self.begin(self.match.position.row)

    def _look(self) -> None:
        """Draw up what is told of the standing of the match; it changes between games only."""
        match, players = self.match, self.match.rules.players
        left = 0 if match.is_over else match.games - len(match.history)
        self._standing = {"game_number": match.game_number, "points": match.points}
        self._views = []
        for seat in range(players):
            points = match.points[seat:] + match.points[:seat]
            view = np.array([*points, left, (match.starter - seat) % players], np.float32)
            self._views.append(view)

    def _tell(self) -> None:
        super()._tell()
        if self.end:
            self.end = ENDED  # a game may be cut off, the match is not

    def told(self) -> dict[str, Any]:
        """Return what `info` is when a move has been made, as a new dict."""
        return {**super().told(), **self._standing, **self._finished}

    def view(self, seat: int) -> NDArray[np.float32]:
        """Return what a seat sees of the standing, a fresh array float32[P + 2].

        Its points, those of the others in the order of turns, the games still to be played with the running one (0
        once the match is over), and how many turns after the seat the starter of the running game sits.
        """
        return self._views[seat].copy()

    def match_now(self) -> Match:
        """Return the match as it stands, its running game included."""
        return self.match if self.match.is_over else self.match.with_game(self.position(), self.moves)

    @property
    def places(self) -> list[int]:
        """0 for every seat: a player who is out of a game is passed over, and plays the next one."""
        return [0] * self.rules.players

    def get_state(self) -> dict[str, Any]:
        """Return the whole match as a value that JSON can hold."""
        return {"rules": str(self.rules), "match": self.match_now().to_dict()}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go on from a value that `get_state` returned; whatever else is refused, and changes nothing.

        Raises:
            BadInputError: it is no such value.
            RulesError: it belongs to a match under other rules or with other options.
        """
        require(state, ("rules", "match"))
        match = Match.from_dict(state["match"])
        same = {"first": match.first, "seed": match.seed}
        if match.rules.hash != self.rules.hash or {**self.match.options, **same} != match.options:
            raise RulesError(
                f"expected a state under the rules {self.rules}, options {self.match.options}; got one under "
                f"{state['rules']}, options {match.options}"
            )
        self.begin_match(match.first, match.seed)
        for move in match.moves:
            self.play(move)

    def __getstate__(self) -> tuple[Any, ...]:
        return self.match, self.moves, self._finished, self.rows, self.last_action

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        match, moves, finished, rows, last_action = state
        self.__init__(match)  # type: ignore[misc]
        self.moves, self._finished = list(moves), finished
        self.rows[:] = rows
        self.last_action = last_action
        self.refresh()
