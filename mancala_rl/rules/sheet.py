"""Rule sheets: the rules of a record in words, on one page of 80 columns.

Every sentence is chosen by the record's fields and the worked example is played by the engine, so that a sheet cannot
say anything else than what is played.
"""

import textwrap
from collections.abc import Iterable, Iterator

from mancala_rl.errors import RulesError
from mancala_rl.rules.example import end_example, opening_example
from mancala_rl.rules.record import Rules
from mancala_rl.rules.registry import entry_of

COLUMNS = 80
_NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four"}


def sheet(rules: Rules) -> str:
    """Return the rule sheet of `rules`: set-up, a turn, special rules, end, scoring and a worked example."""
    parts = [
        _heading(rules),
        "SET-UP\n" + _paragraph(_set_up(rules)),
        "A TURN\n" + _paragraph(_turn(rules)),
        "SPECIAL RULES\n" + "\n".join(_paragraph([rule]) for rule in _special(rules)),
        "END\n" + _paragraph(_end(rules)),
        "SCORING\n" + _paragraph(_scoring(rules)),
        "EXAMPLE\n" + "\n".join(_fitted(line) for line in (*opening_example(rules), *end_example(rules))),
        *_source(rules),
    ]
    return "\n\n".join(parts) + "\n"


def _paragraph(sentences: Iterable[str]) -> str:
    return textwrap.fill(" ".join(sentences), COLUMNS, initial_indent="  ", subsequent_indent="  ")


def _fitted(line: str) -> str:
    """Return a line of the example cut to the page: words between spaces, a long board behind its commas."""
    text = f"  {line}".rstrip()
    if len(text) <= COLUMNS:
        return text
    if not line.startswith(" "):
        return _paragraph([line])
    return textwrap.fill(line.strip().replace(",", ", "), COLUMNS, initial_indent="    ", subsequent_indent="    ")


def _heading(rules: Rules) -> str:
    spec = str(rules)
    if len(spec) > COLUMNS:
        spec = textwrap.fill(spec.replace(",", ", "), COLUMNS)
    return f"{_title(rules)}\n{spec}\n" + "=" * max(8, *map(len, spec.splitlines()))


def _title(rules: Rules) -> str:
    try:
        return entry_of(rules.name).title.upper()
    except RulesError:  # a record of one's own
        return rules.name.upper()


def _source(rules: Rules) -> Iterator[str]:
    try:
        yield textwrap.fill(f"Source: {entry_of(rules.name).source}.", COLUMNS)
    except RulesError:
        return


def _count(number: int, noun: str) -> str:
    return f"{_NUMBERS.get(number, number)} {noun}{'' if number == 1 else 's'}"


def _set_up(rules: Rules) -> Iterator[str]:
    players = _count(rules.players, "player").capitalize()
    seats = "0 and 1" if rules.players == 2 else f"0 to {rules.players - 1}"
    yield (
        f"{players}, seats {seats}. Each has a row of {_count(rules.pits, 'pit')} and a store at the right end of it. "
        "Pits are numbered from 0, the one farthest from the own store."
    )
    yield _start(rules)
    yield "Seat 0 moves first."


def _start(rules: Rules) -> str:
    if rules.start_position == "random":
        stones = rules.pits * rules.stones
        return (
            f"Each row gets {_count(stones, 'stone')}, laid into its pits at random, every way to do so equally "
            f"likely; the stores are empty. {rules.total} stones in all."
        )
    if rules.start_position == "uniform":
        return f"Every pit holds {_count(rules.stones, 'stone')}, the stores are empty. {rules.total} stones in all."
    board = rules.start_position.replace("/", " / ").replace(",", " ").replace("+", " + ")
    return f"The game starts from the position {board} (pits + store of each seat). {rules.total} stones in all."


