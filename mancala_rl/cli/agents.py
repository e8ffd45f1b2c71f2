"""Commands about agents: `agents` and `evaluate`."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tyro.conf import Positional, UseAppendAction, arg

from mancala_rl.cli.output import check_writable, show, show_json, show_table
from mancala_rl.cli.progress import progress
from mancala_rl.rules import variant

if TYPE_CHECKING:
    from mancala_rl.arena import Evaluation

AgentArgument = Annotated[
    Positional[str],
    arg(metavar="AGENT", help="NAME[:key=value,...], the folder of a trained agent, or module:factory"),
]


@dataclass(frozen=True)
class Agents:
    """List the agents that have a name."""

    json: Annotated[bool, arg(help="print JSON")] = False

    def run(self) -> None:
        """Print one line an agent."""
        from mancala_rl.roster import available_agents

        agents = available_agents()
        if self.json:
            show_json([{"name": name, "description": description} for name, description in agents.items()])
            return
        width = max(map(len, agents), default=0)
        for name, description in agents.items():
            show(f"{name:<{width}}  {description}")


@dataclass(frozen=True)
class Evaluate:
    """Measure an agent: pairs of games from random openings, seats swapped."""

    agent: AgentArgument
    variant: Annotated[str, arg(metavar="V", help="what is played, as in kalah:stones=6")]
    against: Annotated[UseAppendAction[tuple[str, ...]], arg(metavar="AGENT", help="an opponent; may be repeated")]
    pairs: Annotated[int, arg(metavar="N", help="pairs of games against each opponent")] = 300
    seed: Annotated[int, arg(metavar="S", help="decides openings and chance moves")] = 0
    json: Annotated[bool, arg(help="print JSON")] = False
    csv: Annotated[Path | None, arg(metavar="FILE", help="also write the table there")] = None

    def run(self) -> None:
        """Play and print the table."""
        from mancala_rl.arena import evaluate, write_csv
        from mancala_rl.roster import make_agent

        rules = variant(self.variant)
        if self.csv is not None:
            check_writable("--csv", self.csv)
        agent, *opponents = [make_agent(spec, rules) for spec in (self.agent, *self.against)]
        with progress("games", 2 * self.pairs * len(opponents)) as advance:
            evaluation = evaluate(agent, opponents, rules, self.pairs, self.seed, advance)
        try:
            self._show(evaluation)
        finally:  # each of the two is worth having without the other
            if self.csv is not None:
                write_csv(evaluation, self.csv)

    def _show(self, evaluation: "Evaluation") -> None:
        from mancala_rl.arena import table

        if self.json:
            show_json(evaluation.to_dict())
        else:
            show_table(table(evaluation))
        sys.stdout.flush()
