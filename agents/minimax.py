"""Search of `depth` plies on the margin in stones, or for `time` seconds or `nodes`; max^n for more than two players.

Alpha-beta for two players. It plays the lowest of equally good moves, or with `random_ties` one by chance. With `time`
or `nodes` there is no limit to the depth, so give no other depth than 4 then.
"""

from mancala_rl.errors import AgentError
from mancala_rl.rules import Rules
from mancala_rl.search import Minimax


def make(
    rules: Rules, depth: int = 4, random_ties: bool = False, time: float | None = None, nodes: int | None = None
) -> Minimax:
    if time is None and nodes is None:
        return Minimax(rules, depth, random_ties)
    if depth != 4:
        raise AgentError(f"agent minimax: depth={depth} with time or nodes; expected one or the other, leave depth out")
    return Minimax(rules, None, random_ties, time=time, nodes=nodes)
