"""Series of games: points, starters, early stop, closing pits; beside the oracle's own way to play a match."""

import copy
import json
import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mancala_rl import Match, Position, Rules, variant
from mancala_rl.errors import BadInputError, IllegalMoveError, RulesError
from mancala_rl.rules.match import refilled
from tests import reference

THREE_COLLECTORS = Rules(name="collectors", players=3, pits=2, stones=2, capture="none")


def ended(match, scores):
    """A board of the match's rules that is over with these stores."""
    return Position(match.rules, [[0] * match.rules.pits] * match.rules.players, scores, None)


def after_sets(match, *sets):
    """The match after sets that ended with these stores."""
    for scores in sets:
        assert not match.is_over
        match = match.with_game(ended(match, scores), ())
    return match


def played_out(match, seed=0):
    """The match after random moves to its end."""
    rng = random.Random(seed)
    while not match.is_over:
        match = match.play(rng.choice(match.legal_moves))
    return match


WON, LOST, DRAWN = (30, 18), (18, 30), (24, 24)

# Points and the early stop, worked by hand


@pytest.mark.parametrize(
    "sets, points, winner",
    [
        ([WON], (1, 0), 0),
        ([LOST], (0, 1), 1),
        ([DRAWN], (0.5, 0.5), None),
    ],
    ids=str,
)
def test_a_match_of_one_set_is_that_set(sets, points, winner):
    match = after_sets(Match("mangala", games=1), *sets)
    assert match.is_over
    assert (match.points, match.winner) == (points, winner)


@pytest.mark.parametrize(
    "games, sets, points",
    [
        (3, [WON], (1, 0)),
        (3, [WON, DRAWN], (1.5, 0.5)),  # the third set can level the match
        (3, [DRAWN, DRAWN], (1, 1)),
        (5, [LOST, DRAWN, LOST], (0.5, 2.5)),  # two behind, two sets left
        (5, [WON, WON, LOST, DRAWN], (2.5, 1.5)),
    ],
    ids=str,
)
def test_a_match_goes_on_while_the_one_behind_can_still_draw_level(games, sets, points):
    match = after_sets(Match("mangala", games=games), *sets)
    assert not match.is_over
    assert match.points == points
    assert match.winner is match.ranking is None
    assert match.returns == (0, 0)
    assert match.game_number == len(sets) + 1


@pytest.mark.parametrize(
    "games, sets, winner",
    [
        (3, [WON, WON], 0),
        (3, [LOST, LOST], 1),
        (5, [WON, WON, WON], 0),
        (5, [LOST, DRAWN, LOST, DRAWN], 1),
        (3, [DRAWN, DRAWN, LOST], 1),
        (3, [WON, DRAWN, LOST], None),
        (3, [DRAWN, DRAWN, DRAWN], None),
    ],
    ids=str,
)
def test_a_match_stops_when_the_one_behind_cannot_draw_level_any_more(games, sets, winner):
    match = after_sets(Match("mangala", games=games), *sets)
    assert match.is_over
    assert match.winner == winner
    assert match.ranking == {0: (1, 2), 1: (2, 1), None: (1, 1)}[winner]
    assert match.returns == {0: (1, -1), 1: (-1, 1), None: (0, 0)}[winner]
    assert match.game_number == len(match.history) == len(sets)
    assert match.to_move is None
    assert match.legal_moves == ()


def test_play_all_plays_every_set():
    match = after_sets(Match("mangala", games=5, play_all=True), WON, WON, WON, LOST)
    assert not match.is_over
    match = after_sets(match, LOST)
    assert match.is_over
    assert (match.points, match.winner) == ((3, 2), 0)


def test_the_wins_count_and_not_the_stones():
    match = after_sets(Match("kalah"), (25, 23), (0, 48), (25, 23))
    assert match.winner == 0
    assert [game.scores for game in match.history] == [(25, 23), (0, 48), (25, 23)]


def test_players_who_share_the_first_place_share_the_point():
    match = after_sets(Match(THREE_COLLECTORS, games=4, play_all=True), (6, 6, 0), (4, 4, 4), (5, 4, 3))
    assert match.points == pytest.approx((1 / 2 + 1 / 3 + 1, 1 / 2 + 1 / 3, 1 / 3))
    match = after_sets(match, (0, 6, 6))
    assert match.points == pytest.approx((11 / 6, 8 / 6, 5 / 6))
    assert match.ranking == (1, 2, 3)
    assert match.returns == (1, 0, -1)


