"""The command `puzzles`."""

import datetime as dt
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from tyro.conf import arg

from mancala_rl.cli.output import show, show_json
from mancala_rl.cli.progress import progress
from mancala_rl.cli.rules import JsonOption
from mancala_rl.errors import BadInputError
from mancala_rl.rules import variant

if TYPE_CHECKING:
    from mancala_rl.study.puzzles import Puzzle


@dataclass(frozen=True)
class PuzzlesCommand:
    """Set puzzles: positions in which exactly one first move wins, and more have to be found after it.

    In a terminal they are played against a perfect defence, elsewhere they are printed.
    """

    variant: Annotated[str, arg(metavar="V", help="what is played, as in kalah:stones=6")] = "kalah"
    date: Annotated[
        str | None,
        arg(metavar="DAY", help="the puzzles of a day, as in 2026-12-01", help_behavior_hint="(default: today)"),
    ] = None
    seed: Annotated[
        int | None, arg(metavar="S", help="the puzzles of a number instead", help_behavior_hint="(default: the day's)")
    ] = None
    count: Annotated[int, arg(metavar="N", help="how many")] = 3
    difficulty: Annotated[int, arg(metavar="D", help="moves that have to be found, at least")] = 3
    only_print: Annotated[bool, arg(name="print", help="print them in a terminal too")] = False
    solution: Annotated[bool, arg(help="print them with their solutions")] = False
    json: JsonOption = False

    def run(self) -> None:
        """Find the puzzles and print or play them."""
        from mancala_rl.study.puzzles import puzzles, seed_of_day

        rules = variant(self.variant)
        if self.date is not None and self.seed is not None:
            raise BadInputError("--date and --seed exclude each other; give one of them")
        day = dt.date.today() if self.date is None else self.date
        seed = seed_of_day(day) if self.seed is None else self.seed
        with progress("puzzles", self.count) as advance:
            found = puzzles(rules, self.count, seed, difficulty=self.difficulty, progress=advance)
        if self.json:
            show_json({"rules": str(rules), "seed": seed, "puzzles": [self._facts(puzzle) for puzzle in found]})
            return
        from mancala_rl.cli.solving import play_puzzles, show_puzzles

        show(f"Puzzles of {rules}, {day if self.seed is None else f'seed {seed}'}\n")
        if self.only_print or self.solution or not (sys.stdin.isatty() and sys.stdout.isatty()):
            show_puzzles(found, solutions=self.solution)
        else:
            play_puzzles(found)

    def _facts(self, puzzle: "Puzzle") -> dict[str, Any]:
        position = puzzle.position
        facts = {"position": str(position), "to_move": position.to_move, "legal_moves": position.legal_moves}
        if self.solution:
            facts |= {"move": puzzle.move, "value": puzzle.value, "line": puzzle.line}
        return facts | {"difficulty": puzzle.difficulty}
