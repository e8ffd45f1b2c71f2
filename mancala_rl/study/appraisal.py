"""What every move of a position is worth: exactly where that is soon found, else by a search."""

import dataclasses

from mancala_rl.rules import Position
from mancala_rl.search import minimax
from mancala_rl.solver import Solution, solve
from mancala_rl.solver.packing import is_packed, stones_in_pits
from mancala_rl.solver.scope import is_endless
from mancala_rl.study.exact import stones_within_reach

NODES = 300_000  # of a search, unless the caller says otherwise: a tenth of a second or so


@dataclasses.dataclass(frozen=True)
class Appraisal:
    """What the moves of a position are worth to the player to move.

    Attributes:
        position: the position, under rules without giving up.
        values: one an action, None where it is illegal: the margin at the end if exact, else the value of the search.
        depth: plies looked ahead, None if the values are exact.
        run: the best moves until another seat is to move, the first the lowest of equals; a search may know only that.
    """

    position: Position
    values: tuple[int | None, ...]
    depth: int | None
    run: tuple[int, ...]

    @property
    def move(self) -> int:
        """The best move, the lowest of equals."""
        return self.run[0]

    @property
    def value(self) -> int:
        """What the best move is worth."""
        return self.values[self.move] or 0

    @property
    def others(self) -> tuple[tuple[int, int], ...]:
        """All other moves with their values, the best first."""
        known = ((move, value) for move, value in enumerate(self.values) if value is not None and move != self.move)
        return tuple(sorted(known, key=lambda pair: -pair[1]))


def appraise(position: Position, depth: int | None = None, nodes: int = NODES) -> Appraisal:
    """Return what the moves of a position are worth.

    A position that is within reach of the solver is solved, others are searched to `depth` plies, or as deep as so many
    nodes allow: neither depends on how fast the machine is. Nobody is taken to give up.

    Raises:
        BadInputError: a depth or a number of nodes that cannot be.
    """
    position = _without_giving_up(position)
    if depth is None and is_within_reach(position):
        solution = solve(position)
        return Appraisal(position, solution.values or (), None, _exact_run(solution))
    # To find lines it goes one ply deeper each time and hears Ctrl-C.
    found = minimax(position, nodes=nodes) if depth is None else minimax(position, depth, lines=True)
    return Appraisal(position, found.values, depth or found.depth, _own(position, found.principal_variation))


def _without_giving_up(position: Position) -> Position:
    if not position.rules.resign:
        return position
    return Position.from_row(dataclasses.replace(position.rules, resign=False), position.row)


def is_within_reach(position: Position) -> bool:
    """Return whether a position is solved within a second or so."""
    rules = position.rules
    if rules.players != 2 or rules.repetition or is_endless(rules):
        return False
    return stones_in_pits(position) <= stones_within_reach(rules, packed=is_packed(position))


def _exact_run(solution: Solution) -> tuple[int, ...]:
    """Return the best moves of the player to move until the turn passes."""
    seat, run = solution.position.to_move, [solution.best_moves[0]]
    position = solution.position.play(run[0])
    while position.to_move == seat:
        run.append(solve(position).best_moves[0])
        position = position.play(run[-1])
    return tuple(run)


def _own(position: Position, line: tuple[int, ...]) -> tuple[int, ...]:
    """Return the moves of a line before another seat is to move."""
    seat, run = position.to_move, list[int]()
    for move in line:
        if position.to_move != seat:
            break
        run.append(move)
        position = position.play(move)
    return tuple(run)