def test_three_thirds_are_exactly_one_win():
    match = after_sets(Match(THREE_COLLECTORS, games=4), (4, 4, 4), (4, 4, 4), (4, 4, 4))
    assert match.points == (1, 1, 1)
    assert after_sets(match, (6, 3, 3)).points == (2, 1, 1)


def test_players_with_equal_points_share_a_place():
    match = after_sets(Match(THREE_COLLECTORS, games=2), (6, 3, 3), (3, 6, 3))
    assert match.ranking == (1, 1, 3)
    assert match.returns == (0.5, 0.5, -1)
    assert match.winner is None


def test_a_leader_of_three_must_be_out_of_reach_of_the_second():
    match = after_sets(Match(THREE_COLLECTORS, games=4), (6, 3, 3), (6, 3, 3))
    assert not match.is_over  # 2-0-0, two games left
    assert after_sets(match, (4, 4, 4)).is_over


# Who starts


@pytest.mark.parametrize("spec, players", [("kalah", 2), ("japanese:players=3", 3), ("japanese:players=4", 4)])
@pytest.mark.parametrize("alternate", [True, False])
def test_the_start_rotates(spec, players, alternate):
    for first in range(players):
        match = played_out(Match(spec, games=5, first=first, alternate=alternate, play_all=True))
        expected = [reference.starter(game, first, players, alternate) for game in range(5)]
        assert [game.starter for game in match.history] == expected
        assert match.starter == expected[-1]


def test_the_next_game_starts_from_the_full_set_up():
    match = Match("japanese:players=3", games=3, first=2)
    assert match.position == match.rules.start(first=2)
    rng = random.Random(4)
    while not match.history:
        match = match.play(rng.choice(match.legal_moves))
    assert match.position == match.rules.start(first=0)
    assert (match.game_number, match.starter, match.to_move) == (2, 0, 0)
    assert sorted(match.points) == [0, 0, 1]
    assert match.points.index(1) == match.history[0].ranking.index(1)


def test_seats_that_cannot_start_are_refused():
    rules = variant("kalah:pits=2,stones=1,end_check=on_turn,start_position=2,0+0/0,0+2")
    assert Match(rules, alternate=False).to_move == 0
    with pytest.raises(RulesError, match="first=0, alternate=true: seat 1 would start"):
        Match(rules)
    with pytest.raises(RulesError, match="first=1, alternate=false: seat 1 would start"):
        Match(rules, first=1, alternate=False)
    assert Match(rules, games=1).to_move == 0


def test_random_boards_are_drawn_anew_for_every_game():
    spec = "kalah:start_position=random"
    one, two = (played_out(Match(spec, seed=seed, play_all=True)) for seed in (1, 2))
    assert one == played_out(Match(spec, seed=1, play_all=True))
    starts = {str(Match(spec, seed=seed).position).partition(" ")[0] for seed in range(5)}
    match = Match(spec, seed=0, play_all=True)
    while len(match.history) < 2:
        if not match.position.ply:
            starts.add(str(match.position).partition(" ")[0])
        match = match.play(match.legal_moves[0])
    assert len(starts) == 6
    assert one != two


# Closing pits (M15), worked by hand


@pytest.mark.parametrize(
    "spec, stores, board",
    [
        ("mangala", (24, 24), "4,4,4,4,4,4+0/4,4,4,4,4,4+0 0"),
        ("mangala", (29, 19), "4,4,4,4,4,4+5/x,x,4,4,4,4+3 0"),  # 19 stones fill four pits, three are left
        ("mangala", (23, 25), "x,4,4,4,4,4+3/4,4,4,4,4,4+1 0"),
        ("mangala", (16, 32), "x,x,4,4,4,4+0/4,4,4,4,4,4+8 0"),
        ("mangala", (44, 4), "4,4,4,4,4,4+20/x,x,x,x,x,4+0 0"),
        ("mangala", (7, 41), "x,x,x,x,x,4+3/4,4,4,4,4,4+17 0"),
        ("mangala", (45, 3), None),
        ("mangala", (0, 48), None),
        ("mangala:stones=3", (22, 14), "3,3,3,3,3,3+4/x,x,3,3,3,3+2 0"),
        ("mangala_official:pits=4,stones=5", (11, 29), "x,x,5,5+1/5,5,5,5+9 0"),
        ("kalah:pits=1,stones=2", (1, 3), None),
        ("kalah:pie=true", (20, 28), "x,4,4,4,4,4+0/4,4,4,4,4,4+4 0 pie=1"),
    ],
)
def test_m15_refilling(spec, stores, board):
    rules = variant(spec)
    assert refilled(rules, stores, 0) == (board and Position.parse(board, rules))


