"""Searches within limits: what they find is what a search of fixed depth finds, and they end when they should."""

from __future__ import annotations

import copy
import pickle
import sys

import numpy as np
import pytest

from mancala_rl import Batch, Position, Rules, make_agent, variant
from mancala_rl.agent import choose
from mancala_rl.errors import AgentError, BadInputError
from mancala_rl.kernel import legal_bits, margin, play
from mancala_rl.kernel.layout import MOVER, OVER
from mancala_rl.search import MCTS, Analysis, Minimax, limited, minimax
from mancala_rl.search.frame import HORIZON, MOVE, NODES
from mancala_rl.search.limited import LimitedSearch, Limits
from mancala_rl.search.slices import PackedSlices, RowSlices
from mancala_rl.search.workspace import Workspace, places_within
from tests.search.plain import SPECS, plain_maxn_values, random_positions, some_positions

MORE = (
    "japanese:players=3,pits=3,stones=2",
    "japanese:players=4,pits=3,stones=2,resign=true",
    "japanese:players=3,pits=3,stones=2,play_out=false",
)
RING = Rules("ring", players=3, pits=4, stones=3, sow_stores="all", extra_turn="any_store", capture="none")


def facts(analysis: Analysis) -> tuple[object, ...]:
    return analysis.values, analysis.value, analysis.best_move


@pytest.mark.parametrize("spec", [*SPECS, "oware:pits=3,stones=2", "toguz_korgool:pits=4,stones=3", "japanese:pits=3"])
def test_any_budget_gives_the_values_of_the_depth_it_reaches(spec: str) -> None:
    for position in random_positions(spec, 4, seed=3):
        depths = []
        for nodes in (1, 5, 17, 60, 200, 900):
            analysis = minimax(position, nodes=nodes)
            depths.append(analysis.depth)
            if analysis.depth <= 5:
                assert (facts(analysis), position) == (facts(minimax(position, analysis.depth)), position)
        assert depths[0] == 1
        assert depths == sorted(depths)


def test_the_smaller_limit_counts() -> None:
    start = variant("kalah").start()
    assert minimax(start, 3, nodes=10**9).depth == 3
    assert minimax(start, 3, time=1000).depth == 3
    assert minimax(start, 900, time=1000, nodes=2000).depth == minimax(start, nodes=2000).depth < 12
    assert facts(minimax(start, 6, nodes=10**9)) == facts(minimax(start, 6))


@pytest.mark.parametrize("nodes", [50, 1000, 20_000])
def test_no_more_nodes_are_searched_than_allowed(nodes: int) -> None:
    """But for the moves of the last two plies, and the first one: 6 moves, and 6 after each."""
    for position in random_positions("kalah", 5):
        assert minimax(position, nodes=nodes).nodes < nodes + 42


@pytest.mark.parametrize("spec", ["kalah:pits=2,stones=2", "kalah:pits=3,stones=1"])
def test_a_search_ends_when_it_has_seen_the_ends_of_all_games(spec: str) -> None:
    for position in random_positions(spec, 8, plies=8):
        analysis = minimax(position, nodes=10**9)
        assert facts(analysis) == facts(minimax(position, 60))
        assert analysis.depth < 60


@pytest.mark.parametrize("kind", ["packed", "rows"])
def test_the_table_knows_whether_a_game_goes_on(kind: str) -> None:
    """A search that its table answers at once finds what it found before: values, and whether all games have ended."""
    rules = variant("kalah:pits=3,stones=2")
    search = {
        "packed": PackedSlices(rules, 30, 1 << 16),
        "rows": RowSlices(rules, 30, 1 << 16, np.array([1, 0, 0, 0])),
    }[kind]
    for depth, goes_on in ((8, 1), (30, 0)):
        search.take_up(rules.start().row)
        search.frames[0, [NODES, MOVE]] = 0, -1
        assert search.advance(False, depth, 1 << 21, 1 << 40)
        values, nodes = search.values(), int(search.frames[0, NODES])
        assert search.frames[0, HORIZON] == goes_on
        assert search.advance(False, depth, 1 << 21, 1 << 40)
        assert (search.values(), search.frames[0, HORIZON]) == (values, goes_on)
        assert search.frames[0, NODES] - nodes == 3 < nodes


