"""Random games of every variant on the batch kernel, every invariant checked after every move; 100,000 when slow."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from mancala_rl import VARIANTS, Batch, Rules, variant
from mancala_rl.kernel import layout
from tests.twins import longest

CHUNK = 10_000  # games in memory at a time: a row with a history is two kilobytes
SPECS = [*VARIANTS, "japanese:players=3", "japanese:players=4,play_out=false", "kalah:pie=true,start_position=random"]
# Far above what random games take, far below the proven bound: an endless game shows at once.
USUAL = 4000


def tail(batch: Batch, entry: int) -> NDArray[np.int16]:
    return batch.rows[:, batch.rules.num_cells + entry]


def seats_out(batch: Batch) -> NDArray[np.bool_]:
    """Which seats have a place already, bool[B, P]."""
    at = batch.rules.num_cells + layout.PLACES
    out: NDArray[np.bool_] = batch.rows[:, at : at + batch.rules.players] > 0
    return out


def next_seats(batch: Batch, movers: NDArray[np.int64]) -> NDArray[np.int64]:
    """J1, J8: the seat after the mover that is not out, int64[B]."""
    out, seats = seats_out(batch), np.full(len(batch), -1)
    for step in range(batch.rules.players - 1, 0, -1):  # the nearest one last, so that it stays
        following = (movers + step) % batch.rules.players
        seats = np.where(out[np.arange(len(batch)), following], seats, following)
    return seats


def check_move(batch: Batch, movers: NDArray[np.int64], plies: int) -> None:
    """Conservation, turn order and the mask after one move in every game."""
    cells = batch.rows[:, : batch.rules.num_cells]
    assert (cells >= -1).all()
    assert (cells.clip(0).sum(axis=1) + tail(batch, layout.LIFTED) == batch.rules.total).all()
    assert (batch.ply == plies).all()
    extra = tail(batch, layout.EXTRA) == 1
    expected = np.where(batch.over, -1, np.where(extra, movers, next_seats(batch, movers)))
    assert (batch.to_move == expected).all()
    assert not (extra & batch.over).any()
    assert (batch.legal().any(axis=1) == ~batch.over).all()
    assert (batch.returns[~batch.over] == 0).all()


def check_ends(batch: Batch) -> None:
    """What holds of every game that is over."""
    rules = batch.rules
    assert np.allclose(batch.returns.sum(axis=1), 0)
    assert (np.abs(batch.returns) <= 1).all()
    cut_off = tail(batch, layout.OVER) == layout.CUT_OFF
    assert not cut_off.any() or rules.repetition > 0
    if rules.goal == "empty":
        assert seats_out(batch).all()
        assert (batch.returns.max(axis=1) == 1).all()
        return
    assert (np.sign(batch.scores[:, 0] - batch.scores[:, 1]) == batch.returns[:, 0]).all()
    decided = 2 * batch.scores.max(axis=1) > rules.total
    swept = (batch.scores.sum(axis=1) == rules.total) | (decided & rules.stop_when_decided)
    assert swept.all()


def play_chunk(rules: Rules, games: int, seed: int) -> int:
    """Play so many games to their ends and check everything; the moves of the longest one."""
    rng = np.random.default_rng(seed)
    seeds = rng.integers(2**32, size=games)
    batch = rules.batch(games, first=np.arange(games) % rules.players, seeds=seeds)
    plies = 0
    while len(batch):
        movers, legal = batch.to_move, batch.legal()
        batch.play(np.where(legal, rng.random(legal.shape), -1).argmax(axis=1))
        plies += 1
        check_move(batch, movers, plies)
        check_ends(batch.select(batch.over))
        batch = batch.select(~batch.over)
        assert plies <= min(longest(rules), USUAL), f"{len(batch)} of {games} games of {rules} still go on"
    return plies


@pytest.mark.parametrize("spec", SPECS)
def test_random_games_break_no_rule_and_end(spec: str) -> None:
    assert play_chunk(variant(spec), 300, 0) > 3


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_a_hundred_thousand_random_games_break_no_rule_and_end(spec: str) -> None:
    for chunk in range(100_000 // CHUNK):
        assert play_chunk(variant(spec), CHUNK, chunk + 1) > 3