def test_m15_a_pit_that_was_closed_opens_again_when_it_can_be_filled():
    match = after_sets(Match("mangala", games=5, closing=True), (29, 19))
    assert str(match.position) == "4,4,4,4,4,4+5/x,x,4,4,4,4+3 1"
    match = after_sets(match, (26, 22))
    assert str(match.position) == "4,4,4,4,4,4+2/x,4,4,4,4,4+2 0"
    match = after_sets(match, (15, 33))
    assert str(match.position) == "x,x,x,4,4,4+3/4,4,4,4,4,4+9 1"
    assert match.points == (2, 1)


def test_m15_closed_pits_are_passed_over_and_not_captured_from():
    match = after_sets(Match("mangala", games=3, closing=True), (19, 29))
    assert str(match.position) == "x,x,4,4,4,4+3/4,4,4,4,4,4+5 1"
    assert match.legal_moves == (0, 1, 2, 3, 4, 5)
    match = match.play(5)  # one back, one into the treasure, then over the closed pits
    assert str(match.position) == "x,x,5,5,4,4+3/4,4,4,4,4,1+6 0"
    assert match.legal_moves == (2, 3, 4, 5)
    with pytest.raises(IllegalMoveError, match="legal moves: 2, 3, 4, 5"):
        match.play(0)


def test_m15_who_cannot_fill_one_pit_has_lost_the_match():
    match = after_sets(Match("mangala", games=5, closing=True), WON, WON, (3, 45))  # ahead by 2-1
    assert match.is_over
    assert match.unable == 0
    assert (match.points, match.winner, match.ranking, match.returns) == ((2, 1), 1, (2, 1), (-1, 1))
    assert (match.game_number, match.to_move, match.legal_moves) == (3, None, ())


def test_m15_the_points_decide_where_no_set_is_left_to_be_filled_for():
    match = after_sets(Match("mangala", games=3, closing=True, play_all=True), WON, WON, (3, 45))
    assert match.unable is None
    assert match.winner == 0
    match = after_sets(Match("mangala", games=3, closing=True), WON, (45, 3))
    assert (match.unable, match.winner, match.points) == (None, 0, (2, 0))


@pytest.mark.parametrize(
    "spec, message",
    [
        ("japanese", "closing=true needs goal=most, got goal=empty"),
        ("kalah:leftovers=unscored", "closing=true needs leftovers=owner or emptier, got leftovers=unscored"),
        ("mangala:stop_when_decided=true", "closing=true needs stop_when_decided=false, got true"),
        ("kalah:start_position=random", "closing=true needs start_position=uniform, got start_position=random"),
        ("oware:cycle_split=even", "closing=true needs cycle_split=own_side, got cycle_split=even"),
        (THREE_COLLECTORS, "closing=true needs players=2, got players=3"),
    ],
    ids=str,
)
def test_rules_that_cannot_close_pits_are_refused(spec, message):
    Match(spec)
    with pytest.raises(RulesError, match=message):
        Match(spec, closing=True)


# Beside the oracle


@given(st.integers(1, 8), st.integers(1, 6), st.data())
def test_refilling_agrees_with_the_oracle(pits, stones, data):
    rules = variant(f"mangala:pits={pits},stones={stones}")
    own, first = data.draw(st.integers(0, rules.total)), data.draw(st.integers(0, 1))
    stores = (own, rules.total - own)
    position = refilled(rules, stores, first)
    oracle = reference.refill(stores, reference.settings_of(f"mangala:pits={pits},stones={stones},first={first}"))
    if isinstance(oracle, int):
        assert position is None
        assert stores[1 - oracle] < stones
        return
    assert (position.pits, position.stores, position.to_move) == (oracle.pits, oracle.stores, oracle.turn)
    assert position.closed == tuple(sorted(oracle.closed))
    assert len({seat for seat, _ in position.closed}) <= 1
    assert sum(map(sum, position.pits)) + sum(position.stores) == rules.total


