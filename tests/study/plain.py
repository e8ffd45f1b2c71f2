"""Puzzles and the facts behind hints by the oracle's rules: nothing here knows of solver, search or kernel."""

from __future__ import annotations

from typing import Any, NamedTuple

from mancala_rl import Position
from tests import reference
from tests.reference import State
from tests.reference.moves import sow_and_capture
from tests.reference.sowing import sow
from tests.twins import margin_of, state_from


class Oracle(NamedTuple):
    """A state of the oracle, under rules by which the pits alone decide what is still to come."""

    state: State

    @property
    def pits(self) -> Any:
        return self.state.pits

    @property
    def turn(self) -> int | None:
        return self.state.turn

    def legal(self) -> list[int]:
        return reference.legal(self.state)

    def play(self, move: int) -> Oracle:
        return Oracle(reference.play(self.state, move))

    def margin(self) -> int:
        return margin_of(self.state)

    def lead(self) -> int:
        is_race = self.state.settings.goal == "empty"
        return 0 if is_race else self.state.stores[0] - self.state.stores[1]


class PlainContest:
    """A contest in which the seat `solver` has to win, by trying everything."""

    def __init__(self, solver: int) -> None:
        self.solver = solver
        self._gains: dict[Any, int] = {}
        self._left: dict[Any, int] = {}

    def values(self, here: Oracle) -> dict[int, int]:
        """The final margin of the player to move for every legal move."""
        sign = -1 if here.turn else 1
        return {move: sign * self.margin(here.play(move)) for move in here.legal()}

    def margin(self, here: Oracle) -> int:
        """The final margin of seat 0 with best play of both."""
        if here.turn is None:
            return here.margin()
        key = here.pits, here.turn
        if key not in self._gains:
            after = [self.margin(here.play(move)) for move in here.legal()]
            self._gains[key] = (min(after) if here.turn else max(after)) - here.lead()
        return here.lead() + self._gains[key]

    def exact_moves(self, here: Oracle) -> int:
        """How many exact moves are left to find: the fewest for the solver, the most that best play can ask for."""
        if here.turn is None:
            return 0
        key = here.pits, here.lead(), here.turn
        if key not in self._left:
            values = self.values(here)
            mine = here.turn == self.solver
            good = [move for move, v in values.items() if (v > 0 if mine else v == max(values.values()))]
            left = [self.exact_moves(here.play(move)) for move in good]
            if mine:
                is_exact = len(good) == 1 and len(values) > 1
                self._left[key] = min(left) + is_exact if good else 0
            else:
                self._left[key] = max(left)
        return self._left[key]


def winning(here: Oracle) -> list[int]:
    """The moves that win, by following every line until it is won or not: exact values take much longer."""
    known: dict[Any, bool] = {}

    def wins(there: Oracle) -> bool:
        if there.turn is None:
            return there.margin() * sign > 0
        key = there.pits, there.lead(), there.turn
        if key not in known:
            choose = any if there.turn == here.turn else all
            known[key] = choose(wins(there.play(move)) for move in reversed(there.legal()))
        return known[key]

    sign = -1 if here.turn else 1
    return [move for move in here.legal() if wins(here.play(move))]


def oracle(position: Position) -> Oracle:
    return Oracle(state_from(position))


def passed(state: State) -> State:
    """The state as it would be if the player to move of two could pass."""
    assert state.turn is not None
    return state._replace(turn=1 - state.turn, swapper=None, extra=False)


def pits(state: State) -> list[int]:
    """The moves that sow."""
    return [move for move in reference.legal(state) if move < state.settings.pits]


def losses(state: State) -> dict[int, int]:
    """How many stones each move of the player to move takes from the pits of the other of two players."""
    assert state.turn is not None
    victim, found = 1 - state.turn, {}
    for move in pits(state):
        sown, _ = sow(state, move)
        found[move] = sum(sown[victim][:-1]) - sum(sow_and_capture(state, move).pits[victim])
    return found


def gains_of_end(state: State, move: int) -> list[int]:
    """What each seat gets of what is left when a move ends the game."""
    lying, after = sow_and_capture(state, move), reference.play(state, move)
    return [there - here for there, here in zip(after.stores, lying.stores, strict=True)]
