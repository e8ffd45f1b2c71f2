"""Puzzles: positions late in a game in which a single move wins, and after it more such moves have to be found."""

import contextlib
import dataclasses
import datetime as dt
import functools
import re

from mancala_rl.errors import BadInputError
from mancala_rl.kernel import combine
from mancala_rl.progress import Progress
from mancala_rl.rules import Position, Rules, variant
from mancala_rl.rules.numbers import check_whole
from mancala_rl.study.contest import contest_at
from mancala_rl.study.endgames import endgames
from mancala_rl.study.exact import Exact, exact_for

DIFFICULTY = 3  # exact moves, unless the caller says otherwise
SEEDS = 2**32
MOST = 10_000  # puzzles at a time
_GAMES = 10_000  # played for one puzzle, at most
_STONES = 14  # in the pits of a puzzle, at most
_KEPT = 4096  # of the puzzles found last
_REPETITIONS = 100  # of puzzles that are in the list already


@dataclasses.dataclass(frozen=True)
class Puzzle:
    """A position in which exactly one move of the player to move wins.

    Attributes:
        position: where it begins.
        move: the one that wins; every other draws or loses.
        value: the margin if both sides play perfectly, in the terms of `mancala_rl.solver.Solution`.
        difficulty: exact moves that the solver has to find, `move` included: those that are the only one of several
            legal moves that wins. The defence plays its best moves, and of equals those after which most have to be
            found; the solver has no way to win that asks for fewer.
        line: the actions of both sides to the end of the game, with as many exact moves as `difficulty` says.
    """

    position: Position
    move: int
    value: int
    difficulty: int
    line: tuple[int, ...]


def puzzles(
    rules: Rules | str = "kalah",
    count: int = 1,
    seed: int = 0,
    *,
    difficulty: int = DIFFICULTY,
    progress: Progress | None = None,
) -> list[Puzzle]:
    """Return different puzzles, the same on every machine; fewer are the first of more.

    Args:
        rules: any that `mancala_rl.study.exact.Exact` takes.
        count: how many.
        seed: in [0, 2**32); `seed_of_day` has the one of a day.
        difficulty: the fewest exact moves that a puzzle asks for.
        progress: called with the number of puzzles found, after each.

    Raises:
        BadInputError: a number out of range, other rules, or rules under which there are too few of such puzzles.
    """
    check_whole("count", count, 1, MOST)
    found: dict[Position, Puzzle] = {}
    for number in range(count + _REPETITIONS):
        puzzle = numbered_puzzle(rules, seed, number, difficulty=difficulty)
        found.setdefault(puzzle.position, puzzle)
        if progress is not None:
            progress(len(found))
        if len(found) == count:
            return list(found.values())
    raise BadInputError(
        f"{variant(rules)}: only {len(found)} of {number + 1} puzzles are different; "
        "take fewer, a lower difficulty or a larger board"
    )


def numbered_puzzle(rules: Rules | str, seed: int, number: int, *, difficulty: int = DIFFICULTY) -> Puzzle:
    """Return one puzzle of the endless list that belongs to a seed; in it a puzzle may come more than once.

    Raises:
        BadInputError: as `puzzles` does.
    """
    check_whole("seed", seed, 0, SEEDS - 1)
    check_whole("difficulty", difficulty, 1, MOST)
    return _found(variant(rules), seed, number, difficulty)


@functools.lru_cache(maxsize=_KEPT)
def _found(rules: Rules, seed: int, number: int, difficulty: int) -> Puzzle:
    chance, stones = int(combine(seed, number)), _stones(exact_for(rules))
    for position in endgames(rules, chance, _GAMES, *stones):
        puzzle = puzzle_at(position)
        if puzzle is not None and puzzle.difficulty >= difficulty:
            return puzzle
    raise BadInputError(
        f"{rules}: no puzzle of difficulty {difficulty} at the ends of {_GAMES:,} games; "
        "take a lower difficulty or a larger board"
    )


def puzzle_at(position: Position) -> Puzzle | None:
    """Return the puzzle that a position is, None if it is none: not exactly one of several moves wins.

    Raises:
        BadInputError: a position that is over or has too many stones in the pits, or rules that `puzzles` refuses.
    """
    contest = contest_at(position)
    values = contest.exact.values(position)
    winning = [move for move in values if values[move] > 0]
    if len(winning) != 1 or len(values) == 1:
        return None
    line = tuple(move for _, move in contest.line(position))
    return Puzzle(position, winning[0], values[winning[0]], contest.exact_moves(position), line)


def _stones(exact: Exact) -> tuple[int, int]:
    """Return the fewest and the most stones that a game is played down to."""
    most = min(exact.stones_at_once, exact.rules.total // 2, _STONES)
    return max(most // 2, 1), max(most, 1)


def seed_of_day(day: dt.date | str) -> int:
    """Return the seed of a day, as in 20261201.

    Raises:
        BadInputError: no day, or none that is written as in 2026-12-01.
    """
    if isinstance(day, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", day, re.ASCII):
        with contextlib.suppress(ValueError):
            day = dt.date.fromisoformat(day)
    if not isinstance(day, dt.date):
        raise BadInputError(f"date {day!r}: expected a day as in 2026-12-01")
    return (day.year * 100 + day.month) * 100 + day.day