def _turn(rules: Rules) -> Iterator[str]:
    others = "the opponent" if rules.players == 2 else "the next players"
    path = {
        "own": f"your pits, your store, then the pits of {others}; their stores are passed over",
        "all": f"your pits, your store, then the pits and stores of {others}",
        "none": f"your pits, then the pits of {others}; all stores are passed over",
    }[rules.sow_stores]
    yield "Choose one of your pits that is not empty and take all its stones out."
    first = "the next cell"
    if rules.first_stone == "origin":
        first = "the pit they came from (a single stone moves to the next cell instead)"
    yield f"Sow them counter-clockwise, one into each cell, beginning with {first}: {path}; and round again."
    stores = {"own": 1, "all": rules.players, "none": 0}[rules.sow_stores]
    lap = rules.players * rules.pits + stores
    if rules.skip_origin:
        yield "The pit they came from is passed over on every lap."
    elif rules.first_stone == "next":
        yield (
            f"The pit they came from is not passed over: a lap is {lap} cells, so the last of {_count(lap, 'stone')} "
            "falls back into it."
        )
    yield "Then the other player moves." if rules.players == 2 else "Then the next seat moves, counter-clockwise."


def _special(rules: Rules) -> Iterator[str]:
    yield {
        "own_store": "Extra turn: when the last stone falls into your store, you move again, as often as it happens.",
        "any_store": "Extra turn: when the last stone falls into any store, you move again, as often as it happens.",
        "none": "There are no extra turns: a last stone in a store ends the turn as well.",
    }[rules.extra_turn]
    yield from _captures(rules)
    if rules.pie:
        yield (
            "Swap: the first action of seat 1 may be to swap instead of to move: rows and stores change hands, and "
            f"seat 0 moves. In lists of moves it is written swap, or {rules.pits}."
        )


def _captures(rules: Rules) -> Iterator[str]:
    if rules.capture == "cross":
        lap = "; so does the pit you sowed from, when a lap ends in it" if _lap_captures(rules) else ""
        alone = (
            "the last stone alone goes into your store"
            if rules.empty_capture
            else "nothing is captured and the last stone stays"
        )
        yield (
            "Capture: when the last stone falls into a pit of yours that was empty and the pit opposite holds stones, "
            "that stone and all stones of the pit opposite go into your store. The turn ends. "
            f"The pit opposite your pit i is the opponent's pit {rules.pits - 1}-i. With nothing in it, {alone}. "
            f"A pit counts as empty if it was so just before the last stone fell{lap}."
        )
    if rules.even_capture:
        yield (
            "Even capture: when the last stone makes a pit of the opponent's even (2, 4, 6, ...), all its stones go "
            "into your store. The turn ends."
        )
    if rules.capture == "none" and not rules.even_capture:
        yield "Nothing is captured."


def _lap_captures(rules: Rules) -> bool:
    return not rules.skip_origin and rules.first_stone == "next"


def _end(rules: Rules) -> Iterator[str]:
    if rules.end_check == "immediate":
        lapse = "" if rules.extra_turn == "none" else " An extra turn that the last move gave lapses."
        yield f"After every move, captures included, all rows are looked at: if one is empty the game is over.{lapse}"
    else:
        yield "The game is over when the player to move has no stones in the row; an empty row alone ends nothing."
    majority = f"{rules.total // 2 + 1} stones or more in one store, over half of all,"
    if rules.stop_when_decided:
        yield f"The game is also over as soon as a player has {majority} after a move."
    else:
        yield f"To have {majority} decides the game but does not end it."


def _scoring(rules: Rules) -> Iterator[str]:
    taker = "the opponent's store" if rules.players == 2 else "the store of the next seat"
    yield {
        "owner": "Stones left in the pits go into the store of the player in whose row they lie.",
        "emptier": f"Stones left in a row go into {taker}, not to the player in whose row they lie: the owner of "
        "the empty row takes the rest.",
        "unscored": "Stones left in the pits count for nobody.",
    }[rules.leftovers]
    if rules.stop_when_decided and rules.leftovers != "unscored":
        yield "That is so where a row was empty; when half the stones were exceeded, the pits stay as they are."
    yield "Most stones in the store win, equal numbers are a draw. To empty one's row is not to win."
    if rules.players > 2:
        yield "Players are ranked by their stores; equal numbers share a place."
