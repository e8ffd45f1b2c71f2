"""An analysis in text: a table of the moves, the best first, and what its values mean."""

from typing import TYPE_CHECKING, TypeAlias, Union

from mancala_rl.cli.exact import remarks
from mancala_rl.cli.game import action_name, spell_line
from mancala_rl.cli.output import show, show_table
from mancala_rl.rules import Position, Rules
from mancala_rl.search import Analysis, TreeAnalysis

if TYPE_CHECKING:
    from rich.table import Table

    from mancala_rl.solver import Solution
    from mancala_rl.study.agent_play import AgentPlay

Found: TypeAlias = Union[Analysis, TreeAnalysis, "Solution"]
_MOST_MOVES = 20  # of a line in the table
_UNITS = {  # of a value of minimax, by the goal of the game, for two players and for more
    ("most", False): "margin of seat {seat}",
    ("empty", False): "how many stones fewer seat {seat} has left, {more} more for a win",
    ("most", True): "{times} times the margin over the mean of the others",
    ("empty", True): "{times} times how many stones fewer are left than\n"
    "to the others on average, {more} more for each seat behind",
}


def show_analysis(position: Position, found: Found, seconds: float, play: "AgentPlay | None") -> None:
    """Print the table, what the values are, what the agent gives up, and what the search took."""
    show(f"{position}, seat {position.to_move} to move")
    show_table(_table(position, found, play))
    show(_meaning(position, found))
    if play is not None:
        show(_cost(play))
    show(_effort(found, seconds, position.rules))


def _table(position: Position, found: Found, play: "AgentPlay | None") -> "Table":
    from rich import box
    from rich.table import Table

    columns, best, lines = _columns(position.rules, found, play), _best_moves(found), found.lines or ()
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("move", *columns, ""):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("line")
    for move in _ranked(position, found):
        numbers = (column[move] for column in columns.values())
        line = spell_line(position, lines[move], _MOST_MOVES)
        table.add_row(action_name(move, position.rules), *numbers, "best" if move in best else "", line)
    return table


def _columns(rules: Rules, found: Found, play: "AgentPlay | None") -> dict[str, list[str]]:
    """Return what is said in numbers of every action, by headings; above two players a value for each of them."""
    columns = {"value": [_number(value) for value in found.values or ()]}
    if rules.players > 2 and isinstance(found, Analysis | TreeAnalysis):
        each = [values or (None,) * rules.players for values in found.action_seat_values or ()]
        columns = {f"seat {seat}": [_number(values[seat]) for values in each] for seat in range(rules.players)}
    if isinstance(found, TreeAnalysis):
        columns["visits"] = [f"{visits:,}" for visits in found.visits]
    if play is not None:
        columns["agent"] = [_chance(chance) for chance in play.chances]
    return columns


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:+.3f}" if isinstance(value, float) else f"{value:+d}"


def _chance(chance: float) -> str:
    if chance in (0, 1):
        return "plays" if chance else ""
    return f"{chance:.1%}"


def _best_moves(found: Found) -> tuple[int, ...]:
    if isinstance(found, TreeAnalysis):
        return (found.best_move,)
    return tuple(move for move, value in enumerate(found.values or ()) if value == found.value)


def _ranked(position: Position, found: Found) -> list[int]:
    """Return the legal moves, the best first, then by visits or by value."""
    best = _best_moves(found)
    worth = found.visits if isinstance(found, TreeAnalysis) else [value or 0 for value in found.values or ()]
    return sorted(position.legal_moves, key=lambda move: (move not in best, -worth[move]))


def _meaning(position: Position, found: Found) -> str:
    """Return what the values are."""
    rules, seat = position.rules, position.to_move
    if isinstance(found, TreeAnalysis):
        proven = "\nproven: the best move leads to the result of perfect play" if found.proven else ""
        return f"value: mean reward of the simulations, 1 for the first place, -1 for the last{proven}"
    if isinstance(found, Analysis):
        times = rules.players - 1
        units = _UNITS[rules.goal, times > 1].format(seat=seat, times=times, more=times * rules.total)
        return f"value after {_plies(found.depth)} of best play: {units}"
    return "\n".join((f"value: the final margin of seat {seat} when both play perfectly", *remarks(rules)))


def _plies(depth: int) -> str:
    return f"{depth} pl{'y' if depth == 1 else 'ies'}"


def _cost(play: "AgentPlay") -> str:
    drawn = f" ({play.samples} move{'' if play.samples == 1 else 's'} drawn)" if play.samples else ""
    if play.regret is None:
        return f"{play.name}{drawn} plays what has no value here"
    return f"{play.name}{drawn} gives up {f'{play.regret:.3g} of the value' if play.regret else 'nothing'}"


def _effort(found: Found, seconds: float, rules: Rules) -> str:
    speed = f"{found.nodes:,} nodes in {seconds:.2f} s, {found.nodes / max(seconds, 1e-6):,.0f} a second"
    if isinstance(found, TreeAnalysis):
        return f"MCTS: {sum(found.visits):,} simulations, {_plies(found.depth)} at most, {speed}"
    if isinstance(found, Analysis):
        return f"{'alpha-beta' if rules.players == 2 else 'max^n'}: {_plies(found.depth)}, {speed}"
    return f"{found.nodes:,} positions searched, {seconds:.1f} s"
