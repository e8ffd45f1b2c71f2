"""The one-line notation of a position: "4,4,4,4,4,4+0/4,4,4,4,4,4+0 0".

Rows in seat order, each pits (farthest from the store first) + store, then the seat to move, "-" when the game is
over. "x" is a closed pit. Under the pie rule a third word "pie=1" names the seat that may still swap.
"""

import re
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from mancala_rl.errors import PositionError
from mancala_rl.kernel import layout

if TYPE_CHECKING:
    from mancala_rl.rules.record import Rules

FORM = "4,4,4,4,4,4+0/4,4,4,4,4,4+0 0"


def format_board(cells: NDArray[np.int16], rules: "Rules") -> str:
    """Return the rows of a position as text; `cells: int16[num_cells]`."""
    rows = cells.reshape(rules.players, rules.pits + 1)
    texts = (",".join("x" if n < 0 else str(n) for n in row[:-1].tolist()) + f"+{row[-1]}" for row in rows)
    return "/".join(texts)


def parse_board(text: str, rules: "Rules") -> NDArray[np.int16]:
    """Return the cells, int16[num_cells], of rows given as text; checks lengths and the total.

    Raises:
        PositionError: unreadable, a wrong number of rows or pits, a negative count or a wrong total.
    """
    rows = [_parse_row(row, text) for row in text.strip().split("/")]
    if any(-1 in pits for pits, _ in rows):
        raise PositionError(f"cannot read {text!r}: {rules} has no closed pits (x); write 0 for an empty pit")
    return board_cells([row[0] for row in rows], [row[1] for row in rows], rules)


def _parse_row(row: str, text: str) -> tuple[list[int], int]:
    match = re.fullmatch(r"\s*([\dx]+(?:\s*,\s*[\dx]+)*)\s*\+\s*(\d{1,6})\s*", row)
    if not match or not all(re.fullmatch(r"x|\d{1,6}", pit.strip()) for pit in match[1].split(",")):
        raise PositionError(f"cannot read {row.strip()!r} in {text!r}: expected pits+store rows as in {FORM!r}")
    return [-1 if pit.strip() == "x" else int(pit) for pit in match[1].split(",")], int(match[2])


def board_cells(pits: list[list[int]], stores: list[int], rules: "Rules") -> NDArray[np.int16]:
    """Return the cells, int16[num_cells], of a board given as numbers; checks lengths, signs and the total.

    Raises:
        PositionError: names what was expected and what came.
    """
    if len(pits) != rules.players or len(stores) != rules.players:
        raise PositionError(
            f"expected {rules.players} rows and stores for {rules}, got {len(pits)} rows and {len(stores)} stores"
        )
    for seat, row in enumerate(pits):
        if len(row) != rules.pits:
            raise PositionError(f"row of seat {seat}: expected {rules.pits} pits for {rules}, got {len(row)}")
        _check_counts(seat, [*row, stores[seat]])
    total = sum(map(sum, pits)) + sum(stores)
    if total != rules.total:
        raise PositionError(f"expected {rules.total} stones in all for {rules}, got {total}")
    return np.array([n for row, store in zip(pits, stores, strict=True) for n in (*row, store)], np.int16)


def _check_counts(seat: int, counts: list[int]) -> None:
    for count in counts:
        if isinstance(count, bool) or not isinstance(count, int | np.integer) or not 0 <= count <= layout.MAX_TOTAL:
            raise PositionError(f"row of seat {seat}: expected whole numbers of stones >= 0, got {count!r}")


def split_position(text: str, rules: "Rules") -> tuple[NDArray[np.int16], int | None, int | None]:
    """Return cells, the seat to move (None when over) and the seat that may still swap (None if none may).

    Raises:
        PositionError: unreadable text or an impossible board.
    """
    words = text.split()
    pie = None
    if len(words) == 3 and re.fullmatch(r"pie=\d{1,6}", words[2]):
        pie = int(words.pop()[4:])
    if len(words) != 2 or not re.fullmatch(r"\d{1,6}|-", words[1]):
        raise PositionError(f"cannot read {text!r}: expected the rows, a space and the seat to move, as in {FORM!r}")
    return parse_board(words[0], rules), None if words[1] == "-" else int(words[1]), pie
