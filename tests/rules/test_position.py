"""`Position`: immutable, equal by state, refused when impossible, the same after pickling, copying and notation."""

from __future__ import annotations

import copy
import pickle
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mancala_rl import Batch, Position, variant
from mancala_rl.errors import BadInputError, IllegalMoveError, PositionError, RulesError
from tests import reference
from tests.twins import draw_custom, draw_start, position_of, random_game, seen

KALAH = variant("kalah")
SEEDS = st.integers(0, 2**32 - 1)
START = "4,4,4,4,4,4+0/4,4,4,4,4,4+0 0"


def positions_of_a_game(state: reference.State, seed: int) -> list[Position]:
    """Every position of a random game from `state`, played by the package."""
    positions = [position_of(state)]
    for move, _ in random_game(state, seed):
        positions.append(positions[-1].play(move))
    return positions


# Notation.


@settings(max_examples=150, deadline=None)
@given(draw_start() | draw_custom(), SEEDS)
def test_text_and_back_is_the_same_position(state: reference.State, seed: int) -> None:
    for position in positions_of_a_game(state, seed):
        again = Position.parse(str(position), position.rules)
        assert again == position, f"{position} of {position.rules}"
        assert hash(again) == hash(position)
        assert str(again) == str(position)
        assert again.legal_moves == position.legal_moves
        assert again.returns == position.returns


@settings(max_examples=100, deadline=None)
@given(draw_start() | draw_custom(), SEEDS)
def test_the_text_is_the_oracles_text(state: reference.State, seed: int) -> None:
    states = [state, *(after for _, after in random_game(state, seed))]
    for position, twin in zip(positions_of_a_game(state, seed), states, strict=True):
        words = str(position).split()
        assert " ".join(words[:2]) == reference.notate(twin)
        assert words[2:] == extra_words(twin)


def extra_words(state: reference.State) -> list[str]:
    """What the notation of a position adds to the board and the seat to move."""
    words = [f"pie={state.swapper}"] if state.swapper is not None and not state.over else []
    for key, numbers in (("places", state.places), ("tuzdiks", state.tuzdiks)):
        if any(number is not None for number in numbers):
            words.append(f"{key}=" + ",".join("-" if number is None else str(number) for number in numbers))
    return words


def test_the_start_reads_as_in_the_contract() -> None:
    assert str(KALAH.start()) == START
    assert Position.parse(START, KALAH) == KALAH.start()
    assert str(variant("kalah:pie=true").start()) == START + " pie=1"
    assert str(KALAH.start(first=1)) == START[:-1] + "1"


