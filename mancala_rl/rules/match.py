"""`Match`: a series of games, won by points and not by stones.

The player who wins a game gets one point, players who share its first place share the point: 1/2 each in a drawn game
for two (M14). Most points win the match. Each game starts from the full set-up (K1, J11) unless pits are closed
between sets (M15), and the start passes from seat to seat (K1, J11, M14). A match stops as soon as the leader can
neither be caught nor overtaken; `play_all` plays the games that are left all the same.
"""

import copy
import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.errors import BadInputError, RulesError
from mancala_rl.kernel import combine
from mancala_rl.rules.batch import SEEDS
from mancala_rl.rules.consistency import written
from mancala_rl.rules.position import Position
from mancala_rl.rules.record import Rules
from mancala_rl.rules.registry import variant
from mancala_rl.rules.scoring import places_of, worth_of

_OPTIONS = {"games": int, "first": int, "alternate": bool, "play_all": bool, "closing": bool, "seed": int}
_POINT = 12  # points are counted in twelfths, which 2, 3 and 4 players can share


@dataclasses.dataclass(frozen=True)
class FinishedGame:
    """How one game of a match went.

    Attributes:
        starter: the seat that started.
        scores: stones in the stores at the end, one number a seat.
        ranking: the place of each seat, 1 = best, ties share one.
        truncated: whether a limit cut the game off.
        moves: all actions in order; two finished games are equal however they were played.
    """

    starter: int
    scores: tuple[int, ...]
    ranking: tuple[int, ...]
    truncated: bool
    moves: tuple[int, ...] = dataclasses.field(repr=False, compare=False)


