"""Environments that run for long take no more memory than at first, and leave no cycles for the collector."""

import gc
import json
import subprocess
import sys
from pathlib import Path

import pytest

from mancala_rl import MancalaVectorEnv, SelfPlayVectorEnv, kalah_v0
from mancala_rl.envs.single import MancalaEnv
from tests.envs.batched import RECORDS

ROOT = Path(__file__).parents[2]
GROWTH = 8 << 20  # bytes a long run may grow by: the allocator keeps a few pages of its own
OBJECTS = 300  # that may be left of a long run: caches of masks, NumPy's and the interpreter's own


def run_seats(steps, **options):
    env = SelfPlayVectorEnv(**{"rules": "kalah", "num_envs": 16, **options})
    env.reset(seed=0)
    for _ in range(steps):
        env.step(env.sample_actions())


def run_learner(steps, **options):
    env = MancalaVectorEnv(**{"rules": "kalah:pits=3,stones=2", "num_envs": 4, **options})
    env.reset(seed=0)
    for _ in range(steps):
        env.step(env.sample_actions())


def run_aec(steps):
    env = kalah_v0.env(pits=3, stones=2)
    env.reset()
    for _ in range(steps):
        if not env.agents or env.terminations[env.agent_selection]:
            env.reset()
        mask = env.last()[0]["action_mask"]
        env.step(int(mask.argmax()))


def run_single(steps):
    env = MancalaEnv("kalah:pits=3,stones=2")
    env.reset(seed=0)
    for _ in range(steps):
        if env.step(int(env.action_masks().argmax()))[2]:
            env.reset()


RUNS = {
    "seats": run_seats,
    "seats, threads": lambda steps: run_seats(steps, threads=2),
    "seats, mixed": lambda steps: run_seats(steps, rules=RECORDS, records="random", observation="tactical"),
    "learner": run_learner,
    "learner, no copies": lambda steps: run_learner(steps, copy=False),
    "AEC": run_aec,
    "single": run_single,
}


@pytest.mark.parametrize("name", RUNS)
def test_no_cycles_are_left(name):
    RUNS[name](30)  # makes what is made once
    gc.collect()
    gc.disable()
    try:
        RUNS[name](150)
        assert gc.collect() == 0
    finally:
        gc.enable()


LONG = """
import gc, json, sys
from pathlib import Path
from tests.envs import test_memory as t

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

run, steps, parts = eval(sys.argv[1]), int(sys.argv[2]), 4
run(steps // parts)
gc.collect()
memory, objects = resident(), len(gc.get_objects())
for _ in range(parts - 1):
    run(steps // parts)
gc.collect()
print(json.dumps([resident() - memory, len(gc.get_objects()) - objects]))
"""
LONG_RUNS = {
    "seats": ("lambda n: t.run_seats(n, num_envs=1000)", 10_000),  # ten million moves
    "mixed seats": ("lambda n: t.run_seats(n, num_envs=1000, rules=t.RECORDS, records='random')", 1_000),
    "learner": ("t.run_learner", 300_000),
    "AEC": ("t.run_aec", 1_000_000),
    "single": ("t.run_single", 300_000),
}


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads how much memory is in use from /proc")
@pytest.mark.parametrize("name", LONG_RUNS)
def test_memory_stays_flat_over_long_runs(name):
    code, steps = LONG_RUNS[name]
    run = subprocess.run(
        [sys.executable, "-c", LONG, code, str(steps)], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert run.returncode == 0, run.stderr
    memory, objects = json.loads(run.stdout)
    assert memory < GROWTH
    assert objects < OBJECTS
