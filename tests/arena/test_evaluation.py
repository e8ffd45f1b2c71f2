import dataclasses
import json

import numpy as np
import pytest

from mancala_rl.arena import evaluate, openings
from mancala_rl.errors import AgentError, BadInputError, EvaluationError
from mancala_rl.roster import make_agent
from mancala_rl.rules import Rules, variant
from tests.arena.players import Answers, Chance, Farthest, Nearest

KALAH = variant("kalah")


@pytest.mark.parametrize("spec", ["uniform", "greedy", "minimax:depth=2"])
def test_an_agent_against_itself_scores_exactly_one_half(spec):
    agent, twin = make_agent(spec, KALAH), make_agent(spec, KALAH)
    (result,) = evaluate(agent, [twin], KALAH, pairs=30, seed=4)
    assert result.score == 0.5
    assert (result.score_low, result.score_high) == (0.5, 0.5)
    assert result.wins == result.losses
    assert result.mean_margin == 0
    assert result.score_first + result.score_second == 1
    assert result.unique_games == 0.5


def test_two_agents_seen_from_either_side_add_up():
    mine, other = Chance(KALAH), Nearest(KALAH)
    (ours,) = evaluate(mine, [other], KALAH, pairs=25, seed=2)
    (theirs,) = evaluate(other, [mine], KALAH, pairs=25, seed=2)
    assert (ours.wins, ours.draws, ours.losses) == (theirs.losses, theirs.draws, theirs.wins)
    assert ours.score + theirs.score == pytest.approx(1, abs=1e-12)
    assert ours.score_first + theirs.score_second == pytest.approx(1, abs=1e-12)
    assert ours.mean_margin == -theirs.mean_margin
    assert (ours.score_low, ours.score_high) == pytest.approx((1 - theirs.score_high, 1 - theirs.score_low))


def test_the_same_arguments_give_the_same_result_and_another_seed_another():
    def found(seed):
        return evaluate(Chance(KALAH), [Nearest(KALAH)], KALAH, pairs=20, seed=seed)

    assert found(1) == found(1)
    assert found(1).results != found(2).results


def test_an_opponent_does_not_change_what_another_one_gets():
    both = evaluate(Chance(KALAH), [Nearest(KALAH), make_agent("greedy", KALAH)], KALAH, pairs=10)
    alone = evaluate(Chance(KALAH), [make_agent("greedy", KALAH)], KALAH, pairs=10)
    assert both.results[1] == alone.results[0]


def test_every_number_agrees_with_games_played_one_by_one():
    pairs, seed = 12, 6
    scores: dict[int, list[float]] = {0: [], 1: []}
    margins = []
    for start in openings(KALAH, pairs, seed):
        for seat in (0, 1):
            position = start
            while not position.is_over:
                mine = position.to_move == seat
                position = position.play(max(position.legal_moves) if mine else min(position.legal_moves))
            margins.append(position.scores[seat] - position.scores[1 - seat])
            scores[seat].append((np.sign(margins[-1]) + 1) / 2)
    (result,) = evaluate(Nearest(KALAH), [Farthest(KALAH)], KALAH, pairs, seed)
    every = scores[0] + scores[1]
    assert (result.wins, result.draws, result.losses) == tuple(every.count(value) for value in (1, 0.5, 0))
    assert result.games == 2 * pairs == len(every)
    assert result.score == pytest.approx(np.mean(every))
    assert result.score_first == pytest.approx(np.mean(scores[0]))
    assert result.score_second == pytest.approx(np.mean(scores[1]))
    assert result.mean_margin == pytest.approx(np.mean(margins))


def test_greedy_beats_chance_in_both_seats():
    (result,) = evaluate(make_agent("greedy", KALAH), [make_agent("uniform", KALAH)], KALAH, pairs=50)
    assert min(result.score_first, result.score_second) > 0.85
    assert result.mean_margin > 10
    assert result.score_low > 0.85
    assert result.unique_games == 1


def test_many_pairs_are_played_in_chunks_without_a_trace(monkeypatch):
    whole = evaluate(Chance(KALAH), [Nearest(KALAH)], KALAH, pairs=11)
    monkeypatch.setattr("mancala_rl.arena.evaluation._CHUNK", 4)
    told: list[int] = []
    assert evaluate(Chance(KALAH), [Nearest(KALAH)], KALAH, pairs=11, progress=told.append) == whole
    assert told == sorted(told)
    assert told[-1] == 22


def test_spec_strings_do_as_well_as_what_they_name():
    named = evaluate("greedy", ["uniform"], "kalah", 3)
    assert named == evaluate(make_agent("greedy", KALAH), [make_agent("uniform", KALAH)], KALAH, 3)
    assert named == evaluate("greedy", "uniform", "kalah", 3)


