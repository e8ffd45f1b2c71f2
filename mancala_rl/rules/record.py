"""The `Rules` record: a variant is a value of it, and the kernel plays any value."""

import dataclasses
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mancala_rl.errors import PositionError, RulesError
from mancala_rl.kernel import layout, settle, special
from mancala_rl.rules.consistency import canonical_chain, chain_numbers, check_together

if TYPE_CHECKING:
    from mancala_rl.rules.batch import Batch
    from mancala_rl.rules.position import Position

WORDS = {
    "sow_stores": layout.SOW_STORES_WORDS,
    "first_stone": layout.FIRST_STONE_WORDS,
    "relay": layout.RELAY_WORDS,
    "extra_turn": layout.EXTRA_TURN_WORDS,
    "capture": layout.CAPTURE_WORDS,
    "lander": layout.LANDER_WORDS,
    "chain_side": layout.CHAIN_SIDE_WORDS,
    "grand_slam": layout.GRAND_SLAM_WORDS,
    "end_check": layout.END_CHECK_WORDS,
    "leftovers": layout.LEFTOVERS_WORDS,
    "cycle_split": layout.CYCLE_SPLIT_WORDS,
    "goal": layout.GOAL_WORDS,
}
REPETITIONS = (0, 2, 3)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")  # it stands in spec strings
_BOUNDS = {
    "players": (2, 4),
    "pits": (1, layout.MAX_PITS),
    "stones": (1, layout.MAX_TOTAL),
    "relay_limit": (0, 10**6),
    "max_plies": (0, layout.MAX_PLIES_COUNTED),
}


