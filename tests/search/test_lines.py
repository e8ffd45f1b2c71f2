"""The lines behind the moves: they lead to the values, and asking for them changes no value."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from mancala_rl import Position, variant
from mancala_rl.search import limited, mcts, minimax
from tests.search.plain import SPECS, plain_maxn, random_positions, some_positions

BY_ROWS = ("oware:pits=3,stones=2", "toguz_korgool:pits=4,stones=3", "japanese:pits=3")
ABOVE_TWO = (
    "japanese:players=3,pits=3,stones=2",
    "japanese:players=4,pits=3,stones=2,resign=true",
    "custom:players=3,pits=4,stones=3,sow_stores=all,extra_turn=any_store,capture=none",
)


def end_of(position: Position, line: tuple[int, ...]) -> Position:
    return functools.reduce(Position.play, line, position)


def value_at_the_end(position: Position, line: tuple[int, ...], depth: int) -> int:
    """What a line is worth to the player to move at `position`, by a search of the plies that are left after it."""
    end, seat = end_of(position, line), position.to_move or 0
    if not end.is_over and len(line) < depth:  # the table knew the rest
        known = minimax(end, depth - len(line)).value
        return known if end.to_move == seat else -known
    if position.rules.goal == "most":
        return end.scores[seat] - end.scores[1 - seat]
    stones = [sum(row) for row in end.pits]
    won = position.rules.total * (int(stones[1 - seat] > 0) - int(stones[seat] > 0)) if end.is_over else 0
    return stones[1 - seat] - stones[seat] + won


@pytest.mark.parametrize("spec", [*SPECS, *BY_ROWS])
def test_every_line_leads_to_the_value_of_its_move(spec: str) -> None:
    for position in random_positions(spec, 4, seed=5):
        analysis = minimax(position, nodes=2000, lines=True)
        assert analysis.lines is not None and len(analysis.lines) == len(analysis.values)
        assert [line[:1] for line in analysis.lines if line] == [(move,) for move in position.legal_moves]
        assert analysis.principal_variation == analysis.lines[analysis.best_move]
        for move in position.legal_moves:
            line = analysis.lines[move]
            missing = analysis.depth - len(line)
            assert missing == 0 or (missing > 0 and (missing > 6 or end_of(position, line).is_over))
            assert value_at_the_end(position, line, analysis.depth) == analysis.values[move]


@pytest.mark.parametrize("spec", ["kalah", "kalah:pits=4,stones=4,pie=true", "japanese:pits=3", ABOVE_TWO[0]])
def test_asking_for_lines_changes_no_value(spec: str) -> None:
    for position in some_positions(variant(spec), 4):
        plain, told = minimax(position, 5), minimax(position, 5, lines=True)
        assert (told.values, told.value, told.best_move) == (plain.values, plain.value, plain.best_move)
        assert told.depth <= plain.depth and plain.lines is None
        within, told = minimax(position, nodes=700), minimax(position, nodes=700, lines=True)
        assert (told.values, told.best_move, told.depth) == (within.values, within.best_move, within.depth)
        assert told.principal_variation[: len(within.principal_variation)] == within.principal_variation
        assert told.nodes >= within.nodes


def test_pauses_change_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for spec in ("kalah:pits=4,stones=3", "japanese:pits=3", ABOVE_TWO[0]):
        for position in some_positions(variant(spec), 4):
            monkeypatch.setattr(limited, "SLICE_SECONDS", 0.0)  # halves every slice, down to 64 nodes
            paused = minimax(position, 6, time=1e6, lines=True)
            monkeypatch.undo()
            assert paused == minimax(position, 6, nodes=10**9, lines=True)


@pytest.mark.parametrize("spec", ABOVE_TWO)
def test_max_n_tells_what_every_seat_gets(spec: str) -> None:
    rules = variant(spec)
    for position in some_positions(rules, 6):
        analysis = minimax(position, 4, lines=True)
        assert analysis.lines is not None and analysis.action_seat_values is not None
        rows = np.zeros((analysis.depth + 1, rules.row_length), np.int16)
        for move in range(rules.num_actions):
            if move not in position.legal_moves:
                assert (analysis.lines[move], analysis.action_seat_values[move]) == ((), None)
                continue
            rows[1] = position.play(move).row
            seats = analysis.action_seat_values[move]
            assert seats == tuple(plain_maxn(rows, 1, analysis.depth - 1, rules))
            assert seats[position.to_move or 0] == analysis.values[move]
            assert end_of(position, analysis.lines[move]).is_over or len(analysis.lines[move]) == analysis.depth


def test_lines_follow_the_heuristic() -> None:
    position, weights = variant("kalah").start(), (2, 1, 0, 3)
    told = minimax(position, 5, heuristic=weights, lines=True)
    assert told.values == minimax(position, 5, heuristic=weights).values and told.lines is not None
    for line in told.lines:
        end, seat = end_of(position, line), position.to_move or 0
        ahead = end.scores[seat] - end.scores[1 - seat], sum(end.pits[seat]) - sum(end.pits[1 - seat])
        turn = 1 if end.to_move == seat else -1
        assert len(line) == 5 and 2 * ahead[0] + ahead[1] + 3 * turn == told.values[line[0]]


def test_two_players_need_no_value_for_each() -> None:
    assert minimax(variant("kalah").start(), 2, lines=True).action_seat_values is None


@pytest.mark.parametrize("spec", ["kalah", "oware", "japanese:players=3"])
@pytest.mark.parametrize("simulations", [3, 400])
def test_a_tree_has_a_line_and_values_for_every_action_it_tried(spec: str, simulations: int) -> None:
    for position in some_positions(variant(spec), 4):
        analysis = mcts(position, simulations)
        assert analysis.principal_variation == analysis.lines[analysis.best_move]
        for move, visits in enumerate(analysis.visits):
            line, seats = analysis.lines[move], analysis.action_seat_values[move]
            if not visits:
                assert (line, seats, analysis.values[move]) == ((), None, None)
                continue
            assert seats is not None and len(seats) == position.rules.players
            assert line[0] == move and 1 <= len(line) <= analysis.depth
            assert seats[position.to_move or 0] == analysis.values[move]
            assert sum(seats) == pytest.approx(0, abs=1e-9)
            end_of(position, line)  # every move of it is legal
