"""Agents judged by positions whose values are known."""

from __future__ import annotations

import dataclasses
import io
import itertools
import json
import math

import numpy as np
import pytest
from numpy.typing import NDArray
from rich.console import Console

from mancala_rl import Batch, Position, variant
from mancala_rl.arena import Judgement, judge, judgements_table
from mancala_rl.arena.judge import regrets_of
from mancala_rl.arena.statistics import wilson
from mancala_rl.errors import AgentError, BadInputError, EvaluationError
from mancala_rl.kernel.compile import PLAIN_PYTHON
from mancala_rl.solver import Perfect
from mancala_rl.study.testsets import SolvedSet, set_for
from tests import reference
from tests.arena.players import Answers, Chance, Farthest, Nearest

RULES = variant("kalah:pits=3,stones=2")

# Pits of the player to move and of the other, and what each move is worth: made up, to be seen through.
TOY = [
    (((2, 2, 2), (2, 2, 2)), (4, 0, -2)),  # all 12 stones: opening
    (((1, 1, 2), (2, 2, 1)), (0, 0, -6)),  # 9: opening
    (((1, 1, 1), (2, 2, 1)), (-4, 2, 2)),  # 8: middle
    (((0, 1, 1), (1, 1, 1)), (None, -8, 2)),  # 5: middle
    (((1, 0, 1), (1, 0, 0)), (6, None, 5)),  # 3: endgame
]


def toy() -> SolvedSet:
    positions = []
    for number, (pits, _) in enumerate(TOY):
        seat = number % 2
        rest = RULES.total - sum(map(sum, pits))
        positions.append(Position(RULES, pits[:: -1 if seat else 1], (rest, 0), seat))
    return SolvedSet(RULES, 0, "by hand", tuple(positions), tuple(values for _, values in TOY))


def rows(judgement: Judgement) -> list[tuple[str, int, float, float]]:
    return [(v.phase, v.positions, round(v.optimal, 9), round(v.regret, 9)) for v in judgement]


def test_a_toy_set_is_judged_as_by_hand() -> None:
    # Farthest plays 0, 0, 0, 1, 0, which costs 0, 0, 6, 10, 0; Nearest plays 2 everywhere: 6, 6, 0, 0, 1.
    assert rows(judge(Farthest(RULES), RULES, toy())) == [
        ("opening", 2, 1.0, 0.0),
        ("middle", 2, 0.0, 8.0),
        ("endgame", 1, 1.0, 0.0),
        ("all", 5, 0.6, 3.2),
    ]
    assert rows(judge(Nearest(RULES), RULES, toy())) == [
        ("opening", 2, 0.0, 6.0),
        ("middle", 2, 1.0, 0.0),
        ("endgame", 1, 0.0, 1.0),
        ("all", 5, 0.4, 2.6),
    ]


def test_intervals_are_wilsons_and_the_normal_ones() -> None:
    *_, verdict = judge(Farthest(RULES), RULES, toy())
    assert (verdict.optimal_low, verdict.optimal_high) == wilson(0.6, 5)
    half = 1.959964 * math.sqrt(((0 - 3.2) ** 2 * 3 + (6 - 3.2) ** 2 + (10 - 3.2) ** 2) / 4 / 5)
    assert verdict.regret_low == max(0, 3.2 - half) == 0
    assert verdict.regret_high == pytest.approx(3.2 + half, abs=1e-5)
    single = judge(Nearest(RULES), RULES, toy()).verdicts[2]
    assert (single.regret_low, single.regret, single.regret_high) == (1, 1, 1)


def test_a_phase_without_positions_is_left_out() -> None:
    solved = toy()
    late = dataclasses.replace(solved, positions=solved.positions[4:], values=solved.values[4:])
    assert [verdict.phase for verdict in judge(Nearest(RULES), RULES, late)] == ["endgame", "all"]


def test_the_seed_decides_chances_and_nothing_else_does() -> None:
    solved = set_for(variant("kalah"))
    agent = Chance(solved.rules)
    first = regrets_of(agent, solved, 7)
    assert regrets_of(agent, solved, 7).tolist() == first.tolist()
    assert regrets_of(agent, solved, 8).tolist() != first.tolist()
    half = SolvedSet(solved.rules, 0, "", solved.positions[:300], solved.values[:300])
    assert regrets_of(agent, half, 7).tolist() == first[:300].tolist()
    assert max(agent.calls) <= 128


def test_every_position_has_a_seed_of_its_own() -> None:
    solved, given = set_for(variant("kalah")), []

    class Listening(Nearest):
        def act(self, batch: Batch, seeds: NDArray[np.int64]) -> NDArray[np.int64]:
            given.extend(seeds.tolist())
            return super().act(batch, seeds)

    regrets_of(Listening(solved.rules), solved)
    assert len(set(given)) == len(given) == len(solved)


