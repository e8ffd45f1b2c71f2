"""The rule sheet says what the engine does: its numbers are tried out, its example is played again by the oracle."""

import dataclasses
import random
import re

import numpy as np
import pytest

from mancala_rl.errors import RulesError
from mancala_rl.rules import VARIANTS, Position, Rules, variant
from mancala_rl.rules.commentary import explain_end, unsettled
from mancala_rl.rules.diagram import diagram
from mancala_rl.rules.example import example
from mancala_rl.rules.registry import entry_of
from mancala_rl.rules.sheet import sheet
from tests import reference
from tests.twins import SAME, rules_of

# Values for every field of the record but the name.
VALUES = {
    "players": (2, 3, 4),
    "pits": (4, 6),
    "stones": (3, 4),
    "sow_stores": ("none", "own", "all"),
    "first_stone": ("next", "origin"),
    "skip_origin": (False, True),
    "relay": ("off", "last", "next"),
    "relay_limit": (0, 2, 5),
    "extra_turn": ("none", "own_store", "any_store"),
    "capture": ("none", "cross"),
    "empty_capture": (False, True),
    "lander": ("taken", "stays"),
    "even_capture": (False, True),
    "chain": ("none", "2,3", "2,4,6"),
    "chain_side": ("opponent", "any"),
    "grand_slam": ("allow", "no_capture", "illegal", "rest_to_opponent", "leave_last", "leave_first"),
    "tuzdik": (False, True),
    "feed": (False, True),
    "end_check": ("immediate", "on_turn"),
    "leftovers": ("owner", "emptier", "unscored"),
    "stop_when_decided": (False, True),
    "sweep_when_decided": (False, True),
    "repetition": (0, 2, 3),
    "cycle_split": ("own_side", "even"),
    "max_plies": (0, 40, 50),
    "pie": (False, True),
    "goal": ("most", "empty"),
    "play_out": (False, True),
    "resign": (False, True),
    "start_position": ("uniform", "random"),
}
# Fields that change no game where others hold these: a sheet has nothing to say of them.
IDLE = {
    "play_out": lambda rules: rules.players == 2,  # J7
    "feed": lambda rules: rules.end_check == "immediate",  # an empty row has ended the game before it matters
}
KALAH_SPECS = [
    "kalah",
    "kalah:pits=1,stones=3",
    "kalah:pits=3,stones=2,leftovers=emptier,stop_when_decided=true,pie=true",
    "kalah:pits=9,stones=9,end_check=on_turn,empty_capture=true",
    "kalah:pits=30,stones=2",
]
SPECS = [
    *VARIANTS,
    *KALAH_SPECS[1:],
    "japanese:players=3",
    "japanese:players=4,play_out=false,pits=4,stones=3",
    "japanese:players=4,resign=true",
    "mangala:pits=2,stones=2,start_position=x,4+0/2,2+0",
    "oware:grand_slam=rest_to_opponent,cycle_split=even",
    "oware:pits=4,stones=2,grand_slam=leave_first",
    "bohnenspiel:chain_side=opponent",
    "custom:players=3,capture=off,relay=next",
]


def body(spec: str | Rules) -> str:
    """The sheet without its heading, which holds the spec string, in one line."""
    return " ".join(sheet(variant(spec)).split("SET-UP", 1)[1].split())


def words(rules: Rules) -> str:
    """The rules in words, without example and source."""
    return body(rules).split(" EXAMPLE ")[0]


@pytest.mark.parametrize("spec", SPECS)
def test_a_sheet_is_one_page_of_eighty_columns(spec):
    lines = sheet(variant(spec)).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 76
    assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize("spec", SPECS)
def test_a_sheet_has_every_section(spec):
    text = sheet(variant(spec))
    for heading in ("SET-UP", "A TURN", "SPECIAL RULES", "END", "SCORING", "EXAMPLE"):
        assert f"\n{heading}\n" in text
    assert ("\nSource: " in text) == (not spec.startswith("custom"))


