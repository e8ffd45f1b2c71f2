"""Positions late in games that were played partly at random, partly with skill."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from mancala_rl.agent import Agent, turn_seeds
from mancala_rl.rules import Batch, Position, Rules
from mancala_rl.search import Greedy, Minimax, Uniform

_TOGETHER = 32  # played side by side
_OPENING_PLIES = 6  # at random, at most
_DEPTH = 3  # of the most skilled player
_START, _FIRST, _LENGTH, _OPENING, _STONES, _PLAYERS, _TURNS = range(7)  # what chance decides


def endgames(rules: Rules, seed: int, games: int, fewest: int, most: int) -> Iterator[Position]:
    """Yield at most one position a game: the same ones for the same arguments, and of fewer games the first of more.

    A game begins with a few random moves. Then each seat plays at random, greedily or by minimax, until no more than a
    number of stones, drawn from `fewest` to `most`, is left in the pits. Games that end before that yield nothing.
    """
    players: list[Agent] = [Uniform(rules), Greedy(rules), Minimax(rules, _DEPTH, random_ties=True)]
    for first in range(0, games, _TOGETHER):
        numbers = np.arange(first, min(first + _TOGETHER, games))
        own = turn_seeds(np.full(len(numbers), seed), numbers)
        stones = fewest + _drawn(own, _STONES, most - fewest + 1)
        yield from _played_out(_opened(rules, own), own, players, stones)


def _opened(rules: Rules, games: NDArray[np.int64]) -> Batch:
    """Return the games, known by their seeds, after their random openings."""
    first = np.array(rules.starters)[_drawn(games, _FIRST, len(rules.starters))]
    batch = Batch.start(rules, len(games), first=first, seeds=_seeds(games, _START))
    batch.random_plies(_drawn(games, _LENGTH, _OPENING_PLIES + 1), _seeds(games, _OPENING))
    return batch


def _played_out(
    batch: Batch, games: NDArray[np.int64], players: Sequence[Agent], stones: NDArray[np.int64]
) -> Iterator[Position]:
    """Play until at most `stones: int64[B]` are left in the pits; yield the positions that are not over."""
    pairing = _drawn(games, _PLAYERS, len(players) ** 2)
    styles = np.stack([pairing % len(players), pairing // len(players)], axis=1)  # int64[B, 2], the player of each seat
    turns = _seeds(games, _TURNS)
    while (going := np.flatnonzero(~batch.over & (batch.stones_in_pits > stones))).size:
        style = styles[going, batch.to_move[going]]
        for number, player in enumerate(players):
            _move(batch, going[style == number], player, turns)
    yield from (batch[game] for game in np.flatnonzero(~batch.over).tolist())


def _move(batch: Batch, games: NDArray[np.int64], player: Agent, turns: NDArray[np.int64]) -> None:
    """Let a player move in some of the games."""
    if games.size:
        some = batch.select(games)
        some.play(player.act(some, turn_seeds(turns[games], some.ply)))
        batch.rows[games] = some.rows


def _seeds(games: NDArray[np.int64], what: int) -> NDArray[np.int64]:
    """Return a number in [0, 2**32) a game for one thing that chance decides, int64[B]."""
    return turn_seeds(games, np.full(len(games), what))


def _drawn(games: NDArray[np.int64], what: int, limit: int) -> NDArray[np.int64]:
    """Return a number in [0, limit) a game for one thing that chance decides, int64[B]."""
    return _seeds(games, what) * limit >> 32
