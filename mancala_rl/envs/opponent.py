"""The opponents that environments play inside their step: how they are made, and how they are asked."""

import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mancala_rl.agent import Agent
from mancala_rl.errors import AgentError, BadInputError
from mancala_rl.roster import make_agent
from mancala_rl.rules import Batch, Rules

Player = Agent | str | os.PathLike[str]


def opponent_for(rules: Rules, opponent: Player) -> Agent:
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


def one_a_seat(opponent: Player | Sequence[Player], seats: int) -> tuple[Player, ...]:
    """Return who plays each of the other seats, in the order of turns after the learner.

    Raises:
        BadInputError: a list of another length.
    """
    if not isinstance(opponent, list | tuple):
        return (opponent,) * seats  # type: ignore[return-value]
    if len(opponent) != seats:
        raise BadInputError(
            f"opponent={opponent!r}: expected one agent, or a list with one for each of {seats} other "
            f"seat{'' if seats == 1 else 's'}, got {len(opponent)}"
        )
    return tuple(opponent)
