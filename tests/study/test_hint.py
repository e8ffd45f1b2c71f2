"""Hints: the best move is best, and every reason is a fact by the oracle's rules."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mancala_rl
from mancala_rl import Position, variant
from mancala_rl.errors import BadInputError
from mancala_rl.study.appraisal import is_within_reach
from mancala_rl.study.hint import Hint, hint
from mancala_rl.study.reasons import Reason
from tests import reference
from tests.cases import at
from tests.reference import State
from tests.search.plain import plain_maxn_values, plain_values, random_positions, some_positions
from tests.solver.plain import boards, packed_rules, position_with, values_of
from tests.study.plain import gains_of_end, losses, passed, pits
from tests.twins import draw_custom, position_of, state_from

Check = Callable[[Hint, Reason, State, State], None]


def other(state: State) -> int:
    assert state.turn is not None
    return 1 - state.turn


def by_kind(found: Hint, kind: str) -> Reason:
    (reason,) = [reason for reason in found.reasons if reason.kind == kind]
    return reason


# One check a kind; `before` and `after` are the oracle's states around the move.


def only_move(found: Hint, reason: Reason, before: State, after: State) -> None:
    assert pits(before) == [found.move] and not found.alternatives


def swap(found: Hint, reason: Reason, before: State, after: State) -> None:
    assert before.swapper == before.turn and found.move == before.settings.pits


def finish(found: Hint, reason: Reason, before: State, after: State) -> None:
    assert before.turn is not None and after.places[before.turn] == reason.amount


def end(found: Hint, reason: Reason, before: State, after: State) -> None:
    assert before.turn is not None and after.over
    assert reason.amount == gains_of_end(before, found.move)[before.turn]


def extra_turn(found: Hint, reason: Reason, before: State, after: State) -> None:
    assert after.extra and not after.over and before.turn is not None
    state = after
    for move in reason.moves:
        assert state.turn == before.turn
        state = reference.play(state, move)
    if before.settings.goal == "most":
        assert reason.amount == state.stores[before.turn] - before.stores[before.turn]


def tuzdik(found: Hint, reason: Reason, before: State, after: State) -> None:
    assert before.turn is not None
    assert (before.tuzdiks or (None, None))[before.turn] is None
    assert after.tuzdiks[before.turn] == reason.amount


def capture(found: Hint, reason: Reason, before: State, after: State) -> None:
    assert reason.amount == after.captured > 0


def feed(found: Hint, reason: Reason, before: State, after: State) -> None:
    assert before.settings.feed and not any(before.pits[other(before)])
    assert reason.amount == sum(after.pits[other(before)])


def protect(found: Hint, reason: Reason, before: State, after: State) -> None:
    assert after.turn == other(before)
    had, has = losses(passed(before)), losses(after)
    assert reason.amount == max(had.values()) - max(has.values(), default=0) > 0
    assert had[reason.moves[0]] == max(had.values())


def no_extra_turn(found: Hint, reason: Reason, before: State, after: State) -> None:
    assert after.turn == other(before)
    had, has = ([m for m in pits(state) if reference.play(state, m).extra] for state in (passed(before), after))
    assert list(reason.moves) == had and reason.amount == len(had) > 0
    assert has == []


def no_end(found: Hint, reason: Reason, before: State, after: State) -> None:
    (move,) = reason.moves
    assert reference.play(before, move).over and not after.over
    assert reason.amount == gains_of_end(before, move)[other(before)] > 0
    assert dict(found.alternatives)[move] < found.value


def win(found: Hint, reason: Reason, before: State, after: State) -> None:
    assert found.value > 0
    race = before.settings.goal == "empty"
    assert reason.amount == found.value - race * position_of(before).rules.total
    assert found.exact or race


def draw(found: Hint, reason: Reason, before: State, after: State) -> None:
    assert found.value == reason.amount == 0 and found.exact


def loss(found: Hint, reason: Reason, before: State, after: State) -> None:
    race = before.settings.goal == "empty"
    assert reason.amount == -found.value - race * position_of(before).rules.total
    assert found.exact or race


def outlook(found: Hint, reason: Reason, before: State, after: State) -> None:
    assert reason.amount == found.value and not found.exact


def only_win(found: Hint, reason: Reason, before: State, after: State) -> None:
    assert found.exact and found.value > 0
    assert found.alternatives and all(value <= 0 for _, value in found.alternatives)


def only_draw(found: Hint, reason: Reason, before: State, after: State) -> None:
    assert found.exact and found.value >= 0
    assert found.alternatives and all(value < 0 for _, value in found.alternatives)


def better(found: Hint, reason: Reason, before: State, after: State) -> None:
    ((move, value), *_) = found.alternatives
    assert reason.moves == (move,) and value < found.value
    assert reason.amount in (None, found.value - value)


def equal(found: Hint, reason: Reason, before: State, after: State) -> None:
    assert reason.moves == tuple(move for move, value in enumerate(found.values) if value == found.value)[1:]


CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        *(only_move, swap, finish, end, extra_turn, tuzdik, capture, feed, protect, no_extra_turn, no_end),
        *(win, draw, loss, outlook, only_win, only_draw, better, equal),
    )
}


def check(found: Hint, before: State) -> None:
    """Every reason of a hint holds, and what has to be told is told."""
    moves = [move for move in reference.legal(before) if not (before.settings.resign and move == before.settings.pits)]
    assert [move for move, value in enumerate(found.values) if value is not None] == moves
    assert found.value == found.values[found.move] == max(value for value in found.values if value is not None)
    assert found.values.index(found.value) == found.move
    assert sorted([found.move, *dict(found.alternatives)]) == moves
    assert [value for _, value in found.alternatives] == sorted(dict(found.alternatives).values(), reverse=True)
    after = reference.play(before, found.move)
    for reason in found.reasons:
        CHECKS[reason.kind](found, reason, before, after)
    assert kinds_due(found, before, after) <= {reason.kind for reason in found.reasons}
    assert len({reason.kind for reason in found.reasons}) == len(found.reasons)
    text = str(found)
    assert text.endswith(".") and text.count(".") == 1 and "  " not in text


def kinds_due(found: Hint, before: State, after: State) -> set[str]:
    """The kinds that a hint must not leave out."""
    due = set()
    if not found.alternatives:
        due.add("only_move")
    if found.move == before.settings.pits:
        return due
    if after.captured:
        due.add("capture")
    if after.extra and not after.over:
        due.add("extra_turn")
    if after.over and before.settings.goal == "most":
        due.add("end")
    if before.settings.players > 2 or before.settings.goal == "empty" or after.turn != other(before):
        return due
    had, has = losses(passed(before)), losses(after)
    if max(had.values(), default=0) > max(has.values(), default=0):
        due.add("protect")
    return due


@settings(max_examples=300)
@given(draw_custom(), st.integers(1, 3))
def test_every_reason_is_a_fact_under_any_rules(state: State, depth: int) -> None:
    position = position_of(state)
    if not position.is_over:
        check(hint(position, depth=depth), state)


@given(st.data())
def test_close_to_the_end_values_are_exact(data: st.DataObject) -> None:
    rules = data.draw(packed_rules(st.integers(1, 4)))
    rows = data.draw(boards(rules.pits, 9))
    position = position_with(rules, rows, data.draw(st.integers(0, 1)), data.draw(st.integers(0, 4)))
    if position.is_over:
        return
    found = hint(position)
    assert found.exact and found.depth is None
    assert {move: value for move, value in enumerate(found.values) if value is not None} == values_of(position)
    check(found, state_from(position))


@pytest.mark.parametrize("spec", ["kalah", "mangala_official", "kalah:pits=4,stones=3,pie=true", "oware", "japanese"])
def test_a_search_gives_the_values_of_plain_minimax(spec: str) -> None:
    for position in random_positions(spec, 8):
        found = hint(position, depth=3)
        assert (found.exact, found.depth) == (False, 3)
        assert found.values == plain_values(position, 3)


@pytest.mark.parametrize("players", [3, 4])
def test_three_and_four_players_are_searched_by_max_n(players: int) -> None:
    for position in some_positions(variant(f"japanese:players={players},pits=3,stones=2"), 6):
        found = hint(position, depth=3)
        assert found.values == plain_maxn_values(position, 3)
        check(found, state_from(position))


def test_a_run_of_extra_turns_is_best_play() -> None:
    """What the values of a run promise is what its first move was said to be worth."""
    runs = 0
    for position in random_positions("kalah:pits=3,stones=2", 60, plies=6):
        found = hint(position)
        if found.exact and found.position.play(found.move).extra_turn:
            run, seat = position.play(found.move), position.to_move
            for move in by_kind(found, "extra_turn").moves:
                assert values_of(run)[move] == found.value
                run = run.play(move)
            assert run.to_move != seat
            runs += 1
    assert runs > 5


@pytest.mark.parametrize("spec", ["kalah", "japanese", "mangala"])
def test_so_is_one_that_a_search_has_found(spec: str) -> None:
    runs = 0
    for position in random_positions(spec, 30):
        found = hint(position, depth=4)
        after = position.play(found.move)
        if after.extra_turn and not after.is_over:
            for depth, move in enumerate(by_kind(found, "extra_turn").moves):
                assert plain_values(after, 3 - depth)[move] == found.value
                after = after.play(move)
            runs += 1
    assert runs > 5


def test_neither_time_nor_chance_decides() -> None:
    for position in random_positions("kalah", 3):
        first, again = hint(position, nodes=5_000), hint(position, nodes=5_000)
        assert first == again and first.depth is not None and not first.exact


def test_within_reach_is_what_the_solver_takes_and_is_small() -> None:
    assert is_within_reach(at("kalah", "1,1,1,1,1,1+18/1,1,1,1,1,1+18 0"))
    assert not is_within_reach(variant("kalah").start())
    assert not is_within_reach(at("oware", "1,1,1,1,1,1+18/1,1,1,1,1,1+18 0"))
    assert not is_within_reach(variant("japanese:players=3,pits=1,stones=1").start())


# Sentences, one for each kind that positions by hand can show.

SENTENCES = [
    (
        "kalah 0,0,0,0,0,1+22/0,0,0,0,8,0+17 0",
        "Pit 5 is the only legal move; ends the game; loses by 2 with best play.",
    ),
    (
        "kalah 2,2,2,2,2,2+0/2,2,2,2,0,3+1 1",
        "Pit 2 captures 3 stones; wins by 6 with best play; is the only move that wins; is 6 stones better than 5, "
        "the next best.",
    ),
    ("kalah 1,0,0,1,1,1+7/0,0,4,1,0,2+6 0", "Pit 3 draws with best play; is as good as 5."),
    (
        "kalah 0,1,5,0,0,0+3/0,2,4,6,0,0+3 0",
        "Pit 2 draws with best play; is the only move that does not lose; is 10 stones better than 1, the next best.",
    ),
    (
        "kalah 0,0,0,0,2,1+20/0,0,7,0,0,0+18 0",
        "Pit 5 moves again and goes on with 4 and 5, 3 stones into its store in all; loses by 2 with best play; "
        "is 2 stones better than 4, the next best.",
    ),
    (
        "mangala_official 0,0,0,0,1,0+18/2,3,0,1,0,12+11 0",
        "Pit 4 is the only legal move; ends the game and takes the 16 left in the pits; captures 3 stones; "
        "wins by 26 with best play.",
    ),
    (
        "mangala_official 4,4,4,4,4,4+0/4,4,4,0,6,5+1 0 depth=4",
        "Pit 4 saves 4 stones from seat 1, which threatened to capture with 0; leads by 4 stones after 4 plies of best "
        "play; is as good as 5.",
    ),
    (
        "mangala_official 1,0,5,0,0,0+20/0,0,0,0,1,0+21 0",
        "Pit 2 moves again and goes on with 5 and 0, 4 stones into its store in all; does not end the game as 0 would, "
        "which leaves 5 stones to seat 1; draws with best play; is the only move that does not lose; is 4 stones "
        "better than 0, the next best.",
    ),
    (
        "kalah 2,0,2,7,1,8+3/6,5,0,1,3,7+3 0 depth=4",
        "Pit 3 leaves seat 1 without an extra turn, which it had with 0 and 1; is level after 4 plies of best play; "
        "is as good as 5.",
    ),
    (
        "oware 1,0,0,0,2,1+22/0,0,0,0,0,0+22 0 depth=3",
        "Pit 4 brings 1 stone to seat 1, which has none, as the rules demand; leads by 2 stones after 3 plies of best "
        "play; is 2 stones better than 5, the next best.",
    ),
    (
        "japanese 2,2,2+0/0,1,4+1 0",
        "Pit 0 wins with best play, with 3 stones left to seat 1; is the only move that wins; is better than 1, the "
        "next best.",
    ),
    (
        "japanese 4,4,4,4,4,4+0/4,4,4,4,4,4+0 0 depth=4",
        "Pit 3 has 2 stones fewer left than seat 1 after 4 plies of best play; is as good as 5.",
    ),
    (
        "japanese 0,0,1+5/2,2,2+0/2,2,2+0 0 depth=4",
        "Pit 2 is the only legal move; finishes 1st; comes out best within 4 plies if every seat plays for itself.",
    ),
    (
        "toguz_korgool 2,2,1,2,2,17,5,6,5+30/7,5,2,9,2,5,8,1,21+30 1 depth=3",
        "Pit 5 makes pit 0 of seat 0 its tuzdik; captures 3 stones; leads by 6 stones after 3 plies of best play; is 2 "
        "stones better than 0, the next best.",
    ),
]


@pytest.mark.parametrize("case, sentence", SENTENCES, ids=[case for case, _ in SENTENCES])
def test_sentences(case: str, sentence: str) -> None:
    text, _, depth = case.partition(" depth=")
    name, _, board = text.partition(" ")
    assert str(hint(at(name, board), depth=int(depth) if depth else None)) == sentence


def test_an_equal_move_that_ends_the_game_is_no_reason_against_it() -> None:
    found = hint(at("kalah", "0,2,0,0,0,0+33/0,2,0,1,0,0+10 1", leftovers="emptier"))
    assert found.position.play(3).is_over
    assert str(found) == "Pit 1 loses by 22 with best play; is as good as 3."


def test_the_swap_is_named() -> None:
    found = hint(Position.parse("1,1,2+5/2,1,0+0 1 pie=1", "kalah:pits=3,stones=2,pie=true"))
    assert found.move == 3
    assert str(found).startswith("The swap takes over the side of seat 0; ")


def test_giving_up_is_never_advised() -> None:
    lost = "0,0,1+7/1,3,0+0 1"
    found, without = (hint(Position.parse(lost, f"japanese:pits=3,stones=2{more}")) for more in (",resign=true", ""))
    assert found.value == without.value < 0
    assert (str(found), found.alternatives) == (str(without), without.alternatives)
    assert found.values == (*without.values, None)
    assert found.position.legal_moves == (0, 1, 3)


def test_a_hint_is_a_public_name_and_can_be_written_down() -> None:
    found = mancala_rl.hint(at("kalah", "0,2,0,0,2,3+20/2,4,0,1,0,0+14 0"))
    data = json.loads(json.dumps(found.to_dict()))
    assert data["move"] == 1 and data["exact"] is True and data["depth"] is None
    assert data["text"] == str(found)
    assert [reason["kind"] for reason in data["reasons"]] == [reason.kind for reason in found.reasons]
    assert pickle.loads(pickle.dumps(found)) == found


def test_a_game_that_is_over_has_no_hint() -> None:
    over = Position(variant("kalah"), ((0,) * 6, (0,) * 6), (24, 24), None)
    with pytest.raises(BadInputError, match="the game is over; give a position with a player to move"):
        hint(over)


@pytest.mark.parametrize("limit", [{"depth": 0}, {"depth": 1001}, {"depth": True}, {"nodes": 0}])
def test_limits_that_cannot_be_are_refused(limit: dict[str, int]) -> None:
    with pytest.raises(BadInputError, match=next(iter(limit))):
        hint(variant("kalah").start(), **limit)


def test_what_is_no_position_is_refused() -> None:
    with pytest.raises(BadInputError, match=r"hint for 'kalah': expected a Position, as variant\('kalah'\)"):
        hint("kalah")  # type: ignore[arg-type]
