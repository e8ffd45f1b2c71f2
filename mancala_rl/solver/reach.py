"""All positions that games can pass through when one seat keeps to a policy, and what each is worth to that seat.

Positions are numbered as they are met from the start, 0, each once, however many ways lead there. `children: int32[N,
A]` holds the number of the position after every action, -1 for one that is illegal or that the policy never plays.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.errors import TooLargeError
from mancala_rl.kernel import kernel, layout, margin, play_range
from mancala_rl.progress import Progress
from mancala_rl.rules import Batch, Rules
from mancala_rl.rules.scoring import returns
from mancala_rl.solver.numbering import Numbering
from mancala_rl.solver.policy import Chances

_AT_ONCE = 1 << 16  # positions that a policy is asked about


class Reach:
    """The positions of the games in which `seat` plays by `chances` and the other seat plays anything.

    Args:
        rules: for two players, without memory.
        seat: of the policy.
        chances: what the policy plays.
        payoff: outcome or margin, see `mancala_rl.solver.exploit`.
        limit: the most positions.
        progress: called with the number of positions met so far.

    Raises:
        TooLargeError: more positions than the limit.
        RunError: too little memory.
    """

    def __init__(
        self, rules: Rules, seat: int, chances: Chances, payoff: str, limit: int, progress: Progress | None
    ) -> None:
        self._rules, self._seat, self._chances, self._payoff = rules, seat, chances, payoff
        self._children: list[NDArray[np.int32]] = []
        self._shares: list[NDArray[np.float64]] = [np.zeros((0, rules.num_actions))]
        self._share_rows: list[NDArray[np.int32]] = []
        self._worth: list[NDArray[np.float64]] = []
        self._shared = 0  # positions at which the policy has been asked
        self.positions = self._list(limit, progress)

    def value(self) -> float:
        """Return what the start is worth to the seat of the policy."""
        children, worth = _joined(self._children), _joined(self._worth)
        order = np.zeros(len(worth), np.int32)
        put_in_order(children, np.zeros(len(worth), np.int32), order)
        back_up(order, children, _joined(self._share_rows), _joined(self._shares), worth)
        return float(worth[0])

    def _list(self, limit: int, progress: Progress | None) -> int:
        """Go through the positions in the order of their numbers; return how many there are."""
        numbering, start = Numbering(self._rules), self._rules.start().row[None]
        numbering.of(start)
        ply = [start]
        while ply:
            following: list[NDArray[np.int16]] = []
            for rows in _pieces(ply):
                following.append(self._expand(rows, numbering))
                if numbering.count > limit:
                    raise TooLargeError(
                        f"{self._rules}: more than {limit:,} positions to list; take a smaller board, a higher limit "
                        "or sampled openings"
                    )
                if progress is not None:
                    progress(numbering.count)
            ply = [rows for rows in following if len(rows)]
        return numbering.count

    def _expand(self, rows: NDArray[np.int16], numbering: Numbering) -> NDArray[np.int16]:
        """Take in some positions, and return those that follow and were not met before."""
        batch = Batch(self._rules, rows)
        wanted = batch.legal()
        asked = np.flatnonzero(batch.to_move == self._seat)
        if len(asked):
            shares = self._chances(batch.select(asked), wanted[asked])
            self._shares.append(shares)
            wanted[asked] &= shares > 0
        share_rows = np.full(len(rows), -1, np.int32)
        share_rows[asked] = self._shared + np.arange(len(asked))
        self._shared += len(asked)
        parents, moves = np.nonzero(wanted)
        after = rows[parents]
        play_range(0, len(after), after, moves, self._rules.array)
        numbers, first = numbering.of(after)
        children = np.full(wanted.shape, -1, np.int32)
        children[parents, moves] = numbers
        self._children.append(children)
        self._share_rows.append(share_rows)
        self._worth.append(self._final(rows))
        return after[first]

    def _final(self, rows: NDArray[np.int16]) -> NDArray[np.float64]:
        """Return what the games that are over are worth to the seat, 0 for the others."""
        if self._payoff == "outcome":
            return returns(rows, self._rules)[:, self._seat].copy()
        over = np.flatnonzero(rows[:, self._rules.num_cells + layout.OVER] != layout.PLAYING)
        worth = np.zeros(len(rows))
        worth[over] = margins(rows[over], self._rules) * (-1 if self._seat else 1)
        return worth


def margins(rows: NDArray[np.int16], rules: Rules) -> NDArray[np.float64]:
    """Return the margins of seat 0 over seat 1, float64[B]; see `mancala_rl.kernel.moves.margin`."""
    found = np.empty(len(rows), np.float64)
    _margins(0, len(rows), rows, found, rules.array)
    return found


def _joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    """Return arrays as one, and empty their list: they are large."""
    whole = np.concatenate(parts)
    parts.clear()
    return whole


def _pieces(ply: list[NDArray[np.int16]]) -> list[NDArray[np.int16]]:
    """Return the rows of a list of arrays in order, cut so that a policy is asked about enough and not too many."""
    rows = _joined(ply)
    return [rows[begin : begin + _AT_ONCE] for begin in range(0, len(rows), _AT_ONCE)]


@kernel
def put_in_order(children, waiting, order):  # type: ignore[no-untyped-def]
    """Write the numbers of all positions into `order: int32[N]` so that each stands before its children.

    `waiting: int32[N]`, 0 at first, counts the moves to a position from others that do not stand there yet.
    """
    for parent in range(len(children)):
        for action in range(children.shape[1]):
            if children[parent, action] >= 0:
                waiting[children[parent, action]] += 1
    order[0] = 0
    end = 1
    for place in range(len(order)):
        for action in range(children.shape[1]):
            child = int(children[order[place], action])
            if child >= 0:
                waiting[child] -= 1
                if waiting[child] == 0:
                    order[end] = child
                    end += 1


@kernel
def back_up(order, children, share_rows, shares, worth):  # type: ignore[no-untyped-def]
    """Set the worth of every position from the last to the first: a mean where the policy moves, else the least.

    Args:
        order: int32[N], see `put_in_order`.
        children: int32[N, A].
        share_rows: int32[N], the row in `shares` of a position at which the policy moves, else -1.
        shares: float64[M, A], how likely it is to play each action.
        worth: float64[N], to the seat of the policy; that of games that are over is given.
    """
    for place in range(len(order) - 1, -1, -1):
        number = int(order[place])
        row = int(share_rows[number])
        mean, least, count = 0.0, np.inf, 0
        for action in range(children.shape[1]):
            child = int(children[number, action])
            if child >= 0:
                count += 1
                least = min(least, worth[child])
                if row >= 0:
                    mean += shares[row, action] * worth[child]
        if count:
            worth[number] = mean if row >= 0 else least


@kernel
def _margins(lo, hi, rows, found, r):  # type: ignore[no-untyped-def]
    for g in range(lo, hi):
        found[g] = margin(rows, g, r)
