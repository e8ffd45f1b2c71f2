"""The documents at the top of the checkout: the example runs, the file tree is complete, the links lead somewhere."""

import doctest
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from mancala_rl.cli.usage import parse

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")


def fenced(language: str) -> list[str]:
    """The code blocks of the README that are marked with this language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)


def tree() -> Iterator[tuple[str, str]]:
    """Path and remark of each line of the file tree; four spaces of indentation are one folder."""
    (block,) = (text for text in fenced("text") if "mancala_rl/" in text)
    folders: list[str] = []
    for line in block.splitlines():
        depth = (len(line) - len(line.lstrip())) // 4
        name, _, remark = line.strip().partition(" ")
        yield "/".join([*folders[:depth], name.rstrip("/")]) + ("/" if name.endswith("/") else ""), remark.strip()
        folders[depth:] = [name.rstrip("/")]


def tracked() -> list[str]:
    """The files git knows or would add, without empty ones: an empty __init__.py has no story to tell."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file() and (ROOT / name).stat().st_size]


def test_examples_run() -> None:
    session = "\n".join(block for block in fenced("python") if ">>>" in block)  # one after the other
    example = doctest.DocTestParser().get_doctest(session, {}, "README.md", "README.md", 0)
    result = doctest.DocTestRunner().run(example)
    assert (result.failed, result.attempted >= 12) == (0, True)


def test_other_code_runs() -> None:
    for block in fenced("python"):
        if ">>>" not in block:
            exec(compile(block, "README.md", "exec"), {})


@pytest.mark.parametrize("command", re.findall(r"`mancala-rl ([^`]+)`", README))
def test_commands_exist(command: str) -> None:
    assert parse(shlex.split(command)) is not None


def test_file_tree_names_every_file() -> None:
    named = {path for path, _ in tree()}
    inner = {str(PurePosixPath(path).parent) + "/" for path in named}
    whole = tuple(path for path in named if path.endswith("/") and path not in inner)
    assert [name for name in tracked() if name not in named and not name.startswith(whole)] == []


def test_file_tree_names_nothing_that_is_missing() -> None:
    kinds = {True: Path.is_dir, False: Path.is_file}
    assert [path for path, _ in tree() if not kinds[path.endswith("/")](ROOT / path)] == []


def test_folders_of_code_are_named_file_by_file() -> None:
    named = {path for path, _ in tree()}
    code = (name for name in tracked() if name.endswith(".py"))
    assert [name for name in code if name not in named] == []


def test_file_tree_has_a_remark_on_every_line() -> None:
    assert [path for path, remark in tree() if not remark] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_to_files_resolve(document: str) -> None:
    targets = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", (ROOT / document).read_text(encoding="utf-8"))
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_make_targets_exist() -> None:
    named = set(re.findall(r"\bmake ([a-z][a-z-]*)`", README)) | set(
        re.findall(r"^make ([a-z-]+)", README, re.MULTILINE)
    )
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert named
    assert named - targets == set()
