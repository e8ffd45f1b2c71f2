"""The faults of test_faults.py in the other games of the family: what one game had wrong, none may have."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator

import numpy as np
import pytest

from mancala_rl import VARIANTS, Position, Rules, variant
from mancala_rl.errors import IllegalMoveError
from tests.cases import GAMES, at, state_of
from tests.twins import position_of, stones_of

MOST = [name for name, rules in VARIANTS.items() if rules.goal == "most"]
IMMEDIATE = [name for name in MOST if VARIANTS[name].end_check == "immediate"]
CROSS = [name for name in MOST if VARIANTS[name].capture == "cross"]


def steps_of(rules: Rules, seed: int) -> Iterator[tuple[Position, int, Position]]:
    """A random game: each position, the move, and the position after it."""
    rng, position = random.Random(seed), rules.start(first=seed % rules.players)
    while not position.is_over:
        move = rng.choice(position.legal_moves)
        before, position = position, position.play(move)
        yield before, move, position


# Sweeps and leftovers


@pytest.mark.parametrize("name", MOST)
def test_the_final_sweep_is_made_once(name: str) -> None:
    for seed in range(5):
        *_, (_, _, over) = steps_of(VARIANTS[name], seed)
        swept = VARIANTS[name].sweep_when_decided or not (VARIANTS[name].stop_when_decided and over.decided)
        assert not swept or not any(map(any, over.pits))
        assert stones_of(over) == over.rules.total
        assert Position.parse(str(over), over.rules) == over


def test_where_the_first_to_empty_wins_nothing_is_swept() -> None:
    over = at("japanese", "0,0,1+2/1,0,3+5 0").play(2)
    assert str(over) == "0,0,0+3/1,0,3+5 - places=1,2"


@pytest.mark.parametrize("name, scores", [("mangala", (22, 26)), ("mangala_official", (26, 22))])
def test_what_is_left_goes_to_the_side_the_rules_name(name: str, scores: tuple[int, int]) -> None:
    over = at(name, "0,0,0,0,0,1+21/0,3,0,0,0,1+22 0").play(5)
    assert over.scores == scores
    mirrored = at(name, "0,3,0,0,0,1+22/0,0,0,0,0,1+21 1").play(5)
    assert mirrored.scores == scores[::-1]


def test_the_owner_of_the_empty_row_takes_the_rest_even_when_the_opponent_emptied_it() -> None:
    over = at("mangala_official", "1,0,0,0,0,3+20/1,0,0,0,0,0+23 0").play(5)  # makes pit 0 two, and takes it
    assert (over.captured, over.scores) == (2, (23, 25))


@pytest.mark.parametrize(
    "leftovers, text",
    [
        ("owner", "0,0,0+8/0,0,0+10 -"),
        ("emptier", "0,0,0+11/0,0,0+7 -"),
        ("unscored", "0,0,0+8/0,3,0+7 -"),
    ],
)
def test_what_is_left_when_the_player_to_move_has_nothing(leftovers: str, text: str) -> None:
    after = at("bohnenspiel", "0,0,1+8/0,2,0+7 0", leftovers=leftovers).play(2)
    assert not after.is_over  # the row of seat 0 is empty, but seat 1 is to move
    assert str(after.play(0)) == text


# Captures


def line_up(rules: Rules, seat: int, pit: int, opposite: int) -> Position:
    """A single stone of `seat` just before its empty pit `pit`, with so many stones opposite."""
    own, other = [0] * rules.pits, [1] * rules.pits
    own[pit - 1] = 1
    own[-1 if pit < rules.pits - 1 else 0] += 1  # keeps the row from emptying
    other[rules.pits - 1 - pit] = opposite
    rest = rules.total - sum(own) - sum(other)
    return Position(rules, (own, other)[:: 1 - 2 * seat], (rest // 2, rest - rest // 2), seat)


@pytest.mark.parametrize("name", CROSS)
@pytest.mark.parametrize("seat", [0, 1])
def test_the_opposite_of_pit_i_is_pit_m_minus_1_minus_i(name: str, seat: int) -> None:
    rules = VARIANTS[name]
    for pit in range(1, rules.pits - 1):
        before = line_up(rules, seat, pit, 5)
        after = before.play(pit - 1)
        assert (after.captured, after.stores[seat]) == (6, before.stores[seat] + 6)
        assert (after.pits[seat][pit], after.pits[1 - seat][rules.pits - 1 - pit]) == (0, 0)
        assert after.pits[1 - seat].count(1) == rules.pits - 1


@pytest.mark.parametrize("name", CROSS)
def test_nothing_is_captured_when_the_opposite_pit_is_empty(name: str) -> None:
    for pit in range(1, VARIANTS[name].pits - 1):
        before = line_up(VARIANTS[name], 0, pit, 0)
        after = before.play(pit - 1)
        assert (after.captured, after.stores, after.pits[0][pit]) == (0, before.stores, 1)


# Closed pits

CLOSED = "1,0,0,0,0,4+24/x,x,4,4,4,4+3 0"


def test_closed_pits_are_passed_over_in_sowing() -> None:
    after = at("mangala", CLOSED).play(5)
    assert str(after) == "1,0,0,0,0,1+25/x,x,5,5,4,4+3 1"
    assert after.trace == (5, 6, 9, 10)
    mirrored = at("mangala", "x,x,4,4,4,4+3/4,4,4,4,4,4+5 1").play(5)
    assert str(mirrored) == "x,x,5,5,4,4+3/4,4,4,4,4,1+6 0"


@pytest.mark.parametrize(
    "name, text",
    [
        ("mangala", "1,1,1,1,2,2+17/x,x,2,1,1,2+17 1"),
        ("mangala_official", "1,1,1,1,2,2+19/x,x,0,1,1,2+17 1"),  # and pit 2, now even, is captured
    ],
)
def test_closed_pits_are_passed_over_on_every_lap(name: str, text: str) -> None:
    assert str(at(name, "0,0,0,0,1,14+15/x,x,0,0,0,1+17 0").play(5)) == text


@pytest.mark.parametrize(
    "name, fields, text",
    [
        ("mangala", {}, "0,0,0,0,1,4+24/x,x,4,4,4,4+3 1"),
        ("kalah", {}, "0,0,0,0,1,4+24/x,x,4,4,4,4+3 1"),
        ("kalah", {"empty_capture": True}, "0,0,0,0,0,4+25/x,x,4,4,4,4+3 1"),
    ],
)
def test_nothing_is_captured_from_a_closed_pit(name: str, fields: dict[str, bool], text: str) -> None:
    assert str(at(name, "0,0,0,1,0,4+24/x,x,4,4,4,4+3 0", **fields).play(3)) == text


def test_a_closed_pit_cannot_be_played_and_stays_closed_to_the_end() -> None:
    for seed in range(20):
        position = at("mangala", "x,x,4,4,4,4+3/4,4,4,4,4,4+5 0")
        rng = random.Random(seed)
        while not position.is_over:
            assert position.closed == ((0, 0), (0, 1))
            assert position.to_move == 1 or not {0, 1} & {*position.legal_moves}
            position = position.play(rng.choice(position.legal_moves))
        assert position.pits == ((0,) * 6, (0,) * 6)
        assert sum(position.scores) == 48
        assert str(position).startswith("x,x,0,0,0,0+")


def test_a_row_is_empty_when_its_open_pits_are() -> None:
    over = at("mangala", "0,0,0,0,0,1+24/x,x,x,0,2,3+18 0").play(5)
    assert over.scores == (25, 23)


# Sowing and stores


@pytest.mark.parametrize("name", VARIANTS)
def test_a_store_gets_what_was_sown_into_it_and_what_was_captured_and_nothing_else(name: str) -> None:
    rules = VARIANTS[name]
    for seed in range(8):
        for before, _, after in steps_of(rules, seed):
            if after.is_over:
                break
            for seat in range(rules.players):
                sown = after.trace.count(seat * (rules.pits + 1) + rules.pits)
                claimed = after.tuzdiks[seat] if seat != before.to_move else None
                cell = (1 - seat) * (rules.pits + 1) + claimed if claimed is not None else -1
                captured = after.captured if seat == before.to_move else after.trace.count(cell)
                assert after.stores[seat] - before.stores[seat] == sown + captured, f"{before} then {after}"
                assert rules.sow_stores == "all" or not sown or seat == before.to_move
                assert rules.sow_stores != "none" or not sown


@pytest.mark.parametrize(
    "name, text, move, result",
    [
        ("mangala", "0,0,0,0,0,15+10/1,1,1,1,1,1+17 0", 5, "1,1,1,1,1,2+12/2,2,2,2,2,2+17 0"),
        ("japanese", "0,0,0,0,0,15+10/1,1,1,1,1,1+17 0", 5, "1,1,1,1,1,1+12/2,2,2,2,2,2+18 0"),
        ("japanese", "0,0,0,0,1,22+10/1,1,1,1,1,1+9 0", 5, "1,1,1,1,2,1+12/3,3,3,3,3,3+11 0"),
    ],
)
def test_a_full_lap_that_ends_in_a_store_gives_another_turn(name: str, text: str, move: int, result: str) -> None:
    after = at(name, text).play(move)
    assert (str(after), after.extra_turn) == (result, True)


@pytest.mark.parametrize("name", VARIANTS)
def test_pit_0_is_a_move(name: str) -> None:
    start = VARIANTS[name].start()
    after = start.play(0)
    assert 0 in start.legal_moves
    assert after != start
    assert after.ply == 1
    assert start.rules.batch(2).legal()[:, 0].all()


@pytest.mark.parametrize("name", VARIANTS)
def test_the_row_test_sees_the_first_pit_the_last_one_and_all_between(name: str) -> None:
    rules = VARIANTS[name]
    for seat in range(rules.players):
        for pit in range(rules.pits):
            rows = [[1] * rules.pits for _ in range(rules.players)]
            rows[seat] = [int(i == pit) for i in range(rules.pits)]
            rest = rules.total - sum(map(sum, rows))
            stores = [rest // rules.players + (p < rest % rules.players) for p in range(rules.players)]
            position = Position(rules, rows, stores, seat)
            assert (position.is_over, position.legal_moves) == (False, (pit,))


@pytest.mark.parametrize("name", IMMEDIATE)
def test_an_empty_row_of_either_player_ends_the_game_whoever_moves(name: str) -> None:
    rules = VARIANTS[name]
    rows, store = [[0] * rules.pits, [1] * rules.pits], (rules.total - rules.pits) // 2
    for board in (rows, rows[::-1]):
        for seat in (0, 1):
            assert Position(rules, board, (store, rules.total - rules.pits - store), seat).is_over


# Ends


@pytest.mark.parametrize("name", VARIANTS)
def test_no_move_is_legal_in_a_finished_game(name: str) -> None:
    *_, (_, _, over) = steps_of(VARIANTS[name], 3)
    assert (over.to_move, over.legal_moves) == (None, ())
    for move in range(-1, over.rules.pits + 2):
        with pytest.raises(IllegalMoveError, match="the game is over"):
            over.play(move)


def test_more_stones_in_the_store_do_not_win_where_the_first_to_empty_does() -> None:
    over = at("japanese", "0,0,1+1/3,0,0+13 0").play(2)
    assert (over.scores, over.returns, over.ranking) == ((2, 13), (1.0, -1.0), (1, 2))
    assert not over.decided


@pytest.mark.parametrize("name", MOST)
def test_more_stones_win_and_equal_stones_are_nobodys_win(name: str) -> None:
    rules = VARIANTS[name]
    empty, half = [[0] * rules.pits] * 2, rules.total // 2
    drawn = Position(rules, empty, (half, rules.total - half))
    assert (drawn.is_over, drawn.returns, drawn.ranking) == (True, (0.0, 0.0), (1, 1))
    for margin, returns in ((1, (1.0, -1.0)), (-1, (-1.0, 1.0))):
        over = Position(rules, empty, (half + margin, half - margin))
        assert (over.returns, over.ranking) == (returns, ((1, 2), (2, 1))[margin < 0])


def test_a_player_who_cannot_feed_ends_the_game_and_banks_the_own_side() -> None:
    over = at("oware", "0,1,1,0,0,0+23/0,0,0,0,0,1+22 1").play(5)
    assert str(over) == "0,0,0,0,0,0+26/0,0,0,0,0,0+22 -"


def test_only_moves_that_feed_are_legal_when_the_opponent_has_nothing() -> None:
    text = "1,0,0,0,0,1+23/0,0,0,0,0,0+23 0"
    assert at("oware", text).legal_moves == (5,)
    free = at("oware", text, feed=False)
    assert free.legal_moves == (0, 5)
    assert str(free.play(0)) == "0,0,0,0,0,0+25/0,0,0,0,0,0+23 -"


@pytest.mark.parametrize("name", ["oware", "ayoayo"])
def test_nobody_is_ever_to_move_without_a_legal_move(name: str) -> None:
    starved = 0
    for seed in range(40):
        for before, _, after in steps_of(variant(f"{name}:pits=3,stones=2"), seed):
            assert after.is_over == (not after.legal_moves)
            starved += not any(before.pits[1 - (before.to_move or 0)])
    assert starved > 0, "no position of these games asks for feeding"


LAP = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
CHASE = "1,0,0,0,0,0+23/1,0,0,0,0,0+23 0"


def after_laps(laps: int, **fields: int | str) -> Position:
    """Two single seeds that chase each other around the board."""
    position = at("oware", CHASE, **fields)
    for move in LAP * laps:
        assert not position.is_over
        position = position.play(move)
    return position


def test_a_position_repeated_as_often_as_the_rules_say_ends_the_game() -> None:
    assert str(after_laps(1)) == "0,0,0,0,0,0+24/0,0,0,0,0,0+24 -"
    assert str(after_laps(1, repetition=3)) == CHASE
    assert str(after_laps(2, repetition=3)) == "0,0,0,0,0,0+24/0,0,0,0,0,0+24 -"
    assert str(after_laps(4, repetition=0)) == CHASE
    assert not after_laps(1).truncated


def test_a_repetition_splits_by_side_or_evenly_as_the_rules_say() -> None:
    odd, differ = set(), 0
    for game in (game for game in GAMES["oware"] if game["steps"][-1]["why"] == "repetition"):
        before = position_of(state_of(game, game["start"]))
        rules = dataclasses.replace(before.rules, cycle_split="even")
        position = Position(rules, before.pits, before.stores, before.to_move)
        for step in game["steps"]:
            before, position = position, position.play(step["move"])
        rest = sum(map(sum, before.pits))
        assert position.stores == tuple(store + rest // 2 for store in before.stores)
        assert (position.lifted, stones_of(position)) == (rest % 2, rules.total)
        odd.add(rest % 2)
        differ += list(position.stores) != game["final"]["stores"]
    assert odd == {0, 1}
    assert differ > 0, "no game tells the two splits apart"


def test_a_capture_forgets_the_positions_before_it() -> None:
    rules = dataclasses.replace(VARIANTS["oware"], pits=2, stones=2)
    for seed in range(30):
        since: list[tuple[object, int | None]] = [(rules.start(first=seed % 2).pits, seed % 2)]
        for before, _, after in steps_of(rules, seed):
            here = (after.pits, after.to_move)
            since = [here] if after.captured else [*since, here]
            if not after.is_over:
                assert len(set(since)) == len(since), f"{after} after {before} has been there before"


def test_255_moves_without_a_capture_cut_off_a_game_with_a_repetition_rule() -> None:
    rules = dataclasses.replace(VARIANTS["oware"], chain="60")
    *_, (before, move, over) = steps_of(rules, 0)
    assert (over.ply, over.truncated) == (255, True)
    plain = dataclasses.replace(rules, repetition=0)
    uncut = Position(plain, before.pits, before.stores, before.to_move).play(move)
    assert not uncut.is_over
    assert over.scores == tuple(sum(row) for row in uncut.pits)  # each side banks its own


@pytest.mark.parametrize("name", ["avalanche", "congkak"])
def test_a_swap_moves_rows_and_stores_and_gives_the_move_back(name: str) -> None:
    position = VARIANTS[name].replace(pie=True).start()
    while position.to_move == 0:
        assert position.rules.pits not in position.legal_moves
        position = position.play(position.legal_moves[0])
    swapped = position.play(position.rules.pits)
    assert (swapped.pits, swapped.stores) == (position.pits[::-1], position.stores[::-1])
    assert (swapped.to_move, swapped.pie, swapped.trace) == (0, None, ())
    assert swapped.rules.pits not in swapped.legal_moves


def test_a_swap_takes_the_closed_pits_along() -> None:
    rules = dataclasses.replace(VARIANTS["mangala"], pie=True)
    opened = Position.parse("4,4,4,4,4,4+5/x,x,4,4,4,4+3 1 pie=1", rules)
    assert str(opened.play(6)) == "x,x,4,4,4,4+3/4,4,4,4,4,4+5 0"


# Batches


@pytest.mark.parametrize("name", VARIANTS)
def test_a_batch_says_of_its_games_what_their_positions_say(name: str) -> None:
    batch = VARIANTS[name].batch(16)
    rng = np.random.default_rng(0)
    while not batch.over.all():
        batch = batch.select(~batch.over)
        legal = batch.legal()
        assert [tuple(np.flatnonzero(row)) for row in legal] == [position.legal_moves for position in batch]
        batch.play(np.where(legal, rng.random(legal.shape), -1).argmax(axis=1))
        assert batch.returns.tolist() == [list(position.returns) for position in batch]
        assert batch.to_move.tolist() == [-1 if p.to_move is None else p.to_move for p in batch]
