"""How an episode begins: the deal, the random opening, and whatever else chance decides.

Every draw is a function of the game's stream (a number made from its seed), the number of the episode in that stream
and what is drawn. So a game of a batch and one in an environment of its own, seeded alike, are the same game.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.envs.options import check_mapping, check_seat
from mancala_rl.envs.start import position_row
from mancala_rl.errors import BadInputError
from mancala_rl.kernel import below, combine, deal, kernel, random_opening
from mancala_rl.kernel.layout import PLAYERS
from mancala_rl.rules import Rules

STREAMS = 2**32
DRAWS = 100  # how often a start is drawn again because an opponent ended the game before the learner's first turn

# What is drawn.
DRAW_SEAT, DRAW_FIRST, DRAW_DEAL, DRAW_TURNS, DRAW_LENGTH, DRAW_OPENING, DRAW_RECORD, DRAW_PUZZLE = range(8)


def stream_of(seed: int) -> int:
    """Return the stream of a seed, a whole number >= 0, in [0, 2**32)."""
    stream = combine(0, seed & 0xFFFFFFFF)
    while seed >> 32:
        seed >>= 32
        stream = combine(stream, seed & 0xFFFFFFFF)
    return int(stream)


def check_first(first: int | str, rules: Rules) -> None:
    """Refuse a seat that cannot start.

    Raises:
        BadInputError: names the seats that can.
    """
    check_seat("first", first, rules.players)
    able = rules.starters
    if len(able) < rules.players and first not in able:
        raise BadInputError(
            f"first={first!r}: {rules} is over before the first move of some seats; "
            f"expected {' or '.join(map(str, able))}"
        )


def given_row(rules: Rules, options: Mapping[str, Any]) -> NDArray[np.int16] | None:
    """Return the row of the `position` among the options of `reset`, int16[row_length], None if there is none.

    Raises:
        BadInputError: options without names, or `first` beside a position.
        PositionError: a position that cannot be read, is of other rules, or is over.
    """
    check_mapping(options)
    position = options.get("position")
    if position is None:
        return None
    if "first" in options:
        raise BadInputError("options 'position' and 'first' exclude each other: a position names the seat to move")
    return position_row(rules, position)


@kernel
def drawn(limit, stream, episode, what):  # type: ignore[no-untyped-def]
    """Return a number in [0, limit) for one thing that chance decides."""
    return below(limit, combine(combine(stream, episode), what))


@kernel
def begin(S, g, stream, episode, first, fewest, most, scratch, start, r):  # type: ignore[no-untyped-def]
    """Set row g up for an episode: deal, then `fewest` to `most` random plies.

    `first` is the seat that starts, -1 to draw it; `scratch: int16[1, L]` is overwritten.
    """
    chance = combine(stream, episode)
    seat = first if first >= 0 else below(r[PLAYERS], combine(chance, DRAW_FIRST))
    deal(S, g, seat, combine(chance, DRAW_DEAL), start, r)
    plies = fewest + below(most - fewest + 1, combine(chance, DRAW_LENGTH))
    if plies:
        random_opening(S, g, plies, combine(chance, DRAW_OPENING), scratch, r)


def begun(rules: Rules, stream: int, episode: int, first: int, fewest: int, most: int) -> NDArray[np.int16]:
    """Return the row that one episode begins with, int16[row_length]; for the arguments see `begin`."""
    rows = np.zeros((2, rules.row_length), np.int16)
    _begin_first(rows[:1], stream, episode, first, fewest, most, rows[1:], rules.start_cells, rules.array)
    row: NDArray[np.int16] = rows[0]
    return row


@kernel
def _begin_first(S, stream, episode, first, fewest, most, scratch, start, r):  # type: ignore[no-untyped-def]
    begin(S, 0, stream, episode, first, fewest, most, scratch, start, r)
