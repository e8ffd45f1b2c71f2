import numpy as np
import pytest

from mancala_rl.arena import openings
from mancala_rl.errors import EvaluationError
from mancala_rl.rules import Rules, variant

KALAH = variant("kalah")
SMALL = variant("kalah:pits=2,stones=1")


def positions(rules: Rules, count: int, seed: int = 0, **options: int) -> list[str]:
    return [str(position) for position in openings(rules, count, seed, **options)]


def reachable(rules: Rules, plies: int) -> set[str]:
    """Every position up to `plies` moves from the start that is not over."""
    level = {rules.start()}
    found = set(level)
    for _ in range(plies):
        level = {p.play(a) for p in level for a in p.legal_moves}
        level = {p for p in level if not p.is_over}
        found |= level
    return {str(position) for position in found}


def test_openings_are_distinct_and_none_is_over():
    batch = openings(KALAH, 1000, seed=3)
    assert len(batch) == 1000
    assert len({str(position) for position in batch}) == 1000
    assert not batch.over.any()


def test_openings_are_zero_to_six_plies_deep():
    batch = openings(KALAH, 600, seed=1)
    assert set(batch.ply.tolist()) == set(range(7))
    assert (openings(KALAH, 20, seed=1, max_plies=2).ply <= 2).all()


def test_rules_may_be_a_spec_string():
    assert list(map(str, openings("kalah", 3))) == positions(KALAH, 3)


def test_one_opening_is_not_called_openings():
    with pytest.raises(EvaluationError, match=r"only 1 different opening of .* at most 1 pair,"):
        openings("kalah:pits=1,stones=1", 2)


def test_openings_depend_on_the_seed_alone():
    assert positions(KALAH, 50, seed=7) == positions(KALAH, 50, seed=7)
    assert positions(KALAH, 50, seed=7) != positions(KALAH, 50, seed=8)


def test_fewer_openings_are_the_first_of_more():
    assert positions(KALAH, 30, seed=2) == positions(KALAH, 900, seed=2)[:30]


def test_every_opening_can_be_reached_from_the_start():
    rules = variant("kalah:pits=3,stones=2")
    assert set(positions(rules, 25, max_plies=3)) <= reachable(rules, 3)


@pytest.mark.parametrize("spec", ["kalah:pits=2,stones=1", "kalah:pits=2,stones=2,pie=true", "kalah:pits=1,stones=2"])
def test_all_openings_of_a_small_board_can_be_had(spec):
    rules = variant(spec)
    every = reachable(rules, 6)
    assert set(positions(rules, len(every))) == every


def test_too_many_openings_are_refused_with_the_number_there_is():
    every = len(reachable(SMALL, 6))
    with pytest.raises(EvaluationError, match=rf"only {every} different openings.* at most {every} pairs"):
        openings(SMALL, every + 1)


def test_nearly_all_openings_are_found_though_rare_ones_are_seldom_drawn():
    rules = variant("kalah:pits=4,stones=3")
    every = reachable(rules, 6)
    count = len(every) - 5
    found = positions(rules, count, seed=9)
    assert len(set(found)) == count
    assert set(found) <= every


def test_random_starts_give_an_opening_of_its_own_each():
    rules = variant("kalah:start_position=random")
    batch = openings(rules, 500, seed=0)
    fresh = [position for position in batch if position.ply == 0]
    assert len(fresh) > 40
    assert len({position.pits for position in fresh}) == len(fresh)


def test_random_starts_of_a_small_board_are_counted_exactly():
    rules = variant("kalah:pits=2,stones=1,start_position=random")
    starts = {str(rules.start(seed=seed)) for seed in range(300)}
    assert len(starts) == 9  # 2 stones in 2 pits lie in 3 ways, for either seat
    assert set(positions(rules, 9, max_plies=0)) == starts
    with pytest.raises(EvaluationError, match="only 9 different"):
        openings(rules, 10, max_plies=0)


@pytest.mark.parametrize(
    "count, seed, plies, message",
    [
        (0, 0, 6, "0 pairs"),
        (-3, 0, 6, "-3 pairs"),
        (10**9, 0, 6, "1000000000 pairs"),
        (1, -1, 6, "seed -1"),
        (1, 2**32, 6, "seed 4294967296"),
        (1, 0, -1, "-1 plies"),
    ],
)
def test_numbers_out_of_range_are_refused(count, seed, plies, message):
    with pytest.raises(EvaluationError, match=message):
        openings(KALAH, count, seed, plies)


def test_the_length_of_openings_is_uniform_where_positions_do_not_repeat():
    rules = variant("kalah:pits=12,stones=20,start_position=random")
    plies = openings(rules, 2100, seed=4).ply
    assert np.bincount(plies, minlength=7) == pytest.approx(np.full(7, 300), abs=75)  # 4.7 standard deviations
