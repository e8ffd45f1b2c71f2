"""How episodes begin: what chance decides is evenly drawn, and never the same twice."""

import numpy as np
import pytest

from mancala_rl import MancalaVectorEnv, SelfPlayVectorEnv, variant
from mancala_rl.envs.episode import STREAMS, begun, check_first, drawn, given_row, stream_of
from mancala_rl.envs.single import MancalaEnv
from mancala_rl.envs.vector import games
from mancala_rl.errors import BadInputError, PositionError
from tests.envs.batched import RECORDS

FOUR = "japanese:players=4,pits=3,stones=2"
GAMES, EPISODES = 600, 6


def evenly(counts):
    """Counts of what ought to be equally likely differ by less than five standard deviations."""
    counts = np.ravel(counts)
    mean = counts.sum() / len(counts)
    return abs(counts - mean).max() < 5 * np.sqrt(mean)


def starts(env, seed=0):
    """The learner's or mover's seat, who started, and the record of every game in the episodes that follow a seed."""
    shown = [env.reset(seed=seed if episode == 0 else None)[1] for episode in range(EPISODES)]
    return {
        name: np.array([infos[name] for infos in shown]) for name in ("seat", "to_move", "record") if name in shown[0]
    }


def test_the_learners_seat_is_evenly_drawn_over_games_and_over_episodes():
    seats = starts(MancalaVectorEnv(FOUR, GAMES))["seat"]
    assert evenly(np.bincount(seats.ravel(), minlength=4))
    assert all(evenly(np.bincount(row, minlength=4)) for row in seats)
    pairs = seats[1:] * 4 + seats[:-1]
    assert evenly(np.bincount(pairs.ravel(), minlength=16)), "the next seat has nothing to do with the last"
    beside = seats[:, 1:] * 4 + seats[:, :-1]
    assert evenly(np.bincount(beside.ravel(), minlength=16)), "nor with that of the game beside it"


def test_who_starts_is_evenly_drawn_and_has_nothing_to_do_with_the_seat():
    first = starts(SelfPlayVectorEnv(FOUR, GAMES, first="random"))["to_move"]
    assert evenly(np.bincount(first.ravel(), minlength=4))
    seats = starts(MancalaVectorEnv(FOUR, GAMES, first="random"))["seat"]
    assert evenly(np.bincount((first * 4 + seats).ravel(), minlength=16))


def test_records_are_evenly_drawn_and_have_nothing_to_do_with_the_seat():
    shown = starts(MancalaVectorEnv(RECORDS[:4], GAMES, records="random"))
    assert evenly(np.bincount(shown["record"].ravel(), minlength=4))
    two = shown["record"] != 2  # three have a seat there
    assert evenly(np.bincount((shown["record"] * 2 + shown["seat"])[two], minlength=8)[[0, 1, 2, 3, 6, 7]])
    assert evenly(np.bincount(shown["seat"][~two], minlength=3))


def test_an_environment_of_one_game_draws_as_evenly():
    env = MancalaEnv(FOUR)
    seats = [env.reset(seed=0 if episode == 0 else None)[1]["seat"] for episode in range(400)]
    assert evenly(np.bincount(seats, minlength=4))


def test_openings_have_every_length_asked_for():
    env = SelfPlayVectorEnv("kalah", 3000, opening_plies=(2, 5))
    plies = env.reset(seed=0)[1]["ply"]
    assert evenly(np.bincount(plies, minlength=6)[2:]) and plies.min() == 2 and plies.max() == 5


def test_no_episode_begins_like_another():
    env = SelfPlayVectorEnv("kalah:start_position=random", 300)
    boards = [tuple(board) for episode in range(8) for board in env.reset(seed=0 if episode == 0 else None)[0].tolist()]
    assert len(set(boards)) == len(boards) == 2400


def test_opponents_have_other_seeds_in_every_episode_of_every_game():
    env = MancalaVectorEnv("kalah", 300, seat=0)
    seeds = []
    for episode in range(8):
        env.reset(seed=0 if episode == 0 else None)
        seeds += env.get_state()["games"][:, games.TURNS].tolist()
    assert len(set(seeds)) == len(seeds) == 2400


def test_episodes_are_not_those_of_the_next_seed():
    """If seeds were counted up, the second episode of a seed would be the first one of the seed after it."""
    env = SelfPlayVectorEnv("kalah:start_position=random", 100)
    first = {tuple(board) for board in env.reset(seed=0)[0].tolist()}
    for _ in range(3):
        assert not first & {tuple(board) for board in env.reset()[0].tolist()}
    assert not first & {tuple(board) for board in env.reset(seed=100)[0].tolist()}
    assert len(first & {tuple(board) for board in env.reset(seed=1)[0].tolist()}) == 99, "seeds 1 to 99 again"


def test_streams_differ_for_seeds_of_any_size():
    seeds = [*range(2000), *(2**32 + n for n in range(200)), *(n << 32 for n in range(1, 200)), 2**64, 10**40]
    streams = [stream_of(seed) for seed in seeds]
    assert len(set(streams)) == len(set(seeds))
    assert all(isinstance(stream, int) and 0 <= stream < STREAMS for stream in streams)
    assert [stream_of(seed) for seed in seeds] == streams


def test_what_is_drawn_lies_in_its_range_and_depends_on_everything():
    values = {(s, e, w): int(drawn(1000, s, e, w)) for s in range(6) for e in range(6) for w in range(6)}
    assert set(values.values()) <= set(range(1000))
    assert len(set(values.values())) > 170  # of 216; by chance 194 differ


def test_an_episode_begins_the_same_whenever_it_is_asked_for():
    rules = variant("kalah:start_position=random")
    rows = [begun(rules, 7, episode, -1, 0, 6).tolist() for episode in range(20)]
    assert [begun(rules, 7, episode, -1, 0, 6).tolist() for episode in range(20)] == rows
    assert len(set(map(str, rows))) == 20


def test_environments_without_a_seed_have_chance_of_their_own():
    boards = {str(MancalaEnv("kalah:start_position=random", seat=0).reset()[0].tolist()) for _ in range(20)}
    assert len(boards) == 20


@pytest.mark.parametrize("first", [2, -1, None, "x", 0.0, True])
def test_only_seats_start(first):
    with pytest.raises(BadInputError, match="first="):
        check_first(first, variant("kalah"))
    check_first(1, variant("kalah"))
    check_first("random", variant("kalah"))


def test_positions_among_options():
    rules = variant("kalah")
    assert given_row(rules, {}) is None
    assert given_row(rules, {"first": 1}) is None
    assert (given_row(rules, {"position": str(rules.start())}) == rules.start().row).all()
    with pytest.raises(BadInputError, match="exclude each other"):
        given_row(rules, {"position": rules.start(), "first": 0})
    with pytest.raises(PositionError, match="got int"):
        given_row(rules, {"position": 3})
    with pytest.raises(BadInputError, match="expected a dictionary"):
        given_row(rules, [("position", rules.start())])


# What fails takes no chance away


def test_a_reset_that_is_refused_does_not_count_as_an_episode():
    env, twin = (MancalaEnv("kalah:start_position=random", opening_plies=(0, 4)) for _ in range(2))
    env.reset(seed=3)
    twin.reset(seed=3)
    for arguments in (
        {"seed": -1},
        {"options": {"first": 7}},
        {"seed": 9, "options": {"position": "x"}},
        {"options": 3},
    ):
        with pytest.raises(BadInputError):
            env.reset(**arguments)
    assert env.get_state() == twin.get_state()
    assert env.reset()[0].tolist() == twin.reset()[0].tolist()
