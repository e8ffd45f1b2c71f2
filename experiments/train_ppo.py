"""Train MaskablePPO by self-play from several seeds and measure every agent: one seed tells little.

python experiments/train_ppo.py --seeds 0 1 2
python experiments/train_ppo.py --config configs/ppo/kalah.yaml --out runs/hour --set games=256 checkpoint.keep=5

A seed whose run stands in the folder already goes on where it was interrupted, with the settings it began with.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console

from mancala_rl.arena import evaluate, table
from mancala_rl.learning import train
from mancala_rl.learning.config import load_config
from mancala_rl.roster import make_agent
from mancala_rl.rules import variant


@dataclass(frozen=True)
class Settings:
    """What is trained and how it is measured."""

    config: Path = Path("configs/ppo/kalah-demo.yaml")
    seeds: tuple[int, ...] = (0,)
    set: Annotated[tuple[str, ...], tyro.conf.arg(metavar="KEY=VALUE ...")] = ()
    out: Path = Path("runs/train_ppo")
    against: tuple[str, ...] = ("uniform", "greedy", "minimax:depth=2", "minimax:depth=4", "minimax:depth=6")
    pairs: int = 300


def main(settings: Settings) -> None:
    """Print one table a seed."""
    for seed in settings.seeds:
        folder = settings.out / f"seed-{seed}"
        if folder.exists():
            agent_folder = train(None, resume=folder)
        else:
            agent_folder = train(settings.config, [*settings.set, f"seed={seed}"], out=folder)
        rules = variant(load_config(folder / "config.yaml").variant)
        opponents = [make_agent(spec, rules) for spec in settings.against]
        evaluation = evaluate(make_agent(agent_folder, rules), opponents, rules, settings.pairs)
        Console(markup=False, highlight=False).print(table(evaluation))


if __name__ == "__main__":
    main(tyro.cli(Settings))
