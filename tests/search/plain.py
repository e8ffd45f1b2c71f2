"""Plain minimax: no window, no table, no order, and nothing of the search under test."""

from __future__ import annotations

import functools

import numpy as np

from mancala_rl import Position, Rules, variant
from mancala_rl.kernel import legal_bits, margin, play
from mancala_rl.kernel.layout import MOVER
from mancala_rl.rules.scoring import worth_by_rank
from tests import reference

SPECS = (
    "kalah",
    "kalah:stones=6",
    "kalah:pits=4,stones=3",
    "kalah:pits=3,stones=2",
    "kalah:pits=1,stones=5",
    "kalah:pits=8,stones=1",
    "kalah:pits=4,stones=4,pie=true",
    "kalah:pits=5,stones=3,empty_capture=true",
    "kalah:pits=4,stones=3,leftovers=emptier",
    "kalah:pits=4,stones=3,leftovers=unscored,stop_when_decided=true",
    "kalah:pits=4,stones=3,end_check=on_turn",
    "kalah:pits=4,stones=4,extra_turn=false",
    "kalah:pits=4,stones=4,capture=false",
    "kalah:pits=5,stones=3,start_position=random",
)


def plain_value(rows: np.ndarray, ply: int, depth: int, rules: Rules) -> int:
    """The margin of seat 0 when both play the next `depth` plies as well as that margin lets them."""
    bits = legal_bits(rows, ply, rules.array)
    if depth == 0 or bits == 0:
        return int(margin(rows, ply, rules.array))
    values = []
    for move in range(rules.num_actions):
        if bits >> move & 1:
            rows[ply + 1] = rows[ply]
            play(rows, ply + 1, move, rules.array)
            values.append(plain_value(rows, ply + 1, depth - 1, rules))
    return max(values) if rows[ply, rules.num_cells + MOVER] == 0 else min(values)


def plain_values(position: Position, depth: int) -> tuple[int | None, ...]:
    """What `minimax(position, depth).values` has to be."""
    rules = position.rules
    rows = np.zeros((depth + 1, rules.row_length), np.int16)
    sign = 1 if position.to_move == 0 else -1
    values: list[int | None] = [None] * rules.num_actions
    for move in position.legal_moves:
        rows[1] = position.play(move).row
        values[move] = sign * plain_value(rows, 1, depth - 1, rules)
    return tuple(values)


def oracle_value(state: reference.State, depth: int) -> int:
    """As `plain_value`, by the oracle's rules instead of the kernel's."""
    if depth == 0 or state.over:
        return state.scores[0] - state.scores[1]
    values = [oracle_value(reference.play(state, move), depth - 1) for move in reference.legal(state)]
    return max(values) if state.turn == 0 else min(values)


def random_positions(spec: str, count: int, plies: int = 30, seed: int = 0) -> list[Position]:
    """Positions after 0 to `plies` random moves, all of them with a player to move."""
    rules = variant(spec)
    rng = np.random.default_rng(seed)
    batch = rules.batch(count, seeds=seed)
    batch.deal(np.arange(count), first=rng.integers(0, 2, count), seeds=rng.integers(0, 1 << 32, count))
    batch.random_plies(rng.integers(0, plies + 1, count), rng.integers(0, 1 << 32, count))
    return list(batch)


def standing(rows: np.ndarray, ply: int, rules: Rules) -> list[int]:
    """What row `ply` counts for each seat: (P - 1) times its margin, or lead, over the mean of the others.

    In a race a place is added that outweighs all stones.
    """
    position = Position.from_row(rules, rows[ply])
    own = [-sum(pits) for pits in position.pits] if rules.goal == "empty" else list(position.scores)
    worth = [rules.players * stones - sum(own) for stones in own]
    if rules.goal == "empty":
        places = np.rint(worth_by_rank(rows[ply][None], rules)[0] * (rules.players - 1)).astype(int)
        worth = [w + int(p) * (rules.players - 1) * rules.total for w, p in zip(worth, places, strict=True)]
    return worth


def plain_maxn(rows: np.ndarray, ply: int, depth: int, rules: Rules) -> list[int]:
    """What each seat gets when every seat plays the next `depth` plies for itself, the lowest of equal moves."""
    bits = legal_bits(rows, ply, rules.array)
    if depth == 0 or bits == 0:
        return standing(rows, ply, rules)
    seat = int(rows[ply, rules.num_cells + MOVER])
    outcomes = []
    for move in range(rules.num_actions):
        if bits >> move & 1:
            rows[ply + 1] = rows[ply]
            play(rows, ply + 1, move, rules.array)
            outcomes.append(plain_maxn(rows, ply + 1, depth - 1, rules))
    return max(outcomes, key=lambda worth: worth[seat])


def plain_maxn_values(position: Position, depth: int) -> tuple[int | None, ...]:
    """What `minimax(position, depth).values` has to be for three players and more."""
    rules = position.rules
    rows = np.zeros((depth + 1, rules.row_length), np.int16)
    values: list[int | None] = [None] * rules.num_actions
    for move in position.legal_moves:
        rows[1] = position.play(move).row
        values[move] = plain_maxn(rows, 1, depth - 1, rules)[position.to_move or 0]
    return tuple(values)


def some_positions(rules: Rules, count: int, plies: int = 20, seed: int = 0) -> list[Position]:
    """As `random_positions`, for any number of players."""
    rng = np.random.default_rng(seed)
    batch = rules.batch(count, first=rng.integers(0, rules.players, count), seeds=rng.integers(0, 1 << 32, count))
    batch.random_plies(rng.integers(0, plies + 1, count), rng.integers(0, 1 << 32, count))
    return list(batch)


def results(position: Position) -> dict[int, list[float]]:
    """The rewards of all seats after each move and perfect play from there on, by the end of every line (max^n)."""
    return {move: perfect(position.play(move)) for move in position.legal_moves}


@functools.cache
def perfect(position: Position) -> list[float]:
    """The rewards of all seats if each plays for its own."""
    if position.is_over:
        return list(position.returns)
    seat = position.to_move or 0
    return max((perfect(position.play(move)) for move in position.legal_moves), key=lambda worth: worth[seat])
