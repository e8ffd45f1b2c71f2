"""`mancala-rl render`."""

import io
import json
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from mancala_rl import variant
from mancala_rl.cli import main
from mancala_rl.envs.rendering import film, rgb_array, svg

ROOT = Path(__file__).resolve().parent.parent
GAME = ("--variant", "kalah", "--moves", "2 5 0")
README_PICTURE = "3 2 1 5 2 1 5 0 3 1 1 4"  # mancala-rl render --variant kalah --moves "..." --names Ann,Ben --out F


@pytest.fixture
def render(tmp_path, capsys):
    """Run the command with `--out` in an empty folder; returns the file and what was printed."""

    def call(name: str, *words: str) -> tuple[Path, str]:
        out = tmp_path / name
        status = main(["render", *words, "--out", str(out)])
        printed, complaint = capsys.readouterr()
        assert (status, complaint) == (0, "")
        return out, printed

    return call


def positions():
    position = variant("kalah").start()
    yield position
    for move in (2, 5, 0):
        position = position.play(move)
        yield position


def test_svg_shows_the_last_position(render):
    out, printed = render("a.svg", *GAME)
    assert out.read_text("utf-8") == svg(list(positions())[-1])
    assert "a.svg" in printed and "1 position" in printed


@pytest.mark.parametrize("ply", range(4))
def test_png_shows_the_position_asked_for(render, ply):
    out, _ = render("a.PNG", *GAME, "--ply", str(ply), "--size", "300")
    np.testing.assert_array_equal(np.asarray(Image.open(out)), rgb_array(list(positions())[ply], size=300))


def test_a_game_may_begin_anywhere_and_be_seen_from_any_seat(render):
    text = "1,0,4,4,4,4+3/4,4,4,4,6,4+2 0"
    out, _ = render("a.svg", "--variant", "kalah", "--from", text, "--seat", "1", "--names", "Ann, Ben")
    labels = ["".join(label.itertext()) for label in ET.parse(out).iter("{http://www.w3.org/2000/svg}text")]
    assert {"Ann   to move", "Ben"} <= set(labels)


def test_gif_has_a_frame_a_move_and_a_pause(render):
    out, printed = render("a.gif", *GAME, "--fps", "2")
    durations = []
    with Image.open(out) as animation:
        assert animation.info["loop"] == 0
        for frame, position in enumerate(positions()):
            animation.seek(frame)
            durations.append(animation.info["duration"])
            difference = np.asarray(animation.convert("RGB"), int) - rgb_array(position)
            assert np.abs(difference).mean() < 2  # 256 colours
        assert animation.n_frames == 4
    assert durations == [500, 500, 500, 3000]
    assert "4 position" in printed


# imageio's reader leaves the pipes to ffmpeg to the garbage collector
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_mp4_can_be_played(render):
    imageio = pytest.importorskip("imageio.v3")
    out, _ = render("a.mp4", *GAME, "--fps", "4", "--size", "301")
    frames = imageio.imread(out, plugin="FFMPEG")
    assert len(frames) == 4 + 3 * 4 - 1
    height, width, _ = rgb_array(variant("kalah").start(), size=301).shape
    assert frames.shape[1:] == (height + height % 2, width + width % 2, 3)
    for frame, position in zip(frames, positions(), strict=False):
        assert np.abs(frame[:height, :width].astype(int) - rgb_array(position, size=301)).mean() < 4


def test_mp4_tells_its_own_size(render):
    _, printed = render("a.mp4", *GAME, "--size", "301", "--json")
    facts = json.loads(printed)
    height, width, _ = rgb_array(variant("kalah").start(), size=301).shape
    assert (facts["width"], facts["height"]) == (width + width % 2, height + height % 2)


def test_json_tells_what_was_drawn(render):
    out, printed = render("a.gif", *GAME, "--json")
    height, width, _ = rgb_array(variant("kalah").start()).shape
    last = str(list(positions())[-1])
    facts = {"rules": "kalah", "out": str(out), "width": width, "height": height, "frames": 4, "position": last}
    assert json.loads(printed) == facts


