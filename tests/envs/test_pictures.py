"""The board as a picture: what is on it, and that both painters paint the same."""

import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter

import numpy as np
import pytest

from mancala_rl import VARIANTS, Position, Rules, variant
from mancala_rl.envs.rendering import palette, pieces, raster, rgb_array, scene, svg, vector
from mancala_rl.envs.rendering.board import Scene
from mancala_rl.envs.rendering.heap import STONE, heap
from mancala_rl.envs.rendering.move import last_move
from mancala_rl.envs.rendering.shapes import Box, Circle, Line, Point, Polygon, Run, Text
from mancala_rl.envs.rendering.table import PIT, table
from mancala_rl.errors import BadInputError

NAMESPACE = "{http://www.w3.org/2000/svg}"
TABLES = ["kalah", "japanese", "japanese:players=3", "japanese:players=4"]
CAPTURE = Position(variant("kalah"), [[1, 0, 4, 4, 4, 4], [4, 4, 4, 4, 6, 4]], [3, 2]).play(0)  # 1 takes 6 opposite


def random_game(rules: Rules, plies: int, seed: int = 0):
    """Yield the positions of a random game."""
    rng = np.random.default_rng(seed)
    position = rules.start(seed=seed)
    for _ in range(plies):
        yield position
        if position.is_over:
            return
        position = position.play(int(rng.choice(position.legal_moves)))


def words(drawing: Scene) -> list[str]:
    """Every text of a scene, what stands in one line joined."""
    return ["".join(run.text for run in shape.runs) for shape in drawing.shapes if isinstance(shape, Text)]


def coloured(drawing: Scene, colour: str) -> list:
    return [shape for shape in drawing.shapes if getattr(shape, "stroke", getattr(shape, "colour", None)) == colour]


def stones(drawing: Scene) -> list[Circle]:
    return [s for s in drawing.shapes if isinstance(s, Circle) and s.stroke == palette.STONE_EDGE]


# ---------------------------------------------------------------------------------------------------- what is on it


@pytest.mark.parametrize("name", VARIANTS)
def test_every_count_and_number_and_name_is_there(name):
    names = ["Ann", "Ben", "Cleo", "Dan"][: VARIANTS[name].players]
    for position in random_game(VARIANTS[name], 25):
        found = Counter(words(scene(position, names)))
        cells = [n for n in position.row[: position.rules.num_cells].tolist() if n >= 0]
        numbers = [pit for side in position.pits for pit in range(len(side))]
        captured = [-stones for stones in last_move(position).captured.values()]
        assert Counter(map(str, [*cells, *numbers, *captured])) <= found
        assert all(any(text.startswith(name) for text in found) for name in names)


@pytest.mark.parametrize("spec", TABLES)
@pytest.mark.parametrize("pits", range(1, 13))
def test_boards_of_any_size_keep_their_parts_apart_and_in_the_frame(spec, pits):
    board = table(variant(spec).players, pits, 130)
    left, top, right, bottom = board.frame
    cells = [(pit, PIT) for side in board.sides for pit in side.pits]
    cells += [(side.store, board.store.x) for side in board.sides]
    for number, (a, radius) in enumerate(cells):
        assert left < a.x - radius and a.x + radius < right and top < a.y - radius and a.y + radius < bottom
        for b, other in cells[number + 1 :]:
            assert np.hypot(a.x - b.x, a.y - b.y) >= radius + other + 5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_sowing_runs_counter_clockwise(players):
    board = table(players, 6, 130)
    ring = [cell for side in board.sides for cell in (*side.pits, side.store)]
    turns = [a.x * b.y - a.y * b.x for a, b in zip(ring, ring[1:] + ring[:1], strict=True)]
    assert max(turns) < 1e-6  # y grows downwards


@pytest.mark.parametrize("spec", TABLES)
def test_any_seat_can_sit_at_the_bottom(spec):
    position = variant(spec).start()
    names = [f"name {seat}" for seat in range(position.rules.players)]
    for seat, name in enumerate(names):
        drawing = scene(position, names, seat)
        lowest = max((s for s in drawing.shapes if isinstance(s, Text)), key=lambda text: text.at.y)
        assert lowest.runs[0].text == name


def test_a_dozen_stones_lie_side_by_side_and_more_in_a_heap():
    for count in range(1, 13):
        places = heap(count, PIT - 1, PIT - 1)
        assert len(places) == count
        assert all(np.hypot(*place) + STONE < PIT for place in places)
        for number, a in enumerate(places):
            assert all(np.hypot(a.x - b.x, a.y - b.y) >= 2 * STONE for b in places[number + 1 :])
    assert 13 <= len(heap(13, PIT, PIT)) <= len(heap(500, PIT, PIT)) < 30
    assert heap(0, PIT, PIT) == ()


