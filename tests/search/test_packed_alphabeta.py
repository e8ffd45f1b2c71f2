"""Alpha-beta on packed boards is alpha-beta on rows, for every rule that it takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mancala_rl import Batch, Position, Rules, variant
from mancala_rl.kernel import margin
from mancala_rl.kernel.packed import play_packed
from mancala_rl.rules.packed import packed_rules, packs
from mancala_rl.search import Minimax, minimax
from mancala_rl.search.frame import INFINITY
from mancala_rl.search.outlook import outlook
from mancala_rl.search.packed_last_plies import last_ply, last_two_plies
from mancala_rl.search.packed_search import PackedSearch, is_packable
from mancala_rl.search.workspace import Workspace
from tests.search.both import searches, values_by
from tests.search.plain import plain_values, random_positions, some_positions
from tests.solver.plain import CAPTURES

OPTIONS: dict[str, tuple[Any, ...]] = {
    "sow_stores": ("own", "own", "all", "none"),
    "first_stone": ("next", "origin"),
    "skip_origin": (False, True),
    "even_capture": (False, True),
    "end_check": ("immediate", "on_turn"),
    "leftovers": ("owner", "emptier", "unscored"),
}
EXTRA_TURNS = {"own": ("own_store", "none"), "all": ("own_store", "any_store"), "none": ("none",)}


@st.composite
def positions(draw: st.DrawFn, pits: int = 6, stones: int = 4) -> Position:
    """Positions of rules that can be packed, after some moves, either seat to move."""
    fields = {field: draw(st.sampled_from(values)) for field, values in OPTIONS.items()}
    fields["extra_turn"] = draw(st.sampled_from(EXTRA_TURNS[fields["sow_stores"]]))
    fields |= draw(st.sampled_from(CAPTURES))
    size = {"pits": draw(st.integers(1, pits)), "stones": draw(st.integers(1, stones))}
    position = Rules("drawn", **size, **fields).start(first=draw(st.integers(0, 1)))
    for choice in draw(st.lists(st.integers(0, 59), max_size=20)):
        moves = position.legal_moves
        after = position.play(moves[choice % len(moves)])
        if after.is_over:
            break
        position = after
    return position


@given(position=positions(), depth=st.integers(1, 5), places=st.sampled_from([1, 2, 64]))
def test_every_value_is_that_of_plain_minimax(position: Position, depth: int, places: int) -> None:
    _, packed = searches(position.rules, depth, places)
    assert values_by(packed, position, depth) == plain_values(position, depth)


@given(position=positions(), depth=st.integers(6, 11), places=st.sampled_from([1, 2, 64, 1 << 14]))
def test_deep_values_and_ties_are_those_on_rows(position: Position, depth: int, places: int) -> None:
    by_rows, packed = searches(position.rules, depth, places)
    assert values_by(packed, position, depth) == values_by(by_rows, position, depth)
    # With narrow windows only the best move's value is exact, but the ties are the same ones.
    games = position.row[None]
    assert packed.best_moves(games, depth)[0] == by_rows.best_moves(games, depth)[0]
    assert packed.values.max(where=legal(position), initial=-INFINITY) == minimax(position, depth).value


def legal(position: Position) -> np.ndarray:
    return np.isin(np.arange(position.rules.num_actions), position.legal_moves)


@given(position=positions(pits=3, stones=3), data=st.data())
def test_values_hold_whatever_was_searched_before(position: Position, data: st.DataObject) -> None:
    """One table for positions and depths as they come, so small that most entries are overwritten."""
    search = PackedSearch(position.rules, 9, data.draw(st.sampled_from([2, 4, 16])))
    while not position.is_over and data.draw(st.booleans()):
        depth = data.draw(st.integers(1, 9))
        assert values_by(search, position, depth) == plain_values(position, depth)
        position = position.play(data.draw(st.sampled_from(position.legal_moves)))


@pytest.mark.parametrize("spec", ["kalah:pits=10,stones=3", "kalah:pits=12,stones=1", "mangala:pits=6,stones=85"])
def test_rows_of_sixty_bits_have_the_same_values(spec: str) -> None:
    """The widest that a game can have: ten bits a pit hold all stones of six pits, five those of twelve."""
    rules = variant(spec)
    assert rules.pits * rules.total.bit_length() == 60
    by_rows, packed = searches(rules, 6, 64)
    for position in random_positions(spec, 5):
        assert values_by(packed, position, 3) == plain_values(position, 3)
        assert values_by(packed, position, 6) == values_by(by_rows, position, 6)


def value_within(position: Position, depth: int, alpha: int, beta: int) -> int:
    """What the mover gains: by alpha-beta as it is told everywhere, fail-soft."""
    seat, best = position.to_move, -INFINITY
    for move in position.legal_moves:
        after = position.play(move)
        gain = lead(after, seat) - lead(position, seat)
        value = gain
        if depth > 1 and not after.is_over:
            low = max(alpha, best) - gain
            if after.to_move == seat:
                value += value_within(after, depth - 1, low, beta - gain)
            else:
                value -= value_within(after, depth - 1, gain - beta, -low)
        best = max(best, value)
        if best >= beta:
            break
    return best


def lead(position: Position, seat: int | None) -> int:
    scores = position.scores if position.is_over else position.stores
    return scores[seat or 0] - scores[1 - (seat or 0)]


@given(position=positions(), alpha=st.integers(-6, 6), width=st.integers(1, 6))
def test_the_last_plies_keep_to_their_window(position: Position, alpha: int, width: int) -> None:
    """A value outside the window is a bound on the right side of it, inside it is exact."""
    q, beta = packed_rules(position.rules, position.rules.total), alpha + width
    own, opp = packed_rows(position)
    for depth, (found, *_) in ((1, last_ply(own, opp, beta, q)), (2, last_two_plies(own, opp, alpha, beta, q))):
        value = value_within(position, depth, -INFINITY, INFINITY)
        if alpha < value < beta:
            assert found == value
        else:
            assert found <= value if value >= beta else found >= value
            assert (found >= beta) == (value >= beta) and (found <= alpha) == (value <= alpha)


def packed_rows(position: Position) -> tuple[int, int]:
    bits = max(1, position.rules.total.bit_length())
    rows = [sum(n << bits * i for i, n in enumerate(row)) for row in position.pits]
    return rows[position.to_move or 0], rows[1 - (position.to_move or 0)]


class Counted:
    """The packed search once more, recursive and on positions, counting the moves it searches."""

    def __init__(self) -> None:
        self.nodes = 0

    def search(self, position: Position, depth: int, alpha: int, beta: int) -> int:
        best, seat = -INFINITY, position.to_move
        for i, move in enumerate(self.ordered(position, depth)):
            self.nodes += 1
            after = position.play(move)
            gain, again = lead(after, seat) - lead(position, seat), after.to_move == seat
            low = max(alpha, best)
            value = gain
            if depth > 1 and not after.is_over:
                high = low + 1 if i and depth > 3 and -INFINITY < low < beta - 1 else beta
                value = self.below(after, depth, gain, again, low, high)
                if low < value < beta and high < beta:
                    value = self.below(after, depth, gain, again, low, beta)
            best = max(best, value)
            if best >= beta:
                break
        return best

    def below(self, after: Position, depth: int, gain: int, again: bool, low: int, high: int) -> int:
        if again:
            return gain + self.search(after, depth - 1, low - gain, high - gain)
        return gain - self.search(after, depth - 1, gain - high, gain - low)

    def ordered(self, position: Position, depth: int) -> list[int]:
        def order(move: int) -> tuple[int, ...]:
            after = position.play(move)
            again = not after.is_over and after.to_move == position.to_move
            gain = lead(after, position.to_move) - lead(position, position.to_move)
            return {1: (move,), 2: (again or gain > 1, move)}.get(depth, (again, gain, move))

        return sorted(position.legal_moves, key=order, reverse=True)


@pytest.mark.parametrize("spec", ["kalah", "kalah:pits=4,stones=3,empty_capture=true", "mangala:pits=4,stones=3"])
def test_nodes_are_the_moves_searched_and_no_others(spec: str) -> None:
    search = PackedSearch(variant(spec), 5, 1)
    for position in random_positions(spec, 6):
        for depth in (1, 2, 3, 4, 5):
            counted = Counted()
            value = counted.search(position, depth, -INFINITY, INFINITY)
            # Without any slack the root is searched as the rest.
            assert search.best_moves(position.row[None], depth, 0)[1] == counted.nodes
            assert value + lead(position, position.to_move) == minimax(position, depth).value


def test_minimax_takes_packed_boards_wherever_it_can() -> None:
    for spec in ("kalah", "kalah:stones=6", "mangala", "mangala_official", "kalah:pits=10,stones=3", "kalah:pie=true"):
        assert is_packable(variant(spec))
        space = Workspace(variant(spec), 3)
        games = [game for game in random_positions(spec, 20) if game.pie is None]
        assert space.line_from(games[0], 3)[0] and space.choose(Batch.of(games).rows, None, 3)[1] > 0
        assert space.by_rows is None
    for spec in ("oware", "japanese", "avalanche", "toguz_korgool", "kalah:stop_when_decided=true", "kalah:pits=12"):
        assert not is_packable(variant(spec))
    assert packs(variant("kalah:stop_when_decided=true"), 48)
    assert packs(variant("kalah"), 1023) and not packs(variant("kalah"), 1024)  # a row of 62 bits
    assert packs(variant("kalah:pits=3"), 2729) and not packs(variant("kalah:pits=3"), 2730)  # the size of the array


def test_one_batch_may_hold_games_of_both_kinds() -> None:
    """The right to swap and closed pits are for the rows; nobody sees which game took which way."""
    rules = variant("kalah:pits=4,stones=3,pie=true")
    games = some_positions(rules, 30, plies=6)
    closed = variant("mangala:pits=4,stones=4")
    mixed = [Position.parse("4,x,4,4+0/4,4,4,4+4 0", closed), closed.start(), closed.start().play(1)]
    for batch in (games, mixed, mixed[::-1]):
        agent = Minimax(batch[0].rules, 4, random_ties=True)
        together = agent.act(Batch.of(batch), np.arange(len(batch)))
        alone = [agent.act(Batch.of([game]), np.array([seed]))[0] for seed, game in enumerate(batch)]
        assert together.tolist() == alone
        for game, move in zip(batch, together.tolist(), strict=True):
            values = plain_values(game, 4)
            assert values[move] == max(v for v in values if v is not None)
            assert minimax(game, 4).values == values


@given(position=positions(), seat=st.integers(0, 1), depth=st.integers(1, 4))
@settings(max_examples=50)
def test_an_outlook_is_the_change_of_every_value(position: Position, seat: int, depth: int) -> None:
    rules = position.rules
    (found,) = outlook(position.row[None], np.array([seat]), depth, rules).tolist()
    as_if = Position(rules, position.pits, position.stores, seat)
    expected = [0] * rules.pits
    if not as_if.is_over:
        values = minimax(as_if, depth).values
        expected = [0 if v is None else v - lead(as_if, seat) for v in values[: rules.pits]]
    elif any(position.pits[seat]):
        return  # a position that the rules end at once, but that nobody asks about in a game
    assert found == expected


@pytest.mark.parametrize("spec", ["oware", "bohnenspiel:pits=4,stones=4", "japanese"])
def test_an_outlook_by_rows_is_the_change_of_every_value(spec: str) -> None:
    games = [game for game in random_positions(spec, 10) if game.to_move == 0]
    found = outlook(Batch.of(games).rows, np.zeros(len(games), np.int64), 3, variant(spec)).tolist()
    for game, change in zip(games, found, strict=True):
        now = int(margin(game.row[None], 0, game.rules.array))
        assert change == [0 if v is None else v - now for v in plain_values(game, 3)]


def test_closed_pits_leave_the_outlook_to_the_rows() -> None:
    closed = Position.parse("4,x,4,4+0/4,4,4,4+4 0", "mangala:pits=4,stones=4")
    batch = Batch.of([closed.rules.start(), closed])
    found = outlook(batch.rows, np.array([0, 0]), 3, closed.rules).tolist()
    expected = [[0 if v is None else v - lead(game, 0) for v in minimax(game, 3).values] for game in batch]
    assert found == expected


def test_a_move_of_the_packed_board_is_told_by_its_last_stone() -> None:
    """Kalah(6,4), pit 2 gives another turn; a lap of 13 from pit 5 captures where it began."""
    q = packed_rules(variant("kalah"), 48)
    start = sum(4 << 6 * pit for pit in range(6))
    own, opp, gain, again, over = play_packed(start, start, 2, q)
    assert (gain, bool(again), bool(over)) == (1, True, False)
    own, opp, gain, again, over = play_packed(13 << 30 | 1, 1 << 6, 5, q)
    assert (own, opp >> 30, gain, bool(again)) == (2 | sum(1 << 6 * i for i in range(1, 5)), 1, 3, False)
