"""Spec strings and JSON: any record can be written down and read again, and a typo says what was meant."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys

import numpy as np
import pytest

from mancala_rl import VARIANTS, Rules, variant
from mancala_rl.errors import RulesError
from mancala_rl.rules.registry import entry_of, options_of

ODD = [
    dataclasses.replace(variant("kalah"), chain="2,3", grand_slam="illegal"),  # more than Kalah's options
    dataclasses.replace(variant("oware"), pie=True),
    dataclasses.replace(variant("kalah"), name="mancala"),  # named like an alias
    dataclasses.replace(variant("kalah"), name="custom"),
    Rules(name="mine", players=3, capture="none"),
    Rules(name="my-game_2.1", pits=2, stones=2, chain="4,2", start_position="x,4+0/1,1+2"),
    Rules(name="three", players=3, pits=1, stones=2, capture="none", start_position="1+1/2+0/1+1"),
]


@pytest.mark.parametrize("rules", [*VARIANTS.values(), *ODD], ids=str)
def test_any_record_survives_its_spec_string_and_json(rules: Rules) -> None:
    for twin in (variant(str(rules)), Rules.from_json(rules.to_json()), Rules.from_dict(rules.to_dict())):
        assert twin == rules
        assert twin.hash == rules.hash
    assert json.loads(rules.to_json()) == rules.to_dict()


def test_options_that_hold_commas_and_slashes_can_stand_anywhere() -> None:
    spec = "custom:start_position=1,0+3/2,2+0,chain=4,2,pits=2,stones=2,name=mine,extra_turn=off"
    rules = variant(spec)
    assert (rules.chain, rules.start_position, rules.name) == ("2,4", "1,0+3/2,2+0", "mine")
    assert str(rules) == ("custom:name=mine,pits=2,stones=2,extra_turn=none,chain=2,4,start_position=1,0+3/2,2+0")
    assert variant(" custom : chain = 2,4 , pits = 2 ").chain == "2,4"


def test_a_variant_by_another_name_is_the_same() -> None:
    for name in VARIANTS:
        for alias in entry_of(name).aliases:
            assert variant(alias) == variant(name)
    assert str(variant("awari:pits=5")) == "oware:pits=5"
    assert str(variant("dakon")) == "congkak"


def test_no_name_or_alias_is_taken_twice() -> None:
    names = [name for known in VARIANTS for name in (known, *entry_of(known).aliases)]
    assert len(set(names)) == len(names)
    assert "custom" not in names


def test_there_are_at_least_ten_variants_with_title_summary_and_source() -> None:
    assert len(VARIANTS) >= 10
    for name in VARIANTS:
        entry = entry_of(name)
        assert entry.title
        assert entry.source
        assert len(entry.summary) <= 60
        assert set(entry.options) <= {field.name for field in dataclasses.fields(Rules)}


def test_options_switch_on_and_off() -> None:
    assert variant("custom:capture=off,extra_turn=off,chain=off").capture == "none"
    assert variant("custom:capture=on,extra_turn=yes") == variant("custom")
    assert variant("custom:relay=off") == variant("custom")


def test_a_record_of_ones_own_can_be_replaced_in_every_field() -> None:
    rules = Rules(name="mine", capture="none")
    assert set(options_of(rules)) == {field.name for field in dataclasses.fields(Rules)} - {"name"}
    assert rules.replace(chain="2,3", pits=5).chain == "2,3"
    with pytest.raises(RulesError, match="mine has no option 'chian'; did you mean 'chain'"):
        rules.replace(chian="2,3")


@pytest.mark.parametrize(
    "spec, parts",
    [
        ("custm:pits=3", ["did you mean 'custom'"]),
        ("custom:pitz=3", ["custom has no option 'pitz'; did you mean 'pits'"]),
        ("kalah:chain=2,3", ["kalah has no option 'chain'", "expected one of: capture", "custom:chain="]),
        ("japanese:play_ou=false", ["did you mean 'play_out'"]),
        ("custom:name=kalah:pits=3", ["name='kalah:pits=3'"]),
        ("oware:chain", ["'chain': expected key=value"]),
    ],
)
def test_a_typo_says_what_was_meant(spec: str, parts: list[str]) -> None:
    with pytest.raises(RulesError) as caught:
        variant(spec)
    for part in parts:
        assert part in str(caught.value)


NO_RECORDS = ["", "{", "[" * 100_000, "9" * 5000, "[]", "3", '{"name": "x", "pits": 6.0}', '{"name": 3}', '{"pits": 6}']


@pytest.mark.parametrize("text", NO_RECORDS, ids=lambda text: text[:12])
def test_json_that_is_no_record_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(RulesError) as caught:
        Rules.from_json(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("spec", ["toguz_korgool", "custom:name=mine,chain=2,3"])
def test_the_hash_of_a_drawn_or_written_record_is_the_same_in_another_process(spec: str) -> None:
    drawn = Rules.sample(np.random.default_rng(3))
    code = (
        "import numpy as np, mancala_rl as m; drawn = m.Rules.sample(np.random.default_rng(3));"
        f"print(m.variant({spec!r}).hash, drawn.hash, m.variant({str(drawn)!r}).hash)"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert printed == [variant(spec).hash, drawn.hash, drawn.hash]
