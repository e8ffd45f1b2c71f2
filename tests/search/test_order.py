"""In which order moves are tried on rows: foreseen captures, the history, and moves of a table that knows no values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mancala_rl import Position, variant
from mancala_rl.search.frame import (
    ALPHA,
    BEST,
    BETA,
    CAPTURES,
    EXTRA_TURNS,
    HIGH,
    LOW,
    MOVE,
    NODES,
    OTHERS,
    SEAT,
    TABLE_MOVE,
)
from mancala_rl.search.history import KNOWN_STONES, credit, favourite
from mancala_rl.search.order import rank_moves, take_move
from mancala_rl.search.row_search import RowSearch
from mancala_rl.search.slices import RowSlices
from tests.search.both import values_by
from tests.search.plain import plain_values, random_positions

WITH_MEMORY = ["oware:pits=4,stones=3", "toguz_korgool:pits=4,stones=3", "ayoayo:pits=3,stones=3"]
WITH_HISTORY = [*WITH_MEMORY, "bohnenspiel:pits=3,stones=3", "japanese:pits=3,stones=3", "congkak:pits=3,stones=3"]


def ranked(position: Position) -> RowSearch:
    """A search that has sorted the moves of a position in frame 0."""
    search = RowSearch(position.rules, 1, 1)
    search.rows[0] = position.row
    search.frames[0, [SEAT, TABLE_MOVE, ALPHA, BETA]] = position.to_move, -1, -9, 9
    rank_moves(search.rows, search.frames, 0, search.landing, position.rules.array)
    return search


def moves_in(search: RowSearch, group: int) -> set[int]:
    bits = int(search.frames[0, group])
    return {move for move in range(60) if bits >> move & 1}


def all_taken(search: RowSearch) -> list[int]:
    """The moves in the order in which they are tried."""
    arrays = search.rows, search.frames, 0, search.history, search.rules.array
    moves = [int(take_move(*arrays)) for _ in range(search.rules.num_actions + 1)]
    return moves[: moves.index(-1)]


@pytest.mark.parametrize(
    "spec",
    [
        "oware:grand_slam=allow",
        "oware:pits=3,stones=4,grand_slam=allow",  # sown round more than once
        "bohnenspiel:pits=4,stones=4",
        "bohnenspiel",
        "bohnenspiel:chain_side=opponent",
    ],
)
def test_every_capture_of_a_chain_is_foreseen_and_nothing_else(spec: str) -> None:
    captures = 0
    for position in random_positions(spec, 300, plies=60):
        found = moves_in(ranked(position), CAPTURES)
        assert found == {move for move in position.legal_moves if position.play(move).captured}, position
        captures += len(found)
    assert captures > 100


@pytest.mark.parametrize("spec", ["kalah", "mangala_official", "toguz_korgool:tuzdik=false"])
def test_most_other_captures_are_foreseen(spec: str) -> None:
    right, wrong = 0, 0
    for position in random_positions(spec, 300, plies=40):
        found = moves_in(ranked(position), CAPTURES)
        actual = {move for move in position.legal_moves if position.play(move).captured}
        right, wrong = right + len(found & actual), wrong + len(found ^ actual)
    assert right > 4 * wrong


@pytest.mark.parametrize("spec", ["oware", "kalah:pie=true", "japanese:resign=true", "mangala"])
def test_every_legal_move_is_tried_once(spec: str) -> None:
    for position in random_positions(spec, 100, plies=40):
        search = ranked(position)
        groups = [moves_in(search, group) for group in (EXTRA_TURNS, CAPTURES, OTHERS)]
        moves = all_taken(search)
        assert sorted(moves) == list(position.legal_moves)
        assert [{*moves[: len(groups[0])]}, {*moves[len(groups[0]) + len(groups[1]) :]}] == [groups[0], groups[2]]


def test_credit_decides_within_a_group_and_nearness_between_equals() -> None:
    """Oware: pits 5 and 4 capture, the rest does not; pits 3 and 0 hold as many stones as ones that were good."""
    position = Position.parse("1,2,3,1,2,1+19/1,1,9,4,3,1+0 0", "oware")
    search = ranked(position)
    assert moves_in(search, CAPTURES) == {4, 5}
    assert all_taken(search) == [5, 4, 3, 2, 1, 0]
    search = ranked(position)
    search.history[4, 2], search.history[0, 1], search.history[2, 3], search.history[3, 2] = 1, 8, 3, 99
    assert all_taken(search) == [4, 5, 0, 2, 3, 1]


def test_extra_turns_are_tried_nearest_first_whatever_their_credit() -> None:
    search = ranked(Position.parse("4,1,2,1+0/4,4,4,4+0 0", "kalah:pits=4,stones=3,extra_turn=true"))
    assert moves_in(search, EXTRA_TURNS) == {0, 2, 3}
    search.history = np.full((10, KNOWN_STONES), 5)
    search.history[0, 4] = 50
    assert all_taken(search) == [3, 2, 0, 1]


@pytest.mark.parametrize(
    "seat, value, low, high, is_good",
    [(0, 5, 4, 9, True), (0, 4, 4, 9, False), (0, 12, 4, 9, True), (1, 8, 4, 9, True), (1, 9, 4, 9, False)],
)
def test_only_a_move_better_than_its_window_is_credited(
    seat: int, value: int, low: int, high: int, is_good: bool
) -> None:
    search = ranked(variant("oware").start(first=seat))
    search.frames[0, [BEST, LOW, HIGH, MOVE]] = value, low, high, 2
    credit(search.rows, search.frames, 0, 3, search.history, search.rules.array)
    assert search.history[7 * seat + 2, 4] == search.history.sum() == 27 * is_good
    bits = 0b010110
    best = favourite(search.rows, search.frames, 0, bits, search.history, search.rules.array)
    assert best == (2 if is_good else 4)


@pytest.mark.parametrize("spec", WITH_HISTORY)
def test_no_history_changes_a_value(spec: str) -> None:
    rng, nodes = np.random.default_rng(3), []
    search = RowSlices(variant(spec), 6, 1, np.array([1, 0, 0, 0]))
    history = search._search.history
    for position in random_positions(spec, 12, plies=20):
        expected = plain_values(position, 6)
        for most in (1, 1 << 40):
            search.take_up(position.row)
            assert not history.any()
            history[:] = rng.integers(0, most, history.shape)
            search.frames[0, [NODES, MOVE]] = 0, -1
            assert search.advance(False, 6, 1 << 21, 1 << 40)
            assert all(
                found == value for found, value in zip(search.values(), expected, strict=True) if value is not None
            )
            nodes.append(int(search.frames[0, NODES]))
    assert nodes[::2] != nodes[1::2]


@pytest.mark.parametrize("spec", WITH_MEMORY)
def test_a_table_gives_no_values_where_a_position_is_not_all_that_counts(spec: str) -> None:
    """Searched again with its own table, and with one in which all values are wrong, a position has the same values."""
    search = RowSearch(variant(spec), 9, 1 << 12)
    for position in random_positions(spec, 6, plies=20):
        values = values_by(search, position, 9)
        search.table[:, 2] += np.where(search.table[:, 2] == 0, 0, 17 << 20)
        assert values_by(search, position, 9) == values == plain_values(position, 9)


def test_a_table_gives_values_where_a_position_is_all_that_counts() -> None:
    for spec in ("oware:pits=4,stones=3,repetition=0", "japanese:pits=3", "congkak:pits=3"):
        search = RowSearch(variant(spec), 9, 1 << 12)
        games = search.rules.start().row[None]
        _, nodes = search.best_moves(games, 9)
        assert search.best_moves(games, 9)[1] < nodes / 3


@pytest.mark.parametrize("spec", WITH_HISTORY)
def test_without_a_table_no_position_of_a_batch_sees_what_came_before(spec: str) -> None:
    games = np.array([position.row for position in random_positions(spec, 10)])
    search = RowSearch(variant(spec), 6, 1)
    alone = sum(search.best_moves(game[None], 6)[1] for game in games)
    assert search.best_moves(games, 6)[1] == search.best_moves(games[::-1].copy(), 6)[1] == alone


def nodes_of(spec: str, depth: int, **changed: Any) -> int:
    nodes = 0
    for position in random_positions(spec, 5, plies=24, seed=4):
        search = RowSearch(position.rules, depth, 1 << 14)
        for name, array in changed.items():
            setattr(search, name, array)
        nodes += search.best_moves(position.row[None], depth)[1]
    return nodes


@pytest.mark.parametrize("spec", ["oware", "bohnenspiel", "ayoayo"])
def test_history_and_table_save_moves(spec: str) -> None:
    both = nodes_of(spec, 9)
    assert both < 0.95 * nodes_of(spec, 9, history=np.zeros((0, 0), np.int64))
    assert both < 0.98 * nodes_of(spec, 9, table=np.zeros((1, 3), np.int64))


def test_games_that_packed_boards_know_have_no_history_on_rows() -> None:
    for spec in ("kalah:pie=true", "kalah:stop_when_decided=true", "kalah:pits=12", "mangala"):
        assert RowSearch(variant(spec), 4, 1).history.size == 0
