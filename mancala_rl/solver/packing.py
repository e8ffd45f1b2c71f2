"""Which rules and positions the solver can take on the packed board, and the arrays that go with it."""

import numpy as np
from numpy.typing import NDArray

from mancala_rl.rules import Position, Rules
from mancala_rl.rules.packed import packed_rules, packs
from mancala_rl.solver.ranking import positions_up_to, ranking_table

MOST_VALUES = 256  # that a position can have: one byte in a database, and as much for each bound in the table
MOST_PITS = 14  # a move takes four bits in the table
NUMBER_BITS = 60  # of a position's number

# What can be solved on the packed board, in the fields of the record; all other mechanics must be off.
_OFF = {
    "players": 2,
    "sow_stores": "own",
    "relay": "off",
    "chain": "none",
    "tuzdik": False,
    "feed": False,
    "stop_when_decided": False,
    "repetition": 0,
    "max_plies": 0,
    "goal": "most",
}


def obstacle(rules: Rules) -> str | None:
    """Return the first field, with its value, that the packed board cannot play; None if it can play the rules."""
    for field, needed in _OFF.items():
        if getattr(rules, field) != needed:
            return f"{field}={getattr(rules, field)}"
    return None


def value_step(rules: Rules) -> int:
    """Return by how much two values of a position can differ at least: 2 where all stones are scored in the end."""
    return 1 if rules.leftovers == "unscored" else 2


def fits(rules: Rules, stones: int) -> bool:
    """Return whether positions with so many stones in the pits can be packed, numbered and kept in a table."""
    pits = rules.pits
    if obstacle(rules) is not None or pits > MOST_PITS or not packs(rules, stones):
        return False
    return 2 * stones // value_step(rules) < MOST_VALUES and positions_up_to(pits, stones) < 1 << NUMBER_BITS


def is_packed(position: Position) -> bool:
    """Return whether a position, and with it all that can follow, fits into the packed form."""
    return not position.closed and fits(position.rules, stones_in_pits(position))


def stones_in_pits(position: Position) -> int:
    """Return how many stones are in the pits of both rows."""
    return sum(map(sum, position.pits))


class Packing:
    """The arrays for packed positions of at most `stones` stones, which `fits` has to allow.

    Attributes:
        q: int64[...], the rules; see `mancala_rl.kernel.packed`.
        w: int64[...], the numbers of the positions; see `mancala_rl.solver.ranking`.
    """

    q: NDArray[np.int64]
    w: NDArray[np.int64]

    def __init__(self, rules: Rules, stones: int) -> None:
        self.stones = stones
        self.bits = max(1, stones.bit_length())
        self.q = packed_rules(rules, stones)
        self.w = ranking_table(rules.pits, stones)

    def rows_of(self, position: Position) -> tuple[int, int]:
        """Return the packed rows of the player to move and of the other."""
        seat = position.to_move or 0
        own, opp = (self._pack(position.pits[player]) for player in (seat, 1 - seat))
        return own, opp

    def _pack(self, row: tuple[int, ...]) -> int:
        return sum(stones << self.bits * pit for pit, stones in enumerate(row))
