"""Both ways of alpha-beta, on rows and on packed boards, with tables of a size of the test's choice."""

from __future__ import annotations

from mancala_rl import Position, Rules
from mancala_rl.search.frame import INFINITY
from mancala_rl.search.packed_search import PackedSearch, is_packable
from mancala_rl.search.row_search import RowSearch

Search = RowSearch | PackedSearch


def searches(rules: Rules, depth: int, places: int) -> list[Search]:
    """Searches with a table of so many places, whatever the depth; a table of one place is none."""
    by_rows = RowSearch(rules, depth, places)
    return [by_rows, PackedSearch(rules, depth, places)] if is_packable(rules) else [by_rows]


def values_by(search: Search, position: Position, depth: int) -> tuple[int | None, ...] | None:
    """What `minimax(position, depth).values` has to be; None for a position that the search leaves to the other one."""
    best, _ = search.best_moves(position.row[None], depth, 2 * INFINITY)
    if not best[0]:
        return None
    values = tuple(v if a in position.legal_moves else None for a, v in enumerate(search.values.tolist()))
    most = max(v for v in values if v is not None)
    assert best[0] == sum(1 << action for action, value in enumerate(values) if value == most)
    return values
