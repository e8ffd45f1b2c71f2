"""Commands about rules: `variants`, `rules`."""

import textwrap
from dataclasses import dataclass
from typing import Annotated, Any

from tyro.conf import Positional, arg

from mancala_rl.cli.output import show, show_json, show_table
from mancala_rl.rules import VARIANTS, variant
from mancala_rl.rules.registry import CUSTOM, entry_of
from mancala_rl.rules.sheet import sheet

VariantArgument = Annotated[Positional[str], arg(metavar="VARIANT", help="NAME[:key=value,...], as in kalah:stones=6")]
JsonOption = Annotated[bool, arg(help="print JSON")]
PositionOption = Annotated[
    str | None, arg(metavar="P", help="the position", help_behavior_hint="(default: the start of the variant)")
]
StartOption = Annotated[
    str | None,
    arg(
        name="from",
        metavar="POSITION",
        help="where the game begins",
        help_behavior_hint="(default: the start of the variant)",
    ),
]

_HINTS = (
    "",
    "Size: pits a player x stones a pit.",
    "Rules in words: mancala-rl rules VARIANT",
    "With options: kalah:pits=5,stones=3",
    f"A game of your own, from any fields of the record: {CUSTOM}:chain=2,3,capture=none",
)


@dataclass(frozen=True)
class Variants:
    """List the games and their options."""

    json: JsonOption = False

    def run(self) -> None:
        """Print one entry a variant."""
        if self.json:
            show_json([_variant_facts(name) for name in VARIANTS])
            return
        from rich import box
        from rich.table import Table

        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for heading in ("variant", "title", "players", "size", "what it is"):
            table.add_column(heading)
        for name in VARIANTS:
            table.add_row(*_variant_row(name))
        show_table(table)
        show("Also called, and options:")
        for name in VARIANTS:
            show(_names_and_options(name))
        show("\n".join(_HINTS))


def _variant_row(name: str) -> tuple[str, ...]:
    entry = entry_of(name)
    players = "2-4" if "players" in entry.options else str(entry.rules.players)
    return name, entry.title, players, f"{entry.rules.pits}x{entry.rules.stones}", entry.summary


def _names_and_options(name: str) -> str:
    entry = entry_of(name)
    names = ", ".join((name, *entry.aliases))
    return textwrap.fill(f"{names}: {', '.join(entry.options)}", 100, initial_indent="  ", subsequent_indent="    ")


def _variant_facts(name: str) -> dict[str, Any]:
    entry = entry_of(name)
    facts = {"title": entry.title, "summary": entry.summary, "aliases": entry.aliases, "options": entry.options}
    return entry.rules.to_dict() | facts | {"source": entry.source, "hash": entry.rules.hash}


@dataclass(frozen=True)
class RuleSheet:
    """Print the rules of a variant on one page."""

    variant: VariantArgument
    json: JsonOption = False

    def run(self) -> None:
        """Print the sheet, or every field of the record."""
        rules = variant(self.variant)
        if self.json:
            show_json({"rules": str(rules), "hash": rules.hash, "record": rules.to_dict(), "sheet": sheet(rules)})
        else:
            show(sheet(rules).rstrip("\n"))
