"""An extra turn before a capture, a capture before store gain; in a race to empty the side, finishing before all."""

from mancala_rl.rules import Rules
from mancala_rl.search import Greedy


def make(rules: Rules) -> Greedy:
    return Greedy(rules)