def test_a_position_is_drawn_alike_every_time():
    assert scene(CAPTURE) == scene(CAPTURE)
    np.testing.assert_array_equal(rgb_array(CAPTURE), rgb_array(CAPTURE))


def test_who_is_to_move_has_a_bar_and_says_so():
    drawing = scene(variant("kalah").start().play(2), ("Ann", "Ben"))
    assert any(text.startswith("Ann") and text.endswith("to move again") for text in words(drawing))
    (bar,) = coloured(drawing, palette.TURN)
    assert bar.points[0].y > 0  # below: seat 0
    ended = Position.parse("0,0,0,0,0,0+30/0,0,0,0,0,0+18 -", variant("kalah"))
    assert coloured(scene(ended), palette.TURN) == []
    assert {"seat 0   wins", "seat 1   loses"} <= set(words(scene(ended)))


def test_who_made_an_illegal_move_is_told():
    drawing = scene(variant("kalah").start(), ("Ann", "Ben"), forfeited=True)
    assert "Ann   loses by an illegal move" in words(drawing)
    assert coloured(drawing, palette.TURN) == []


# ---------------------------------------------------------------------------------------------------------- the trace


def test_the_last_move_is_marked():
    drawing = scene(variant("kalah").start().play(2))
    assert sum(stone.fill == palette.FRESH for stone in stones(drawing)) == 4
    sown = [shape for shape in coloured(drawing, palette.TRACE) if not isinstance(shape, Line)]
    assert [type(shape) for shape in sown] == [Circle] * 3 + [Box]  # three pits and the store
    assert [shape.width for shape in sown] == [2.5, 2.5, 2.5, 4.5]  # the last is bold
    broken = [shape for shape in coloured(drawing, palette.TRACE) if isinstance(shape, Line)]
    origin = table(2, 6, 130).sides[0].pits[2]
    assert all(np.isclose(np.hypot(p.x - origin.x, p.y - origin.y), pieces.RING) for s in broken for p in s.points)
    heads = [s for s in drawing.shapes if isinstance(s, Polygon) and s.fill == palette.TRACE]
    assert len(heads) == 4


def test_a_start_has_no_marks():
    drawing = scene(variant("kalah").start())
    assert coloured(drawing, palette.TRACE) + coloured(drawing, palette.CAPTURE) == []
    assert all(stone.fill in palette.STONES for stone in stones(drawing))


def test_a_capture_is_marked_with_its_number():
    assert last_move(CAPTURE).captured == {1: 1, 11: 6}
    drawing = scene(CAPTURE)
    assert len(coloured(drawing, palette.CAPTURE)) == 2
    assert {"-1", "-6"} <= set(words(drawing))


@pytest.mark.parametrize("name", VARIANTS)
def test_the_stones_marked_as_captured_are_those_captured(name):
    for seed in range(4):
        for position in random_game(VARIANTS[name], 80, seed):
            marked = sum(last_move(position).captured.values())
            in_tuzdiks = position.captured - marked  # what fell into them went to their owner's store at once
            assert in_tuzdiks >= 0 if any(pit is not None for pit in position.tuzdiks) else in_tuzdiks == 0, position


def test_a_swap_leaves_no_trace():
    swapped = variant("kalah:pie=true").start().play(0).play(6)
    assert last_move(swapped).origin is None
    assert coloured(scene(swapped), palette.TRACE) == []


# ------------------------------------------------------------------------------------- closed, lifted and claimed pits


def test_a_closed_pit_is_crossed_out():
    rules = variant("mangala")
    position = Position(rules, [[4] * 6, [0, 0, 4, 4, 4, 4]], [4, 4], closed=[(1, 0), (1, 1)])
    crosses = [s for s in scene(position).shapes if isinstance(s, Line) and s.colour == palette.PIT]
    assert len(crosses) == 4
    assert sum(s.fill == palette.CLOSED for s in scene(position).shapes if isinstance(s, Circle)) == 2


def test_a_lifted_side_is_an_outline_and_has_its_place():
    position = Position.parse("0,0,0,0,0,1+2/x,x,x,x,x,x+x/1,1,0,0,0,0+2 0 places=-,1,-", variant("japanese:players=3"))
    drawing = scene(position, ("Ann", "Ben", "Cleo"))
    outlines = [s for s in drawing.shapes if isinstance(s, Box) and s.stroke == palette.BOARD_EDGE and s.fill is None]
    assert len(outlines) == 7
    assert {"Ben", "1st place"} <= set(words(drawing))
    assert words(drawing).count("3") == 2  # the numbers of the sides that play


