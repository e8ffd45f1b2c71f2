"""`build_set`: positions drawn from games, solved, and chosen from all stages of the game."""

import contextlib
import threading
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor

from mancala_rl.errors import BadInputError
from mancala_rl.rules import Position, Rules, variant
from mancala_rl.rules.numbers import check_whole
from mancala_rl.solver import Database, Solution, build_database, solve
from mancala_rl.solver.database import THREADS, check_threads
from mancala_rl.solver.filling import bytes_needed
from mancala_rl.solver.memory import MEMORY
from mancala_rl.solver.ranking import positions_up_to
from mancala_rl.solver.solution import check_solvable
from mancala_rl.study.testsets.drawing import Games
from mancala_rl.study.testsets.plans import Plan, plan_for
from mancala_rl.study.testsets.solved import SolvedSet

MAX_SEED = 2**32 - 1
Progress = Callable[[str, int, int], None]
Candidates = dict[int, list[Position]]  # by band
Entry = tuple[Position, tuple[int | None, ...]]
_MOST_BLOCKS = 128  # of games, if some band does not fill
_MOST_BEST = 3  # positions with three best moves and those with more are of one kind


def build_set(
    rules: Rules | str,
    seed: int = 0,
    *,
    stones: int | None = None,
    positions: int | None = None,
    threads: int = THREADS,
    progress: Progress | None = None,
) -> SolvedSet:
    """Return a solved set; equal arguments give equal sets on every machine, with any number of threads.

    Positions come from games of random and of skilled play. They all differ in their pits as the player to move sees
    them. Those in which nothing depends on the move are left out: only one is legal, or all are worth the same. See
    `Plan` for how many are taken from each stage of the game; within a stage, those with one, two and more best moves
    take turns as long as there are any.

    Args:
        rules: the variant, for two players, of which `solve` or a database gives values.
        seed: decides everything that is drawn.
        stones: the most stones in the pits; None for the number of `plan_for`, which takes minutes.
        positions: about how many to keep.
        threads: how many build the database of the plan and solve positions by it; without one it is one thread.
        progress: called with what is done at present, how much of it has been done and how much there is, at most.

    Raises:
        BadInputError: rules of which there are no exact values, a number out of range, or games without a position
            that could be taken.
    """
    rules = variant(rules)
    plan = checked_plan(rules, seed, stones, positions, threads)
    tell = progress or (lambda *_: None)
    database = _database(rules, plan, threads, tell)
    candidates = _candidates(rules, seed, plan, tell)
    with contextlib.closing(_solutions(candidates, plan, database, threads)) as solutions:
        entries = list(_kept(candidates, plan, solutions, tell))
    if not entries:
        raise BadInputError(
            f"{rules}: no position of at most {plan.stones} stones to choose a move in; take more stones"
        )
    return SolvedSet(rules, int(seed), command_of(rules, seed, stones, positions), *zip(*entries, strict=True))


def checked_plan(rules: Rules, seed: int, stones: int | None, positions: int | None, threads: int) -> Plan:
    """Return the plan of a set that `build_set` can build; it raises the same errors."""
    if rules.players != 2 or not rules.is_finite:
        raise BadInputError(f"a solved test set needs rules for two players whose games end, got {rules}")
    check_solvable(rules.start())
    check_whole("seed", seed, 0, MAX_SEED)
    check_threads(threads)
    return plan_for(rules, stones, positions)


def memory_needed(rules: Rules, plan: Plan, threads: int) -> int:
    """Return the bytes of memory that building a set takes, at most."""
    if plan.database is None:
        return MEMORY
    return bytes_needed(rules, plan.database) + threads * MEMORY


def command_of(rules: Rules, seed: int, stones: int | None, positions: int | None) -> str:
    """Return the command that makes a set."""
    options = {"--seed": seed, "--stones": stones, "--positions": positions}
    given = " ".join(f"{option} {value}" for option, value in options.items() if value is not None)
    return f"mancala-rl testset build {rules} {given} --out FILE"


def _database(rules: Rules, plan: Plan, threads: int, tell: Progress) -> Database | None:
    if plan.database is None:
        return None
    size = positions_up_to(rules.pits, plan.database)
    return build_database(rules, plan.database, threads=threads, progress=lambda done: tell("database", done, size))


def _candidates(rules: Rules, seed: int, plan: Plan, tell: Progress) -> Candidates:
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


def _solutions(
    candidates: Candidates, plan: Plan, database: Database | None, threads: int
) -> Generator[tuple[int, Solution], None, None]:
    """Yield the bands and solutions of all candidates, the positions with most stones first."""
    memory = MEMORY + (0 if database is None else database.held)
    ordered = [(band, position) for band in reversed(plan.bands) for position in candidates[band]]
    stopped = threading.Event()

    def go_on(*_: int) -> None:
        if stopped.is_set():
            raise CancelledError

    def solution(band: int, position: Position) -> tuple[int, Solution]:
        return band, solve(position, database=database, memory=memory, progress=go_on)

    with ThreadPoolExecutor(1 if database is None else threads) as pool:
        try:
            yield from pool.map(solution, *zip(*ordered, strict=True))  # closed early, it begins no more
        finally:
            stopped.set()  # and what has begun ends within a second


def _kept(
    candidates: Candidates, plan: Plan, solutions: Iterable[tuple[int, Solution]], tell: Progress
) -> Iterator[Entry]:
    """Yield what is kept of the candidates, the positions with most stones first."""
    most = sum(map(len, candidates.values()))
    kinds: dict[int, list[list[Entry]]] = {band: [[] for _ in range(_MOST_BEST)] for band in reversed(plan.bands)}
    for done, (band, solution) in enumerate(solutions, 1):
        position, best = solution.position, len(solution.best_moves)
        if solution.values is not None and best < len(position.legal_moves):
            kinds[band][min(best, _MOST_BEST) - 1].append((position, solution.values))
        tell("positions", done, most)
    for band, entries in kinds.items():
        yield from _in_turns(entries, plan.kept(band))


def _in_turns(kinds: list[list[Entry]], count: int) -> list[Entry]:
    """Return the first of every kind, then the second, and so on, `count` in all or as many as there are."""
    ranked = [(place, kind, entry) for kind, entries in enumerate(kinds) for place, entry in enumerate(entries)]
    ranked.sort(key=lambda item: item[:2])
    return [entry for _, _, entry in ranked[:count]]
