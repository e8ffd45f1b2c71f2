"""Commands about games: `replay`, `perft`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np
from tyro.conf import Positional, arg

from mancala_rl.cli.output import show, show_json
from mancala_rl.cli.rules import JsonOption, StartOption, VariantArgument
from mancala_rl.errors import BadInputError, IllegalMoveError
from mancala_rl.kernel import perft
from mancala_rl.rules import Position, Rules, variant
from mancala_rl.rules.commentary import describe, explain_end, result
from mancala_rl.rules.diagram import diagram

_UNINTERRUPTED = 2_000_000  # sequences, at most, in one compiled call: under a second, so that Ctrl-C is heard
_DEEPEST = 200
_ATTRIBUTES = (
    *("to_move", "legal_moves", "is_over", "truncated", "decided", "pits", "stores", "scores", "ranking", "returns"),
    *("places", "closed", "tuzdiks", "lifted"),
)


@dataclass(frozen=True)
class Replay:
    """Play through a list of moves and print every ply."""

    variant: VariantArgument
    moves: Annotated[str, arg(metavar='"2 5 0"', help="pit numbers, swap or resign, between spaces or commas")] = ""
    start: StartOption = None
    json: JsonOption = False

    def run(self) -> None:
        """Print the game."""
        rules = variant(self.variant)
        start = position_of(self.start, rules)
        plies = replay(start, parse_moves(self.moves, rules))
        final = plies[-1].after if plies else start
        if self.json:
            played = [_ply_facts(ply) for ply in plies]
            show_json({"rules": str(rules), "start": str(start), "plies": played, **_facts(final)})
        else:
            _show_game(start, plies, final)


def position_of(text: str | None, rules: Rules) -> Position:
    """Return the position that a notation describes, the start of the game without one."""
    return rules.start() if text is None else Position.parse(text, rules)


def parse_moves(text: str, rules: Rules) -> list[int]:
    """Return the actions of a list of moves.

    Raises:
        IllegalMoveError: a word that is neither a number nor a swap or giving up that the rules have.
    """
    names = {"swap": rules.pie, "resign": rules.resign}
    extra = [name for name, allowed in names.items() if allowed]
    moves = []
    for ply, word in enumerate(filter(None, re.split(r"[\s,]+", text)), 1):
        if word in extra:
            moves.append(rules.pits)
        elif re.fullmatch(r"-?[0-9]{1,9}", word):
            moves.append(int(word))
        else:
            words = " or ".join((f"pit numbers 0 to {rules.pits - 1}", *extra))
            raise IllegalMoveError(f"ply {ply}: cannot read the move {word!r}; expected {words}, as in --moves '2 5 0'")
    return moves


class Ply(NamedTuple):
    """One move of a replay and the positions around it; `number` counts from 1."""

    number: int
    before: Position
    move: int
    after: Position


def replay(position: Position, moves: list[int]) -> list[Ply]:
    """Return the plies of a game that begins with `position`.

    Raises:
        IllegalMoveError: names ply, position and legal moves.
    """
    plies = []
    for number, move in enumerate(moves, 1):
        try:
            after = position.play(move)
        except IllegalMoveError as error:
            raise IllegalMoveError(f"ply {number}: {error}") from None
        plies.append(Ply(number, position, move, after))
        position = after
    return plies


def _show_game(start: Position, plies: list[Ply], final: Position) -> None:
    width = len(str(len(plies)))
    show(f"{'start':<{width + 4}}  {start}")
    for ply in plies:
        show(f"ply {ply.number:>{width}}  {describe(ply.before, ply.move, ply.after)}")
        show(f"{'':<{width + 4}}  {ply.after}")
    show(f"\n{diagram(final)}\n")
    show(explain_end(*plies[-1][1:]) if plies and final.is_over else _outcome(final))


def _outcome(position: Position) -> str:
    if not position.is_over:
        legal = ", ".join(action_name(move, position.rules) for move in position.legal_moves)
        return f"Seat {position.to_move} to move (legal moves: {legal}). {_standing(position)}"
    end = "was cut off" if position.truncated else "is over"
    return f"The game {end}: {result(position)}"


def action_name(move: int, rules: Rules) -> str:
    """Return an action as `parse_moves` reads it."""
    if move < rules.pits:
        return str(move)
    return "resign" if rules.resign else "swap"


def spell_line(position: Position, line: Sequence[int], most: int) -> str:
    """Return at most so many moves of a line, a comma after each turn; `parse_moves` reads all but the dots."""
    text, rules = "", position.rules
    for move in line[:most]:
        after = position.play(move)
        text += action_name(move, rules) + (" " if after.to_move == position.to_move else ", ")
        position = after
    return f"{text}..." if len(line) > most else text.rstrip(", ")


def _standing(position: Position) -> str:
    if position.rules.goal == "empty":
        rows = zip(position.pits, position.places, strict=True)
        return f"Stones left in the pits: {' - '.join('out' if place else str(sum(row)) for row, place in rows)}"
    return f"Scores so far: {' - '.join(map(str, position.scores))}"


def _ply_facts(ply: Ply) -> dict[str, Any]:
    moved = {"ply": ply.number, "seat": ply.before.to_move, "move": ply.move, "position": str(ply.after)}
    after = ply.after
    effect = {"captured": after.captured, "extra_turn": after.extra_turn, "trace": after.trace}
    return moved | effect | {"to_move": after.to_move, "stores": after.stores}


def _facts(position: Position) -> dict[str, Any]:
    return {"position": str(position)} | {name: getattr(position, name) for name in _ATTRIBUTES}


@dataclass(frozen=True)
class Perft:
    """Count the sequences of exactly DEPTH legal moves from the start: the usual proof of a move generator."""

    variant: VariantArgument
    depth: Annotated[Positional[int], arg(metavar="DEPTH", help="in plies, extra turns included")]
    divide: Annotated[bool, arg(help="also the count behind every first move")] = False
    json: JsonOption = False

    def run(self) -> None:
        """Print the count."""
        rules = variant(self.variant)
        if not 0 <= self.depth <= _DEEPEST:
            raise BadInputError(f"depth {self.depth}: expected a number of plies from 0 to {_DEEPEST}")
        if self.divide and self.depth == 0:
            raise BadInputError("depth 0 has no first move to divide by; take a depth of 1 or more")
        start = rules.start()
        facts: dict[str, Any] = {"rules": str(rules), "depth": self.depth}
        if self.divide:
            facts["divide"] = {move: count_lines(start.play(move), self.depth - 1) for move in start.legal_moves}
            facts["count"] = sum(facts["divide"].values())
        else:
            facts["count"] = count_lines(start, self.depth)
        if self.json:
            show_json(facts)
            return
        for move, count in facts.get("divide", {}).items():
            show(f"{move}: {count}")
        show(f"depth {self.depth}: {facts['count']}")


def count_lines(position: Position, depth: int) -> int:
    """Return the number of sequences of exactly `depth` legal moves from a position."""
    if depth > 1 and position.rules.num_actions**depth > _UNINTERRUPTED:
        return sum(count_lines(position.play(move), depth - 1) for move in position.legal_moves)
    rows = np.zeros((depth + 1, position.rules.row_length), np.int16)
    rows[0] = position.row
    return int(perft(rows, depth, position.rules.array))
