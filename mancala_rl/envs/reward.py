"""What a finished game is worth to each player.

| kind | reward |
|---|---|
| outcome | by place: +1, 0, -1 for two players, 1 - 2(place - 1)/(P - 1) for P, equal ones share the mean |
| margin | own score minus the mean score of the others, over all stones of the game: from -1 to 1 |

Both are 0 for a player whose game goes on and add up to 0 over the players. Where players leave one after the other
(Japanese Mancala for three or four) each has its reward from then on, and if the game is cut off those still playing
share the places that are free. There is no margin where stones do not count.
"""

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from mancala_rl.envs.options import choice
from mancala_rl.errors import BadInputError
from mancala_rl.kernel import margin_range, share_forfeit
from mancala_rl.kernel.layout import OVER, PLACES
from mancala_rl.rules import Rules, scoring

Kind = Literal["outcome", "margin"]

KINDS: tuple[str, ...] = get_args(Kind)


def check_kind(kind: str, rules: Rules) -> None:
    """Refuse a kind of reward that does not exist, or not under these rules.

    Raises:
        BadInputError: names the kinds there are.
    """
    choice("reward", kind, KINDS)
    if kind == "margin" and rules.goal != "most":
        raise BadInputError(
            f"reward='margin': {rules} is not won by stones (goal={rules.goal}); expected reward='outcome'"
        )


def players_leave(rules: Rules) -> bool:
    """Return whether a player can be out while others play on."""
    return rules.goal == "empty" and rules.players > 2


def rewards(rows: NDArray[np.int16], kind: str, rules: Rules) -> NDArray[np.float64]:
    """Return the reward of every seat, float64[B, P], 0 for a seat whose game goes on.

    Args:
        rows: int16[B, row_length], the games; see `mancala_rl.kernel.layout`.
        kind: one of `KINDS`.
        rules: the variant played.

    Raises:
        BadInputError: there is no such kind under these rules.
    """
    check_kind(kind, rules)
    if kind == "margin":
        return margins(rows, rules)
    if not players_leave(rules):
        return scoring.returns(rows, rules)
    done = out(rows, rules) | (rows[:, rules.num_cells + OVER] != 0)[:, None]
    values: NDArray[np.float64] = scoring.worth_by_rank(rows, rules) * done + 0.0  # + 0.0: never -0.0
    return values


def out(rows: NDArray[np.int16], rules: Rules) -> NDArray[np.bool_]:
    """Return which seats have a place, bool[B, P]: they are out of the game, whether it goes on or not."""
    first = rules.num_cells + PLACES
    placed: NDArray[np.bool_] = rows[:, first : first + rules.players] > 0
    return placed


def margins(rows: NDArray[np.int16], rules: Rules) -> NDArray[np.float64]:
    """Return own score minus the mean score of the others, over `rules.total`, float64[B, P]; 0 in games that go on."""
    shares = np.empty((len(rows), rules.players), np.float64)
    margin_range(0, len(rows), rows, shares, rules.array)
    over = rows[:, rules.num_cells + OVER] != 0
    shares *= over[:, None]
    return shares + 0.0  # + 0.0: never -0.0


def forfeit(loser: int, rules: Rules, paid: Sequence[float | None] = ()) -> list[float]:
    """Return the reward of every seat when seat `loser` made an illegal move.

    It gets -1. The others still playing share what makes the rewards of the game add up to 0.

    Args:
        loser: the seat.
        rules: the variant played.
        paid: one a seat, the reward of a player who is out, None for one who plays; nobody is out if left out.
    """
    paid = paid or (None,) * rules.players
    values = np.array([[value or 0.0 for value in paid]])
    playing = sum(1 << seat for seat, value in enumerate(paid) if value is None)
    share_forfeit(values, 0, loser, playing, rules.players)
    return [float(value) for value in values[0]]
