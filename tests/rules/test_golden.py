"""Golden games: one readable complete game a variant, replayed line by line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mancala_rl import VARIANTS, Position, Rules, variant
from tests import reference

FILES = sorted((reference.DATA / "golden").glob("*.txt"))
PLY = re.compile(r"ply (\d+): (\d) (\d+) -> ([^;]+)(?:; captured (\d+))?(?:; (extra turn))?")


def read_golden(path: Path) -> tuple[Rules, list[str]]:
    """The rules of a golden game and its lines, remarks and the spec left out."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return variant(lines[0].removeprefix("spec ")), lines[1:]


def board_and_turn(position: Position) -> str:
    """The notation without the words that tell what the board does not."""
    return " ".join(str(position).split()[:2])


def replay_ply(position: Position, line: str) -> Position:
    """Play one `ply` line and check everything it says."""
    match = PLY.fullmatch(line)
    assert match, f"unreadable line {line!r}"
    ply, mover, move, board, captured, extra = match.groups()
    assert (position.ply + 1, position.to_move) == (int(ply), int(mover)), line
    position = position.play(int(move))
    assert board_and_turn(position) == board, line
    assert (position.captured, position.extra_turn) == (int(captured or 0), extra is not None), line
    return position


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_game_is_replayed_line_by_line(path: Path) -> None:
    rules, (start, *plies, scores, places) = read_golden(path)
    position = rules.start()
    assert start == f"start {board_and_turn(position)}"
    for line in plies:
        position = replay_ply(position, line)
    assert position.is_over
    assert scores == f"scores {' '.join(map(str, position.scores))}"
    assert places == f"ranking {' '.join(map(str, position.ranking or ()))}"


def test_the_golden_game_of_kalah_shows_captures_extra_turns_and_a_sweep() -> None:
    _, lines = read_golden(reference.DATA / "golden" / "kalah.txt")
    assert any("captured" in line for line in lines)
    assert any("extra turn" in line for line in lines)
    before, last = (PLY.fullmatch(line) for line in lines[-4:-2])
    assert before is not None
    assert last is not None
    stores = [[int(store) for store in re.findall(r"\+(\d+)", match[4])] for match in (before, last)]
    assert sum(stores[1]) - sum(stores[0]) > 1, "the last move should bank stones that were left"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_game_is_what_its_command_prints(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == reference.golden_file(*reference.GOLDEN[path.stem])


def test_every_variant_has_a_golden_game() -> None:
    told = {read_golden(path)[0] for path in FILES}
    missing = [name for name, rules in VARIANTS.items() if rules not in told]
    assert missing == [], "make one with `python -m tests.reference golden` and add it to GOLDEN"


def test_the_golden_games_are_those_of_the_list() -> None:
    assert {path.stem for path in FILES} == set(reference.GOLDEN)
