"""Compilation: a second process compiles nothing, an edit anywhere in the kernel is seen, plain Python agrees."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import mancala_rl
from mancala_rl import variant
from mancala_rl.kernel import layout

ROOT = Path(__file__).resolve().parents[2]

# Plays a game by rows and by positions, then tells the cells at the end and what numba found in its cache.
PLAY_A_GAME = """
import json, sys
import mancala_rl as mrl
from mancala_rl import kernel
position = mrl.variant("kalah").start()
while not position.is_over:
    position = position.play(position.legal_moves[0])
batch = mrl.variant("kalah").batch(2)
while not batch.over.all():
    batch.play(batch.legal().argmax(axis=1))
jitted = [getattr(kernel, name) for name in kernel.__all__]
stats = [function.stats for function in jitted if hasattr(function, "stats")]
json.dump({
    "end": [str(position), str(batch[0]), position.ply],
    "hits": sum(sum(stat.cache_hits.values()) for stat in stats),
    "misses": sum(sum(stat.cache_misses.values()) for stat in stats),
    "package": mrl.__file__,
}, sys.stdout)
"""

# Plays one move on a row through a kernel of another file than `play`, and tells the row.
PLAY_A_MOVE = """
import json, sys
import numpy as np
import mancala_rl as mrl
from mancala_rl.kernel import play_range
rules = mrl.variant("kalah:pits=2,stones=2")
rows = np.zeros((1, rules.row_length), np.int16)
rows[0, :rules.num_cells] = rules.start_cells
play_range(0, 1, rows, np.zeros(1, np.int64), rules.array)
json.dump(rows[0].tolist(), sys.stdout)
"""


def run(code: str, where: Path, **environment: str) -> object:
    """Run a program in a new process with the package found in `where`; what it printed as JSON."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=where,
        env=inherited | {"PYTHONPATH": str(where)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def cache_files(folder: Path) -> list[str]:
    return sorted(str(path) for path in folder.rglob("*.nb?"))


needs_jit = pytest.mark.skipif(
    bool(os.environ.get("NUMBA_DISABLE_JIT", "0") != "0"), reason="nothing is compiled under NUMBA_DISABLE_JIT"
)


@needs_jit
def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    where = Path(mancala_rl.__file__).parents[1]
    first = run(PLAY_A_GAME, where, NUMBA_CACHE_DIR=str(tmp_path))
    files = cache_files(tmp_path)
    second = run(PLAY_A_GAME, where, NUMBA_CACHE_DIR=str(tmp_path))
    assert files
    assert first["misses"] > 0
    assert second["misses"] == 0
    assert second["hits"] > 0
    assert cache_files(tmp_path) == files
    assert second["end"] == first["end"]


def edited_copy(tmp_path: Path) -> Path:
    """A copy of the package to edit, without what was compiled."""
    package = Path(mancala_rl.__file__).parent
    return shutil.copytree(package, tmp_path / "mancala_rl", ignore=shutil.ignore_patterns("__pycache__", "_agents"))


@needs_jit
def test_an_edited_callee_or_constant_in_another_file_is_never_served_from_the_cache(tmp_path: Path) -> None:
    kernel = edited_copy(tmp_path) / "kernel"
    cells = variant("kalah:pits=2,stones=2").num_cells
    before = run(PLAY_A_MOVE, tmp_path)
    assert before[:cells] == [0, 3, 1, 2, 2, 0]
    assert before[cells + layout.PLY] == 1
    assert before[cells + layout.LIFTED] == 0
    assert cache_files(tmp_path), "the copy was not cached, so this would prove nothing"

    constants, moves = (kernel / "layout.py").read_text("utf-8"), (kernel / "moves.py").read_text("utf-8")
    swapped = re.sub(r"(?m)^PLY = \d+", f"PLY = {layout.LIFTED}", constants)
    (kernel / "layout.py").write_text(swapped, "utf-8")
    after_constant = run(PLAY_A_MOVE, tmp_path)
    assert after_constant[cells + layout.PLY] == 0
    assert after_constant[cells + layout.LIFTED] == 1

    (kernel / "moves.py").write_text(moves + "\n\n@kernel\ndef play(S, g, action, r):\n    S[g, 0] = 77\n", "utf-8")
    assert run(PLAY_A_MOVE, tmp_path)[0] == 77

    (kernel / "layout.py").write_text(constants, "utf-8")
    (kernel / "moves.py").write_text(moves, "utf-8")
    assert run(PLAY_A_MOVE, tmp_path) == before


def test_plain_python_plays_the_referee_games_and_the_oracles_games_too() -> None:
    tests = ["tests/rules/test_referee_cases.py", "tests/rules/test_faults.py", "tests/kernel/test_random.py"]
    tests += ["tests/rules/test_family_by_hand.py"]
    tests += ["tests/kernel/test_against_reference.py::test_a_batch_plays_every_one_of_its_games_as_the_oracle_does"]
    arguments = [*tests, "-q", "-p", "no:cacheprovider"]
    code = f"import numba, pytest, sys; assert numba.config.DISABLE_JIT; sys.exit(pytest.main({arguments}))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr
    assert "passed" in done.stdout


def test_the_rows_are_the_same_compiled_and_in_plain_python() -> None:
    code = """
import hashlib, json, sys
import numpy as np
import mancala_rl as mrl
from mancala_rl.kernel import random_games
digests = []
specs = ["kalah:pits=3,stones=7,pie=true,leftovers=emptier", "kalah:pits=8,start_position=random"]
specs += ["japanese:players=4,resign=true", "japanese:players=3,play_out=false", "oware:cycle_split=even,repetition=3"]
for spec in [*mrl.VARIANTS, *specs]:
    batch = mrl.variant(spec).batch(20, seeds=np.arange(20))
    batch.random_plies(np.arange(20) % 9, np.arange(20))
    random_games(batch.rows, np.arange(20), batch.rules.array)
    digests.append(hashlib.sha256(batch.rows.tobytes()).hexdigest())
json.dump(digests, sys.stdout)
"""
    where = Path(mancala_rl.__file__).parents[1]
    compiled = run(code, where)
    assert compiled == run(code, where, NUMBA_DISABLE_JIT="1")
    assert len(set(compiled)) == len(compiled)