def test_the_line_of_a_search_within_limits_leads_to_its_value() -> None:
    whole = 0
    for spec in SPECS:
        for position in random_positions(spec, 5):
            analysis = minimax(position, nodes=3000)
            seat, end = position.to_move, position
            for move in analysis.principal_variation:
                end = end.play(move)
            assert analysis.principal_variation[0] == analysis.best_move
            assert len(analysis.principal_variation) <= analysis.depth
            rest = analysis.depth - len(analysis.principal_variation)
            if end.is_over or rest == 0:
                assert end.scores[seat] - end.scores[1 - seat] == analysis.value
                whole += 1
            else:  # the table knew the rest
                known = minimax(end, rest)
                assert analysis.value == (known.value if end.to_move == seat else -known.value)
    assert whole > 5


class Clock:
    """Goes on by a second whenever it is looked at."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        self.now += 1
        return self.now


def test_time_ends_a_search_at_the_last_finished_depth(monkeypatch: pytest.MonkeyPatch) -> None:
    position = random_positions("kalah", 1, plies=4)[0]
    depths = []
    for seconds in (0.5, 5, 20, 60):
        monkeypatch.setattr(limited, "time", Clock())
        analysis = minimax(position, time=seconds)
        depths.append(analysis.depth)
        assert facts(analysis) == facts(minimax(position, analysis.depth))
    assert depths[0] == 1
    assert depths == sorted(depths)
    assert depths[-1] > 4


def test_looking_at_the_clock_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Paused after every few nodes, a search finds what it finds in one go."""
    for spec in ("kalah:pits=4,stones=3", "oware:pits=4,stones=3", "japanese:players=3,pits=3,stones=2"):
        for position in some_positions(variant(spec), 5):
            monkeypatch.setattr(limited, "SLICE_SECONDS", 0.0)  # halves every slice, down to 64 nodes
            paused = minimax(position, 6, time=1e6)
            monkeypatch.undo()
            assert paused == minimax(position, 6, nodes=10**9)


@pytest.mark.parametrize("spec", ["kalah", "kalah:pie=true", "oware", "bohnenspiel"])
def test_earlier_searches_leave_no_trace(spec: str) -> None:
    positions = random_positions(spec, 12)
    agent = Minimax(variant(spec), nodes=700)
    batch, seeds = Batch.of(positions), np.arange(12)
    moves = agent.act(batch, seeds).tolist()
    assert moves == [choose(Minimax(agent.rules, nodes=700), position) for position in positions]
    assert agent.act(batch, seeds).tolist() == moves
    assert pickle.loads(pickle.dumps(agent)).act(batch, seeds).tolist() == moves
    assert copy.deepcopy(agent).name == agent.name == "minimax:nodes=700"


def test_the_size_of_the_table_changes_no_value() -> None:
    assert [places_within(mib) for mib in (0, 0.001, 1, 24, 96)] == [1, 32, 1 << 15, 1 << 20, 1 << 22]
    for position in random_positions("kalah:pits=4,stones=3", 5):
        expected = minimax(position, 9)
        for mib in (0, 0.001, 1):
            assert facts(minimax(position, 9, table_mib=mib)) == facts(expected)
            assert facts(minimax(position, 9, nodes=10**9, table_mib=mib)) == facts(expected)


def test_all_tables_together_take_no_more_memory_than_allowed() -> None:
    space = Workspace(variant("kalah:pie=true"), 20, 1)
    space.best_moves(Batch.of([space.rules.start(), space.rules.start().play(0)]).rows, 1)  # one of them on rows
    assert space.packed is not None and space.by_rows is not None
    assert (len(space.packed.table), len(space.by_rows.table)) == (1 << 15, 1 << 13)
    assert space.packed.table.nbytes + space.by_rows.table.nbytes <= 1 << 20


