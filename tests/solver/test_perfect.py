"""The perfect player: a best move in every position, of all rules the solver covers."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mancala_rl import Batch, Match, Position, Rules, make_agent, variant
from mancala_rl.agent import choose, turn_seeds
from mancala_rl.arena import evaluate
from mancala_rl.errors import AgentError, BadInputError
from mancala_rl.kernel.compile import PLAIN_PYTHON
from mancala_rl.solver import Perfect, build_database, solve, supply
from mancala_rl.solver.engine import PackedEngine, RowEngine
from tests import reference
from tests.search.plain import random_positions
from tests.solver.plain import boards, packed_rules, position_with, values_of

SMALL = "kalah:pits=3,stones=2"
MIB = 1 << 20
COVERED = (
    SMALL,
    "mangala_official:pits=2,stones=3",
    "kalah:pits=3,stones=2,pie=true",
    "kalah:pits=3,stones=1,pie=true,leftovers=emptier",
    "kalah:pits=3,stones=2,stop_when_decided=true",
    "kalah:pits=2,stones=3,leftovers=unscored",
    "japanese:pits=2,stones=3",
    "japanese:pits=2,stones=2,resign=true",
    "avalanche:pits=2,stones=3",
    "oware:pits=2,stones=1,repetition=0,max_plies=7",
)


def best_of(position: Position) -> list[int]:
    """The best moves, by trying everything."""
    values = values_of(position)
    return [move for move in sorted(values) if values[move] == max(values.values())]


def played(agent: Perfect, position: Position, seeds: int = 60) -> list[int]:
    batch = Batch.of([position] * seeds)
    return sorted(set(agent.act(batch, turn_seeds(np.arange(seeds), batch.ply)).tolist()))


@pytest.mark.parametrize("spec", COVERED)
def test_it_plays_the_lowest_best_move_or_any_of_them_by_chance(spec: str) -> None:
    rules = variant(spec)
    lowest, any_best = Perfect(rules), Perfect(rules, random_ties=True)
    for position in [rules.start(), *random_positions(spec, 6, plies=6)]:
        if not position.is_over:
            best = best_of(position)
            assert played(lowest, position, 3) == best[:1], position
            assert played(any_best, position) == best, position


@given(data=st.data(), rules=packed_rules(st.integers(1, 3)), seat=st.integers(0, 1), stones=st.integers(0, 4))
def test_so_it_does_under_every_option(data: st.DataObject, rules: Rules, seat: int, stones: int) -> None:
    position = position_with(rules, data.draw(boards(rules.pits, 7)), seat, data.draw(st.integers(0, 4)))
    if not position.is_over:
        assert played(Perfect(position.rules, database=stones), position, 1) == best_of(position)[:1]


@pytest.mark.parametrize(
    "spec", [SMALL, "mangala_official:pits=2,stones=3", "kalah:pits=3,stones=2,leftovers=unscored"]
)
def test_a_bound_is_reached_up_to_the_value(spec: str) -> None:
    rules = variant(spec)
    for position in random_positions(spec, 10, plies=4):
        if not position.is_over:
            for engine in (PackedEngine(rules, rules.total, MIB), RowEngine(rules, MIB)):
                value = engine.value(position, 0)
                reached = [bound for bound in range(-20, 21) if engine.at_least(position, bound)]
                assert reached == list(range(-20, value + 1))


def test_the_table_stays_for_the_next_move_and_changes_none() -> None:
    rules = variant("kalah:pits=4,stones=2" if not PLAIN_PYTHON else SMALL)
    positions = [p for p in random_positions(str(rules), 30, plies=8) if not p.is_over]
    agent = Perfect(rules, database=0)
    moves = [choose(agent, position) for position in positions]
    assert [choose(agent, position) for position in reversed(positions)] == moves[::-1]
    assert [choose(Perfect(rules, database=0, memory=4096), position) for position in positions] == moves
    engine = agent._engine(positions[0])
    nodes = engine.nodes
    assert choose(agent, positions[0]) == moves[0]
    assert engine.nodes - nodes < 50  # everything about it is in the table


def test_games_with_closed_pits_are_played_too() -> None:
    agent = Perfect(variant("mangala:pits=3"))
    for own, other in itertools.product(((0, 1, 3), (0, 1, 2)), ((0, 3, 2), (0, 4, 0), (0, 4, 1))):
        rest = 24 - sum(own) - sum(other)
        position = Position("mangala:pits=3", (own, other), (rest, 0), 0, closed=[(0, 0)])
        assert played(agent, position, 1) == best_of(position)[:1]
    assert played(agent, agent.rules.start(), 1)  # beside games without


def test_a_file_a_number_and_an_open_database_are_the_same(tmp_path: Path) -> None:
    rules, path = variant(SMALL), tmp_path / "small.db"
    database = build_database(rules, 8, path)
    agents = [
        make_agent(f"perfect:database={path}", rules),
        make_agent("perfect:stones=8", rules),
        Perfect(rules, database=database),
        make_agent("perfect", rules),
    ]
    for position in random_positions(SMALL, 20, plies=5):
        if not position.is_over:
            assert {choose(agent, position) for agent in agents} == {best_of(position)[0]}


def test_the_database_is_built_with_the_first_move(monkeypatch: pytest.MonkeyPatch) -> None:
    built = []
    monkeypatch.setattr(supply, "_kept", {})
    monkeypatch.setattr(
        supply, "build_database", lambda *args, **kw: built.append(args[1]) or build_database(*args, **kw)
    )
    agent = make_agent("perfect:stones=5", SMALL)
    assert built == []
    choose(agent, variant(SMALL).start())
    choose(agent, variant(SMALL).start())
    assert built == [5]


def test_its_name_says_what_it_was_given() -> None:
    assert make_agent("perfect", "kalah").name == "perfect"
    assert make_agent("perfect:random_ties=true,stones=5", SMALL).name == "perfect:stones=5,random_ties=true"


def test_it_wins_or_draws_what_can_be_won_or_drawn() -> None:
    evaluation = evaluate("perfect", ["uniform", "minimax:depth=2", "perfect"], SMALL, 10)
    assert all(result.mean_margin >= 0 for result in evaluation)
    assert evaluation.results[2].score == 0.5


@pytest.mark.parametrize(
    "spec, options, words",
    [
        ("japanese:players=3", {}, "two players"),
        ("oware", {}, "repetition=2"),
        ("kalah", {"memory": 0}, "number of MiB from 1"),
        ("kalah", {"stones": 100}, "from 0 to 80"),
        ("kalah", {"database": "nothing.db"}, "nothing.db: no such file; mancala-rl database build makes one"),
        ("kalah", {"database": "nothing.db", "stones": 3}, "exclude each other"),
        ("oware:repetition=0,max_plies=7", {"stones": 3}, "no endgame database for oware"),
        ("kalah", {"depth": 3}, "no option 'depth'"),
    ],
)
def test_what_it_cannot_play_or_use_is_refused(spec: str, options: dict[str, object], words: str) -> None:
    given = ",".join(f"{key}={value}" for key, value in options.items())
    with pytest.raises(AgentError, match=words) as caught:
        make_agent(f"perfect:{given}" if given else "perfect", spec)
    assert "\n" not in str(caught.value)


def test_games_and_databases_of_other_rules_are_refused(tmp_path: Path) -> None:
    agent = Perfect(variant(SMALL))
    with pytest.raises(AgentError, match="got games of kalah"):
        choose(agent, variant("kalah").start())
    with pytest.raises(BadInputError, match="not for mangala:pits=3"):
        Perfect(variant("mangala:pits=3"), database=build_database(SMALL, 3))
    path = tmp_path / "small.db"
    build_database(SMALL, 3, path)
    with pytest.raises(BadInputError, match="not for mangala:pits=3"):
        choose(Perfect(variant("mangala:pits=3"), database=path), variant("mangala:pits=3").start())


def test_it_can_be_copied_and_pickled() -> None:
    agent = Perfect(variant(SMALL), database=4, random_ties=True, name="mine")
    position = variant(SMALL).start()
    for twin in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert (twin.name, twin.rules, twin.random_ties) == ("mine", agent.rules, True)
        assert played(twin, position) == played(agent, position)


@pytest.mark.skipif(PLAIN_PYTHON, reason="takes hours")
def test_in_late_positions_of_kalah_it_plays_what_others_found_best() -> None:
    lines = (reference.DATA / "positions_kalah64.jsonl").read_text("utf-8").splitlines()
    cases = [c for c in map(json.loads, lines) if c["variant"] == "kalah" and sum(map(sum, c["pits"])) <= 26]
    assert len(cases) > 50
    agent = Perfect(variant("kalah"), database=10)
    batch = Batch.of([Position("kalah", case["pits"], case["stores"], case["to_move"]) for case in cases])
    moves = agent.act(batch, np.zeros(len(batch), np.int64)).tolist()
    assert moves == [case["move_values"].index(case["value"]) for case in cases]
    assert moves[:5] == [min(solve(position, database=10).best_moves) for position in list(batch)[:5]]


def test_a_match_is_played_to_its_end() -> None:
    match = Match("mangala:pits=2,stones=2", games=3, closing=True)
    agent = Perfect(match.rules)
    while not match.is_over:
        match = match.play(choose(agent, match.position))
    assert match.is_over
