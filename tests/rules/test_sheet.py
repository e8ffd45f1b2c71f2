"""The rule sheet says what the engine does: its numbers are tried out, its example is played again by the oracle."""

import itertools
import re

import pytest

from mancala_rl.rules import Position, Rules, variant
from mancala_rl.rules.diagram import diagram
from mancala_rl.rules.registry import entry_of
from mancala_rl.rules.sheet import sheet
from tests import reference

# Another value for every option of the variant.
CHANGES = {
    "pits": "5",
    "stones": "3",
    "empty_capture": "true",
    "leftovers": "emptier",
    "end_check": "on_turn",
    "stop_when_decided": "true",
    "pie": "true",
    "extra_turn": "off",
    "capture": "off",
    "start_position": "random",
}
SPECS = [
    "kalah",
    *(f"kalah:{key}={value}" for key, value in CHANGES.items()),
    "kalah:leftovers=unscored",
    "kalah:pits=1,stones=3",
    "kalah:pits=3,stones=2,leftovers=emptier,stop_when_decided=true,pie=true",
    "kalah:pits=9,stones=9,end_check=on_turn,empty_capture=true",
    "kalah:pits=30,stones=2",
]


def body(spec: str) -> str:
    """The sheet without its heading, which holds the spec string, in one line."""
    return " ".join(sheet(variant(spec)).split("SET-UP", 1)[1].split())


@pytest.mark.parametrize("spec", SPECS)
def test_a_sheet_is_one_page_of_eighty_columns(spec):
    lines = sheet(variant(spec)).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 75
    assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize("spec", SPECS)
def test_a_sheet_has_every_section(spec):
    text = sheet(variant(spec))
    for heading in ("SET-UP", "A TURN", "SPECIAL RULES", "END", "SCORING", "EXAMPLE", "Source:"):
        assert f"\n{heading}" in text


def test_every_option_of_kalah_is_tried_here():
    assert set(CHANGES) == set(entry_of("kalah").options)


@pytest.mark.parametrize("key", CHANGES)
def test_every_option_changes_the_words(key):
    words = body("kalah").split(" EXAMPLE ")[0]
    assert body(f"kalah:{key}={CHANGES[key]}").split(" EXAMPLE ")[0] != words


def test_the_three_ways_with_leftovers_read_differently():
    texts = {body(f"kalah:leftovers={word}").split(" EXAMPLE ")[0] for word in ("owner", "emptier", "unscored")}
    assert len(texts) == 3


def test_a_start_of_ones_own_stands_in_the_sheet():
    text = body("kalah:pits=2,stones=2,start_position=3,1+0/2,2+0")
    assert "3 1 + 0 / 2 2 + 0" in text


def test_a_record_of_ones_own_has_a_sheet():
    text = sheet(Rules(name="mine", players=3, capture="none", sow_stores="all", extra_turn="any_store"))
    assert text.startswith("MINE\n")
    assert "any store" in text
    assert "Source" not in text


# ------------------------------------------------------------------------------------------------ numbers in the text


@pytest.mark.parametrize("pits", [1, 2, 6])
def test_the_stones_of_a_lap_fall_back_into_their_pit(pits):
    rules = variant(f"kalah:pits={pits},stones=14")
    lap = int(re.search(r"a lap is (\d+) cells", body(str(rules)))[1])
    row = [lap, *[0] * (pits - 1)]
    other = [rules.total - lap - 1, *[0] * (pits - 1)]
    before = Position(rules, (row, other), (0, 1))
    assert before.play(0).trace[-1] == 0
    assert before.play(0).captured > 0  # "so does the pit you sowed from, when a lap ends in it"


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
        ("emptier", (25, 23), "the owner of the empty row takes the rest"),
        ("unscored", (21, 23), "count for nobody"),
    ],
)
def test_leftovers_go_where_the_text_says(word, scores, phrase):
    rules = variant(f"kalah:leftovers={word}")
    after = Position(rules, ((0, 0, 0, 0, 0, 1), (4, 0, 0, 0, 0, 0)), (20, 23)).play(5)
    assert after.scores == scores
    assert phrase in body(str(rules))


