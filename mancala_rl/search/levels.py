"""Levels of play, from easy to hard, the same names for every variant.

Each level is stronger than the one before: see tests/search/test_levels.py. What it plays depends on nothing but the
position and the seed, so results can be repeated on any machine.
"""

from mancala_rl.errors import BadInputError
from mancala_rl.rules import Rules
from mancala_rl.search.mcts import MCTS
from mancala_rl.search.minimax import Minimax

LEVELS = ("easy", "medium", "hard")
NODES = {"easy": 1, "medium": 300, "hard": 30_000}  # 1: a single ply
SIMULATIONS = {"easy": 5, "medium": 100, "hard": 800}


def level(name: str, rules: Rules) -> Minimax | MCTS:
    """Return the player of a level: where stones count and two play it searches them, else it tries games out.

    Raises:
        BadInputError: a level that does not exist.
    """
    if name not in LEVELS:
        raise BadInputError(f"level {name!r}: expected one of {', '.join(LEVELS)}")
    if rules.players == 2 and rules.goal == "most":
        return Minimax(rules, random_ties=True, name=name, nodes=NODES[name])
    return MCTS(rules, SIMULATIONS[name], name=name)
