"""The command `solve`."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from tyro.conf import arg

from mancala_rl.cli.exact import MEMORY, THREADS, DatabaseOption, convention, remarks, solved
from mancala_rl.cli.game import action_name, position_of
from mancala_rl.cli.output import show, show_json
from mancala_rl.cli.rules import JsonOption, PositionOption, VariantArgument
from mancala_rl.errors import BadInputError
from mancala_rl.rules import variant

if TYPE_CHECKING:
    from mancala_rl.solver import Solution


@dataclass(frozen=True)
class Solve:
    """Print the exact value of a position: the margin at the end if both sides play perfectly."""

    variant: VariantArgument
    position: PositionOption = None
    moves: Annotated[bool, arg(help="also the value of every move: takes a few times longer")] = False
    database: DatabaseOption = None
    stones: Annotated[
        int | None,
        arg(
            metavar="K",
            help="build a database of so many stones in memory, 0 for none",
            help_behavior_hint="(default: as many as pay)",
        ),
    ] = None
    memory: Annotated[int, arg(metavar="MIB", help="for the table of positions and the database that is built")] = (
        MEMORY
    )
    threads: Annotated[int, arg(metavar="N", help="threads that build the database")] = THREADS
    json: JsonOption = False

    def run(self) -> None:
        """Solve and print."""
        rules = variant(self.variant)
        position = position_of(self.position, rules)
        if self.memory < 1:
            raise BadInputError(f"--memory {self.memory}: expected a number of MiB from 1")
        if self.database is not None and self.stones is not None:
            raise BadInputError("--database and --stones exclude each other; give one of them")
        started = time.perf_counter()
        solution = solved(position, self.database, self.stones, self.memory, self.threads, moves=self.moves)
        self._show(solution, time.perf_counter() - started)

    def _show(self, solution: "Solution", seconds: float) -> None:
        position = solution.position
        if self.json:
            facts = {name: getattr(solution, name) for name in ("value", "values", "best_moves", "nodes")}
            told = {"rules": str(position.rules), "position": str(position), "convention": convention(position.rules)}
            show_json({**told, **facts, "seconds": seconds})
            return
        show(f"{position}: {solution.value:+d} for seat {position.to_move}")
        if solution.values is not None:
            for move, value in enumerate(solution.values):
                if value is not None:
                    best = "  best" if move in solution.best_moves else ""
                    show(f"  {action_name(move, position.rules):>4} {value:+4d}{best}")
        else:
            show(f"  a best move: {action_name(solution.best_moves[0], position.rules)}")
        for remark in remarks(position.rules):
            show(remark)
        show(f"{solution.nodes:,} positions searched, {seconds:.1f} s")
