"""The worked example of a rule sheet: real moves of the engine, picked for what they show of the special rules."""

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from mancala_rl.kernel import combine, pick_bit
from mancala_rl.rules.commentary import describe, explain_end, unsettled
from mancala_rl.rules.diagram import diagram
from mancala_rl.rules.events import events, tells
from mancala_rl.rules.position import Position
from mancala_rl.rules.record import Rules

_MOST_POSITIONS = 1000  # looked at for an opening that shows much
_MOST_GAMES = 12  # played at random for moments and an end that show much
_MOST_PLIES = 300
_MOST_MOMENTS = 2
_GIVES_UP_AT = 10  # the ply of a game at which somebody might
_WIDEST = 78  # a sheet indents by two


class Moment(NamedTuple):
    """One move and the positions around it."""

    before: Position
    action: int
    after: Position


def example(rules: Rules) -> Iterator[str]:
    """Yield the lines: an opening, moments that show what it did not, the end of a game, how positions are written."""
    opening = _opening(rules.start())
    games = [_random_game(rules, seed) for seed in range(_MOST_GAMES)]
    shown = frozenset().union(*(events(*moment) for moment in opening))
    moments = _moments(games, tells(rules) - shown - {"swap"})
    yield f"{'One of the starts' if rules.start_position == 'random' else 'The start'}:"
    yield from _drawing(rules.start())
    for moment in opening:
        yield from _told(moment)
    for moment in moments:
        yield from ("", "Later in such a game:", *_drawing(moment.before, numbers=False), *_told(moment))
    end = _end(games)
    if end:
        yield from ("", "The end of a game:", *_drawing(end.before, numbers=False))
        yield describe(*end)
        yield explain_end(*end)
        yield f"  {end.after}"
    yield from _legend(rules, [*opening, *moments, *([end] if end else [])])


def _told(moment: Moment) -> Iterator[str]:
    yield describe(*moment)
    yield f"  {moment.after}"


def _legend(rules: Rules, moments: list[Moment]) -> Iterator[str]:
    written = " ".join(str(moment.after) for moment in moments)
    text = "(a position is written as pits+store of each seat, and the seat to move"
    text += "; x is off the board" if "x" in written and rules.goal == "empty" else ""
    text += "; places: who is out and at which" if "places" in written else ""
    text += "; tuzdiks: the pit each seat has claimed" if "tuzdiks" in written else ""
    text += "; pie: who may still swap" if "pie" in written else ""
    yield f"{text})"


def _drawing(position: Position, numbers: bool = True) -> list[str]:
    unplayed = Position.from_row(position.rules, position.row)  # stars would mark a move that the sheet does not show
    lines = diagram(unplayed, numbers=numbers).splitlines()
    return lines if max(map(len, lines)) <= _WIDEST else [f"  {position}"]


def _pit_moves(position: Position) -> list[int]:
    """Return the legal moves without giving up, which would be the end of every random game."""
    return [move for move in position.legal_moves if not (position.rules.resign and move == position.rules.pits)]


def _opening(start: Position) -> list[Moment]:
    """Return the first line in order of length that shows the most different events, among a thousand positions."""
    best: tuple[int, list[Moment]] = (-1, [])
    queue: deque[tuple[Position, list[Moment], frozenset[str]]] = deque([(start, [], frozenset())])
    seen, most = 0, len(tells(start.rules) - {"resign"})
    while queue and seen < _MOST_POSITIONS and best[0] < most:
        position, line, events_so_far = queue.popleft()
        for action in _pit_moves(position):
            moment = Moment(position, action, position.play(action))
            if moment.after.is_over:  # how games end is told further down
                continue
            found = events_so_far | events(*moment)
            if len(found) > best[0]:
                best = len(found), [*line, moment]
            queue.append((moment.after, [*line, moment], found))
            seen += 1
    return best[1]


def _random_game(rules: Rules, seed: int) -> list[Moment]:
    """Return the moves of a random game; it may not have ended if it is a very long one."""
    position = rules.start(seed=seed)
    game: list[Moment] = []
    while not position.is_over and len(game) < _MOST_PLIES:
        action = pick_bit(sum(1 << move for move in _pit_moves(position)), combine(seed, len(game)))
        game.append(Moment(position, action, position.play(action)))
        position = game[-1].after
    return game


def _moments(games: list[list[Moment]], missing: frozenset[str]) -> list[Moment]:
    """Return the moments of some games that show the most of the missing events, in few moves."""
    seen = [(moment, events(*moment) & missing) for game in games for moment in _candidates(game)]
    chosen: list[Moment] = []
    while missing and seen and len(chosen) < _MOST_MOMENTS:
        moment, shown = max(seen, key=lambda pair: len(pair[1] & missing))  # the first one of the best
        if not shown & missing:
            break
        chosen.append(moment)
        missing -= shown
    return chosen


def _candidates(game: list[Moment]) -> Iterator[Moment]:
    for ply, moment in enumerate(game):
        before = moment.before
        if before.rules.resign and ply == _GIVES_UP_AT:
            given_up = Moment(before, before.rules.pits, before.play(before.rules.pits))
            if not given_up.after.is_over:
                yield given_up
        if not moment.after.is_over:
            yield moment


def _end(games: list[list[Moment]]) -> Moment | None:
    """Return the last move of a game, one with stones left over if there is such a game."""
    ends = [game[-1] for game in games if game and game[-1].after.is_over]
    for moment in ends:
        if moment.before.rules.goal == "empty" or any(map(any, unsettled(moment.before, moment.action).pits)):
            return moment
    return ends[0] if ends else None