@pytest.mark.parametrize("spec", ["kalah", "kalah:stones=6", "mangala_official"])
def test_chance_scores_what_is_expected_of_it(spec: str) -> None:
    solved = set_for(variant(spec))
    optimal, regret = solved.by_chance()
    *_, verdict = judge("uniform", spec)
    assert verdict.optimal_low < optimal < verdict.optimal_high
    assert verdict.regret_low < regret < verdict.regret_high
    assert verdict.optimal_high - verdict.optimal_low < 0.05


def test_by_values_found_by_others_perfect_play_is_perfect() -> None:
    most = 12 if PLAIN_PYTHON else 26
    lines = (reference.DATA / "positions_kalah64.jsonl").read_text("utf-8").splitlines()
    cases = [c for c in map(json.loads, lines) if c["variant"] == "kalah" and sum(map(sum, c["pits"])) <= most]
    rules = variant("kalah")
    positions = tuple(Position(rules, case["pits"], case["stores"], case["to_move"]) for case in cases)
    solved = SolvedSet(rules, 0, "", positions, tuple(tuple(case["move_values"]) for case in cases))
    for verdict in judge(Perfect(rules, database=3 if PLAIN_PYTHON else 10, random_ties=True), rules, solved):
        assert (verdict.optimal, verdict.regret, verdict.regret_high) == (1.0, 0.0, 0.0)
        assert verdict.optimal_low < 1


@pytest.mark.skipif(PLAIN_PYTHON, reason="takes hours")
def test_by_the_shipped_set_perfect_play_is_perfect_and_better_players_are_better() -> None:
    solved = set_for(variant("kalah"))
    late = np.flatnonzero(solved.stones <= 24)[::10]
    some = SolvedSet(
        solved.rules, 0, "", tuple(solved.positions[i] for i in late), tuple(solved.values[i] for i in late)
    )
    *_, verdict = judge(Perfect(solved.rules, database=10), "kalah", some)
    assert (verdict.optimal, verdict.regret) == (1.0, 0.0)
    regrets = [judge(agent, "kalah").verdicts[-1].regret for agent in ("uniform", "greedy", "minimax:depth=4")]
    assert regrets == sorted(regrets, reverse=True)


def test_progress_counts_the_positions() -> None:
    told: list[int] = []
    solved = set_for(variant("kalah"))
    judge("uniform", "kalah", progress=told.append)
    assert told[:8] == [1, 3, 7, 15, 31, 63, 95, 127] and told[-1] == len(solved)
    assert all(0 < after - before <= 32 for before, after in itertools.pairwise(told))


@pytest.mark.parametrize(
    "agent, rules, options, error, words",
    [
        ("uniform", "congkak", {}, BadInputError, "no solved test set for congkak; there are sets for"),
        ("uniform", "japanese:players=3", {}, BadInputError, "no solved test set"),
        ("nobody", "kalah", {}, AgentError, "unknown agent"),
        ("uniform", "kalah", {"seed": -1}, EvaluationError, "seed -1"),
        ("uniform", "kalah", {"positions": toy()}, EvaluationError, "holds positions of kalah:pits=3,stones=2, not of"),
        (Nearest(RULES), "kalah", {}, EvaluationError, "agent nearest plays kalah:pits=3,stones=2"),
        (Answers(variant("kalah"), lambda b: np.full(len(b), 6)), "kalah", {}, AgentError, "illegal move 6 in .*legal"),
        (Answers(variant("kalah"), lambda b: [0]), "kalah", {}, AgentError, "expected 2 whole numbers"),
        (Answers(variant("kalah"), lambda b: 1 / 0), "kalah", {}, AgentError, "its act failed .ZeroDivisionError"),
    ],
)
def test_what_cannot_be_judged_is_refused(agent, rules, options, error, words) -> None:
    with pytest.raises(error, match=words) as caught:
        judge(agent, rules, **options)
    assert "\n" not in str(caught.value)


def test_the_table_holds_every_number() -> None:
    judgements = [judge(Farthest(RULES, "[red]far"), RULES, toy(), seed=5), judge(Nearest(RULES), RULES, toy(), seed=5)]
    stream = io.StringIO()
    Console(file=stream, width=100, markup=False, highlight=False).print(judgements_table(judgements))
    lines = [line.split() for line in stream.getvalue().splitlines()]
    assert ["[red]far", "opening", "2", "1.000", ".342-1.000", "0.00", "0.00-0.00"] in lines
    assert ["all", "5", ".600", ".231-.882", "3.20", "0.00-7.24"] in lines
    assert ["nearest", "opening", "2", ".000", ".000-.658", "6.00", "6.00-6.00"] in lines
    assert "kalah:pits=3,stones=2" in stream.getvalue() and "seed 5" in stream.getvalue()


def test_it_can_be_told_as_json() -> None:
    judgement = judge(Farthest(RULES), RULES, toy())
    told = json.loads(json.dumps(judgement.to_dict()))
    assert (told["agent"], told["rules"], told["seed"]) == ("farthest", "kalah:pits=3,stones=2", 0)
    assert told["verdicts"][-1] == vars(judgement.verdicts[-1])
    assert [verdict["phase"] for verdict in told["verdicts"]] == ["opening", "middle", "endgame", "all"]