@given(st.lists(st.sampled_from([WON, LOST, DRAWN]), min_size=5), st.sampled_from([1, 3, 5]), st.booleans())
def test_points_and_the_end_of_a_match_agree_with_the_oracle(sets, games, play_all):
    match, scores = Match("mangala", games=games, play_all=play_all), []
    while not match.is_over:
        assert reference.match_winner(scores, games, play_all) is None
        scores.append(sets[len(scores)])
        match = after_sets(match, scores[-1])
        assert match.points == reference.match_points(scores)
    winner = reference.match_winner(scores, games, play_all)
    assert match.winner == (None if winner == "draw" else winner)
    assert (match.ranking == (1, 1)) == (winner == "draw")


def agrees(match, state):
    position = match.position
    assert (position.pits, position.stores, position.to_move) == (state.pits, state.stores, state.turn), match
    assert position.closed == tuple(sorted(state.closed))
    assert list(match.legal_moves) == reference.legal(state)


SPECS = st.builds(
    "{}:pits={},stones={}".format,
    st.sampled_from(["kalah", "mangala", "mangala_official"]),
    st.integers(1, 6),
    st.integers(1, 5),
)


@given(
    SPECS, st.sampled_from([1, 3, 5]), st.booleans(), st.booleans(), st.booleans(), st.randoms(use_true_random=False)
)
def test_whole_matches_agree_with_the_oracle(spec, games, alternate, play_all, closing, rng):
    first = rng.randrange(2)
    match = Match(spec, games=games, first=first, alternate=alternate, play_all=play_all, closing=closing)
    settings, scores = reference.settings_of(spec), []
    state = reference.start(settings._replace(first=first))
    while True:
        agrees(match, state)
        move = rng.choice(match.legal_moves)
        match, state = match.play(move), reference.play(state, move)
        if not state.over:
            continue
        scores.append(state.scores)
        assert [game.scores for game in match.history] == scores
        winner = reference.match_winner(scores, games, play_all)
        if winner is not None:
            assert match.winner == (None if winner == "draw" else winner)
            break
        following = settings._replace(first=reference.starter(len(scores), first, 2, alternate))
        refilled_state = reference.refill(state.scores, following) if closing else reference.start(following)
        if isinstance(refilled_state, int):
            assert match.winner == refilled_state
            break
        state = refilled_state
    assert match.is_over
    assert match.position.stores == scores[-1]


@pytest.mark.parametrize("spec", ["oware", "congkak:pits=4,stones=4", "ayoayo", "bohnenspiel", "avalanche"])
def test_other_games_of_the_family_close_pits_and_lose_no_stone(spec):
    rng, match, closed = random.Random(3), Match(spec, games=9, closing=True, play_all=True), set()
    while not match.is_over:
        position = match.position
        closed.add(position.closed)
        assert sum(map(sum, position.pits)) + sum(position.stores) == match.rules.total
        assert not any(position.pits[seat][pit] for seat, pit in position.closed)
        match = match.play(rng.choice(match.legal_moves))
    assert len(closed) > 1
    assert all(sum(game.scores) == match.rules.total for game in match.history)


# A value like any other


@pytest.mark.parametrize(
    "options, message",
    [
        ({"games": 2}, r"games=2: a match for two takes an odd number of games \(sets\), such as 1 or 3; Mangala"),
        ({"games": 4}, "such as 3 or 5; Mangala is played over 1, 3 or 5"),
        ({"games": 0}, "games=0: expected at least 1"),
        ({"games": -3}, "games=-3: expected at least 1"),
        ({"games": True}, "games=True: expected a whole number, got bool"),
        ({"games": 3.0}, "games=3.0: expected a whole number, got float"),
        ({"games": "3"}, "games='3': expected a whole number, got str"),
        ({"first": 2}, "first=2: expected a whole number from 0 to 1"),
        ({"first": "random"}, "first='random': expected a whole number"),
        ({"seed": -1}, "seed=-1: expected a whole number from 0 to 4294967295"),
        ({"alternate": 1}, "alternate=1: expected true or false"),
        ({"play_all": None}, "play_all=None: expected true or false"),
        ({"closing": "yes"}, "closing='yes': expected true or false"),
    ],
    ids=str,
)
def test_a_wrong_option_is_named(options, message):
    with pytest.raises(RulesError, match=message):
        Match("mangala", **options)


