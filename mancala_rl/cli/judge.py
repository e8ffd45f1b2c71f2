"""The commands `judge` and `testset`: agents judged by solved positions, and the sets of those."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tyro.conf import Positional, arg, subcommand

from mancala_rl.cli.output import check_writable, show, show_json, show_table
from mancala_rl.cli.progress import now_and_then, progress, stages
from mancala_rl.cli.rules import JsonOption, VariantArgument
from mancala_rl.errors import BadInputError
from mancala_rl.rules import variant

if TYPE_CHECKING:
    from mancala_rl.study.testsets import SolvedSet

_SUFFIXES = (".gz", ".jsonl")  # of a file, and of no variant
_SEED = arg(metavar="S", help="decides chance moves of the agents")


@dataclass(frozen=True)
class Judge:
    """Judge agents by solved positions: how often they play a best move, and what their other moves cost."""

    agents: Annotated[
        Positional[tuple[str, ...]],
        arg(
            metavar="AGENT...",
            help="each NAME[:key=value,...], the folder of a trained agent, or module:factory",
            help_behavior_hint="(required)",
        ),
    ]
    variant: Annotated[str, arg(metavar="V", help="what is played, as in kalah:stones=6")]
    set: Annotated[
        Path | None,
        arg(
            metavar="FILE",
            help="a file that testset build has made",
            help_behavior_hint="(default: the one that comes with the package)",
        ),
    ] = None
    seed: Annotated[int, _SEED] = 0
    json: JsonOption = False

    def run(self) -> None:
        """Judge and print the table."""
        from mancala_rl.arena import judge, judgements_table
        from mancala_rl.arena.judge import solved_set
        from mancala_rl.roster import make_agent

        rules = variant(self.variant)
        if not self.agents:
            raise BadInputError("no agent: name at least one, as in mancala-rl judge greedy --variant kalah")
        if self.set is not None and not self.set.is_file():
            raise BadInputError(f"--set {self.set}: no such file; mancala-rl testset build makes one")
        solved = solved_set(rules, self.set)
        agents = [make_agent(spec, rules) for spec in self.agents]
        judgements, say = [], now_and_then()
        for agent in agents:
            with progress(agent.name, len(solved), say) as advance:
                judgements.append(judge(agent, rules, solved, self.seed, advance))
        if self.json:
            show_json([judgement.to_dict() for judgement in judgements])
        else:
            show_table(judgements_table(judgements))


@dataclass(frozen=True)
class Build:
    """Draw positions from games of random and of skilled play, solve them and write them into a file."""

    variant: VariantArgument
    out: Annotated[Path, arg(metavar="FILE", help="where to write it, as in kalah.jsonl.gz")]
    seed: Annotated[int, arg(metavar="S", help="decides everything that is drawn")] = 0
    stones: Annotated[
        int | None,
        arg(
            metavar="N",
            help="the most stones in the pits of a position",
            help_behavior_hint="(default: what can be solved in minutes)",
        ),
    ] = None
    positions: Annotated[
        int | None, arg(metavar="N", help="about how many positions", help_behavior_hint="(default: 2600 or more)")
    ] = None
    threads: Annotated[int, arg(metavar="N", help="threads to use; the file is the same for any number")] = 2
    overwrite: Annotated[bool, arg(help="replace a file that is there")] = False
    json: JsonOption = False

    def run(self) -> None:
        """Build the set, say before what it takes and then what it holds."""
        from mancala_rl.solver.memory import in_bytes
        from mancala_rl.study.testsets import build_set, checked_plan, memory_needed, write_set

        rules = variant(self.variant)
        check_writable("--out", self.out)
        if self.out.exists() and not self.overwrite:
            raise BadInputError(f"--out {self.out}: exists; choose another name or add --overwrite")
        plan = checked_plan(rules, self.seed, self.stones, self.positions, self.threads)
        if not self.json:
            helped = f" with a database of {plan.database} stones" if plan.database else ""
            memory = in_bytes(memory_needed(rules, plan, self.threads))
            show(
                f"to solve: {plan.tried_in_all:,} positions of at most {plan.stones} stones{helped}; {memory} of memory"
            )
        with stages() as tell:
            solved = build_set(
                rules,
                self.seed,
                stones=self.stones,
                positions=self.positions,
                threads=self.threads,
                progress=tell,
            )
        write_set(solved, self.out)
        _show(solved, self.json)


@dataclass(frozen=True)
class Info:
    """Say what a set holds, and what any legal move with equal chance would score in it."""

    source: Annotated[
        Positional[str], arg(metavar="FILE|VARIANT", help="a file, or the variant of a set that comes with the package")
    ]
    json: JsonOption = False

    def run(self) -> None:
        """Read the set and print the facts."""
        from mancala_rl.study.testsets import read_set, set_for

        path = Path(self.source)
        if not path.is_file() and (path.suffix in _SUFFIXES or path.name != self.source):
            raise BadInputError(f"{path}: no such file; mancala-rl testset build makes one")
        _show(read_set(path) if path.is_file() else set_for(variant(self.source)), self.json)


@dataclass(frozen=True)
class SolvedSetCommand:
    """Build or describe a set of solved positions."""

    do: (
        Annotated[Build, subcommand("build", prefix_name=False)]
        | Annotated[Info, subcommand("info", prefix_name=False)]
    )

    def run(self) -> None:
        """Run the command chosen."""
        self.do.run()


def _show(solved: "SolvedSet", json: bool) -> None:
    from mancala_rl.study.testsets import PHASES

    header, best, (optimal, regret) = solved.header(), solved.best_counts(), solved.by_chance()
    if json:
        show_json(header | {"best_moves": best, "optimal_by_chance": optimal, "regret_by_chance": regret})
        return
    phases = ", ".join(f"{header[phase]} {phase}" for phase in PHASES)
    show(f"{solved.rules}: {len(solved)} positions ({phases}), {solved.stones.min()} to {solved.stones.max()} stones")
    show(f"best moves: {', '.join(f'{count} have {number}' for number, count in best.items())}")
    show(f"any legal move: {optimal:.3f} optimal, regret {regret:.2f}")
    show(f"made by: {solved.command}")
