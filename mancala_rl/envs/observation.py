"""What a player sees: one row of numbers from the observer's own point of view.

For P players with m pits each,

counts
    are own pits 0..m-1, own store, then the next player's pits and store, and so on: P*(m+1) numbers;
tactical
    are counts, then for every player in the same order and every pit three numbers: whether playing the pit gives an
    extra turn (0 or 1), how many stones it captures, how many it adds to that player's store or, where the first to
    empty the own side wins, how many stones leave that side: P*m*3 numbers more;
lookahead
    are tactical, then for every own pit by how much the margin changes within three plies, that pit and the best play
    of both sides after it: m numbers more, for two players only. It costs about as much as `minimax:depth=4`.

A closed or lifted cell holds -1. The tactical numbers are those of the kernel's own `play`, made as if it were that
player's turn, as the lookahead is made as if it were the observer's; they are 0 for a pit that cannot be chosen and in
a game that is over.

Every kind ends with what else a player has to know, where the rules have it:

pie rule
    1 if the observer may swap now, else 0;
tuzdik
    for every player in the same order 1 + the pit of the opponent's row that it has claimed, 0 for none;
giving up, for three or four players
    for every player in the same order the place it has left with, 0 for one who plays.

How often a position has been there, and how many moves are left before a game is cut off, is not told.
"""

from typing import Literal, get_args

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from mancala_rl.envs.options import choice
from mancala_rl.errors import BadInputError
from mancala_rl.kernel import allocating_kernel, kernel, play, row_stones
from mancala_rl.kernel.layout import (
    CAPTURED,
    CELLS,
    EXTRA,
    GOAL_EMPTY,
    HISTORY,
    KEY_PARTS,
    MAX_TOTAL,
    MOVER,
    OVER,
    PIE,
    PIE_RULE,
    PITS,
    PLACES,
    PLAYERS,
    REPETITION,
    RESIGN,
    SINCE,
    TUZDIK,
    TUZDIKS,
)
from mancala_rl.kernel.legal import legal_pits
from mancala_rl.kernel.words import copy_cells
from mancala_rl.rules import Rules
from mancala_rl.search.outlook import outlook

Kind = Literal["counts", "tactical", "lookahead"]

KINDS: tuple[str, ...] = get_args(Kind)
TACTICAL, LOOKAHEAD = KINDS.index("tactical"), KINDS.index("lookahead")
PLIES = 3  # of the lookahead
OBSERVATION_VERSION = 1  # trained agents carry it; it moves when any number of an observation changes
PER_PIT = 3  # extra turn, captured, gain


def kind_code(kind: str) -> int:
    """Return the number by which the kernels know a kind of observation.

    Raises:
        BadInputError: there is no such kind.
    """
    choice("observation", kind, KINDS)
    return KINDS.index(kind)


def observation_size(rules: Rules, kind: str = "counts") -> int:
    """Return the length D of an observation.

    Raises:
        BadInputError: there is no such kind.
    """
    code = kind_code(kind)
    tactics = rules.players * rules.pits * PER_PIT if code >= TACTICAL else 0
    return rules.num_cells + tactics + (rules.pits if code >= LOOKAHEAD else 0) + extra_size(rules)


def extra_size(rules: Rules) -> int:
    """Return how many numbers every kind ends with beside the board and what pits would do."""
    return rules.pie + rules.players * (rules.tuzdik + tells_places(rules))


def tells_places(rules: Rules) -> bool:
    """Return whether observations tell the place of each player who has left: where some give up and others play on."""
    return rules.resign and rules.players > 2


def observation_space(rules: Rules, kind: str = "counts") -> Box:
    """Return the space of observations, int16[D], from -1 to `rules.total`.

    The bounds of a lookahead are those of a change of margin: the total, three times the total where the first to
    empty the own side wins.

    Raises:
        BadInputError: there is no such kind, or a lookahead for more than two players.
    """
    if kind_code(kind) == LOOKAHEAD and rules.players != 2:
        raise BadInputError(f"observation='lookahead': expected rules for two players, got {rules}")
    low, high = -1, rules.total
    if kind_code(kind) == LOOKAHEAD:
        high = min(rules.total * (3 if rules.goal == "empty" else 1), MAX_TOTAL)
        low = -high
    return Box(low=low, high=high, shape=(observation_size(rules, kind),), dtype=np.int16)


