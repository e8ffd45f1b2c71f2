"""Minimax: the exact values of the moves of a position, and the player that goes by them."""

import dataclasses
import functools
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.agent import check_batch, equal_chances, spell
from mancala_rl.errors import BadInputError
from mancala_rl.rules import Batch, Position, Rules
from mancala_rl.search.frame import INFINITY
from mancala_rl.search.guard import check_number
from mancala_rl.search.heuristic import MARGIN
from mancala_rl.search.limited import MAX_NODES, PLACES, UNINTERRUPTED, LimitedSearch, Limits, checked_heuristic
from mancala_rl.search.maxn import standings
from mancala_rl.search.workspace import MAX_DEPTH, TABLE_MIB, Workspace, check_depth, pick_moves, places_within

DEPTH = 4  # of a player without any limit
_LAST_PLIES = 6  # at most so many are searched again for a line


@dataclasses.dataclass(frozen=True)
class Analysis:
    """What a search found out about a position.

    A value is the margin of the player to move over the other one `depth` plies later, or at the end of the game if
    that comes sooner, when each plays for the best margin of its own. With a heuristic it is the heuristic's, in units
    of which a stone of margin is heuristic[0]. For P > 2 players it is the margin over the mean of the others, times
    P - 1. Where the first to empty the own side wins, stones left on it count against a player, and a place counts more
    than all stones.

    Attributes:
        values: the exact value of each action, None where it is illegal.
        value: the largest of them.
        best_move: the lowest action that reaches it.
        principal_variation: best moves from here on, at most `depth`, the lowest among equals each time. A search
            within limits keeps one that may be shorter, of which only the first move is the lowest.
        nodes: moves the search played, those that find the principal variation included.
        depth: plies looked ahead; an extra turn is a ply.
        lines: the best line that begins with each action, () where it is illegal; that of the best move is then the
            principal variation. A few are shorter than the search, where its table knew the rest. None if they were not
            asked for.
        action_seat_values: what every seat gets by each of these lines, in the terms of a value, None where the action
            is illegal. None for two players, or if lines were not asked for.
    """

    values: tuple[int | None, ...]
    value: int
    best_move: int
    principal_variation: tuple[int, ...]
    nodes: int
    depth: int
    lines: tuple[tuple[int, ...], ...] | None = None
    action_seat_values: tuple[tuple[int, ...] | None, ...] | None = None


def minimax(
    position: Position,
    depth: int | None = None,
    *,
    time: float | None = None,
    nodes: int | None = None,
    heuristic: Sequence[int] = MARGIN,
    table_mib: float = TABLE_MIB,
    lines: bool = False,
) -> Analysis:
    """Return the values of all moves of `position` to `depth` plies, or as deep as the limits allow.

    Two players are searched with alpha-beta, more by max^n: each plays for its own value, the lowest of moves that are
    equal to it.

    Args:
        position: where to begin.
        depth: the most plies; needed unless there is another limit.
        time: seconds. The search goes one ply deeper each time, and the last depth it could finish counts. One ply is
            always finished, and the clock starts after it, so that compiling takes nothing of the time. The search ends
            before if it has seen the ends of all games.
        nodes: moves played, with the same effect; unlike a time it gives the same result everywhere.
        heuristic: for two players, what counts at the horizon, four weights: of the margin, of the stones in the own
            pits, of the pits that hold stones, each less the other side's, and of having the turn. At the end of a game
            the margin alone counts.
        table_mib: the most memory the transposition table may take, in MiB; its size changes no value.
        lines: whether to find the line behind every move too.

    Raises:
        BadInputError: a depth outside 1..1000, none without another limit, a time or nodes not above 0, weights that do
            not fit, or a position that is over.
    """
    if position.is_over:
        raise BadInputError(f"minimax of {position}: the game is over; give a position with a player to move")
    limits = limits_of(depth, time, nodes)
    check_number("table_mib", table_mib, 0)
    if is_plain(position.rules, limits, heuristic) and not lines:
        return _to_depth(position, limits.depth, table_mib)
    if lines and time is None and nodes is None:
        limits = Limits(limits.depth, nodes=MAX_NODES)  # so that it goes one ply deeper each time
    places = min(places_within(table_mib), places_for(limits))
    search = LimitedSearch(position.rules, limits.depth, heuristic, places)
    found, count = search.run(position.row, limits, 2 * INFINITY)
    value, best = _best_of(found.values)
    analysis = Analysis(found.values, value, best, found.lines[best], count, found.depth)
    return _with_lines(position, analysis, found.lines, heuristic) if lines else analysis


def _to_depth(position: Position, depth: int, table_mib: float) -> Analysis:
    workspace = Workspace(position.rules, depth, table_mib)
    values, count = workspace.values_of(position, depth)
    line, more = workspace.line_from(position, depth)
    return Analysis(values, *_best_of(values), line, count + more, depth)


def _with_lines(
    position: Position, analysis: Analysis, lines: tuple[tuple[int, ...], ...], heuristic: Sequence[int]
) -> Analysis:
    """Complete the lines, of which a search keeps no last plies, and say above two players what every seat gets."""
    whole, seats, nodes = list[tuple[int, ...]](), list[tuple[int, ...] | None](), analysis.nodes
    for line in lines:
        end = functools.reduce(Position.play, line, position)
        while line and not end.is_over and 0 < (left := analysis.depth - len(line)) <= _LAST_PLIES:
            rest = minimax(end, left, heuristic=heuristic)
            line, nodes = line + rest.principal_variation, nodes + rest.nodes
            end = functools.reduce(Position.play, rest.principal_variation, end)
        whole.append(line)
        seats.append(standings(end) if line else None)
    return dataclasses.replace(
        analysis,
        principal_variation=whole[analysis.best_move],
        nodes=nodes,
        lines=tuple(whole),
        action_seat_values=tuple(seats) if position.rules.players > 2 else None,
    )


