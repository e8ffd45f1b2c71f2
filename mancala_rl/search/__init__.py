"""Search: what to play by looking ahead, and the scripted players."""

from mancala_rl.search.greedy import Greedy
from mancala_rl.search.minimax import Analysis, Minimax, minimax
from mancala_rl.search.uniform import Uniform

__all__ = ["Analysis", "Greedy", "Minimax", "Uniform", "minimax"]
