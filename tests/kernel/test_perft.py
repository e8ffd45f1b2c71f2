"""Perft files: the kernel counts the move sequences that the oracle counted."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from mancala_rl import VARIANTS, Position, variant
from mancala_rl.kernel import perft
from tests import reference

FILES = sorted((reference.DATA / "perft").glob("*.txt"))


class PerftFile(NamedTuple):
    """What a file of tests/data/perft says."""

    command: str
    position: Position
    counts: dict[int, int]
    divided: int
    by_move: dict[int, int]


def read_perft(path: Path) -> PerftFile:
    lines = path.read_text(encoding="utf-8").splitlines()
    command = next(line.partition("tests.reference ")[2] for line in lines if "made by" in line)
    fields = dict(line.split(" ", 1) for line in lines if not line.startswith("#"))
    rules = variant(fields.pop("spec"))
    at = fields.pop("position", None)
    position = Position.parse(at, rules) if at else rules.start()
    divided = int(fields.pop("divide"))
    by_move = {int(key[:-1]): int(count) for key, count in fields.items() if key.endswith(":")}
    counts = {int(key): int(count) for key, count in fields.items() if not key.endswith(":")}
    return PerftFile(command, position, counts, divided, by_move)


def count(position: Position, depth: int) -> int:
    rows = np.zeros((depth + 1, position.rules.row_length), np.int16)
    rows[0] = position.row
    return int(perft(rows, depth, position.rules.array))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_kernel_counts_what_the_oracle_counted(path: Path) -> None:
    file = read_perft(path)
    by_move = {move: count(file.position.play(move), file.divided - 1) for move in file.position.legal_moves}
    assert by_move == file.by_move, f"{file.position}: per first move at depth {file.divided}"
    counted = {depth: count(file.position, depth) for depth in file.counts}
    assert counted == file.counts, f"{file.position} of {file.position.rules}"
    assert sum(file.by_move.values()) == file.counts[file.divided]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_perft_file_is_what_its_command_prints(path: Path) -> None:
    spec, depth, divided, position = reference.PERFT[path.stem]
    file = read_perft(path)
    assert file.command == reference.perft_command(spec, depth, divided, position)
    shallow = reference.perft_file(spec, min(depth, 5), min(divided, 4), position).splitlines()
    counts = [line for line in shallow if line.startswith(("spec", "position", "1 ", "2 ", "3 ", "4 ", "5 "))]
    assert counts == [line for line in path.read_text(encoding="utf-8").splitlines() if line in counts]
    assert list(file.counts) == list(range(1, depth + 1))


def test_nothing_follows_a_game_that_is_over() -> None:
    one_move_game = variant("kalah:pits=1,stones=1").start()
    assert [count(one_move_game, depth) for depth in range(3)] == [1, 1, 0]


def test_every_variant_has_a_perft_file_from_its_start() -> None:
    counted = {file.position for file in map(read_perft, FILES) if file.counts.get(5)}
    missing = [name for name, rules in VARIANTS.items() if rules.start() not in counted]
    assert missing == [], "make one with `python -m tests.reference perft` and add it to PERFT"


def test_the_perft_files_are_those_of_the_list() -> None:
    assert {path.stem for path in FILES} == set(reference.PERFT)
