"""Alpha-beta search of `depth` plies on the store margin, two players; equally good moves by chance."""

from mancala_rl.rules import Rules
from mancala_rl.search import Minimax


def make(rules: Rules, depth: int = 4) -> Minimax:
    return Minimax(rules, depth)
