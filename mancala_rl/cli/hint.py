"""The command `hint`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from tyro.conf import Positional, arg

from mancala_rl.cli.game import action_name, position_of
from mancala_rl.cli.output import show, show_json
from mancala_rl.cli.rules import JsonOption, PositionOption
from mancala_rl.rules import variant

if TYPE_CHECKING:
    from mancala_rl.study.hint import Hint


@dataclass(frozen=True)
class HintCommand:
    """Say which move of a position is best, and why."""

    variant: Annotated[Positional[str], arg(metavar="VARIANT", help="NAME[:key=value,...], as in kalah:stones=6")] = (
        "kalah"
    )
    position: PositionOption = None
    depth: Annotated[
        int | None,
        arg(
            metavar="D",
            help="plies to look ahead",
            help_behavior_hint="(default: exact where few stones are left, else as deep as is soon done)",
        ),
    ] = None
    json: JsonOption = False

    def run(self) -> None:
        """Find the move and print it."""
        from mancala_rl.study.hint import hint

        rules = variant(self.variant)
        found = hint(position_of(self.position, rules), depth=self.depth)
        if self.json:
            show_json({"rules": str(rules), **found.to_dict()})
        else:
            _show(found)


def _show(hint: "Hint") -> None:
    show(str(hint))
    show(f"{hint.position}, seat {hint.position.to_move} to move:")
    for move, value in ((hint.move, hint.value), *hint.alternatives):
        show(f"  {action_name(move, hint.position.rules):>6} {value:+4d}")
    show("exact values" if hint.exact else f"values of a search of {hint.depth} plies")
