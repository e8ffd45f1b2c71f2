"""Exact play by an endgame database and the solver, where it covers the rules; `database` is a file, `memory` in MiB.

Without a file a database of `stones` stones is built in memory first, 18 for six pits: ten seconds. It plays the lowest
of equally good moves, or with `random_ties` one by chance.
"""

from mancala_rl.errors import AgentError
from mancala_rl.rules import Rules
from mancala_rl.solver import Perfect


def make(
    rules: Rules,
    database: str | None = None,
    stones: int | None = None,
    memory: int = 384,
    random_ties: bool = False,
) -> Perfect:
    if database is not None and stones is not None:
        raise AgentError("agent perfect: database and stones exclude each other; give one of them")
    if memory < 1:
        raise AgentError(f"agent perfect: memory={memory}: expected a number of MiB from 1")
    return Perfect(
        rules, database=stones if database is None else database, memory=memory << 20, random_ties=random_ties
    )
