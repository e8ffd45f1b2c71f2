"""`Workers`: threads that share the games of a batch in ranges."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any, TypeVar

T = TypeVar("T")


class Workers:
    """Run the same work on ranges of games, in as many threads as there are ranges.

    The kernels release the GIL and touch only their own rows, so the ranges run at the same time and no result depends
    on how many there are. The threads start with the first work and end with `close` or the interpreter.

    Args:
        games: to be shared.
        threads: at least 1; no more than there are games are used.
    """

    def __init__(self, games: int, threads: int) -> None:
        count = max(1, min(threads, games))
        ends = [games * number // count for number in range(count + 1)]
        self._ranges = list(pairwise(ends))
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0  # in which the threads run: a fork has none of them

    def run(self, work: Callable[[int, int], T]) -> list[T]:
        """Return what `work(lo, hi)` returns for every range, in their order; an error in any of them is raised."""
        first, *others = self._ranges
        if not others:
            return [work(*first)]
        if self._pool is None or self._process != os.getpid():
            self._pool = ThreadPoolExecutor(len(others), thread_name_prefix="mancala-games")
            self._process = os.getpid()
        waiting = [self._pool.submit(work, *bounds) for bounds in others]
        try:
            own_part = work(*first)
        finally:
            wait(waiting)  # else they would go on writing behind the error
        return [own_part, *(future.result() for future in waiting)]

    def close(self) -> None:
        """End the threads; the next work starts them anew."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_pool": None}