@dataclasses.dataclass(frozen=True)
class Rules:
    """One variant of the family, complete and immutable.

    Make one with `mancala_rl.variant("kalah:stones=3")` and change it with `replace`; `mancala-rl rules NAME` says in
    words what the fields of a record come to.

    Attributes:
        name: of the variant.
        players, pits, stones: size of the board; stones in every pit at the start.
        sow_stores: which stores get stones in the mover's sowing: none, own, all.
        first_stone: falls into the next cell, or back into its origin (a single stone moves on).
        skip_origin: whether the pit sown from gets no stone of that lap.
        relay: a last stone in an occupied pit takes that pit up (last), or the pit after it is taken up (next).
        relay_limit: laps after which a sowing stops; 0 for no limit.
        extra_turn: after a last stone in: none, own_store, any_store.
        capture: cross = a last stone in an own empty pit takes the pit opposite; none.
        empty_capture: whether it does so with nothing opposite too.
        lander: whether that last stone is taken as well or stays.
        even_capture: whether a last stone takes an opponent's pit that it makes even.
        chain: numbers of stones, as in 2,3, at which the pit of the last stone and those before it are taken; none.
        chain_side: whose pits a chain takes: the opponent's, or any.
        grand_slam: what becomes of a chain that would take all the opponent's stones.
        tuzdik: whether a third stone in an opponent's pit claims it for good.
        feed: whether an opponent without stones has to be given some.
        end_check: the game is over with any empty row (immediate), or when the player to move cannot (on_turn).
        leftovers: who gets the stones in the pits then: owner, emptier (of the empty row), unscored.
        stop_when_decided: whether more than half of all stones ends the game.
        sweep_when_decided: whether each side banks its own stones then.
        repetition: how often the same position since the last capture ends the game; 0 for never.
        cycle_split: who gets the stones then: own_side, even.
        max_plies: moves after which a game is cut off; 0 for no limit.
        pie: whether the second player may swap sides instead of the first move.
        goal: most stones in the store, or first to have the own side empty.
        play_out: whether the others play on after the first has finished.
        resign: whether giving up is an action.
        start_position: uniform, random, or rows of a position.

    Raises:
        RulesError: a value that its field cannot take, or fields that contradict each other; names field, value and
            what is allowed.
    """

    name: str
    players: int = 2
    pits: int = 6
    stones: int = 4
    sow_stores: str = "own"
    first_stone: str = "next"
    skip_origin: bool = False
    relay: str = "off"
    relay_limit: int = 0
    extra_turn: str = "own_store"
    capture: str = "cross"
    empty_capture: bool = False
    lander: str = "taken"
    even_capture: bool = False
    chain: str = "none"
    chain_side: str = "opponent"
    grand_slam: str = "allow"
    tuzdik: bool = False
    feed: bool = False
    end_check: str = "immediate"
    leftovers: str = "owner"
    stop_when_decided: bool = False
    sweep_when_decided: bool = False
    repetition: int = 0
    cycle_split: str = "own_side"
    max_plies: int = 0
    pie: bool = False
    goal: str = "most"
    play_out: bool = True
    resign: bool = False
    start_position: str = "uniform"

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.generic):  # a number of NumPy's
                value = value.item()
                object.__setattr__(self, field.name, value)
            check_field(field.name, value)
        object.__setattr__(self, "chain", canonical_chain(self.chain))
        check_together(self)
        object.__setattr__(self, "start_position", self._canonical_start())

    def _canonical_start(self) -> str:
        if self.start_position in ("uniform", "random"):
            return self.start_position
        from mancala_rl.rules.notation import format_board, parse_board

        try:
            board = parse_board(self.start_position, self)
        except (PositionError, RulesError) as error:
            raise RulesError(f"start_position: {error}; or use uniform or random") from None
        rows = board.reshape(self.players, -1)[:, :-1]
        if self.goal == "empty" and not rows.any(axis=1).all():
            raise RulesError(f"start_position {self.start_position!r}: a side is empty; every player needs stones (J6)")
        if self._is_over(board, 0):  # K1: player 0 starts
            raise RulesError(f"start_position {self.start_position!r}: the game would be over before the first move")
        return format_board(board, self)

    def _is_over(self, board: NDArray[np.int16], seat: int) -> bool:
        row = np.zeros((1, self.row_length), np.int16)
        row[0, : self.num_cells] = board
        return bool(settle(row, 0, seat, self.array))

    @cached_property
    def starters(self) -> tuple[int, ...]:
        """The seats that can start: all of them, unless the starting board is over when one of them is to move."""
        if self.start_position in ("uniform", "random"):  # stones on every side, no stores, no past: nothing is over
            return tuple(range(self.players))
        return tuple(seat for seat in range(self.players) if not self._is_over(self.start_cells, seat))

    @property
    def total(self) -> int:
        """All stones of a game."""
        return self.players * self.pits * self.stones

    @property
    def num_cells(self) -> int:
        """Pits and stores of all players."""
        return self.players * (self.pits + 1)

    @property
    def num_actions(self) -> int:
        """Size of the action space: one action a pit, and one more to swap (pie) or to give up (resign)."""
        return self.pits + (self.pie or self.resign)

    @property
    def row_length(self) -> int:
        """Length of a game's row; see `mancala_rl.kernel.layout`."""
        return self._scratch_at + self.num_cells * self._takes_trials

    @property
    def _takes_trials(self) -> bool:
        """Whether a legal move takes a trial to find."""
        return self.feed or self.grand_slam == "illegal"

    @property
    def _scratch_at(self) -> int:
        history = layout.WINDOW * layout.KEY_PARTS if self.repetition else 0
        return self._tuzdiks_at + self.players * self.tuzdik + history

    @property
    def _tuzdiks_at(self) -> int:
        return self.num_cells + layout.TAIL + self.players

    @property
    def is_finite(self) -> bool:
        """Whether every game ends: stones that reach a store never leave it, or something else puts an end to it."""
        return self.sow_stores != "none" or self.repetition > 0 or self.max_plies > 0

    @property
    def is_memoryless(self) -> bool:
        """Whether cells, mover and the right to swap are all that the future of a game depends on."""
        return not (self.repetition or self.max_plies or self.tuzdik)

    @cached_property
    def array(self) -> NDArray[np.int64]:
        """What the kernel takes: header and sowing paths, int64. Read-only, and good for this process only.

        Where the rules need code that few games have, it holds addresses: the code is compiled or loaded first.
        """
        r = np.zeros(layout.HEADER, np.int64)
        r[layout.PLAYERS], r[layout.PITS], r[layout.STONES] = self.players, self.pits, self.stones
        r[layout.TOTAL], r[layout.CELLS] = self.total, self.num_cells
        r[layout.FIRST_STONE] = layout.FIRST_STONE_WORDS.index(self.first_stone)
        r[layout.SKIP_ORIGIN] = self.skip_origin
        r[layout.EXTRA_TURN] = layout.EXTRA_TURN_WORDS.index(self.extra_turn)
        r[layout.CAPTURE] = layout.CAPTURE_WORDS.index(self.capture)
        r[layout.EMPTY_CAPTURE], r[layout.EVEN_CAPTURE] = self.empty_capture, self.even_capture
        r[layout.END_CHECK] = layout.END_CHECK_WORDS.index(self.end_check)
        r[layout.LEFTOVERS] = layout.LEFTOVERS_WORDS.index(self.leftovers)
        r[layout.STOP_WHEN_DECIDED], r[layout.PIE_RULE] = self.stop_when_decided, self.pie
        r[layout.START] = self.start_position == "random"
        r[layout.RELAY], r[layout.RELAY_LIMIT] = layout.RELAY_WORDS.index(self.relay), self.relay_limit
        r[layout.LANDER_STAYS] = self.lander == "stays"
        r[layout.CHAIN] = sum(1 << number for number in chain_numbers(self.chain))
        r[layout.CHAIN_ANY_SIDE] = self.chain_side == "any"
        r[layout.GRAND_SLAM] = layout.GRAND_SLAM_WORDS.index(self.grand_slam)
        r[layout.TUZDIK], r[layout.FEED] = self.tuzdik, self.feed
        r[layout.SWEEP_WHEN_DECIDED] = self.sweep_when_decided
        r[layout.REPETITION], r[layout.EVEN_SPLIT] = self.repetition, self.cycle_split == "even"
        r[layout.MAX_PLIES] = self.max_plies
        r[layout.GOAL_EMPTY], r[layout.PLAY_OUT], r[layout.RESIGN] = self.goal == "empty", self.play_out, self.resign
        r[layout.TUZDIKS] = self._tuzdiks_at
        r[layout.HISTORY] = self._tuzdiks_at + self.players * self.tuzdik
        r[layout.SCRATCH] = self._scratch_at
        r[layout.SPECIAL] = self.players > 2 or r[list(layout.SPECIAL_MECHANICS)].any()
        r[layout.WEIGHTS] = layout.HEADER + self.players * self.num_cells
        if r[layout.SPECIAL] or self.num_actions > self.pits:
            r[layout.PLAY_ADDRESS] = special.address(special.play_specially)
        if r[layout.START] == layout.RANDOM_START or self.repetition:
            r[layout.DEAL_ADDRESS] = special.address(special.finish_deal)
        if self._takes_trials:
            r[layout.PITS_ADDRESS] = special.address(special.allowed_pits)
        paths = [self._sowing_path(player) for player in range(self.players)]
        r[layout.ROUND], distances, routes = self._routes(paths)
        r[layout.APART] = 0 if self.relay == "off" else self.num_cells
        r[layout.WORDS] = distances.shape[-1]
        r[layout.DISTANCES] = r[layout.WEIGHTS] + self.num_cells
        r[layout.ROUTES] = r[layout.DISTANCES] + distances.size
        return np.concatenate([r, *paths, self._key_weights(), distances.reshape(-1), routes.reshape(-1)])

    def _routes(self, paths: list[NDArray[np.int64]]) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
        """Return how many cells a path has, and the tables of distances, int64[N, words], and routes, int64[N, cells].

        Stones that go round more than once leave out the origin where the rules skip it: it is the last one.
        """
        cells, width, relays = self.num_cells, self.pits + 1, self.relay != "off"
        tables = self.players if relays else 1
        words = -(-cells // layout.CELLS_A_WORD)
        distances = np.full((tables, cells, words * layout.CELLS_A_WORD), layout.FAR, np.int16)
        routes = np.zeros((tables, cells, cells), np.int64)
        for player, path in enumerate(paths):
            cycle = [int(path[player * width])]
            while (cell := int(path[cycle[-1]])) != cycle[0]:
                cycle.append(cell)
            numbers = np.arange(len(cycle))
            table = player if relays else 0
            for origin in range(cells) if relays else range(player * width, (player + 1) * width):
                route = np.roll(cycle, -cycle.index(int(path[origin])))
                routes[table, origin, numbers] = route
                distances[table, origin, route] = numbers + 1
        return len(cycle), distances.view(np.int64).reshape(-1, words), routes.reshape(-1, cells)

    def _key_weights(self) -> NDArray[np.int64]:
        """Return fixed odd numbers, int64[num_cells]; two positions share a key about once in 2**59."""
        bits = layout.KEY_PARTS * layout.PART_BITS
        return np.random.Generator(np.random.PCG64(0)).integers(0, 1 << bits, self.num_cells, np.int64) | 1

    def _sowing_path(self, player: int) -> NDArray[np.int64]:
        """Return next[cell] for stones sown by `player`: foreign stores are passed by unless all are sown."""
        cells, width = self.num_cells, self.pits + 1
        sown = np.array([self._is_sown(player, cell // width, cell % width) for cell in range(cells)])
        path = np.empty(cells, np.int64)
        for cell in range(cells):
            following = (cell + 1 + np.arange(cells)) % cells
            path[cell] = following[np.argmax(sown[following])]
        return path

    def _is_sown(self, player: int, owner: int, index: int) -> bool:
        is_store = index == self.pits
        return not is_store or self.sow_stores == "all" or (self.sow_stores == "own" and owner == player)

    @cached_property
    def start_cells(self) -> NDArray[np.int16]:
        """The cells of the starting board, int16[num_cells]; treat it as read-only."""
        if self.start_position in ("uniform", "random"):
            return np.tile(np.array([self.stones] * self.pits + [0], np.int16), self.players)
        from mancala_rl.rules.notation import parse_board

        return parse_board(self.start_position, self)

    @cached_property
    def hash(self) -> str:
        """Twelve hex digits that are equal exactly for rules alike in all but name; runs and agents carry it.

        Fields that hold their default are left out, so that a mechanic added to the record changes no hash.
        """
        return self._digest("name")

    @cached_property
    def play_hash(self) -> str:
        """Twelve hex digits that are equal exactly for rules that play alike, wherever their games start."""
        return self._digest("name", "start_position")

    def _digest(self, *left_out: str) -> str:
        defaults = {field.name: field.default for field in dataclasses.fields(self)}
        changed = {key: value for key, value in self.to_dict().items() if value != defaults[key]}
        mechanics = {key: value for key, value in changed.items() if key not in left_out}
        return hashlib.sha256(json.dumps(mechanics, sort_keys=True).encode()).hexdigest()[:12]

    def plays_like(self, other: "Rules") -> bool:
        """Return whether positions and agents of one are good for the other: only name and start may differ."""
        return self is other or self.play_hash == other.play_hash

    def to_dict(self) -> dict[str, Any]:
        """Return every field; `Rules.from_dict` is the inverse."""
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        """Return the rules that `to_dict` described.

        Raises:
            RulesError: a field the record does not have, no name, or a value the field cannot take.
        """
        known = [field.name for field in dataclasses.fields(cls)]
        if not isinstance(data, Mapping):
            raise RulesError(f"expected a rules record as to_dict() returns it, got {type(data).__name__}")
        for key in data:
            if key not in known:
                raise RulesError(f"unknown field {key!r} of a rules record; expected some of {', '.join(known)}")
        if "name" not in data:
            raise RulesError("a rules record needs the field 'name'")
        return cls(**data)

    def to_json(self) -> str:
        """Return every field as a JSON object; `Rules.from_json` is the inverse."""
        return json.dumps(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the rules that `to_json` described.

        Raises:
            RulesError: no JSON object, or one that `from_dict` refuses.
        """
        try:
            data = json.loads(text)
        except (TypeError, ValueError, RecursionError) as error:
            raise RulesError(f"rules as JSON: cannot read {str(text)[:40]!r}: {error}") from None
        if not isinstance(data, dict):
            raise RulesError(f"rules as JSON: expected an object with the fields of a record, got {text[:40]!r}")
        return cls.from_dict(data)

    @staticmethod
    def sample(rng: np.random.Generator, **fields: Any) -> "Rules":
        """Return rules drawn at random from the rule space; see `mancala_rl.rules.sample`.

        Raises:
            RulesError: no record has the fields asked for.
        """
        from mancala_rl.rules.sample import sample

        return sample(rng, **fields)

    def replace(self, **options: Any) -> "Rules":
        """Return these rules with some options changed, for example `rules.replace(stones=3)`.

        Raises:
            RulesError: an option the variant does not have, or a value it cannot take. A record that is named after no
                variant has every field for an option.
        """
        from mancala_rl.rules.registry import with_options

        return with_options(self, options)

    def start(self, first: int = 0, seed: int = 0) -> "Position":
        """Return the starting position, seat `first` to move; `seed` draws it if it is a random composition.

        Raises:
            BadInputError: a seat that cannot start, or a seed outside [0, 2**32).
        """
        from mancala_rl.rules.batch import Batch

        return Batch.start(self, 1, first=first, seeds=seed)[0]

    def batch(self, games: int, first: ArrayLike = 0, seeds: ArrayLike = 0) -> "Batch":
        """Return `games` games at the start; `first` and `seeds` are one number or one a game.

        Raises:
            BadInputError: no number of games, a seat that cannot start, or a seed outside [0, 2**32).
        """
        from mancala_rl.rules.batch import Batch

        return Batch.start(self, games, first=first, seeds=seeds)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is worked out from the fields: the array is good for this process only."""
        return self.to_dict()

    def __str__(self) -> str:
        from mancala_rl.rules.registry import spec_of

        return spec_of(self)


_KINDS: dict[str, Any] = {field.name: field.type for field in dataclasses.fields(Rules)}
_KIND_NAMES = {int: "a whole number", bool: "true or false", str: "a word"}


def check_field(name: str, value: object) -> None:
    """Check the value of one field by its declared type, its words and its bounds.

    Raises:
        RulesError: names the field, the value and what is allowed.
    """
    kind = _KINDS[name]
    # bool is an int to Python, but pits=True is a mistake
    right_type = isinstance(value, kind) and (kind is not int or not isinstance(value, bool))
    if name in WORDS:
        if value not in WORDS[name]:
            raise RulesError(f"{name}={value!r}: expected one of {', '.join(WORDS[name])}")
    elif not right_type:
        raise RulesError(f"{name}={value!r}: expected {_KIND_NAMES[kind]}, got {type(value).__name__}")
    if name == "name" and not _NAME.fullmatch(str(value)):
        raise RulesError(f"name={value!r}: expected a letter, then letters, digits, _, - or ., 64 at most")
    if name == "repetition" and value not in REPETITIONS:
        raise RulesError(f"repetition={value}: expected 0 (off), 2 or 3")
    if name in _BOUNDS:
        low, high = _BOUNDS[name]
        if not low <= value <= high:  # type: ignore[operator]
            raise RulesError(f"{name}={value}: expected a number from {low} to {high}")
