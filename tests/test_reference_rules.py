"""The oracle against positions worked by hand, for the rules that no referee game or edge case reaches."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests import reference
from tests.cases import GAMES, action_of, state_of
from tests.reference import PRESETS, State, from_text, legal, notate, play


def position(preset: str, text: str, **options: Any) -> State:
    """The position of a `notate` line, with as many players and pits as it shows."""
    rows = text.split()[0].split("/")
    settings = PRESETS[preset]._replace(players=len(rows), pits=rows[0].count(",") + 1, **options)
    return from_text(text, settings)


def after(state: State, *moves: int) -> str:
    for move in moves:
        state = play(state, move)
    return notate(state)


# Japanese Mancala


def test_j9_j10_a_quitter_keeps_the_last_place_when_the_first_finisher_ends_the_game() -> None:
    state = position("japanese", "0,0,0,1+0/1,0,0,0+0/2,0,0,0+0/0,2,0,0+0 1", play_out=False, resign=True)
    assert legal(state) == [0, 4]
    state = play(state, 4)
    assert (state.turn, state.places, state.lifted, reference.active(state)) == (2, (None, 4, None, None), 1, [0, 2, 3])
    for move in (0, 1, 3):
        state = play(state, move)
    assert notate(state) == "0,0,0,0+1/x,x,x,x+x/0,1,1,0+0/0,0,1,1+0 -"
    assert reference.ranking(state) == (1, 4, 2, 2)
    assert reference.returns(state) == (1.0, -1.0, 0.0, 0.0)  # J11: two share the mean of places 2 and 3


def test_j9_fewer_stones_left_rank_higher() -> None:
    state = position("japanese", "0,1+0/3,0+0/0,1+0 0", play_out=False)
    state = play(state, 1)
    assert state.over
    assert reference.ranking(state) == (1, 3, 2)
    assert state.lifted == 0


def test_j8_the_finisher_of_a_played_out_game_is_lifted_and_the_last_one_stays() -> None:
    state = play(position("japanese", "0,1+0/1,0+0/0,1+2 0"), 1)
    assert (notate(state), state.extra) == ("x,x+x/1,0+0/0,1+2 1", False)
    state = play(play(state, 0), 1)
    assert notate(state) == "x,x+x/0,1+0/x,x+x -"
    assert (reference.ranking(state), state.lifted) == ((1, 3, 2), 4)


def test_j10_a_second_quitter_is_one_place_better() -> None:
    state = position("japanese", "1,0+0/1,0+0/1,0+0/1,0+0 2", resign=True)
    state = play(play(state, 2), 2)
    assert (state.places, state.turn) == ((None, None, 4, 3), 0)
    state = play(state, 2)
    assert (state.places, state.turn) == ((2, 1, 4, 3), None)


def test_j6_a_start_with_an_empty_side_is_refused() -> None:
    settings = PRESETS["japanese"]._replace(pits=2, stones=1)
    reference.check_custom(from_text("1,0+1/0,1+1 0", settings))
    with pytest.raises(ValueError, match="side is empty"):
        reference.check_custom(from_text("2,0+1/0,0+1 0", settings))
    with pytest.raises(ValueError, match="total"):
        reference.check_custom(from_text("2,0+1/0,1+1 0", settings))


def test_j2_sizes_a_table_does_not_offer_fall_back_to_six() -> None:
    sizes = {(players, pits): reference.table_pits(players, pits) for players in (2, 3, 4) for pits in (4, 5, 6, 7)}
    kept = {(2, 6), (2, 7), (3, 4), (3, 6), (4, 4), (4, 6)}
    assert {key for key, pits in sizes.items() if pits == key[1]} == kept
    assert {pits for key, pits in sizes.items() if key not in kept} == {6}


def test_j11_the_starter_of_a_series_rotates() -> None:
    assert [reference.starter(game, 1, 3) for game in range(5)] == [1, 2, 0, 1, 2]
    assert [reference.starter(game, 1, 3, rotate=False) for game in range(3)] == [1, 1, 1]


# Mangala


def test_m15_the_loser_closes_pits_at_the_left_end() -> None:
    state = reference.refill((29, 19), PRESETS["mangala"])
    assert isinstance(state, State)
    assert notate(state) == "4,4,4,4,4,4+5/x,x,4,4,4,4+3 0"
    reference.check_custom(state)
    assert reference.refill((24, 24), PRESETS["mangala"]) == reference.start(PRESETS["mangala"])


def test_m15_who_cannot_fill_one_pit_has_lost_the_match() -> None:
    assert reference.refill((45, 3), PRESETS["mangala"]) == 0
    assert reference.refill((3, 45), PRESETS["mangala"]) == 1
    assert isinstance(reference.refill((44, 4), PRESETS["mangala"]), State)


def test_m14_half_points_and_when_a_match_cannot_be_caught() -> None:
    won, drawn, lost = (30, 18), (24, 24), (18, 30)
    assert reference.match_points([won, drawn, lost]) == (1.5, 1.5)
    assert reference.match_winner([won, won], 3, play_all=False) == 0
    assert reference.match_winner([won, won], 3, play_all=True) is None
    assert reference.match_winner([won, drawn], 3, play_all=False) is None  # 1.5-0.5, one set left: a draw is possible
    assert reference.match_winner([lost, drawn, lost], 5, play_all=False) is None
    assert reference.match_winner([lost, lost, drawn, drawn], 5, play_all=False) == 1
    assert reference.match_winner([won, drawn, lost], 3, play_all=False) == "draw"


# Oware

SLAM = "3,0,0,0,0,2+19/1,1,0,0,0,0+22 0"


@pytest.mark.parametrize(
    "rule, result",
    [
        ("no_capture", "3,0,0,0,0,0+19/2,2,0,0,0,0+22 1"),
        ("allow", "0,0,0,0,0,0+26/0,0,0,0,0,0+22 -"),
        ("rest_to_opponent", "0,0,0,0,0,0+23/0,0,0,0,0,0+25 -"),
        ("leave_last", "3,0,0,0,0,0+21/0,2,0,0,0,0+22 1"),
        ("leave_first", "3,0,0,0,0,0+21/2,0,0,0,0,0+22 1"),
    ],
)
def test_o4_a_grand_slam_under_every_rule(rule: str, result: str) -> None:
    state = position("oware", SLAM, grand_slam=rule)
    assert reference.is_slam(state, 5)
    assert not reference.is_slam(state, 0)
    assert after(state, 5) == result


def test_o4_illegal_only_if_there_is_another_move() -> None:
    assert legal(position("oware", SLAM, grand_slam="illegal")) == [0]
    alone = position("oware", "0,0,0,0,0,2+22/1,1,0,0,0,0+22 0", grand_slam="illegal")
    assert legal(alone) == [5]
    assert after(alone, 5) == "0,0,0,0,0,0+26/0,0,0,0,0,0+22 -"


def test_o5_without_the_duty_to_feed_every_pit_may_be_played() -> None:
    text = "1,0,0,0,0,1+23/0,0,0,0,0,0+23 0"
    assert legal(position("oware", text)) == [5]
    free = position("oware", text, feed=False)
    assert legal(free) == [0, 5]
    assert after(free, 0) == "0,0,0,0,0,0+25/0,0,0,0,0,0+23 -"  # the opponent has no move, each banks the own side


def test_o7_repetition_counts_the_first_position_too() -> None:
    lap = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    text = "1,0,0,0,0,0+23/1,0,0,0,0,0+23 0"
    assert after(position("oware", text, repetition=2), *lap[:11]).endswith(" 1")
    assert after(position("oware", text, repetition=2), *lap).endswith("+24 -")
    assert after(position("oware", text, repetition=3), *lap) == text
    assert after(position("oware", text, repetition=3), *lap, *lap).endswith("+24 -")
    assert after(position("oware", text, repetition=0), *lap, *lap, *lap) == text


def test_o7_the_even_split_halves_what_is_left() -> None:
    splits = set()
    for game in GAMES["oware"]:
        if game["steps"][-1]["why"] != "repetition":
            continue
        state = state_of(game, game["start"])
        state = state._replace(settings=state.settings._replace(cycle_split="even"))
        for step in game["steps"][:-1]:
            state = play(state, action_of(state, step["move"]))
        rest, before = sum(map(sum, state.pits)), state.stores
        state = play(state, action_of(state, game["steps"][-1]["move"]))
        assert state.over
        assert state.stores == (before[0] + rest // 2, before[1] + rest // 2)
        assert (state.lifted, reference.total(state)) == (rest % 2, game["settings"]["total"])
        splits.add((rest % 2, list(state.stores) == game["final"]["stores"]))
    assert {odd for odd, _ in splits} == {0, 1}
    assert False in {same for _, same in splits}, "no game tells the two splits apart"


def test_o6_a_cap_truncates_and_each_side_banks_its_own() -> None:
    start = reference.start(PRESETS["oware"]._replace(max_plies=2))
    one = play(start, 5)
    assert (one.over, one.truncated) == (False, False)
    two = play(one, 5)
    assert notate(two) == "0,0,0,0,0,0+24/0,0,0,0,0,0+24 -"
    assert two.truncated


def test_o6_an_end_by_the_rules_at_the_cap_is_no_truncation() -> None:
    state = position("oware", "0,0,0,0,2,1+23/1,0,4,0,0,0+17 0", max_plies=1)
    ended = play(state, 5)
    assert (ended.over, ended.truncated) == (True, False)


# Relay, and the games that need nothing but parameters


def test_avalanche_takes_up_every_occupied_pit_and_stops_in_an_empty_one() -> None:
    assert after(position("avalanche", "2,0,1+0/1,0,0+0 0"), 0) == "0,1,0+1/0,1,1+0 1"


def test_avalanche_moves_again_when_the_last_lap_ends_in_the_store() -> None:
    state = play(position("avalanche", "1,1,0+0/1,0,0+0 0"), 0)
    assert (notate(state), state.extra) == ("0,0,1+1/1,0,0+0 0", True)
    assert reference.sowing_cells(position("avalanche", "1,1,0+0/1,0,0+0 0"), 0) == [(0, 1), (0, 2), (0, 3)]


def test_congkak_captures_across_after_the_last_lap() -> None:
    state = play(position("congkak", "1,1,1,0+0/0,5,0,1+0 0"), 0)
    assert (notate(state), state.captured) == ("0,0,2,1+0/0,5,0,1+0 1", 0)  # the pit opposite 3 is 0, and empty
    state = play(position("congkak", "1,1,1,0+0/5,0,0,1+0 0"), 0)
    assert (notate(state), state.captured) == ("0,0,2,0+6/0,0,0,1+0 1", 6)


def test_ayoayo_skips_the_origin_of_each_lap() -> None:
    state = position("ayoayo", "4,0+0/0,0+0 0")
    assert reference.sowing_cells(state, 0) == [(0, 1), (1, 0), (1, 1), (0, 1), (1, 0), (1, 1), (0, 0), (0, 1)]
    state = play(state, 0)
    assert (notate(state), state.captured) == ("0,0+4/0,0+0 -", 3)


def test_ayoayo_with_the_capturing_seed_left_on_the_board() -> None:
    state = play(position("ayoayo", "1,0,1+0/0,3,1+0 0", lander="stays"), 0)
    assert (notate(state), state.captured) == ("0,1,1+3/0,0,1+0 1", 3)


def test_relay_from_the_next_pit_ends_before_an_empty_one() -> None:
    assert after(position("ayoayo", "1,0,2+0/0,0,0+0 0", relay="next", feed=False, capture=False), 0) == (
        "0,1,0+0/1,1,0+0 1"
    )


def test_a_sowing_without_end_is_found_and_a_limit_stops_it() -> None:
    endless = position("ayoayo", "1+0/1+0 0", relay_limit=0)
    with pytest.raises(reference.EndlessSowingError):
        play(endless, 0)
    three = position("ayoayo", "1+0/1+0 0", relay_limit=3)
    assert reference.sowing_cells(three, 0) == [(1, 0), (0, 0), (0, 0), (1, 0), (1, 0)]


def test_bohnenspiel_captures_two_four_and_six_on_either_side_backwards() -> None:
    state = play(position("bohnenspiel", "0,2,1+0/3,0,1+0 0"), 1)
    assert (notate(state), state.captured) == ("0,0,0+6/0,0,1+0 1", 6)


def test_toguz_korgool_claims_a_pit_and_keeps_what_falls_into_it() -> None:
    state = play(position("toguz_korgool", "0,0,3+0/1,2,9+0 0"), 2)
    assert (notate(state), state.captured, state.tuzdiks) == ("0,0,1+3/2,0,9+0 1", 3, (1, None))
    state = play(state, 0)  # one stone back, the other into the claimed pit
    assert (notate(state), state.captured) == ("0,0,1+4/1,0,9+0 0", 0)
    state = play(state, 2)
    assert (notate(state), state.captured) == ("0,0,0+6/0,0,9+0 1", 2)  # even capture of pit 0
    # 9 stones: origin, the row of player 0, pits 0 and (claimed) 1, the origin, pits 0 and 1 of player 0, which makes 2
    state = play(state, 2)
    assert (notate(state), state.captured) == ("2,0,1+7/1,0,2+2 0", 2)


@pytest.mark.parametrize(
    "text, move, tuzdiks",
    [
        ("0,0,4+0/1,1,2+0 0", 2, ()),  # the opponent's last pit
        ("0,0,3+0/1,2,9+0 0", 2, (None, 1)),  # the number the rival has claimed
        ("0,0,3+0/1,2,9+0 0", 2, (0, None)),  # a second one
    ],
)
def test_toguz_korgool_claims_refused(text: str, move: int, tuzdiks: tuple[int | None, ...]) -> None:
    state = play(position("toguz_korgool", text)._replace(tuzdiks=tuzdiks), move)
    assert state.tuzdiks == tuzdiks


def test_toguz_korgool_stones_in_the_own_tuzdik_count_as_captured() -> None:
    state = play(position("toguz_korgool", "9,9,4+0/1,0,9+0 0")._replace(tuzdiks=(1, None)), 2)
    assert (notate(state), state.captured) == ("9,9,1+11/2,0,0+0 1", 11)


@pytest.mark.parametrize("preset", PRESETS)
def test_random_games_keep_every_stone_and_end(preset: str) -> None:
    for seed in range(6):
        rng = random.Random(seed)
        state = reference.start(PRESETS[preset])
        total = reference.total(state)
        while not state.over:
            state = play(state, rng.choice(legal(state)))
            assert reference.total(state) == total
            assert state.ply < 1000
        assert sum(reference.returns(state)) == pytest.approx(0)
