"""The same game twice: the package's `Position` beside the oracle's `State`, and strategies that draw both."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from mancala_rl import Position, Rules, variant
from tests import reference

KALAH_OPTIONS = (
    "pits",
    "stones",
    "extra_turn",
    "capture",
    "empty_capture",
    "leftovers",
    "end_check",
    "stop_when_decided",
    "pie",
)


def rules_of(settings: reference.Settings) -> Rules:
    """The package's rules for the oracle's settings, by way of a spec string."""
    options = ",".join(f"{key}={str(getattr(settings, key)).lower()}" for key in KALAH_OPTIONS)
    return variant(f"{settings.variant}:{options}")


def position_of(state: reference.State) -> Position:
    """The package's position for an oracle state, as a custom position."""
    return Position(rules_of(state.settings), state.pits, state.stores, state.turn, pie=state.swapper)


def seen(position: Position) -> dict[str, Any]:
    """Everything the package says about a position that the oracle has an opinion on."""
    return {
        "pits": position.pits,
        "stores": position.stores,
        "to_move": position.to_move,
        "is_over": position.is_over,
        "legal_moves": list(position.legal_moves),
        "captured": position.captured,
        "extra_turn": position.extra_turn,
        "scores": position.scores,
        "ranking": position.ranking,
        "returns": position.returns,
        "decided": position.decided,
    }


def expected(state: reference.State) -> dict[str, Any]:
    """What `seen` ought to be."""
    margin = state.scores[0] - state.scores[1]
    sign = float((margin > 0) - (margin < 0))
    return {
        "pits": state.pits,
        "stores": state.stores,
        "to_move": state.turn,
        "is_over": state.over,
        "legal_moves": reference.legal(state),
        "captured": state.captured,
        "extra_turn": state.extra,
        "scores": state.scores,
        "ranking": reference.ranking(state) if state.over else None,
        "returns": (sign, -sign) if state.over else (0.0, 0.0),
        "decided": 2 * max(state.stores) > reference.total(state),
    }


def sown_cells(state: reference.State, move: int) -> tuple[int, ...]:
    """The oracle's sowing as cell numbers of the package: seat * (pits + 1) + pit; a swap sows nothing."""
    m = state.settings.pits
    return () if move == m else tuple(player * (m + 1) + i for player, i in reference.sowing_cells(state, move))


def draw_settings() -> st.SearchStrategy[reference.Settings]:
    """Kalah with 1..8 pits, 1..8 stones and any options."""
    fields = {
        "pits": st.integers(1, 8),
        "stones": st.integers(1, 8),
        "first": st.integers(0, 1),
        "extra_turn": st.booleans(),
        "capture": st.booleans(),
        "empty_capture": st.booleans(),
        "leftovers": st.sampled_from(["owner", "emptier", "unscored"]),
        "end_check": st.sampled_from(["immediate", "on_turn"]),
        "stop_when_decided": st.booleans(),
        "pie": st.booleans(),
    }
    # Not `st.builds`: it would draw every other field of a named tuple too, whatever its type allows.
    return st.fixed_dictionaries(fields).map(lambda drawn: reference.PRESETS["kalah"]._replace(**drawn))


@st.composite
def draw_start(draw: st.DrawFn) -> reference.State:
    """The uniform start of any settings."""
    return reference.start(draw(draw_settings()))


@st.composite
def draw_custom(draw: st.DrawFn) -> reference.State:
    """Any distribution of the stones: empty rows, decided stores and pits of several laps included."""
    settings = draw(draw_settings())
    m, left = settings.pits, 2 * settings.pits * settings.stones
    board = [0] * (2 * m + 2)
    for cell in draw(st.permutations(range(len(board)))):
        board[cell] = draw(st.integers(0, left))
        left -= board[cell]
    board[draw(st.integers(0, 2 * m + 1))] += left
    swapper = draw(st.sampled_from([None, 0, 1])) if settings.pie else None
    pits, stores = (tuple(board[:m]), tuple(board[m : 2 * m])), tuple(board[2 * m :])
    return reference.end(reference.State(settings, pits, stores, draw(st.integers(0, 1)), swapper))


def random_game(state: reference.State, seed: int) -> list[tuple[int, reference.State]]:
    """A game of random legal moves to its end: each move and the state after it."""
    rng, game = random.Random(seed), []
    while not state.over:
        move = rng.choice(reference.legal(state))
        state = reference.play(state, move)
        game.append((move, state))
    return game
