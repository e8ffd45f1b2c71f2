import sys

import numpy as np
import pytest

from mancala_rl.arena import openings, play_games
from mancala_rl.errors import AgentError
from mancala_rl.rules import variant
from tests.arena.players import Answers, Chance, Nearest

KALAH = variant("kalah")


def seats(games: int) -> np.ndarray:
    """The two agents take turns at seat 0."""
    return np.array([[0, 1], [1, 0]])[np.arange(games) % 2]


def test_games_end_as_their_moves_say():
    starts = openings(KALAH, 20, seed=1)
    games = play_games([Chance(KALAH), Nearest(KALAH)], starts, seats(20), np.arange(20))
    assert games.final.over.all()
    for number, position in enumerate(starts):
        for move in games.moves[number]:
            if move >= 0:
                position = position.play(int(move))
        assert position == games.final[number]


def test_the_positions_given_stay_as_they_are():
    starts = openings(KALAH, 5)
    before = starts.rows.copy()
    play_games([Chance(KALAH), Chance(KALAH)], starts, seats(5), np.arange(5))
    assert (starts.rows == before).all()


def test_each_agent_is_asked_at_most_once_a_round():
    first, second = Chance(KALAH), Chance(KALAH)
    games = play_games([first, second], openings(KALAH, 30), seats(30), np.arange(30))
    rounds = games.moves.shape[1]
    assert len(first.calls) <= rounds
    assert len(second.calls) <= rounds
    assert sum(first.calls) + sum(second.calls) == (games.moves >= 0).sum()


def test_a_game_does_not_depend_on_what_is_played_beside_it():
    starts = openings(KALAH, 16, seed=5)
    agents = [Chance(KALAH), Nearest(KALAH)]
    together = play_games(agents, starts, seats(16), np.arange(16))
    for game in (0, 7, 15):
        alone = play_games(agents, starts.select([game]), seats(16)[[game]], np.array([game]))
        assert alone.final[0] == together.final[game]


def test_the_agent_in_the_seat_is_the_one_that_moves():
    rules = variant("kalah:pits=3,stones=3")
    start = rules.batch(2)
    games = play_games([Nearest(rules), Chance(rules)], start, np.array([[0, 1], [1, 0]]), np.array([1, 1]))
    for game, seat in ((0, 0), (1, 1)):  # where Nearest sits
        position = start[game]
        for move in games.moves[game][games.moves[game] >= 0].tolist():
            if position.to_move == seat:
                assert move == max(position.legal_moves)
            position = position.play(move)


def test_progress_counts_finished_games_up_to_all():
    told: list[int] = []
    play_games([Chance(KALAH), Chance(KALAH)], openings(KALAH, 10), seats(10), np.arange(10), told.append)
    assert told == sorted(told)
    assert told[-1] == 10


def test_games_that_are_over_already_take_no_move():
    over = KALAH.batch(1)
    while not over.over[0]:
        over.play(over.legal().argmax(axis=1))
    games = play_games([Chance(KALAH), Chance(KALAH)], over, seats(1), np.arange(1))
    assert games.moves.shape == (1, 0)


@pytest.mark.parametrize(
    "answer, message",
    [
        (lambda batch: np.full(len(batch), 6), "agent broken played the illegal move 6 in 4,4,.* legal moves: 0, 1, 2"),
        (lambda batch: np.full(len(batch), -1), "illegal move -1"),
        (lambda batch: np.full(len(batch), 2**40), "illegal move"),
        (lambda batch: np.zeros(len(batch) + 1, int), r"expected 2 whole numbers.* shape \(3,\)"),
        (lambda batch: np.zeros(len(batch)), "float64"),
        (lambda batch: [None] * len(batch), "object"),
        (lambda batch: [[1], [1, 2]], "agent broken: expected one action a game, its act failed .ValueError"),
        (lambda batch: batch.no_such_thing, "agent broken.*AttributeError"),
        (lambda batch: sys.exit("done"), "agent broken.*SystemExit: done"),
    ],
)
def test_an_agent_that_breaks_the_rules_is_named(answer, message):
    broken = Answers(KALAH, answer)
    with pytest.raises(AgentError, match=message):
        play_games([broken, broken], KALAH.batch(4), seats(4), np.arange(4))


def test_an_agent_may_spoil_its_own_batch_only():
    def spoil(batch):
        moves = batch.legal().argmax(axis=1)
        batch.rows[:] = 0
        return moves

    games = play_games([Answers(KALAH, spoil)] * 2, KALAH.batch(3), seats(3), np.arange(3))
    assert (games.final.scores.sum(axis=1) == KALAH.total).all()
