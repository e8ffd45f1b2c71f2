"""An extra turn before a capture, a capture before store gain; looks no further than its own move."""

from mancala_rl.rules import Rules
from mancala_rl.search import Greedy


def make(rules: Rules) -> Greedy:
    return Greedy(rules)