def test_every_field_is_tried_here():
    assert set(VALUES) == {field.name for field in dataclasses.fields(Rules)} - {"name"}


def forms(rules: Rules, key: str) -> list[Rules]:
    """The records that differ from `rules` in one field."""
    found = []
    for value in VALUES[key]:
        try:
            found.append(dataclasses.replace(rules, **{key: value}))
        except RulesError:
            continue
    return found


@pytest.mark.parametrize("name", [*VARIANTS, "oware:sweep_when_decided=false", "japanese:players=3"])
def test_every_field_changes_the_words(name, monkeypatch):
    monkeypatch.setattr("mancala_rl.rules.sheet.example", lambda rules: [])
    rules, tried = variant(name), 0
    for key in VALUES:
        if key in IDLE and IDLE[key](rules):
            continue
        kinds = forms(rules, key)
        assert len({words(kind) for kind in kinds}) == len(kinds), key
        tried += len(kinds) > 1
    assert tried >= 10


@pytest.mark.parametrize("name", VARIANTS)
def test_every_option_of_a_variant_has_another_value(name):
    rules = variant(name)
    for key in entry_of(name).options:
        linked = {"sweep_when_decided": False} if key == "stop_when_decided" else {}
        linked |= {"repetition": 3} if key == "cycle_split" else {}
        kinds = forms(dataclasses.replace(rules, **linked), key)
        assert len(kinds) > 1, key


def test_the_three_ways_with_leftovers_read_differently():
    texts = {words(variant(f"kalah:leftovers={word}")) for word in ("owner", "emptier", "unscored")}
    assert len(texts) == 3


def test_a_start_of_ones_own_stands_in_the_sheet():
    text = body("kalah:pits=2,stones=2,start_position=3,1+0/2,2+0")
    assert "3 1 + 0 / 2 2 + 0" in text
    assert "closed" not in text
    closed = body("mangala:pits=2,stones=2,start_position=x,4+0/2,2+0")
    assert "x 4 + 0 / 2 2 + 0" in closed
    assert "x is a closed pit" in closed
    assert "the way around is 4 cells" in closed


def test_a_record_of_ones_own_has_a_sheet():
    text = sheet(Rules(name="mine", players=3, capture="none", sow_stores="all", extra_turn="any_store"))
    assert text.startswith("MINE\n")
    assert "any store" in text
    assert "Source" not in text


def test_a_record_that_is_more_than_a_form_of_its_variant_bears_its_name_only():
    text = sheet(dataclasses.replace(variant("kalah"), chain="2,3"))
    assert text.startswith("KALAH\ncustom:name=kalah,chain=2,3\n")
    assert "Source" not in text


@pytest.mark.parametrize("seed", range(25))
def test_a_record_drawn_at_random_has_a_sheet(seed):
    rules = Rules.sample(np.random.default_rng(seed), pits=(1, 5), stones=(1, 4), finite=seed % 5 > 0)
    text = sheet(rules)
    assert max(map(len, text.splitlines())) <= 80
    assert ("may go on for ever" in words(rules)) == (not rules.is_finite)


# ------------------------------------------------------------------------------------------------ numbers in the text


@pytest.mark.parametrize("pits", [1, 2, 6])
def test_the_stones_of_a_lap_fall_back_into_their_pit(pits):
    rules = variant(f"kalah:pits={pits},stones=14")
    lap = int(re.search(r"the way around is (\d+) cells", body(str(rules)))[1])
    row = [lap, *[0] * (pits - 1)]
    other = [rules.total - lap - 1, *[0] * (pits - 1)]
    before = Position(rules, (row, other), (0, 1))
    assert before.play(0).trace[-1] == 0
    assert before.play(0).captured > 0  # "so does the pit you sowed from, when the last stone falls into it"


