"""How a process starts: soon, from a cache that is right whoever wrote it, and without one where none can be kept."""

from __future__ import annotations

import ast
import importlib
import json
import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mancala_rl
from mancala_rl import VARIANTS, kernel, variant
from mancala_rl.kernel import layout, special
from mancala_rl.kernel.cache import KernelCache
from mancala_rl.kernel.compile import PLAIN_PYTHON

PACKAGE = Path(mancala_rl.__file__).parent

# Every program ends by telling what it found out, and what was compiled rather than loaded from the cache.
HEAD = """
import json, sys, time
from numba.core import event
compiled = []
class Listener(event.Listener):
    def on_start(self, happened):
        function = happened.data["dispatcher"].py_func
        if not function.__module__.startswith("numba."):
            compiled.append(function.__name__)
    def on_end(self, happened):
        pass
event.register("numba:compile", Listener())
def tell(**found):
    print(json.dumps({**found, "compiled": compiled, "seconds": time.process_time()}))
"""
FIRST_STEPS = """
import mancala_rl as mrl
first = mrl.variant("kalah").start().play(2)
env = mrl.kalah_v0.env()
env.reset(seed=1)
env.step(2)
heavy = {"torch", "pygame", "matplotlib", "stable_baselines3", "rich", "tyro"} & set(sys.modules)
tell(first=str(first), mover=env.agent_selection, heavy=sorted(heavy))
"""
ONE_NUMBER = """
from mancala_rl.kernel import combine
tell(number=combine(1, 2))
"""

needs_jit = pytest.mark.skipif(PLAIN_PYTHON, reason="nothing is compiled under NUMBA_DISABLE_JIT")


def start(program: str, where: Path = PACKAGE.parent, **environment: str) -> subprocess.Popen[str]:
    """Start a program in a new process with the package found in `where`."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("NUMBA_", "PYTHON"))}
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", HEAD + program],
        cwd=where,
        env=inherited | {"PYTHONPATH": str(where)} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def told(process: subprocess.Popen[str]) -> dict[str, Any]:
    """Wait for a program and return what it told."""
    output, errors = process.communicate()
    assert process.returncode == 0, errors
    found: dict[str, Any] = json.loads(output)
    return found


def run(program: str, where: Path = PACKAGE.parent, **environment: str) -> dict[str, Any]:
    return told(start(program, where, **environment))


def cache_files(folder: Path) -> list[str]:
    """Everything a cache has left below a folder, unfinished files too."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.nbc*"))


@pytest.fixture
def kernel_copy(tmp_path: Path) -> Path:
    """A folder with a copy of the kernel in a package that holds nothing else, so that it starts soon."""
    shutil.copytree(
        PACKAGE / "kernel", tmp_path / "mancala_rl" / "kernel", ignore=shutil.ignore_patterns("__pycache__")
    )
    (tmp_path / "mancala_rl" / "__init__.py").touch()
    return tmp_path


# Soon


@needs_jit
def test_a_warm_process_steps_within_a_second() -> None:
    run(FIRST_STEPS)  # warms the cache, if no test has done so before
    starts = [run(FIRST_STEPS) for _ in range(3)]
    assert starts[0]["compiled"] == []
    assert starts[0]["heavy"] == []
    assert starts[0]["first"] == "4,4,0,5,5,5+1/4,4,4,4,4,4+0 0"
    assert starts[0]["mover"] == "player_0"
    assert min(each["seconds"] for each in starts) < 1  # of the processor: a second process may hold the other core


@needs_jit
@pytest.mark.slow
def test_a_cold_process_steps_within_seconds_and_the_next_compiles_nothing(tmp_path: Path) -> None:
    cold = run(FIRST_STEPS, NUMBA_CACHE_DIR=str(tmp_path))
    files = cache_files(tmp_path)
    assert cold["compiled"]
    assert cold["seconds"] < 10  # 5 on an idle machine; a busy neighbour doubles it
    warm = run(FIRST_STEPS, NUMBA_CACHE_DIR=str(tmp_path))
    assert warm["compiled"] == []
    assert cache_files(tmp_path) == files


@needs_jit
@pytest.mark.parametrize("name", ["kalah", "mangala", "mangala_official"])
def test_games_without_special_mechanics_never_ask_for_their_code(name: str) -> None:
    assert variant(name).array[layout.PLAY_ADDRESS] == 0
    assert variant(name).array[layout.PITS_ADDRESS] == 0


@needs_jit
@pytest.mark.parametrize("spec", [*VARIANTS, "kalah:pie=true", "japanese:resign=true", "oware:feed=false"])
def test_all_others_say_where_it_lies(spec: str) -> None:
    rules, r = variant(spec), variant(spec).array
    assert bool(r[layout.PLAY_ADDRESS]) == bool(r[layout.SPECIAL] or rules.pie or rules.resign)
    assert bool(r[layout.PITS_ADDRESS]) == (rules.row_length > r[layout.SCRATCH])
    assert r[layout.PLAY_ADDRESS] in (0, special.address(special.play_specially))
    assert r[layout.PITS_ADDRESS] in (0, special.address(special.allowed_pits))


