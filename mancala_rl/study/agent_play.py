"""What an agent plays in a position, and what that costs by the values of the moves."""

from collections.abc import Sequence
from dataclasses import dataclass

from mancala_rl.agent import Agent
from mancala_rl.rules import Position
from mancala_rl.solver.policy import chances_in, is_sampled


@dataclass(frozen=True)
class AgentPlay:
    """What an agent plays in a position.

    Attributes:
        name: its spec.
        chances: how likely it is to play each action.
        samples: the moves that were drawn to find them, 0 if it says them itself.
        regret: how much less than the best value it gets on average, None if it plays what has no value.
    """

    name: str
    chances: tuple[float, ...]
    samples: int
    regret: float | None


def agent_play(agent: Agent, position: Position, values: Sequence[float | None], samples: int = 1) -> AgentPlay:
    """Return what an agent plays in a position.

    Args:
        agent: one for the rules of the position.
        position: any with a player to move.
        values: what each action is worth to the player to move, None where it is illegal or not known.
        samples: moves to draw from an agent that has no `distribution`, see `mancala_rl.agent.Policy`.

    Raises:
        AgentError: an agent for other rules, one that failed, or one that gave what is no move.
        BadInputError: chances that are no distribution over the legal actions.
    """
    chances = tuple(chances_in(agent, position, samples).tolist())
    best = max(value for value in values if value is not None)
    played = [(chance, values[move]) for move, chance in enumerate(chances) if chance]
    costs = [chance * (best - value) for chance, value in played if value is not None]
    regret = sum(costs) if len(costs) == len(played) else None
    return AgentPlay(agent.name, chances, samples if is_sampled(agent) else 0, regret)
