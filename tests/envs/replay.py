"""An independent replay of what a learner was shown: `Position` alone says what it ought to have been."""

from __future__ import annotations

import zlib
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from mancala_rl import Batch, Position, Rules


class Hashed:
    """Plays a legal move that depends on nothing but the position and a salt, so that a replay can foresee it."""

    def __init__(self, rules: Rules, salt: int = 0) -> None:
        self.rules, self.salt, self.name = rules, salt, f"hashed-{salt}"

    def move(self, position: Position) -> int:
        legal = position.legal_moves
        return legal[zlib.crc32(f"{self.salt} {position}".encode()) % len(legal)]

    def act(self, batch: Batch, seeds: np.ndarray) -> np.ndarray:
        assert seeds.shape == (len(batch),) and seeds.dtype == np.int64
        assert ((seeds >= 0) & (seeds < 2**32)).all()
        return np.array([self.move(position) for position in batch], np.int64)


def prospect(position: Position, player: int, pit: int) -> list[int]:
    """Extra turn, captured and gain of one pit."""
    if position.is_over or not position.pits[player][pit]:
        return [0, 0, 0]
    before = Position(position.rules, position.pits, position.stores, to_move=player)
    after = before.play(pit)
    return [int(after.extra_turn), after.captured, after.stores[player] - before.stores[player]]


def seen(position: Position, seat: int, kind: str) -> list[int]:
    """The observation of a seat of a two-player game."""
    numbers = [n for s in (seat, 1 - seat) for n in (*position.pits[s], position.stores[s])]
    if kind == "tactical":
        for s in (seat, 1 - seat):
            for pit in range(position.rules.pits):
                numbers += prospect(position, s, pit)
    if position.rules.pie:
        numbers.append(int(position.pie == seat and position.to_move == seat and not position.is_over))
    return numbers


@dataclass
class Episode:
    """One game of the learner: where it began, its decisions (observation, mask, action) so far, and their rewards."""

    start: Position
    decisions: list[tuple[np.ndarray, np.ndarray, int]] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)


@dataclass
class Replay:
    """Collects what a `SelfPlayVecEnv` with `Hashed` opponents shows and checks each game that ends, move by move."""

    env: Any
    episodes: list[Episode] = field(init=False)
    facts: Counter = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.episodes = [Episode(self.env.batch[g]) for g in range(self.env.num_envs)]

    def step(self, observations, masks, actions, rewards, dones, infos) -> None:
        """Take in one step: what the learner saw and did, and what came back."""
        for g, episode in enumerate(self.episodes):
            episode.decisions.append((observations[g].copy(), masks[g].copy(), int(actions[g])))
            episode.rewards.append(float(rewards[g]))
            if dones[g]:
                self.check(episode, infos[g])
                self.episodes[g] = Episode(self.env.batch[g])
            else:
                assert infos[g] == {}
            self.facts["steps"] += 1

    def check(self, episode: Episode, info: dict[str, Any]) -> None:
        """Replay a game that has ended."""
        position, seat, reward = episode.start, info["seat"], episode.rewards[-1]
        opponent = next(agent for agent in self.env.opponents if agent.name == info["opponent"])
        for number, (observation, mask, action) in enumerate(episode.decisions, start=1):
            assert position.to_move == seat
            assert observation.tolist() == seen(position, seat, self.env.observation), position
            assert np.flatnonzero(mask).tolist() == list(position.legal_moves), position
            last = number == len(episode.decisions)
            if action not in position.legal_moves:
                assert last and reward == -1 and info["illegal_move"] is True
                break
            assert "illegal_move" not in info or not last
            position = self._until_the_learner(position.play(action), seat, opponent)
            assert position.is_over == last, position
            assert episode.rewards[number - 1] == pytest.approx(self._worth(position, seat), abs=1e-6)
        self._check_end(position, seat, info)
        assert info["episode"]["l"] == len(episode.decisions)
        assert info["episode"]["r"] == pytest.approx(sum(episode.rewards), abs=1e-5)
        self.facts["episodes"] += 1

    def _until_the_learner(self, position: Position, seat: int, opponent: Hashed) -> Position:
        self.facts["own extra turns"] += position.to_move == seat
        while not position.is_over and position.to_move != seat:
            position = position.play(opponent.move(position))
            self.facts["extra turns of opponents"] += position.extra_turn
            self.facts["ends by the opponent"] += position.is_over
        return position

    def _worth(self, after: Position, seat: int) -> float:
        """What the learner ought to get for one decision and all that happened until its next one."""
        lead = (after.scores[seat] - after.scores[1 - seat]) * after.is_over
        return (lead > 0) - (lead < 0) if self.env.reward == "outcome" else lead / after.rules.total

    def _check_end(self, position: Position, seat: int, info: dict[str, Any]) -> None:
        assert info["terminal_observation"].tolist() == seen(position, seat, self.env.observation)
        assert info["TimeLimit.truncated"] is False
        assert info["scores"] == position.scores
        if "illegal_move" in info:
            self.facts["illegal"] += 1
            return
        own, other = position.scores[seat], position.scores[1 - seat]
        outcome = (own > other) - (own < other)
        self.facts[f"seat {seat}: {('draw', 'win', 'loss')[outcome]}"] += 1
