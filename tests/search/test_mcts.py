"""Monte-Carlo tree search: the tree is what it should be, and it finds what there is to find."""

from __future__ import annotations

import copy
import pickle
import sys

import numpy as np
import pytest

from mancala_rl import VARIANTS, Batch, Position, Rules, make_agent, variant
from mancala_rl.agent import choose
from mancala_rl.arena import evaluate, play_games
from mancala_rl.errors import AgentError, BadInputError
from mancala_rl.kernel import copy_row
from mancala_rl.kernel.packed import can_pack
from mancala_rl.kernel.worth import margin_share
from mancala_rl.search import MCTS, Forest, Greedy, TreeAnalysis, Uniform, mcts, minimax
from mancala_rl.search.random_game import MAX_PLIES, random_game_rules, random_margin
from mancala_rl.search.rollout import play_randomly
from mancala_rl.search.tree import PARENT, PROVEN, UNTRIED, USED, VISITS
from tests.search.plain import SPECS, perfect, random_positions, results, some_positions

MORE = ("japanese:players=3,pits=3,stones=2", "japanese:players=4,pits=2,stones=2,resign=true")
EVERY = [*(f"{name}:pits=3,stones=3" for name in VARIANTS), *MORE]


def even(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    """Knows nothing: every action is as good, every seat stands as well."""
    return np.ones((len(batch), batch.rules.num_actions)), np.zeros((len(batch), batch.rules.players))


def exact(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    """Equal priors and the result of perfect play."""
    return even(batch)[0], np.array([perfect(position) for position in batch])


def exact_margins(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    """Equal priors and the margin of perfect play, over all stones."""
    shares = [
        (1 - 2 * (position.to_move or 0)) * minimax(position, 60, table_mib=0.1).value / batch.rules.total
        for position in batch
    ]
    return even(batch)[0], np.array([[share, -share] for share in shares])


def grown(position: Position, simulations: int, **options: object) -> Forest:
    """The tree of a search."""
    player = MCTS(position.rules, simulations, **options)  # type: ignore[arg-type]
    player.analyse(position, 5)
    return player._local.forest


@pytest.mark.parametrize("evaluator", [None, even], ids=["rollouts", "even"])
@pytest.mark.parametrize("spec", EVERY)
def test_the_tree_holds_together(spec: str, evaluator: object) -> None:
    rules = variant(spec)
    for position in some_positions(rules, 3, plies=6):
        forest = grown(position, 60, evaluator=evaluator)
        facts, children, rows = forest.facts, forest.children, forest.rows
        assert (rows[0] == position.row).all()
        used = facts[0, USED]
        assert used <= 61
        assert facts[0, PROVEN] or facts[0, VISITS] == 61
        for node in range(used):
            here = Position.from_row(rules, rows[node])
            below = [child for child in children[node] if child]
            assert sum(1 << a for a, child in enumerate(children[node]) if child) | facts[node, UNTRIED] == sum(
                1 << a for a in here.legal_moves
            )
            for action, child in enumerate(children[node]):
                if child:
                    assert (rows[child] == here.play(action).row).all()
                    assert facts[child, PARENT] == node
            visits = facts[node, VISITS]
            assert visits >= 1 + facts[below, VISITS].sum() or here.is_over
            assert facts[node, PROVEN] or visits == 1 + facts[below, VISITS].sum()
            assert abs(forest.means[node].sum()) < 1e-9
            assert abs(forest.means[node]).max() <= 1
            if here.is_over:
                assert facts[node, PROVEN] and forest.means[node].tolist() == list(here.returns)
            elif facts[node, PROVEN]:
                seat = here.to_move
                assert max(forest.means[child, seat] for child in below) == forest.means[node, seat]


def test_what_is_reported_is_what_the_tree_holds() -> None:
    position = random_positions("kalah", 1, plies=9)[0]
    analysis = mcts(position, 300, seed=5)
    forest = grown(position, 300)
    assert sum(analysis.visits) == 300 and analysis.nodes == 301
    assert [value is None for value in analysis.values] == [visits == 0 for visits in analysis.visits]
    assert analysis.visits[analysis.best_move] == max(analysis.visits)
    assert analysis.value == analysis.values[analysis.best_move]
    assert analysis.principal_variation[0] == analysis.best_move
    assert analysis.seat_values == tuple(forest.means[0])
    assert len(analysis.principal_variation) <= analysis.depth
    line = position
    for move in analysis.principal_variation:
        line = line.play(move)
    mean = sum(v * n for v, n in zip(analysis.values, analysis.visits, strict=True) if v is not None) / 300
    assert mean == pytest.approx(analysis.seat_values[position.to_move or 0], abs=0.01)  # but for the root's own game


@pytest.mark.parametrize("spec", EVERY)
def test_what_is_proven_is_the_result_of_perfect_play(spec: str) -> None:
    small = variant(spec.replace("pits=3", "pits=2").replace("stones=3", "stones=1"))
    for position in some_positions(small, 4, plies=4):
        analysis = mcts(position, 3000)
        if analysis.proven:
            seat = position.to_move or 0
            ways = results(position)
            assert analysis.value == max(worth[seat] for worth in ways.values()) == ways[analysis.best_move][seat]
            assert analysis.seat_values[seat] == analysis.value


def test_small_games_are_proven() -> None:
    proven = [mcts(position, 3000).proven for position in random_positions("kalah:pits=3,stones=1", 30)]
    assert all(proven)


@pytest.mark.parametrize("spec", ["kalah:pits=3,stones=2", "kalah:pits=2,stones=3,pie=true", "mangala:pits=3,stones=2"])
def test_with_exact_leaves_it_converges_to_minimax(spec: str) -> None:
    for position in random_positions(spec, 6, plies=6):
        solved, total = minimax(position, 60), position.rules.total
        analysis = mcts(position, 1500, evaluator=exact_margins, reward="margin")
        assert solved.values[analysis.best_move] == solved.value, position
        assert analysis.value == pytest.approx(solved.value / total, abs=0.9 / total), position  # in stones: 0.9
        outcome = mcts(position, 300, evaluator=exact)
        assert results(position)[outcome.best_move] == perfect(position), position
        assert outcome.value == pytest.approx(np.sign(solved.value), abs=0.3), position


@pytest.mark.parametrize("spec", MORE)
def test_with_exact_leaves_every_seat_plays_for_itself(spec: str) -> None:
    for position in some_positions(variant(spec.replace("stones=2", "stones=1")), 4, plies=3):
        seat = position.to_move or 0
        analysis = mcts(position, 400, evaluator=exact)
        assert results(position)[analysis.best_move][seat] == perfect(position)[seat]


def test_a_chain_of_extra_turns_is_found() -> None:
    """Only a move that ends in the store five times over wins; see the same position in test_alphabeta."""
    rules = variant("kalah:pits=3,stones=4")
    for seat in (0, 1):
        rows, stores = [(3, 2, 1), (0, 0, 5)], [8, 5]
        position = Position(rules, rows[:: -1 if seat else 1], stores[:: -1 if seat else 1], seat)
        analysis = mcts(position, 2000, reward="margin")
        assert minimax(position, 40).values[analysis.best_move] == minimax(position, 40).value


def test_a_win_in_one_is_played_and_a_loss_in_one_is_not() -> None:
    rules = variant("kalah:pits=3,stones=2")
    win = Position(rules, [(0, 0, 1), (1, 1, 1)], [6, 2])  # the last stone: 7 of 12
    assert mcts(win, 50).value == 1 and mcts(win, 50).proven
    for seed in range(20):
        for position in random_positions("kalah:pits=2,stones=2", 3, seed=seed):
            analysis = mcts(position, 2000, seed=seed)
            assert results(position)[analysis.best_move] == perfect(position)


def test_seeds_are_all_the_chance_there_is() -> None:
    position = variant("kalah").start()
    assert mcts(position, 100, seed=3) == mcts(position, 100, seed=3)
    assert len({mcts(position, 100, seed=seed).visits for seed in range(8)}) == 8
    agent = MCTS(position.rules, 60)
    batch = Batch.of([position] * 8)
    assert agent.act(batch, np.arange(8)).tolist() == [mcts(position, 60, seed=seed).best_move for seed in range(8)]
    assert agent.analyse(position, 7) == mcts(position, 60, seed=7)


@pytest.mark.parametrize("evaluator", [None, even], ids=["rollouts", "even"])
def test_a_move_does_not_depend_on_the_batch(evaluator: object, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = variant("kalah:pits=4,stones=3")
    batch = Batch.of(random_positions(str(rules), 40))
    agent = MCTS(rules, 30, evaluator=evaluator)  # type: ignore[arg-type]
    moves = agent.act(batch, np.arange(40))
    assert moves.tolist() == [int(agent.act(batch.select([g]), np.array([g]))[0]) for g in range(40)]
    monkeypatch.setattr(sys.modules["mancala_rl.search.mcts"], "TOGETHER", 7)
    assert agent.act(batch, np.arange(40)).tolist() == moves.tolist()
    for twin in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
        assert (twin.name, twin.simulations) == (agent.name, 30)
        assert twin.act(batch, np.arange(40)).tolist() == moves.tolist()


def test_an_evaluator_sees_all_games_at_once_and_none_that_is_over() -> None:
    rules = variant("kalah:pits=3,stones=1")
    calls = []

    def watch(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
        assert not batch.over.any()
        calls.append(len(batch))
        return even(batch)

    positions = random_positions(str(rules), 12, plies=3)
    forest = Forest(rules, 12, 200)
    forest.run(Batch.of(positions), watch)
    assert calls[0] == 12
    assert len(calls) <= 201
    for g, position in enumerate(positions):
        if forest.proven[g]:
            assert forest.seat_values[g].tolist() == perfect(position)
    assert forest.proven.any()


def test_priors_guide_the_search() -> None:
    position = variant("kalah").start()

    def likes(action: int):
        def judge(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
            priors, values = even(batch)
            priors[:, action] += 20
            return priors, values

        return judge

    for action in range(6):
        analysis = mcts(position, 60, evaluator=likes(action))
        assert analysis.best_move == action
    nothing = mcts(position, 60, evaluator=lambda batch: (0 * even(batch)[0], even(batch)[1]))
    assert nothing == mcts(position, 60, evaluator=even)  # no prior above 0: equal ones


def test_phases_one_by_one_are_a_whole_search() -> None:
    batch = Batch.of(random_positions("kalah", 10, plies=20))
    whole, steps = Forest(batch.rules, 16, 40), Forest(batch.rules, 10, 40)
    whole.run(batch, exactly_even := even)
    steps.plant(batch)
    for _ in range(41):
        steps.back_up(*exactly_even(steps.select()))
    for name in ("visits", "seat_values", "nodes", "proven"):
        assert (getattr(whole, name) == getattr(steps, name)).all()
    assert np.array_equal(whole.action_values, steps.action_values, equal_nan=True)
    assert (whole.best_actions() == steps.best_actions()).all()


def noisy(noise: float, alpha: float, seeds: np.ndarray) -> np.ndarray:
    """The priors of the root, drawn for each seed."""
    rules = variant("kalah:pits=4,stones=3")
    position = Position(rules, [(1, 0, 2, 3), (3, 3, 3, 3)], [3, 3])
    forest = Forest(rules, len(seeds), 1)
    forest.run(Batch.of([position] * len(seeds)), even, seeds, noise, alpha)
    assert forest.priors is not None
    return forest.priors[:: forest.size][: len(seeds)]


def test_noise_is_drawn_from_the_dirichlet_distribution() -> None:
    seeds = np.arange(4000)
    for alpha in (0.3, 1.0, 5.0):
        priors = noisy(1.0, alpha, seeds)
        assert np.allclose(priors.sum(axis=1), 1)
        assert (priors[:, 1] == 0).all()  # an empty pit
        drawn = priors[:, [0, 2, 3]]
        variance = (1 / 3) * (2 / 3) / (3 * alpha + 1)
        assert drawn.mean(axis=0) == pytest.approx([1 / 3] * 3, abs=4 * np.sqrt(variance / 4000))
        assert drawn.var(axis=0) == pytest.approx([variance] * 3, rel=0.15)
    assert np.allclose(noisy(0.25, 1.0, seeds), 0.25 * noisy(1.0, 1.0, seeds) + 0.75 * noisy(0, 1.0, seeds))
    assert (noisy(1.0, 0.3, seeds[5:6]) == noisy(1.0, 0.3, seeds)[5]).all()
    assert np.isfinite(noisy(1.0, 0.001, seeds)).all()


@pytest.mark.parametrize("spec", [*SPECS, "mangala", "mangala_official", "kalah:pits=8,stones=3,end_check=on_turn"])
def test_a_packed_game_is_the_game_on_rows(spec: str) -> None:
    rules = variant(spec)
    compared = compare_packed(rules, 40)
    assert compared or rules.total >= 1 << 62 // rules.pits


def test_packed_games_of_sampled_rules() -> None:
    rng = np.random.default_rng(4)
    plain = {"relay": "off", "chain": "none", "tuzdik": False, "feed": False, "repetition": 0, "max_plies": 0}
    sampled = [Rules.sample(rng, players=2, pits=(1, 7), stones=(1, 6), goal="most", **plain) for _ in range(80)]
    assert sum(compare_packed(rules, 6) for rules in sampled) > 150


def compare_packed(rules: Rules, count: int) -> int:
    """Play random games both ways from random positions; return how many could be packed."""
    q, compared = random_game_rules(rules), 0
    for number, position in enumerate(random_positions_of(rules, count)):
        rows = np.zeros((2, rules.row_length), np.int16)
        rows[0] = position.row
        if len(q) == 1 or not can_pack(rows, 0, rules.array):
            continue
        found = random_margin(rows, 0, 1000 * number, False, q, rules.array)
        decided = random_margin(rows, 0, 1000 * number, True, q, rules.array)
        assert (rows[0] == position.row).all()
        copy_row(rows, 0, 1)
        play_randomly(rows, 1, 1000 * number, rules.array)
        share = margin_share(rows, 1, 0, rules.array)
        assert found == round(share * rules.total), (rules, position)
        assert np.sign(decided) == np.sign(found), (rules, position)
        compared += 1
    return compared


def random_positions_of(rules: Rules, count: int) -> list[Position]:
    return [position for position in some_positions(rules, count, plies=12) if not position.is_over]


def test_boards_too_large_or_too_special_are_not_packed() -> None:
    for spec in ("kalah:pits=12", "oware", "japanese", "japanese:players=3", "toguz_korgool"):
        assert len(random_game_rules(variant(spec))) == 1
    closed = Position.parse("4,x,4,4+0/4,4,4,4+4 0", "mangala:pits=4,stones=4")
    row = closed.row[None]
    assert len(random_game_rules(closed.rules)) > 1 and not can_pack(row, 0, closed.rules.array)
    assert mcts(closed, 30).nodes == 31


@pytest.mark.parametrize("spec", EVERY)
def test_it_finishes_games_of_every_kind(spec: str) -> None:
    rules = variant(spec)
    agents = [make_agent(name, rules) for name in ("mcts:simulations=15", "uniform")]
    seats = (np.arange(12)[:, None] + np.arange(rules.players)) % 2
    games = play_games(agents, rules.batch(12), seats, np.arange(12))
    assert games.final.over.all()


def test_endless_rules_are_cut_short() -> None:
    endless = Rules("endless", pits=4, stones=4, sow_stores="none", extra_turn="none", capture="none")
    assert not endless.is_finite
    ring = endless.start()
    rows = np.zeros((1, endless.row_length), np.int16)
    longest = 0
    for seed in range(50):
        rows[0] = ring.row
        play_randomly(rows, 0, seed, endless.array)
        longest = max(longest, Position.from_row(endless, rows[0]).ply)
    assert longest == MAX_PLIES
    assert mcts(ring, 20).nodes == 21


@pytest.mark.parametrize(
    "options, message",
    [
        ({"simulations": 0}, "simulations=0: expected a whole number from 1 to 1000000"),
        ({"simulations": -3}, "simulations=-3"),
        ({"simulations": 2.0}, "simulations=2.0"),
        ({"simulations": True}, "simulations=True"),
        ({"rollouts": 0}, "rollouts=0: expected a whole number from 1 to 1000"),
        ({"exploration": -0.1}, "exploration=-0.1: expected a number of at least 0"),
        ({"exploration": float("nan")}, "exploration=nan"),
        ({"seed": -1}, "seed=-1: expected a whole number from 0 to 4294967295"),
        ({"seed": 2**32}, "seed=4294967296"),
        ({"reward": "stones"}, "reward='stones': expected one of outcome, margin"),
    ],
)
def test_an_impossible_option_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(BadInputError) as caught:
        mcts(variant("kalah").start(), **options)  # type: ignore[arg-type]
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_cannot_be_searched_is_refused() -> None:
    over = Position(variant("kalah:pits=2,stones=1"), [(0, 0), (1, 0)], [2, 1])
    with pytest.raises(BadInputError, match="the game is over"):
        mcts(over)
    with pytest.raises(BadInputError, match="reward='margin': japanese is not won by stones"):
        mcts(variant("japanese").start(), reward="margin")
    with pytest.raises(AgentError, match="plays kalah, got games of kalah:pits=5"):
        MCTS(variant("kalah"), 5).act(variant("kalah:pits=5").batch(1), np.zeros(1, np.int64))
    with pytest.raises(AgentError, match="simulations=0: expected a whole number"):
        make_agent("mcts:simulations=0", "kalah")


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda b: (np.ones((len(b), 5)), np.zeros((len(b), 2))), r"priors of an evaluator: .* shape \(1, 6\), got"),
        (lambda b: (np.ones((len(b), 6)), np.zeros(len(b))), r"values of an evaluator: .* shape \(1, 2\), got \(1,\)"),
        (
            lambda b: (-np.ones((len(b), 6)), np.zeros((len(b), 2))),
            "priors of an evaluator: expected finite numbers >= 0",
        ),
        (lambda b: (np.ones((len(b), 6)), np.full((len(b), 2), np.nan)), "values of an evaluator: expected finite"),
    ],
)
def test_an_evaluator_that_answers_nonsense_is_refused(answer, message: str) -> None:
    with pytest.raises(BadInputError, match=message):
        mcts(variant("kalah").start(), 5, evaluator=answer)


def test_a_forest_has_room_for_what_it_was_made_for() -> None:
    rules = variant("kalah:pits=3,stones=2")
    forest = Forest(rules, 2, 5)
    for games in (0, 3):
        with pytest.raises(BadInputError, match=f"{games} games: this forest has room for 1 to 2"):
            forest.plant(rules.batch(games))
    with pytest.raises(BadInputError, match=r"noise=0.5: expected 2 seeds"):
        forest.run(rules.batch(2), even, noise=0.5)
    with pytest.raises(BadInputError, match="games=0"):
        Forest(rules, 0, 5)


def test_a_game_that_is_over_stays_a_root() -> None:
    rules = variant("kalah:pits=2,stones=1")
    over = Position(rules, [(0, 0), (1, 0)], [2, 1])
    forest = Forest(rules, 2, 20)
    forest.run(Batch.of([over, rules.start()]), even)
    assert forest.visits[0].tolist() == [0, 0] and forest.best_actions()[0] == -1
    assert forest.seat_values[0].tolist() == list(over.returns)
    assert forest.visits[1].sum() > 0


def test_a_forced_move_is_played_without_a_search() -> None:
    position = Position(variant("kalah:pits=3,stones=2"), [(0, 2, 0), (1, 1, 1)], [4, 3])
    assert choose(MCTS(position.rules, 5, evaluator=lambda batch: 1 / 0), position) == 1  # type: ignore[arg-type]
    assert mcts(position, 20).visits == (0, 20, 0) or mcts(position, 20).proven


def test_the_analysis_is_a_record() -> None:
    analysis = mcts(variant("kalah:pits=3,stones=2").start(), 5)
    assert isinstance(analysis, TreeAnalysis)
    with pytest.raises(AttributeError):
        analysis.value = 0.0  # type: ignore[misc]


def test_it_beats_chance_and_more_simulations_beat_fewer() -> None:
    rules = variant("kalah")
    strong, weak = MCTS(rules, 300), MCTS(rules, 30)
    assert evaluate(strong, [Uniform(rules)], rules, pairs=60).results[0].score >= 0.95
    assert evaluate(strong, [weak], rules, pairs=60).results[0].score > 0.65
    assert evaluate(strong, [Greedy(rules)], rules, pairs=60).results[0].score > 0.6


def test_it_beats_chance_with_three_players() -> None:
    rules = variant("japanese:players=3,pits=4,stones=3")
    seats = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0]] * 20)
    games = play_games([MCTS(rules, 100), Uniform(rules)], rules.batch(60), seats, np.arange(60))
    assert games.final.returns[seats == 0].mean() > 0.4