def test_spaces_around_a_notation_do_not_matter() -> None:
    assert Position.parse(f"  {START.replace(' ', '   ')}\n", KALAH) == KALAH.start()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "hello",
        "4,4,4,4,4,4+0/4,4,4,4,4,4+0",
        "4,4,4,4,4,4/4,4,4,4,4,4 0",
        "4,4,4,4,4,4+0/4,4,4,4,4,4+0 0 1",
        "4,4,4,4,4,4+0/4,4,4,4,4,4+0 two",
        "4,4,4,4,4,4+0/4,4,4,4,4,4+0 -1",
        "4,4,4,4,,4+0/4,4,4,4,4,4+4 0",
        "4,4,4,4,4,-4+8/4,4,4,4,4,4+0 0",
        "4,4,4,4,4,4.0+0/4,4,4,4,4,4+0 0",
        "4,4,4,4,4,4+0/4,4,4,4,4,4+0/0,0,0,0,0,0+0 0",
        "4,4,4,4,4,4+0 0",
        "4,4,4,4,4,4+99999999999999999999/4,4,4,4,4,4+0 0",
    ],
)
def test_text_that_is_no_position_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(PositionError) as caught:
        Position.parse(text, KALAH)
    assert "expected" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "spec, text, message",
    [
        ("mangala", "x,4,4,4,4,4+4/x,4,4,4,4,4+4 0", "only one side, the loser's, can have closed pits"),
        ("mangala", "x,x,x,x,x,x+24/4,4,4,4,4,4+0 0", "expected at least one open pit for seat 0"),
        ("japanese", "x,4,4,4,4,4+4/4,4,4,4,4,4+0 0", "only games for two that are won by most stones"),
    ],
)
def test_closed_pits_that_cannot_be_are_refused(spec: str, text: str, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        Position.parse(text, spec)


def test_a_closed_pit_holds_nothing() -> None:
    with pytest.raises(PositionError, match="pit 0 of seat 1 is closed: expected no stones in it, got 4"):
        Position("mangala", [[4] * 6] * 2, closed=[(1, 0)])
    position = Position("mangala", [[4] * 6, [0, 4, 4, 4, 4, 4]], (4, 0), closed=[(1, 0)])
    assert position.closed == ((1, 0),)
    assert str(position) == "4,4,4,4,4,4+4/x,4,4,4,4,4+0 0"


def test_a_game_that_goes_on_needs_a_seat_to_move() -> None:
    with pytest.raises(PositionError, match="not over"):
        Position.parse(START.replace(" 0", " -"), KALAH)
    with pytest.raises(PositionError, match="not over"):
        Position(KALAH, [[4] * 6] * 2, to_move=None)


# Custom positions.


@pytest.mark.parametrize(
    "pits, stores, message",
    [
        ([[4] * 6, [4] * 6], (1, 0), "expected 48 stones in all for kalah, got 49"),
        ([[4] * 6, [4] * 5 + [3]], (0, 0), "expected 48 stones in all for kalah, got 47"),
        ([[4] * 6, [4] * 5], (0, 4), "row of seat 1: expected 6 pits for kalah, got 5"),
        ([[4] * 7, [4] * 6], (0, 0), "row of seat 0: expected 6 pits for kalah, got 7"),
        ([[4] * 6], (0, 24), "expected 2 rows and stores for kalah, got 1 rows and 2 stores"),
        ([[4] * 6, [4] * 6], (0,), "expected 2 rows and stores for kalah, got 2 rows and 1 stores"),
        ([[4] * 6, [4] * 5 + [-4]], (8, 0), "row of seat 1: expected whole numbers of stones >= 0, got -4"),
        ([[4] * 6, [4] * 6], (-1, 1), "got -1"),
        ([[4] * 6, [4.0] * 6], (0, 0), "got 4.0"),
        ([[4] * 6, ["4"] * 6], (0, 0), "got '4'"),
        ([[4] * 6, [4] * 5 + [True]], (3, 0), "got True"),
    ],
)
def test_an_impossible_board_is_refused_with_expected_and_got(pits: list, stores: tuple, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        Position(KALAH, pits, stores)
    assert message in str(caught.value)
    assert isinstance(caught.value, BadInputError)


@pytest.mark.parametrize(
    "spec, text, message",
    [
        ("kalah", START + " places=-,1", "nobody is out early"),
        ("kalah", START + " tuzdiks=-,1", "kalah has no tuzdiks"),
        ("japanese", "4,4,4,4,4,4+0/x,x,x,x,x,x+x 0 places=-,3", "a place from 1"),
        ("japanese", START + " places=-,1", "expected an empty row and store"),
        ("japanese", "4,4,4,4,4,4+0/x,x,x,x,x,x+x 0 places=-,1", "at least two seats that still play"),
        ("japanese", "0,0,0,0,0,0+24/4,4,4,4,4,4+0 0", "the side of seat 0 is empty"),
        ("japanese:players=3,pits=1", "4+0/x+x/4+0 1 places=-,1,-", "that seat is out"),
        ("japanese:players=4,pits=1", "x+x/x+x/4+0/4+0 2 places=1,1,-,-", "expected every place once"),
        ("toguz_korgool:pits=2,stones=1", "1,1+0/1,1+0 0 tuzdiks=0,-", "expected no stones in pit 0 of seat 1"),
        ("toguz_korgool:pits=2,stones=1", "1,1+2/0,0+0 0 tuzdiks=1,-", "a pit from 0 to 0"),
        ("toguz_korgool:pits=2,stones=1", "0,1+2/0,1+0 0 tuzdiks=0,0", "no number twice"),
    ],
)
def test_places_and_tuzdiks_that_cannot_be_are_refused(spec: str, text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        Position.parse(text, spec)
    assert message in str(caught.value)


@pytest.mark.parametrize("spec", ["japanese:players=3,max_plies=3", "bohnenspiel:leftovers=unscored,max_plies=3"])
def test_a_game_that_was_cut_off_reads_back_as_one(spec: str) -> None:
    position = variant(spec).start()
    while not position.is_over:
        position = position.play(position.legal_moves[-1])
    again = Position.parse(str(position), spec)
    assert (position.truncated, again.truncated, str(position)[-1]) == (True, True, "-")
    assert again == position
    assert (again.ranking, again.returns) == (position.ranking, position.returns)


@pytest.mark.parametrize("seat", [-1, 2, 1.0, "0"])
def test_a_seat_that_does_not_exist_is_refused(seat: int) -> None:
    with pytest.raises(PositionError, match="expected a seat from 0 to 1"):
        Position(KALAH, [[4] * 6] * 2, to_move=seat)


def test_the_right_to_swap_needs_the_pie_rule() -> None:
    with pytest.raises(PositionError, match="pie=true"):
        Position(KALAH, [[4] * 6] * 2, pie=1)
    with pytest.raises(PositionError, match="expected a seat"):
        Position(variant("kalah:pie=true"), [[4] * 6] * 2, pie=2)


def test_a_custom_position_takes_arrays_and_numpy_numbers() -> None:
    position = Position(KALAH, np.full((2, 6), 4), np.zeros(2, np.int64), np.int64(1))
    assert position == KALAH.start(first=1)
    assert position.play(np.int64(0)) == KALAH.start(first=1).play(0)


def test_a_custom_position_starts_at_ply_0_without_a_last_move() -> None:
    position = Position.parse("0,5,4,4,4,4+1/4,4,4,5,5,4+0 1", KALAH)
    assert (position.ply, position.captured, position.extra_turn, position.trace) == (0, 0, False, ())


def test_a_first_seat_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BadInputError, match="first=2: expected a whole number from 0 to 1"):
        KALAH.start(first=2)


# Moves.


def test_an_illegal_move_names_the_position_and_the_legal_moves() -> None:
    position = KALAH.start().play(2)
    with pytest.raises(IllegalMoveError) as caught:
        position.play(2)
    assert str(position) in str(caught.value)
    assert "legal moves: 0, 1, 3, 4, 5" in str(caught.value)
    assert "move 2" in str(caught.value)


@pytest.mark.parametrize("move", [-1, 6, 7, 64, 2**70, True, 1.0, "1", None])
def test_what_is_not_a_move_is_refused(move: object) -> None:
    with pytest.raises(IllegalMoveError):
        KALAH.start().play(move)  # type: ignore[arg-type]


# Immutability and equality.


def test_a_position_cannot_be_changed() -> None:
    position = KALAH.start()
    for name in ("rules", "pits", "stores", "to_move", "_rows", "new"):
        with pytest.raises(AttributeError):
            setattr(position, name, None)
    with pytest.raises(AttributeError):
        del position.rules
    row = position.row
    if row.flags.writeable:
        row[:] = 9
    assert str(position) == START


def test_a_move_leaves_the_position_as_it_was() -> None:
    position = KALAH.start()
    before = seen(position)
    for move in position.legal_moves:
        position.play(move)
    assert seen(position) == before


def test_the_array_a_position_was_made_from_may_be_reused() -> None:
    batch = KALAH.batch(2)
    position = batch[0]
    pits = [[4] * 6, [4] * 6]
    custom = Position(KALAH, pits)
    batch.play([0, 1])
    pits[0][0] = 0
    assert position == custom == KALAH.start()


def test_positions_are_equal_by_state_and_not_by_history() -> None:
    start = variant("kalah:pits=2,stones=2").start()
    reached = start.play(0)
    custom = Position(start.rules, reached.pits, reached.stores, reached.to_move)
    assert reached == custom
    assert hash(reached) == hash(custom)
    assert len({reached, custom, start}) == 2


def test_positions_differ_by_seat_rules_and_right_to_swap() -> None:
    pie = variant("kalah:pie=true")
    board = [[4] * 6] * 2
    different = [
        KALAH.start(),
        KALAH.start(first=1),
        KALAH.replace(empty_capture=True).start(),
        pie.start(),
        Position(pie, board),
        Position(pie, board, pie=0),
    ]
    assert len(set(different)) == len(different)
    assert KALAH.start() != START
    assert (KALAH.start() == object()) is False


@settings(max_examples=40, deadline=None)
@given(draw_start(), SEEDS)
def test_pickles_and_copies_are_equal_and_play_on(state: reference.State, seed: int) -> None:
    for position in positions_of_a_game(state, seed)[::9]:
        for twin in (pickle.loads(pickle.dumps(position)), copy.deepcopy(position), copy.copy(position)):
            assert twin == position
            assert hash(twin) == hash(position)
            assert seen(twin) == seen(position)
            assert (twin.ply, twin.trace) == (position.ply, position.trace)
            assert [twin.play(move) for move in twin.legal_moves] == [position.play(m) for m in position.legal_moves]


def test_the_hash_of_a_position_can_be_kept_in_sets_across_rules_made_twice() -> None:
    assert hash(variant("kalah").start()) == hash(variant("kalah:pits=6,stones=4").start())


def test_repr_can_be_read_back() -> None:
    position = variant("kalah:pits=3,stones=2").start().play(0)
    assert str(position) in repr(position)
    assert str(position.rules) in repr(position)


# What a position tells.


def test_the_trace_names_the_cells_sown_in_order() -> None:
    assert KALAH.start().play(2).trace == (3, 4, 5, 6)
    assert KALAH.start(first=1).play(5).trace == (13, 0, 1, 2)
    lap = Position.parse("0,0,0,0,0,14+10/1,1,1,1,1,1+18 0", KALAH).play(5)
    assert lap.trace == (6, 7, 8, 9, 10, 11, 12, 0, 1, 2, 3, 4, 5, 6)


def test_returns_are_zero_while_the_game_goes_on_and_ranking_is_not_known() -> None:
    position = KALAH.start().play(2)
    assert position.returns == (0.0, 0.0)
    assert position.ranking is None
    assert position.scores == (1, 0)


# Batches.


def test_an_illegal_action_in_a_batch_names_the_game_and_plays_nothing() -> None:
    batch = Batch.of([KALAH.start(), KALAH.start().play(2), KALAH.start()])
    before = batch.rows.copy()
    with pytest.raises(IllegalMoveError) as caught:
        batch.play([0, 2, 0])
    assert "game 1" in str(caught.value)
    assert "legal moves: 0, 1, 3, 4, 5" in str(caught.value)
    assert (batch.rows == before).all()


def test_a_batch_refuses_a_wrong_number_of_actions_and_moves_in_finished_games() -> None:
    batch = variant("kalah:pits=1,stones=1").batch(2)
    with pytest.raises(IllegalMoveError, match="expected 2 whole numbers"):
        batch.play([0])
    batch.play([0, 0])
    with pytest.raises(IllegalMoveError, match=r"game 0: .*the game is over"):
        batch.play([0, 0])


def test_a_batch_counts_the_stones_in_all_pits_and_in_no_closed_one() -> None:
    texts = "4,4,4,4,4,4+0/4,4,4,4,4,4+0 0", "0,2,0,0,2,3+20/2,4,0,1,0,0+14 0", "x,1,x,0,0,3+20/2,1,0,1,0,0+20 1"
    three = Position.parse("1,0+2/2,1+0/0,1+5 1", "japanese:players=3,pits=2,stones=2")
    assert Batch.of([Position.parse(text, "kalah") for text in texts]).stones_in_pits.tolist() == [48, 14, 8]
    assert Batch.of([three]).stones_in_pits.tolist() == [5]


def test_a_batch_takes_positions_of_one_record_only() -> None:
    with pytest.raises(PositionError, match="at least one"):
        Batch.of([])
    with pytest.raises(PositionError, match="other rules"):
        Batch.of([KALAH.start(), variant("kalah:stones=3").start()])


def test_a_selection_is_a_copy() -> None:
    batch = KALAH.batch(4)
    some = batch.select([1, 3])
    some.play([0, 1])
    twin = batch.copy()
    twin.play([5, 5, 5, 5])
    assert [str(position) for position in batch] == [START] * 4
    assert list(some) == [KALAH.start().play(0), KALAH.start().play(1)]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 12), SEEDS, st.integers(1, 20))
def test_random_openings_are_legal_lines_that_leave_something_to_play(plies: int, seed: int, games: int) -> None:
    rules = variant("kalah:pits=3,stones=2")
    seeds = (np.arange(games) + seed) % 2**32
    batch = rules.batch(games)
    batch.random_plies(plies, seeds)
    assert not batch.over.any()
    assert (batch.ply <= plies).all()
    again = rules.batch(games)
    again.random_plies(plies, seeds)
    assert (again.rows == batch.rows).all()
    one_by_one = rules.batch(games)
    for game in range(games):
        alone = one_by_one.select([game])
        alone.random_plies(plies, seeds[game : game + 1])
        assert alone[0] == batch[game]


def test_threads_may_share_a_position_whose_legal_moves_are_found_by_trial() -> None:
    position = Position("oware", ((1, 1, 2, 3, 4, 5), (0,) * 6), (16, 16), 0)  # seat 0 has to feed seat 1
    wrong: list[tuple[int, ...]] = []

    def ask() -> None:
        answers = (position.legal_moves for _ in range(3000))
        wrong.extend(moves for moves in answers if moves != (3, 4, 5))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
