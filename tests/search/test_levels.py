"""The named levels of play, and that each is stronger than the one before in every variant."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from mancala_rl import VARIANTS, make_agent, variant
from mancala_rl.arena import evaluate, play_games
from mancala_rl.errors import BadInputError
from mancala_rl.search import LEVELS, level

MORE = ("japanese:players=3", "japanese:players=4", "japanese:players=3,play_out=false,resign=true")
STEPS = list(itertools.pairwise(LEVELS))


def score(stronger: str, weaker: str, spec: str, games: int) -> float:
    """The share of points of one level against the other, 0 to 1; one against all others where there are more."""
    rules = variant(spec)
    agents = [make_agent(name, rules) for name in (stronger, weaker)]
    if rules.players == 2:
        return evaluate(*agents[:1], agents[1:], rules, pairs=games // 2).results[0].score
    seats = np.array([[int(seat != g % rules.players) for seat in range(rules.players)] for g in range(games)])
    seeds = np.arange(games) // rules.players
    batch = rules.batch(games)
    batch.random_plies(seeds % 7, seeds)
    final = play_games(agents, batch, seats, seeds).final
    return float(final.returns[seats == 0].mean() + 1) / 2


@pytest.mark.parametrize("name", LEVELS)
def test_a_level_is_an_agent_of_every_variant(name: str) -> None:
    for spec in (*VARIANTS, *MORE):
        rules = variant(spec)
        agent = make_agent(name, rules)
        assert agent.name == name
        batch = rules.batch(2)
        moves = agent.act(batch, np.arange(2))
        assert batch.legal()[np.arange(2), moves].all()
        assert agent.act(batch, np.arange(2)).tolist() == moves.tolist()


def test_there_are_no_other_levels() -> None:
    with pytest.raises(BadInputError, match="level 'expert': expected one of easy, medium, hard"):
        level("expert", variant("kalah"))


@pytest.mark.parametrize("weaker, stronger", STEPS)
def test_each_level_of_kalah_beats_the_one_before(weaker: str, stronger: str) -> None:
    assert score(stronger, weaker, "kalah", 60) > 0.6


@pytest.mark.slow
@pytest.mark.parametrize("weaker, stronger", [("uniform", "easy"), *STEPS])
@pytest.mark.parametrize("spec", [*VARIANTS, *MORE])
def test_each_level_beats_the_one_before(spec: str, weaker: str, stronger: str) -> None:
    """Over 120 games equals stay below 0.57 in 19 cases of 20; with more players the steps are smaller."""
    assert score(stronger, weaker, spec, 120) > (0.57 if variant(spec).players == 2 else 0.54)
