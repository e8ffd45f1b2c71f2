"""Random rules: every record can come, each is a game that can be played, and the draw is reproducible."""

import collections
import dataclasses
import itertools
import random

import numpy as np
import pytest

from mancala_rl import Rules, variant
from mancala_rl.errors import RulesError
from mancala_rl.rules.record import WORDS
from mancala_rl.rules.sample import clauses, sample


def draw(seed: int, **fields) -> Rules:
    return Rules.sample(np.random.default_rng(seed), **fields)


def test_the_same_state_of_the_generator_gives_the_same_rules() -> None:
    first, again = ([Rules.sample(rng) for _ in range(5)] for rng in (np.random.default_rng(7) for _ in range(2)))
    assert first == again
    assert len({rules.hash for rules in first}) == 5


def test_every_value_of_every_field_comes() -> None:
    drawn = [draw(seed, pits=(1, 3), stones=(1, 3)) for seed in range(600)]
    for field in dataclasses.fields(Rules):
        values = {getattr(rules, field.name) for rules in drawn}
        if field.name in WORDS:
            assert values == set(WORDS[field.name])
        elif field.type is bool:
            assert values == {False, True}
    assert {rules.players for rules in drawn} == {2, 3, 4}
    assert {rules.repetition for rules in drawn} == {0, 2, 3}
    assert {rules.pits for rules in drawn} == {rules.stones for rules in drawn} == {1, 2, 3}
    assert {"uniform", "random"} < {rules.start_position for rules in drawn}
    assert any("x" in rules.start_position for rules in drawn)
    assert len({rules.chain for rules in drawn}) > 40


def test_no_record_is_drawn_for_ever() -> None:
    counts = collections.Counter(draw(seed, pits=2, stones=2).hash for seed in range(200))
    assert max(counts.values()) <= 12


def mutations(rules: Rules) -> list[dict[str, object]]:
    """The fields of a record with one or two of them changed, whether that makes a record or not."""
    values = {key: list(words) for key, words in WORDS.items()}
    values |= {field.name: [False, True] for field in dataclasses.fields(Rules) if field.type is bool}
    values |= {"players": [2, 3, 4], "relay_limit": [0, 3], "max_plies": [0, 9], "repetition": [0, 2]}
    values |= {"chain": ["none", "2,3"]}
    singles = [{key: value} for key, options in values.items() for value in options]
    pairs = [one | other for one, other in itertools.combinations(singles, 2) if one.keys() != other.keys()]
    data = rules.to_dict() | {"start_position": "uniform"}
    return [data | change for change in singles + random.Random(0).sample(pairs, 150)]


def can_be(data: dict[str, object]) -> bool:
    try:
        return Rules.from_dict(data).is_finite
    except RulesError:
        return False


def test_the_clauses_allow_exactly_the_records_that_can_be() -> None:
    """The sampler draws from all assignments that satisfy its clauses: exactly the finite records do."""
    verdicts = set()
    rules = list(clauses(finite=True))
    for seed in range(12):
        for data in mutations(draw(seed, pits=2, stones=1)):
            allowed = all(any(literal.holds(data[literal.field]) for literal in clause) for clause in rules)
            assert allowed == can_be(data), data
            verdicts.add(allowed)
    assert verdicts == {False, True}


@pytest.mark.parametrize("seed", range(60))
def test_a_game_of_drawn_rules_can_be_played(seed: int) -> None:
    rules = draw(seed, pits=(1, 4), stones=(1, 3))
    position, rng = rules.start(seed=seed), random.Random(seed)
    assert rules.is_finite
    assert not position.is_over
    assert len(position.legal_moves) > 0
    for _ in range(80):
        if position.is_over:
            break
        position = position.play(rng.choice(position.legal_moves))
        assert sum(map(sum, position.pits)) + sum(position.stores) + position.lifted == rules.total


def test_drawn_rules_survive_their_spec_string_and_json() -> None:
    for seed in range(100):
        rules = draw(seed)
        assert variant(str(rules)) == rules
        assert Rules.from_json(rules.to_json()) == rules
        assert variant(str(rules)).hash == rules.hash


def test_games_that_may_be_endless_are_drawn_only_if_asked_for() -> None:
    endless = [draw(seed, finite=False, sow_stores="none", pits=2, stones=2).is_finite for seed in range(40)]
    assert not all(endless)
    assert all(draw(seed, sow_stores="none", pits=2, stones=2).is_finite for seed in range(40))


def test_fields_can_be_fixed_or_narrowed() -> None:
    for seed in range(40):
        rules = draw(seed, players=2, pits=(3, 5), stones=4, chain="3,2", leftovers=["owner", "emptier"], name="mine")
        assert (rules.name, rules.players, rules.stones, rules.chain) == ("mine", 2, 4, "2,3")
        assert 3 <= rules.pits <= 5
        assert rules.leftovers in ("owner", "emptier")
        assert rules.goal == "most"  # a chain has to score
    assert {draw(seed, players={3, 4}).players for seed in range(20)} == {3, 4}
    assert draw(0, start_position="custom").start_position not in ("uniform", "random", "custom")
    fixed = draw(0, pits=2, stones=2, start_position="1,1+2/3,1+0", players=2)
    assert fixed.start_position == "1,1+2/3,1+0"
    assert draw(1, pits=np.int64(3), pie=np.bool_(True)).pits == 3


@pytest.mark.parametrize(
    "fields, parts",
    [
        ({"chain": "2,3", "players": 3}, ["no finite rules have players=3, chain=2,3 together"]),
        ({"goal": "empty", "repetition": 2}, ["no finite rules", "goal=empty", "repetition=2"]),
        ({"sow_stores": "none", "repetition": 0, "max_plies": 0}, ["no finite rules"]),
        ({"sow_stores": "none", "extra_turn": "own_store", "finite": False}, ["no rules have"]),
        ({"pit": 3}, ["unknown field 'pit'", "did you mean 'pits'"]),
        ({"pits": (5, 2)}, ["pits=(5, 2)", "(fewest, most)"]),
        ({"pits": (1, 2, 3)}, ["pits=(1, 2, 3)", "(fewest, most)"]),
        ({"pits": 61}, ["pits=61", "from 1 to 60"]),
        ({"stones": "4"}, ["stones='4'", "whole number"]),
        ({"players": 5}, ["players=5", "from 2 to 4"]),
        ({"players": ()}, ["players", "at least one value"]),
        ({"repetition": 4}, ["repetition=4", "0 (off), 2 or 3"]),
        ({"pie": 1}, ["pie=1", "true or false"]),
        ({"leftovers": ["owner", "mine"]}, ["leftovers='mine'", "owner, emptier, unscored"]),
        ({"name": "two words"}, ["name='two words'"]),
        ({"start_position": "everywhere"}, ["start_position", "uniform or random"]),
    ],
)
def test_what_cannot_be_drawn_is_told_in_one_line(fields, parts) -> None:
    with pytest.raises(RulesError) as caught:
        sample(np.random.default_rng(0), **fields)
    assert "\n" not in str(caught.value)
    for part in parts:
        assert part in str(caught.value)


@pytest.mark.parametrize("rng", [None, 5, np.random.RandomState(0)])
def test_chance_comes_from_a_generator(rng) -> None:
    with pytest.raises(RulesError, match=r"rng=.*expected a generator, as in Rules.sample"):
        Rules.sample(rng)
