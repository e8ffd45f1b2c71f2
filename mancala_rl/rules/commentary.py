"""A game in words: what a move did, and why and how a game is over."""

import dataclasses
import functools
from collections.abc import Iterator

from mancala_rl.kernel import layout
from mancala_rl.rules.events import is_plain_chain, is_slam, pits_taken
from mancala_rl.rules.laps import laps
from mancala_rl.rules.position import Position
from mancala_rl.rules.record import Rules

_ORDINALS = ("first", "second", "third", "fourth")
_MOST_LAPS = 6  # told one by one


def describe(before: Position, action: int, after: Position) -> str:
    """Return in one sentence who moved what, where the last stone fell and what that gave."""
    seat = before.to_move
    if action == before.rules.pits:
        if not before.rules.resign:
            return f"Seat {seat} swaps: rows and stores change hands."
        return f"Seat {seat} gives up: {_ORDINALS[_place(after, seat) - 1]} place."
    text = f"Seat {seat} plays {action}: {_stones(before, action)}, the last into {_cell(after, seat)}"
    return "; ".join((text, *_effects(before, action, after))) + "."


def _tuzdik_cells(position: Position) -> list[int]:
    """Return the cells of the tuzdiks that there are; a tuzdik of one seat lies in the row of the other."""
    width = position.rules.pits + 1
    return [(1 - seat) * width + pit for seat, pit in enumerate(position.tuzdiks) if pit is not None]


def _stones(before: Position, action: int) -> str:
    first, *more = laps(before, action)
    text = f"{first} stone{'' if first == 1 else 's'}"
    if len(more) > _MOST_LAPS:
        return f"{text}, then {len(more)} more laps with {sum(more)} in all"
    if more:
        text += f", then {'laps' if len(more) > 1 else 'a lap'} of {_listing(list(map(str, more)))}"
    return text