@pytest.mark.parametrize("pits", [2, 5, 6])
def test_the_pit_opposite_is_the_one_that_is_captured(pits):
    rules = variant(f"kalah:pits={pits},stones=4")
    last = int(re.search(r"your pit i is the opponent's pit (\d+)-i", body(str(rules)))[1])
    for landing in range(1, pits):
        own, other = [0] * pits, [0] * pits
        own[landing - 1], other[last - landing] = 1, 3
        other[(last - landing + 1) % pits] = rules.total - 4
        after = Position(rules, (own, other), (0, 0)).play(landing - 1)
        assert after.captured == 4


@pytest.mark.parametrize("stones", [3, 4])
@pytest.mark.parametrize("stop", [False, True])
def test_the_majority_in_the_text_is_the_one_that_ends_the_game(stones, stop):
    rules = variant(f"kalah:stones={stones},stop_when_decided={str(stop).lower()}")
    majority = int(re.search(r"(\d+) stones or more in one store", body(str(rules)))[1])
    for store, over in ((majority - 1, False), (majority, stop)):
        left = rules.total - store - 2
        position = Position(rules, ((1, 1, 0, 0, 0, 0), (left, 0, 0, 0, 0, 0)), (store, 0), to_move=1)
        assert position.is_over == over
        assert position.decided == (store >= majority)
    assert ("does not end it" in body(str(rules))) != stop


@pytest.mark.parametrize("check", ["immediate", "on_turn"])
def test_the_end_is_the_one_of_the_text(check):
    rules = variant(f"kalah:end_check={check}")
    after = Position(rules, ((0, 0, 0, 0, 0, 1), (4, 0, 0, 0, 0, 0)), (20, 23)).play(5)  # into the store: moves again
    assert ("After every move" in body(str(rules))) == (check == "immediate")
    assert after.is_over  # seat 0 would move again, with nothing to move
    waiting = Position(rules, ((0, 0, 0, 0, 1, 0), (0, 0, 0, 0, 0, 0)), (20, 27), to_move=0)
    assert waiting.is_over == (check == "immediate")


@pytest.mark.parametrize(
    "word, scores, phrase",
    [
        ("owner", (21, 27), "go into the store of the player in whose row they lie"),
        ("emptier", (25, 23), "The owner of the empty row takes the rest"),
        ("unscored", (21, 23), "count for nobody"),
    ],
)
def test_leftovers_go_where_the_text_says(word, scores, phrase):
    rules = variant(f"kalah:leftovers={word}")
    after = Position(rules, ((0, 0, 0, 0, 0, 1), (4, 0, 0, 0, 0, 0)), (20, 23)).play(5)
    assert after.scores == scores
    assert phrase in body(str(rules))


@pytest.mark.parametrize("stones", [13, 14])
def test_where_a_lap_of_mangala_ends(stones):
    """M5: 14 stones end on top of the first, 13 in the pit before, which may capture."""
    rules = variant("mangala")
    assert "the last of 14 stones falls into it, on top of the first" in words(rules)
    before = Position(rules, ((0, 0, 0, stones, 0, 0), (48 - stones, 0, 0, 0, 0, 0)), (0, 0))
    after = before.play(3)
    assert after.trace[-1] == (3 if stones == 14 else 2)
    assert (after.captured > 0) == (stones == 13)


@pytest.mark.parametrize("rule", VALUES["grand_slam"])
def test_a_grand_slam_is_played_as_the_sheet_says(rule):
    rules = variant(f"oware:pits=3,stones=2,grand_slam={rule}")
    position = Position(rules, ((0, 1, 2), (1, 2, 0)), (3, 3))
    if rule == "illegal":
        assert "may be played only if each of your moves is one" in words(rules)
        assert position.legal_moves == (1,)
        assert Position(rules, ((0, 0, 2), (1, 2, 0)), (4, 3)).legal_moves == (2,)
        return
    phrase, captured, pits, stores = {
        "allow": ("is a capture like any other", 5, ((0, 0, 0), (0, 0, 0)), (9, 3)),  # and seat 1 cannot move
        "no_capture": ("takes nothing; the move stands", 0, ((0, 1, 0), (2, 3, 0)), (3, 3)),
        "rest_to_opponent": ("left in your row go into the opponent's store", 5, ((0, 0, 0), (0, 0, 0)), (8, 4)),
        "leave_last": ("spares the pit of the last stone", 2, ((0, 1, 0), (0, 3, 0)), (5, 3)),
        "leave_first": ("spares its last pit, the one farthest back", 3, ((0, 1, 0), (2, 0, 0)), (6, 3)),
    }[rule]
    after = position.play(2)  # makes the pits 2 and 3
    assert phrase in words(rules)
    assert (after.captured, after.pits, after.stores) == (captured, pits, stores)


