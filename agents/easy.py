"""A beginner in any variant: looks a move ahead."""

from mancala_rl.rules import Rules
from mancala_rl.search import MCTS, Minimax, level


def make(rules: Rules) -> Minimax | MCTS:
    return level("easy", rules)
