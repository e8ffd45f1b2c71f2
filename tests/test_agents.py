"""The scripted agents of the roster: legal, reproducible, and as strong as they should be."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from mancala_rl import Agent, Batch, Position, Rules, make_agent, variant
from mancala_rl.agent import choose, turn_seeds
from mancala_rl.errors import AgentError
from mancala_rl.search import minimax
from tests.search.plain import SPECS, random_positions

RING = Rules("ring", players=3, pits=4, sow_stores="all", extra_turn="any_store", capture="none")
AGENTS = ("uniform", "greedy", "minimax:depth=1", "minimax:depth=3", "minimax:nodes=200", "mcts:simulations=20")
WITH_RING = [(name, spec) for name in AGENTS for spec in (*SPECS, RING)]


def some_games(rules: Rules, count: int) -> Batch:
    if rules.players == 2:
        return Batch.of(random_positions(str(rules), count))
    batch = rules.batch(count)
    batch.random_plies(np.arange(count) % 10, np.arange(count))
    return batch


@pytest.mark.parametrize("name, spec", WITH_RING, ids=str)
def test_every_move_is_legal(name: str, spec: str | Rules) -> None:
    batch = some_games(variant(spec), 600)
    before = batch.rows.copy()
    moves = make_agent(name, batch.rules).act(batch, np.arange(600))
    assert moves.dtype == np.int64
    assert batch.legal()[np.arange(600), moves].all()
    assert (batch.rows == before).all()


@pytest.mark.parametrize("name, spec", WITH_RING, ids=str)
def test_a_move_depends_on_its_own_game_and_seed_alone(name: str, spec: str | Rules) -> None:
    batch = some_games(variant(spec), 60)
    seeds = turn_seeds(np.arange(60), batch.ply)
    agent = make_agent(name, batch.rules)
    moves = agent.act(batch, seeds)
    alone = [int(agent.act(batch.select([g]), seeds[[g]])[0]) for g in range(60)]
    assert moves.tolist() == alone
    order = np.random.default_rng(1).permutation(60)
    assert agent.act(batch.select(order), seeds[order]).tolist() == moves[order].tolist()
    assert make_agent(name, batch.rules).act(batch, seeds).tolist() == alone


@pytest.mark.parametrize("name", AGENTS)
def test_no_games_get_no_moves(name: str) -> None:
    rules = variant("kalah")
    assert make_agent(name, rules).act(rules.batch(3).select([]), np.empty(0, np.int64)).tolist() == []


@pytest.mark.parametrize("name", AGENTS)
def test_agents_can_be_copied_and_pickled(name: str) -> None:
    batch = some_games(variant("kalah"), 50)
    agent = make_agent(name, batch.rules)
    moves = agent.act(batch, np.arange(50)).tolist()
    for twin in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert (twin.name, twin.rules) == (agent.name, agent.rules)
        assert twin.act(batch, np.arange(50)).tolist() == moves


def drawn(agent: Agent, position: Position, seeds: int = 600) -> np.ndarray:
    """How often the agent takes each action in a position."""
    batch = Batch.of([position] * seeds)
    return np.bincount(agent.act(batch, turn_seeds(np.arange(seeds), batch.ply)), minlength=position.rules.num_actions)


DISTRIBUTED = ("uniform", "greedy", "minimax:depth=3", "minimax:depth=2,random_ties=true", "easy")


@pytest.mark.parametrize("name", DISTRIBUTED)
@pytest.mark.parametrize("spec", [*SPECS, "japanese:pits=3,stones=2"])
def test_moves_are_drawn_by_the_chances_an_agent_says(name: str, spec: str) -> None:
    if name == "easy" and spec.startswith("japanese"):
        assert not hasattr(make_agent(name, spec), "distribution")
        return
    batch = Batch.of(random_positions(spec, 8))
    agent = make_agent(name, batch.rules)
    for position, chances in zip(batch, agent.distribution(batch), strict=True):
        counts = drawn(agent, position)
        assert chances.sum() == pytest.approx(1)
        assert set(np.flatnonzero(chances)) == set(np.flatnonzero(counts))
        assert abs(counts - 600 * chances).max() < 5 * np.sqrt(600 * chances.max())
    assert agent.distribution(batch.select(slice(0))).shape == (0, batch.rules.num_actions)
    with pytest.raises(AgentError):
        agent.distribution(variant("kalah:pits=7").batch(1))


def test_uniform_plays_every_legal_move_equally_often() -> None:
    for position in random_positions("kalah:pits=4,stones=4,pie=true", 20):
        counts = drawn(make_agent("uniform", position.rules), position)
        legal = list(position.legal_moves)
        assert np.flatnonzero(counts).tolist() == legal
        assert abs(counts[legal] - 600 / len(legal)).max() < 5 * np.sqrt(600 / len(legal))


@pytest.mark.parametrize(
    "pits, best",
    [
        ([(0, 1, 0, 0, 2, 0), (1, 1, 1, 9, 1, 0)], {4}),  # an extra turn (4) before a capture of ten (1)
        ([(1, 0, 0, 2, 0, 0), (1, 1, 1, 1, 9, 0)], {0}),  # a capture of ten (0) before one of two (3)
        ([(1, 0, 0, 1, 0, 7), (5, 2, 0, 2, 5, 0)], {0}),  # a capture of six (0) before one of three (3) and gain (5)
        ([(1, 0, 0, 1, 0, 0), (5, 5, 0, 0, 5, 0)], {0, 3}),  # two captures of six
        ([(0, 3, 0, 0, 3, 4), (5, 5, 5, 5, 5, 0)], {4, 5}),  # one stone for the store (4, 5) before none (1)
    ],
)
def test_greedy_prefers_extra_turn_to_capture_to_gain(pits: list[tuple[int, ...]], best: set[int]) -> None:
    rest = 48 - sum(map(sum, pits))
    rules = variant("kalah")
    for seat in (0, 1):
        position = Position(rules, pits[:: -1 if seat else 1], [rest, 0], seat)
        counts = drawn(make_agent("greedy", rules), position)
        assert set(np.flatnonzero(counts).tolist()) == best


def test_greedy_is_what_playing_each_move_shows() -> None:
    """The definition once more, on positions instead of rows, for every kind of rules."""
    for spec in SPECS:
        for position in random_positions(spec, 30):
            seat = position.to_move
            assert seat is not None
            after = {move: position.play(move) for move in position.legal_moves}
            appeal = {move: (q.extra_turn, q.captured, q.scores[seat]) for move, q in after.items()}
            best = {move for move in appeal if appeal[move] == max(appeal.values())}
            counts = drawn(make_agent("greedy", position.rules), position, 200)
            assert set(np.flatnonzero(counts).tolist()) == best


def test_minimax_plays_the_lowest_best_move_or_any_of_them_by_chance() -> None:
    ties = 0
    for spec in SPECS:
        for position in random_positions(spec, 20):
            analysis = minimax(position, 3)
            best = {move for move, value in enumerate(analysis.values) if value == analysis.value}
            ties += len(best) > 1
            lowest = drawn(make_agent("minimax:depth=3", position.rules), position, 20)
            assert np.flatnonzero(lowest).tolist() == [analysis.best_move]
            counts = drawn(make_agent("minimax:depth=3,random_ties=true", position.rules), position, 200)
            assert set(np.flatnonzero(counts).tolist()) == best
    assert ties > 20


def test_only_what_is_switched_on_stands_in_the_name() -> None:
    assert make_agent("minimax", "kalah").name == "minimax:depth=4"
    assert make_agent("minimax:random_ties=false,depth=2", "kalah").name == "minimax:depth=2"
    assert make_agent("minimax:random_ties=true", "kalah").name == "minimax:depth=4,random_ties=true"


def score(first: Agent, second: Agent, pairs: int) -> float:
    """The share of points of `first`, over pairs of games from one opening each with seats swapped."""
    rules, points = first.rules, 0.0
    seeds = np.arange(pairs)
    for seats in ((first, second), (second, first)):
        batch = rules.batch(pairs)
        batch.random_plies(seeds % 7, seeds)
        while not batch.over.all():
            for seat, agent in enumerate(seats):
                games = np.flatnonzero(batch.to_move == seat)
                turn = batch.select(games)
                turn.play(agent.act(turn, turn_seeds(seeds[games], turn.ply)))
                batch.rows[games] = turn.rows
        points += float((batch.returns[:, seats.index(first)] + 1).sum() / 2)
    return points / (2 * pairs)


def test_the_agents_rank_as_they_should() -> None:
    """Over 400 games a score deviates by .05 at two standard errors, so .75 is far from chance."""
    uniform, greedy, minimax = (make_agent(name, "kalah") for name in ("uniform", "greedy", "minimax:depth=4"))
    assert score(greedy, uniform, 200) > 0.75
    assert score(minimax, greedy, 200) > 0.75
    assert score(minimax, uniform, 200) > 0.95


@pytest.mark.parametrize("name", AGENTS)
def test_an_agent_against_its_equal_scores_a_half(name: str) -> None:
    assert score(make_agent(name, "kalah"), make_agent(name, "kalah"), 100) == 0.5


def test_choose_plays_one_position() -> None:
    agent = make_agent("minimax:depth=1", "kalah:pits=3,stones=2")
    position = Position(agent.rules, [(1, 0, 1), (2, 4, 1)], [1, 2])
    assert [choose(agent, position, seed) for seed in range(5)] == [0] * 5
