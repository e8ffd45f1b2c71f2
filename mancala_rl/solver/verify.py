"""Whether the values of a database follow from each other."""

import itertools
from collections.abc import Callable

import numpy as np

from mancala_rl.errors import DatabaseError
from mancala_rl.solver.database import Database
from mancala_rl.solver.layers import value_at
from mancala_rl.solver.ranking import fill_rows, layer_size, row_count
from mancala_rl.solver.retrograde import reconsider
from mancala_rl.solver.scope import future_rules, is_swept

_AT_ONCE = 100_000  # positions drawn together; bounds the memory
Evaluation = Callable[[int, int], tuple[int, int]]  # of two rows: what the moves make it, what the database says


def check_values(database: Database, positions: int, seed: int, name: str = "the database") -> None:
    """Work out the values of so many random positions from those that their moves lead to.

    Raises:
        DatabaseError: one is not what the database holds; names the position.
    """
    packing, pits = database.packing, database.header.pits
    work_out = _by_packed_moves(database) if is_swept(database.rules) else _by_moves(database)
    counts = [row_count(pits, stones) for stones in range(database.stones + 1)]
    rows = np.zeros(sum(counts), np.int64)
    fill_rows(rows, database.stones, packing.q, packing.w)
    starts = np.cumsum([0, *counts])
    rng = np.random.default_rng(seed)
    sizes = np.array([layer_size(pits, stones) for stones in range(database.stones + 1)], float)
    drawn = (
        rng.choice(database.stones + 1, min(_AT_ONCE, positions - done), p=sizes / sizes.sum()).tolist()
        for done in range(0, positions, _AT_ONCE)
    )
    for stones in itertools.chain.from_iterable(drawn):
        own_stones = _share(rng, counts, stones)
        own = int(rows[starts[own_stones] + rng.integers(counts[own_stones])])
        opp = int(rows[starts[stones - own_stones] + rng.integers(counts[stones - own_stones])])
        expected, held = work_out(own, opp)
        if expected != held:
            board = "/".join(",".join(map(str, _pits(row, pits, packing.bits))) for row in (own, opp))
            raise DatabaseError(f"{name}: says {held} for {board}, its moves make it {expected}; build it again")


def _by_packed_moves(database: Database) -> Evaluation:
    arrays = database.values, database.header.step, database.packing.q, database.packing.w
    return lambda own, opp: value_at(own, opp, *arrays)


def _by_moves(database: Database) -> Evaluation:
    rules, pits = future_rules(database.rules), database.header.pits
    moves, outright, scratch = (
        np.empty((1, pits), np.int32),
        np.empty(1, np.int8),
        np.zeros((2, rules.row_length), np.int16),
    )
    arrays = database.values, moves, outright, scratch, database.packing.q, database.packing.w, rules.array
    return lambda own, opp: reconsider(own, opp, *arrays)


def _share(rng: np.random.Generator, counts: list[int], stones: int) -> int:
    """Draw how many stones the row of the player to move holds, every position being as likely."""
    ways = np.array([counts[own] * counts[stones - own] for own in range(stones + 1)], float)
    return int(rng.choice(stones + 1, p=ways / ways.sum()))


def _pits(row: int, pits: int, bits: int) -> list[int]:
    return [row >> pit * bits & (1 << bits) - 1 for pit in range(pits)]
