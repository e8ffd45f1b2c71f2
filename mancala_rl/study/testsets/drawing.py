"""Positions as games bring them, of random and of skilled play, without favour to any one line.

Every game begins with some random moves. Then each seat looks ahead as far as chance says, one that looks 0 plies ahead
plays any legal move, and now and then every player does. Of equally good moves chance takes one.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from mancala_rl.agent import Agent, turn_seeds
from mancala_rl.rules import Batch, Rules
from mancala_rl.search import Minimax, Uniform
from mancala_rl.study.testsets.plans import Plan

SKILLS = np.array([0, 0, 1, 2, 4, 6, 8])  # plies that a seat looks ahead, each as likely
OPENING = 12  # random moves at the start, at most
ASTRAY = 8  # one in so many later moves is a random one
GAMES = 256  # played side by side
_START, _LENGTH, _OPENING, _SKILLS, _MOVES, _ASTRAY, _DRAWN = range(7)  # what a game needs chance for


class Games:
    """Games number 0, 1, 2, ... of one seed; each depends on its number and the seed alone."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self._rules, self._seed = rules, seed
        self._players: dict[int, Agent] = {
            int(depth): Minimax(rules, int(depth), random_ties=True) if depth else Uniform(rules) for depth in SKILLS
        }

    def positions(self, block: int, plan: Plan) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
        """Return positions of GAMES games: rows, int16[N, row_length], and their bands, int64[N].

        Of each game it is at most one position a band, drawn by chance; only those count in which there is a choice.
        """
        own = turn_seeds(np.full(GAMES, self._seed), block * GAMES + np.arange(GAMES))
        games, rows = zip(*self._plies(own), strict=True)
        game, met = np.concatenate(games), Batch(self._rules, np.concatenate(rows))
        stones = met.stones_in_pits
        bands = (stones - 1) // plan.width
        chance = turn_seeds(_drawn(own[game], _DRAWN), met.ply)
        wanted = (met.legal().sum(axis=1) > 1) & (stones <= plan.stones)
        order = np.lexsort((chance, game, bands))
        order = order[wanted[order]]
        places = np.stack([bands[order], game[order]])
        first = np.append(True, (places[:, 1:] != places[:, :-1]).any(axis=0))[: len(order)]
        return met.rows[order[first]], bands[order[first]]

    def _plies(self, own: NDArray[np.int64]) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int16]]]:
        """Yield which games go on, and their rows, ply by ply."""
        batch = Batch.start(self._rules, len(own), seeds=_drawn(own, _START))
        batch.random_plies(_below(OPENING + 1, _drawn(own, _LENGTH)), _drawn(own, _OPENING))
        seats = turn_seeds(_drawn(own, _SKILLS).repeat(2), np.tile([0, 1], len(own))).reshape(-1, 2)
        skills = SKILLS[_below(len(SKILLS), seats)]
        while (live := np.flatnonzero(~batch.over)).size:
            playing = batch.select(live)
            yield live, playing.rows.copy()
            playing.play(self._moves(playing, skills[live, playing.to_move], own[live]))
            batch.rows[live] = playing.rows

    def _moves(self, batch: Batch, skills: NDArray[np.int64], own: NDArray[np.int64]) -> NDArray[np.int64]:
        seeds = turn_seeds(_drawn(own, _MOVES), batch.ply)
        astray = _below(ASTRAY, turn_seeds(_drawn(own, _ASTRAY), batch.ply)) == 0
        skills = np.where(astray, 0, skills)
        moves = np.zeros(len(batch), np.int64)
        for depth in np.unique(skills).tolist():
            some = np.flatnonzero(skills == depth)
            moves[some] = self._players[depth].act(batch.select(some), seeds[some])
        return moves


def _drawn(seeds: NDArray[np.int64], use: int) -> NDArray[np.int64]:
    return turn_seeds(seeds, np.full(len(seeds), use))


def _below(limit: int, seeds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return numbers in [0, limit), drawn by numbers in [0, 2**32)."""
    return seeds * limit >> 32
