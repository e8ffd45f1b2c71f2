"""The `Agent` protocol: what plays.

An agent acts on a batch of positions. All its randomness is a pure function of the seed that comes with each
position, so results do not depend on how games are batched, and equal agents on equal seeds play equal games.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from mancala_rl.kernel import combine, kernel
from mancala_rl.rules import Batch, Position, Rules


class Agent(Protocol):
    """What plays: give it positions and seeds, get one legal action each.

    Attributes:
        name: the spec string that makes this agent, shown in tables.
        rules: the variant it plays.
    """

    name: str
    rules: Rules

    def act(self, batch: Batch, seeds: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return one legal action a game, int64[B].

        Args:
            batch: B games of `rules`, none of them over.
            seeds: int64[B] in [0, 2**32), the only source of chance.
        """
        ...


class Policy(Agent, Protocol):
    """An agent that also says how likely each of its moves is, as far as chance decides.

    It is not asked to play this way, but only so can be said exactly what its play is worth.
    """

    def distribution(self, batch: Batch) -> NDArray[np.float64]:
        """Return how likely every action is to be played, float64[B, num_actions]; every row sums to 1."""
        ...


def equal_chances(moves: NDArray[np.int64], actions: int) -> NDArray[np.float64]:
    """Return the distribution over `actions` that makes all moves of a bit set equally likely, float64[B, actions]."""
    chosen = moves[:, None] >> np.arange(actions) & 1
    chances: NDArray[np.float64] = chosen / chosen.sum(axis=1, keepdims=True)
    return chances


def spell(name: str, options: dict[str, Any]) -> str:
    """Return the spec of an agent with these options; what is off, False or None, is left out."""
    shown = {key: value for key, value in options.items() if value is not False and value is not None}
    items = [f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in shown.items()]
    return name + (":" + ",".join(items) if items else "")


def choose(agent: Agent, position: Position, seed: int = 0) -> int:
    """Return the action of `agent` in one position."""
    return int(agent.act(Batch.of([position]), np.array([combine(seed, 0)], np.int64))[0])


def turn_seeds(games: NDArray[np.int64], plies: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the seed of each game's next move, int64[B], from the game's own seed and its ply."""
    seeds = np.empty(len(games), np.int64)
    _combine_all(np.asarray(games, np.int64), np.asarray(plies, np.int64), seeds)
    return seeds


@kernel
def _combine_all(games, plies, seeds):  # type: ignore[no-untyped-def]
    for g in range(len(games)):
        seeds[g] = combine(games[g], plies[g])
