"""Arguments of records, positions and batches: what is taken, and what is refused in one line."""

import math

import numpy as np
import pytest

from mancala_rl import VARIANTS, Position, Rules, variant
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


@pytest.mark.parametrize(
    "spec, text, parts",
    [
        ("mangala", "x,4,4,4,4,8+0/x,4,4,4,4,8+0 0", ["closed=[(0, 0), (1, 0)]", "only one side"]),
        ("mangala", "x,x,x,x,x,x+24/4,4,4,4,4,4+0 1", ["at least one open pit for seat 0"]),
        ("japanese", "x,4,4,4,4,8+0/4,4,4,4,4,4+0 0", ["closed=[(0, 0)]", "won by most stones"]),
        ("mangala", "4,4,4,4,4,4+x/4,4,4,4,4,4+0 0", ["store of seat 0", "expected a number"]),
        ("japanese", "0,0,0,0,0,0+24/4,4,4,4,4,4+0 1", ["side of seat 0 is empty", "J6"]),
        ("toguz_korgool", f"{'9,' * 8}9+0/{'9,' * 8}9+0 0 tuzdiks=8,-", ["tuzdiks=(8, None)", "pit from 0 to 7"]),
        ("kalah", "4,4,4,4,4,4+0/4,4,4,4,4,4+0 0 places=1,-", ["places=(1, None)", "leave places out"]),
    ],
)
def test_a_position_the_rules_do_not_have_is_told_in_one_line(spec, text, parts):
    with pytest.raises((PositionError, RulesError)) as caught:
        Position.parse(text, spec)
    assert "\n" not in str(caught.value)
    for part in parts:
        assert part in str(caught.value)