def test_a_tuzdik_has_a_sign():
    rules = variant("toguz_korgool")
    plain = [s for s in scene(rules.start()).shapes if isinstance(s, Polygon)]
    row = [[9] * 9, [9] * 3 + [0] + [9] * 5]
    claimed = scene(Position(rules, row, [9, 0], tuzdiks=(3, None)))
    assert plain == [] and len([s for s in claimed.shapes if isinstance(s, Polygon)]) == 2


# ----------------------------------------------------------------------------------------------------------- painters


@pytest.mark.parametrize("spec", TABLES)
def test_svg_is_xml_and_holds_every_shape(spec):
    for position in random_game(variant(spec), 12):
        drawing = scene(position)
        root = ET.fromstring(svg(position))
        assert root.tag == f"{NAMESPACE}svg"
        assert len(root) == len(drawing.shapes) + 2  # the title and the background
        found = ["".join(text.itertext()) for text in root.iter(f"{NAMESPACE}text")]
        assert found == words(drawing)


@pytest.mark.parametrize("name", ["<b>&\"'", "a\x00b\ud800", "Ç ü 将棋", "x" * 300])
def test_svg_takes_any_name(name):
    root = ET.fromstring(svg(variant("kalah").start(), (name, "Ben")))
    labels = ["".join(text.itertext()) for text in root.iter(f"{NAMESPACE}text")]
    assert any(label.startswith(name[:1]) for label in labels)
    assert rgb_array(variant("kalah").start(), (name, "Ben")).any()


@pytest.mark.parametrize("spec", [*TABLES, "kalah:pits=1", "kalah:pits=12"])
def test_pixels_have_the_size_of_the_svg(spec):
    position = variant(spec).start().play(0)
    for size in (None, *range(100, 110), 301):
        picture, root = rgb_array(position, size=size), ET.fromstring(svg(position, size=size))
        assert picture.dtype == np.uint8 and picture.shape[2] == 3
        assert picture.shape[:2] == (int(root.get("height")), int(root.get("width")))
        assert size is None or max(picture.shape) == size


def rgb(colour: str) -> list[int]:
    return [int(colour[k : k + 2], 16) for k in (1, 3, 5)]


def test_both_painters_put_a_shape_in_the_same_place():
    """The shapes as SVG says they lie, and the colours of the pixels there."""
    shapes = (
        Circle(Point(-60, -20), 20, "#ff0000", "#00ff00", 8),
        Box(Point(20, -20), 30, 20, 10, "#0000ff"),
        Line((Point(-80, 30), Point(-20, 30)), "#123456", 10),
        Polygon((Point(20, 20), Point(80, 20), Point(50, 60)), "#654321"),
        Text(Point(0, 80), (Run("WWW", "#000000", True),), 20),
    )
    drawing = Scene(-100, -100, 200, 200, "#ffffff", shapes, "test")
    picture = raster.paint(drawing)
    circle, box = ET.fromstring(vector.paint(drawing))[2:4]
    x, y, r = (float(circle.get(key)) for key in ("cx", "cy", "r"))
    assert picture[round(y) + 100, round(x) + 100].tolist() == rgb(circle.get("fill"))
    assert picture[round(y) + 100, round(x + r) + 100].tolist() == rgb(circle.get("stroke"))
    assert picture[round(y) + 100, round(x + r + 6) + 100].tolist() == [255] * 3
    left, top = float(box.get("x")), float(box.get("y"))
    assert picture[round(top) + 100, round(left) + 100].tolist() == [255] * 3  # the corner is round
    assert picture[round(top) + 120, round(left) + 101].tolist() == rgb(box.get("fill"))
    assert picture[130, 40].tolist() == rgb("#123456") and picture[137, 40].tolist() == [255] * 3
    assert picture[130, 150].tolist() == rgb("#654321")
    dark = np.argwhere((picture == 0).all(axis=2))
    assert abs(dark.mean(axis=0) - [180, 100]).max() < 2  # the text is around its point


def test_the_wrong_number_of_names_is_refused():
    with pytest.raises(BadInputError, match="expected 2 names"):
        svg(variant("kalah").start(), ("Ann",))


def test_nothing_heavy_is_imported_before_it_is_needed():
    code = (
        "import sys, mancala_rl; from mancala_rl.envs.rendering import svg;"
        "svg(mancala_rl.variant('kalah').start());"
        "print(sorted({'PIL', 'pygame', 'imageio'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_without_pillow_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ModuleNotFoundError, match=r"mancala-rl\[render\]"):
        rgb_array(variant("kalah").start())