@pytest.mark.parametrize("repetition, time", [(2, "second"), (3, "third")])
def test_a_position_comes_as_often_as_the_sheet_says(repetition, time):
    rules = variant(f"custom:pits=3,stones=2,sow_stores=none,extra_turn=off,capture=off,repetition={repetition}")
    assert f"for the {time} time since the last capture" in words(rules)
    ended = 0
    for seed in range(20):
        rng, position, seen = random.Random(seed), rules.start(), [(((2, 2, 2), (2, 2, 2)), 0)]
        while not position.is_over:
            move = rng.choice(position.legal_moves)
            before, lying, position = position, unsettled(position, move), position.play(move)
            seen.append((lying.pits, 1 - before.to_move))
        often = max(map(seen.count, seen))
        assert often <= repetition
        assert (often == repetition) == (all(map(any, lying.pits)) and not position.truncated)
        ended += often == repetition
    assert ended > 0


def test_the_sheet_of_japanese_mancala_tells_who_leaves():
    assert "The first player to finish ends the game" in words(variant("japanese:players=3,play_out=false"))
    assert "lifted off the board" in words(variant("japanese:players=3"))
    assert "there are no draws" in words(variant("japanese"))
    assert "resign, or 6" in words(variant("japanese:resign=true"))
    assert "The other player wins" in words(variant("japanese:resign=true"))
    assert "worst place that is still free" in words(variant("japanese:players=3,resign=true"))


def test_relays_end_as_the_sheet_says():
    assert "take up all that lie there now" in words(variant("avalanche"))
    assert "at the latest after 100 laps" in words(variant("ayoayo"))
    assert "Relay" not in words(variant("ayoayo:relay_limit=1"))  # one lap is no relay
    assert "this never happens" in words(variant("custom:relay=last,even_capture=true"))
    assert "the cell after the last stone" in words(variant("custom:relay=next"))


# --------------------------------------------------------------------------------------------------------- the example


def settings_for(rules: Rules) -> reference.Settings:
    """The oracle's settings for a record."""
    return reference.Settings(
        variant=rules.name,
        extra_turn=rules.extra_turn != "none",
        turn_stores=rules.extra_turn.partition("_")[0] if rules.extra_turn != "none" else "own",
        capture=rules.capture == "cross",
        chain=tuple(map(int, rules.chain.split(","))) if rules.chain != "none" else (),
        **{field: getattr(rules, field) for field in SAME},
    )


def state_of(position: Position) -> reference.State:
    """The oracle's state for a position that is not over."""
    return reference.State(
        settings_for(position.rules),
        position.pits,
        position.stores,
        position.to_move,
        swapper=position.pie,
        closed=position.closed,
        places=position.places if any(position.places) else (),
        lifted=position.lifted,
        tuzdiks=position.tuzdiks if any(pit is not None for pit in position.tuzdiks) else (),
    )


@pytest.fixture
def told(monkeypatch):
    """The lines of an example, every drawing replaced by the position in one line."""
    monkeypatch.setattr("mancala_rl.rules.example._drawing", lambda position, numbers=True: [f"  {position}"])
    return lambda spec: list(example(variant(spec)))


