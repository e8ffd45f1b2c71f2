"""Arguments of records, positions and batches: what is taken, and what is refused in one line."""

import math

import numpy as np
import pytest

from mancala_rl import Position, variant
from mancala_rl.errors import BadInputError, IllegalMoveError, PositionError, RulesError
from mancala_rl.rules.sheet import sheet

KALAH = variant("kalah")
ON_TURN = "kalah:pits=2,stones=1,end_check=on_turn,start_position=2,0+0/0,0+2"


def test_rules_play_alike_wherever_their_games_start():
    start = variant("kalah:start_position=random")
    assert KALAH.plays_like(start)
    assert KALAH.play_hash == start.play_hash
    assert KALAH.hash != start.hash
    assert not KALAH.plays_like(variant("kalah:pie=true"))


def test_a_start_may_leave_the_other_row_empty_where_only_the_turn_counts():
    rules = variant(ON_TURN)
    assert rules.start().legal_moves == (0,)
    with pytest.raises(BadInputError, match=r"first=\[1\]: .* over"):
        rules.start(first=1)
    with pytest.raises(RulesError, match="over before the first move"):
        variant(ON_TURN.replace("end_check=on_turn,", ""))
    with pytest.raises(RulesError, match="over before the first move"):
        variant(ON_TURN.replace("2,0+0/0,0+2", "0,0+2/2,0+0"))


def test_options_may_be_numpys_numbers():
    rules = KALAH.replace(pits=np.int64(5), pie=np.bool_(True))
    assert rules == variant("kalah:pits=5,pie=true")
    assert type(rules.pits) is int
    assert rules.hash == variant("kalah:pits=5,pie=true").hash


def test_positions_take_a_spec_string():
    text = "4,4,4,4,4,4+0/4,4,4,4,4,4+0 0"
    assert Position.parse(text, "kalah") == Position("kalah", [[4] * 6] * 2) == KALAH.start()


def test_no_return_is_minus_zero():
    values = KALAH.start().play(2).returns + tuple(KALAH.batch(1).returns[0].tolist())
    assert [math.copysign(1, value) for value in values] == [1.0] * 4


@pytest.mark.parametrize("first", [0.5, None, "random", 2, -1, True, [0, 1]])
def test_the_first_seat_is_a_seat(first):
    with pytest.raises(BadInputError, match="first="):
        KALAH.start(first=first)


@pytest.mark.parametrize("seed", [-1, 2**32, 2**70, 0.5, None, "a"])
def test_a_seed_is_a_number_below_2_to_the_32(seed):
    with pytest.raises(BadInputError, match="seeds="):
        KALAH.start(seed=seed)


@pytest.mark.parametrize("games", [-1, 2.5, None, True])
def test_a_batch_has_a_whole_number_of_games(games):
    with pytest.raises(BadInputError, match="games="):
        KALAH.batch(games)


@pytest.mark.parametrize("actions", [[2.9, True], [2, True], [2.0, 3.0], ["2", "3"], [2], None, 2])
def test_actions_are_one_whole_number_a_game(actions):
    batch = KALAH.batch(2)
    with pytest.raises(IllegalMoveError, match="expected 2 whole numbers"):
        batch.play(actions)
    assert batch.ply.tolist() == [0, 0]


@pytest.mark.parametrize(
    "text",
    [
        f"4,4,4,4,4,4+{'0' * 5000}/4,4,4,4,4,4+0 0",
        f"4,4,4,4,4,4+0/4,4,4,4,4,4+0 {'1' * 5000}",
        f"4,4,4,4,4,4+0/4,4,4,4,4,4+0 0 pie={'1' * 5000}",
    ],
    ids=["store", "seat", "pie"],
)
def test_numbers_that_are_too_long_cannot_be_read(text):
    with pytest.raises(PositionError, match="cannot read"):
        Position.parse(text, KALAH)


def test_kalah_has_no_closed_pits():
    with pytest.raises(PositionError, match="kalah has no closed pits"):
        Position.parse("x,4,4,4,4,8+0/4,4,4,4,4,4+0 0", KALAH)


def test_the_source_of_a_sheet_says_nothing_of_options():
    assert "without empty capture" not in sheet(variant("kalah:empty_capture=true"))


def test_a_selection_by_slice_is_a_copy_too():
    batch = KALAH.batch(3)
    batch.select(slice(0, 2)).play([2, 2])
    assert batch.ply.tolist() == [0, 0, 0]
