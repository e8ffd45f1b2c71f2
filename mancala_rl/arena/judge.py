"""`judge`: how often an agent plays a best move, and what its other moves cost, by positions that have been solved."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.agent import Agent, turn_seeds
from mancala_rl.arena.evaluation import check_rules
from mancala_rl.arena.games import moves_of
from mancala_rl.arena.openings import MAX_SEED
from mancala_rl.arena.statistics import Z95, wilson
from mancala_rl.errors import EvaluationError
from mancala_rl.progress import Progress
from mancala_rl.roster import make_agent
from mancala_rl.rules import Rules, variant
from mancala_rl.rules.numbers import is_whole
from mancala_rl.study.testsets import PHASES, SolvedSet, read_set, set_for

ALL = "all"
_AT_ONCE = 32  # positions an agent is asked about at a time, at most


@dataclass(frozen=True)
class Verdict:
    """How an agent did in the positions of one phase, or in all.

    Attributes:
        phase: opening (more than two thirds of all stones in the pits), middle, endgame (at most one third), or all.
        positions: how many there are.
        optimal: share of them in which it played a best move.
        optimal_low, optimal_high: 95% interval of that share (Wilson's).
        regret: mean of what its moves cost, in stones of the final margin: the value of a best move less that of the
            move played.
        regret_low, regret_high: 95% interval of that mean, by the normal distribution, not below 0.
    """

    phase: str
    positions: int
    optimal: float
    optimal_low: float
    optimal_high: float
    regret: float
    regret_low: float
    regret_high: float


@dataclass(frozen=True)
class Judgement:
    """What `judge` found, and what is needed to find it again; iterating gives the verdicts.

    Attributes:
        agent: name of the agent that was judged.
        rules: spec string of the variant.
        seed: as given.
        verdicts: one a phase of which the set has positions, in the order of a game, then one of all together.
    """

    agent: str
    rules: str
    seed: int
    verdicts: tuple[Verdict, ...]

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.verdicts)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as numbers, strings, lists and dictionaries, keyed by attribute names."""
        own = {"agent": self.agent, "rules": self.rules, "seed": self.seed}
        return own | {"verdicts": [vars(verdict).copy() for verdict in self.verdicts]}


def judge(
    agent: Agent | str,
    rules: Rules | str,
    positions: SolvedSet | Path | str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Judgement:
    """Judge an agent by positions whose exact values are known, as in judge("minimax:depth=8", "kalah").

    A set takes every stage of the game and positions with one, two and more best moves in about equal shares, whereas
    games have more of some than of others: the figures rank agents, they are no rates of mistakes in games.

    Args:
        agent, rules: themselves or their spec strings.
        positions: the solved set or its file; None for the one that comes with the package.
        seed: decides the agent's chances, each position's by its number.
        progress: called with the number of positions judged so far.

    Raises:
        EvaluationError: an agent or a set of another variant, or no seed.
        BadInputError: rules for which there is no set, or a file that holds none.
        AgentError: an unknown agent, one that failed or made an illegal move, or does not say which rules it plays.
        RulesError: unknown rules.
    """
    rules = variant(rules)
    solved = solved_set(rules, positions)
    agent = make_agent(agent, rules)
    regrets = regrets_of(agent, solved, seed, progress)
    phases = [(name, regrets[solved.phases == phase]) for phase, name in enumerate(PHASES)]
    verdicts = tuple(_verdict(name, some) for name, some in [*phases, (ALL, regrets)] if len(some))
    return Judgement(agent.name, str(rules), seed, verdicts)


def solved_set(rules: Rules, positions: SolvedSet | Path | str | None = None) -> SolvedSet:
    """Return a set for these rules: the one given, that of a file, or the one that comes with the package.

    Raises:
        EvaluationError: a set of other rules.
        BadInputError: there is none, or the file holds none.
    """
    if positions is None:
        return set_for(rules)
    solved = positions if isinstance(positions, SolvedSet) else read_set(positions)
    if not solved.rules.plays_like(rules):
        raise EvaluationError(
            f"the test set holds positions of {solved.rules}, not of {rules}; take one of these rules"
        )
    return solved


def regrets_of(agent: Agent, solved: SolvedSet, seed: int = 0, progress: Progress | None = None) -> NDArray[np.int64]:
    """Return what the agent's move in every position costs, in stones, int64[N]; see `judge`."""
    check_rules(agent, solved.rules)
    if not is_whole(seed) or not 0 <= seed <= MAX_SEED:
        raise EvaluationError(f"seed {seed}: expected a number from 0 to {MAX_SEED}")
    seeds = turn_seeds(np.full(len(solved), seed), np.arange(len(solved)))
    moves = np.zeros(len(solved), np.int64)
    for some in _blocks(len(solved)):
        moves[some] = moves_of(agent, solved.batch.select(some), seeds[some])
        if progress:
            progress(some.stop)
    regrets: NDArray[np.int64] = solved.regrets[np.arange(len(solved)), moves]
    return regrets


def _blocks(count: int) -> Iterator[slice]:
    """Yield which positions to ask about together: few at first, so that slow agents are soon seen to be at work."""
    first, size = 0, 1
    while first < count:
        yield slice(first, min(first + size, count))
        first, size = first + size, min(2 * size, _AT_ONCE)


def _verdict(phase: str, regrets: NDArray[np.int64]) -> Verdict:
    count, optimal, mean = len(regrets), float((regrets == 0).mean()), float(regrets.mean())
    half = Z95 * float(regrets.std(ddof=min(1, count - 1))) / math.sqrt(count)
    return Verdict(phase, count, optimal, *wilson(optimal, count), mean, max(0.0, mean - half), mean + half)