def check_sentence(sentence: str, before: reference.State, action: int, after: reference.State) -> None:
    """What a sentence says of a move is what the oracle does."""
    seat, m = before.turn, before.settings.pits
    assert sentence.startswith(f"Seat {seat} ")
    if action == m:
        assert ("gives up" if before.settings.resign else "swaps") in sentence
        return
    cells = reference.sowing_cells(before, action)
    owner = "its own" if cells[-1][0] == seat else f"seat {cells[-1][0]}'s"
    assert f"plays {action}: {before.pits[seat][action]} stone" in sentence
    assert f", the last into {owner} {'store' if cells[-1][1] == m else f'pit {cells[-1][1]}'}" in sentence
    laps = re.search(r", then (?:a lap|laps) of ([\d, and]+), the last", sentence)
    more = re.search(r", then \d+ more laps with (\d+) in all", sentence)
    sown = sum(map(int, re.findall(r"\d+", laps[1]))) if laps else int(more[1]) if more else 0
    assert before.pits[seat][action] + sown == len(cells)
    captured = re.search(r"captures (\d+)", sentence)
    assert int(captured[1] if captured else 0) == after.captured
    assert sentence.endswith("moves again.") == after.extra
    claimed = re.search(r"makes pit (\d+) of seat \d its tuzdik", sentence)
    old, new = before.tuzdiks or (None, None), after.tuzdiks or (None, None)
    assert (int(claimed[1]) if claimed else None) == (new[seat % 2] if new != old else None)
    assert ("has finished" in sentence) == bool(after.places and after.places[seat])


def replayed(lines: list[str], settings: reference.Settings) -> list[tuple[reference.State, reference.State, str]]:
    """Play what the lines tell by the oracle and compare every position; return the moves and what else was said."""
    moves, rules, state = [], rules_of(settings), None
    for at, line in enumerate(lines):
        if line.endswith(":"):
            state = reference.start(settings) if line == "The start:" else None
            state = state or state_of(Position.parse(lines[at + 1].strip(), rules))
        sentence = re.match(r"Seat (\d) (?:plays (\d+)|swaps|gives up)", line)
        if not sentence:
            continue
        action = int(sentence[2]) if sentence[2] else settings.pits
        after = reference.play(state, action)
        check_sentence(line, state, action, after)
        remark = "" if lines[at + 1].startswith("  ") else lines[at + 1]
        assert lines[at + (2 if remark else 1)].split()[:2] == reference.notate(after).split()
        moves.append((state, after, remark))
        state = after
    return moves


def check_end(after: reference.State, remark: str) -> None:
    """The result that a sheet tells is the oracle's."""
    assert after.over
    places = reference.ranking(after)
    winners = [seat for seat, place in enumerate(places) if place == 1]
    if len(places) == 2:
        result = f"seat {winners[0]} wins." if len(winners) == 1 else "a draw."
        assert remark.lower().endswith(result)
    else:
        assert all(f"seat {seat} " in remark.lower() or f" {seat}" in remark for seat in winners)
    if after.settings.goal == "most":
        assert "-".join(map(str, after.scores)) + ", " in remark


@pytest.mark.parametrize("spec", [spec for spec in SPECS if "start_position" not in spec])
def test_the_oracle_plays_the_example(spec, told):
    moves = replayed(told(spec), settings_for(variant(spec)))
    ends = [(after, remark) for _, after, remark in moves if remark]
    assert len(moves) > len(ends) or variant(spec).pits == 1
    assert len(ends) == 1
    check_end(*ends[0])


@pytest.mark.parametrize("seed", range(30))
def test_the_oracle_plays_the_example_of_a_record_drawn_at_random(seed, told):
    rules = Rules.sample(np.random.default_rng(seed), pits=(1, 4), stones=(1, 3), start_position="uniform", max_plies=0)
    lines = told(rules)
    if any("moves were made" in line or "has come for the" in line for line in lines):  # hangs on what came before
        lines = lines[: next(i for i, line in enumerate(lines) if line == "The end of a game:")]
    for _, after, remark in replayed(lines, settings_for(rules)):
        assert after.over == bool(remark)
        if remark:
            check_end(after, remark)


