"""Positions worked by hand for the rules that no referee game or edge case reaches, one line a move."""

from __future__ import annotations

import numpy as np
import pytest

from mancala_rl import VARIANTS, Position, variant
from mancala_rl.rules.japanese import table_rules
from tests.cases import at
from tests.twins import stones_of


def check_line(position: Position, line: list[tuple[int, str, int]]) -> Position:
    """Play the moves of a line and compare the position after each, and what it captured."""
    for move, text, captured in line:
        position = position.play(move)
        assert (str(position), position.captured) == (text, captured)
        assert stones_of(position) == position.rules.total
    return position


# Japanese Mancala


def test_j8_the_finisher_is_lifted_and_the_last_one_stays() -> None:
    first = at("japanese", "0,1+0/1,0+0/0,1+3 0").play(1)
    assert (str(first), first.extra_turn) == ("x,x+x/1,0+0/0,1+3 1 places=1,-,-", False)
    end = check_line(first, [(0, "x,x+x/0,1+0/0,1+3 2 places=1,-,-", 0), (1, "x,x+x/0,1+0/x,x+x - places=1,3,2", 0)])
    assert (end.ranking, end.returns, end.lifted) == ((1, 3, 2), (1.0, -1.0, 0.0), 5)


def test_j8_the_ring_closes_around_a_side_that_was_lifted() -> None:
    before = at("japanese", "0,3+1/x,x+x/1,0+1 0 places=-,1,-", stones=2)
    assert before.lifted == 6
    after = check_line(before, [(1, "x,x+x/x,x+x/2,1+1 - places=2,1,3", 0)])
    assert after.trace == (2, 6, 7)  # the own store, then the row of seat 2: cells 3 to 5 are off the board


def test_j9_the_others_rank_by_fewer_stones_and_equal_numbers_share_a_place() -> None:
    end = at("japanese", "0,1+0/1,1+0/2,0+0/3,0+0 0", play_out=False).play(1)
    assert (end.ranking, end.returns) == ((1, 2, 2, 4), (1.0, 0.0, 0.0, -1.0))
    assert (str(end), end.lifted) == ("0,0+1/1,1+0/2,0+0/3,0+0 - places=1,2,2,4", 0)


def test_j10_a_second_quitter_is_one_place_better() -> None:
    start = at("japanese", "1,0+1/1,0+1/1,0+1/1,0+1 2", resign=True)
    line = [(2, "1,0+1/1,0+1/x,x+x/1,0+1 3 places=-,-,4,-", 0), (2, "1,0+1/1,0+1/x,x+x/x,x+x 0 places=-,-,4,3", 0)]
    end = check_line(start, [*line, (2, "x,x+x/1,0+1/x,x+x/x,x+x - places=2,1,4,3", 0)])
    assert end.returns == pytest.approx((1 / 3, 1, -1, -1 / 3))


def test_j10_giving_up_for_two_loses() -> None:
    for first in (0, 1):
        end = variant("japanese:resign=true").start(first=first).play(6)
        assert end.is_over
        assert (end.returns[first], end.returns[1 - first]) == (-1.0, 1.0)
        assert end.trace == ()


def test_j7_j8_play_out_makes_no_difference_for_two() -> None:
    for play_out in (True, False):
        end = at("japanese", "0,1+1/1,1+4 0", play_out=play_out).play(1)
        assert (str(end), end.returns) == ("0,0+2/1,1+4 - places=1,2", (1.0, -1.0))


def test_j1_every_seat_can_start_and_the_turn_goes_around() -> None:
    for players in (2, 3, 4):
        for first in range(players):
            start = variant(f"japanese:players={players}").start(first=first)
            assert [start.to_move, start.play(0).to_move] == [first, (first + 1) % players]


@pytest.mark.parametrize("players, pits", [(2, 6), (2, 7), (3, 6), (3, 4), (4, 6), (4, 4)])
def test_j2_what_a_table_offers_is_taken_as_it_is(players: int, pits: int) -> None:
    rules = variant(f"japanese:players={players},pits={pits},stones=3")
    assert table_rules(rules) == rules