# --------------------------------------------------------------------------------------------------------- the example


def example_of(spec: str) -> list[str]:
    text = sheet(variant(spec)).split("EXAMPLE\n")[1].split("Source:")[0]
    return text.splitlines()


def board(state: reference.State) -> str:
    rows = zip(state.pits, state.stores, strict=True)
    return "/".join(",".join(map(str, pits)) + f"+{store}" for pits, store in rows)


def replayed(lines: list[str], state: reference.State) -> tuple[int, reference.State]:
    """Play every `Seat N ...` line by the oracle and compare it with the board below it; return how many there were."""
    moves = 0
    for line, below in itertools.pairwise(lines):
        played = re.match(r" +Seat (\d) (?:plays (\d+): (\d+) stones?,|(swaps))", line)
        if not played:
            continue
        assert int(played[1]) == state.turn
        action = state.settings.pits if played[4] else int(played[2])
        if played[3]:
            assert int(played[3]) == state.pits[state.turn][action]
        state = reference.play(state, action)
        captured = re.search(r"captures (\d+)", line)
        assert int(captured[1] if captured else 0) == state.captured
        assert line.endswith("moves again.") == state.extra
        assert below.split()[0] == board(state)
        moves += 1
    return moves, state


REPLAYED = [spec for spec in SPECS if "random" not in spec and "pits=30" not in spec]


@pytest.mark.parametrize("spec", REPLAYED)
def test_the_oracle_plays_the_opening_of_the_example(spec):
    lines = example_of(spec)
    end = next((i for i, line in enumerate(lines) if "The end of a game" in line), len(lines))
    moves, _ = replayed(lines[:end], reference.start(reference.settings_of(oracle_spec(spec))))
    assert moves >= 1


@pytest.mark.parametrize("spec", REPLAYED)
def test_the_oracle_plays_the_end_of_the_example(spec):
    rules = variant(spec)
    lines = example_of(spec)
    lines = lines[next(i for i, line in enumerate(lines) if "The end of a game" in line) :]
    before = drawn(lines[1:4], rules)
    assert "\n".join(lines[1:4]) == "\n".join("  " + line for line in diagram(before, numbers=False).splitlines())
    move = next(line for line in lines if "plays" in line)
    seat, action = map(int, re.match(r" +Seat (\d) plays (\d+)", move).groups())
    state = reference.State(reference.settings_of(oracle_spec(spec)), before.pits, before.stores, seat)
    after = reference.play(state, action)
    assert after.over
    final = next(line for line in reversed(lines) if re.match(r" +\d+(,\d+)*\+", line))
    assert final.split() == [board(after), "-"]
    scores = "-".join(map(str, after.scores))
    winner = "a draw" if after.scores[0] == after.scores[1] else f"seat {int(after.scores[1] > after.scores[0])} wins"
    assert f"{scores}, {winner}." in " ".join(" ".join(lines).split())


def oracle_spec(spec: str) -> str:
    return spec.replace("=off", "=false")


def drawn(lines: list[str], rules: Rules) -> Position:
    """Read a drawing: seat 1's pits from right to left, the stores, seat 0's pits."""
    above, middle, below = (re.findall(r"\d+", line.split("seat")[0]) for line in lines)
    pits = tuple(map(int, below)), tuple(map(int, reversed(above)))
    stores = int(middle[1]), int(middle[0])
    return Position(rules, pits, stores, to_move=0 if "to move" in lines[2] else 1)


def test_the_standard_example_shows_an_extra_turn_and_a_capture():
    text = " ".join(" ".join(example_of("kalah")).split())
    assert "moves again" in text
    assert "captures" in text
    assert "left in the pits go to seat" in text


def test_the_example_under_the_pie_rule_shows_the_swap():
    assert "swaps" in "\n".join(example_of("kalah:pie=true"))


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
