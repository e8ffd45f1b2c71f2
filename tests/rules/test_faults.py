"""Faults that other implementations of Kalah really had, a test each, and the examples of K11."""

from __future__ import annotations

import numpy as np
import pytest

from mancala_rl import Position, Rules, variant
from mancala_rl.errors import IllegalMoveError

KALAH = variant("kalah")


def board(text: str, spec: str = "") -> Position:
    """A position of Kalah with options; the stones a pit follow from the total."""
    cells, pits = text.split()[0].replace("+", ",").replace("/", ","), text.count(",") // 2 + 1
    stones = sum(map(int, cells.split(","))) // (2 * pits)
    return Position.parse(text, variant(f"kalah:pits={pits},stones={stones}{',' + spec if spec else ''}"))


def test_worked_example_22_and_18_with_8_left_ends_22_to_26() -> None:
    for over in (
        board("0,0,0,0,0,0+22/0,1,0,3,2,2+18 1"),
        board("0,0,0,0,0,1+21/0,1,0,3,2,2+18 0").play(5),
        board("0,0,0,0,0,0+22/0,1,0,3,2,2+18 0"),
    ):
        assert over.is_over
        assert over.scores == (22, 26)
        assert over.returns == (-1.0, 1.0)


def test_worked_example_24_and_19_with_5_left_is_a_draw() -> None:
    over = board("0,0,0,0,0,1+23/0,1,0,2,0,2+19 0").play(5)
    assert over.is_over
    assert (over.scores, over.returns, over.ranking) == ((24, 24), (0.0, 0.0), (1, 1))


def test_the_final_sweep_is_made_once() -> None:
    over = board("0,0,0,0,0,1+20/1,2,3,4,5,0+12 0").play(5)
    assert str(over) == "0,0,0,0,0,0+21/0,0,0,0,0,0+27 -"
    assert str(Position.parse(str(over), over.rules)) == str(over)


def test_the_final_sweep_is_not_left_out_when_the_opponents_row_is_emptied_by_a_capture() -> None:
    over = board("1,0,0,0,3,0+20/0,0,0,0,4,0+20 0").play(0)
    assert str(over) == "0,0,0,0,0,0+28/0,0,0,0,0,0+20 -"


def test_nothing_is_captured_when_the_opposite_pit_is_empty() -> None:
    after = board("1,0,0,0,0,3+12/4,4,4,4,0,5+11 0").play(0)
    assert str(after) == "0,1,0,0,0,3+12/4,4,4,4,0,5+11 1"
    assert after.captured == 0


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("pit", [1, 2, 3, 4, 5])
def test_the_opposite_of_pit_i_is_pit_m_minus_1_minus_i(seat: int, pit: int) -> None:
    own, other = [0] * 6, [1, 2, 3, 4, 5, 6]
    own[pit - 1] = 1
    own[5 if pit == 1 else 0] = 2  # keeps the row from emptying
    after = Position(KALAH, (own, other)[:: 1 - 2 * seat], (12, 12), seat).play(pit - 1)
    assert after.captured == 1 + other[5 - pit]
    assert after.stores[seat] == 12 + after.captured
    other[5 - pit] = 0
    assert after.pits[1 - seat] == tuple(other)
    assert after.pits[seat][pit] == 0


@pytest.mark.parametrize("seat", [0, 1])
def test_no_stone_falls_into_the_opponents_store(seat: int) -> None:
    rows = [[0, 0, 0, 0, 0, 30], [1, 1, 1, 1, 1, 1]]
    after = Position(KALAH, rows[:: 1 - 2 * seat], [6, 6], seat).play(5)
    assert after.stores[1 - seat] == 6
    assert after.stores[seat] == 6 + 3  # 30 stones pass the own store at the 1st, 14th and 27th


def test_the_row_test_sees_the_pit_next_to_the_store_and_the_one_farthest_from_it() -> None:
    assert not board("0,0,0,0,1,1+23/0,0,0,0,0,1+22 0").play(4).is_over
    assert not board("1,0,0,0,0,1+23/1,0,0,0,0,0+22 0").play(5).is_over
    assert not board("1,0,0,0,0,1+23/0,0,0,0,0,1+22 0").play(5).is_over


def test_pit_0_is_a_move() -> None:
    start = KALAH.start()
    after = start.play(0)
    assert after != start
    assert after.pits[0] == (0, 5, 5, 5, 5, 4)
    assert 0 in start.legal_moves
    only_pit_0 = board("1,0,0,0,0,0+23/1,0,0,0,0,0+23 0")
    assert only_pit_0.legal_moves == (0,)


