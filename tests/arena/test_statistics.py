import numpy as np
import pytest

from mancala_rl.arena import score_interval


def simulated_pairs(rng: np.random.Generator, pairs: int, first: float, second: float, draws: float) -> np.ndarray:
    """Pair scores of independent games: chances to win with seat 0 and with seat 1, and of a draw."""
    games = rng.random((pairs, 2))
    chances = np.array([first, second])
    scores = np.where(games < chances, 1.0, np.where(games < chances + draws, 0.5, 0.0))
    return scores.mean(axis=1)


@pytest.mark.parametrize(
    "first, second, draws",
    [(0.5, 0.4, 0.1), (0.85, 0.75, 0.05), (0.99, 0.98, 0.005), (0.1, 0.1, 0.8), (0.95, 0.04, 0.01)],
)
@pytest.mark.parametrize("pairs", [10, 50, 300])
def test_the_interval_covers_the_truth_about_95_times_in_100(first, second, draws, pairs):
    rng = np.random.default_rng(pairs)
    truth = (first + second + draws) / 2
    covered = 0
    for _ in range(600):
        low, high = score_interval(simulated_pairs(rng, pairs, first, second, draws))
        covered += low <= truth <= high
    assert covered / 600 >= 0.92  # 0.95 less three standard errors


def test_pairs_count_not_games():
    """When both games of a pair always end alike, 2n games are worth n."""
    rng = np.random.default_rng(0)
    pairs = rng.integers(0, 2, 400).astype(float)
    low, high = score_interval(pairs)
    naive = 2 * 1.96 * np.sqrt(pairs.mean() * (1 - pairs.mean()) / 800)
    assert high - low > 1.35 * naive


def test_a_seat_that_decides_every_game_narrows_the_interval():
    low, high = score_interval(np.full(100, 0.5))
    assert low < 0.5 < high
    assert high - low < 0.03


@pytest.mark.parametrize("pairs", [1, 2, 10, 300, 5000])
def test_all_won_or_all_lost_is_no_certainty(pairs):
    low, high = score_interval(np.ones(pairs))
    assert high == 1
    assert low == pytest.approx(pairs / (pairs + 1.96**2), abs=1e-4)  # Wilson's bound at pairs wins of pairs
    mirrored = score_interval(np.zeros(pairs))
    assert mirrored == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize("score", [0, 0.25, 0.5, 0.75, 1])
def test_one_pair_says_next_to_nothing(score):
    low, high = score_interval(np.array([score]))
    assert 0 <= low <= score <= high <= 1
    assert high - low > 0.7


def test_more_pairs_give_a_narrower_interval():
    rng = np.random.default_rng(1)
    widths = [np.subtract(*score_interval(simulated_pairs(rng, n, 0.6, 0.5, 0.1))[::-1]) for n in (30, 300, 3000)]
    assert widths == sorted(widths, reverse=True)
    assert widths[0] / widths[2] == pytest.approx(10, rel=0.25)
