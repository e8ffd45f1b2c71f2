"""Plain Python, without the compiler, plays the same batches."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mancala_rl import MancalaVectorEnv, SelfPlayVectorEnv
from mancala_rl.kernel.compile import PLAIN_PYTHON
from tests.envs.batched import CIRCLING, RECORDS, told, transcript

ROOT = Path(__file__).parents[2]


def runs():
    """What a few batches of every kind show, as JSON."""
    made = [
        SelfPlayVectorEnv("kalah:pits=3,stones=2,pie=true", 4, first="random", opening_plies=(0, 3)),
        SelfPlayVectorEnv(RECORDS, 9, records="random", observation="tactical", opening_plies=(0, 2), threads=2),
        SelfPlayVectorEnv(["kalah:pits=2,stones=1,pie=true", "oware:pits=2,stones=1"], 2, observation="lookahead"),
        SelfPlayVectorEnv("japanese:players=4,pits=2,stones=1,resign=true", 4, autoreset_mode="NEXT_STEP"),
        SelfPlayVectorEnv(CIRCLING, 2),
        MancalaVectorEnv("oware:pits=3,stones=2", 4, opponent="greedy", reward="margin", copy=False),
        MancalaVectorEnv(RECORDS, 8, first="random", autoreset_mode="DISABLED", opening_plies=(0, 2)),
    ]
    views = [[told(env.reset(seed=5)), transcript(env, 12), env.sample_actions().tolist()] for env in made]
    for number, env in enumerate(made):  # an illegal move, and what it leads to
        actions = env.sample_actions()
        actions[0] = int(env.action_masks()[0].argmin())
        views.append([number, told(env.step(actions)), told(env.get_state())])
    return json.dumps(views)


@pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled under NUMBA_DISABLE_JIT")
def test_plain_python_plays_the_same():
    code = "from tests.envs.test_vector_processes import runs; print(runs())"
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == json.loads(runs())
