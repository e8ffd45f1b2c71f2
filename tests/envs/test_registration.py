"""The ids of the environments, and what importing the package costs."""

import importlib
import json
import subprocess
import sys

import gymnasium
import pettingzoo
import pytest

import mancala_rl
from mancala_rl import kalah_v0
from mancala_rl.envs.registration import AEC, PUZZLES, SINGLE_AGENT, register_environments
from mancala_rl.errors import RulesError


def test_every_id_makes_an_environment():
    for name in AEC:
        pettingzoo.make("aec", name).reset(seed=0)
    for name in (*SINGLE_AGENT, *PUZZLES):
        gymnasium.make(name).reset(seed=0)


def test_options_pass_through_the_registries():
    env = pettingzoo.make("aec", "mancala/kalah-v0", pits=5, stones=3, observation="tactical")
    assert env.rules == mancala_rl.variant("kalah:pits=5,stones=3")
    assert gymnasium.make("mancala/Kalah-v0", pits=5).unwrapped.rules.pits == 5
    with pytest.raises(RulesError, match="no option 'pit'"):
        pettingzoo.make("aec", "mancala/kalah-v0", pit=5)


def test_gymnasium_finds_the_package_by_the_id_alone():
    code = "import gymnasium; gymnasium.make('mancala_rl:mancala/Kalah-v0', opponent='greedy').reset(seed=0)"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_registering_twice_neither_warns_nor_replaces():
    before = gymnasium.registry["mancala/Kalah-v0"]
    register_environments()
    importlib.reload(mancala_rl)
    assert gymnasium.registry["mancala/Kalah-v0"] is before


def test_the_environments_are_public_names():
    assert mancala_rl.kalah_v0 is kalah_v0
    names = {"env", "japanese_mancala_v0", "kalah_v0", "mangala_v0", "oware_v0", "raw_env"}
    assert names <= set(mancala_rl.__all__)
    assert kalah_v0.raw_env.metadata["name"] == "kalah_v0"
    assert not kalah_v0.raw_env.metadata["is_parallelizable"]


def test_importing_is_light_and_silent():
    heavy = ("torch", "pygame", "matplotlib", "rich", "stable_baselines3", "sb3_contrib", "tensorboard", "starlette")
    code = f"import json, sys, mancala_rl; print(json.dumps([m for m in {heavy} if m in sys.modules]))"
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], check=True, capture_output=True, text=True)
    assert json.loads(run.stdout) == []
    assert run.stderr == ""