@pytest.mark.parametrize("players, pits, stones, taken", [(2, 4, 4, (6, 4)), (3, 7, 3, (6, 3)), (4, 4, 5, (4, 4))])
def test_j2_what_a_table_does_not_offer_falls_back_with_a_warning(
    players: int, pits: int, stones: int, taken: tuple[int, int]
) -> None:
    with pytest.warns(UserWarning, match=r"a table for \d has"):
        rules = table_rules(variant(f"japanese:players={players},pits={pits},stones={stones}"))
    assert (rules.pits, rules.stones) == taken


# Oware

SLAM = "3,0,0,0,0,2+19/1,1,0,0,0,0+22 0"


@pytest.mark.parametrize(
    "rule, result, captured",
    [
        ("no_capture", "3,0,0,0,0,0+19/2,2,0,0,0,0+22 1", 0),
        ("allow", "0,0,0,0,0,0+26/0,0,0,0,0,0+22 -", 4),
        ("rest_to_opponent", "0,0,0,0,0,0+23/0,0,0,0,0,0+25 -", 4),
        ("leave_last", "3,0,0,0,0,0+21/0,2,0,0,0,0+22 1", 2),
        ("leave_first", "3,0,0,0,0,0+21/2,0,0,0,0,0+22 1", 2),
    ],
)
def test_o4_a_grand_slam_under_every_rule(rule: str, result: str, captured: int) -> None:
    check_line(at("oware", SLAM, grand_slam=rule), [(5, result, captured)])


def test_o4_illegal_only_if_there_is_another_move() -> None:
    assert at("oware", SLAM, grand_slam="illegal").legal_moves == (0,)
    alone = at("oware", "0,0,0,0,0,2+22/1,1,0,0,0,0+22 0", grand_slam="illegal")
    assert alone.legal_moves == (5,)
    check_line(alone, [(5, "0,0,0,0,0,0+26/0,0,0,0,0,0+22 -", 4)])


def test_o6_more_than_half_ends_the_game_and_half_does_not() -> None:
    check_line(at("oware", "0,0,0,0,2,1+23/1,0,4,0,0,0+17 0"), [(5, "0,0,0,0,0,0+27/0,0,0,0,0,0+21 -", 2)])
    check_line(at("oware", "0,0,0,0,2,1+22/1,0,4,0,0,0+18 0"), [(5, "0,0,0,0,2,0+24/0,0,4,0,0,0+18 1", 2)])


def test_j11_a_cap_leaves_the_places_taken_and_the_others_share_what_is_free() -> None:
    end = variant("japanese:players=3,pits=2,stones=1,max_plies=6").start()
    for pit in (1, 0, 0, 1, 0, 1):  # with the last one seat 0 finishes
        end = end.play(pit)
    assert (str(end), end.truncated) == ("x,x+x/0,2+0/0,1+1 - places=1,-,-", True)
    assert (end.ranking, end.returns) == ((1, 2, 2), (1.0, -0.5, -0.5))


def test_o6_a_cap_truncates_and_each_side_banks_its_own() -> None:
    one = variant("oware:max_plies=2").start().play(5)
    assert (one.is_over, one.truncated) == (False, False)
    two = one.play(5)
    assert (str(two), two.truncated) == ("0,0,0,0,0,0+24/0,0,0,0,0,0+24 -", True)
    assert two.returns == (0.0, 0.0)


def test_o6_an_end_by_the_rules_at_the_cap_is_no_truncation() -> None:
    end = at("oware", "0,0,0,0,2,1+23/1,0,4,0,0,0+17 0", max_plies=1).play(5)
    assert (end.is_over, end.truncated) == (True, False)


# Relay, and the games that need nothing but parameters


def test_avalanche_takes_up_every_occupied_pit_and_stops_in_an_empty_one() -> None:
    after = check_line(at("avalanche", "2,0,1+1/1,0,0+1 0"), [(0, "0,1,0+2/0,1,1+1 1", 0)])
    assert after.trace == (1, 2, 3, 4, 5, 6)


def test_avalanche_moves_again_when_the_last_lap_ends_in_the_store() -> None:
    after = check_line(at("avalanche", "1,1,0+2/1,0,0+1 0"), [(0, "0,0,1+3/1,0,0+1 0", 0)])
    assert (after.extra_turn, after.trace) == (True, (1, 2, 3))


