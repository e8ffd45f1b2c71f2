"""`evaluate`: one agent against others, over pairs of games with the seats swapped."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.agent import Agent, turn_seeds
from mancala_rl.arena.games import play_games
from mancala_rl.arena.openings import openings
from mancala_rl.arena.statistics import score_interval
from mancala_rl.errors import AgentError, EvaluationError
from mancala_rl.kernel import layout
from mancala_rl.progress import Progress, counting_on
from mancala_rl.roster import make_agent
from mancala_rl.rules import Batch, Rules, variant

_CHUNK = 1024  # pairs in lock-step at a time: bounds the memory an agent needs for its batch


@dataclass(frozen=True)
class Result:
    """How an agent did against one opponent; every number is from the agent's side.

    Attributes:
        opponent: its name.
        trained_against: whether the agent says that it had this opponent in training.
        pairs, games: two games a pair: same opening, same seed, seats swapped.
        wins, draws, losses: of all games.
        score: (wins + draws / 2) / games.
        score_low, score_high: 95% interval of the score, clustered by pair; see `arena.statistics`.
        score_first: score in the games in which the agent has seat 0, the seat that starts. The first moves are the
            opening's random ones, so the agent's own first move may come later.
        score_second: score in the others.
        mean_margin: own stones less the opponent's at the end, a game; where the first to empty the own side wins, how
            many stones fewer the own side holds.
        unique_games: different games / games; two games differ in the opening or in a move. An agent that meets
            itself plays every game of a pair twice: 0.5.
    """

    opponent: str
    trained_against: bool
    pairs: int
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    score_low: float
    score_high: float
    score_first: float
    score_second: float
    mean_margin: float
    unique_games: float


@dataclass(frozen=True)
class Evaluation:
    """What `evaluate` found, and what is needed to find it again; iterating gives the results.

    Attributes:
        agent: name of the agent that was measured.
        rules: spec string of the variant.
        pairs, seed: as given.
        results: one an opponent, in the order given.
    """

    agent: str
    rules: str
    pairs: int
    seed: int
    results: tuple[Result, ...]

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as numbers, strings, lists and dictionaries, keyed by attribute names."""
        own = {"agent": self.agent, "rules": self.rules, "pairs": self.pairs, "seed": self.seed}
        return own | {"results": [vars(result).copy() for result in self.results]}


@dataclass(frozen=True)
class _Pairs:
    """Played pairs: scores and margins float64[N, 2] (column 0: agent in seat 0), repeats bool[N]."""

    scores: NDArray[np.float64]
    margins: NDArray[np.float64]
    repeats: NDArray[np.bool_]


def evaluate(
    agent: Agent | str,
    opponents: Sequence[Agent | str],
    rules: Rules | str,
    pairs: int,
    seed: int = 0,
    progress: Progress | None = None,
) -> Evaluation:
    """Measure `agent` against each of `opponents` over `pairs` pairs of games.

    A pair is one random opening played twice with the seats swapped, both games on the same seed: an agent against
    itself, a stochastic one too, scores exactly 0.5, and A against B scores exactly 1 less B against A. All opponents
    meet the same openings. Results depend on the arguments alone.

    Args:
        agent, opponents, rules: themselves or their spec strings, as in evaluate("greedy", ["uniform"], "kalah", 100).
        progress: called with the number of games finished so far, of 2 * pairs * len(opponents).

    Raises:
        EvaluationError: no opponent, rules for other than two players, an agent of another variant, or fewer
            different openings than pairs.
        AgentError: an unknown agent, one that failed or made an illegal move, or does not say which rules it plays.
        RulesError: unknown rules.
    """
    rules = variant(rules)
    agent, *opponents = [make_agent(player, rules) for player in (agent, *_listed(opponents))]
    _check(agent, opponents, rules)
    starts = openings(rules, pairs, seed)
    # Another stream than the openings' own, which counts up from 0 on the seed itself.
    seeds = turn_seeds(turn_seeds(np.array([seed]), np.array([2**32 - 1])).repeat(pairs), np.arange(pairs))
    results = []
    for index, opponent in enumerate(opponents):
        played = _play_pairs((agent, opponent), starts, seeds, counting_on(progress, 2 * pairs * index))
        known = opponent.name in getattr(agent, "trained_against", ())  # only learned agents have such a list
        results.append(_summary(played, opponent.name, known, same=agent.name == opponent.name))
    return Evaluation(agent.name, str(rules), pairs, seed, tuple(results))


