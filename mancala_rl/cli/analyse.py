"""The command `analyse`."""

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from tyro.conf import arg

from mancala_rl.cli.analysis import Found, show_analysis
from mancala_rl.cli.exact import DatabaseOption, convention, solved
from mancala_rl.cli.game import parse_moves, position_of, replay
from mancala_rl.cli.output import show_json
from mancala_rl.cli.rules import JsonOption, PositionOption, VariantArgument
from mancala_rl.errors import BadInputError
from mancala_rl.rules import Position, variant
from mancala_rl.search import Analysis, TreeAnalysis, mcts, minimax

if TYPE_CHECKING:
    from mancala_rl.study.agent_play import AgentPlay

_SECONDS = 1.0


@dataclass(frozen=True)
class Analyse:
    """Value every move of a position and show the line behind it: by alpha-beta, by MCTS or exactly."""

    variant: VariantArgument
    position: PositionOption = None
    moves: Annotated[str, arg(metavar='"2 5 0"', help="moves to play from there first, as in replay")] = ""
    depth: Annotated[
        int | None,
        arg(metavar="D", help="plies to look ahead", help_behavior_hint="(default: as many as the time allows)"),
    ] = None
    time: Annotated[
        float | None,
        arg(metavar="S", help="seconds to search", help_behavior_hint="(default: 1, or what --depth takes)"),
    ] = None
    simulations: Annotated[
        int | None,
        arg(metavar="N", help="search by MCTS with so many random games", help_behavior_hint="(default: alpha-beta)"),
    ] = None
    seed: Annotated[
        int | None, arg(metavar="S", help="draws the random games of MCTS", help_behavior_hint="(default: 0)")
    ] = None
    exact: Annotated[bool, arg(help="solve the position: values of perfect play, two players")] = False
    database: DatabaseOption = None
    agent: Annotated[
        str | None,
        arg(metavar="AGENT", help="show what an agent plays here and gives up", help_behavior_hint="(default: none)"),
    ] = None
    samples: Annotated[
        int | None,
        arg(
            metavar="N",
            help="moves to draw from an agent that cannot say how likely they are",
            help_behavior_hint="(default: 1)",
        ),
    ] = None
    json: JsonOption = False

    def run(self) -> None:
        """Analyse and print."""
        from mancala_rl.roster import make_agent
        from mancala_rl.study.agent_play import agent_play

        self._check_options()
        rules = variant(self.variant)
        start = position_of(self.position, rules)
        plies = replay(start, parse_moves(self.moves, rules))
        position = plies[-1].after if plies else start
        agent = None if self.agent is None else make_agent(self.agent, rules)
        found, seconds = self._found(position)
        play = None if agent is None else agent_play(agent, position, found.values or (), self.samples or 1)
        if self.json:
            show_json(_facts(position, found, seconds, play))
        else:
            show_analysis(position, found, seconds, play)

    def _check_options(self) -> None:
        """Refuse options that contradict each other, or that nothing would come of."""
        searches = {"--depth": self.depth, "--time": self.time}
        others = {"--simulations": self.simulations, "--exact": self.exact or None}
        given = [name for name, value in (searches | others).items() if value is not None]
        if len(given) > 1 and set(given) != set(searches):
            raise BadInputError(f"{' and '.join(given)} exclude each other; give one of them")
        for option, value, needed, there in (
            ("--database", self.database, "--exact", self.exact),
            ("--seed", self.seed, "--simulations", self.simulations is not None),
            ("--samples", self.samples, "--agent", self.agent is not None),
        ):
            if value is not None and not there:
                raise BadInputError(f"{option} goes with {needed}; add that or leave it out")
        if self.samples is not None and self.samples < 1:
            raise BadInputError(f"--samples {self.samples}: expected a number of moves from 1")

    def _found(self, position: Position) -> tuple[Found, float]:
        """Return what is found and the seconds it took, without those for what a search loads or compiles first."""
        if self.exact:
            return _timed(lambda: solved(position, self.database, lines=True))
        if self.simulations is not None:
            simulations, seed = self.simulations, self.seed or 0
            mcts(position, 1)
            return _timed(lambda: mcts(position, simulations, seed=seed))
        seconds = _SECONDS if self.depth is None and self.time is None else self.time
        minimax(position, 3, lines=True)
        return _timed(lambda: minimax(position, self.depth, time=seconds, lines=True))


def _timed(search: Callable[[], Found]) -> tuple[Found, float]:
    started = time.perf_counter()
    return search(), time.perf_counter() - started


def _facts(position: Position, found: Found, seconds: float, play: "AgentPlay | None") -> dict[str, Any]:
    method = {Analysis: "minimax", TreeAnalysis: "mcts"}.get(type(found), "solve")
    told = {"rules": str(position.rules), "position": str(position), "to_move": position.to_move, "method": method}
    names = [field.name for field in dataclasses.fields(found) if field.name not in ("position", "seconds")]
    facts = {name: getattr(found, name) for name in dict.fromkeys([*names, "principal_variation"])}
    if method == "solve":
        facts["convention"] = convention(position.rules)
    return told | facts | {"seconds": seconds, "agent": None if play is None else dataclasses.asdict(play)}
