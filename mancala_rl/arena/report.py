"""What an evaluation looks like: a table for people, CSV for spreadsheets. JSON: `Evaluation.to_dict`."""

import csv
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from mancala_rl.arena.evaluation import Evaluation, Result
from mancala_rl.rules import variant

if TYPE_CHECKING:
    from rich.table import Table


def table(evaluation: Evaluation) -> "Table":
    """Return a rich table with one row an opponent."""
    from rich import box
    from rich.table import Table

    title = f"{evaluation.agent} at {evaluation.rules}: {evaluation.pairs} pairs of games a row, seed {evaluation.seed}"
    ahead = "stones fewer left on the side" if variant(evaluation.rules).goal == "empty" else "stones ahead"
    caption = (
        "score = (wins + draws/2) / games, with its 95% interval clustered by pair; first and second = score with and "
        f"without the first move of the game; margin = {ahead} at the end; unique = different games / games"
    )
    if any(result.trained_against for result in evaluation.results):
        caption += "; * = an opponent the agent had in training"
    view = Table(title=title, caption=caption, box=box.SIMPLE_HEAD, pad_edge=False, padding=0, title_justify="left")
    view.caption_justify = "left"
    view.add_column("against", overflow="fold")
    for heading in ("wins", "draws", "losses", "score", "interval", "first", "second", "margin", "unique"):
        view.add_column(heading, justify="right", no_wrap=True)
    for result in evaluation.results:
        view.add_row(*_row(result))
    return view


def _row(result: Result) -> list[str]:
    interval = f"{_share(result.score_low)}-{_share(result.score_high)}"
    shares = [_share(share) for share in (result.score_first, result.score_second)]
    counts = [str(result.wins), str(result.draws), str(result.losses)]
    margin = f"{result.mean_margin:+.1f}"
    opponent = result.opponent + (" *" if result.trained_against else "")
    return [opponent, *counts, _share(result.score), interval, *shares, margin, _share(result.unique_games)]


def _share(value: float) -> str:
    """Return a share as .123, the way scores are written in the field."""
    text = f"{value:.3f}"
    return text[1:] if text.startswith("0") else text


def write_csv(evaluation: Evaluation, path: Path) -> None:
    """Write one line an opponent, with the agent, rules and seed in every line; an existing file is replaced.

    Raises:
        OSError: the file cannot be written; names it.
    """
    try:
        _write_rows(evaluation, path)
    except OSError as error:  # a full disk does not say which file it was
        raise OSError(error.errno, error.strerror, str(path)) from error


def _write_rows(evaluation: Evaluation, path: Path) -> None:
    names = [field.name for field in fields(Result)]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["agent", "rules", "seed", *names])
        for result in evaluation.results:
            own = [evaluation.agent, evaluation.rules, evaluation.seed]
            writer.writerow([*own, *(getattr(result, name) for name in names)])
