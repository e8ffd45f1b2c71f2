"""Exact play by an endgame database and the solver, where it covers the rules; `database` is a file, `memory` in MiB.

Without a file a database of `stones` stones is built in memory first, 18 for six pits: ten seconds. It plays the lowest
of equally good moves, or with `random_ties` one by chance.
"""

from mancala_rl.errors import AgentError
from mancala_rl.rules import Rules
from mancala_rl.solver import Perfect
from mancala_rl.solver.memory import MEMORY


def make(
    rules: Rules,
    database: str | None = None,
    stones: int | None = None,
    memory: int | None = None,
    random_ties: bool = False,
) -> Perfect:
    if database is not None and stones is not None:
        raise AgentError("agent perfect: database and stones exclude each other; give one of them")
    if memory is not None and memory < 1:
        raise AgentError(f"agent perfect: memory={memory}: expected a number of MiB from 1")
    source, room = stones if database is None else database, MEMORY if memory is None else memory << 20
    return Perfect(rules, database=source, memory=room, random_ties=random_ties)
