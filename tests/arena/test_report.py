import csv
import dataclasses
import io

import pytest
from rich.console import Console

from mancala_rl.arena import Evaluation, Result, table, write_csv


def evaluation() -> Evaluation:
    easy = Result("uniform", True, 10, 20, 20, 0, 0, 1.0, 0.72, 1.0, 1.0, 1.0, 21.25, 1.0)
    hard = Result("[red]minimax:depth=8", False, 10, 20, 4, 2, 14, 0.25, 0.103, 0.49, 0.3, 0.2, -7.5, 0.95)
    return Evaluation("runs/a/agent", "kalah:stones=3", 10, 5, (easy, hard))


def printed(width: int) -> str:
    stream = io.StringIO()
    Console(file=stream, width=width, markup=False, highlight=False).print(table(evaluation()))
    return stream.getvalue()


def test_the_table_holds_every_number_in_eighty_columns():
    text = printed(80)
    assert max(map(len, text.splitlines())) <= 80
    for word in ("uniform", "1.000", ".720-1.000", "+21.2", ".250", ".103-.490", ".300", ".200", "-7.5", ".950"):
        assert word in text
    assert "runs/a/agent at kalah:stones=3" in text
    assert "seed 5" in text


@pytest.mark.parametrize("rules, words", [("kalah", "stones ahead"), ("japanese", "stones fewer left on the side")])
def test_the_margin_is_explained(rules, words):
    caption = table(dataclasses.replace(evaluation(), rules=rules)).caption
    assert f"margin = {words} at the end" in str(caption)


def test_an_opponent_of_the_training_is_marked():
    text = printed(120)
    assert "uniform *" in text and "* = an opponent the agent had in training" in text.replace("\n", " ")
    assert "depth=8 *" not in text


def test_names_are_not_taken_for_markup():
    assert "[red]minimax" in printed(120)


def test_the_csv_holds_one_line_an_opponent(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("an old table")
    write_csv(evaluation(), path)
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["opponent"] for row in rows] == ["uniform", "[red]minimax:depth=8"]
    assert float(rows[1]["score_low"]) == 0.103
    assert {row["agent"] for row in rows} == {"runs/a/agent"}
    assert {row["seed"] for row in rows} == {"5"}


def test_a_csv_that_cannot_be_written_is_an_os_error(tmp_path):
    with pytest.raises(OSError, match="Is a directory"):
        write_csv(evaluation(), tmp_path)
