"""The progress of a training run on the screen: a bar in a terminal, a line now and then elsewhere."""

import time

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

LINE_EVERY = 20.0  # seconds between two lines where there is no terminal


class TrainingProgress:
    """Shows steps, steps/s, games/s and the time left; use it as a context manager."""

    def __init__(self, total: int, done: int, games: int) -> None:
        self._console = Console(stderr=True)
        self._total, self._first, self._first_games = total, done, games
        self._start = self._last_line = time.monotonic()
        columns = (TextColumn("training"), BarColumn(), TextColumn("{task.percentage:>3.0f}% {task.fields[speed]}"))
        self._bar = Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=self._console)
        self._task = self._bar.add_task("training", total=total, completed=done, speed="")

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
        seconds = max(now - self._start, 1e-9)
        rate = (step - self._first) / seconds
        speed = f"{rate:,.0f} steps/s {(games - self._first_games) / seconds:,.0f} games/s"
        self._bar.update(self._task, completed=step, speed=speed)
        if not self._console.is_terminal and now - self._last_line >= LINE_EVERY:
            self._last_line = now
            left = (self._total - step) / rate if rate else float("inf")
            self._console.print(f"training {step / self._total:4.0%}  {speed}  {left / 60:.1f} min left", highlight=False)