# Options that contradict each other: the message names both with what they hold, and what is allowed.
CONTRADICTIONS = [
    ("kalah:capture=off,empty_capture=true", "empty_capture=true needs capture=cross, got capture=none"),
    ("custom:capture=off,lander=stays", "lander=stays needs capture=cross, got capture=none"),
    ("custom:players=3", "players=3 needs capture=none, got capture=cross"),
    ("custom:players=4,capture=off,even_capture=true", "players=4 needs even_capture=false, got even_capture=true"),
    ("custom:players=3,capture=off,chain=2,3", "players=3 needs chain=none, got chain=2,3"),
    ("custom:players=3,capture=off,tuzdik=true", "players=3 needs tuzdik=false, got tuzdik=true"),
    ("custom:players=3,capture=off,feed=true", "players=3 needs feed=false, got feed=true"),
    ("custom:players=3,capture=off,pie=true", "players=3 needs pie=false, got pie=true"),
    ("custom:goal=empty", "goal=empty needs capture=none, got capture=cross"),
    ("custom:goal=empty,capture=off,relay=last", "goal=empty needs relay=off, got relay=last"),
    ("custom:goal=empty,capture=off,end_check=on_turn", "needs end_check=immediate, got end_check=on_turn"),
    ("custom:goal=empty,capture=off,leftovers=unscored", "needs leftovers=owner, got leftovers=unscored"),
    ("custom:goal=empty,capture=off,stop_when_decided=true", "needs stop_when_decided=false, got"),
    ("custom:goal=empty,capture=off,pie=true", "goal=empty needs pie=false, got pie=true"),
    (
        "custom:goal=empty,capture=off,extra_turn=off,sow_stores=none",
        "needs sow_stores=own or all, got sow_stores=none",
    ),
    ("custom:resign=true", "resign=true needs goal=empty, got goal=most"),
    ("custom:play_out=false", "play_out=false needs goal=empty, got goal=most"),
    ("custom:relay_limit=5", "relay_limit=5 needs relay=last or next, got relay=off"),
    ("custom:chain_side=any", "chain_side=any needs chain=2,3 or other numbers of stones, got chain=none"),
    ("custom:grand_slam=illegal", "grand_slam=illegal needs chain=2,3 or other numbers of stones, got chain=none"),
    ("custom:sweep_when_decided=true", "needs stop_when_decided=true, got stop_when_decided=false"),
    ("oware:repetition=0,cycle_split=even", "cycle_split=even needs repetition=2 or 3, got repetition=0"),
    ("custom:sow_stores=none", "extra_turn=own_store needs sow_stores=own or all, got sow_stores=none"),
    ("custom:extra_turn=any_store", "extra_turn=any_store needs sow_stores=all, got sow_stores=own"),
    ("custom:repetition=2", "repetition=2 needs sow_stores=none, got sow_stores=own"),
    ("ayoayo:relay_limit=0", "relay=last with sow_stores=none may sow for ever: it needs relay_limit=1 or more"),
    ("custom:tuzdik=true,pie=true", "tuzdik=true and pie=true exclude each other"),
]
OUT_OF_RANGE = [
    ("japanese:players=1", "players=1: expected a number from 2 to 4"),
    ("japanese:players=5", "players=5: expected a number from 2 to 4"),
    ("japanese:players=4,pits=60,stones=200", "= 48000 stones; a game holds at most 32767"),
    ("oware:repetition=1", "repetition=1: expected 0 (off), 2 or 3"),
    ("oware:max_plies=-1", "max_plies=-1: expected a number from 0 to 32767"),
    ("oware:grand_slam=never", "grand_slam='never': expected one of allow, no_capture, illegal"),
    ("oware:cycle_split=odd", "cycle_split='odd': expected one of own_side, even"),
    ("ayoayo:relay_limit=-1", "relay_limit=-1: expected a number from 0 to"),
    ("custom:chain=0", "chain='0': expected none, or numbers of stones from 1 to 60"),
    (f"custom:chain={'9' * 5000}", "expected none, or numbers of stones from 1 to 60"),
    ("custom:chain=2,61", "chain='2,61': expected none, or numbers of stones from 1 to 60"),
    ("custom:chain=on", "chain='on': expected none, or numbers of stones"),
    ("custom:goal=least", "goal='least': expected one of most, empty"),
    ("custom:name=my game", "name='my game': expected a letter"),
    ("mangala:pits=2,stones=2,start_position=x,4+0/x,4+0", "start_position: closed=[(0, 0), (1, 0)]: only one side"),
    ("mangala:pits=2,stones=2,start_position=4,4+x/0,0+0", "start_position: store of seat 0"),
    ("japanese:pits=2,stones=1,start_position=1,1+0/0,0+2", "a side is empty; every player needs stones (J6)"),
    ("japanese:pits=2,stones=1,start_position=x,1+1/1,1+0", "start_position: closed=[(0, 0)]"),
    ("japanese:players=3,pits=2,stones=1,start_position=1,1+0/1,1+0", "expected 3 rows"),
]


@pytest.mark.parametrize("spec, message", CONTRADICTIONS + OUT_OF_RANGE)
def test_rules_that_cannot_be_say_option_value_and_what_is_allowed(spec, message):
    with pytest.raises(RulesError) as caught:
        variant(spec)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_source_of_a_sheet_says_nothing_of_options():
    assert "without empty capture" not in sheet(variant("kalah:empty_capture=true"))


def test_a_selection_by_slice_is_a_copy_too():
    batch = KALAH.batch(3)
    batch.select(slice(0, 2)).play([2, 2])
    assert batch.ply.tolist() == [0, 0, 0]


THREE = variant("japanese:players=3")
OUT = [[4] * 6, [4] * 6, [0] * 6]


