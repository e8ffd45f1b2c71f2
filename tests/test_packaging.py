"""The wheel: what is in it, and that it works where there is no checkout."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXPECTED = (
    "mancala_rl/__init__.py",
    "mancala_rl/__main__.py",
    "mancala_rl/py.typed",
    "mancala_rl/kernel/moves.py",
    "mancala_rl/study/testsets/kalah.jsonl.gz",
    "mancala_rl/_agents/uniform.py",
    "mancala_rl/_agents/greedy.py",
    "mancala_rl/_agents/minimax.py",
    "mancala_rl/_configs/ppo/kalah-demo.yaml",
    "mancala_rl/_configs/ppo/kalah.yaml",
)


def run(command: list[str | Path], cwd: Path, **environment: str) -> str:
    inherited = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    finished = subprocess.run(
        list(map(str, command)), cwd=cwd, env=inherited | environment, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, f"{command}\n{finished.stdout}\n{finished.stderr}"
    return finished.stdout


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run([sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder], ROOT)
    (built,) = folder.glob("mancala_rl-*.whl")
    return built


@pytest.fixture(scope="session")
def contents(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_wheel_holds_the_package_the_agents_and_the_configs(contents: set[str]) -> None:
    assert set(EXPECTED) - contents == set()


def test_wheel_holds_every_module_of_the_checkout(contents: set[str]) -> None:
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "mancala_rl").rglob("*.py")}
    assert modules - contents == set()


def test_wheel_holds_every_solved_test_set(contents: set[str]) -> None:
    sets = {path.relative_to(ROOT).as_posix() for path in (ROOT / "mancala_rl" / "study").rglob("*.gz")}
    assert len(sets) >= 3
    assert sets - contents == set()


def test_wheel_installs_one_import_package_and_nothing_beside_it(contents: set[str]) -> None:
    tops = {PurePosixPath(name).parts[0] for name in contents}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"mancala_rl"}


def test_wheel_holds_no_cache(contents: set[str]) -> None:
    assert [name for name in contents if "__pycache__" in name or name.endswith((".pyc", ".nbi", ".nbc"))] == []


def test_wheel_names_the_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
        assert "mancala-rl = mancala_rl.cli:main" in archive.read(name).decode()


class Installation:
    """A virtual environment that holds the wheel, and sees the tests' third-party packages through a .pth file."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder = folder
        self.binaries = folder / "venv" / "bin"
        venv.create(folder / "venv", symlinks=True)
        pip = [sys.executable, "-m", "pip", "--python", self.binaries / "python"]
        run([*pip, "install", "-qq", "--no-deps", "--no-index", wheel], folder)
        (site,) = (folder / "venv" / "lib").glob("python*/site-packages")
        (site / "third_party.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
        self.package = site / "mancala_rl"

    def python(self, code: str) -> str:
        return run([self.binaries / "python", "-c", code], self.folder)

    def command(self, *arguments: str | Path) -> str:
        return run([self.binaries / "mancala-rl", *arguments], self.folder)


@pytest.fixture(scope="session")
def installation(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    return Installation(tmp_path_factory.mktemp("installation"), wheel)


@pytest.mark.slow
def test_installed_package_is_the_one_that_runs(installation: Installation) -> None:
    assert (
        Path(installation.python("import mancala_rl; print(mancala_rl.__file__)").strip()).parent
        == installation.package
    )


@pytest.mark.slow
def test_installed_wheel_plays(installation: Installation) -> None:
    shown = json.loads(installation.command("replay", "kalah", "--moves", "2 5 3 0", "--json"))
    assert "0,6,1,6,6,0+8/0,5,5,0,5,5+1 1" in json.dumps(shown)
    chosen = installation.python(
        "import mancala_rl as mrl\n"
        "from mancala_rl.agent import choose\n"
        "p = mrl.variant('kalah').start()\n"
        "print(*[choose(mrl.make_agent(name, p.rules), p) in p.legal_moves\n"
        "        for name in ('uniform', 'greedy', 'minimax:depth=2')])\n"
    )
    assert chosen.split() == ["True"] * 3


@pytest.mark.slow
def test_installed_wheel_trains_and_evaluates(installation: Installation) -> None:
    config = installation.package / "_configs" / "ppo" / "kalah-demo.yaml"
    small = ("steps=512", "games=16", "ppo.n_steps=8", "ppo.batch_size=64", "league.anchors={uniform: 1.0}")
    installation.command("train", config, *small, "evaluation.against=[uniform]", "--out", "run")
    agent = installation.folder / "run" / "agent"
    assert {"config.json", "model.safetensors"} <= {path.name for path in agent.iterdir()}
    shown = installation.command(
        "evaluate", agent, "--variant", "kalah", "--against", "uniform", "--against", agent, "--pairs", "4", "--json"
    )
    against_uniform, against_itself = json.loads(shown)["results"]
    assert against_uniform["games"] == 8
    assert against_itself["score"] == 0.5
