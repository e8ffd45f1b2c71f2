"""Reasons for a move: facts about it that follow from the rules, each found by playing."""

import dataclasses
from collections.abc import Iterator

from mancala_rl.rules import Position
from mancala_rl.rules.commentary import unsettled
from mancala_rl.rules.diagram import ordinal
from mancala_rl.study.appraisal import Appraisal
from mancala_rl.study.threats import extra_turns, passed, threat


@dataclasses.dataclass(frozen=True)
class Reason:
    """One fact that speaks for a move.

    Attributes:
        kind: what it is about; see `mancala_rl.study.hint.hint`.
        text: the fact in words, without a subject.
        amount: how many stones, or what `hint` says; None where nothing is counted.
        moves: the moves that it names.
    """

    kind: str
    text: str
    amount: int | None = None
    moves: tuple[int, ...] = ()


def reasons(appraisal: Appraisal) -> Iterator[Reason]:
    """Yield what speaks for the best move, apart from its value."""
    before, move = appraisal.position, appraisal.move
    after = before.play(move)
    if len(before.legal_moves) == 1:
        yield Reason("only_move", "is the only legal move")
    if move == before.rules.pits:
        yield Reason("swap", f"takes over the side of seat {1 - (before.to_move or 0)}")
        return
    yield from _gains(appraisal, after)
    if before.rules.players == 2 and before.rules.goal == "most":
        yield from _saves(before, after)
        yield from _goes_on(appraisal, after)


def _gains(appraisal: Appraisal, after: Position) -> Iterator[Reason]:
    """Yield what the move does on the board."""
    before, seat = appraisal.position, appraisal.position.to_move or 0
    if before.rules.goal == "empty" and after.places[seat]:
        yield Reason("finish", f"finishes {ordinal(after.places[seat] or 0)}", after.places[seat])
    if after.is_over and before.rules.goal == "most":
        yield _end(before, appraisal.move, after)
    if after.extra_turn and not after.is_over:
        yield _extra_turn(appraisal)
    if after.tuzdiks[seat] != before.tuzdiks[seat]:
        yield Reason("tuzdik", f"makes pit {after.tuzdiks[seat]} of seat {1 - seat} its tuzdik", after.tuzdiks[seat])
    if after.captured:
        yield Reason("capture", f"captures {stones(after.captured)}", after.captured)


def _end(before: Position, move: int, after: Position) -> Reason:
    """Return what the mover gets of what is left when the move ends the game."""
    seat = before.to_move or 0
    gain = after.stores[seat] - unsettled(before, move).stores[seat]
    text = "ends the game"
    return Reason("end", f"{text} and takes the {gain} left in the pits" if gain else text, gain)


def _extra_turn(appraisal: Appraisal) -> Reason:
    position, seat = appraisal.position, appraisal.position.to_move or 0
    for move in appraisal.run:
        position = position.play(move)
    text, more = "moves again", appraisal.run[1:]
    if more:
        text += f" and goes on with {listed(more)}"
    if position.rules.goal == "empty":
        return Reason("extra_turn", text, None, more)
    gain = position.stores[seat] - appraisal.position.stores[seat]
    return Reason("extra_turn", f"{text}, {stones(gain)} into its store in all", gain, more)


def _saves(before: Position, after: Position) -> Iterator[Reason]:
    """Yield what the other seat could do at once if the mover passed, and cannot do after the move."""
    other = 1 - (before.to_move or 0)
    if after.to_move != other:
        return
    if before.rules.feed and not any(before.pits[other]):
        given = sum(after.pits[other])
        yield Reason("feed", f"brings {stones(given)} to seat {other}, which has none, as the rules demand", given)
    without = passed(before)
    had, has = threat(without), threat(after)
    if had.move is not None and has.stones < had.stones:
        saved = had.stones - has.stones
        text = f"saves {stones(saved)} from seat {other}, which threatened to capture with {had.move}"
        yield Reason("protect", text, saved, (had.move,))
    turns = extra_turns(without)
    if turns and not extra_turns(after):
        text = f"leaves seat {other} without an extra turn, which it had with {listed(turns)}"
        yield Reason("no_extra_turn", text, len(turns), turns)


def _goes_on(appraisal: Appraisal, after: Position) -> Iterator[Reason]:
    """Yield what a worse move would have left to the other seat by ending the game."""
    before, other = appraisal.position, 1 - (appraisal.position.to_move or 0)
    left = {}
    for move, value in appraisal.others:
        ended = before.play(move)
        if ended.is_over and value < appraisal.value:
            left[move] = ended.stores[other] - unsettled(before, move).stores[other]
    if left and not after.is_over and max(left.values()):
        move = max(left, key=lambda move: left[move])
        text = f"does not end the game as {move} would, which leaves {stones(left[move])} to seat {other}"
        yield Reason("no_end", text, left[move], (move,))


def stones(number: int) -> str:
    """Return a number of stones in words, as in "1 stone"."""
    return f"{number} stone{'' if number == 1 else 's'}"


def listed(moves: tuple[int, ...]) -> str:
    """Return moves in words, as in "1, 3 and 4"."""
    words = list(map(str, moves))
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
