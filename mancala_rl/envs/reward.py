"""What a finished game is worth to each player.

| kind | reward |
|---|---|
| outcome | by place: +1, 0, -1 for two players (see `rules.scoring` for more) |
| margin | own score minus the mean score of the others, over all stones of the game: from -1 to 1 |

Both are 0 while the game goes on and add up to 0 over the players.
"""

from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from mancala_rl.envs.options import choice
from mancala_rl.kernel.layout import OVER
from mancala_rl.rules import Rules, scoring

Kind = Literal["outcome", "margin"]

KINDS: tuple[str, ...] = get_args(Kind)


def check_kind(kind: str) -> None:
    """Refuse a kind of reward that does not exist.

    Raises:
        BadInputError: names the kinds there are.
    """
    choice("reward", kind, KINDS)


def rewards(rows: NDArray[np.int16], kind: str, rules: Rules) -> NDArray[np.float64]:
    """Return the reward of every seat, float64[B, P], 0 in games that go on.

    Args:
        rows: int16[B, row_length], the games; see `mancala_rl.kernel.layout`.
        kind: one of `KINDS`.
        rules: the variant played.

    Raises:
        BadInputError: there is no such kind.
    """
    check_kind(kind)
    return scoring.returns(rows, rules) if kind == "outcome" else margins(rows, rules)


def margins(rows: NDArray[np.int16], rules: Rules) -> NDArray[np.float64]:
    """Return own score minus the mean score of the others, over `rules.total`, float64[B, P]."""
    scores = scoring.scores(rows, rules)
    others = (scores.sum(axis=1, keepdims=True) - scores) / (rules.players - 1)
    over = rows[:, rules.num_cells + OVER] != 0
    shares: NDArray[np.float64] = (scores - others) / rules.total * over[:, None] + 0.0  # + 0.0: never -0.0
    return shares


def forfeit(loser: int, rules: Rules) -> list[float]:
    """Return the reward of every seat when seat `loser` made an illegal move: -1, shared out among the others."""
    return [-1.0 if seat == loser else 1.0 / (rules.players - 1) for seat in range(rules.players)]
