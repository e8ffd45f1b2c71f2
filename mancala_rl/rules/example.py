"""The worked example of a rule sheet: real moves of the engine and what they did, in words."""

import dataclasses
from collections import deque
from collections.abc import Iterator

from mancala_rl.kernel import combine, pick_bit
from mancala_rl.rules.diagram import diagram
from mancala_rl.rules.position import Position
from mancala_rl.rules.record import Rules

_MOST_POSITIONS = 2000  # looked at for an opening that shows much
_MOST_GAMES = 50  # played at random for an end that shows much
_MOST_PLIES = 400
_WIDEST = 74

Line = tuple[int, ...]


def opening_example(rules: Rules) -> Iterator[str]:
    """Yield the start and the shortest line of a few moves that shows most of the special rules."""
    position = rules.start()
    yield f"{'One of the starts' if rules.start_position == 'random' else 'The start'}:"
    yield from _drawing(position)
    for action in _instructive(position):
        following = position.play(action)
        yield describe(position, action, following)
        yield f"  {following}"
        position = following
    yield "(a position is written as pits+store of each seat, and the seat to move)"


def end_example(rules: Rules) -> Iterator[str]:
    """Yield the last move of a random game, one with stones left over if there is such a game."""
    found = None
    for seed in range(_MOST_GAMES):
        found = _last_move(rules, seed) or found
        if found and sum(map(sum, _unsettled(*found).pits)):
            break
    if found is None:
        return
    before, action = found
    after = before.play(action)
    yield ""
    yield "The end of a game:"
    yield from _drawing(before, numbers=False)
    yield describe(before, action, after)
    yield _leftovers(before, action, after)
    yield f"  {after}"


def describe(before: Position, action: int, after: Position) -> str:
    """Return in one sentence who moved what, where the last stone fell and what that gave."""
    seat = before.to_move
    if action == before.rules.pits:
        return f"Seat {seat} swaps: rows and stores change hands."
    stones = len(after.trace)
    text = f"Seat {seat} plays {action}: {stones} stone{'' if stones == 1 else 's'}, the last into {_cell(after, seat)}"
    if after.captured:
        text += f"; captures {after.captured}"
    if after.extra_turn:
        text += "; moves again"
    return text + "."


def _cell(after: Position, mover: int | None) -> str:
    """Return in words where the last stone fell, seen from the seat that moved."""
    seat, pit = divmod(after.trace[-1], after.rules.pits + 1)
    owner = "its own" if seat == mover else f"seat {seat}'s"
    return f"{owner} store" if pit == after.rules.pits else f"{owner} pit {pit}"


def _drawing(position: Position, numbers: bool = True) -> list[str]:
    unplayed = Position.from_row(position.rules, position.row)  # stars would mark a move that the sheet does not show
    lines = diagram(unplayed, numbers=numbers).splitlines()
    return lines if max(map(len, lines)) <= _WIDEST else [f"  {position}"]


def _instructive(start: Position) -> Line:
    """Return the first line in order of length that shows the most different events, among a few thousand."""
    best: tuple[int, Line] = (-1, ())
    queue: deque[tuple[Position, Line, frozenset[str]]] = deque([(start, (), frozenset())])
    seen = 0
    while queue and seen < _MOST_POSITIONS:
        position, line, events = queue.popleft()
        for action in position.legal_moves:
            after = position.play(action)
            found = events | _events(after, action)
            if len(found) > best[0]:
                best = len(found), (*line, action)
            queue.append((after, (*line, action), found))
            seen += 1
    return best[1]


def _events(after: Position, action: int) -> frozenset[str]:
    shown = {"extra": after.extra_turn, "capture": after.captured > 0, "swap": action == after.rules.pits}
    return frozenset(event for event, happened in shown.items() if happened)


def _last_move(rules: Rules, seed: int) -> tuple[Position, int] | None:
    """Return the position before the last move of a random game, and that move; None for a very long game."""
    position = rules.start(seed=seed)
    for ply in range(_MOST_PLIES):
        bits = sum(1 << action for action in position.legal_moves)
        action = pick_bit(bits, combine(seed, ply))
        following = position.play(action)
        if following.is_over:
            return position, action
        position = following
    return None


def _unsettled(before: Position, action: int) -> Position:
    """Return the position after the last move as it lies before the leftovers are shared out."""
    unscored = dataclasses.replace(before.rules, leftovers="unscored")
    return Position.from_row(unscored, before.row).play(action)


def _leftovers(before: Position, action: int, after: Position) -> str:
    """Return in words why the game is over, who gets what is left, and the result."""
    lying = _unsettled(before, action)
    left = [sum(row) for row in lying.pits]
    empty = [seat for seat, stones in enumerate(left) if stones == 0]
    text = f"The row of seat {empty[0]} is empty" if empty else "A store holds more than half of all stones"
    text += ": the game is over."
    gains = [after_store - store for after_store, store in zip(after.stores, lying.stores, strict=True)]
    for seat, stones in enumerate(gains):
        if stones:
            text += f" The {stones} left in the pits go to seat {seat}."
    if sum(left) and not any(gains):
        text += f" The {sum(left)} left in the pits count for nobody."
    best = max(after.scores)
    winners = [seat for seat, score in enumerate(after.scores) if score == best]
    result = f"seat {winners[0]} wins" if len(winners) == 1 else "a draw"
    return f"{text} {'-'.join(map(str, after.scores))}, {result}."
