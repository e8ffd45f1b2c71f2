"""The perfect player, by an endgame database and the exact solver."""

import dataclasses
import functools
import threading
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.agent import check_batch
from mancala_rl.errors import BadInputError
from mancala_rl.kernel import pick_bit
from mancala_rl.rules import Batch, Position, Rules
from mancala_rl.solver.database import THREADS, Database, check_build
from mancala_rl.solver.engine import Engine, RowEngine
from mancala_rl.solver.memory import MEMORY, checked_memory
from mancala_rl.solver.solution import check_position, make_engine
from mancala_rl.solver.values import Values


class Perfect:
    """Plays a best move in every position: the lowest one, or with `random_ties` any of them by chance.

    The database is built or opened when the first move is asked for. What the search has found out about positions
    stays for the moves that follow, in a table that never takes more than `memory`. Positions with closed pits, as
    rounds of a match have them, get a table of their own.

    In Kalah(6,4) the first move of a game takes about seven seconds with the file of a database of 20 stones and half a
    minute without one, the next few take a second or two, and the others next to nothing.

    Args:
        rules: any of two players under which games end and their past does not count.
        database: as for `solve`: one that is open, its file, or the number of stones for which to build one in memory.
            None builds as large a one as pays: 18 stones for six pits, ten seconds.
        memory: bytes that the database, unless it stays in its file, and the table of positions may take together.
        random_ties: whether chance decides between equally good moves.
        name: what the agent is called.

    Raises:
        BadInputError: rules that the solver does not cover, or too little memory.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        database: Database | Path | str | int | None = None,
        memory: int = MEMORY,
        random_ties: bool = False,
        name: str = "perfect",
    ) -> None:
        check_position(rules.start())
        check_database(rules, database)
        self.rules, self.name, self.random_ties = rules, name, random_ties
        self._database, self._memory = database, checked_memory(memory)
        self._engines: dict[bool, Engine] = {}
        self._lock = threading.Lock()

    def act(self, batch: Batch, seeds: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return a best move of every game, int64[B]; `seeds: int64[B]` decide between several if `random_ties`.

        Raises:
            AgentError: games of other rules.
            BadInputError: a database for other rules, or one that is damaged.
        """
        check_batch(self.name, self.rules, batch)
        moves = np.zeros(len(batch), np.int64)
        with self._lock:  # threads may share the agent, but not the arrays of its search
            for g, position in enumerate(batch):
                best = Values(self._engine(position)).best_moves(position, self.random_ties)
                moves[g] = pick_bit(sum(1 << move for move in best), int(seeds[g]))
        return moves

    def _engine(self, position: Position) -> Engine:
        """Return the engine for a position and all others of its kind: with closed pits, or without."""
        closed = bool(position.closed)
        if closed not in self._engines:
            self._engines[closed] = self._made(closed)
        return self._engines[closed]

    def _made(self, closed: bool) -> Engine:
        if closed:
            return RowEngine(self.rules, self._memory)
        fullest = dataclasses.replace(self.rules, start_position="uniform").start()
        return make_engine(fullest, self._database, self._memory, THREADS, None)

    def __reduce__(self) -> tuple[Any, ...]:
        options: dict[str, Any] = {"database": self._database, "memory": self._memory}
        make = functools.partial(Perfect, **options, random_ties=self.random_ties, name=self.name)
        return make, (self.rules,)


def check_database(rules: Rules, database: Database | Path | str | int | None) -> None:
    """Raise a BadInputError if there can be no such database for a player of these rules; no file is read."""
    if isinstance(database, Database):
        database.check_rules(rules)
    elif isinstance(database, Path | str):
        if not Path(database).is_file():
            raise BadInputError(f"{database}: no such file; mancala-rl database build makes one")
    elif database:
        check_build(rules, database)
