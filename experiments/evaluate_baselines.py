"""How the scripted agents do against one another: the scale on which trained agents are read.

python experiments/evaluate_baselines.py
python experiments/evaluate_baselines.py --variant kalah:stones=6 --pairs 1000 --agents uniform greedy
"""

from dataclasses import dataclass

import tyro
from rich.console import Console

from mancala_rl.arena import evaluate, table
from mancala_rl.roster import make_agent
from mancala_rl.rules import variant


@dataclass(frozen=True)
class Settings:
    """What is measured."""

    variant: str = "kalah"
    agents: tuple[str, ...] = ("uniform", "greedy", "minimax:depth=1", "minimax:depth=2", "minimax:depth=4")
    pairs: int = 300
    seed: int = 0


def main(settings: Settings) -> None:
    """Print one table an agent: its results against all agents before it in the list."""
    rules = variant(settings.variant)
    agents = [make_agent(spec, rules) for spec in settings.agents]
    for index, agent in enumerate(agents[1:], 1):
        evaluation = evaluate(agent, agents[:index], rules, settings.pairs, settings.seed)
        Console(markup=False, highlight=False).print(table(evaluation))


if __name__ == "__main__":
    main(tyro.cli(Settings))