@pytest.mark.parametrize("spec", MORE)
def test_three_and_four_players_get_the_values_of_plain_maxn(spec: str) -> None:
    for position in some_positions(variant(spec), 8):
        for depth in (1, 2, 4):
            analysis = minimax(position, depth)
            assert (analysis.values, position) == (plain_maxn_values(position, depth), position)
            assert analysis.depth == depth
            assert analysis.principal_variation[0] == analysis.best_move == analysis.values.index(analysis.value)


def test_a_game_of_three_that_stones_decide() -> None:
    for position in some_positions(RING, 8):
        analysis = minimax(position, 4)
        assert analysis.values == plain_maxn_values(position, 4)
        end = position
        for move in analysis.principal_variation:
            end = end.play(move)
        assert analysis.value == 3 * end.scores[position.to_move or 0] - sum(end.scores)
        assert facts(minimax(position, nodes=2000)) == facts(minimax(position, minimax(position, nodes=2000).depth))


def test_maxn_of_two_players_is_minimax() -> None:
    for spec in ("kalah:pits=4,stones=3", "japanese:pits=3,stones=2"):
        for position in random_positions(spec, 8):
            values = plain_maxn_values(position, 3)
            assert values == minimax(position, 3).values


def by_heuristic(rows: np.ndarray, ply: int, depth: int, rules: Rules, weights: tuple[int, ...]) -> int:
    """Plain minimax with a heuristic, for seat 0."""
    bits = legal_bits(rows, ply, rules.array)
    if depth == 0 or bits == 0:
        value = int(margin(rows, ply, rules.array)) * weights[0]
        if rows[ply, rules.num_cells + OVER]:
            return value
        pits = Position.from_row(rules, rows[ply]).pits
        value += weights[1] * (sum(pits[0]) - sum(pits[1]))
        value += weights[2] * (sum(n > 0 for n in pits[0]) - sum(n > 0 for n in pits[1]))
        return value + weights[3] * (-1 if rows[ply, rules.num_cells + MOVER] else 1)
    values = []
    for move in range(rules.num_actions):
        if bits >> move & 1:
            rows[ply + 1] = rows[ply]
            play(rows, ply + 1, move, rules.array)
            values.append(by_heuristic(rows, ply + 1, depth - 1, rules, weights))
    return max(values) if rows[ply, rules.num_cells + MOVER] == 0 else min(values)


@pytest.mark.parametrize("weights", [(1, 0, 0, 0), (10, 3, -2, 5), (4, 0, 1, 0)])
@pytest.mark.parametrize("spec", ["kalah", "mangala:pits=4,stones=3", "oware:pits=4,stones=2", "japanese:pits=3"])
def test_another_heuristic(spec: str, weights: tuple[int, ...]) -> None:
    rules = variant(spec)
    for position in random_positions(spec, 4, plies=16):
        rows = np.zeros((5, rules.row_length), np.int16)
        sign = -1 if position.to_move else 1
        for depth in (1, 2, 4):
            values: list[int | None] = [None] * rules.num_actions
            for move in position.legal_moves:
                rows[1] = position.play(move).row
                values[move] = sign * by_heuristic(rows, 1, depth - 1, rules, weights)
            assert minimax(position, depth, heuristic=weights).values == tuple(values)
            assert minimax(position, depth, nodes=10**9, heuristic=weights).values == tuple(values)


