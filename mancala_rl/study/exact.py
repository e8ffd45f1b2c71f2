"""Exact values of the moves of many positions under the same rules, all with few stones in the pits."""

import functools
import threading

from mancala_rl.errors import BadInputError
from mancala_rl.rules import Position, Rules
from mancala_rl.solver import Database, build_database
from mancala_rl.solver.engine import Engine, PackedEngine, RowEngine
from mancala_rl.solver.packing import fits, stones_in_pits
from mancala_rl.solver.ranking import positions_up_to
from mancala_rl.solver.values import Values

_PACKED_REACH = 24, 144  # stones in the pits, and times pits of a row; beyond, a position may take seconds
_ROW_REACH = 12, 60  # the same where the slower engine has to do it
_MOST_POSITIONS = 10_000_000  # of a database in memory, one byte each: 14 stones for rows of six pits
_MEMORY = 1 << 24  # bytes of the table


class Exact:
    """Finds what moves are worth when both sides play perfectly after them.

    What takes time, a database in memory, is made once; threads may share an object.

    Args:
        rules: for two players, without giving up, under which games end and what has been before does not count.

    Raises:
        BadInputError: other rules.
    """

    def __init__(self, rules: Rules) -> None:
        _check_rules(rules)
        self.rules = rules
        self._packs = fits(rules, stones_within_reach(rules, packed=True))
        self.stones = stones_within_reach(rules, packed=self._packs)
        self._local = threading.local()  # the arrays of a search are for one thread
        self._building = threading.Lock()

    @functools.cached_property
    def _database(self) -> Database:
        return build_database(self.rules, _stones_of_database(self.rules))

    @property
    def stones_at_once(self) -> int:
        """For how many stones in the pits the answer takes no search, or a short one."""
        return _stones_of_database(self.rules) if self._packs else self.stones

    def check(self, position: Position) -> None:
        """Raise a BadInputError if a position is over, of other rules or has too many stones in the pits."""
        if position.is_over:
            raise BadInputError(f"{position}: the game is over; expected a position with a player to move")
        if not self.rules.plays_like(position.rules):
            raise BadInputError(f"expected a position of {self.rules}, got one of {position.rules}")
        if stones_in_pits(position) > self.stones:
            raise BadInputError(
                f"{position}: {stones_in_pits(position)} stones in the pits; expected at most {self.stones}"
            )

    def values(self, position: Position) -> dict[int, int]:
        """Return the final margin of the player to move for every legal move, in the order of the moves."""
        return Values(self._engine(position)).of_moves(position)

    def _engine(self, position: Position) -> Engine:
        """Return the engine of this thread for a position and all others of its kind: with closed pits, or without."""
        packed = self._packs and not position.closed
        name = "packed" if packed else "rows"
        if not hasattr(self._local, name):
            setattr(self._local, name, self._packed() if packed else RowEngine(self.rules, _MEMORY))
        engine: Engine = getattr(self._local, name)
        return engine

    def _packed(self) -> PackedEngine:
        engine = PackedEngine(self.rules, self.stones, _MEMORY)
        with self._building:
            engine.use(self._database)
        return engine


def _check_rules(rules: Rules) -> None:
    if rules.players != 2:
        raise BadInputError(f"{rules}: {rules.players} players; expected rules for two players")
    if rules.repetition or not rules.is_finite:
        raise BadInputError(
            f"{rules}: games may go on for ever, or their past counts; expected rules with repetition=0 and, where no "
            "store is sown, with max_plies, a number of moves that ends every game"
        )
    if rules.resign:
        raise BadInputError(f"{rules}: who loses would give up at once; expected rules with resign=false")


@functools.lru_cache(maxsize=8)
def exact_for(rules: Rules) -> Exact:
    """Return the `Exact` of these rules; the last few are kept."""
    return Exact(rules)


def stones_within_reach(rules: Rules, *, packed: bool) -> int:
    """Return for how many stones in the pits a position is solved within a second or so, on packed boards or rows."""
    stones, work = _PACKED_REACH if packed else _ROW_REACH
    return max(min(stones, work // rules.pits), 1)


def _stones_of_database(rules: Rules) -> int:
    """Return for how many stones a database is small enough to be built within about a second."""
    stones, most = 0, min(stones_within_reach(rules, packed=True), rules.total)
    while stones < most and positions_up_to(rules.pits, stones + 1) <= _MOST_POSITIONS:
        stones += 1
    return stones
