"""What a player sees, checked against `Position`, and what a game is worth."""

import numpy as np
import pytest

from mancala_rl import Batch, Position, Rules, variant
from mancala_rl.envs.observation import observation_space, observe, observe_range
from mancala_rl.envs.reward import forfeit, rewards
from mancala_rl.errors import BadInputError

RULES = [
    variant("kalah"),
    variant("kalah:pits=3,stones=2"),
    variant("kalah:pits=1,stones=3"),
    variant("kalah:pits=4,stones=3,leftovers=emptier,empty_capture=true"),
    variant("kalah:pits=4,stones=3,end_check=on_turn"),
    variant("kalah:pits=5,stones=9,pie=true"),
]
THREE = Rules(name="three", players=3, pits=2, stones=2, capture="none")


def random_positions(rules: Rules, games: int = 12) -> list[Position]:
    """Every position of a few random games."""
    rng = np.random.default_rng(0)
    positions = []
    for _ in range(games):
        position = rules.start(first=int(rng.integers(rules.players)))
        positions.append(position)
        while not position.is_over:
            position = position.play(int(rng.choice(position.legal_moves)))
            positions.append(position)
    return positions


def expected_counts(position: Position, seat: int) -> list[int]:
    order = [(seat + turn) % position.rules.players for turn in range(position.rules.players)]
    return [n for s in order for n in (*position.pits[s], position.stores[s])]


def expected_prospect(position: Position, player: int, pit: int) -> list[int]:
    """Extra turn, captured and gain of one pit, by playing it on a position where it is that player's turn."""
    if position.is_over or not position.pits[player][pit]:
        return [0, 0, 0]
    before = Position(position.rules, position.pits, position.stores, to_move=player)
    after = before.play(pit)
    return [int(after.extra_turn), after.captured, after.stores[player] - before.stores[player]]


def expected_tactics(position: Position, seat: int) -> list[int]:
    order = [(seat + turn) % position.rules.players for turn in range(position.rules.players)]
    return [n for s in order for pit in range(position.rules.pits) for n in expected_prospect(position, s, pit)]


def seen(position: Position, seat: int, kind: str) -> list[int]:
    rows = Batch.of([position]).rows
    return observe(rows, np.array([seat]), kind, position.rules)[0].tolist()


@pytest.mark.parametrize("rules", [*RULES, THREE], ids=str)
def test_counts_are_the_board_from_the_observers_side(rules):
    for position in random_positions(rules):
        for seat in range(rules.players):
            counts = seen(position, seat, "counts")[: rules.num_cells]
            assert counts == expected_counts(position, seat), (position, seat)


@pytest.mark.parametrize("rules", [*RULES, THREE], ids=str)
def test_tactical_numbers_are_what_playing_each_pit_does(rules):
    for position in random_positions(rules, games=4):
        for seat in range(rules.players):
            numbers = seen(position, seat, "tactical")
            assert numbers[: rules.num_cells] == expected_counts(position, seat)
            tactics = numbers[rules.num_cells : len(numbers) - rules.pie]
            assert tactics == expected_tactics(position, seat), (position, seat)


def test_tactical_numbers_by_hand():
    # Seat 0: pits 0 and 1 end in the empty pit 2 and capture the 5 opposite; pit 3 ends in the store.
    position = Position.parse("2,1,0,1+0/1,5,0,6+0 1", variant("kalah:pits=4,stones=2"))
    numbers = seen(position, 0, "tactical")
    own = np.array(numbers[10:22]).reshape(4, 3).tolist()
    assert own == [[0, 6, 6], [0, 6, 6], [0, 0, 0], [1, 0, 1]]
    assert seen(position, 1, "tactical")[22:34] == numbers[10:22]


def plain_margin(position: Position, seat: int, plies: int) -> int:
    """The margin of a seat after so many plies, both sides playing for their own."""
    if position.is_over or not plies:
        return position.stores[seat] - position.stores[1 - seat]
    values = [plain_margin(position.play(move), seat, plies - 1) for move in position.legal_moves]
    return max(values) if position.to_move == seat else min(values)


def expected_lookahead(position: Position, seat: int) -> list[int]:
    """What each own pit brings within three plies, by plain minimax from a position where it is the seat's turn."""
    pits = position.pits[seat]
    if position.is_over or not any(pits):
        return [0] * len(pits)
    before = Position(position.rules, position.pits, position.stores, to_move=seat)
    now = plain_margin(before, seat, 0)
    return [plain_margin(before.play(pit), seat, 2) - now if n else 0 for pit, n in enumerate(pits)]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_lookahead_is_what_plain_minimax_says(rules):
    for position in random_positions(rules, games=2):
        for seat in (0, 1):
            numbers = seen(position, seat, "lookahead")
            ahead = len(numbers) - rules.pie - rules.pits
            assert numbers[:ahead] == seen(position, seat, "tactical")[:ahead]
            assert numbers[ahead : ahead + rules.pits] == expected_lookahead(position, seat), (position, seat)


