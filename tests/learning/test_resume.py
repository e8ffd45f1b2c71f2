"""A run that was interrupted, at whatever moment, ends exactly like one that was not."""

import multiprocessing
import random
import signal
import subprocess
import sys
import time

import pytest

from mancala_rl.errors import ConfigError
from mancala_rl.learning import train
from mancala_rl.learning.checkpoint import list_checkpoints
from mancala_rl.learning.lock import locked
from mancala_rl.learning.training import Training
from tests.learning.killed import EARLY, MOMENTS, hold_lock, train_until_killed
from tests.learning.runs import assert_same_run, metrics, scalars, traces, write_config

PROCESSES = multiprocessing.get_context("forkserver")  # imports PyTorch once, not once a process
PROCESSES.set_forkserver_preload(["tests.learning.forkserver"])


@pytest.fixture(scope="module")
def config(tmp_path_factory):
    return write_config(tmp_path_factory.mktemp("config"))


@pytest.fixture(scope="module")
def uninterrupted(config, tmp_path_factory):
    """What a run leaves that nothing interrupted."""
    folder = tmp_path_factory.mktemp("uninterrupted") / "run"
    train(config, out=folder)
    return traces(folder) | {"scalars": scalars(folder)}


def assert_equal(folder, uninterrupted) -> None:
    assert_same_run(folder, {key: value for key, value in uninterrupted.items() if key != "scalars"})
    for tag, values in uninterrupted["scalars"].items():
        if not tag.startswith("time/"):
            assert scalars(folder)[tag] == values, tag


def killed(moment, config, folder) -> None:
    process = PROCESSES.Process(target=train_until_killed, args=(moment, config, folder))
    process.start()
    process.join(100)
    assert process.exitcode == -signal.SIGKILL, f"{moment}: exit code {process.exitcode}"


class StoppedError(Exception):
    """Stands for anything that ends a run from within."""


@pytest.mark.parametrize("number", [1, 3])
def test_a_run_that_ends_after_a_checkpoint_goes_on_from_there(config, tmp_path, monkeypatch, uninterrupted, number):
    folder, saved = tmp_path / "run", []

    def save(training):
        original(training)
        saved.append(training.model.num_timesteps)
        if len(saved) == number:
            raise StoppedError

    original = Training.save
    monkeypatch.setattr(Training, "save", save)
    with pytest.raises(StoppedError):
        train(config, out=folder)
    monkeypatch.undo()
    assert saved[-1] < 1600 and metrics(folder)[-1]["step"] == saved[-1]
    train(None, resume=folder)
    assert_equal(folder, uninterrupted)


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_run_that_was_killed_goes_on_as_if_nothing_had_happened(moment, config, tmp_path, uninterrupted):
    folder = tmp_path / "run"
    killed(moment, config, folder)
    assert not (folder / "agent").exists()
    train(None, resume=folder)
    assert_equal(folder, uninterrupted)


@pytest.mark.parametrize("moment", EARLY)
def test_a_run_that_was_killed_before_it_began_makes_way_for_another(moment, config, tmp_path, uninterrupted):
    folder = tmp_path / "run"
    killed(moment, config, folder)
    with pytest.raises(ConfigError, match=r"expected a run folder with a config\.yaml"):
        train(None, resume=folder)
    train(config, out=folder, overwrite=True)
    assert_equal(folder, uninterrupted)


def lines(folder) -> int:
    path = folder / "metrics.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_a_run_that_is_killed_again_and_again_at_any_moment_gets_to_its_end(config, tmp_path, uninterrupted):
    folder, chance, kills = tmp_path / "run", random.Random(5), 0
    while not (folder / "agent").exists():
        known = (folder / "config.yaml").exists()
        process = PROCESSES.Process(target=train_until_killed, args=("", None if known else config, folder))
        process.start()
        enough = lines(folder) + chance.randint(3, 12)
        while process.is_alive() and lines(folder) < enough:
            process.join(0.002)
        process.join(chance.uniform(0, 0.05))
        kills += process.is_alive()
        process.kill()
        process.join()
    assert kills > 1
    train(None, resume=folder)
    assert_equal(folder, uninterrupted)


@pytest.mark.slow
def test_the_command_line_goes_on_after_kill_9(config, tmp_path, uninterrupted):
    folder = tmp_path / "run"
    command = [sys.executable, "-c", "import sys; from mancala_rl.cli import main; sys.exit(main())", "train"]
    with subprocess.Popen([*command, str(config), "--out", str(folder)], stderr=subprocess.DEVNULL) as process:
        while lines(folder) < 12 and process.poll() is None:
            time.sleep(0.005)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    done = subprocess.run([*command, "--resume", str(folder)], capture_output=True, text=True, check=True)
    assert done.stdout == f"agent: {folder / 'agent'}\n"
    assert_equal(folder, uninterrupted)


def test_the_lock_of_a_run_ends_with_the_process_that_is_killed(tmp_path):
    ready = PROCESSES.Event()
    process = PROCESSES.Process(target=hold_lock, args=(tmp_path, ready))
    process.start()
    assert ready.wait(60)
    with pytest.raises(ConfigError, match="another process is training in it"), locked(tmp_path):
        pass
    process.kill()
    process.join()
    with locked(tmp_path):
        pass


def test_a_finished_run_exports_its_agent_again(config, tmp_path, uninterrupted):
    folder = tmp_path / "run"
    train(config, out=folder)
    for path in (folder / "agent").iterdir():
        path.write_bytes(b"broken")
    assert train(None, resume=folder) == folder / "agent"
    assert_equal(folder, uninterrupted)


def test_a_run_can_go_on_from_an_older_checkpoint(config, tmp_path, uninterrupted):
    folder = tmp_path / "run"
    train(config, out=folder)
    oldest = list_checkpoints(folder / "checkpoints")[0]
    train(None, resume=folder, checkpoint=oldest)
    assert_equal(folder, uninterrupted)
