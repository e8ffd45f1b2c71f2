"""An independent replay of what a learner was shown: `Position` alone says what it ought to have been."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from mancala_rl import Batch, Position, Rules
from mancala_rl.kernel.layout import MOVER


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


def board(position: Position) -> list[list[int]]:
    """Pits and store of every seat, -1 for what is closed or lifted off the board."""
    rows = str(position).split()[0].split("/")
    return [[-1 if word == "x" else int(word) for word in re.split("[,+]", row)] for row in rows]


def prospect(position: Position, player: int, pit: int) -> list[int]:
    """Extra turn, captured and gain of one pit, as if it were that player's turn."""
    rules, row = position.rules, position.row
    row[rules.num_cells + MOVER] = player
    before = Position.from_row(rules, row)
    if pit not in before.legal_moves:
        return [0, 0, 0]
    after = before.play(pit)
    gain = after.stores[player] - before.stores[player]
    if rules.goal == "empty":
        gain = sum(before.pits[player]) - sum(after.pits[player])
    return [int(after.extra_turn), after.captured, gain]


def seen(position: Position, seat: int, kind: str) -> list[int]:
    """The observation of a seat."""
    rules = position.rules
    order = [(seat + turn) % rules.players for turn in range(rules.players)]
    numbers = [n for s in order for n in board(position)[s]]
    if kind == "tactical":
        for s in order:
            for pit in range(rules.pits):
                numbers += prospect(position, s, pit)
    if rules.pie:
        numbers.append(int(position.pie == seat and position.to_move == seat and not position.is_over))
    if rules.tuzdik:
        numbers += [0 if position.tuzdiks[s] is None else 1 + position.tuzdiks[s] for s in order]
    if rules.resign and rules.players > 2:
        numbers += [position.places[s] or 0 for s in order]
    return numbers


def worth(position: Position, seat: int, reward: str) -> float:
    """What a seat has got by now: at the end, or when it is out."""
    players, place = position.rules.players, position.places[seat]
    if reward == "margin":
        lead = (position.scores[seat] - position.scores[1 - seat]) * position.is_over
        return lead / position.rules.total
    if not position.is_over and place is not None:
        return 1 - 2 * (place - 1) / (players - 1)
    return position.returns[seat]


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
        by_name = {agent.name: agent for agent in self.env.opponents}
        opponents = [by_name[name] for name in info["opponent"].split(" and ")]
        for number, (observation, mask, action) in enumerate(episode.decisions, start=1):
            assert position.to_move == seat
            assert observation.tolist() == seen(position, seat, self.env.observation), position
            assert np.flatnonzero(mask).tolist() == list(position.legal_moves), position
            last = number == len(episode.decisions)
            if action not in position.legal_moves:
                assert last and reward == -1 and info["illegal_move"] is True
                break
            assert "illegal_move" not in info or not last
            position = self._until_the_learner(position.play(action), seat, opponents)
            assert (position.to_move != seat) == last, position
            assert episode.rewards[number - 1] == pytest.approx(worth(position, seat, self.env.reward), abs=1e-6)
        self._check_end(position, seat, info)
        assert info["episode"]["l"] == len(episode.decisions)
        assert info["episode"]["r"] == pytest.approx(sum(episode.rewards), abs=1e-5)
        self.facts["episodes"] += 1

    def _until_the_learner(self, position: Position, seat: int, opponents: list[Hashed]) -> Position:
        self.facts["own extra turns"] += position.to_move == seat
        while position.to_move not in (None, seat) and position.places[seat] is None:
            position = position.play(opponents[(position.to_move - seat - 1) % position.rules.players].move(position))
            self.facts["extra turns of opponents"] += position.extra_turn
            self.facts["ends by the opponent"] += position.is_over
        self.facts["others play on"] += position.to_move not in (None, seat)
        self.facts["cut off"] += position.truncated
        return position

    def _check_end(self, position: Position, seat: int, info: dict[str, Any]) -> None:
        assert info["terminal_observation"].tolist() == seen(position, seat, self.env.observation)
        assert info["TimeLimit.truncated"] is False
        assert info["scores"] == position.scores
        if "illegal_move" in info:
            self.facts["illegal"] += 1
            return
        assert info.get("cut_off", False) == position.truncated
        outcome = worth(position, seat, "outcome")
        self.facts[f"seat {seat}: {'draw' if outcome == 0 else 'win' if outcome > 0 else 'loss'}"] += 1
