"""Agents small enough to be seen through, for tests of the arena."""

import numpy as np
from numpy.typing import NDArray

from mancala_rl.kernel import pick_bit
from mancala_rl.rules import Batch, Rules


class Chance:
    """Any legal move, drawn with the seed; counts its calls and the games in them."""

    def __init__(self, rules: Rules, name: str = "chance") -> None:
        self.rules, self.name = rules, name
        self.calls: list[int] = []

    def act(self, batch: Batch, seeds: NDArray[np.int64]) -> NDArray[np.int64]:
        self.calls.append(len(batch))
        bits = batch.legal_bits().tolist()
        return np.array([pick_bit(b, seed) for b, seed in zip(bits, seeds.tolist(), strict=True)], np.int64)


class Nearest:
    """The legal pit next to the own store; no chance in it."""

    def __init__(self, rules: Rules, name: str = "nearest") -> None:
        self.rules, self.name = rules, name

    def act(self, batch: Batch, seeds: NDArray[np.int64]) -> NDArray[np.int64]:
        legal = batch.legal()
        return legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)


class Farthest:
    """The legal pit farthest from the own store; no chance in it."""

    def __init__(self, rules: Rules, name: str = "farthest") -> None:
        self.rules, self.name = rules, name

    def act(self, batch: Batch, seeds: NDArray[np.int64]) -> NDArray[np.int64]:
        return batch.legal().argmax(axis=1)


class Answers:
    """Whatever it is told to return."""

    def __init__(self, rules: Rules, answer) -> None:
        self.rules, self.name, self.answer = rules, "broken", answer

    def act(self, batch: Batch, seeds: NDArray[np.int64]):
        return self.answer(batch)
