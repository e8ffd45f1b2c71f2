"""The opponents that environments play inside their step: how they are made, and how they are asked."""

import os

import numpy as np
from numpy.typing import NDArray

from mancala_rl.agent import Agent
from mancala_rl.errors import AgentError
from mancala_rl.roster import make_agent
from mancala_rl.rules import Batch, Rules


def opponent_for(rules: Rules, opponent: Agent | str | os.PathLike[str]) -> Agent:
    """Return the agent to play against, made if it is a spec string.

    Raises:
        AgentError: it cannot be made, does not say which rules it plays, or plays other rules.
    """
    agent = make_agent(opponent, rules)
    own = getattr(agent, "rules", None)
    if not isinstance(own, Rules):
        raise AgentError(f"opponent {agent.name}: expected an agent with the attribute rules, got {own!r}")
    if not own.plays_like(rules):
        raise AgentError(f"opponent {agent.name} plays {own}; expected an agent for {rules}")
    return agent


def replies(agent: Agent, batch: Batch, seeds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what an opponent plays, int64[B]; whether that is legal is the caller's to check.

    Raises:
        AgentError: not one whole number a game.
    """
    answer = np.asarray(agent.act(batch, seeds))
    if answer.shape != (len(batch),) or answer.dtype.kind not in "iu":
        raise AgentError(
            f"opponent {agent.name}: expected {len(batch)} whole numbers, one action a game, "
            f"got {answer.dtype} of shape {answer.shape}"
        )
    return answer.astype(np.int64)
