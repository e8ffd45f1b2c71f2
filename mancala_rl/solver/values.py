"""What positions and their moves are worth by an engine, the right to swap sides included."""

from mancala_rl.kernel import margin
from mancala_rl.rules import Position
from mancala_rl.solver.engine import Engine, LookupEngine, RowEngine


class Values:
    """Values of positions: the margins at the end if both sides play perfectly, of the player to move over the other.

    Args:
        engine: for all positions that are asked about.
        seat: whose bounds the engine tells while it searches.
    """

    def __init__(self, engine: Engine, seat: int | None = None) -> None:
        self._engine, self._seat = engine, seat
        self._by_rows = isinstance(engine, RowEngine)  # it knows the right to swap

    def value(self, position: Position, guess: int = 0) -> int:
        """Return the value of a position with a player to move; a good guess saves time."""
        self._engine.view = 1 if position.to_move == self._seat else -1
        if self._by_rows or position.pie is None:
            return self._engine.value(position, guess)
        if position.pie == position.to_move:  # to swap turns every margin round
            return abs(self._engine.value(position, guess))
        return max(self.of_moves(position, guess).values())

    def of_moves(self, position: Position, guess: int = 0) -> dict[int, int]:
        """Return the value of every legal move, in their order: the margin of the player to move when it is played."""
        return {move: self.of_move(position, move, guess) for move in position.legal_moves}

    def of_move(self, position: Position, move: int, guess: int = 0) -> int:
        """Return the value of one move."""
        after = position.play(move)
        sign = 1 if after.to_move == position.to_move else -1
        if after.is_over:
            ahead = int(margin(after.row[None], 0, after.rules.array))
            return -ahead if position.to_move else ahead
        return sign * self.value(after, sign * guess)

    def with_a_move(self, position: Position, guess: int = 0) -> tuple[int, int]:
        """Return the value of a position and a move that reaches it: the one that the search has found, if it has."""
        value = self.value(position, guess)
        if self._engine.move >= 0 and (self._by_rows or position.pie is None):
            return value, self._engine.move
        return value, next(move for move in position.legal_moves if self.of_move(position, move, value) == value)

    def line(self, position: Position, move: int, value: int) -> tuple[int, ...]:
        """Return a move worth `value` with best moves after it, to the end, or to where an endless game repeats."""
        line, seat, seen = [move], position.to_move, set[Position]()
        position, ends = position.play(move), not isinstance(self._engine, LookupEngine)
        while not position.is_over and (ends or position not in seen):
            seen.add(position)
            _, best = self.with_a_move(position, value if position.to_move == seat else -value)
            line.append(best)
            position = position.play(best)
        return tuple(line)

    def best_moves(self, position: Position, every: bool) -> tuple[int, ...]:
        """Return all best moves, or the lowest of them alone; what the others are worth is not found out."""
        legal = position.legal_moves
        if len(legal) == 1:
            return legal
        value = self.value(position)
        found = (move for move in legal if self._reaches(position, move, value))
        return tuple(found) if every else (next(found),)

    def _reaches(self, position: Position, move: int, value: int) -> bool:
        """Return whether a move is worth so much."""
        after = position.play(move)
        if after.is_over or (after.pie is not None and not self._by_rows):
            return self.of_move(position, move, value) >= value
        if after.to_move == position.to_move:
            return self._engine.at_least(after, value)
        return not self._engine.at_least(after, 1 - value)
