"""The one-line notation of a position: "4,4,4,4,4,4+0/4,4,4,4,4,4+0 0".

Rows in seat order, each pits (farthest from the store first) + store, then the seat to move, "-" when the game is
over. "x" is a pit that is closed or lifted off the board; so is the store of a player who is out. Further words tell
what the board does not: "pie=1" the seat that may still swap, "places=-,1,-" who is out and at which place,
"tuzdiks=-,4" who has claimed which pit of the opponent.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mancala_rl.errors import PositionError
from mancala_rl.rules.board import board_cells

if TYPE_CHECKING:
    from mancala_rl.rules.record import Rules

FORM = "4,4,4,4,4,4+0/4,4,4,4,4,4+0 0"
WORDS = ("pie", "places", "tuzdiks")


class Parts(NamedTuple):
    """What a notation says: the cells, int16[num_cells], and the seats and numbers named after them."""

    cells: NDArray[np.int16]
    to_move: int | None
    pie: int | None = None
    places: tuple[int | None, ...] | None = None
    tuzdiks: tuple[int | None, ...] | None = None


def format_board(cells: NDArray[np.int16], rules: "Rules") -> str:
    """Return the rows of a position as text; `cells: int16[num_cells]`."""
    rows = cells.reshape(rules.players, rules.pits + 1).tolist()
    texts = (["x" if n < 0 else str(n) for n in row] for row in rows)
    return "/".join(f"{','.join(pits)}+{store}" for *pits, store in texts)


def format_numbers(numbers: Sequence[int | None]) -> str:
    """Return one number a seat as text, "-" for none."""
    return ",".join("-" if number is None else str(number) for number in numbers)


def parse_board(text: str, rules: "Rules", places: Sequence[int | None] | None = None) -> NDArray[np.int16]:
    """Return the cells, int16[num_cells], of rows given as text; checks lengths and the total.

    Raises:
        PositionError: unreadable, a wrong number of rows or pits, a negative count or a wrong total.
        RulesError: closed pits where there can be none.
    """
    rows = [_parse_row(row, text) for row in text.strip().split("/")]
    out = {seat for seat, place in enumerate(places or ()) if place is not None}
    playing = [(seat, pits) for seat, (pits, _) in enumerate(rows) if seat not in out]
    closed = [(seat, pit) for seat, pits in playing for pit, stones in enumerate(pits) if stones < 0]
    for seat, (_, store) in enumerate(rows):
        if store < 0 and seat not in out:
            raise PositionError(f"store of seat {seat} in {text!r}: expected a number, only who is out has x there")
    pits = [[max(n, 0) for n in row] for row, _ in rows]
    return board_cells(pits, [max(store, 0) for _, store in rows], rules, closed, places)


def _parse_row(row: str, text: str) -> tuple[list[int], int]:
    match = re.fullmatch(r"\s*([0-9x]+(?:\s*,\s*[0-9x]+)*)\s*\+\s*(x|[0-9]{1,6})\s*", row)
    if not match or not all(re.fullmatch(r"x|[0-9]{1,6}", pit.strip()) for pit in match[1].split(",")):
        raise PositionError(f"cannot read {row.strip()!r} in {text!r}: expected pits+store rows as in {FORM!r}")
    counts = [-1 if word.strip() == "x" else int(word) for word in (*match[1].split(","), match[2])]
    return counts[:-1], counts[-1]


def split_position(text: str, rules: "Rules") -> Parts:
    """Return what the notation of a position says.

    Raises:
        PositionError: unreadable text or an impossible board.
        RulesError: closed pits where there can be none.
    """
    board, seat, extras = _split_words(text)
    places = _parse_numbers("places", extras.get("places"), rules.players, text)
    cells = parse_board(board, rules, places)
    tuzdiks = _parse_numbers("tuzdiks", extras.get("tuzdiks"), rules.players, text)
    pie = _parse_numbers("pie", extras.get("pie"), 1, text)
    return Parts(cells, None if seat == "-" else int(seat), pie[0] if pie else None, places, tuzdiks)


def _split_words(text: str) -> tuple[str, str, dict[str, str]]:
    words = text.split()
    extras = dict(word.split("=", 1) for word in words[2:] if word.count("=") == 1)
    if len(words) < 2 or not re.fullmatch(r"[0-9]{1,6}|-", words[1]) or len(extras) != len(words) - 2:
        raise PositionError(f"cannot read {text!r}: expected the rows, a space and the seat to move, as in {FORM!r}")
    for key in extras:
        if key not in WORDS:
            raise PositionError(f"cannot read {key!r} in {text!r}: expected one of {', '.join(WORDS)}")
    return words[0], words[1], extras


def _parse_numbers(key: str, value: str | None, count: int, text: str) -> tuple[int | None, ...] | None:
    """Return one number for each seat, None for "-"."""
    if value is None:
        return None
    words = value.split(",")
    if len(words) != count or not all(re.fullmatch(r"-|[0-9]{1,6}", word) for word in words):
        wanted = "a seat" if count == 1 else f"{count} numbers or -"
        raise PositionError(f"cannot read {key}={value!r} in {text!r}: expected {wanted}")
    return tuple(None if word == "-" else int(word) for word in words)
