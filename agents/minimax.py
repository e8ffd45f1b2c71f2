"""Search of `depth` plies on the margin in stones, or for `time` seconds or `nodes`; max^n for more than two players.

Alpha-beta for two players. It plays the lowest of equally good moves, or with `random_ties` one by chance. The depth is
4 if nothing else limits the search; with `time` or `nodes` it is no limit unless it is given.
"""

from mancala_rl.rules import Rules
from mancala_rl.search import Minimax


def make(
    rules: Rules,
    depth: int | None = None,
    random_ties: bool = False,
    time: float | None = None,
    nodes: int | None = None,
) -> Minimax:
    return Minimax(rules, depth, random_ties, time=time, nodes=nodes)
