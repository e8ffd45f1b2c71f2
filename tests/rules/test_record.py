"""The `Rules` record: spec strings, JSON, hashes, and one clear line for what it cannot be."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import json
import pickle
import subprocess
import sys

import pytest
from hypothesis import given, settings

from mancala_rl import VARIANTS, Rules, variant
from mancala_rl.errors import BadInputError, RulesError
from tests import reference
from tests.twins import draw_settings, draw_variant, rules_of


def check_same(twin: Rules, rules: Rules) -> None:
    assert twin == rules
    assert hash(twin) == hash(rules)
    assert twin.hash == rules.hash
    assert (twin.array == rules.array).all()


@settings(max_examples=150, deadline=None)
@given(draw_settings())
def test_any_record_survives_its_dictionary_and_pickling(chosen: reference.Settings) -> None:
    rules = rules_of(chosen)
    check_same(Rules.from_dict(json.loads(json.dumps(rules.to_dict()))), rules)
    check_same(pickle.loads(pickle.dumps(rules)), rules)
    check_same(copy.deepcopy(rules), rules)


@settings(max_examples=150, deadline=None)
@given(draw_variant())
def test_a_variant_with_options_survives_its_spec_string(chosen: reference.Settings) -> None:
    rules = rules_of(chosen)
    check_same(variant(str(rules)), rules)


@settings(max_examples=100, deadline=None)
@given(draw_settings())
def test_a_record_says_what_it_was_asked_for(chosen: reference.Settings) -> None:
    rules = rules_of(chosen)
    assert (rules.players, rules.pits, rules.stones) == (chosen.players, chosen.pits, chosen.stones)
    assert rules.total == chosen.players * chosen.pits * chosen.stones
    assert rules.num_cells == chosen.players * (chosen.pits + 1)
    assert rules.num_actions == chosen.pits + (chosen.pie or chosen.resign)
    assert (rules.capture != "none", rules.extra_turn != "none") == (chosen.capture, chosen.extra_turn)
    assert rules.chain == (",".join(map(str, chosen.chain)) or "none")
    assert rules.is_finite == bool(chosen.sow_stores != "none" or chosen.repetition or chosen.max_plies)


@pytest.mark.parametrize("name", sorted(VARIANTS))
def test_a_registered_variant_is_what_the_oracle_takes_it_for(name: str) -> None:
    assert VARIANTS[name] == rules_of(reference.PRESETS[name])


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


def test_every_variant_has_a_hash_of_its_own_that_no_new_field_changes() -> None:
    assert len({rules.hash for rules in VARIANTS.values()}) == len(VARIANTS)
    only_defaults = dataclasses.replace(variant("kalah"), name="another")
    assert only_defaults.hash == variant("kalah").hash == hashlib.sha256(b"{}").hexdigest()[:12]


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


@pytest.mark.parametrize(
    "options, parts",
    [
        ({"players": 1}, ["players=1", "from 2 to 4"]),
        ({"players": 5}, ["players=5", "from 2 to 4"]),
        ({"players": 3}, ["players=3 needs capture=none", "got capture=cross"]),
        ({"goal": "empty"}, ["goal=empty needs capture=none", "got capture=cross"]),
        ({"capture": "none", "empty_capture": True}, ["empty_capture=true needs", "capture=none"]),
        ({"capture": "none", "lander": "stays"}, ["lander=stays needs", "capture=none"]),
        ({"grand_slam": "illegal"}, ["grand_slam=illegal needs", "chain=none"]),
        ({"chain_side": "any"}, ["chain_side=any needs", "chain=none"]),
        ({"chain": "0"}, ["chain='0'", "from 1 to 60"]),
        ({"chain": "two"}, ["chain='two'", "as in 2,3"]),
        ({"sweep_when_decided": True}, ["sweep_when_decided=true needs", "stop_when_decided=false"]),
        ({"cycle_split": "even"}, ["cycle_split=even needs", "repetition=0"]),
        ({"repetition": 2}, ["repetition=2 needs sow_stores=none", "got sow_stores=own"]),
        ({"repetition": 1}, ["repetition=1", "2"]),
        ({"resign": True}, ["resign=true needs", "goal=most"]),
        ({"play_out": False}, ["play_out=false needs", "goal=most"]),
        ({"relay_limit": 5}, ["relay_limit=5 needs", "relay=off"]),
        ({"extra_turn": "any_store"}, ["extra_turn=any_store needs sow_stores=all", "got sow_stores=own"]),
        ({"sow_stores": "none"}, ["extra_turn=own_store needs", "sow_stores=none"]),
        ({"sow_stores": "none", "extra_turn": "none", "relay": "last"}, ["relay=last", "relay_limit"]),
        ({"tuzdik": True, "pie": True}, ["tuzdik=true", "pie=true"]),
        ({"max_plies": -1}, ["max_plies=-1", "from 0 to"]),
        ({"max_plies": 40000}, ["max_plies=40000", "32767"]),
    ],
)
def test_fields_that_contradict_each_other_are_refused_with_what_is_allowed(
    options: dict[str, object], parts: list[str]
) -> None:
    with pytest.raises(RulesError) as caught:
        Rules(name="mine", **options)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)
    for part in parts:
        assert part in str(caught.value)


@pytest.mark.parametrize(
    "spec, message",
    [
        ("japanese:pits=2,stones=1,start_position=0,0+2/1,1+0", "a side is empty"),
        ("japanese:players=3,pits=2,stones=1,start_position=1,0+2/1,1+0", "got 2 rows"),
        ("mangala:pits=2,stones=2,start_position=x,2+2/x,2+2", "only one side"),
        ("oware:pits=2,stones=2,start_position=1,0+0/1,0+6", "over before the first move"),
    ],
)
def test_a_start_position_that_cannot_be_is_refused(spec: str, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        variant(spec)


def test_a_start_position_may_have_closed_pits() -> None:
    rules = variant("mangala:pits=2,stones=2,start_position=x,2+2/2,2+0")
    assert rules.start().closed == ((0, 0),)
    assert rules.start().legal_moves == (1,)
    assert variant(str(rules)) == rules


def test_a_dictionary_with_a_foreign_or_missing_field_is_refused() -> None:
    data = variant("kalah").to_dict()
    with pytest.raises(RulesError, match="unknown field 'pit'"):
        Rules.from_dict({**data, "pit": 6})
    with pytest.raises(RulesError, match="needs the field 'name'"):
        Rules.from_dict({key: value for key, value in data.items() if key != "name"})
    with pytest.raises(RulesError, match="expected a whole number"):
        Rules.from_dict({**data, "pits": "6"})
