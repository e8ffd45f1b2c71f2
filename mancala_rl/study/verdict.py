"""What the best move is worth, and how that compares with the other moves, in words."""

from collections.abc import Iterator

from mancala_rl.study.appraisal import Appraisal
from mancala_rl.study.reasons import Reason, listed, stones


def verdict(appraisal: Appraisal) -> Iterator[Reason]:
    """Yield the outcome of the best move, then how it compares with the next best."""
    yield _outcome(appraisal)
    yield from _comparison(appraisal)


def _outcome(appraisal: Appraisal) -> Reason:
    rules, value = appraisal.position.rules, appraisal.value
    if rules.players > 2:
        return Reason("outlook", f"comes out best within {_plies(appraisal)} if every seat plays for itself", value)
    if rules.goal == "empty" and abs(value) >= rules.total:
        return _race(appraisal)
    if appraisal.depth is not None:
        return Reason("outlook", f"{_standing(appraisal)} after {_plies(appraisal)} of best play", value)
    if value == 0:
        return Reason("draw", "draws with best play", 0)
    kind = "win" if value > 0 else "loss"
    return Reason(kind, f"{'wins' if value > 0 else 'loses'} by {abs(value)} with best play", abs(value))


def _standing(appraisal: Appraisal) -> str:
    value, other = appraisal.value, 1 - (appraisal.position.to_move or 0)
    if value == 0:
        return "is level"
    if appraisal.position.rules.goal == "most":
        return f"{'leads' if value > 0 else 'trails'} by {stones(abs(value))}"
    return f"has {stones(abs(value))} {'fewer' if value > 0 else 'more'} left than seat {other}"


def _race(appraisal: Appraisal) -> Reason:
    """Return the outcome where the first to empty the own side wins and one of the two certainly does."""
    value, other = appraisal.value, 1 - (appraisal.position.to_move or 0)
    left = abs(value) - appraisal.position.rules.total
    when = "" if appraisal.depth is None else f" within {_plies(appraisal)}"
    if value > 0:
        return Reason("win", f"wins{when} with best play, with {stones(left)} left to seat {other}", left)
    return Reason("loss", f"loses{when} with best play, with {stones(left)} left", left)


def _plies(appraisal: Appraisal) -> str:
    return f"{appraisal.depth} pl{'y' if appraisal.depth == 1 else 'ies'}"


def _comparison(appraisal: Appraisal) -> Iterator[Reason]:
    if not appraisal.others:
        return
    value, next_value = appraisal.value, appraisal.others[0][1]
    if value == next_value:
        equals = tuple(sorted(move for move, other in appraisal.others if other == value))
        yield Reason("equal", f"is as good as {listed(equals)}", None, equals)
        return
    if appraisal.depth is None and (value > 0) > (next_value > 0):
        yield Reason("only_win", "is the only move that wins")
    elif appraisal.depth is None and (value >= 0) > (next_value >= 0):
        yield Reason("only_draw", "is the only move that does not lose")
    yield _better(appraisal)


def _better(appraisal: Appraisal) -> Reason:
    rules, (move, next_value) = appraisal.position.rules, appraisal.others[0]
    difference = appraisal.value - next_value
    by_stones = rules.players == 2 and rules.goal == "most"
    much = f"{stones(difference)} better" if by_stones else "better"
    return Reason("better", f"is {much} than {move}, the next best", difference if by_stones else None, (move,))