def test_progress_runs_over_all_opponents():
    told: list[int] = []
    evaluate(Nearest(KALAH), [Chance(KALAH), Nearest(KALAH)], KALAH, pairs=5, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 20


@pytest.mark.parametrize("spec", ["kalah:pits=3,stones=2,pie=true", "kalah:start_position=random,leftovers=unscored"])
def test_other_rules_can_be_evaluated(spec):
    rules = variant(spec)
    (result,) = evaluate(Chance(rules), [Chance(rules, "twin")], rules, pairs=20)
    assert result.score == 0.5
    assert result.games == 40


def test_an_agent_trained_on_other_starts_may_play():
    evaluate(Chance(KALAH), [Chance(KALAH)], variant("kalah:start_position=random"), pairs=3)


@pytest.mark.parametrize(
    "agent, opponents, rules, pairs, message",
    [
        (Chance(KALAH), [], KALAH, 5, "no opponent"),
        (
            Chance(KALAH),
            [Chance(variant("kalah:stones=3"))],
            KALAH,
            5,
            "plays kalah:stones=3, this evaluation is of kalah",
        ),
        (Chance(KALAH), [Chance(KALAH)], Rules(name="three", players=3, capture="none"), 5, "3 players"),
        (Chance(KALAH), [Chance(KALAH)], KALAH, 0, "0 pairs"),
    ],
)
def test_what_cannot_be_evaluated_is_refused(agent, opponents, rules, pairs, message):
    with pytest.raises(EvaluationError, match=message):
        evaluate(agent, opponents, rules, pairs)


def test_too_few_openings_are_refused_with_the_remedy():
    rules = variant("kalah:pits=1,stones=2")
    with pytest.raises(EvaluationError, match="take at most"):
        evaluate(Chance(rules), [Chance(rules)], rules, pairs=100)


def test_an_agent_without_rules_is_refused():
    stranger = Chance(KALAH)
    del stranger.rules
    with pytest.raises(AgentError, match="chance"):
        evaluate(stranger, [Chance(KALAH)], KALAH, pairs=2)


def test_an_illegal_move_names_the_agent():
    with pytest.raises(AgentError, match="agent broken played the illegal move 17"):
        evaluate(Answers(KALAH, lambda batch: np.full(len(batch), 17)), [Chance(KALAH)], KALAH, pairs=2)


def test_a_result_is_plain_data():
    evaluation = evaluate(Chance(KALAH), [Nearest(KALAH)], KALAH, pairs=5, seed=3)
    data = json.loads(json.dumps(evaluation.to_dict()))
    assert data["results"] == [dataclasses.asdict(evaluation.results[0])]
    assert {key: data[key] for key in ("agent", "rules", "pairs", "seed")} == {
        "agent": "chance",
        "rules": "kalah",
        "pairs": 5,
        "seed": 3,
    }
    with pytest.raises(dataclasses.FrozenInstanceError):
        evaluation.seed = 1


class GivesUp(Farthest):
    """An agent that gives up at its first turn."""

    def act(self, batch, seeds):
        return np.full(len(batch), batch.rules.pits)


def test_who_gives_up_is_not_ahead():
    rules = variant("japanese:resign=true")
    (result,) = evaluate(GivesUp(rules), [Farthest(rules)], rules, pairs=10)
    assert result.losses == result.games
    assert result.mean_margin < 0
    (other,) = evaluate(Farthest(rules), [GivesUp(rules)], rules, pairs=10)
    assert other.mean_margin == -result.mean_margin > 0


@pytest.mark.parametrize(
    "change, message",
    [
        ({"agent": None}, "agent None: expected an object with act"),
        ({"opponents": None}, "agent None: expected an object with act"),
        ({"opponents": [None]}, "agent None: expected an object with act"),
        ({"pairs": "3"}, "3 pairs: expected 1 to"),
        ({"pairs": 2.5}, "2.5 pairs: expected 1 to"),
        ({"pairs": True}, "True pairs: expected 1 to"),
        ({"seed": "x"}, "seed x: expected a number from 0"),
        ({"seed": None}, "seed None: expected a number from 0"),
    ],
)
def test_arguments_of_the_wrong_kind_are_told_in_one_line(change, message):
    arguments = {"agent": "uniform", "opponents": ["greedy"], "rules": KALAH, "pairs": 2, **change}
    with pytest.raises(BadInputError, match=message):
        evaluate(**arguments)


def test_one_opponent_needs_no_list():
    greedy = make_agent("greedy", KALAH)
    assert evaluate("uniform", greedy, KALAH, 2) == evaluate("uniform", [greedy], KALAH, 2)
