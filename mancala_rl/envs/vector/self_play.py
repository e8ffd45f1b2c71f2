"""`SelfPlayVectorEnv`: B games in lock-step, every seat played by the caller."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from gymnasium.spaces import Box
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from mancala_rl.envs.observation import Kind
from mancala_rl.envs.options import choice
from mancala_rl.envs.rendering.screen import RenderMode
from mancala_rl.envs.vector import games
from mancala_rl.envs.vector.lockstep import LockstepEnv, Observations
from mancala_rl.errors import IllegalMoveError
from mancala_rl.rules import Rules


class SelfPlayVectorEnv(LockstepEnv):
    """B games in lock-step for self-play: a step is one move in every game, of whichever seat is to move there.

    ## Observations
    int16[B, D], each as the seat to move in that game sees it; see `mancala_rl.envs.observation`. After an extra turn
    it is the same seat again.

    ## Actions
    int64[B], one action of the seat to move a game. `action_masks()`, bool[B, A], and `infos["action_mask"]`,
    int8[B, A], tell which are legal; `sample_actions()` draws legal ones. An illegal move loses the game (zero-sum),
    or with `illegal="raise"` raises before anything is played.

    ## Rewards
    float64[B, P], one a seat, so a step has P of them where Gymnasium's environments have one. They come when a seat's
    game ends and add up to 0 over a game.

    ## Infos
    `to_move` int64[B] is the seat to move, -1 in a game that is over and waits. `action_mask`, `scores` int64[B, P],
    `extra_turn`, `captured`, `decided`, `ply` are those of the AEC environment. After a step in SAME_STEP mode
    `final_obs`, `final_info` hold what games looked like at their end, before the next one began; the observation is
    that of the seat that would have been next.

    Args:
        illegal: "lose" or "raise".
        rules, num_envs, and others: see `LockstepEnv`.

    Raises:
        RulesError: unknown rules, or an option the variant does not have.
        BadInputError: another argument with a value that is not allowed.

    ```python
    env = SelfPlayVectorEnv("kalah", 1024)
    observations, infos = env.reset(seed=0)
    observations, rewards, terminations, truncations, infos = env.step(env.sample_actions())
    ```
    """

    _seat_entry = "to_move"

    def __init__(
        self,
        rules: Rules | str | Sequence[Rules | str] = "kalah",
        num_envs: int = 1,
        *,
        first: int | Literal["random"] = 0,
        opening_plies: tuple[int, int] = (0, 0),
        observation: Kind = "counts",
        reward: Literal["outcome", "margin"] = "outcome",
        illegal: Literal["lose", "raise"] = "lose",
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        copy: bool = True,
        threads: int = 1,
        records: Literal["cycle", "random"] = "cycle",
        render_mode: RenderMode | None = None,
        **options: Any,
    ) -> None:
        choice("illegal", illegal, ("lose", "raise"))
        super().__init__(
            rules,
            num_envs,
            first=first,
            opening_plies=opening_plies,
            observation=observation,
            reward=reward,
            autoreset_mode=autoreset_mode,
            copy=copy,
            threads=threads,
            records=records,
            render_mode=render_mode,
            **options,
        )
        self.illegal = illegal
        most = max(self._players - 1.0, 1.0)  # what others lost may fall to one: when they gave up, or moved illegally
        self.reward_space = Box(-1.0, most, (self.num_envs, self._players), np.float64)

    @property
    def to_move(self) -> NDArray[np.int64]:
        """The seat to move, int64[B], -1 in a game that is over and waits for its restart.

        Raises:
            CallOrderError: before `reset`.
        """
        self._require_reset("to_move")
        return self._column(games.TO_MOVE).copy()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play one move in every game.

        Args:
            actions: int64[B]; those of games that only start again in this step (NEXT_STEP mode) are ignored.

        Returns:
            Observations int16[B, D], rewards float64[B, P], terminations bool[B], truncations bool[B], infos.

        Raises:
            CallOrderError: before `reset`, or in DISABLED mode with a game that is over.
            ActionError: not one action of the action space a game.
            IllegalMoveError: an illegal move, under `illegal="raise"` only; nothing has been played then.
        """
        moves = self._checked(actions)
        if self.illegal == "raise":
            self._refuse_illegal(moves)
        waiting = self._idle()
        self._open_step()
        over = self._step(moves)
        self._renew(waiting)
        if len(over):
            self._end(over)
            if self.autoreset_mode == AutoresetMode.SAME_STEP:
                self._renew(over)
        self._show_games(np.concatenate([over, waiting]) if len(waiting) else over, self._view)
        return self._returned(self._values)

    def _refuse_illegal(self, moves: NDArray[np.int64]) -> None:
        legal = self._column(games.LEGAL) >> moves & 1 > 0
        bad = np.flatnonzero(~legal & (self._column(games.IDLE) == 0))
        if not len(bad):
            return
        game = int(bad[0])
        position, allowed = self.position(game), np.flatnonzero(self.action_masks()[game])
        raise IllegalMoveError(
            f"game {game}: move {moves[game]} is illegal in {position} (seat {position.to_move} to move); "
            f"legal moves: {', '.join(map(str, allowed.tolist()))}"
        )
