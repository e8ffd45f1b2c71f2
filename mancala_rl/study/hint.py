"""Hints: the best move of a position and what speaks for it."""

import dataclasses
from typing import Any

from mancala_rl.errors import BadInputError
from mancala_rl.rules import Position
from mancala_rl.study.appraisal import NODES, appraise
from mancala_rl.study.reasons import Reason, reasons
from mancala_rl.study.verdict import verdict


@dataclasses.dataclass(frozen=True)
class Hint:
    """The best move of a position, and why; `str` says it in one sentence.

    Attributes:
        position: where the hint was asked for.
        move: the best move, the lowest of equals.
        value: what it is worth to the player to move. If exact, the margin at the end when both sides play perfectly,
            in the terms of `mancala_rl.solver.Solution`, else that of a search, in the terms of
            `mancala_rl.search.Analysis`.
        values: the same for every action, None where it is illegal or gives up.
        alternatives: the other legal moves with their values, the best first.
        exact: whether the values are exact.
        depth: the plies that the search looked ahead, None if exact.
        reasons: the facts, the outcome and the comparison with the other moves at the end.
    """

    position: Position
    move: int
    value: int
    values: tuple[int | None, ...]
    alternatives: tuple[tuple[int, int], ...]
    exact: bool
    depth: int | None
    reasons: tuple[Reason, ...]

    def __str__(self) -> str:
        subject = f"Pit {self.move}" if self.move < self.position.rules.pits else "The swap"
        return f"{subject} {'; '.join(reason.text for reason in self.reasons)}."

    def to_dict(self) -> dict[str, Any]:
        """Return everything as values that JSON can hold."""
        plain = {name: getattr(self, name) for name in ("move", "value", "values", "alternatives", "exact", "depth")}
        told = [dataclasses.asdict(reason) for reason in self.reasons]
        return {"position": str(self.position), **plain, "reasons": told, "text": str(self)}


def hint(position: Position, *, depth: int | None = None, nodes: int = NODES) -> Hint:
    """Return the best move of a position and the reasons for it, each a fact that has been checked.

    A position that is within easy reach of the solver is solved; any other is searched by minimax, or max^n for three
    players and more. The same position gets the same hint on every machine. Giving up is never advised, nor expected of
    the others.

    The kinds of reasons, and what their `amount` counts where they have one:

    - `only_move`; `swap`;
    - `finish`: the player is out of the race, in the place `amount`;
    - `end`: the move ends the game, and of what is left its player gets `amount` stones;
    - `extra_turn`: another turn, gone on with `moves`, which bring `amount` stones into the store in all;
    - `tuzdik`: the pit `amount` is claimed; `capture`: of `amount` stones;
    - `feed`: the other side, which had none, gets `amount` stones;
    - `protect`: if the player passed, the other could capture from its pits with `moves`, and by one move it can now
      capture `amount` stones less;
    - `no_extra_turn`: if the player passed, the other would have an extra turn by each of `moves`, `amount` of them,
      and now has none;
    - `no_end`: one of `moves`, which is worse, would end the game and leave `amount` stones to the other;
    - `win`, `draw`, `loss`: by `amount` stones, with best play of both sides; `outlook`: the value of a search;
    - `only_win`, `only_draw`: every other move does not win, or loses; `better`: by `amount` stones than the next best
      of `moves`; `equal`: `moves` are as good.

    Args:
        position: any with a player to move.
        depth: plies to look ahead, which also keeps it from being solved.
        nodes: moves that the search may play; without `depth` it looks as far ahead as they allow.

    Raises:
        BadInputError: a position that is over, or a depth or a number of nodes that cannot be.
    """
    if not isinstance(position, Position):
        raise BadInputError(f"hint for {position!r}: expected a Position, as variant('kalah').start() gives")
    if position.is_over:
        raise BadInputError(f"hint for {position}: the game is over; give a position with a player to move")
    found = appraise(position, depth, nodes)
    facts = (*reasons(found), *verdict(found))
    values = (*found.values, None) if position.rules.resign else found.values
    return Hint(position, found.move, found.value, values, found.others, found.depth is None, found.depth, facts)
