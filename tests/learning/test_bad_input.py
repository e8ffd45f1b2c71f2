"""Damaged files, wrong folders and full disks: one clear line each, and nothing lost."""

import errno
import json
import os
import shutil
import tempfile
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

import mancala_rl as mrl
from mancala_rl.errors import AgentError, CheckpointError, ConfigError, RunError
from mancala_rl.learning import checkpoint as checkpoints
from mancala_rl.learning import files, player, train
from mancala_rl.learning.checkpoint import list_checkpoints, save_checkpoint
from mancala_rl.learning.lock import locked
from mancala_rl.learning.logs import MetricsWriter
from mancala_rl.learning.memory import memory_errors
from mancala_rl.learning.training import Training
from tests.learning.runs import assert_same_run, newest_state, traces, write_config

RULES = mrl.variant("kalah:pits=3,stones=2")


@pytest.fixture(scope="module")
def config(tmp_path_factory):
    return write_config(tmp_path_factory.mktemp("config"), steps=1024, checkpoint={"every": 256, "keep": 3})


@pytest.fixture(scope="module")
def finished(config, tmp_path_factory):
    folder = tmp_path_factory.mktemp("finished") / "run"
    train(config, out=folder)
    return folder


@pytest.fixture
def run(finished, tmp_path):
    """A copy of a finished run with three checkpoints."""
    return Path(shutil.copytree(finished, tmp_path / "run"))


