"""Rule sheets: the rules of a record in words, on one page of 80 columns.

Every sentence is chosen by the record's fields and the worked example is played by the engine, so that a sheet cannot
say anything else than what is played. A file for each section: what it says stands next to what it depends on.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator

from mancala_rl.rules.example import example
from mancala_rl.rules.record import Rules
from mancala_rl.rules.registry import Variant, entry_or_none
from mancala_rl.rules.sheet.ending import ending
from mancala_rl.rules.sheet.scoring import scoring
from mancala_rl.rules.sheet.setup import setup
from mancala_rl.rules.sheet.special import special
from mancala_rl.rules.sheet.turn import turn

__all__ = ["COLUMNS", "sheet"]

COLUMNS = 80


def sheet(rules: Rules) -> str:
    """Return the rule sheet of `rules`: set-up, a turn, special rules, end, scoring and a worked example."""
    parts = [
        _heading(rules),
        "SET-UP\n" + _paragraph(setup(rules)),
        "A TURN\n" + _paragraph(turn(rules)),
        "SPECIAL RULES\n" + "\n".join(_paragraph([rule]) for rule in special(rules)),
        "END\n" + _paragraph(ending(rules)),
        "SCORING\n" + _paragraph(scoring(rules)),
        "EXAMPLE\n" + "\n".join(_fitted(line) for line in example(rules)),
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


def _entry(rules: Rules) -> Variant | None:
    """Return the variant these rules are a form of, None for a record that changes more than its options."""
    entry = entry_or_none(rules)
    return entry if entry and str(rules).partition(":")[0] == entry.rules.name else None


def _heading(rules: Rules) -> str:
    entry, spec = _entry(rules), str(rules)
    if len(spec) > COLUMNS:
        spec = textwrap.fill(re.sub(r",(?=[a-z_]+=)", ", ", spec), COLUMNS)
    title = entry.title if entry else rules.name
    return f"{title.upper()}\n{spec}\n" + "=" * max(8, *map(len, spec.splitlines()))


def _source(rules: Rules) -> Iterator[str]:
    entry = _entry(rules)
    if entry:
        yield textwrap.fill(f"Source: {entry.source}.", COLUMNS)