def observe(rows: NDArray[np.int16], seats: NDArray[np.int64], kind: str, rules: Rules) -> NDArray[np.int16]:
    """Return what seat `seats[g]` sees in game g, a fresh array int16[B, D].

    Args:
        rows: int16[B, row_length], the games; see `mancala_rl.kernel.layout`.
        seats: int64[B], the observer in each game, whoever is to move.
        kind: one of `KINDS`.
        rules: the variant played.

    Raises:
        BadInputError: there is no such kind.
    """
    out = np.empty((len(rows), observation_size(rules, kind)), np.int16)
    code = kind_code(kind)
    observe_range(0, len(rows), rows, seats, out, rules.array)
    if code >= TACTICAL:
        tactics_range(0, len(rows), rows, seats, out, rules.array)
    if code == LOOKAHEAD:
        end = out.shape[1] - extra_size(rules)
        out[:, end - rules.pits : end] = outlook(rows, seats, PLIES, rules)
    return out


@kernel
def observe_range(lo, hi, rows, seats, out, r):  # type: ignore[no-untyped-def]
    """Write what all kinds of observation begin and end with, of the games lo..hi, into `out: int16[B, D]`."""
    for g in range(lo, hi):
        write_counts(rows, g, seats[g], out, r)
        if r[PIE_RULE]:
            out[g, out.shape[1] - 1] = may_swap(rows, g, seats[g], r)
        if r[TUZDIK]:
            write_seats(rows, g, seats[g], r[TUZDIKS], out, r)
        if r[RESIGN] and r[PLAYERS] > 2:
            write_seats(rows, g, seats[g], r[CELLS] + PLACES, out, r)


@allocating_kernel
def tactics_range(lo, hi, rows, seats, out, r):  # type: ignore[no-untyped-def]
    """Write what stands behind the counts in a tactical observation, of the games lo..hi, into `out: int16[B, D]`."""
    scratch = np.empty((1, rows.shape[1]), np.int16)
    for g in range(lo, hi):
        write_tactics(rows, g, seats[g], scratch, out, r)


@kernel
def write_counts(rows, g, seat, out, r):  # type: ignore[no-untyped-def]
    """Write all cells of game g, those of `seat` first."""
    width, at = r[PITS] + 1, seat * (r[PITS] + 1)
    for turn in range(r[PLAYERS]):
        copy_cells(rows, g, at, out, g, turn * width, width)
        at = at + width if at + width < r[CELLS] else 0


@kernel
def write_seats(rows, g, seat, at, out, r):  # type: ignore[no-untyped-def]
    """Write the entries of all players that begin at `at` of row g, that of `seat` first, at the end."""
    for turn in range(r[PLAYERS]):
        out[g, out.shape[1] - r[PLAYERS] + turn] = rows[g, at + (seat + turn) % r[PLAYERS]]


@kernel
def write_tactics(rows, g, seat, scratch, out, r):  # type: ignore[no-untyped-def]
    """Write what every pit of every player would do, those of `seat` first; `scratch: int16[1, L]` is overwritten."""
    at = r[CELLS]
    for turn in range(r[PLAYERS]):
        player = (seat + turn) % r[PLAYERS]
        bits = 0 if rows[g, r[CELLS] + OVER] else legal_pits(rows, g, player, r)
        for pit in range(r[PITS]):
            if bits >> pit & 1:
                write_prospect(rows, g, player, pit, scratch, out, at, r)
            else:
                for i in range(PER_PIT):
                    out[g, at + i] = 0
            at += PER_PIT


@kernel
def write_prospect(rows, g, player, pit, scratch, out, at, r):  # type: ignore[no-untyped-def]
    """Write extra turn, captured and gain of one pit at `out[g, at:at + 3]`."""
    cells = r[CELLS]
    store = player * (r[PITS] + 1) + r[PITS]
    used = rows.shape[1]
    if r[REPETITION]:  # of the history only what there is
        used = min(used, r[HISTORY] + KEY_PARTS * (int(rows[g, cells + SINCE]) + 1))
    for i in range(used):  # a slice assignment costs several times as much
        scratch[0, i] = rows[g, i]
    scratch[0, cells + MOVER] = player
    play(scratch, 0, pit, r)
    out[g, at] = scratch[0, cells + EXTRA]
    out[g, at + 1] = scratch[0, cells + CAPTURED]
    if r[GOAL_EMPTY]:
        out[g, at + 2] = row_stones(rows, g, player, r) - row_stones(scratch, 0, player, r)
    else:
        out[g, at + 2] = scratch[0, store] - rows[g, store]


@kernel
def may_swap(rows, g, seat, r):  # type: ignore[no-untyped-def]
    """Return whether the pie rule lets `seat` swap sides now."""
    tail = r[CELLS]
    return rows[g, tail + PIE] == seat + 1 and rows[g, tail + MOVER] == seat and not rows[g, tail + OVER]
