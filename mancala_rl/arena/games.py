"""Playing many games at once, in lock-step: one call of an agent moves in all games where it is its turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.agent import Agent, turn_seeds
from mancala_rl.errors import AgentError
from mancala_rl.kernel import first_illegal
from mancala_rl.progress import Progress
from mancala_rl.rules import Batch


@dataclass(frozen=True)
class Games:
    """Games that have been played to their end.

    Attributes:
        final: the end positions of B games.
        moves: int8[B, T], the moves from the given positions on, -1 after the end of a game.
    """

    final: Batch
    moves: NDArray[np.int8]


def play_games(
    agents: Sequence[Agent],
    positions: Batch,
    seats: NDArray[np.int64],
    seeds: NDArray[np.int64],
    progress: Progress | None = None,
) -> Games:
    """Play every game from its position to the end.

    Args:
        agents: who plays; they need not be different.
        positions: B games; left as they are.
        seats: int64[B, P], seats[g, s] = index of the agent that has seat s in game g.
        seeds: int64[B] in [0, 2**32), one a game. With the ply it gives the seed of every move, so games with equal
            seeds, positions and agents are equal, whatever else is played beside them.
        progress: called after every round with the number of games that are over.

    Raises:
        AgentError: an agent failed, or returned something other than one legal action a game.
    """
    batch = positions.copy()
    rounds: list[NDArray[np.int8]] = []
    while (live := np.flatnonzero(~batch.over)).size:
        moves = _moves(agents, batch.select(live), seats[live], seeds[live])
        playing = batch.select(live)
        playing.play(moves)
        batch.rows[live] = playing.rows
        rounds.append(np.full(len(batch), -1, np.int8))
        rounds[-1][live] = moves
        if progress:
            progress(int(batch.over.sum()))
    return Games(batch, np.stack(rounds, axis=1) if rounds else np.empty((len(batch), 0), np.int8))


def _moves(
    agents: Sequence[Agent], batch: Batch, seats: NDArray[np.int64], seeds: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return one move for every game of `batch`, int64[B], asking each agent once."""
    moves = np.empty(len(batch), np.int64)
    movers = np.take_along_axis(seats, batch.to_move[:, None], axis=1)[:, 0]
    draws = turn_seeds(seeds, batch.ply)
    for index, agent in enumerate(agents):
        games = np.flatnonzero(movers == index)
        if games.size:
            moves[games] = moves_of(agent, batch.select(games), draws[games])
    return moves


def moves_of(agent: Agent, batch: Batch, seeds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return what an agent plays in every game of a batch, int64[B].

    Raises:
        AgentError: it failed, or returned something other than one legal action a game.
    """
    answer = _answer(agent, batch, seeds)
    if answer.shape != (len(batch),) or answer.dtype.kind not in "iu":
        raise AgentError(
            f"agent {agent.name}: expected {len(batch)} whole numbers, one action a game, "
            f"got {answer.dtype} of shape {answer.shape}"
        )
    moves = np.ascontiguousarray(answer, np.int64)
    bad = first_illegal(batch.rows, moves, batch.rules.array)
    if bad >= 0:
        position = batch[bad]
        legal = ", ".join(map(str, position.legal_moves))
        raise AgentError(f"agent {agent.name} played the illegal move {moves[bad]} in {position}; legal moves: {legal}")
    return moves


def _answer(agent: Agent, batch: Batch, seeds: NDArray[np.int64]) -> NDArray[Any]:
    """Return what an agent answers, as an array of whatever shape and type."""
    try:
        # A copy: what an agent does to its batch stays its own affair.
        return np.asarray(agent.act(batch.copy(), seeds))
    except (AgentError, MemoryError):
        raise
    except (Exception, SystemExit) as error:  # a stranger's agent may raise anything
        what = f"{type(error).__name__}: {' '.join(str(error).split())}"
        raise AgentError(f"agent {agent.name}: expected one action a game, its act failed ({what})") from error