def _listed(opponents: Sequence[Agent | str]) -> Sequence[Agent | str]:
    """Return the opponents; a single spec string or agent is one."""
    return opponents if isinstance(opponents, Sequence) and not isinstance(opponents, str) else [opponents]


def _check(agent: Agent, opponents: Sequence[Agent], rules: Rules) -> None:
    if not opponents:
        raise EvaluationError("no opponent: name at least one (--against AGENT)")
    if rules.players != 2:
        raise EvaluationError(f"{rules} has {rules.players} players, pairs of games need 2; choose rules for two")
    for player in (agent, *opponents):
        check_rules(player, rules)


def check_rules(agent: Agent, rules: Rules) -> None:
    """Raise an error if an agent does not play these rules; where games start makes no difference."""
    own = getattr(agent, "rules", None)
    if not isinstance(own, Rules):
        raise AgentError(f"agent {agent.name}: expected an agent with the attribute rules, got {own!r}")
    if not own.plays_like(rules):
        raise EvaluationError(f"agent {agent.name} plays {own}, this evaluation is of {rules}")


def _play_pairs(
    agents: tuple[Agent, Agent], starts: Batch, seeds: NDArray[np.int64], progress: Progress | None
) -> _Pairs:
    chunks = []
    for first in range(0, len(starts), _CHUNK):
        part = slice(first, first + _CHUNK)
        chunks.append(_play_chunk(agents, starts.select(part), seeds[part], counting_on(progress, 2 * first)))
    return _Pairs(*(np.concatenate([getattr(chunk, name) for chunk in chunks]) for name in _Pairs.__annotations__))


def _play_chunk(
    agents: tuple[Agent, Agent], starts: Batch, seeds: NDArray[np.int64], progress: Progress | None
) -> _Pairs:
    """Play each opening twice: games 0..n-1 with the agent in seat 0, n..2n-1 with it in seat 1."""
    n = len(starts)
    seats = np.repeat(np.array([[0, 1], [1, 0]]), n, axis=0)
    games = play_games(agents, starts.select(np.tile(np.arange(n), 2)), seats, np.tile(seeds, 2), progress)
    own = np.argmin(seats, axis=1)
    returns = games.final.returns[np.arange(2 * n), own]
    margins = np.where(own == 0, 1.0, -1.0) * _leads(games.final)
    repeats = (games.moves[:n] == games.moves[n:]).all(axis=1)
    return _Pairs(_by_pair((returns + 1) / 2), _by_pair(margins), repeats)


def _leads(final: Batch) -> NDArray[np.float64]:
    """Return by how many stones seat 0 is ahead in games that are over, float64[B].

    Where the first to empty the own side wins, it is by how many fewer are left there; who gave up (J10) is counted
    with all the stones that were lifted off the board.
    """
    points = final.scores
    if final.rules.goal == "empty":
        cells = final.rows[:, : final.rules.num_cells].astype(np.int64).reshape(len(final), 2, -1)
        lifted = final.rows[:, final.rules.num_cells + layout.LIFTED].astype(np.int64)
        points = -np.where(cells[:, :, -1] < 0, lifted[:, None], cells[:, :, :-1].clip(0).sum(axis=2))
    return (points[:, 0] - points[:, 1]).astype(np.float64)


def _by_pair(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return values.reshape(2, -1).T


def _summary(played: _Pairs, opponent: str, trained_against: bool, same: bool) -> Result:
    scores = played.scores
    # A deterministic-by-seed agent against itself: 0.5 by construction, there is nothing to be uncertain about.
    known = same and bool(played.repeats.all())
    low, high = (0.5, 0.5) if known else score_interval(scores.mean(axis=1))
    return Result(
        opponent=opponent,
        trained_against=trained_against,
        pairs=len(scores),
        games=scores.size,
        wins=int((scores == 1).sum()),
        draws=int((scores == 0.5).sum()),
        losses=int((scores == 0).sum()),
        score=float(scores.sum()) / scores.size,
        score_low=low,
        score_high=high,
        score_first=float(scores[:, 0].mean()),
        score_second=float(scores[:, 1].mean()),
        mean_margin=float(played.margins.mean()),
        unique_games=1 - float(played.repeats.sum()) / scores.size,
    )
