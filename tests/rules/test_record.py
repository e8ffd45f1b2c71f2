"""The `Rules` record: spec strings, JSON, hashes, and one clear line for what it cannot be."""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
import subprocess
import sys

import pytest
from hypothesis import given, settings

from mancala_rl import VARIANTS, Rules, variant
from mancala_rl.errors import BadInputError, RulesError
from tests import reference
from tests.twins import draw_settings, rules_of


@settings(max_examples=150, deadline=None)
@given(draw_settings())
def test_rules_survive_their_spec_string_their_dictionary_and_pickling(chosen: reference.Settings) -> None:
    rules = rules_of(chosen)
    assert variant(str(rules)) == rules
    assert Rules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules
    for twin in (variant(str(rules)), pickle.loads(pickle.dumps(rules)), copy.deepcopy(rules)):
        assert twin == rules
        assert hash(twin) == hash(rules)
        assert twin.hash == rules.hash
        assert (twin.array == rules.array).all()


@settings(max_examples=60, deadline=None)
@given(draw_settings())
def test_a_record_says_what_it_was_asked_for(chosen: reference.Settings) -> None:
    rules = rules_of(chosen)
    assert (rules.players, rules.pits, rules.stones) == (2, chosen.pits, chosen.stones)
    assert rules.total == 2 * chosen.pits * chosen.stones
    assert rules.num_actions == chosen.pits + chosen.pie
    assert (rules.capture != "none", rules.extra_turn != "none") == (chosen.capture, chosen.extra_turn)
    assert (rules.leftovers, rules.end_check) == (chosen.leftovers, chosen.end_check)


def test_the_spec_string_is_the_shortest_one() -> None:
    assert str(variant("kalah")) == "kalah"
    assert str(variant("kalah:pits=6,stones=4")) == "kalah"
    assert str(variant("kalah:stones=3,pits=5")) == "kalah:pits=5,stones=3"
    assert str(variant("kalah:pie=true")) == "kalah:pie=true"


def test_a_start_position_survives_its_spec_string() -> None:
    rules = variant("kalah:pits=2,stones=2,start_position=1,0+3/2,2+0,pie=true")
    assert rules.start().pits == ((1, 0), (2, 2))
    assert rules.pie
    assert variant(str(rules)) == rules


def test_every_single_option_changes_the_hash() -> None:
    options = ["pits=5", "stones=3", "empty_capture=true", "leftovers=emptier", "leftovers=unscored"]
    options += ["end_check=on_turn", "stop_when_decided=true", "pie=true", "extra_turn=false", "capture=false"]
    options += ["start_position=random"]
    hashes = {variant(f"kalah:{option}").hash for option in options} | {variant("kalah").hash}
    assert len(hashes) == len(options) + 1


def test_the_hash_is_the_same_in_another_process() -> None:
    code = "import mancala_rl; print(mancala_rl.variant('kalah:pits=5,pie=true').hash)"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == variant("kalah:pits=5,pie=true").hash


def test_a_record_cannot_be_changed_but_replaced() -> None:
    rules = variant("kalah")
    with pytest.raises(dataclasses.FrozenInstanceError):
        rules.pits = 5  # type: ignore[misc]
    changed = rules.replace(pits=5, empty_capture=True)
    assert (changed.pits, changed.empty_capture, rules.pits) == (5, True, 6)
    assert changed.replace(pits=6, empty_capture=False) == rules


def test_variants_are_found_by_name_by_alias_and_as_they_are() -> None:
    assert VARIANTS["kalah"] == variant("kalah") == variant("kalaha") == variant(VARIANTS["kalah"])


@pytest.mark.parametrize(
    "spec, parts",
    [
        ("kallah", ["unknown variant 'kallah'", "did you mean 'kalah'?"]),
        ("", ["unknown variant ''", "kalah"]),
        ("chess", ["unknown variant 'chess'", "expected one of"]),
        ("kalah:stone=3", ["kalah has no option 'stone'", "did you mean 'stones'?"]),
        ("kalah:grand_slam=allow", ["kalah has no option 'grand_slam'", "expected one of", "empty_capture"]),
        ("kalah:pits", ["'pits'", "expected key=value"]),
        ("kalah:pits=", ["'pits='", "expected key=value"]),
        ("kalah:pits=5,pits=6", ["'pits' is given twice"]),
        ("kalah:pits=0", ["pits=0", "expected a number from 1 to"]),
        ("kalah:pits=-3", ["pits=-3", "expected a number from 1 to"]),
        ("kalah:pits=99", ["pits=99", "expected a number from 1 to"]),
        ("kalah:pits=six", ["pits='six'", "expected a whole number"]),
        ("kalah:pits=4.5", ["pits='4.5'", "expected a whole number"]),
        ("kalah:stones=0", ["stones=0", "expected a number from 1"]),
        ("kalah:pits=60,stones=30000", ["at most 32767"]),
        ("kalah:leftovers=mine", ["leftovers='mine'", "owner, emptier, unscored"]),
        ("kalah:end_check=never", ["end_check='never'", "immediate, on_turn"]),
        ("kalah:pie=maybe", ["pie='maybe'", "expected true or false"]),
        ("kalah:empty_capture=1", ["empty_capture", "expected true or false"]),
        ("kalah:capture=sometimes", ["capture='sometimes'", "none, cross"]),
        ("kalah:start_position=1,2+3/4,5+6", ["start_position", "expected 6 pits"]),
        ("kalah:pits=1,stones=1,start_position=0+1/1+0", ["start_position", "over before the first move"]),
    ],
)
def test_a_spec_that_names_no_rules_says_what_was_expected(spec: str, parts: list[str]) -> None:
    with pytest.raises(RulesError) as caught:
        variant(spec)
    message = str(caught.value)
    assert isinstance(caught.value, BadInputError)
    assert "\n" not in message
    for part in parts:
        assert part in message


@pytest.mark.parametrize(
    "options, part",
    [
        ({"pits": True}, "expected a whole number"),
        ({"pits": 5.0}, "expected a whole number"),
        ({"pits": None}, "expected a whole number"),
        ({"pie": 1}, "expected true or false"),
        ({"name": "mine"}, "has no option 'name'"),
        ({"unknown": 1}, "has no option 'unknown'"),
    ],
)
def test_replace_refuses_what_a_spec_would_refuse(options: dict[str, object], part: str) -> None:
    with pytest.raises(RulesError, match=part):
        variant("kalah").replace(**options)


def test_a_dictionary_with_a_foreign_or_missing_field_is_refused() -> None:
    data = variant("kalah").to_dict()
    with pytest.raises(RulesError, match="unknown field 'pit'"):
        Rules.from_dict({**data, "pit": 6})
    with pytest.raises(RulesError, match="needs the field 'name'"):
        Rules.from_dict({key: value for key, value in data.items() if key != "name"})
    with pytest.raises(RulesError, match="expected a whole number"):
        Rules.from_dict({**data, "pits": "6"})
