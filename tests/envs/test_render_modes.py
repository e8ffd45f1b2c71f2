"""`render_mode` of the environments: text, SVG, pixels and a window."""

import copy
import pickle
import sys
import warnings
import xml.etree.ElementTree as ET

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from mancala_rl import kalah_v0, variant
from mancala_rl.envs.aec import MancalaAEC
from mancala_rl.envs.rendering import board_text, rgb_array, screen, svg
from mancala_rl.envs.rendering.window import Window
from mancala_rl.envs.single import MancalaEnv
from mancala_rl.errors import BadInputError

with warnings.catch_warnings():  # where pygame is installed this imports one of PettingZoo's games the old way
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import render_test

pygame = pytest.importorskip("pygame")

NAMES = ("player_0", "player_1")
VARIANTS = ["kalah", "japanese:players=3,pits=4,stones=3", "mangala:pits=3"]
both = pytest.mark.parametrize("make", [kalah_v0.env, MancalaEnv], ids=["AEC", "single"])


@pytest.fixture(autouse=True)
def headless(monkeypatch):
    """Windows that nobody sees, and nobody waits for; none is left."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setattr(screen, "FPS", 10_000)
    yield
    assert not pygame.display.get_init()


def is_svg(text):
    return ET.fromstring(text).tag.endswith("svg")


@pytest.mark.parametrize("spec", VARIANTS)
def test_pettingzoo_renders(spec):
    made = []

    def make(render_mode):
        made.append(MancalaAEC(variant(spec), render_mode=render_mode))
        return made[-1]

    render_test(make, {"svg": is_svg})
    for env in made:
        env.close()


def test_gymnasium_renders():
    env = gymnasium.make("mancala/Kalah-v0", render_mode="rgb_array", disable_env_checker=True)
    check_env(env.unwrapped)  # makes and draws an environment of every render mode, too


def test_metadata_tell_the_modes_and_the_speed():
    for env in (kalah_v0.env(), MancalaEnv()):
        assert env.metadata["render_modes"] == ["ansi", "human", "rgb_array", "svg"]
        assert env.metadata["render_fps"] == 2


def test_the_picture_is_that_of_the_position():
    start = variant("kalah").start().play(2)
    for mode, expected in (("ansi", board_text(start, NAMES)), ("svg", svg(start, NAMES))):
        env = kalah_v0.env(render_mode=mode)
        env.reset(seed=0)
        env.step(2)
        assert env.render() == expected
    env = kalah_v0.env(render_mode="rgb_array")
    env.reset(seed=0)
    env.step(2)
    np.testing.assert_array_equal(env.render(), rgb_array(start, NAMES))


def test_the_learner_sits_at_the_bottom_of_the_picture():
    env = MancalaEnv(render_mode="svg", seat=1, opponent="greedy")
    env.reset(seed=0)
    assert env.render() == svg(env.position, ("greedy", "learner"), 1)


def test_another_mode_is_refused():
    with pytest.raises(BadInputError, match="render_mode='video': expected one of None, ansi, human, rgb_array, svg"):
        kalah_v0.env(render_mode="video")


@both
@pytest.mark.parametrize("mode, module", [("rgb_array", "PIL"), ("human", "PIL"), ("human", "pygame")])
def test_a_missing_package_is_told_when_the_environment_is_made(monkeypatch, make, mode, module):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'mancala-rl\[render\]'"):
        make(render_mode=mode)


# --------------------------------------------------------------------------------------------------------- the window


@pytest.fixture
def shown(monkeypatch):
    """The pictures that windows showed."""
    pictures, show = [], Window.show

    def record(window, picture, fps):
        pictures.append(picture)
        show(window, picture, fps)

    monkeypatch.setattr(Window, "show", record)
    return pictures


def test_the_window_shows_every_position_of_the_aec_environment(shown):
    env = kalah_v0.env(render_mode="human")
    env.reset(seed=0)
    position = variant("kalah").start()
    for move in (2, 5, 0):
        env.step(move)
    for picture, move in zip(shown, (2, 5, 0, None), strict=True):
        np.testing.assert_array_equal(picture, rgb_array(position, NAMES))
        position = position if move is None else position.play(move)
    env.step(2)  # illegal
    assert len(shown) == 5 and (shown[4] != shown[3]).any()
    env.close()


def test_the_window_shows_the_moves_of_the_opponent_too(shown):
    env = MancalaEnv(render_mode="human", seat=0, opponent="greedy")
    env.reset(seed=0)
    assert len(shown) == 1
    env.step(0)
    assert len(shown) == env.position.ply + 1 > 2
    assert env.render() is None
    env.close()


@both
def test_closing_closes_the_window_and_leaves_nothing(make):
    env = make(render_mode="human")
    env.close()  # before there is one
    env.reset(seed=0)
    assert pygame.display.get_init()
    env.close()
    assert not pygame.display.get_init() and not Window._shown
    env.close()
    env.render()  # opens another
    assert pygame.display.get_init()
    env.close()


def test_two_windows_do_not_mind_each_other():
    one, two = (kalah_v0.env(render_mode="human") for _ in range(2))
    one.reset(seed=0)
    two.reset(seed=0)
    one.close()
    assert pygame.display.get_init()
    two.step(0)
    two.close()


def test_a_display_that_was_there_before_stays(monkeypatch):
    pygame.display.init()
    env = kalah_v0.env(render_mode="human")
    env.reset(seed=0)
    env.close()
    assert pygame.display.get_init()
    pygame.display.quit()


def test_a_window_closed_by_hand_stays_closed():
    env = kalah_v0.env(render_mode="human")
    env.reset(seed=0)
    (window,) = Window._shown.values()
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=window._window))
    env.step(0)
    assert not Window._shown and not pygame.display.get_init()
    env.step(0)  # goes on, unseen
    assert not Window._shown
    env.close()


def test_a_display_that_is_not_there_is_a_warning(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "no such driver")
    env = kalah_v0.env(render_mode="human")
    with pytest.warns(UserWarning, match="shows nothing"):
        env.reset(seed=0)
    env.step(0)
    env.close()


@both
def test_copies_have_windows_of_their_own(make):
    env = make(render_mode="human")
    env.reset(seed=0)
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert len(Window._shown) == 1
        twin.render()
        assert len(Window._shown) == 2
        twin.close()
    env.close()