def test_unknown_rules_are_named():
    with pytest.raises(RulesError, match="unknown variant 'mangla'"):
        Match("mangla")


def test_a_match_for_three_or_four_takes_any_number_of_games():
    assert Match("japanese:players=4", games=4).games == 4


def test_a_match_does_not_change():
    match = Match("mangala")
    after = match.play(0)
    assert match.position == match.rules.start()
    assert match != after
    with pytest.raises(AttributeError):
        match.games = 5


def test_matches_are_equal_however_they_were_reached():
    one = Match("kalah:pits=2,stones=2").play(0).play(1)
    assert one == copy.deepcopy(one) == pickle.loads(pickle.dumps(one))
    assert hash(one) == hash(pickle.loads(pickle.dumps(one)))
    assert Match("kalah") != Match("kalah", games=5)
    assert Match("kalah") != Match("mangala")
    assert after_sets(Match("kalah"), WON) != after_sets(Match("kalah"), LOST)
    assert after_sets(Match("kalah"), WON) == Match("kalah").with_game(ended(Match("kalah"), WON), (1, 2, 3))


@pytest.mark.parametrize(
    "spec, options",
    [
        ("mangala", {"games": 5, "closing": True}),
        ("japanese:players=3,resign=true", {"games": 4, "play_all": True, "first": 1}),
        ("oware:start_position=random", {"seed": 7, "alternate": False}),
    ],
    ids=str,
)
def test_a_match_goes_through_json_at_any_time(spec, options):
    match, rng = Match(spec, **options), random.Random(2)
    while not match.is_over:
        match = match.play(rng.choice(match.legal_moves))
        if not rng.randrange(20):
            assert Match.from_dict(json.loads(json.dumps(match.to_dict()))) == match
    other = Match.from_dict(json.loads(json.dumps(match.to_dict())))
    assert other == match
    assert other.moves == match.moves
    assert [game.moves for game in other.history] == [game.moves for game in match.history]
    assert sum(len(game.moves) for game in match.history) == len(match.moves)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"games": 2}, "games=2"),
        ({"moves": [9]}, "move 9 is illegal"),
        ({"moves": [0.5]}, "expected a pit number"),
        ({"moves": 3}, "a list of moves"),
        ({"rules": "mangala"}, "a record as rules"),
        ({"rules": {"name": "mangala", "pits": 0}}, "pits=0"),
        ({"sets": 3}, "expected a match with the keys rules, games"),
    ],
    ids=str,
)
def test_what_is_no_match_is_refused(change, message):
    with pytest.raises(BadInputError, match=message):
        Match.from_dict({**Match("mangala").to_dict(), **change})
    with pytest.raises(BadInputError, match="got NoneType"):
        Match.from_dict(None)


def test_moves_after_the_end_are_refused():
    match = played_out(Match("kalah:pits=2,stones=2"))
    with pytest.raises(IllegalMoveError, match="over"):
        match.play(0)
    with pytest.raises(IllegalMoveError, match="over"):
        Match.from_dict({**match.to_dict(), "moves": [*match.moves, 0]})


def test_a_game_may_be_played_elsewhere():
    match = Match("mangala").play(0)
    position = match.position.play(2)
    assert match.with_game(position, (0, 2)) == match.play(2)
    assert match.with_game(position, (0, 2)).moves == (0, 2)
    with pytest.raises(RulesError, match="of kalah: expected a running match of mangala"):
        match.with_game(variant("kalah").start(), ())
    over = after_sets(match, WON, WON)
    with pytest.raises(RulesError, match="expected a running match of mangala"):
        over.with_game(position, ())


def test_the_text_tells_the_score():
    match = after_sets(Match("mangala", games=5), WON, DRAWN)
    assert str(match) == "game 3 of 5, points 1.5-0.5: 4,4,4,4,4,4+0/4,4,4,4,4,4+0 0"
    assert repr(match) == f"<Match mangala: {match}>"
    assert str(after_sets(match, WON, WON)) == "won by seat 0 after 4 of 5 games, points 3.5-0.5"
    assert str(after_sets(Match("mangala", games=1), DRAWN)) == "drawn after 1 of 1 games, points 0.5-0.5"