@pytest.mark.parametrize("spec", ["japanese:players=3", "japanese:players=4", "mangala", "toguz_korgool"])
def test_every_kind_of_board_can_be_drawn(render, spec):
    out, _ = render("a.png", "--variant", spec, "--moves", "0")
    assert Image.open(io.BytesIO(out.read_bytes())).format == "PNG"


def test_a_file_is_replaced_only_if_that_is_asked_for(render, capsys, tmp_path):
    out, _ = render("a.svg", *GAME)
    before = out.read_bytes()
    assert main(["render", "--variant", "kalah", "--out", str(out)]) == 2
    assert "exists; choose another name or add --overwrite" in capsys.readouterr().err
    assert out.read_bytes() == before
    render("a.svg", "--variant", "kalah", "--overwrite")
    assert out.read_bytes() != before


MISTAKES = [
    (("a.bmp",), "expected a name that ends in .svg, .png, .gif, .mp4"),
    (("missing/a.svg",), "expected a file in a folder that exists"),
    (("a.svg", "--moves", "2 2"), "ply 2: move 2 is illegal"),
    (("a.svg", "--moves", "north"), "cannot read the move 'north'"),
    (("a.svg", "--from", "4,4+0"), "expected"),
    (("a.svg", "--ply", "1"), "--ply 1: expected 0 to 0"),
    (("a.svg", "--ply", "-1"), "--ply -1: expected 0 to 0"),
    (("a.gif", "--ply", "0"), "--ply 0: .gif shows every position"),
    (("a.svg", "--fps", "2"), "--fps 2: .svg does not move"),
    (("a.gif", "--fps", "0"), "--fps 0: expected 0.1 to 50"),
    (("a.gif", "--fps", "nan"), "--fps nan: expected 0.1 to 50"),
    (("a.png", "--size", "wide"), "--size: expected a whole number, got 'wide'"),
    (("a.png", "--size", "99"), "--size 99: expected 100 to 4096"),
    (("a.png", "--size", "5000"), "--size 5000: expected 100 to 4096"),
    (("a.svg", "--seat", "2"), "--seat 2: expected a seat from 0 to 1"),
    (("a.svg", "--names", "Ann"), "--names 'Ann': expected 2 names"),
]


@pytest.mark.parametrize("words, message", MISTAKES, ids=[" ".join(words) for words, _ in MISTAKES])
def test_a_mistake_is_one_line_and_writes_nothing(capsys, tmp_path, words, message):
    name, *options = words
    assert main(["render", "--variant", "kalah", "--out", str(tmp_path / name), *options]) == 2
    printed, complaint = capsys.readouterr()
    assert printed == "" and len(complaint.splitlines()) == 1
    assert message in complaint
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", ["png PIL", "gif PIL", "mp4 imageio", "mp4 imageio_ffmpeg"])
def test_what_is_missing_is_named_with_its_extra(monkeypatch, capsys, tmp_path, words):
    suffix, module = words.split()
    monkeypatch.setitem(sys.modules, module, None)
    assert main(["render", *GAME, "--out", str(tmp_path / f"a.{suffix}")]) == 2
    complaint = capsys.readouterr().err
    assert complaint == f"mancala-rl: error: this command needs {module}: pip install 'mancala-rl[render]'\n"
    assert list(tmp_path.iterdir()) == []


def test_a_still_can_be_a_film():
    picture = rgb_array(variant("kalah").start(), size=100)
    with Image.open(io.BytesIO(film.gif([picture]))) as animation:
        assert animation.n_frames == 1


def test_the_picture_of_the_readme_is_what_the_command_draws(render):
    out, _ = render("a.svg", "--variant", "kalah", "--moves", README_PICTURE, "--names", "Ann,Ben")
    assert out.read_bytes() == (ROOT / ".github" / "board.svg").read_bytes()