# Addresses stay in the process


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_rules_travel_without_addresses(protocol: int) -> None:
    rules = variant("oware:pits=3")
    assert rules.array is rules.array
    assert rules.starters == (0, 1)
    arrived = pickle.loads(pickle.dumps(rules, protocol))
    assert vars(arrived) == {name: value for name, value in vars(rules).items() if name not in ("array", "starters")}
    assert arrived == rules
    assert (arrived.array == rules.array).all()


def test_changed_rules_get_an_array_of_their_own() -> None:
    plain = variant("kalah:pits=3")
    assert plain.array[layout.PIE_RULE] == 0
    swapping = plain.replace(pie=True)
    assert swapping.array[layout.PIE_RULE] == 1
    assert bool(swapping.array[layout.PLAY_ADDRESS]) == (not PLAIN_PYTHON)


@needs_jit
def test_rules_from_another_process_play_the_same_game_in_every_thread_of_this_one() -> None:
    rules = variant("oware:pits=4,stones=3,repetition=3")
    batch = rules.batch(8)
    moves = kernel.random_games(batch.rows, np.arange(8), rules.array)
    program = f"""
import pickle, threading
import numpy as np
from mancala_rl.kernel import random_games
rules = pickle.loads({pickle.dumps(rules)!r})
results = []
def play():
    batch = rules.replace(max_plies=0).batch(8)
    results.append([random_games(batch.rows, np.arange(8), batch.rules.array), batch.rows.tolist()])
threads = [threading.Thread(target=play) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
tell(results=results)
"""
    assert run(program)["results"] == [[moves, batch.rows.tolist()]] * 4


# The cache


@needs_jit
def test_what_a_kernel_calls_in_another_package_is_never_stale(tmp_path: Path) -> None:
    for name in ("near", "far"):
        (tmp_path / name).mkdir()
    near, far = tmp_path / "near" / "near.py", tmp_path / "far" / "far.py"
    import_kernel = "from mancala_rl.kernel import kernel\n"
    near.write_text(f"{import_kernel}STEP = 1\n@kernel\ndef further(x):\n    return x + STEP\n", "utf-8")
    far.write_text(
        f"{import_kernel}from near.near import further\n@kernel\ndef twice(x):\n    return further(further(x))\n",
        "utf-8",
    )
    program = "from far.far import twice\ntell(number=twice(5))"
    path = os.pathsep.join([str(tmp_path), str(PACKAGE.parent)])

    first = run(program, tmp_path, PYTHONPATH=path)
    assert first["number"] == 7
    assert first["compiled"] == ["twice", "further"]
    again = run(program, tmp_path, PYTHONPATH=path)
    assert again["number"] == 7
    assert again["compiled"] == []

    near.write_text(near.read_text("utf-8").replace("STEP = 1", "STEP = 20"), "utf-8")
    edited = run(program, tmp_path, PYTHONPATH=path)
    assert edited["number"] == 45
    assert edited["compiled"] == ["twice", "further"]


@needs_jit
def test_an_edit_after_the_import_is_not_kept_under_the_name_of_the_old_source(tmp_path: Path) -> None:
    """What is compiled is the imported source: kept as that of the edited file it would be stale for good."""
    module = tmp_path / "module.py"
    module.write_text("from mancala_rl.kernel import kernel\n@kernel\ndef step(x):\n    return x + 1\n", "utf-8")
    edited = module.read_text("utf-8").replace("x + 1", "x + 20")
    path = os.pathsep.join([str(tmp_path), str(PACKAGE.parent)])
    program = f"import module\nopen(module.__file__, 'w').write({edited!r})\ntell(number=module.step(5))"
    assert run(program, tmp_path, PYTHONPATH=path)["number"] == 6
    assert run("import module\ntell(number=module.step(5))", tmp_path, PYTHONPATH=path)["number"] == 25


@needs_jit
def test_a_package_installed_again_finds_its_cache_and_a_damaged_file_is_made_anew(kernel_copy: Path) -> None:
    first = run(ONE_NUMBER, kernel_copy)
    assert first["compiled"]
    files = cache_files(kernel_copy)
    moved = kernel_copy / "elsewhere"  # the same files at another place and time
    shutil.copytree(kernel_copy / "mancala_rl", moved / "mancala_rl", copy_function=shutil.copyfile)
    assert run(ONE_NUMBER, moved) | {"seconds": 0} == first | {"compiled": [], "seconds": 0}

    damaged = next(path for path in moved.rglob("*.nbc") if path.name.startswith("random.combine-"))
    damaged.write_bytes(damaged.read_bytes()[:-100])
    repaired = run(ONE_NUMBER, moved)
    assert repaired["number"] == first["number"]
    assert repaired["compiled"] == first["compiled"]  # with the ingredients, which are kept nowhere
    assert run(ONE_NUMBER, moved)["compiled"] == []
    assert cache_files(moved) == files