def refusal(kind, call, *args, **options) -> str:
    """The message of the error a call gives, which must be one line."""
    with pytest.raises(kind) as caught:
        call(*args, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# --------------------------------------------------------------------------------------------------------- checkpoints


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def flip(path: Path, where: int) -> None:
    data = bytearray(path.read_bytes())
    data[where] ^= 4
    path.write_bytes(data)


DAMAGES = {
    "truncated": truncate,
    "cut to its head": lambda path: path.write_bytes(path.read_bytes().partition(b"\n")[0]),
    "empty": empty,
    "a bit flipped in the weights": lambda path: flip(path, -5000),
    "the last bit flipped": lambda path: flip(path, -1),
    "a bit flipped in the run": lambda path: flip(path, path.read_bytes().index(b'"run": "') + 9),
    "a bit flipped in the step": lambda path: flip(path, path.read_bytes().index(b'"step": ') + 9),
    "a bit flipped in a key": lambda path: flip(path, path.read_bytes().index(b"sha256")),
    "something else": lambda path: path.write_bytes(b"[1, 2]\nno checkpoint"),
    "text": lambda path: path.write_text("hello"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_checkpoint_is_refused_and_the_previous_one_offered(run, damage):
    *_, previous, newest = list_checkpoints(run / "checkpoints")
    DAMAGES[damage](newest)
    before = contents(run)
    message = refusal(CheckpointError, train, None, resume=run)
    assert message.startswith(f"{newest}: this checkpoint is damaged; {previous.name} is whole, go on from it: ")
    assert message.endswith(f"mancala-rl train --resume {run} --checkpoint {previous}")
    assert contents(run) == before


def test_the_offered_checkpoint_leads_to_the_same_end(run, finished):
    *_, previous, newest = list_checkpoints(run / "checkpoints")
    truncate(newest)
    shutil.rmtree(run / "agent")
    train(None, resume=run, checkpoint=previous)
    assert_same_run(run, traces(finished))


def test_a_damaged_checkpoint_is_not_offered(run):
    oldest, middle, newest = list_checkpoints(run / "checkpoints")
    for path in (middle, newest):
        truncate(path)
    assert f"{oldest.name} is whole" in refusal(CheckpointError, train, None, resume=run)
    truncate(oldest)
    assert refusal(CheckpointError, train, None, resume=run).endswith(
        "; there is no other one: train again from the start"
    )


def test_for_an_older_damaged_checkpoint_the_one_before_it_is_offered_or_else_a_newer_one(run):
    oldest, middle, newest = list_checkpoints(run / "checkpoints")
    truncate(middle)
    assert f"{oldest.name} is whole" in refusal(CheckpointError, train, None, resume=run, checkpoint=middle)
    truncate(oldest)
    assert f"{newest.name} is whole" in refusal(CheckpointError, train, None, resume=run, checkpoint=oldest)


def test_a_checkpoint_that_is_not_there_or_cannot_be_read(run):
    newest = list_checkpoints(run / "checkpoints")[-1]
    missing = run / "checkpoints" / "step-000000000001.ckpt"
    message = refusal(CheckpointError, train, None, resume=run, checkpoint=missing)
    assert message.startswith(f"{missing}: there is no such checkpoint; {newest.name} is whole")
    message = refusal(CheckpointError, train, None, resume=run, checkpoint=run)
    assert message.startswith(f"{run}: cannot read this checkpoint: Is a directory")


def test_for_a_file_that_is_no_checkpoint_of_the_run_one_of_the_run_is_offered(run, tmp_path):
    newest = list_checkpoints(run / "checkpoints")[-1]
    (tmp_path / "notes.txt").write_text("foreign")
    for path in (tmp_path / "typo.ckpt", run, run / "checkpoints", tmp_path / "notes.txt"):
        message = refusal(CheckpointError, train, None, resume=run, checkpoint=path)
        assert message.startswith(f"{path}: ")
        assert message.endswith(f"; {newest.name} is whole, go on from it: {command(run, newest)}")


def command(run: Path, path: Path) -> str:
    return f"mancala-rl train --resume {run} --checkpoint {path}"


@pytest.mark.parametrize("gone", ["the agent", "the marker", "neither"])
def test_a_run_whose_checkpoints_are_lost_does_not_begin_again_by_itself(run, gone):
    for path in list_checkpoints(run / "checkpoints"):
        path.unlink()
    if gone == "the agent":
        shutil.rmtree(run / "agent")
    elif gone == "the marker":
        (run / "checkpointed").unlink()
    before = contents(run)
    message = refusal(CheckpointError, train, None, resume=run)
    assert message.startswith(f"{run / 'checkpoints'}: this run has saved checkpoints and none is left; put one back")
    assert message.endswith(f"train anew: mancala-rl train {run / 'config.yaml'} --out {run} --overwrite")
    assert contents(run) == before


def test_a_run_whose_checkpoints_are_lost_can_be_trained_anew_as_advised(run, finished):
    shutil.rmtree(run / "checkpoints")
    train(run / "config.yaml", out=run, overwrite=True)
    assert_same_run(run, traces(finished))


def test_a_checkpoint_of_another_run_is_refused(run, finished, tmp_path):
    other = save_checkpoint(tmp_path, 5, "0123456789abcdef", newest_state(finished), keep=2)
    message = refusal(CheckpointError, train, None, resume=run, checkpoint=other)
    assert message == f"{other}: this checkpoint is of another configuration; resume the run it belongs to"


def test_a_checkpoint_of_another_version_is_refused(run, monkeypatch):
    newest = list_checkpoints(run / "checkpoints")[-1]
    monkeypatch.setattr(checkpoints, "FORMAT", 99)
    message = refusal(CheckpointError, train, None, resume=run)
    assert message == f"{newest}: written by another version of mancala-rl; go on with that version"


def test_only_the_newest_checkpoints_are_kept(tmp_path):
    for step in (5, 900, 30, 1_000_000, 70):
        path = save_checkpoint(tmp_path, step, "run", {"step": step}, keep=2)
        assert path.exists() or step in (30, 70)
    assert [checkpoints.load_checkpoint(path, "run")["step"] for path in list_checkpoints(tmp_path)] == [900, 1_000_000]


def test_a_checkpoint_that_holds_code_is_not_run(tmp_path):
    class Evil:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "owned"),)

    path = save_checkpoint(tmp_path, 1, "run", {"evil": Evil()}, keep=2)
    with pytest.raises(Exception, match="Weights only load failed"):
        checkpoints.load_checkpoint(path, "run")
    assert not (tmp_path / "owned").exists()


# ------------------------------------------------------------------------------------------------------- agent folders


@pytest.fixture
def agent(run):
    return run / "agent"


def change(agent: Path, **entries) -> None:
    config = json.loads((agent / "config.json").read_text(encoding="utf-8"))
    (agent / "config.json").write_text(json.dumps(config | entries), encoding="utf-8")


def drop(agent: Path, key: str) -> None:
    config = json.loads((agent / "config.json").read_text(encoding="utf-8"))
    del config[key]
    (agent / "config.json").write_text(json.dumps(config), encoding="utf-8")


def forget(agent: Path, name: str) -> None:
    drop(agent, "sha256")
    weights = load_file(agent / "model.safetensors")
    del weights[name]
    save_file(weights, agent / "model.safetensors")


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


OTHER_RULES = mrl.variant("kalah:pits=4,stones=2").to_dict()
FAULTS = {
    "no weights": (lambda a: (a / "model.safetensors").unlink(), "cannot read model.safetensors: No such file"),
    "weights are a folder": (lambda a: as_folder(a / "model.safetensors"), "cannot read model.safetensors: Is a dir"),
    "truncated weights": (lambda a: truncate(a / "model.safetensors"), "model.safetensors is damaged"),
    "empty weights": (lambda a: empty(a / "model.safetensors"), "model.safetensors is damaged"),
    "garbage as weights": (lambda a: (a / "model.safetensors").write_bytes(b"x" * 500), "model.safetensors is damaged"),
    "a bit flipped in the weights": (
        lambda a: flip(a / "model.safetensors", -50),
        r"model.safetensors is damaged \(its SHA-256 is not the one in config.json\); copy the folder again",
    ),
    "a weight missing": (lambda a: forget(a, "policy.bias"), "does not fit config.json .*policy.bias"),
    "no config": (lambda a: (a / "config.json").unlink(), "config.json"),
    "empty config": (lambda a: empty(a / "config.json"), "config.json"),
    "garbage as config": (lambda a: (a / "config.json").write_bytes(b"\xff\xfe{"), "config.json"),
    "config is a list": (lambda a: (a / "config.json").write_text("[]"), "config.json"),
    "config of something else": (lambda a: (a / "config.json").write_text('{"a": 1}'), "missing: architecture, format"),
    "no rules": (lambda a: drop(a, "rules"), "missing: rules"),
    "rules are a number": (lambda a: change(a, rules=5), "no readable rules"),
    "rules with an unknown field": (lambda a: change(a, rules={"name": "x", "dice": 2}), "no readable rules: .*'dice'"),
    "impossible rules": (lambda a: change(a, rules=OTHER_RULES | {"pits": -1}), "no readable rules: pits=-1"),
    "other rules": (
        lambda a: change(a, rules=OTHER_RULES),
        "trained for kalah:pits=4,stones=2, got kalah:pits=3,stones=2: choose that variant",
    ),
    "another format": (lambda a: change(a, format=99), "written by another version"),
    "another observation version": (lambda a: change(a, observation_version=99), "written by another version"),
    "unknown observation": (lambda a: change(a, observation="pixels"), "observation='pixels'"),
    "observation is a list": (lambda a: change(a, observation=[]), "observation=\\[\\]"),
    "another observation": (lambda a: change(a, observation="counts"), "does not fit config.json"),
    "another width": (lambda a: change(a, architecture={"width": 99, "layers": 1, "levels": 6}), "does not fit"),
    "more layers": (lambda a: change(a, architecture={"width": 16, "layers": 2, "levels": 6}), "does not fit"),
    "architecture is a number": (lambda a: change(a, architecture=5), "expected keys and values, got 5"),
    "architecture with an unknown entry": (lambda a: change(a, architecture={"depth": 5}), "unknown key 'depth'"),
    "impossible width": (lambda a: change(a, architecture={"width": -1}), "width: expected greater than"),
    "a width that is a word": (lambda a: change(a, architecture={"width": "x"}), "width: expected a whole number"),
    "unknown loader": (lambda a: change(a, loader="oracle"), "unknown loader 'oracle'"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_or_foreign_agent_folder_is_refused(agent, fault):
    assert mrl.make_agent(agent, RULES).name == str(agent)
    break_it, expected = FAULTS[fault]
    break_it(agent)
    with pytest.raises(AgentError, match=expected) as caught:
        mrl.make_agent(agent, RULES)
    message = str(caught.value)
    assert "\n" not in message and str(agent) in message and len(message) < 600


def test_an_agent_refuses_other_rules_than_its_own(agent):
    message = refusal(AgentError, mrl.make_agent, agent, "kalah")
    assert message == f"{agent}: this agent was trained for kalah:pits=3,stones=2, got kalah: choose that variant"


# --------------------------------------------------------------------------------------------------------- run folders


def test_a_folder_below_a_file_cannot_be_used(config, tmp_path):
    (tmp_path / "file").write_text("precious")
    message = refusal(ConfigError, train, config, out=tmp_path / "file" / "run")
    assert message.endswith("cannot write there (Not a directory); choose another with --out")
    assert (tmp_path / "file").read_text() == "precious"


def test_a_folder_without_permission_cannot_be_used(config, tmp_path, monkeypatch):
    def forbidden(*args, **options):
        raise PermissionError(errno.EACCES, "Permission denied")

    for owner, name in ((Path, "mkdir"), (tempfile, "TemporaryFile"), (Path, "exists")):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, forbidden)
            message = refusal(ConfigError, train, config, out=tmp_path / "run")
        assert message.startswith(f"run folder {tmp_path / 'run'}: cannot ") and "(Permission denied)" in message


def test_a_run_without_permission_cannot_be_resumed(run, monkeypatch):
    def forbidden(*args, **options):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryFile", forbidden)
    message = refusal(ConfigError, train, None, resume=run)
    assert message == f"run folder {run}: cannot write there (Permission denied); choose another with --out"


def test_a_folder_that_holds_a_run_is_kept_unless_asked(config, run):
    before = contents(run)
    message = refusal(ConfigError, train, config, out=run)
    assert message == f"run folder {run}: holds a run already; --resume it, or use --overwrite or another --out"
    assert contents(run) == before
    train(config, ["steps=64"], out=run, overwrite=True)
    assert len(list_checkpoints(run / "checkpoints")) == 1


def test_a_run_folder_in_which_another_process_trains_is_left_alone(config, run):
    before = contents(run)
    with locked(run):
        for options in ({"resume": run}, {"config_path": config, "out": run, "overwrite": True}):
            message = refusal(ConfigError, lambda options=options: train(**{"config_path": None} | options))
            assert message == (f"run folder {run}: another process is training in it; wait until it ends, or stop it")
    assert contents(run) == before
    assert train(None, resume=run) == run / "agent"


def test_a_run_holds_the_lock_until_it_ends(config, tmp_path):
    def lock_again(folder):
        assert folder == tmp_path / "run"
        assert "another process is training" in refusal(ConfigError, train, None, resume=folder)

    train(config, ["steps=64"], out=tmp_path / "run", on_start=lock_again)
    with locked(tmp_path / "run"):
        pass


@pytest.mark.parametrize("name", ["notes.txt", "config.yaml", "run.json"])
def test_a_folder_that_holds_something_else_is_never_deleted(config, tmp_path, name):
    (tmp_path / name).write_text('{"precious": 1}')
    message = refusal(ConfigError, train, config, out=tmp_path, overwrite=True)
    assert message == f"run folder {tmp_path}: holds something else than a run; choose another with --out"
    assert contents(tmp_path) == {name: b'{"precious": 1}'}


def test_a_file_is_never_overwritten_by_a_run(config, tmp_path):
    (tmp_path / "run").write_text("precious")
    assert "holds something else than a run" in refusal(
        ConfigError, train, config, out=tmp_path / "run", overwrite=True
    )


def test_an_empty_folder_can_be_used(config, tmp_path):
    assert train(config, ["steps=64"], out=tmp_path) == tmp_path / "agent"


def test_a_run_that_cannot_be_cleared(config, run, monkeypatch):
    def forbidden(path, **options):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(shutil, "rmtree", forbidden)
    message = refusal(ConfigError, train, config, out=run, overwrite=True)
    assert message == f"run folder {run}: cannot use it (Permission denied); choose another with --out"


@pytest.mark.parametrize("name", ["", "none", "file"])
def test_what_is_not_a_run_cannot_be_resumed(tmp_path, name):
    (tmp_path / "file").write_text("")
    message = refusal(ConfigError, train, None, resume=tmp_path / name)
    assert message == f"{tmp_path / name}: expected a run folder with a config.yaml, there is none: check the path"


def test_a_run_whose_configuration_was_broken_cannot_be_resumed(run):
    (run / "config.yaml").write_text("variant: kalah\nsteps: x\n")
    message = refusal(ConfigError, train, None, resume=run)
    assert message == f"{run / 'config.yaml'}: steps: expected a whole number, got 'x'"


def test_a_run_whose_configuration_was_changed_refuses_its_checkpoints(run):
    text = (run / "config.yaml").read_text(encoding="utf-8")
    (run / "config.yaml").write_text(text.replace("seed: 0", "seed: 1"), encoding="utf-8")
    assert "is of another configuration" in refusal(CheckpointError, train, None, resume=run)


def test_arguments_that_do_not_go_together(config, run):
    before = contents(run)
    for options in ({"overrides": ["seed=1"]}, {"out": run}, {"overwrite": True}):
        overrides = options.pop("overrides", ())
        assert "--resume goes on" in refusal(ConfigError, train, None, overrides, resume=run, **options)
    assert "--resume goes on" in refusal(ConfigError, train, config, resume=run)
    assert "expected a configuration file" in refusal(ConfigError, train, None)
    newest = list_checkpoints(run / "checkpoints")[-1]
    message = refusal(ConfigError, train, config, out=run, overwrite=True, checkpoint=newest)
    assert message == "--checkpoint says where to go on with a run: give it with --resume"
    assert contents(run) == before


# ----------------------------------------------------------------------------------------------------------- opponents


@pytest.mark.parametrize(
    "override, message",
    [
        ("league.anchors={gredy: 1}", "league.anchors: unknown agent 'gredy'; did you mean 'greedy'?"),
        ('league.anchors={"minimax:deep=2": 1}', "league.anchors: agent 'minimax' has no option 'deep'"),
        ('league.anchors={"minimax:depth=0": 1}', "league.anchors: agent 'minimax:depth=0': depth=0"),
        ("evaluation.against=[nobody]", "evaluation.against: unknown agent 'nobody'"),
        (
            'evaluation.against=[minimax, "minimax:depth=4"]',
            "evaluation.against: 'minimax' and 'minimax:depth=4' are the same agent: leave one out",
        ),
        (
            'league.anchors={"minimax:depth=4": 1, minimax: 1}',
            "league.anchors: 'minimax:depth=4' and 'minimax' are the same agent: leave one out",
        ),
        ("evaluation.pairs=5000", "evaluation.pairs: kalah:pits=3,stones=2 has only"),
    ],
)
def test_opponents_are_looked_at_before_anything_is_written(config, tmp_path, override, message):
    got = refusal(ConfigError, train, config, [override], out=tmp_path / "run")
    assert got.startswith(f"{config}: {message}")
    assert not (tmp_path / "run").exists()


def test_an_agent_of_other_rules_cannot_be_an_opponent(config, run, tmp_path):
    overrides = [f"league.anchors={{{run / 'agent'}: 1}}", "variant=kalah"]
    message = refusal(ConfigError, train, config, overrides, out=tmp_path / "new")
    assert message.startswith(f"{config}: league.anchors: {run / 'agent'}: this agent was trained for")
    agent = train(config, [overrides[0], "steps=64"], out=tmp_path / "new")
    assert f"- `{run / 'agent'}`: 1" in (agent / "README.md").read_text(encoding="utf-8")


# ----------------------------------------------------------------------------------------------------------- full disk


def full(*args, **options):
    raise OSError(errno.ENOSPC, "No space left on device")


def at_call(number, monkeypatch, owner, name):
    """Let the disk be full at one call of a function, and never before or after."""
    original, calls = getattr(owner, name), []

    def counted(*args, **options):
        calls.append(args)
        return full() if len(calls) == number else original(*args, **options)

    monkeypatch.setattr(owner, name, counted)


@pytest.mark.parametrize("number", [1, 3])
def test_a_full_disk_while_a_checkpoint_is_written_leaves_the_older_ones(
    config, finished, tmp_path, monkeypatch, number
):
    folder = tmp_path / "run"
    at_call(number + 2, monkeypatch, files.os, "fsync")  # run.json and config.yaml come first
    message = refusal(RunError, train, config, out=folder)
    step = f"step-{number * 256:012d}.ckpt"
    assert message == f"{folder / 'checkpoints' / step}: cannot write: No space left on device"
    kept = [path.name for path in (folder / "checkpoints").iterdir()]
    assert sorted(kept) == [f"step-{k * 256:012d}.ckpt" for k in range(1, number)]
    train(None, resume=folder)
    assert_same_run(folder, traces(finished))


def test_a_full_disk_while_the_run_folder_is_made(config, tmp_path, monkeypatch):
    at_call(1, monkeypatch, files.os, "fsync")
    message = refusal(RunError, train, config, out=tmp_path / "run")
    assert message == f"{tmp_path / 'run' / 'run.json'}: cannot write: No space left on device"
    assert list((tmp_path / "run").iterdir()) == []


def test_a_full_disk_while_the_agent_is_exported_keeps_the_older_agent(run, monkeypatch):
    before = contents(run)
    at_call(1, monkeypatch, Path, "write_bytes")
    message = refusal(RunError, train, None, resume=run)
    assert message == f"{run / 'agent'}: cannot write: No space left on device"
    assert contents(run) == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
def test_a_full_disk_while_metrics_are_written():
    writer = MetricsWriter(Path("/dev/full"))
    message = refusal(RunError, writer.write, {"loss": 1.0}, {}, 5)
    assert message == "/dev/full: cannot write: No space left on device"
    writer.close()


def test_metrics_that_cannot_be_opened(tmp_path):
    assert refusal(RunError, MetricsWriter, tmp_path).endswith("cannot write: Is a directory")


TORCH_SAYS = "[enforce fail at alloc_cpu.cpp:121] err == 0. DefaultCPUAllocator: can't allocate memory: you tried"


@pytest.mark.parametrize(
    "error", [MemoryError(), RuntimeError(TORCH_SAYS), torch.OutOfMemoryError("CUDA out of memory")]
)
def test_not_enough_memory_is_one_line_and_leaves_room_for_a_smaller_run(config, tmp_path, monkeypatch, error):
    def greedy(training):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(Training, "run_to_end", greedy)
        message = refusal(RunError, train, config, out=tmp_path / "run")
    assert message == "not enough memory: take fewer games, a smaller ppo.n_steps or a smaller network"
    assert list((tmp_path / "run").iterdir()) == []
    train(config, ["steps=64"], out=tmp_path / "run")


def test_torch_says_what_is_expected_when_it_cannot_allocate():
    with pytest.raises(RunError, match="not enough memory"), memory_errors():
        torch.empty(2**60, dtype=torch.uint8)


def test_another_error_of_torch_is_no_matter_of_memory():
    with pytest.raises(RuntimeError, match="size of tensor"), memory_errors():
        torch.zeros(2) + torch.zeros(3)


def test_not_enough_memory_later_on_keeps_the_run(run, monkeypatch):
    def greedy(training):
        raise MemoryError

    before = contents(run)
    monkeypatch.setattr(Training, "run_to_end", greedy)
    refusal(RunError, train, None, resume=run)
    assert contents(run) == before


def test_a_number_that_is_not_finite_is_null_in_the_metrics(tmp_path):
    writer = MetricsWriter(tmp_path / "metrics.jsonl")
    writer.write({"a": float("nan"), "b": float("inf"), "c": 1, "d": "word"}, {}, 5)
    writer.write({"d": "word"}, {}, 6)
    writer.close()
    assert (tmp_path / "metrics.jsonl").read_text() == '{"step": 5, "a": null, "b": null, "c": 1.0}\n'


def test_the_agent_module_is_the_one_the_roster_loads(agent):
    assert isinstance(mrl.make_agent(agent, RULES), player.NetworkAgent)
    assert mrl.make_agent(f"{agent}:temperature=0.5", RULES).temperature == 0.5
    assert "temperature=-1" in refusal(AgentError, mrl.make_agent, f"{agent}:temperature=-1", RULES)
