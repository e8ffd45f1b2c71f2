"""The strongest of the three levels, in any variant: looks as far ahead as some hundredths of a second allow."""

from mancala_rl.rules import Rules
from mancala_rl.search import MCTS, Minimax, level


def make(rules: Rules) -> Minimax | MCTS:
    return level("hard", rules)
