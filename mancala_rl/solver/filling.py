"""Filling a database layer by layer, in threads: one sweep of packed boards, or retrograde analysis."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.progress import Progress
from mancala_rl.rules import Rules
from mancala_rl.solver.file import Header
from mancala_rl.solver.layers import fill_block
from mancala_rl.solver.packing import Packing
from mancala_rl.solver.ranking import fill_rows, layer_size, positions_up_to, row_count
from mancala_rl.solver.retrograde import improve, list_block
from mancala_rl.solver.scope import future_rules, is_swept

Task = tuple[int, Callable[[], int | None]]  # positions, and what to do with them
LISTED_AT_ONCE = 1 << 18  # positions whose moves one compiled call lists: half a second, so that Ctrl-C is heard
IMPROVED_AT_ONCE = 1 << 20


def bytes_needed(rules: Rules, stones: int) -> int:
    """Return the bytes of memory that the build of a database takes: values, rows and, unless swept, lists of moves."""
    pits = rules.pits
    rows = 8 * sum(row_count(pits, held) for held in range(stones + 1))
    lists = 0 if is_swept(rules) else layer_size(pits, stones) * (4 * pits + 1)
    return positions_up_to(pits, stones) + rows + lists


def filled_layers(
    header: Header, rules: Rules, values: NDArray[np.uint8], threads: int, tell: Progress
) -> Iterator[int]:
    """Fill the layers that are not finished yet, and yield the stones of each when it is."""
    build = (_Sweep if is_swept(rules) else _Retrograde)(header, rules, values)
    with ThreadPoolExecutor(threads) as pool:
        try:
            for stones in range(len(header.layers), header.stones + 1):
                build.fill(stones, _Pool(pool, tell))
                tell(header.layer(stones).stop)
                yield stones
        finally:
            pool.shutdown(cancel_futures=True)  # after Ctrl-C too: what has not begun is not begun any more


class _Pool:
    """Threads that share tasks, and whom to tell how far they are."""

    def __init__(self, pool: ThreadPoolExecutor, tell: Progress) -> None:
        self._pool, self.tell = pool, tell

    def run(self, tasks: list[Task], done: int | None = None) -> int:
        """Do all tasks, the longest first, so that the threads end together; return the sum of what they return.

        With `done`, positions that were finished before, tell how many are finished after each task.
        """
        futures = {self._pool.submit(call): size for size, call in sorted(tasks, key=lambda task: -task[0])}
        total = 0
        for future in as_completed(futures):
            total += future.result() or 0
            if done is not None:
                done += futures[future]
                self.tell(done)
        return total


class _Filling:
    """What both ways have in common: the arrays of all layers."""

    def __init__(self, header: Header, rules: Rules, values: NDArray[np.uint8]) -> None:
        self._header, self._pits, self._values = header, header.pits, values
        self._packing = Packing(rules, header.stones)
        self._rows = np.zeros(sum(row_count(header.pits, stones) for stones in range(header.stones + 1)), np.int64)
        fill_rows(self._rows, header.stones, self._packing.q, self._packing.w)


class _Sweep(_Filling):
    """Rules of the packed board: see `mancala_rl.solver.layers`."""

    def fill(self, stones: int, pool: _Pool) -> None:
        """Fill a layer."""
        pool.run([self._task(stones, less) for less in range(stones // 2 + 1)], self._header.layer(stones).start)

    def _task(self, stones: int, less: int) -> Task:
        """Return the positions with `less` stones in one row, whoever moves, and how to fill them."""
        sides = 1 if 2 * less == stones else 2
        size = sides * row_count(self._pits, less) * row_count(self._pits, stones - less)
        arguments = self._values, self._rows, self._header.step, self._packing.q, self._packing.w
        return size, lambda: fill_block(stones, less, *arguments)


class _Retrograde(_Filling):
    """All other rules: see `mancala_rl.solver.retrograde`."""

    def __init__(self, header: Header, rules: Rules, values: NDArray[np.uint8]) -> None:
        super().__init__(header, rules, values)
        self._rules = future_rules(rules)
        largest = layer_size(header.pits, header.stones)
        self._moves = np.empty((largest, header.pits), np.int32)
        self._outright = np.empty(largest, np.int8)

    def fill(self, stones: int, pool: _Pool) -> None:
        """Fill a layer."""
        place = self._header.layer(stones)
        pool.run([self._listing(stones, *block) for block in self._blocks(stones)], place.start)
        layer, size = self._values[place], place.stop - place.start
        layer[:] = stones  # 0 for all
        starts = range(0, size, IMPROVED_AT_ONCE)
        while pool.run(
            [self._improving(stones, layer, first, min(first + IMPROVED_AT_ONCE, size)) for first in starts]
        ):
            pass

    def _blocks(self, stones: int) -> Iterator[tuple[int, int, int]]:
        """Yield stones in the row to move, and the first and last + 1 of its ranks, of not too many positions each."""
        for own in range(stones + 1):
            ranks, others = row_count(self._pits, own), row_count(self._pits, stones - own)
            step = max(1, LISTED_AT_ONCE // others)
            for first in range(0, ranks, step):
                yield own, first, min(first + step, ranks)

    def _listing(self, stones: int, own: int, first: int, last: int) -> Task:
        size = (last - first) * row_count(self._pits, stones - own)
        scratch = np.zeros((2, self._rules.row_length), np.int16)
        arrays: Any = self._values, self._moves, self._outright, scratch, self._rows
        tables = self._packing.q, self._packing.w, self._rules.array
        return size, lambda: list_block(stones, own, first, last, *arrays, *tables)

    def _improving(self, stones: int, layer: NDArray[np.uint8], first: int, last: int) -> Task:
        return last - first, lambda: improve(first, last, stones, layer, self._moves, self._outright)
