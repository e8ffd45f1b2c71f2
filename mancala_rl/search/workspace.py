"""What can be asked of a search of fixed depth, and the choice between packed boards and rows."""

import numpy as np
from numpy.typing import NDArray

from mancala_rl.errors import BadInputError
from mancala_rl.kernel import kernel, pick_bit
from mancala_rl.rules import Position, Rules
from mancala_rl.rules.numbers import is_whole
from mancala_rl.search.frame import INFINITY
from mancala_rl.search.packed_search import PackedSearch, is_packable, packed_places
from mancala_rl.search.row_search import RowSearch, row_places

MAX_DEPTH = 1000  # an entry of the table keeps the depth in ten bits
TABLE_MIB = 96.0  # the most memory a table takes unless more or less is asked for
ENTRY_BYTES = 24


class Workspace:
    """Searches to at most `depth` plies, on packed boards where that can be done, else on rows. For one thread.

    The tables stay from one search to the next. That saves work and changes no result.

    Args:
        rules: the variant, for two players.
        depth: the most plies.
        table_mib: the most memory the tables may take, in MiB.

    Raises:
        BadInputError: a depth outside 1..1000, or rules for more than two players.
    """

    def __init__(self, rules: Rules, depth: int, table_mib: float = TABLE_MIB) -> None:
        check_search(rules, depth)
        self.rules, self.depth = rules, depth
        places = min(packed_places(depth), places_within(table_mib))
        self.packed = PackedSearch(rules, depth, places) if is_packable(rules) else None
        self.by_rows: RowSearch | None = None
        self._table_mib = table_mib

    def best_moves(
        self, games: NDArray[np.int16], depth: int, slack: int = 1
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], int]:
        """Return the best moves of every row of games as bit sets, the values of the last row, and the nodes.

        Args:
            games: int16[B, row_length], none of them over.
            depth: plies to look ahead, at most that of the workspace.
            slack: the values of moves up to so much worse than the best are exact.

        Returns:
            int64[B]; int64[A], for the player to move, without meaning where an action is illegal; moves searched.
        """
        best, nodes, values = np.zeros(len(games), np.int64), 0, np.zeros(0, np.int64)
        if self.packed is not None:
            best, nodes = self.packed.best_moves(games, depth, slack)
            values = self.packed.values
        left = np.flatnonzero(best == 0)
        if len(left):
            search = self.row_search()
            best[left], more = search.best_moves(games[left], depth, slack)
            nodes += more
            if left[-1] == len(games) - 1:
                values = search.values
        return best, values, nodes

    def choose(
        self, games: NDArray[np.int16], seeds: NDArray[np.int64] | None, depth: int
    ) -> tuple[NDArray[np.int64], int]:
        """Return a best move of every row of games, int64[B], and the number of moves searched.

        `seeds: int64[B]` decide between equally good moves; without them it is the lowest.
        """
        best, _, nodes = self.best_moves(games, depth)
        if seeds is None:
            best, seeds = best & -best, np.zeros_like(best)
        pick_moves(best, seeds)
        return best, nodes

    def values_of(self, position: Position, depth: int) -> tuple[tuple[int | None, ...], int]:
        """Return the value of every action for the player to move, None if illegal, and the moves searched."""
        _, values, nodes = self.best_moves(position.row[None], depth, 2 * INFINITY)
        legal = position.legal_moves
        return tuple(v if a in legal else None for a, v in enumerate(values.tolist())), nodes

    def line_from(self, position: Position, depth: int) -> tuple[tuple[int, ...], int]:
        """Return the principal variation, the lowest move among equals, and the number of moves searched to find it."""
        line: list[int] = []
        nodes = 0
        while len(line) < depth and not position.is_over:
            moves, more = self.choose(position.row[None], None, depth - len(line))
            nodes += more
            line.append(int(moves[0]))
            position = position.play(line[-1])
        return tuple(line), nodes

    def row_search(self) -> RowSearch:
        """Return the search on rows, which is made when it is first asked for."""
        if self.by_rows is None:
            taken = 0 if self.packed is None else self.packed.table.nbytes
            places = min(row_places(self.depth), places_within(self._table_mib - taken / (1 << 20)))
            self.by_rows = RowSearch(self.rules, self.depth, places)
        return self.by_rows


@kernel
def pick_moves(best, seeds):  # type: ignore[no-untyped-def]
    """Replace each bit set of `best: int64[B]` by the index of one of its bits, drawn with `seeds: int64[B]`."""
    for g in range(best.shape[0]):
        best[g] = pick_bit(best[g], seeds[g])


def places_within(table_mib: float) -> int:
    """Return the largest number of entries, a power of two, that so many MiB have room for; 1, no table, for few."""
    return 1 << max(int(table_mib * (1 << 20)) // ENTRY_BYTES, 1).bit_length() - 1


def check_search(rules: Rules, depth: int) -> None:
    """Raise a BadInputError if these rules cannot be searched, or not to this depth."""
    if rules.players != 2:
        raise BadInputError(f"minimax needs rules for two players, got {rules} with {rules.players}")
    check_depth(depth)


def check_depth(depth: object) -> None:
    """Raise a BadInputError if there is no search of this depth."""
    if not is_whole(depth) or not 1 <= depth <= MAX_DEPTH:
        raise BadInputError(f"depth={depth}: expected a whole number of plies from 1 to {MAX_DEPTH}")