@pytest.mark.parametrize(
    "spec, phrases",
    [
        ("kalah", ["moves again", "captures", "left in the pits go to seat"]),
        ("kalah:pie=true", ["swaps"]),
        ("japanese:players=3", ["has finished, first place", "Only seat"]),
        ("japanese:players=4,resign=true", ["gives up: fourth place", "has finished"]),
        ("mangala", ["1 stone, the last into", "captures", "moves again"]),
        ("oware", ["captures 2", " pits."]),
        ("bohnenspiel", [" from "]),
        ("avalanche", [" laps ", "moves again"]),
        ("congkak", ["then laps of", "captures"]),
        ("ayoayo", ["then laps of", "captures"]),
        ("toguz_korgool", ["its tuzdik", "tuzdiks=", "captures 3"]),
    ],
)
def test_the_example_shows_what_is_special(spec, phrases):
    text = body(spec).split(" EXAMPLE ")[1]
    for phrase in phrases:
        assert phrase in text


def test_the_drawings_of_the_sheet_have_no_stars():
    assert "*" not in sheet(variant("kalah"))  # a star would stand for a move that the sheet does not tell


# --------------------------------------------------------------------------------------------------------- the drawing


def test_a_drawing_shows_seat_0_below_and_its_store_at_the_right():
    position = variant("kalah:pits=3,stones=2").start().play(1)  # 2,0,3+1 against 2,2,2+0
    assert diagram(position).splitlines() == [
        "         2   1   0    seat 1",
        "         2   2   2",
        "   0                  *1",
        "         2   0  *3",
        "         0   1   2    seat 0 to move",
    ]


def test_without_numbers_the_names_stand_beside_the_pits():
    position = variant("kalah:pits=3,stones=2").start().play(1)
    assert diagram(position, numbers=False).splitlines() == [
        "         2   2   2    seat 1",
        "   0                  *1",
        "         2   0  *3    seat 0 to move",
    ]


def test_a_drawing_can_be_turned_around_and_named():
    position = variant("kalah:pits=3,stones=2").start().play(1)
    assert diagram(position, ("Ann", "Bo"), 1, numbers=False, turn=False).splitlines() == [
        "        *3   0   2    Ann",
        "  *1                   0",
        "         2   2   2    Bo",
    ]


def test_a_closed_pit_is_an_x():
    row = variant("kalah:pits=3,stones=2").start().row.copy()
    row[1] = -1
    position = Position.from_row(variant("kalah:pits=3,stones=2"), row)
    assert diagram(position, numbers=False).splitlines() == [
        "         2   2   2    seat 1",
        "   0                   0",
        "         2   x   2    seat 0 to move",
    ]


def test_a_drawing_of_three_players_has_a_line_each():
    position = Rules(name="three", players=3, pits=2, stones=1, capture="none").start()
    assert diagram(position).splitlines() == [
        "  seat 0:   1   1  |  0 to move",
        "  seat 1:   1   1  |  0",
        "  seat 2:   1   1  |  0",
    ]
    assert diagram(position.play(0), ("Ann", "Bo", "Cleo"), turn=False).splitlines() == [
        "   Ann:   0  *2  |  0",
        "    Bo:   1   1  |  0",
        "  Cleo:   1   1  |  0",
    ]


def test_a_game_that_is_cut_off_is_told_as_it_is_ranked():
    assert "those still playing share the places that are free" in words(variant("japanese:players=3,max_plies=6"))
    assert "cut off is won by nobody" in words(variant("japanese:players=3,play_out=false,max_plies=6"))
    before = variant("japanese:players=3,pits=2,stones=1,max_plies=6").start()
    for pit in (1, 0, 0, 1, 0):
        before = before.play(pit)
    assert explain_end(before, 1, before.play(1)).endswith("is cut off. Seat 0 first, seats 1 and 2 second.")
