"""The progress of a training run on the screen: a bar in a terminal, a line now and then elsewhere."""

import time
from datetime import timedelta

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from mancala_rl.progress import LINE_EVERY


class TrainingProgress:
    """Shows steps/s, games/s and the time left; use it as a context manager.

    Args:
        total: steps of the whole run.
        step: steps made before, in an earlier session of a run that is resumed.
        games: games ended before.
        console: where to; standard error if left out.
    """

    def __init__(self, total: int, step: int = 0, games: int = 0, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True)
        self._total, self._first_step, self._first_games = total, step, games
        self._start = self._last_line = time.monotonic()
        columns = (TextColumn("training"), BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[speed]}"))
        self._bar = Progress(*columns, console=self._console)
        self._task = self._bar.add_task("training", total=total, completed=step, speed="")

    def __enter__(self) -> "TrainingProgress":
        if self._console.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *exc: object) -> None:
        if self._console.is_terminal:
            self._bar.stop()

    def update(self, step: int, games: int) -> None:
        """Show that `step` decisions have been made and `games` games have ended."""
        now = time.monotonic()
        speed = self._speed(step, games, max(now - self._start, 1e-9))
        done = min(step, self._total)  # the last rollout is always whole and may go past the end
        self._bar.update(self._task, completed=done, speed=speed)
        if not self._console.is_terminal and now - self._last_line >= LINE_EVERY:
            self._last_line = now
            self._console.print(f"training {done / self._total:4.0%}  {speed}", highlight=False, soft_wrap=True)

    def _speed(self, step: int, games: int, seconds: float) -> str:
        """Return steps/s, games/s and the time left in words, by the mean speed since the start."""
        steps_a_second = max(step - self._first_step, 1) / seconds
        games_a_second = (games - self._first_games) / seconds
        left = timedelta(seconds=round(max(self._total - step, 0) / steps_a_second))
        return f"{steps_a_second:,.0f} steps/s  {games_a_second:,.0f} games/s  {left} left"
