"""The sets that come with the package."""

from pathlib import Path

from mancala_rl.errors import BadInputError
from mancala_rl.rules import Rules, variant
from mancala_rl.study.testsets.solved import SolvedSet, read_header, read_set

SUFFIX = ".jsonl.gz"
_FOLDER = Path(__file__).resolve().parent


def shipped_sets() -> dict[str, Path]:
    """Return the files that come with the package, by the spec string of their rules."""
    return {read_header(path)["rules"]: path for path in sorted(_FOLDER.glob(f"*{SUFFIX}"))}


def set_for(rules: Rules) -> SolvedSet:
    """Return the set for rules that play like these.

    Raises:
        BadInputError: there is none; says which there are and how one is made.
    """
    shipped = shipped_sets()
    for spec, path in shipped.items():
        if rules.plays_like(variant(spec)):
            return read_set(path)
    there = f"there are sets for {', '.join(shipped)}" if shipped else "no set is installed"
    raise BadInputError(
        f"no solved test set for {rules}; {there}; make one with mancala-rl testset build {rules} --out FILE "
        "and give it with --set FILE"
    )