@pytest.mark.parametrize(
    "rules, pits, more, message",
    [
        (KALAH, None, {}, "pits=None: expected one row a seat"),
        (KALAH, [4] * 12, {}, "pits=4: expected one row a seat"),
        (KALAH, [[4] * 6] * 2, {"stores": 5}, "stores=5: expected one number a seat"),
        (KALAH, [[4] * 6] * 2, {"closed": None}, "closed=None: expected .seat, pit. pairs"),
        (KALAH, [[4] * 6] * 2, {"closed": (0, 1)}, "closed=.0, 1.: expected .seat, pit. pairs"),
        (KALAH, [[4] * 6] * 2, {"closed": [(0, 1, 2)]}, "expected .seat, pit. pairs, as in"),
        (KALAH, [[4] * 6] * 2, {"closed": "ab"}, "closed='ab': expected"),
        (KALAH, [[4] * 6] * 2, {"closed": [(0.0, 1)]}, "expected .seat, pit. pairs, as in"),
        (KALAH, [[4] * 6] * 2, {"closed": [(False, True)]}, "expected .seat, pit. pairs, as in"),
        (KALAH, [[4] * 6] * 2, {"places": (None,)}, "places=.None,.: nobody is out early"),
        (THREE, OUT, {"places": 1}, "places=1: expected one a seat"),
        (THREE, OUT, {"places": (None, None, 0)}, "None or a place from 1"),
        (THREE, OUT, {"places": (None, None, None, 1, 2)}, "for each of 3 seats"),
        (THREE, [[0] * 6] * 3, {"to_move": None, "places": (2, 2, 2)}, "places=.2, 2, 2.: expected a ranking"),
        (THREE, [[0] * 6] * 3, {"to_move": None, "places": (1, 3, 3)}, "expected a ranking"),
        ("toguz_korgool", [[9] * 9] * 2, {"tuzdiks": 3}, "tuzdiks=3: expected one a seat"),
    ],
)
def test_a_position_of_arguments_of_the_wrong_shape_is_told_in_one_line(rules, pits, more, message):
    with pytest.raises(BadInputError, match=message) as error:
        Position(rules, pits, **more)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", [None, 5, b"4,4+0/4,4+0 0"])
def test_a_notation_is_text(text):
    with pytest.raises(PositionError, match="expected the notation of a position as text"):
        Position.parse(text, KALAH)


@pytest.mark.parametrize("text", ["\uff14,4,4,4,4,4+0/4,4,4,4,4,4+0 0", "4,4,4,4,4,4+0/4,4,4,4,4,4+0 \u0660"])
def test_digits_of_other_scripts_are_no_numbers(text):
    with pytest.raises(PositionError, match="cannot read"):
        Position.parse(text, KALAH)


def test_a_closed_pit_may_be_named_twice():
    pits, stores = [[0, 4, 4, 4, 4, 4], [4] * 6], [4, 0]
    once = Position("mangala", pits, stores, closed=[(0, 0)])
    assert Position("mangala", pits, stores, closed=[(0, 0), (0, 0)]) == once
    assert Position("mangala", pits, stores, closed=np.array([[0, 0]])) == once


@pytest.mark.parametrize("spec", [*VARIANTS, "japanese:players=3,resign=true", "kalah:pie=true"])
def test_the_properties_of_a_position_make_it_again(spec):
    games = variant(spec).batch(20, seeds=np.arange(20))
    for plies in range(0, 40, 4):
        games.random_plies(4, np.arange(20) + plies)
        for p in games:
            more = {"pie": p.pie, "closed": p.closed, "places": p.places, "tuzdiks": p.tuzdiks}
            assert Position(p.rules, p.pits, p.stores, p.to_move, **more) == p


@pytest.mark.parametrize("data", [None, 5, [], "kalah"])
def test_a_record_is_made_from_a_dictionary(data):
    with pytest.raises(RulesError, match="expected a rules record as to_dict"):
        Rules.from_dict(data)


@pytest.mark.parametrize("text", [None, 5, {"name": "kalah"}])
def test_json_is_text(text):
    with pytest.raises(RulesError, match="rules as JSON: cannot read"):
        Rules.from_json(text)


def test_numbers_of_unequal_length_are_refused():
    with pytest.raises(BadInputError, match="plies="):
        KALAH.batch(2).random_plies([[1], [1, 2]], 0)
    with pytest.raises(IllegalMoveError, match="expected 2 whole numbers"):
        KALAH.batch(2).play([[1], [1, 2]])


def test_one_game_is_not_told_how_many_numbers_it_takes():
    with pytest.raises(BadInputError, match=r"first=5: expected a whole number from 0 to 1$"):
        KALAH.start(first=5)


def test_repetition_can_be_switched_off_by_the_word():
    assert variant("oware:repetition=off") == variant("oware:repetition=0")
    with pytest.raises(RulesError, match="whole number"):
        variant("oware:repetition=on")


def test_a_name_in_capitals_is_recognised_in_the_remedy():
    with pytest.raises(RulesError, match="did you mean 'kalah'"):
        variant("KALAH")
