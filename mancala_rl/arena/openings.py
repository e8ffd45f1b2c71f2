"""Openings: distinct positions a few random moves into a game, from which two agents are compared.

Two deterministic agents play one single game from the start of a variant, however often they meet. Distinct random
openings make every pair of games an observation of its own.
"""

import itertools
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from mancala_rl.agent import turn_seeds
from mancala_rl.errors import EvaluationError
from mancala_rl.kernel import layout
from mancala_rl.rules import Batch, Rules, variant
from mancala_rl.rules.numbers import is_whole

MAX_PLIES = 6
MAX_COUNT = 1_000_000
MAX_SEED = 2**32 - 1
_BLOCK = 1024  # candidates drawn at a time; constant, so that fewer openings are the first of more


def openings(rules: Rules | str, count: int, seed: int = 0, max_plies: int = MAX_PLIES) -> Batch:
    """Return `count` openings that differ as positions, the seat to move included; none is over.

    An opening is the start followed by 0 to `max_plies` uniformly random legal moves; the number of moves is uniform
    too, before repeated positions are dropped. Where the start is itself random, every opening has its own. The same
    rules and seed give the same openings, and fewer openings are the first of more.

    Args:
        rules: a record or its spec string.

    Raises:
        EvaluationError: a number out of range, or fewer different openings than asked for.
        RulesError: unknown rules.
    """
    rules = variant(rules)
    _check(count, seed, max_plies)
    found: dict[bytes, NDArray[np.int16]] = {}
    for first in range(0, 2**32, _BLOCK):
        drawn = _draw(rules, first, seed, max_plies)
        before = len(found)
        for key, row in zip(_keys(drawn), drawn.rows, strict=True):
            found.setdefault(key, row)
        # With less than 5% news in a block nearly all there is has been seen: count it instead of drawing on.
        if len(found) >= count or len(found) - before < 0.05 * _BLOCK:
            break
    if len(found) < count:
        _add_the_rest(found, rules, count, seed, max_plies)
    return Batch(rules, np.stack(list(itertools.islice(found.values(), count))))


def _check(count: int, seed: int, max_plies: int) -> None:
    if not is_whole(count) or not 1 <= count <= MAX_COUNT:
        raise EvaluationError(f"{count} pairs: expected 1 to {MAX_COUNT} (--pairs)")
    if not is_whole(seed) or not 0 <= seed <= MAX_SEED:
        raise EvaluationError(f"seed {seed}: expected a number from 0 to {MAX_SEED}")
    if max_plies < 0:
        raise EvaluationError(f"openings of up to {max_plies} plies: expected 0 or more")


def _draw(rules: Rules, first: int, seed: int, max_plies: int) -> Batch:
    """Return the candidates number first .. first + _BLOCK - 1; each depends on its number and the seed alone."""
    numbers = np.arange(first, first + _BLOCK)
    own = turn_seeds(np.full(_BLOCK, seed), numbers)
    start, length, moves = (turn_seeds(own, np.full(_BLOCK, use)) for use in range(3))
    batch = Batch.start(rules, _BLOCK, seeds=start)
    batch.random_plies(length * (max_plies + 1) >> 32, moves)
    return batch


def _keys(batch: Batch) -> Iterator[bytes]:
    """Yield what makes a position: cells, mover, right to swap, places and tuzdiks, not how it was reached."""
    cells = batch.rules.num_cells
    tail = [cells + entry for entry in (layout.MOVER, layout.OVER, layout.PIE)]
    seats = range(cells + layout.PLACES, int(batch.rules.array[layout.HISTORY]))  # places, then tuzdiks
    columns = np.concatenate([np.arange(cells), tail, seats])
    return (row.tobytes() for row in np.ascontiguousarray(batch.rows[:, columns]))


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _add_the_rest(found: dict[bytes, NDArray[np.int16]], rules: Rules, count: int, seed: int, max_plies: int) -> None:
    """Add every opening that was not drawn, in an order given by the seed.

    Raises:
        EvaluationError: all of them together are fewer than `count`.
    """
    every = _every_opening(rules, max_plies)
    if len(every) < count:
        raise EvaluationError(
            f"{rules} has only {_counted(len(every), 'different opening')} of 0 to {max_plies} plies, "
            f"{_counted(count, 'pair')} would need {count}; "
            f"take at most {_counted(len(every), 'pair')}, a larger board or the option start_position=random"
        )
    order = np.argsort(turn_seeds(np.full(len(every), seed), np.arange(len(every))), kind="stable")
    rows = list(every.items())
    found.update((rows[i][0], rows[i][1]) for i in order.tolist() if rows[i][0] not in found)


def _every_opening(rules: Rules, max_plies: int) -> dict[bytes, NDArray[np.int16]]:
    """Return all positions up to `max_plies` moves from a start, by their keys."""
    level = _every_start(rules)
    every = dict(zip(_keys(level), level.rows, strict=True))
    for _ in range(max_plies):
        games, actions = np.nonzero(level.legal())
        following = level.select(games)
        following.play(actions)
        following = following.select(~following.over)
        keys = zip(_keys(following), following.rows, strict=True)
        fresh = {key: row for key, row in keys if key not in every}
        if not fresh:
            break
        every |= fresh
        level = Batch(rules, np.stack(list(fresh.values())))
    return every


def _every_start(rules: Rules) -> Batch:
    start = Batch.start(rules, 1)
    if rules.start_position != "random":
        return start
    compositions = list(_compositions(rules.pits * rules.stones, rules.pits))
    boards = list(itertools.product(compositions, repeat=rules.players))
    rows = np.repeat(start.rows, len(boards), axis=0)
    cells = rows[:, : rules.num_cells].reshape(len(boards), rules.players, -1)
    cells[:, :, :-1] = boards
    return Batch(rules, rows)


def _compositions(stones: int, pits: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to lay `stones` into `pits`: the gaps between pits - 1 bars among them."""
    for bars in itertools.combinations(range(stones + pits - 1), pits - 1):
        edges = (-1, *bars, stones + pits - 1)
        yield tuple(right - left - 1 for left, right in itertools.pairwise(edges))
