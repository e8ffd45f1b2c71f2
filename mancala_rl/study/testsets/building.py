"""`build_set`: positions drawn from games, solved, and chosen from all stages of the game."""

from collections.abc import Callable, Hashable, Iterator

from mancala_rl.errors import BadInputError
from mancala_rl.rules import Position, Rules, variant
from mancala_rl.rules.numbers import check_whole
from mancala_rl.solver import Database, build_database, solve
from mancala_rl.solver.ranking import positions_up_to
from mancala_rl.solver.solution import check_solvable
from mancala_rl.study.testsets.drawing import Games
from mancala_rl.study.testsets.plans import Plan, plan_for
from mancala_rl.study.testsets.solved import SolvedSet

MAX_SEED = 2**32 - 1
Progress = Callable[[str, int, int], None]
Entry = tuple[Position, tuple[int | None, ...]]
_MOST_BLOCKS = 128  # of games, if some band does not fill
_MOST_BEST = 3  # positions with three best moves and those with more are of one kind


def build_set(
    rules: Rules | str,
    seed: int = 0,
    *,
    stones: int | None = None,
    positions: int | None = None,
    progress: Progress | None = None,
) -> SolvedSet:
    """Return a solved set; equal arguments give equal sets on every machine.

    Positions come from games of random and of skilled play. They all differ in their pits as the player to move sees
    them. Those in which nothing depends on the move are left out: only one is legal, or all are worth the same. See
    `Plan` for how many are taken from each stage of the game; within a stage, those with one, two and more best moves
    take turns as long as there are any.

    Args:
        rules: the variant, for two players, of which `solve` or a database gives values.
        seed: decides everything that is drawn.
        stones: the most stones in the pits; None for the usual number, which takes minutes.
        positions: about how many to keep.
        progress: called with what is done at present, how much of it has been done and how much there is, at most.

    Raises:
        BadInputError: rules of which there are no exact values, a number out of range, or games without a position
            that could be taken.
    """
    rules = variant(rules)
    if rules.players != 2 or not rules.is_finite:
        raise BadInputError(f"a solved test set needs rules for two players whose games end, got {rules}")
    check_solvable(rules.start())
    check_whole("seed", seed, 0, MAX_SEED)
    plan = plan_for(rules, stones, positions)
    tell = progress or (lambda *_: None)
    database = _database(rules, plan, tell)
    candidates = _candidates(rules, seed, plan, tell)
    entries = list(_solved(candidates, plan, database, tell))
    if not entries:
        raise BadInputError(
            f"{rules}: no position of at most {plan.stones} stones to choose a move in; take more stones"
        )
    return SolvedSet(rules, int(seed), command_of(rules, seed, stones, positions), *zip(*entries, strict=True))


def command_of(rules: Rules, seed: int, stones: int | None, positions: int | None) -> str:
    """Return the command that makes a set."""
    options = {"--seed": seed, "--stones": stones, "--positions": positions}
    given = " ".join(f"{option} {value}" for option, value in options.items() if value is not None)
    return f"mancala-rl testset build {rules} {given} --out FILE"


def _database(rules: Rules, plan: Plan, tell: Progress) -> Database | None:
    if plan.database is None:
        return None
    size = positions_up_to(rules.pits, plan.database)
    return build_database(rules, plan.database, progress=lambda done: tell("database", done, size))


def _candidates(rules: Rules, seed: int, plan: Plan, tell: Progress) -> dict[int, list[Position]]:
    """Return different positions by band, in the order in which they were drawn, as many as are to be tried."""
    games = Games(rules, seed)
    wanted = {band: plan.tried(band) for band in plan.bands}
    found: dict[int, dict[Hashable, Position]] = {band: {} for band in plan.bands}
    for block in range(_MOST_BLOCKS):
        rows, bands = games.positions(block, plan)
        for row, band in zip(rows, bands.tolist(), strict=True):
            if len(found[band]) < wanted[band]:
                position = Position.parse(str(Position.from_row(rules, row)), rules)  # without its past
                found[band].setdefault(_as_the_mover_sees_it(position), position)
        tell("games", sum(map(len, found.values())), sum(wanted.values()))
        if all(len(found[band]) == wanted[band] for band in plan.bands):
            break
    return {band: list(positions.values()) for band, positions in found.items()}


def _as_the_mover_sees_it(position: Position) -> Hashable:
    side = -1 if position.to_move else 1
    return position.pits[::side], position.tuzdiks[::side], position.pie is None


def _solved(
    candidates: dict[int, list[Position]], plan: Plan, database: Database | None, tell: Progress
) -> Iterator[Entry]:
    """Yield what is kept of the candidates, the positions with most stones first."""
    done, most = 0, sum(map(len, candidates.values()))
    for band in reversed(plan.bands):
        kinds: list[list[Entry]] = [[] for _ in range(_MOST_BEST)]
        for position in candidates[band]:
            solution = solve(position, database=database)
            if solution.values is not None and len(solution.best_moves) < len(position.legal_moves):
                kinds[min(len(solution.best_moves), _MOST_BEST) - 1].append((position, solution.values))
            done += 1
            tell("positions", done, most)
        yield from _in_turns(kinds, plan.kept(band))


def _in_turns(kinds: list[list[Entry]], count: int) -> list[Entry]:
    """Return the first of every kind, then the second, and so on, `count` in all or as many as there are."""
    ranked = [(place, kind, entry) for kind, entries in enumerate(kinds) for place, entry in enumerate(entries)]
    ranked.sort(key=lambda item: item[:2])
    return [entry for _, _, entry in ranked[:count]]
