"""The scripted players in every variant, with two players and more."""

from __future__ import annotations

import numpy as np
import pytest

from mancala_rl import VARIANTS, Position, make_agent, variant
from mancala_rl.arena import evaluate, play_games
from mancala_rl.search import Greedy, Minimax, Uniform, minimax
from tests.search.plain import plain_values, random_positions

SPECS = [
    "oware",
    "oware:pits=3,stones=2",
    "oware:pits=2,stones=3,grand_slam=illegal",
    "mangala_official",
    "mangala:pits=4,stones=3",
    "japanese",
    "japanese:pits=3,stones=2,resign=true",
    "toguz_korgool:pits=4,stones=3",
    "ayoayo:pits=3,stones=3",
    "bohnenspiel:pits=3,stones=3",
    "congkak:pits=3,stones=3",
    "avalanche:pits=3,stones=3",
]


@pytest.mark.parametrize("spec", SPECS)
def test_minimax_is_plain_minimax(spec):
    for position in random_positions(spec, 6, plies=24):
        for depth in (1, 2, 3):
            assert minimax(position, depth).values == plain_values(position, depth), position


@pytest.mark.slow
@pytest.mark.parametrize("spec", [*SPECS, "toguz_korgool", "bohnenspiel", "ayoayo"])
def test_a_deep_search_is_plain_minimax(spec):
    depth = 8 if variant(spec).pits <= 4 else 6
    for position in random_positions(spec, 10, plies=40, seed=1):
        assert minimax(position, depth).values == plain_values(position, depth), position


def test_repetition_is_seen_by_the_search():
    # Two stones chase each other for ever: the second time round the game ends, and each side banks its own.
    rules = variant("oware:pits=2,stones=1,start_position=1,0+1/0,1+1")
    position, visited = rules.start(), set()
    while not position.is_over and len(visited) < 50:
        visited.add(str(position))
        assert minimax(position, 6).values == plain_values(position, 6), position
        position = position.play(position.legal_moves[0])
    assert position.ply == 4 and position.stores == (2, 2)


@pytest.mark.parametrize("spec", [f"{name}:pits=3,stones=3" for name in VARIANTS])
def test_every_player_finishes_games_for_two(spec):
    rules = variant(spec)
    agents = [make_agent(name, rules) for name in ("uniform", "greedy", "minimax:depth=2")]
    seats = np.array([[0, 1], [1, 0], [1, 2], [2, 1], [0, 2], [2, 0]])
    games = play_games(agents, rules.batch(6), seats, np.arange(6))
    assert games.final.over.all()


@pytest.mark.parametrize(
    "spec",
    [
        "japanese:players=3,pits=3,stones=2",
        "japanese:players=4,pits=3,stones=2,resign=true",
        "japanese:players=3,pits=3,stones=2,play_out=false",
    ],
)
def test_greedy_and_uniform_finish_games_for_more(spec):
    rules = variant(spec)
    agents = [make_agent(name, rules) for name in ("uniform", "greedy")]
    seats = np.arange(40 * rules.players).reshape(40, -1) % 2
    games = play_games(agents, rules.batch(40), seats, np.arange(40))
    assert games.final.over.all()
    greedy = games.final.returns[seats == 1].mean()
    assert greedy > games.final.returns[seats == 0].mean()


def greedy_moves(text: str, spec: str) -> set[int]:
    rules = variant(spec)
    position = Position.parse(text, rules)
    batch = rules.batch(200)
    batch.rows[:] = position.row
    return set(Greedy(rules).act(batch, np.arange(200)).tolist())


@pytest.mark.parametrize(
    "text, best",
    [
        ("0,0,1+7/2,2,2+10 0", {2}),  # finishes
        ("0,1,1+7/2,2,2+9 0", {2}),  # an extra turn
        ("4,1,0+7/2,2,2+6 0", {0}),  # four stones off the side but two: pit 1 moves one and keeps it
        ("1,1,0+7/2,2,2+9 0", {0}),  # equal in all but the way to the store
    ],
)
def test_greedy_runs_the_race(text, best):
    assert greedy_moves(text, "japanese:pits=3,stones=4") == best


def test_greedy_finishes_rather_than_move_again_and_never_gives_up():
    rules = "japanese:players=3,pits=2,stones=2,resign=true"
    assert greedy_moves("0,1+3/1,1+2/2,2+0 0", rules) == {1}
    assert greedy_moves("1,0+3/1,1+2/2,2+0 0", rules) == {0}


@pytest.mark.parametrize("spec", ["japanese", "japanese:stones=3", "japanese:pits=4"])
def test_greedy_beats_chance_in_a_race(spec):
    rules = variant(spec)
    result = evaluate(Greedy(rules), [Uniform(rules)], rules, pairs=60).results[0]
    assert result.score > 0.58


def test_minimax_wins_the_race_it_can_win():
    position = Position.parse("0,0,1+7/2,2,2+10 0", "japanese:pits=3,stones=4")
    analysis = minimax(position, 3)
    assert analysis.best_move == 2
    assert analysis.value == 24 + 6  # the game, and six stones that the other still holds
    assert Minimax(position.rules, 1).act(position.rules.batch(1), np.zeros(1, np.int64)).shape == (1,)
