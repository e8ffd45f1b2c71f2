"""How fast the search is: nodes a second on Kalah(6,4), microseconds a search in batches, random games a second.

    python experiments/bench_search.py [--repeats 5] [--only SECTION]

CPU seconds of one thread, the best of some repeats, without compilation. A node is a move searched. `perft` plays every
line and searches nothing, so it shows what the machine gives at the moment. Alpha-beta is measured on packed boards and
on the rows of games, which it takes for other rules. The section `peers` needs OpenSpiel (pip install open-spiel); it
searches the same positions by turns with ours and shows the ratio of every round.
"""

import argparse
import importlib.util
import platform
import statistics
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from bench.timing import Contender, Sample, race, ratio, sample

import mancala_rl as mrl
from mancala_rl.kernel import perft
from mancala_rl.search.packed_search import PackedSearch, packed_places
from mancala_rl.search.row_search import RowSearch, row_places
from mancala_rl.search.tree import USED

GAMES = {1: 2048, 2: 2048, 4: 1024, 6: 256, 8: 64}  # positions of a batch, by depth
DEPTHS = (4, 8, 10, 12, 14, 16, 18, 20)
WAYS = ("packed", "on rows")
SIMULATIONS = (100, 400, 3200)
PLIES = (0, 12, 24)  # random moves before a tree search
TREES = 100  # positions of each kind
SECTIONS = ("minimax", "batches", "limits", "trees", "peers")
ROUNDS, SECONDS = 5, 1.0  # of each contender in the section `peers`


def best_time(work: Callable[[], int], prepare: Callable[[], object], repeats: int) -> tuple[float, int]:
    """Return the least CPU seconds that `work` took, and what it returned."""
    prepare()
    work()
    samples = []
    for _ in range(repeats):
        prepare()
        samples.append(sample(work))
    best = min(samples)
    return best.cpu, best.count


def bench_perft(rules: mrl.Rules, repeats: int) -> None:
    """Print how many lines a second the kernel plays."""
    rows = np.zeros((9, rules.row_length), np.int16)
    rows[0] = rules.start().row
    seconds, leaves = best_time(lambda: int(perft(rows, 8, rules.array)), lambda: None, repeats)
    print(f"perft 8            {leaves / seconds / 1e6:7.2f} M leaves/s")


