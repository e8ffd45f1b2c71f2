"""What an agent plays in one position, how sure it is of that, and what it costs."""

from __future__ import annotations

import numpy as np
import pytest

from mancala_rl import Batch, Position, make_agent, variant
from mancala_rl.errors import AgentError, BadInputError
from mancala_rl.solver import solve
from mancala_rl.study.agent_play import agent_play

RULES = variant("kalah:pits=3,stones=2")
START = RULES.start()
VALUES = (-8, 4, 0)  # exact


class Scripted:
    """An agent that says nothing but its moves."""

    def __init__(self, act) -> None:
        self.name, self.rules, self.act = "scripted", RULES, act


def always(move: int) -> Scripted:
    return Scripted(lambda batch, seeds: np.full(len(batch), move))


def test_a_sure_agent_gives_up_what_its_move_costs() -> None:
    assert solve(START).values == VALUES
    for move, cost in ((0, 12), (1, 0), (2, 4)):
        play = agent_play(always(move), START, VALUES)
        assert play.chances == tuple(float(move == other) for other in range(3))
        assert (play.name, play.samples, play.regret) == ("scripted", 1, cost)


def test_an_agent_that_says_its_chances_is_asked_for_them() -> None:
    play = agent_play(make_agent("uniform", RULES), START, VALUES, samples=50)
    assert play.chances == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert play.samples == 0 and play.regret == pytest.approx(16 / 3)


def test_the_chances_of_any_other_are_drawn() -> None:
    agent = Scripted(lambda batch, seeds: np.where(seeds % 4 == 0, 2, 1))
    one, many = (agent_play(agent, START, VALUES, samples) for samples in (1, 2000))
    assert sorted(one.chances) == [0, 0, 1]
    assert many.chances == pytest.approx((0, 0.75, 0.25), abs=0.05) and sum(many.chances) == 1
    assert many.samples == 2000 and many.regret == pytest.approx(4 * many.chances[2])


def test_an_agent_may_go_by_how_a_position_came_about() -> None:
    by_ply = Scripted(lambda batch, seeds: np.where(batch.ply > 0, batch.legal().argmax(axis=1), 1))
    played = START.play(0)
    moves = [agent_play(by_ply, position, (0, 0, 0)).chances.index(1) for position in (START, played)]
    assert moves == [1, played.legal_moves[0]]


def test_what_a_move_without_a_value_costs_is_not_known() -> None:
    assert agent_play(always(0), START, (None, 4, 0)).regret is None
    assert agent_play(always(2), START, (None, 4, 0)).regret == 4
    assert agent_play(make_agent("uniform", RULES), START, (None, 4, 0)).regret is None


def no_distribution(batch: Batch) -> np.ndarray:
    return np.full((len(batch), 3), 0.5)


@pytest.mark.parametrize(
    "agent, position, error",
    [
        (always(0), Position.parse("0,2,2+2/2,2,2+0 0", RULES), BadInputError),
        (always(7), START, BadInputError),
        (make_agent("uniform", "kalah"), START, AgentError),
        (Scripted(lambda batch, seeds: 1 // 0), START, AgentError),
    ],
)
def test_what_is_no_play_is_refused(agent, position: Position, error: type[Exception]) -> None:
    with pytest.raises(error) as caught:
        agent_play(agent, position, VALUES)
    assert "\n" not in str(caught.value)


def test_chances_that_are_none_are_refused() -> None:
    agent = always(0)
    agent.distribution = no_distribution
    with pytest.raises(BadInputError, match="no distribution over the legal actions"):
        agent_play(agent, START, VALUES)