def _best_of(values: tuple[int | None, ...]) -> tuple[int, int]:
    """Return the largest value and the lowest action that reaches it."""
    value = max(value for value in values if value is not None)
    return value, values.index(value)


def limits_of(depth: int | None, time: float | None, nodes: int | None) -> Limits:
    """Return the limits of a search; any depth will do if there is another one.

    Raises:
        BadInputError: one that cannot be, or none at all.
    """
    if depth is not None or (time is None and nodes is None):
        check_depth(depth)
    return Limits(MAX_DEPTH if depth is None else depth, time, nodes)


def is_plain(rules: Rules, limits: Limits, heuristic: Sequence[int]) -> bool:
    """Return whether the search of fixed depth, which is faster, can do without what is asked for."""
    return rules.players == 2 and limits.time is None and limits.nodes is None and tuple(heuristic) == MARGIN


def places_for(limits: Limits) -> int:
    """Return how many entries of a table a search within limits can fill, as a power of two."""
    return PLACES if limits.nodes is None else min(PLACES, 1 << int(limits.nodes).bit_length())


class Minimax:
    """Searches `depth` plies with the store margin as its measure, or as deep as its limits allow; see `minimax`.

    Among equally good moves it plays the lowest, as `Analysis.best_move` does, or with `random_ties` one by chance.
    Within a limit of time or nodes a forced move is not searched.

    Args:
        rules: the variant.
        depth: plies; 4 if there is no limit at all.
        random_ties: whether chance decides between equally good moves.
        name: what the agent is called.
        time: seconds a move. What it plays then depends on the machine.
        nodes: moves tried in its search for a move.
        heuristic: what counts at the horizon.

    Raises:
        BadInputError: a depth outside 1..1000, a time or nodes not above 0, or weights that do not fit.
    """

    def __init__(
        self,
        rules: Rules,
        depth: int | None = None,
        random_ties: bool = False,
        name: str | None = None,
        *,
        time: float | None = None,
        nodes: int | None = None,
        heuristic: Sequence[int] = MARGIN,
    ) -> None:
        if depth is None and time is None and nodes is None:
            depth = DEPTH
        limits = limits_of(depth, time, nodes)
        checked_heuristic(heuristic, rules)
        self.rules, self.depth, self.random_ties = rules, limits.depth, random_ties
        self.name = name or spell("minimax", {"depth": depth, "random_ties": random_ties, "time": time, "nodes": nodes})
        self._limits, self._heuristic = limits, tuple(heuristic)
        self._local = threading.local()  # threads may share the agent, but not the arrays of a search

    def act(self, batch: Batch, seeds: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return one move a game, int64[B]; `seeds: int64[B]` decide between equally good ones if `random_ties`.

        Raises:
            AgentError: games of other rules.
        """
        best = self._best(batch)
        pick_moves(best, seeds)
        return best

    def distribution(self, batch: Batch) -> NDArray[np.float64]:
        """Return how likely every action is, float64[B, num_actions]; with a limit of time, by a single search.

        Raises:
            AgentError: games of other rules.
        """
        return equal_chances(self._best(batch), self.rules.num_actions)

    def _best(self, batch: Batch) -> NDArray[np.int64]:
        """Return the bit sets of the moves that may be played, int64[B]."""
        check_batch(self.name, self.rules, batch)
        if is_plain(self.rules, self._limits, self._heuristic):
            best = self._best_to_depth(batch.rows)
        else:
            best = self._best_within_limits(batch)
        return best if self.random_ties else best & -best

    def _best_to_depth(self, rows: NDArray[np.int16]) -> NDArray[np.int64]:
        """Return the bit sets of the best moves, int64[B]."""
        workspace, games = self._workspace(), max(UNINTERRUPTED // 3**self.depth, 1)
        if len(rows) <= games:
            return workspace.best_moves(rows, self.depth)[0]
        parts = (rows[first : first + games] for first in range(0, len(rows), games))
        return np.concatenate([workspace.best_moves(part, self.depth)[0] for part in parts])

    def _best_within_limits(self, batch: Batch) -> NDArray[np.int64]:
        """Return the bit sets of the best moves, int64[B]; a forced move is not searched where depth grows."""
        if not hasattr(self._local, "search"):
            self._local.search = LimitedSearch(self.rules, self.depth, self._heuristic, places_for(self._limits))
        search: LimitedSearch = self._local.search
        deepens = self._limits.time is not None or self._limits.nodes is not None
        bits = batch.legal_bits()
        for g, legal in enumerate(bits.tolist()):
            if legal & (legal - 1) or not deepens:
                values = search.run(batch.rows[g], self._limits, 1)[0].values
                value = max(v for v in values if v is not None)
                bits[g] = sum(1 << action for action, v in enumerate(values) if v == value)
        return bits

    def _workspace(self) -> Workspace:
        if not hasattr(self._local, "workspace"):
            self._local.workspace = Workspace(self.rules, self.depth)
        workspace: Workspace = self._local.workspace
        return workspace

    def __reduce__(self) -> tuple[Any, ...]:
        options: dict[str, Any] = {"time": self._limits.time, "nodes": self._limits.nodes, "heuristic": self._heuristic}
        make = functools.partial(Minimax, **options)
        return make, (self.rules, self.depth, self.random_ties, self.name)
