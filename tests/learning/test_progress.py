"""What a person sees of a training run."""

import io

import pytest
from rich.console import Console

from mancala_rl.learning import progress
from mancala_rl.learning.progress import TrainingProgress


class Clock:
    """A clock that stands still until it is told."""

    def __init__(self, monkeypatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(progress.time, "monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def test_the_bar_shows_steps_and_games_a_second_and_the_time_left(clock):
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=120, color_system=None)
    with TrainingProgress(100_000, step=20_000, games=700, console=console) as bar:
        clock.now += 10
        bar.update(50_000, 1700)
    shown = screen.getvalue()
    assert "training" in shown and " 50%" in shown
    assert "3,000 steps/s  100 games/s  0:00:17 left" in shown


def test_without_a_terminal_there_is_a_line_now_and_then(clock):
    screen = io.StringIO()
    with TrainingProgress(1000, console=Console(file=screen)) as bar:
        for step in range(0, 1001, 100):
            bar.update(step, step // 20)
            clock.now += 7
    lines = screen.getvalue().splitlines()
    assert lines[0] == "training  30%  14 steps/s  1 games/s  0:00:49 left"
    assert len(lines) == 3


def test_a_run_that_goes_beyond_its_end_shows_no_more_than_all_and_no_time_left(clock):
    screen = io.StringIO()
    with TrainingProgress(1000, console=Console(file=screen)) as bar:
        clock.now += 30
        bar.update(1024, 9)
    assert screen.getvalue() == "training 100%  34 steps/s  0 games/s  0:00:00 left\n"
