"""Places, rewards, margins and forfeits in the kernel, against the definitions worked out with fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mancala_rl import Batch, Position, Rules, variant
from mancala_rl.kernel import layout, margin_range, merit_range, score, share_forfeit, worth_range
from mancala_rl.rules import scoring

players = st.integers(2, 4)


def places(points):
    """The place of each: 1 + how many have more."""
    return [1 + sum(other > own for other in points) for own in points]


def worth(points):
    """Place k of P is worth 1 - 2(k - 1)/(P - 1); who shares places shares the mean of what they are worth (J11)."""
    count, shared = len(points), places(points)
    values = []
    for place in shared:
        taken = [place + i for i in range(shared.count(place))]
        values.append(sum(1 - Fraction(2 * (k - 1), count - 1) for k in taken) / len(taken))
    return values


@given(st.data(), players)
def test_rewards_are_the_mean_of_the_places_shared(data, count):
    points = data.draw(st.lists(st.integers(-4, 4), min_size=count, max_size=count))
    values = np.empty((2, count))
    rows = np.array([[9] * count, points], np.int64)
    worth_range(1, 2, rows, values[:])
    assert values[1].tolist() == [float(value) for value in worth(points)]
    assert sum(worth(points)) == 0
    assert scoring.worth_of(rows)[1].tolist() == values[1].tolist()
    assert scoring.worth_of(rows)[0].tolist() == [0.0] * count
    assert scoring.places_of(rows)[1].tolist() == places(points)


def test_a_range_is_all_that_is_written():
    values = np.full((4, 2), 7.0)
    worth_range(1, 3, np.zeros((4, 2), np.int64), values)
    assert values.tolist() == [[7, 7], [0, 0], [0, 0], [7, 7]]
    rules = variant("kalah")
    points = np.full((4, 2), 7)
    merit_range(1, 3, rules.batch(4).rows, points, rules.array)
    assert points.tolist() == [[7, 7], [0, 0], [0, 0], [7, 7]]
    margins = np.full((4, 2), 7.0)
    margin_range(1, 3, rules.batch(4).rows, margins, rules.array)
    assert margins.tolist() == [[7, 7], [0, 0], [0, 0], [7, 7]]


@given(st.data(), players)
def test_who_has_no_place_stands_behind_those_who_finished_and_before_those_who_gave_up(data, count):
    """Places 1, 2, ... are taken by finishing and P, P-1, ... by giving up."""
    finished = data.draw(st.integers(0, count))
    resigned = data.draw(st.integers(0, count - finished))
    seats = data.draw(st.permutations(range(count)))
    own = dict.fromkeys(range(count), 0)
    own.update({seat: place for place, seat in enumerate(seats[:finished], start=1)})
    own.update({seat: count - n for n, seat in enumerate(seats[finished : finished + resigned])})
    rules = Rules(name="race", players=count, pits=2, stones=1, goal="empty", sow_stores="all", capture="none")
    rows = rules.batch(1).rows
    rows[0, rules.num_cells + layout.PLACES :][:count] = [own[seat] for seat in range(count)]
    points = scoring.merits(rows, rules)[0].tolist()
    for one in range(count):
        for other in range(count):
            expected = (own[one] or finished + 1, own[other] or finished + 1)
            assert (points[one] > points[other]) == (expected[0] < expected[1])
    waiting = [points[seat] for seat in range(count) if not own[seat]]
    assert len(set(waiting)) <= 1
    assert scoring.worth_by_rank(rows, rules)[0].tolist() == pytest.approx([float(v) for v in worth(points)])


def test_scores_are_the_stones_in_stores_and_nothing_for_who_is_lifted():
    rules = variant("japanese:players=3,pits=2,stones=2")
    position = Position.parse("1,1+2/x,x+x/2,0+1 2 places=-,1,-", rules)
    row = position.row[None]
    assert [score(row, 0, seat, rules.array) for seat in range(3)] == [2, 0, 1]
    assert scoring.scores(row, rules).tolist() == [[2, 0, 1]]


@given(st.data(), players)
def test_margins_are_the_lead_over_the_mean_of_the_others(data, count):
    rules = Rules(name="stores", players=count, pits=2, stones=3, sow_stores="own", extra_turn="none", capture="none")
    stores = data.draw(st.lists(st.integers(0, 30), min_size=count, max_size=count))
    rows = rules.batch(1).rows
    rows[0, rules.pits : rules.num_cells : rules.pits + 1] = stores
    values = np.empty((1, count))
    margin_range(0, 1, rows, values, rules.array)
    total, everybody = count * 6, sum(stores)
    expected = [(own - Fraction(everybody - own, count - 1)) / total for own in stores]
    assert values[0].tolist() == pytest.approx([float(value) for value in expected])
    assert sum(expected) == 0


@given(st.data(), players)
def test_a_forfeit_makes_the_rewards_of_a_game_add_up_to_nothing(data, count):
    loser = data.draw(st.integers(0, count - 1))
    others = data.draw(st.sets(st.sampled_from([s for s in range(count) if s != loser]), max_size=count - 2))
    paid = {seat: data.draw(st.sampled_from([1.0, 1 / 3, 0.0, -1 / 3, -1.0])) for seat in sorted(others)}
    values = np.full((2, count), 5.0)
    for seat in range(count):
        values[1, seat] = paid.get(seat, 99.0)
    playing = sum(1 << seat for seat in range(count) if seat not in paid)
    share_forfeit(values, 1, loser, playing, count)
    assert values[0].tolist() == [5.0] * count
    assert values[1, loser] == -1
    assert all(values[1, seat] == value for seat, value in paid.items())
    assert values[1].sum() == pytest.approx(0)
    rest = [values[1, seat] for seat in range(count) if seat != loser and seat not in paid]
    assert len(set(rest)) == 1


@pytest.mark.parametrize("spec", ["kalah:pits=2,stones=2", "oware:pits=2,stones=2", "japanese:pits=2,stones=2"])
def test_a_whole_game_is_ranked_by_what_its_last_position_says(spec):
    rules, rng = variant(spec), np.random.default_rng(0)
    for _ in range(20):
        position = rules.start()
        while not position.is_over:
            assert scoring.returns(position.row[None], rules).tolist() == [[0.0, 0.0]]
            position = position.play(int(rng.choice(position.legal_moves)))
        points = position.scores
        if rules.goal == "empty":
            points = tuple(-place for place in position.places)
        assert scoring.returns(position.row[None], rules)[0].tolist() == [float(value) for value in worth(points)]
        assert scoring.ranking(position.row[None], rules)[0].tolist() == places(points)
        assert Batch.of([position]).returns[0].tolist() == list(position.returns)