def test_more_stones_win_and_not_the_one_who_emptied_the_row() -> None:
    loses = board("0,0,0,0,0,1+10/1,0,0,0,0,0+36 0").play(5)
    wins = board("0,0,0,0,0,1+36/1,0,0,0,0,0+10 0").play(5)
    assert (loses.returns, loses.ranking) == ((-1.0, 1.0), (2, 1))
    assert (wins.returns, wins.ranking) == ((1.0, -1.0), (1, 2))


def test_a_draw_is_nobodys_win() -> None:
    drawn = board("0,0,0,0,0,1+23/1,0,0,0,0,0+23 0").play(5)
    assert (drawn.scores, drawn.returns, drawn.ranking) == ((24, 24), (0.0, 0.0), (1, 1))


def test_a_full_lap_that_ends_in_the_store_gives_another_turn() -> None:
    after = board("0,0,0,0,0,14+10/1,1,1,1,1,1+18 0").play(5)  # store, 12 pits, store
    assert after.extra_turn
    assert after.to_move == 0
    assert after.stores == (12, 18)


def test_a_lap_of_13_stones_ends_in_its_origin_and_captures() -> None:
    after = board("0,0,13,0,0,0+10/1,1,1,1,1,1+19 0").play(2)
    assert after.captured == 3  # the stone in the origin and two opposite
    assert str(after) == "1,1,0,1,1,1+14/2,2,2,0,2,2+19 1"


def test_no_move_is_legal_in_a_finished_game() -> None:
    for spec in ("", "leftovers=unscored", "leftovers=emptier", "stop_when_decided=true", "end_check=on_turn"):
        over = board("0,0,0,0,0,1+23/1,0,0,4,0,0+19 0", spec)
        while not over.is_over:
            over = over.play(over.legal_moves[0])
        assert over.legal_moves == ()
        assert over.to_move is None
        for move in range(-1, 8):
            with pytest.raises(IllegalMoveError, match="the game is over"):
                over.play(move)


def test_every_game_ends_within_a_bound() -> None:
    # K12: stones only move forward, towards a store they never leave; the bound is far above what random games take.
    batch = variant("kalah:pits=6,stones=6").batch(200)
    rng = np.random.default_rng(0)
    for _ in range(400):
        if batch.over.all():
            return
        batch = batch.select(~batch.over)
        legal = batch.legal()
        batch.play(np.where(legal, rng.random(legal.shape), -1).argmax(axis=1))
    raise AssertionError(f"{len(batch)} of 200 games of Kalah(6,6) were not over after 400 plies")


@pytest.mark.parametrize("stones, half", [(3, 18), (4, 24), (6, 36)])
def test_a_game_is_decided_by_more_than_half_of_its_own_stones(stones: int, half: int) -> None:
    rules = variant(f"kalah:stones={stones},stop_when_decided=true")
    rest = 2 * half - (half - 1) - 4
    before = Position(rules, [[2, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, rest]], [half - 1, 0])
    at_half = before.play(5)
    assert (at_half.stores[0], at_half.decided, at_half.is_over) == (half, False, False)
    beyond = at_half.play(4)
    assert not beyond.is_over  # the stone fell in pit 5, the store still holds half
    majority = Position(rules, [[2, 0, 0, 0, 1, 1], [0, 0, 0, 0, 0, rest - 1]], [half, 0]).play(5)
    assert (majority.stores[0], majority.decided, majority.is_over) == (half + 1, True, True)
    assert majority.pits == ((2, 0, 0, 0, 1, 0), (0, 0, 0, 0, 0, rest - 1))
    assert majority.returns == (1.0, -1.0)


def test_a_custom_start_is_decided_by_half_of_the_stones_it_holds() -> None:
    start = "0,0,0,0,2,1+23/0,0,0,0,0,2+20 0"
    without = Position.parse(start, KALAH).play(5)
    assert (without.stores[0], without.is_over) == (24, False)
    rules = variant("kalah:stones=4,stop_when_decided=true,start_position=0,0,0,0,2,1+24/0,0,0,0,0,2+19")
    assert rules.start().play(5).is_over


def test_a_majority_ends_nothing_by_default() -> None:
    after = board("0,0,0,0,1,1+24/1,0,0,0,0,3+18 0").play(5)
    assert (after.stores, after.is_over, after.decided, after.to_move) == ((25, 18), False, True, 0)


def test_a_swap_moves_rows_and_stores_and_gives_the_move_back() -> None:
    opened = variant("kalah:pie=true").start().play(2).play(5)
    assert (opened.to_move, opened.legal_moves, opened.pie) == (1, (0, 1, 2, 3, 4, 5, 6), 1)
    swapped = opened.play(6)
    assert (swapped.pits, swapped.stores) == (opened.pits[::-1], opened.stores[::-1])
    assert (swapped.to_move, swapped.extra_turn, swapped.captured, swapped.pie) == (0, False, 0, None)
    assert swapped.ply == opened.ply + 1
    assert swapped.trace == ()
    assert 6 not in swapped.legal_moves
    with pytest.raises(IllegalMoveError):
        swapped.play(6)


