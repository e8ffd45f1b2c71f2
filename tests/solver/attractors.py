"""Exact values of games that can go on for ever, by the oracle's rules: what each side can force, gain by gain."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from mancala_rl import Rules
from tests import reference
from tests.reference import Settings, State
from tests.twins import margin_of, settings_from

Rows = tuple[tuple[int, ...], tuple[int, ...]]  # of the player to move, of the other
REST = {
    "stones": 1,
    "repetition": 0,
    "cycle_split": "own_side",
    "stop_when_decided": False,
    "sweep_when_decided": False,
}


class Moves(NamedTuple):
    """What the moves of a position are worth, and the positions that those which take no stone off the pits lead to."""

    worth: list[int]
    onward: list[Rows]


def all_values(rules: Rules, stones: int) -> dict[Rows, int]:
    """What the player to move gains over the other, for all positions with at most so many stones in the pits.

    An endless line is worth what was gained before, and nothing but the rules of the pits ends a game. Where the first
    to empty the own side wins, the value is the number of stones that are left, negative for the player to move if the
    other wins.
    """
    settings = settings_from(rules)._replace(**REST)
    values: dict[Rows, int] = {}
    for number in range(stones + 1):
        layer = {rows: moves_of(rows, settings, values) for rows in layer_of(rules.pits, number, rules.goal)}
        values |= layer_values(layer, number)
    return values


def layer_of(pits: int, stones: int, goal: str) -> Iterator[Rows]:
    """All positions of so many stones; both sides hold some where the first to empty the own side wins."""
    for bars in itertools.combinations(range(stones + 2 * pits - 1), 2 * pits - 1):
        edges = (-1, *bars, stones + 2 * pits - 1)
        row = tuple(b - a - 1 for a, b in itertools.pairwise(edges))
        if goal == "most" or (any(row[:pits]) and any(row[pits:])):
            yield row[:pits], row[pits:]


def moves_of(rows: Rows, settings: Settings, values: dict[Rows, int]) -> Moves:
    state = reference.end(State(settings, rows, (0, 0), 0))
    found = Moves([], [])
    if state.over:
        found.worth.append(gain_of(state))
    for move in reference.legal(state):
        after = reference.play(state, move)
        if after.over:
            found.worth.append(gain_of(after))
            continue
        following = after.pits[after.turn], after.pits[1 - after.turn]
        if sum(map(sum, after.pits)) == sum(map(sum, rows)):
            assert after.turn == 1
            found.onward.append(following)
        else:
            gain = after.stores[0] - after.stores[1] if settings.goal == "most" else 0
            found.worth.append(gain + (values[following] if after.turn == 0 else -values[following]))
    return found


def gain_of(state: State) -> int:
    """The margin of seat 0 at the end, but for the stones of the whole game that the winner of a race gets on top."""
    margin = margin_of(state)
    whole = 2 * state.settings.pits * state.settings.stones if state.settings.goal == "empty" else 0
    return margin - whole if margin > 0 else margin + whole


def layer_values(layer: dict[Rows, Moves], stones: int) -> dict[Rows, int]:
    """Find who can force what, from the largest gain down; a position for which nobody can force any is worth 0."""
    before = defaultdict(list)
    for rows, moves in layer.items():
        for following in moves.onward:
            before[following].append(rows)
    values = dict.fromkeys(layer, 0)
    for gain in range(1, stones + 1):
        wins, losses = forced(layer, before, gain)
        assert not wins & losses
        values |= dict.fromkeys(wins, gain) | dict.fromkeys(losses, -gain)
    return values


def forced(layer: dict[Rows, Moves], before: dict[Rows, list[Rows]], gain: int) -> tuple[set[Rows], set[Rows]]:
    """The positions in which the player to move can force a gain, and those in which the other can."""
    wins = {rows for rows, moves in layer.items() if max(moves.worth, default=-gain) >= gain}
    unrefuted = {rows: len(moves.onward) for rows, moves in layer.items() if max(moves.worth, default=-gain) <= -gain}
    losses = {rows for rows, left in unrefuted.items() if left == 0}
    new = [(rows, True) for rows in wins] + [(rows, False) for rows in losses]
    while new:
        rows, won = new.pop()
        for earlier in before[rows]:
            if not won and earlier not in wins:
                wins.add(earlier)
                new.append((earlier, True))
            elif won and earlier in unrefuted:
                unrefuted[earlier] -= 1
                if unrefuted[earlier] == 0 and earlier not in losses:
                    losses.add(earlier)
                    new.append((earlier, False))
    return wins, losses
