"""`View`: what games look like after a step, and what infos tell of it."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.envs.vector import games
from mancala_rl.envs.vector.padding import Padding


class View:
    """The arrays that `games.show_games` writes, for N games.

    Args:
        count: N.
        padding: the size of what is seen.
        room: makes the arrays but the observations, `np.empty` or `np.zeros`.

    Attributes:
        obs: int16[N, D].
        mask: int8[N, A], the legal actions.
        facts: int64[SCORES + P, N].
        flags: bool[FLAGS, N].
    """

    __slots__ = ("facts", "flags", "mask", "obs")

    def __init__(self, count: int, padding: Padding, room: Callable[..., Any] = np.empty) -> None:
        self.obs: NDArray[np.int16] = np.empty((count, padding.size), np.int16)
        self.mask: NDArray[np.int8] = room((count, padding.num_actions), np.int8)
        self.facts: NDArray[np.int64] = room((games.SCORES + padding.players, count), np.int64)
        self.flags: NDArray[np.bool_] = room((games.FLAGS, count), np.bool_)

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """The arrays in the order in which kernels take them."""
        return self.obs, self.mask, self.facts, self.flags

    def infos(self, whom: NDArray[np.bool_], seat: str) -> dict[str, Any]:
        """Return what infos tell of the games `whom: bool[N]`, each entry with a mask of these, Gymnasium's way.

        `seat` is the name under which they tell the learner's seat or the seat to move.
        """
        return _told(self.mask, self.facts, self.flags, whom, seat)

    def final_infos(self, ended: NDArray[np.int64], seat: str) -> dict[str, Any]:
        """Return `final_obs` and `final_info` of a step in which only the games `ended: int64[N]` were written."""
        count = len(self.obs)
        over = np.zeros(count, np.bool_)
        over[ended] = True
        views = np.empty(count, object)  # of None
        for game in ended.tolist():
            views[game] = self.obs[game]
        return {"final_obs": views, "_final_obs": over, "final_info": self.infos(over, seat), "_final_info": over}


def _told(
    mask: NDArray[np.int8], facts: NDArray[np.int64], flags: NDArray[np.bool_], whom: NDArray[np.bool_], seat: str
) -> dict[str, Any]:
    told: dict[str, Any] = {
        "action_mask": mask,
        "_action_mask": whom,
        "scores": facts[games.SCORES :].T,
        "_scores": whom,
        "extra_turn": flags[games.FLAG_EXTRA],
        "_extra_turn": whom,
        "captured": facts[games.FACT_CAPTURED],
        "_captured": whom,
        "decided": flags[games.FLAG_DECIDED],
        "_decided": whom,
        "ply": facts[games.FACT_PLY],
        "_ply": whom,
        seat: facts[games.FACT_SEAT],
        f"_{seat}": whom,
    }
    forfeited = flags[games.FLAG_FORFEITED]
    if np.count_nonzero(forfeited):  # a sixth of what any() costs
        told["illegal_move"] = told["_illegal_move"] = forfeited
    return told