@pytest.mark.parametrize(
    "options, message",
    [
        ({}, "depth=None: expected a whole number of plies from 1 to 1000"),
        ({"depth": 0, "nodes": 5}, "depth=0: expected"),
        ({"time": 0}, "time=0: expected a number of seconds above 0"),
        ({"time": -1.0}, "time=-1.0"),
        ({"time": float("inf")}, "time=inf"),
        ({"time": float("nan")}, "time=nan"),
        ({"time": "1"}, "time='1'"),
        ({"time": True}, "time=True"),
        ({"nodes": 0}, "nodes=0: expected a whole number from 1"),
        ({"nodes": 1.5}, "nodes=1.5"),
        ({"depth": 2, "table_mib": -1}, "table_mib=-1: expected a number of at least 0"),
        ({"depth": 2, "heuristic": (1, 0)}, "expected 4 weights: margin, stones in the own pits"),
        ({"depth": 2, "heuristic": (0, 1, 1, 1)}, "expected a first weight"),
        ({"depth": 2, "heuristic": (1, 0.5, 0, 0)}, "heuristic=0.5: expected a whole number"),
        ({"depth": 2, "heuristic": (2000, 0, 0, 0)}, "expected smaller weights"),
    ],
)
def test_an_impossible_limit_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(BadInputError) as caught:
        minimax(variant("kalah").start(), **options)  # type: ignore[arg-type]
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_more_than_two_players_have_no_heuristic_of_their_own() -> None:
    with pytest.raises(BadInputError, match=r"expected \(1, 0, 0, 0\) for 3 players"):
        minimax(variant(MORE[0]).start(), 2, heuristic=(2, 1, 0, 0))


def test_a_position_that_is_over_is_refused_within_limits_too() -> None:
    over = Position(variant("kalah:pits=2,stones=1"), [(0, 0), (1, 0)], [2, 1])
    with pytest.raises(BadInputError, match="the game is over"):
        minimax(over, time=1)


def test_the_agent_searches_within_limits() -> None:
    agent = make_agent("minimax:nodes=500", "kalah")
    assert agent.name == "minimax:nodes=500"
    batch = Batch.of(random_positions("kalah", 20))
    assert (
        agent.act(batch, np.arange(20)).tolist() == Minimax(agent.rules, nodes=500).act(batch, np.arange(20)).tolist()
    )
    assert make_agent("minimax:time=0.01", "kalah").act(batch, np.arange(20)).shape == (20,)
    shallow = make_agent("minimax:depth=2,nodes=100000", "kalah").act(batch, np.arange(20))
    assert shallow.tolist() == make_agent("minimax:depth=2", "kalah").act(batch, np.arange(20)).tolist()
    with pytest.raises(AgentError, match=r"time=-1\.0: expected a number of seconds above 0"):
        make_agent("minimax:time=-1", "kalah")


def test_a_workspace_serves_many_positions() -> None:
    search = LimitedSearch(variant("kalah"), 8)
    for position in random_positions("kalah", 6):
        found, _ = search.run(position.row, Limits(8, nodes=400), 1 << 21)
        assert found.values == minimax(position, found.depth).values


@pytest.mark.parametrize("options", [{"nodes": 10**9}, {"lines": True}])
def test_a_search_without_a_clock_comes_back_now_and_then(
    monkeypatch: pytest.MonkeyPatch, options: dict[str, object]
) -> None:
    """So that Ctrl-C is heard."""
    slices = list[int]()
    advance = PackedSlices.advance

    def counted(self: PackedSlices, resumed: bool, depth: int, slack: int, limit: int) -> bool:
        slices.append(limit - int(self.frames[0, NODES]))
        return advance(self, resumed, depth, slack, limit)

    monkeypatch.setattr(PackedSlices, "advance", counted)
    monkeypatch.setattr(limited, "UNINTERRUPTED", 500)
    paused = minimax(variant("kalah").start(), 8, **options)
    assert max(slices) <= 500 and len(slices) > 10
    monkeypatch.undo()
    assert paused == minimax(variant("kalah").start(), 8, **options)


@pytest.mark.parametrize(
    "module, agent", [("minimax", Minimax(variant("kalah"), 5)), ("mcts", MCTS(variant("kalah"), 50))]
)
def test_many_games_are_searched_in_portions(
    monkeypatch: pytest.MonkeyPatch, module: str, agent: Minimax | MCTS
) -> None:
    """So that Ctrl-C is heard between them; what is played is the same."""
    batch, seeds = Batch.of(random_positions("kalah", 20)), np.arange(20)
    together = agent.act(batch, seeds)
    for most in (1, 300, 700):
        monkeypatch.setattr(sys.modules[f"mancala_rl.search.{module}"], "UNINTERRUPTED", most)
        assert agent.act(batch, seeds).tolist() == together.tolist()
    assert agent.act(batch.select(slice(0)), seeds[:0]).tolist() == []