def test_the_right_to_swap_lapses_with_the_second_players_first_action() -> None:
    position = variant("kalah:pie=true").start().play(0).play(0)
    while not position.is_over:
        assert 6 not in position.legal_moves
        position = position.play(position.legal_moves[0])


def test_the_first_player_may_not_swap() -> None:
    for first in (0, 1):
        position = variant("kalah:pie=true").start(first=first)
        assert 6 not in position.legal_moves
        assert 6 in position.play(0).legal_moves
        assert position.play(0).to_move == 1 - first


@pytest.mark.parametrize(
    "leftovers, scores",
    [("owner", (19, 29)), ("emptier", (24, 24)), ("unscored", (19, 24))],
)
def test_what_is_left_goes_where_the_rules_say(leftovers: str, scores: tuple[int, int]) -> None:
    over = board("0,0,0,0,0,1+18/0,0,5,0,0,0+24 0", f"leftovers={leftovers}").play(5)
    assert over.is_over
    assert over.scores == scores
    mirrored = Position(over.rules, [[0, 0, 5, 0, 0, 0], [0, 0, 0, 0, 0, 1]], [24, 18], 1).play(5)
    assert mirrored.scores == scores[::-1]


def test_the_owner_of_the_empty_row_gets_the_rest_even_when_the_opponent_emptied_it() -> None:
    over = board("1,0,0,0,3,0+20/0,0,0,0,4,0+20 0", "leftovers=emptier").play(0)
    assert over.scores == (25, 23)  # the mover captured 5 and leaves 3 to the player it emptied


@pytest.mark.parametrize(
    "spec, text",
    [
        ("", "0,0,0,0,0,0+22/0,0,0,0,0,0+26 -"),
        ("end_check=on_turn", "0,0,0,0,0,0+22/1,0,3,0,0,0+22 1"),
    ],
)
def test_when_the_row_is_tested(spec: str, text: str) -> None:
    assert str(board("0,0,0,0,0,2+21/0,0,3,0,0,0+22 0", spec).play(5)) == text


def test_the_extra_turn_lapses_when_it_empties_the_row() -> None:
    for spec in ("", "end_check=on_turn"):
        over = board("0,0,0,0,0,1+20/1,0,0,0,0,4+22 0", spec).play(5)
        assert (over.is_over, over.extra_turn, over.to_move, over.scores) == (True, False, None, (21, 27))


def test_a_capture_never_gives_another_turn() -> None:
    after = board("1,0,0,0,0,3+12/4,4,4,4,2,5+9 0").play(0)
    assert (after.captured, after.extra_turn, after.to_move) == (3, False, 1)


def test_options_that_switch_mechanics_off() -> None:
    start = variant("kalah:extra_turn=false").start().play(2)
    assert (start.stores, start.to_move, start.extra_turn) == ((1, 0), 1, False)
    uncaptured = board("1,0,0,0,0,3+12/4,4,4,4,2,5+9 0", "capture=false").play(0)
    assert str(uncaptured) == "0,1,0,0,0,3+12/4,4,4,4,2,5+9 1"


def test_empty_capture_banks_the_lone_stone() -> None:
    after = board("1,0,0,0,0,3+12/4,4,4,4,0,5+11 0", "empty_capture=true").play(0)
    assert str(after) == "0,0,0,0,0,3+13/4,4,4,4,0,5+11 1"
    assert after.captured == 1


def test_a_random_start_holds_all_the_stones_and_gives_each_row_its_own() -> None:
    rules: Rules = variant("kalah:pits=5,stones=3,start_position=random")
    batch = rules.batch(500, seeds=np.arange(500))
    rows = batch.rows[:, : rules.num_cells].reshape(500, 2, 6)
    assert (rows[:, :, :5].sum(axis=2) == 15).all()
    assert (rows[:, :, 5] == 0).all()
    assert (rows >= 0).all()
    assert len({row.tobytes() for row in rows}) > 490
    assert rules.start(seed=7) == rules.start(seed=7) != rules.start(seed=8)


def test_a_random_start_draws_every_composition_equally_often() -> None:
    rules = variant("kalah:pits=3,stones=1,start_position=random")
    batch = rules.batch(6000, seeds=np.arange(6000))
    compositions, counts = np.unique(batch.rows[:, :3], axis=0, return_counts=True)
    assert len(compositions) == 10  # three stones on three pits
    assert abs(counts - 600).max() < 5 * 600**0.5
