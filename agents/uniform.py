"""Any legal move with equal chance."""

from mancala_rl.rules import Rules
from mancala_rl.search import Uniform


def make(rules: Rules) -> Uniform:
    return Uniform(rules)