def test_congkak_captures_across_after_the_last_lap() -> None:
    check_line(at("congkak", "1,1,1,0+4/5,0,0,1+3 0"), [(0, "0,0,2,0+10/0,0,0,1+3 1", 6)])
    check_line(at("congkak", "1,1,1,0+4/0,5,0,1+3 0"), [(0, "0,0,2,1+4/0,5,0,1+3 1", 0)])


def test_ayoayo_skips_the_origin_of_each_lap() -> None:
    after = check_line(at("ayoayo", "4,0+0/0,0+0 0"), [(0, "0,0+4/0,0+0 -", 3)])
    assert after.trace == (1, 3, 4, 1, 3, 4, 0, 1)


def test_ayoayo_with_the_capturing_seed_left_on_the_board() -> None:
    check_line(at("ayoayo", "1,0,1+3/0,3,1+3 0", lander="stays"), [(0, "0,1,1+6/0,0,1+3 1", 3)])


def test_relay_from_the_next_pit_ends_before_an_empty_one() -> None:
    before = at("ayoayo", "1,0,2+1/0,0,0+2 0", relay="next", feed=False, capture="none")
    check_line(before, [(0, "0,1,0+1/1,1,0+2 1", 0)])


def test_a_relay_that_would_never_end_stops_at_its_limit() -> None:
    after = at("ayoayo", "1+0/1+0 0", relay_limit=3).play(0)
    assert after.trace == (2, 0, 0, 2, 2)


def test_bohnenspiel_captures_two_four_and_six_on_either_side_backwards() -> None:
    check_line(at("bohnenspiel", "0,2,1+2/3,0,1+3 0"), [(1, "0,0,0+8/0,0,1+3 1", 6)])


def test_toguz_korgool_claims_a_pit_and_keeps_what_falls_into_it() -> None:
    line = [
        (2, "0,0,1+3/2,0,9+3 1 tuzdiks=1,-", 3),
        (0, "0,0,1+4/1,0,9+3 0 tuzdiks=1,-", 0),  # one stone goes back, the other falls into the claimed pit
        (2, "0,0,0+6/0,0,9+3 1 tuzdiks=1,-", 2),  # an even pit
        (2, "2,0,1+7/1,0,2+5 0 tuzdiks=1,-", 2),  # the last of nine makes pit 1 of seat 0 even
    ]
    check_line(at("toguz_korgool", "0,0,3+0/1,2,9+3 0"), line)


@pytest.mark.parametrize(
    "text, tuzdiks",
    [
        ("0,0,4+2/1,1,2+2 0", (None, None)),  # the opponent's last pit
        ("0,0,3+2/1,2,8+2 0 tuzdiks=-,1", (None, 1)),  # the number the rival has claimed
        ("0,0,3+2/0,2,9+2 0 tuzdiks=0,-", (0, None)),  # a second one
    ],
)
def test_toguz_korgool_claims_refused(text: str, tuzdiks: tuple[int | None, ...]) -> None:
    after = at("toguz_korgool", text).play(2)
    assert (after.tuzdiks, after.pits[1].count(3), after.play(2).tuzdiks) == (tuzdiks, 1, tuzdiks)


def test_toguz_korgool_is_decided_by_more_than_half() -> None:
    assert not at("toguz_korgool", "0,1,0+9/1,2,3+2 0").is_over
    assert at("toguz_korgool", "0,1,0+10/1,2,3+1 0").is_over


@pytest.mark.parametrize("name", VARIANTS)
def test_a_composed_start_is_played_by_the_rules_of_every_variant(name: str) -> None:
    rules = VARIANTS[name]
    board = np.tile([*range(1, rules.pits + 1), 0], rules.players)
    board[rules.pits] = rules.total - board.sum()
    text = "/".join(",".join(map(str, row[:-1])) + f"+{row[-1]}" for row in board.reshape(rules.players, -1))
    composed = rules.replace(start_position=text)
    assert composed.start() == Position.parse(f"{text} 0", composed)
    assert composed.start() != rules.start()
