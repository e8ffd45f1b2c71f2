"""The public names, and what importing the package does and does not do."""

import subprocess
import sys
from types import ModuleType

import gymnasium
import pytest

import mancala_rl

CONTRACT = {"VARIANTS", "Agent", "Batch", "Position", "Rules", "hint", "kalah_v0", "make_agent", "search", "variant"}
HEAVY = {"matplotlib", "pygame", "ray", "rich", "sb3_contrib", "stable_baselines3", "tensorboard", "torch"}


def by_kind(name: str) -> tuple[int, str]:
    """Constants, then classes, then everything else: the order that the linter's import sorting uses too."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def run_python(code: str) -> str:
    finished = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def test_all_is_sorted() -> None:
    assert list(mancala_rl.__all__) == sorted(set(mancala_rl.__all__), key=by_kind)


@pytest.mark.parametrize("name", mancala_rl.__all__)
def test_every_public_name_resolves(name: str) -> None:
    assert getattr(mancala_rl, name) is not None


def test_all_holds_the_contract() -> None:
    assert set(mancala_rl.__all__) >= CONTRACT


def test_no_public_name_is_missing_from_all() -> None:
    public = {
        name
        for name, value in vars(mancala_rl).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    assert public - set(mancala_rl.__all__) == set()


def test_import_pulls_in_nothing_heavy() -> None:
    loaded = run_python("import mancala_rl, sys; print(*{name.partition('.')[0] for name in sys.modules})").split()
    assert "numba" in loaded
    assert HEAVY & set(loaded) == set()


def test_import_opens_no_connection() -> None:
    run_python(
        "import sys\n"
        "def refuse(event, arguments):\n"
        "    if event in ('socket.connect', 'socket.getaddrinfo', 'socket.bind'):\n"
        "        raise RuntimeError(f'{event} {arguments}')\n"
        "sys.addaudithook(refuse)\n"
        "import mancala_rl\n"
    )


def test_import_warns_of_nothing() -> None:
    assert run_python("import warnings; warnings.simplefilter('error'); import mancala_rl") == ""


def test_import_registers_the_environments() -> None:
    assert "mancala/Kalah-v0" in gymnasium.registry
