"""Search: what to play by looking ahead, and the scripted players."""

from mancala_rl.search.forest import Evaluator, Forest
from mancala_rl.search.greedy import Greedy
from mancala_rl.search.levels import LEVELS, level
from mancala_rl.search.mcts import MCTS, TreeAnalysis, mcts
from mancala_rl.search.minimax import Analysis, Minimax, minimax
from mancala_rl.search.uniform import Uniform

__all__ = [
    "LEVELS",
    "MCTS",
    "Analysis",
    "Evaluator",
    "Forest",
    "Greedy",
    "Minimax",
    "TreeAnalysis",
    "Uniform",
    "level",
    "mcts",
    "minimax",
]
