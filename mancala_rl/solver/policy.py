"""Policies to be judged: how likely an agent, or a function, is to play every action of a position."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.agent import Agent, equal_chances, turn_seeds
from mancala_rl.errors import AgentError, BadInputError, MancalaError
from mancala_rl.kernel import layout
from mancala_rl.rules import Batch, Position

Distribution = Callable[[Batch], NDArray[np.float64]]
Chances = Callable[[Batch, NDArray[np.bool_]], NDArray[np.float64]]  # of a batch and its legal actions
_ASKED_TWICE = 256  # positions of a batch that are asked about again, with another past
_TOLERANCE = 1e-6  # by which chances may miss a sum of 1
_LONG = 500  # moves: more than a game takes that can be listed


def chances_of(policy: Agent | Distribution, samples: int = 0) -> Chances:
    """Return how likely a policy is to play every action, as a function of a batch and its legal actions.

    An agent that has a `distribution` is asked for it, see `mancala_rl.agent.Policy`. Any other is asked for its moves:
    twice, with different seeds, to make sure that it plays the same, or `samples` times to count what it plays.

    The function raises:
        AgentError: an agent failed, plays something else with another seed, or gave what is no move.
        BadInputError: chances that are no distribution over the legal actions, or that depend on how a position came
            about.
    """
    name, ask = _named(policy, samples)

    def chances(batch: Batch, legal: NDArray[np.bool_]) -> NDArray[np.float64]:
        found = _distributions(ask(batch.copy()), batch, legal, name)
        _check_past(ask, batch.select(slice(_ASKED_TWICE)), name)
        return found

    return chances


def chances_in(policy: Agent | Distribution, position: Position, samples: int = 0) -> NDArray[np.float64]:
    """Return how likely a policy is to play every action of one position, float64[num_actions]; see `chances_of`.

    It may go by how the position came about.

    Raises:
        AgentError: as `chances_of`.
        BadInputError: chances that are no distribution over the legal actions.
    """
    name, ask = _named(policy, samples)
    batch = Batch.of([position])
    chances: NDArray[np.float64] = _distributions(ask(batch.copy()), batch, batch.legal(), name)[0]
    return chances


def is_sampled(policy: Agent | Distribution) -> bool:
    """Return whether the chances of a policy can only be estimated, or are all 0 and 1."""
    return hasattr(policy, "act") and not hasattr(policy, "distribution")


def _named(policy: Any, samples: int) -> tuple[str, Distribution]:
    """Return what a policy is called and how it is asked."""
    if not hasattr(policy, "act"):
        return "the policy", policy
    name = f"agent {policy.name}"
    if not is_sampled(policy):
        return name, _failing_clearly(policy.distribution, name)
    return name, _counted(_failing_clearly(policy.act, name), name, samples)


def _failing_clearly(answer: Callable[..., Any], name: str) -> Callable[..., Any]:
    def answered(*question: Any) -> Any:
        try:
            return answer(*question)
        except (MancalaError, MemoryError):
            raise
        except Exception as error:  # a stranger's agent may raise anything
            raise AgentError(f"{name} failed ({type(error).__name__}: {' '.join(str(error).split())})") from error

    return answered


def _counted(act: Callable[..., Any], name: str, samples: int) -> Distribution:
    """Return the share of `samples` draws in which an agent plays each action, or the one that it always plays."""

    def shares(batch: Batch) -> NDArray[np.float64]:
        found = np.zeros((len(batch), batch.rules.num_actions))
        first = None
        for draw in range(samples or 2):
            moves = _moves(act(batch.copy(), _seeds(len(batch), draw)), batch, name)
            if not samples and first is not None and (other := np.flatnonzero(moves != first)).size:
                raise AgentError(
                    f"{name} leaves its move in {batch[other[0]]} to chance and has no method distribution to say with "
                    "what chances; estimate them by samples=100 (--samples 100), moves drawn in each position"
                )
            first = moves
            found += equal_chances(1 << moves, found.shape[1])
        return found / (samples or 2)

    return shares


def _seeds(games: int, draw: int) -> NDArray[np.int64]:
    return turn_seeds(np.full(games, draw), np.arange(games))


def _moves(answer: Any, batch: Batch, name: str) -> NDArray[np.int64]:
    moves = np.asarray(answer)
    if moves.shape != (len(batch),) or moves.dtype.kind not in "iu":
        raise AgentError(
            f"{name}: expected {len(batch)} whole numbers, one action a game, got {moves.dtype} of shape {moves.shape}"
        )
    inside = (moves >= 0) & (moves < batch.rules.num_actions)
    _refuse_first(~inside, batch, f"{name} played no action")
    return moves.astype(np.int64)


def _distributions(answer: Any, batch: Batch, legal: NDArray[np.bool_], name: str) -> NDArray[np.float64]:
    chances = np.asarray(answer, np.float64)
    if chances.shape != legal.shape:
        raise BadInputError(f"{name} returned chances of shape {chances.shape}, expected {legal.shape}")
    unsound = ~np.isfinite(chances).all(axis=1) | (chances < 0).any(axis=1) | (chances * ~legal != 0).any(axis=1)
    unsound |= abs(chances.sum(axis=1) - 1) > _TOLERANCE
    _refuse_first(unsound, batch, f"the chances of {name} are no distribution over the legal actions")
    return chances


def _refuse_first(wrong: NDArray[np.bool_], batch: Batch, complaint: str) -> None:
    if wrong.any():
        position: Position = batch[int(wrong.argmax())]
        raise BadInputError(f"{complaint} in {position}; legal are {', '.join(map(str, position.legal_moves))}")


def _check_past(ask: Distribution, batch: Batch, name: str) -> None:
    """Raise a BadInputError if the policy decides otherwise when the same positions come about in another way."""
    other, tail = batch.copy(), batch.rules.num_cells
    other.rows[:, tail + layout.PLY] = _LONG
    other.rows[:, tail + layout.EXTRA] ^= 1
    other.rows[:, [tail + layout.CAPTURED, tail + layout.SINCE]] = 0
    differs = abs(ask(batch) - ask(other)).max(axis=1, initial=0) > _TOLERANCE
    if differs.any():
        raise BadInputError(
            f"{name} decides in {batch[int(differs.argmax())]} by how the position came about, such as the number of "
            "moves before; only what depends on the position alone can be judged exactly"
        )