def test_the_lookahead_is_for_two_players():
    with pytest.raises(BadInputError, match="observation='lookahead': expected rules for two players"):
        observation_space(THREE, "lookahead")


def test_a_closed_cell_is_minus_one():
    rules = variant("kalah:pits=3,stones=2")
    rows = Batch.of([rules.start()]).rows
    rows[0, 1] = -1
    assert observe(rows, np.array([0]), "tactical", rules)[0, 1] == -1
    assert observe(rows, np.array([1]), "counts", rules)[0].tolist() == [2, 2, 2, 0, 2, -1, 2, 0]


@pytest.mark.parametrize("kind", ["counts", "tactical", "lookahead"])
def test_the_last_number_says_who_may_swap_under_the_pie_rule(kind):
    start = variant("kalah:pie=true").start()
    answered, repeated = start.play(0), start.play(2)
    assert [seen(start, seat, kind)[-1] for seat in (0, 1)] == [0, 0]
    assert [seen(answered, seat, kind)[-1] for seat in (0, 1)] == [0, 1]
    assert [seen(repeated, seat, kind)[-1] for seat in (0, 1)] == [0, 0], "it is still seat 0's turn"
    assert [seen(answered.play(6), seat, kind)[-1] for seat in (0, 1)] == [0, 0]
    assert [seen(answered.play(0), seat, kind)[-1] for seat in (0, 1)] == [0, 0]


@pytest.mark.parametrize("kind", ["counts", "tactical"])
@pytest.mark.parametrize("rules", [*RULES, THREE], ids=str)
def test_every_observation_lies_in_the_space(rules, kind):
    space = observation_space(rules, kind)
    batch = Batch.of(random_positions(rules, games=3))
    for seat in range(rules.players):
        out = observe(batch.rows, np.full(len(batch), seat), kind, rules)
        assert out.dtype == np.int16
        assert all(space.contains(row) for row in out)


def test_an_observation_is_a_fresh_array_and_leaves_the_games_alone():
    rules = variant("kalah")
    batch = Batch.of(random_positions(rules, games=1))
    before, seats = batch.rows.copy(), np.zeros(len(batch), np.int64)
    first = observe(batch.rows, seats, "tactical", rules)
    first[:] = 99
    assert (observe(batch.rows, seats, "tactical", rules) != 99).any()
    assert (batch.rows == before).all()


def test_a_range_of_games_is_written_without_the_others():
    rules = variant("kalah")
    batch = Batch.of(random_positions(rules, games=1)[:6])
    seats = np.arange(6) % 2
    whole, part = observe(batch.rows, seats, "counts", rules), np.full((6, 14), -7, np.int16)
    observe_range(2, 4, batch.rows, seats, part, rules.array)
    assert (part[2:4] == whole[2:4]).all()
    assert (part[:2] == -7).all()
    assert (part[4:] == -7).all()


def test_unknown_kinds_name_the_known_ones():
    rules = variant("kalah")
    with pytest.raises(BadInputError, match="observation='planes': expected one of counts, tactical"):
        observation_space(rules, "planes")
    with pytest.raises(BadInputError, match="expected one of counts, tactical"):
        observe(Batch.start(rules, 1).rows, np.array([0]), "planes", rules)
    with pytest.raises(BadInputError, match="reward='score': expected one of outcome, margin"):
        rewards(Batch.start(rules, 1).rows, "score", rules)


@pytest.mark.parametrize("rules", [*RULES, THREE], ids=str)
def test_rewards_come_at_the_end_and_add_up_to_zero(rules):
    positions = random_positions(rules)
    batch = Batch.of(positions)
    outcome, margin = rewards(batch.rows, "outcome", rules), rewards(batch.rows, "margin", rules)
    assert np.allclose(outcome.sum(axis=1), 0)
    assert np.allclose(margin.sum(axis=1), 0)
    for position, row in zip(positions, outcome.tolist(), strict=True):
        assert tuple(row) == position.returns
    if rules.players == 2:
        for position, row in zip(positions, margin.tolist(), strict=True):
            own, other = position.scores
            assert row[0] == pytest.approx((own - other) / rules.total if position.is_over else 0)


def test_a_forfeit_costs_the_loser_one_and_is_zero_sum():
    assert forfeit(1, variant("kalah")) == [1.0, -1.0]
    assert forfeit(0, THREE) == [-1.0, 0.5, 0.5]
