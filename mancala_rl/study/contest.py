"""A won position played out: how many exact moves winning takes, and the defence that asks for most of them."""

from collections.abc import Iterator

from mancala_rl.rules import Position
from mancala_rl.study.exact import Exact, exact_for

_KEPT = 100_000  # positions


class Contest:
    """One side, the solver, has to win against a defence that always plays one of its best moves.

    An exact move is one that the solver has to find: the only one of several legal moves that wins. What a contest has
    found out about positions it keeps.

    Args:
        exact: knows what moves are worth.
        solver: the seat that has to win.
    """

    def __init__(self, exact: Exact, solver: int) -> None:
        self.exact, self.solver = exact, solver
        self._found: dict[tuple[Position, int], tuple[int, int]] = {}

    def winning(self, position: Position) -> tuple[int, ...]:
        """Return the moves of the player to move that win."""
        return tuple(move for move, value in self.exact.values(position).items() if value > 0)

    def is_exact(self, position: Position) -> bool:
        """Return whether the solver is to move and has to find the one of several moves that wins."""
        return position.to_move == self.solver and len(position.legal_moves) > 1 == len(self.winning(position))

    def exact_moves(self, position: Position) -> int:
        """Return how many exact moves the solver has to find from here on, 0 where it cannot win.

        Of several moves that win it is taken to choose one that leaves fewest, so no way to win asks for less. Of
        several best moves the defence chooses one that leaves most.
        """
        return 0 if position.is_over else self._look(position)[0]

    def move(self, position: Position) -> int:
        """Return the move of either side in a position that is not over.

        The solver wins with the fewest exact moves left, then by most stones; where it cannot win it loses least. The
        defence loses least, then leaves most exact moves. Of equals the lowest is played.
        """
        return self._look(position)[1]

    def line(self, position: Position) -> Iterator[tuple[Position, int]]:
        """Yield the moves of both sides to the end of the game, each with the position before it."""
        while not position.is_over:
            move = self.move(position)
            yield position, move
            position = position.play(move)

    def _look(self, position: Position) -> tuple[int, int]:
        """Return the number of exact moves and the move to play."""
        key = position, position.ply if position.rules.max_plies else 0
        found = self._found.get(key)
        if found is None:
            found = self._attack(position) if position.to_move == self.solver else self._defend(position)
            if len(self._found) >= _KEPT:
                self._found.clear()
            self._found[key] = found
        return found

    def _attack(self, position: Position) -> tuple[int, int]:
        values = self.exact.values(position)
        winning = sorted((move for move in values if values[move] > 0), key=lambda move: -values[move])
        if not winning:
            return 0, max(values, key=lambda move: values[move])
        left = dict[int, int]()
        for move in winning:
            left[move] = self.exact_moves(position.play(move))
            if left[move] == 0:
                break  # nothing is easier
        move = min(left, key=lambda move: left[move])
        return left[move] + (len(winning) == 1 < len(values)), move

    def _defend(self, position: Position) -> tuple[int, int]:
        values = self.exact.values(position)
        most = max(values.values())
        left = {move: self.exact_moves(position.play(move)) for move in values if values[move] == most}
        move = max(left, key=lambda move: left[move])
        return left[move], move


def contest_at(position: Position) -> Contest:
    """Return the contest in which the player to move has to win.

    Raises:
        BadInputError: rules or a position that `Exact` refuses.
    """
    exact = exact_for(position.rules)
    exact.check(position)
    return Contest(exact, position.to_move or 0)