def bench_start(rules: mrl.Rules, depth: int, repeats: int) -> None:
    """Print the speed of a search from the start, packed and on rows by turns, their tables empty."""
    row = rules.start().row
    times = max(1, 4000 // 4**depth)  # short searches are timed many at a time
    rounds = [[timed(search, np.tile(row, (times, 1)), depth) for search in both(rules, depth)] for _ in range(repeats)]
    for name, samples in zip(WAYS, zip(*rounds, strict=True), strict=True):
        best = min(samples)
        print(
            f"start, depth {depth:2d}, {name:7s} {best.count // times:10,d} nodes {best.cpu / times * 1e3:9.3f} ms"
            f" {best.count / best.cpu / 1e6:7.2f} M nodes/s"
        )
    print(f"  on rows : packed, time {statistics.median(rows.cpu / packed.cpu for packed, rows in rounds):.2f}")


def both(rules: mrl.Rules, depth: int) -> tuple[PackedSearch, RowSearch]:
    """Return both ways of search, their tables empty and in memory."""
    searches = PackedSearch(rules, depth, packed_places(depth)), RowSearch(rules, depth, row_places(depth))
    for search in searches:
        search.best_moves(rules.start().row[None], 1)
        search.table.fill(0)
    return searches


def timed(search: PackedSearch | RowSearch, rows: np.ndarray, depth: int) -> Sample:
    """Return what it takes to search rows; the count is that of the nodes."""
    return sample(lambda: search.best_moves(rows, depth)[1])


def bench_batch(rules: mrl.Rules, depth: int, repeats: int) -> None:
    """Print the time of a search in a batch of positions after 0 to 24 random plies, packed and on rows by turns."""
    games = GAMES[depth]
    batch = rules.batch(games)
    batch.random_plies(np.arange(games) % 25, np.arange(games))
    batch = batch.select(~batch.over)
    rounds = [[timed(search, batch.rows, depth) for search in both(rules, depth)] for _ in range(repeats)]
    packed, rows = (min(samples) for samples in zip(*rounds, strict=True))
    print(
        f"{len(batch):4d} games, depth {depth} {packed.cpu / len(batch) * 1e6:8.1f} us each packed,"
        f" {rows.cpu / len(batch) * 1e6:8.1f} on rows"
    )


def bench_limits(rules: mrl.Rules, nodes: int, repeats: int) -> None:
    """Print the speed of a search within a limit of nodes."""
    start = rules.start()
    seconds, count = best_time(lambda: mrl.search.minimax(start, nodes=nodes).nodes, lambda: None, repeats)
    depth = mrl.search.minimax(start, nodes=nodes).depth
    print(f"nodes={nodes:<11,d} {count / seconds / 1e6:8.2f} M nodes/s, depth {depth}, every move's value exact")


def positions(rules: mrl.Rules, plies: int) -> mrl.Batch:
    """Return positions after so many random moves, of those in which there is a choice."""
    batch = rules.batch(TREES)
    batch.random_plies(plies, np.arange(TREES))
    return batch.select(batch.legal().sum(axis=1) > 1)


def random_games(agent: mrl.search.MCTS, batch: mrl.Batch, seeds: np.ndarray) -> int:
    """Return how many random games the searches of a batch play: one a node, but for those that are over."""
    games = 0
    for g, seed in enumerate(seeds.tolist()):
        agent.analyse(batch[g], seed)
        forest = agent._forest(1)
        nodes = mrl.Batch(batch.rules, forest.rows[: forest.facts[0, USED]])
        games += int((~nodes.over).sum())
    return games


def bench_trees(rules: mrl.Rules, plies: int, simulations: int, repeats: int) -> None:
    """Print how many random games a second the tree search plays."""
    batch, agent = positions(rules, plies), mrl.search.MCTS(rules, simulations)
    seeds = np.arange(len(batch))
    seconds, _ = best_time(lambda: len(agent.act(batch, seeds)), lambda: None, repeats)
    games = random_games(agent, batch, seeds)
    print(
        f"after {plies:2d} plies, {simulations:4d} simulations {games / seconds / 1e3:8.0f} k rollouts/s"
        f" {seconds / len(batch) * 1e6:9.1f} us a move"
    )


def bench_phases(rules: mrl.Rules, repeats: int) -> None:
    """Print what the phases cost in a batch of trees, with an evaluator that costs nothing."""
    games, simulations = 256, 64
    batch, forest = rules.batch(games), mrl.search.Forest(rules, games, simulations)
    batch.random_plies(np.arange(games) % 25, np.arange(games))
    priors, values = np.ones((games, rules.num_actions)), np.zeros((games, rules.players))

    def work() -> int:
        forest.run(batch, lambda leaves: (priors[: len(leaves)], values[: len(leaves)]))
        return int(forest.visits.sum())

    seconds, count = best_time(work, lambda: None, repeats)
    each = seconds / games * 1e6
    print(
        f"{games} trees, {simulations} simulations  {count / seconds / 1e3:8.0f} k simulations/s {each:9.1f} us a move"
    )


def bench_peers(rules: mrl.Rules) -> None:
    """Print our tree search and alpha-beta next to OpenSpiel's, which takes its games for the same rules."""
    if importlib.util.find_spec("pyspiel") is None:
        print("OpenSpiel is left out: pip install open-spiel")
        return
    depth = 6
    alphabetas = [
        our_alphabeta(search, depth, f"ours {way}") for search, way in zip(both(rules, depth), WAYS, strict=True)
    ]
    alphabetas.append(open_spiel_alphabeta(depth))
    contenders = [ours(rules, 12), open_spiel_tree(12), *alphabetas]
    timings = race(contenders, ROUNDS, SECONDS)
    for timing in timings.values():
        print(f"{timing.contender.name:38s} {timing.rate:12,.0f} {timing.contender.unit} a CPU second")
    for fast, slow in (contenders[:2], alphabetas[::2], alphabetas[1:], alphabetas[:2]):
        print(f"{fast.name} : {slow.name} = {ratio(timings[fast.name], timings[slow.name])}")


def ours(rules: mrl.Rules, plies: int) -> Contender:
    """Return our tree search, 400 simulations a move; a rollout is a simulation here, as it is for the peer."""
    batch, agent = positions(rules, plies), mrl.search.MCTS(rules, 400)

    def loop(steps: int) -> int:
        for step in range(steps):
            agent.act(batch.select([step % len(batch)]), np.array([step]))
        return 400 * steps

    return Contender("UCT, ours", loop, "simulations")


def open_spiel_tree(plies: int) -> Contender:
    """Return OpenSpiel's tree search in C++ with as many simulations."""
    import pyspiel

    game = pyspiel.load_game("mancala")
    states = [spiel_state(game, plies, seed) for seed in range(TREES)]
    judge = pyspiel.RandomRolloutEvaluator(1, 0)
    bot = pyspiel.MCTSBot(game, judge, 1.0, 400, 1000, True, 0, False)

    def loop(steps: int) -> int:
        for step in range(steps):
            bot.mcts_search(states[step % TREES])
        return 400 * steps

    return Contender("UCT, OpenSpiel", loop, "simulations")


def our_alphabeta(search: PackedSearch | RowSearch, depth: int, name: str) -> Contender:
    """Return one of our searches of fixed depth from the start."""
    row = search.rules.start().row[None]

    def loop(steps: int) -> int:
        for _ in range(steps):
            search.best_moves(row, depth)
        return steps

    return Contender(f"alpha-beta to depth {depth}, {name}", loop, "searches")


def open_spiel_alphabeta(depth: int) -> Contender:
    """Return OpenSpiel's alpha-beta search, in Python, to the same depth with the same measure."""
    import pyspiel
    from open_spiel.python.algorithms.minimax import alpha_beta_search

    game = pyspiel.load_game("mancala")

    def margin(state: Any) -> float:
        cells = state.observation_tensor(0)
        return float(cells[7] - cells[0])

    def loop(steps: int) -> int:
        for _ in range(steps):
            alpha_beta_search(game, game.new_initial_state(), margin, depth, 0)
        return steps

    return Contender(f"alpha-beta to depth {depth}, OpenSpiel", loop, "searches")


def spiel_state(game: Any, plies: int, seed: int) -> Any:
    """Return a state of OpenSpiel after so many random moves, not over and with a choice."""
    rng = np.random.default_rng(seed)
    while True:
        state = game.new_initial_state()
        for _ in range(plies):
            state.apply_action(int(rng.choice(state.legal_actions())))
            if state.is_terminal():
                break
        if not state.is_terminal() and len(state.legal_actions()) > 1:
            return state


def main() -> None:
    """Print all measurements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5, help="runs of which the best counts")
    parser.add_argument("--only", choices=SECTIONS, help="one section alone")
    options = parser.parse_args()
    wanted = [options.only] if options.only else SECTIONS
    rules, repeats = mrl.variant("kalah"), options.repeats
    print(f"Python {platform.python_version()}, numba {numba.__version__}, {platform.machine()}, {rules}")
    bench_perft(rules, repeats)
    for depth in DEPTHS if "minimax" in wanted else ():
        bench_start(rules, depth, repeats)
    for depth in GAMES if "batches" in wanted else ():
        bench_batch(rules, depth, repeats)
    for nodes in (10_000, 1_000_000) if "limits" in wanted else ():
        bench_limits(rules, nodes, repeats)
    for plies in PLIES if "trees" in wanted else ():
        for simulations in SIMULATIONS:
            bench_trees(rules, plies, simulations, repeats)
    if "trees" in wanted:
        bench_phases(rules, repeats)
    if "peers" in wanted:
        bench_peers(rules)
    bench_perft(rules, repeats)


if __name__ == "__main__":
    main()