@needs_jit
def test_a_package_that_cannot_be_written_is_cached_in_the_home_of_the_user(kernel_copy: Path) -> None:
    """Permissions do not stop root, on which tests may run; a file where the folder should be stops everybody."""
    (kernel_copy / "mancala_rl" / "kernel" / "__pycache__").touch()
    (kernel_copy / "given").touch()
    home = kernel_copy / "home"
    folders = {"XDG_CACHE_HOME": str(home), "NUMBA_CACHE_DIR": str(kernel_copy / "given")}
    first = run(ONE_NUMBER, kernel_copy, **folders)
    assert first["compiled"]
    assert cache_files(home)
    again = run(ONE_NUMBER, kernel_copy, **folders)
    assert again | {"seconds": 0} == first | {"compiled": [], "seconds": 0}


@needs_jit
def test_where_nothing_can_be_written_every_process_compiles_for_itself(kernel_copy: Path) -> None:
    for folder in (
        kernel_copy / "mancala_rl" / "kernel" / "__pycache__",
        kernel_copy / "home",
        kernel_copy / "given",
    ):
        folder.touch()
    nowhere = {"XDG_CACHE_HOME": str(kernel_copy / "home"), "NUMBA_CACHE_DIR": str(kernel_copy / "given")}
    first, second = (run(ONE_NUMBER, kernel_copy, **nowhere) for _ in range(2))
    assert first["compiled"]
    assert second | {"seconds": 0} == first | {"seconds": 0}
    assert cache_files(kernel_copy) == []


@needs_jit
def test_of_each_function_the_newest_files_stay(tmp_path: Path) -> None:
    """Every edit of the kernel leaves files behind that nobody will read again."""
    names = [f"random.combine-{number:020d}.nbc" for number in range(20)]
    for age, name in enumerate([*names, "random.combine_all-0.nbc"]):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (10**9 - age, 10**9 - age))
    KernelCache(kernel.combine.py_func)._drop_old(tmp_path)
    assert cache_files(tmp_path) == [*names[:16], "random.combine_all-0.nbc"]


@needs_jit
@pytest.mark.slow
def test_eight_processes_that_start_at_once_on_an_empty_cache_agree(tmp_path: Path) -> None:
    oware = """
import mancala_rl as mrl
position = mrl.variant("oware:pits=3,stones=2").start()
while not position.is_over:
    position = position.play(position.legal_moves[0])
tell(end=str(position))
"""
    expected = [{**run(program, NUMBA_DISABLE_JIT="1"), "seconds": 0} for program in (FIRST_STEPS, oware)] * 4
    together = [start(program, NUMBA_CACHE_DIR=str(tmp_path)) for program in (FIRST_STEPS, oware) * 4]
    found = [{**told(process), "seconds": 0} for process in together]
    assert all(each["compiled"] for each in found)
    assert [each | {"compiled": []} for each in found] == expected
    files = cache_files(tmp_path)
    assert all(name.endswith(".nbc") for name in files)
    for program in (FIRST_STEPS, oware):
        assert run(program, NUMBA_CACHE_DIR=str(tmp_path))["compiled"] == []
    assert cache_files(tmp_path) == files


def kernels() -> list[Any]:
    """Every kernel but those for learning, whose import takes seconds if no other test has imported them."""
    for path in PACKAGE.rglob("*.py"):
        module = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
        if "kernel\ndef" in path.read_text("utf-8") and ".learning." not in module:
            importlib.import_module(module)
    modules = [module for name, module in list(sys.modules.items()) if name.split(".")[0] == "mancala_rl"]
    found = {id(value): value for module in modules for value in vars(module).values()}
    return [value for value in found.values() if isinstance(getattr(value, "_cache", None), KernelCache)]


@needs_jit
def test_the_cache_knows_every_folder_from_which_a_kernel_takes_a_name() -> None:
    """An edit there would else go unseen; constants count as much as functions."""
    checked = 0
    for function in kernels():
        body = ast.parse(Path(function.py_func.__code__.co_filename).read_text("utf-8"))
        sources = {
            alias.asname or alias.name: f"{node.module}"
            for node in ast.walk(body)
            if isinstance(node, ast.ImportFrom) and f"{node.module}".startswith("mancala_rl.")
            for alias in node.names
        }
        for name in set(function.py_func.__code__.co_names) & set(sources):
            source = Path(str(sys.modules[sources[name]].__file__)).resolve()
            known = function._cache.stamps
            defined = getattr(sys.modules[sources[name]], name)
            if source.name == "__init__.py" and isinstance(getattr(defined, "_cache", None), KernelCache):
                source = Path(defined.py_func.__code__.co_filename).resolve()
            assert source.parent in known, f"{function.py_func.__qualname__} uses {name} of {source}"
            checked += 1
    assert checked > 100


@needs_jit
def test_functions_without_a_source_of_their_own_are_not_cached() -> None:
    namespace: dict[str, Any] = {}
    exec("def typed_in(x):\n    return x + 1", {"__name__": "typed"}, namespace)
    assert kernel.kernel(namespace["typed_in"])._cache.cache_path is None

    for step in (1, 20):  # one source, two functions

        def made(x: int, step: int = step) -> int:
            return x + step

        def closed(x: int) -> int:
            return x + step  # noqa: B023

        assert kernel.kernel(made)(5) == 5 + step
        assert kernel.kernel(closed)(5) == 5 + step
