"""Alpha-beta search of `depth` plies on the margin in stones, two players; the lowest of equally good moves."""

from mancala_rl.rules import Rules
from mancala_rl.search import Minimax


def make(rules: Rules, depth: int = 4, random_ties: bool = False) -> Minimax:
    return Minimax(rules, depth, random_ties)