def _listing(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _cell(after: Position, mover: int | None) -> str:
    """Return in words where the last stone fell, seen from the seat that moved."""
    seat, pit = divmod(after.trace[-1], after.rules.pits + 1)
    owner = "its own" if seat == mover else f"seat {seat}'s"
    return f"{owner} store" if pit == after.rules.pits else f"{owner} pit {pit}"


def _effects(before: Position, action: int, after: Position) -> Iterator[str]:
    seat = before.to_move or 0
    fallen = {cell: after.trace.count(cell) for cell in _tuzdik_cells(before)}
    for owner, pit in enumerate(before.tuzdiks):
        stones = 0 if pit is None else fallen[(1 - owner) * (before.rules.pits + 1) + pit]
        if stones:
            yield f"{stones} into {'its own' if owner == seat else f'seat {owner}' + chr(39) + 's'} tuzdik"
    if after.tuzdiks[seat] != before.tuzdiks[seat]:
        yield f"makes pit {after.tuzdiks[seat]} of seat {1 - seat} its tuzdik"
    if is_slam(before, action, after):
        yield "a grand slam" + (", which takes nothing" if before.rules.grand_slam == "no_capture" else "")
    if after.captured:
        pits = len(pits_taken(before, action, after)) if is_plain_chain(before, action, after) else 1
        yield f"captures {after.captured}" + (f" from {pits} pits" if pits > 1 else "")
    if before.rules.goal == "empty" and after.places[seat]:
        yield f"has finished, {_ORDINALS[_place(after, seat) - 1]} place"
    if after.extra_turn:
        yield "moves again"


def _place(position: Position, seat: int | None) -> int:
    return position.places[seat or 0] or 0


def unsettled(before: Position, action: int) -> Position:
    """Return the position after a move as it lies before anything is shared out, over only if a row or a duty says so.

    It stands under rules that know no other end and count nothing for stones left over.
    """
    plain = _only_rows_end(before.rules)
    return Position.from_row(plain, before.row[: plain.row_length]).play(action)


@functools.lru_cache(maxsize=8)
def _only_rows_end(rules: Rules) -> Rules:
    return dataclasses.replace(
        rules,
        leftovers="unscored",
        stop_when_decided=False,
        sweep_when_decided=False,
        repetition=0,
        cycle_split="own_side",
        max_plies=0,
        start_position="uniform",
    )


def explain_end(before: Position, action: int, after: Position) -> str:
    """Return in words why a game is over after its last move, who gets what is left, and the result."""
    end = "the game is cut off" if after.truncated else "the game is over"
    if before.rules.goal == "empty":
        outcome = result(after)
        return f"{_why_places(before, after)}: {end}. {outcome[0].upper()}{outcome[1:]}."
    lying = unsettled(before, action)
    left = sum(map(sum, lying.pits))
    gains = [after_store - store for after_store, store in zip(after.stores, lying.stores, strict=True)]
    text = f"{_why(lying, after)}: {end}."
    shares = [(stones, f"to seat {seat}") for seat, stones in enumerate(gains) if stones]
    if left > sum(gains):
        shares.append((left - sum(gains), "to nobody"))
    if len(shares) > 1:
        text += f" Of the {left} left in the pits {_listing([f'{stones} go {whom}' for stones, whom in shares])}."
    elif shares:
        text += f" The {left} left in the pits go {shares[0][1]}."
    return f"{text} {result(after)}."


def _why(lying: Position, after: Position) -> str:
    rules = after.rules
    if lying.is_over:
        empty = [seat for seat, row in enumerate(lying.pits) if not any(row)]
        if rules.end_check == "immediate":
            return f"The row of seat {empty[0]} is empty"
        turn = _next_seat(lying)
        return f"Seat {turn} has no stones to play" if turn in empty else f"Seat {turn} cannot feed seat {empty[0]}"
    if after.truncated:
        return _why_cut_off(after)
    if rules.stop_when_decided and lying.decided:
        return "A store holds more than half of all stones"
    return f"The position has come for the {_ORDINALS[rules.repetition - 1]} time"


def _next_seat(position: Position) -> int:
    """Return the seat that would be next, also when the game is over."""
    return int(position.row[position.rules.num_cells + layout.MOVER])


def _why_cut_off(after: Position) -> str:
    if after.rules.max_plies and after.ply >= after.rules.max_plies:
        return f"{after.ply} moves have been made"
    return f"{layout.WINDOW - 1} moves were made without a capture"


def _why_places(before: Position, after: Position) -> str:
    if after.truncated:
        return _why_cut_off(after)
    playing = [seat for seat, place in enumerate(before.places) if place is None]
    mover = before.to_move
    if (before.rules.players > 2 and before.rules.play_out) or after.lifted > before.lifted:
        (last,) = [seat for seat in playing if seat != mover]
        return f"Only seat {last} is left"
    return f"The side of seat {mover} is empty"


def result(position: Position) -> str:
    """Return the outcome of a game that is over in words, as in "26-22, seat 0 wins"."""
    rules, places = position.rules, position.ranking or ()
    scored = "-".join(map(str, position.scores)) + ", " if rules.goal == "most" else ""
    if rules.goal == "empty" and position.truncated and not any(position.places):
        return "nobody wins"
    if rules.players > 2:
        return f"{scored}{_standing(places)}"
    winners = [seat for seat, place in enumerate(places) if place == 1]
    return scored + (f"seat {winners[0]} wins" if len(winners) == 1 else "a draw")


def _standing(places: tuple[int, ...]) -> str:
    """Return who came where, as in "seat 2 first, seats 0 and 1 second"."""
    texts = []
    for place in sorted(set(places)):
        seats = [str(seat) for seat, taken in enumerate(places) if taken == place]
        texts.append(f"seat{'s' if len(seats) > 1 else ''} {_listing(seats)} {_ORDINALS[place - 1]}")
    return ", ".join(texts)
