"""Tree search with `simulations` random games a move, any number of players; more of them play better."""

from mancala_rl.rules import Rules
from mancala_rl.search import MCTS


def make(
    rules: Rules,
    simulations: int = 400,
    rollouts: int | None = None,
    exploration: float | None = None,
    reward: str | None = None,
) -> MCTS:
    return MCTS(rules, simulations, exploration, rollouts or 1, reward or "outcome")