@dataclasses.dataclass(frozen=True, repr=False)
class Match:
    """A series of games under the same rules; immutable, `play` returns the next state.

    Args:
        rules: the variant, a record or a spec string.
        games: how many games (sets) at most, an odd number for two players; Mangala takes 1, 3 or 5 sets (M14). Three
            or four players may take any number, so that all can start equally often.
        first: the seat that starts the first game.
        alternate: whether the next seat starts the next game (K1, J11, M14), otherwise `first` always does.
        play_all: play every game, also when the match can no longer be turned (M14).
        closing: each player refills the pits from the own treasure between sets and closes what cannot be filled; a
            player who cannot fill one pit has lost the match, whatever the points (M15).
        seed: draws the boards, where the games start from random ones.

    Attributes:
        position: the running game; once the match is over, the last game as it ended.
        history: the finished games in order.

    Raises:
        RulesError: an option with a value that is not allowed, or that the rules cannot have.
    """

    rules: Rules
    games: int = 3
    _: dataclasses.KW_ONLY
    first: int = 0
    alternate: bool = True
    play_all: bool = False
    closing: bool = False
    seed: int = 0
    position: Position = dataclasses.field(init=False)
    history: tuple[FinishedGame, ...] = dataclasses.field(init=False)
    _moves: tuple[int, ...] = dataclasses.field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", variant(self.rules))
        for name, kind in _OPTIONS.items():
            value = getattr(self, name)
            _check_type(name, value, kind)
            object.__setattr__(self, name, kind(value))  # it may be one of NumPy's
        self._check_options()
        self._set(self.rules.start(self.first, self._seed_of(0)), (), ())

    def _check_options(self) -> None:
        players = self.rules.players
        _check_games(self.games, players)
        _check_range("first", self.first, players)
        _check_range("seed", self.seed, SEEDS)
        starters = {self._starter_of(game) for game in range(min(self.games, players))}
        for seat in sorted(starters.difference(self.rules.starters)):
            raise RulesError(
                f"first={self.first}, alternate={written(self.alternate)}: seat {seat} would start, but {self.rules} "
                "is over then before the first move"
            )
        if self.closing:
            check_closing(self.rules)

    def _set(self, position: Position, history: tuple[FinishedGame, ...], moves: tuple[int, ...]) -> None:
        for name, value in (("position", position), ("history", history), ("_moves", moves)):
            object.__setattr__(self, name, value)

    def _with(self, position: Position, history: tuple[FinishedGame, ...], moves: tuple[int, ...]) -> "Match":
        match = copy.copy(self)
        match._set(position, history, moves)
        return match

    def play(self, action: int) -> "Match":
        """Return the match after `action` of the seat to move; after the last move of a game, at the start of the next.

        Raises:
            IllegalMoveError: names the position and the legal moves.
        """
        return self.with_game(self.position.play(action), (*self._moves, int(action)))

    def with_game(self, position: Position, moves: Sequence[int]) -> "Match":
        """Return the match with its running game at `position`; if it is over there, at the start of the next.

        Args:
            position: where the running game got to, played elsewhere; believed, not replayed.
            moves: all its actions.

        Raises:
            RulesError: a position of other rules, or no game is running.
        """
        if self.is_over or position.rules != self.rules:
            raise RulesError(f"position {position} of {position.rules}: expected a running match of {self.rules}")
        if position.ranking is None:
            return self._with(position, self.history, tuple(moves))
        game = FinishedGame(self.starter, position.scores, position.ranking, position.truncated, tuple(moves))
        match = self._with(position, (*self.history, game), ())
        following = None if match._is_decided else match._next_start()
        return match._with(following, match.history, ()) if following else match

    @property
    def _is_decided(self) -> bool:
        """Whether the points end the match: no game is left, or too few for anybody to draw level (M14)."""
        left = self.games - len(self.history)
        *_, second, best = sorted(self._twelfths)
        return left == 0 or (not self.play_all and best - second > left * _POINT)

    def _next_start(self) -> Position | None:
        """Return the start of the next game, None if somebody cannot fill one pit (M15)."""
        game = len(self.history)
        if self.closing:
            return refilled(self.rules, self.history[-1].scores, self._starter_of(game))
        return self.rules.start(self._starter_of(game), self._seed_of(game))

    def _starter_of(self, game: int) -> int:
        return (self.first + game) % self.rules.players if self.alternate else self.first

    def _seed_of(self, game: int) -> int:
        return int(combine(self.seed, game)) if self.rules.start_position == "random" else 0

    @property
    def options(self) -> dict[str, Any]:
        """The arguments of the match but for `rules`, by name."""
        return {name: getattr(self, name) for name in _OPTIONS}

    @property
    def game_number(self) -> int:
        """The number of the running game, 1 for the first; once the match is over, of the last."""
        return len(self.history) + (not self.is_over)

    @property
    def starter(self) -> int:
        """The seat that started the running game."""
        return self._starter_of(self.game_number - 1)

    @property
    def moves(self) -> tuple[int, ...]:
        """All actions of the match in order, those of the running game last."""
        return (*(move for game in self.history for move in game.moves), *self._moves)

    @property
    def points(self) -> tuple[float, ...]:
        """One for each game won, shared among those who share its first place; one number a seat."""
        return tuple(twelfths / _POINT for twelfths in self._twelfths)

    @property
    def _twelfths(self) -> list[int]:
        sums = [0] * self.rules.players
        for game in self.history:
            for seat, place in enumerate(game.ranking):
                sums[seat] += _POINT // game.ranking.count(1) if place == 1 else 0
        return sums

    @property
    def to_move(self) -> int | None:
        """The seat to move, None when the match is over."""
        return self.position.to_move

    @property
    def legal_moves(self) -> tuple[int, ...]:
        """Legal actions in rising order; empty when the match is over."""
        return self.position.legal_moves

    @property
    def is_over(self) -> bool:
        """Whether the match has ended: after a game that ends it no other is set up."""
        return self.position.is_over

    @property
    def unable(self) -> int | None:
        """The seat that has lost the match because it could not fill one pit (M15), None if nobody has."""
        if not self.closing or not self.is_over or self._is_decided:
            return None
        return next(seat for seat, stones in enumerate(self.history[-1].scores) if stones < self.rules.stones)

    @property
    def ranking(self) -> tuple[int, ...] | None:
        """The place of each seat in the match, 1 = best, equal points share one; None while the match goes on."""
        return tuple(places_of(self._merits)[0].tolist()) if self.is_over else None

    @property
    def _merits(self) -> NDArray[np.int64]:
        """Numbers that order the seats once the match is over, int64[1, P], more is better."""
        unable = self.unable
        merits = self._twelfths if unable is None else [-(seat == unable) for seat in range(self.rules.players)]
        return np.array([merits], np.int64)

    @property
    def winner(self) -> int | None:
        """The seat that has won the match; None while it goes on and after a drawn one."""
        ranking = self.ranking or ()
        return ranking.index(1) if ranking.count(1) == 1 else None

    @property
    def returns(self) -> tuple[float, ...]:
        """The worth of the match to each seat by place, zero-sum as in J11; all 0 while it goes on."""
        return tuple(worth_of(self._merits)[0].tolist()) if self.is_over else (0.0,) * self.rules.players

    def to_dict(self) -> dict[str, Any]:
        """Return the match as a value that JSON can hold: rules, options and all moves; `from_dict` is the inverse."""
        return {"rules": self.rules.to_dict(), **self.options, "moves": list(self.moves)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Match":
        """Return the match that `to_dict` described; its moves are played again.

        Raises:
            BadInputError: an entry is missing or unknown, or cannot be what it is.
        """
        keys = ("rules", *_OPTIONS, "moves")
        if not isinstance(data, Mapping) or set(data) != set(keys):
            found = ", ".join(map(str, data)) if isinstance(data, Mapping) else type(data).__name__
            raise BadInputError(f"expected a match with the keys {', '.join(keys)}; got {found}")
        if not isinstance(data["rules"], Mapping) or not isinstance(data["moves"], list):
            raise BadInputError("expected a match with a record as rules and a list of moves, as to_dict() returns it")
        match = cls(Rules.from_dict(dict(data["rules"])), **{key: data[key] for key in _OPTIONS})
        for move in data["moves"]:
            match = match.play(move)
        return match

    def __str__(self) -> str:
        points = "-".join(f"{number:.3g}" for number in self.points)
        if not self.is_over:
            return f"game {self.game_number} of {self.games}, points {points}: {self.position}"
        end = "drawn" if self.winner is None else f"won by seat {self.winner}"
        return f"{end} after {len(self.history)} of {self.games} games, points {points}"

    def __repr__(self) -> str:
        return f"<Match {self.rules}: {self}>"


def refilled(rules: Rules, stores: Sequence[int], first: int) -> Position | None:
    """Return the start of a set that follows one with these stores at the end, None if a seat cannot fill one pit.

    Each player fills from the own treasure, n stones a pit, beginning next to the treasure. What is not needed stays
    there, pits that cannot be filled are closed: those at the left end, of the loser alone, since the other has at
    least half of all stones (M15).

    Args:
        rules: rules that pass `check_closing`.
        stores: one number a seat, `rules.total` together.
        first: the seat that starts.
    """
    filled = [min(rules.pits, store // rules.stones) for store in stores]
    if 0 in filled:
        return None
    pits = [[0] * (rules.pits - count) + [rules.stones] * count for count in filled]
    rest = [store - count * rules.stones for store, count in zip(stores, filled, strict=True)]
    closed = [(seat, pit) for seat, count in enumerate(filled) for pit in range(rules.pits - count)]
    return Position(rules, pits, rest, first, pie=1 - first if rules.pie else None, closed=closed)


def check_closing(rules: Rules) -> None:
    """Refuse rules that cannot close pits between sets (M15).

    Raises:
        RulesError: more than two players, another goal than most stones, another start than the uniform one, or a
            game that may end with stones in no store.
    """
    needs = {"players": 2, "goal": "most", "start_position": "uniform", "cycle_split": "own_side"}
    for field, value in needs.items():
        if getattr(rules, field) != value:
            raise RulesError(f"closing=true needs {field}={value}, got {field}={getattr(rules, field)}")
    if rules.leftovers == "unscored":
        raise RulesError("closing=true needs leftovers=owner or emptier, got leftovers=unscored: stones would be lost")
    if rules.stop_when_decided and not rules.sweep_when_decided:
        raise RulesError("closing=true needs stop_when_decided=false, got true: pits would still hold stones")


def _check_games(games: int, players: int) -> None:
    if games < 1:
        raise RulesError(f"games={games}: expected at least 1")
    if players == 2 and games % 2 == 0:
        raise RulesError(
            f"games={games}: a match for two takes an odd number of games (sets), such as {games - 1} or {games + 1}; "
            "Mangala is played over 1, 3 or 5"
        )


def _check_range(name: str, value: int, limit: int) -> None:
    if not 0 <= value < limit:
        raise RulesError(f"{name}={value}: expected a whole number from 0 to {limit - 1}")


def _check_type(name: str, value: Any, kind: type) -> None:
    """Refuse anything but a truth value, or a whole number, where the default is one."""
    truth = isinstance(value, bool | np.bool_)
    if kind is bool and not truth:
        raise RulesError(f"{name}={value!r}: expected true or false")
    if kind is int and (truth or not isinstance(value, int | np.integer)):
        raise RulesError(f"{name}={value!r}: expected a whole number, got {type(value).__name__}")
