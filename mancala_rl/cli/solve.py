"""The command `solve`."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tyro.conf import arg

from mancala_rl.cli.game import action_name
from mancala_rl.cli.output import show, show_json
from mancala_rl.cli.progress import progress, search_line
from mancala_rl.cli.rules import JsonOption, VariantArgument
from mancala_rl.errors import BadInputError
from mancala_rl.rules import Position, variant

if TYPE_CHECKING:
    from mancala_rl.solver import Database, Solution

_MIB = 1 << 20


@dataclass(frozen=True)
class Solve:
    """Print the exact value of a position: the margin at the end if both sides play perfectly."""

    variant: VariantArgument
    position: Annotated[
        str | None, arg(metavar="P", help="what to solve", help_behavior_hint="(default: the start of the variant)")
    ] = None
    moves: Annotated[bool, arg(help="also the value of every move: takes a few times longer")] = False
    database: Annotated[Path | None, arg(metavar="FILE", help="an endgame database to use")] = None
    stones: Annotated[
        int | None,
        arg(
            metavar="K",
            help="build a database of so many stones in memory, 0 for none",
            help_behavior_hint="(default: as many as pay)",
        ),
    ] = None
    memory: Annotated[int, arg(metavar="MIB", help="for the table of positions and the database that is built")] = 384
    threads: Annotated[int, arg(metavar="N", help="threads that build the database")] = 2
    json: JsonOption = False

    def run(self) -> None:
        """Solve and print."""
        from mancala_rl.solver import solve

        rules = variant(self.variant)
        position = rules.start() if self.position is None else Position.parse(self.position, rules)
        if self.memory < 1:
            raise BadInputError(f"--memory {self.memory}: expected a number of MiB from 1")
        if self.database is not None and self.stones is not None:
            raise BadInputError("--database and --stones exclude each other; give one of them")
        started = time.perf_counter()
        database: Path | Database | int = self.database or self._built(position)
        with search_line() as tell:
            solution = solve(position, database=database, moves=self.moves, memory=self.memory * _MIB, progress=tell)
        self._show(solution, time.perf_counter() - started)

    def _built(self, position: Position) -> "Database | int":
        """Return a database in memory, 0 for none; its building is shown."""
        from mancala_rl.solver import build_database
        from mancala_rl.solver.database import check_build
        from mancala_rl.solver.ranking import positions_up_to
        from mancala_rl.solver.room import check_room
        from mancala_rl.solver.solution import check_solvable
        from mancala_rl.solver.supply import database_stones

        check_solvable(position)
        memory = self.memory * _MIB
        stones = database_stones(position, memory) if self.stones is None else self.stones
        if stones == 0:
            return 0
        check_build(position.rules, stones, self.threads)
        check_room(position, stones, memory)
        with progress(f"database of {stones} stones", positions_up_to(position.rules.pits, max(stones, 0))) as advance:
            return build_database(position.rules, stones, threads=self.threads, progress=advance)

    def _show(self, solution: "Solution", seconds: float) -> None:
        from mancala_rl.solver.scope import CONVENTION, is_looked_up

        position = solution.position
        convention = CONVENTION if is_looked_up(position.rules) else None
        if self.json:
            facts = {name: getattr(solution, name) for name in ("value", "values", "best_moves", "nodes")}
            told = {"rules": str(position.rules), "position": str(position), "convention": convention}
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
        if position.rules.goal == "empty":
            show(f"a win counts {position.rules.total}, and every stone that the other has left 1 more")
        if convention:
            show(f"games need not end: {convention}")
        show(f"{solution.nodes:,} positions searched, {seconds:.1f} s")
