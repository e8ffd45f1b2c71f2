"""What an evaluation or a judgement looks like: a table for people, CSV for spreadsheets. JSON: their `to_dict`."""

import csv
import itertools
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from mancala_rl.arena.evaluation import Evaluation, Result
from mancala_rl.arena.judge import Judgement, Verdict
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


def judgements_table(judgements: Sequence[Judgement]) -> "Table":
    """Return a rich table of agents judged by the same positions, with one row a phase of each."""
    from rich import box
    from rich.table import Table

    first = judgements[0]
    caption = (
        "optimal = share of positions in which a best move was played; regret = stones that moves cost, on average; "
        "both with 95% intervals; opening = more than two thirds of all stones in the pits, endgame = at most one third"
    )
    title = f"{first.rules}: moves in solved positions, seed {first.seed}"
    view = Table(
        title=title, caption=caption, box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), title_justify="left"
    )
    view.caption_justify = "left"
    view.add_column("agent", overflow="fold")
    view.add_column("phase", no_wrap=True)
    for heading in ("positions", "optimal", "interval", "regret", "interval"):
        view.add_column(heading, justify="right", no_wrap=True)
    for judgement in judgements:
        for name, verdict in zip(itertools.chain([judgement.agent], itertools.repeat("")), judgement, strict=False):
            view.add_row(name, *_verdict_row(verdict), end_section=verdict is judgement.verdicts[-1])
    return view


def _verdict_row(verdict: Verdict) -> list[str]:
    optimal = f"{_share(verdict.optimal_low)}-{_share(verdict.optimal_high)}"
    regret = f"{verdict.regret_low:.2f}-{verdict.regret_high:.2f}"
    return [verdict.phase, str(verdict.positions), _share(verdict.optimal), optimal, f"{verdict.regret:.2f}", regret]


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
