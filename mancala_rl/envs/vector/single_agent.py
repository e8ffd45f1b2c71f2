"""`MancalaVectorEnv`: B games in lock-step with one learner each, the opponents played inside `step`."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from mancala_rl.agent import Agent, turn_seeds
from mancala_rl.envs.episode import DRAWS
from mancala_rl.envs.observation import Kind
from mancala_rl.envs.opponent import Player, one_a_seat, opponent_for, replies
from mancala_rl.envs.options import check_seat
from mancala_rl.envs.rendering.screen import RenderMode
from mancala_rl.envs.vector import games
from mancala_rl.envs.vector.lockstep import LockstepEnv, Observations
from mancala_rl.errors import AgentError, BadInputError
from mancala_rl.kernel.layout import PLY
from mancala_rl.rules import Batch, Rules


class MancalaVectorEnv(LockstepEnv):
    """B games in lock-step; in each the learner has one seat and agents have the others.

    It is what `gymnasium.make_vec` makes of every id, and plays exactly the games that B environments of one game
    (`mancala_rl.envs.single.MancalaEnv`) play: seeded with s, game g is the environment seeded with s + g.

    ## Observations, actions and rewards
    int16[B, D], int64[B] and float64[B] as in the environment of one game: the next observation is the learner's own
    next decision, rewards come at the end, an illegal move ends the game with -1. `action_masks()`, bool[B, A], and
    `infos["action_mask"]`, int8[B, A], tell which actions are legal; `sample_actions()` draws legal ones.

    ## Infos
    Arrays of the entries that the environment of one game tells, `seat` among them; `scores` is int64[B, P]. After a
    step in SAME_STEP mode `final_obs`, `final_info` hold what games looked like at their end.

    Args:
        opponent: an agent or its spec string for all other seats, or a list with one for each other seat, in the order
            of turns after the learner. With several rules it must be a spec, which is made for each of them.
        seat: the learner's seat, or "random", drawn for every episode.
        rules, num_envs, and others: see `mancala_rl.envs.vector.lockstep.LockstepEnv`.

    Raises:
        RulesError: unknown rules, or an option the variant does not have.
        AgentError: an opponent that cannot be made or plays other rules.
        BadInputError: another argument with a value that is not allowed.
    """

    _seat_entry = "seat"

    def __init__(
        self,
        rules: Rules | str | Sequence[Rules | str] = "kalah",
        num_envs: int = 1,
        *,
        opponent: Player | Sequence[Player] = "uniform",
        seat: int | Literal["random"] = "random",
        first: int | Literal["random"] = 0,
        opening_plies: tuple[int, int] = (0, 0),
        observation: Kind = "counts",
        reward: Literal["outcome", "margin"] = "outcome",
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        copy: bool = True,
        threads: int = 1,
        records: Literal["cycle", "random"] = "cycle",
        render_mode: RenderMode | None = None,
        **options: Any,
    ) -> None:
        self.seat = seat
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
        for record in self.records:
            check_seat("seat", seat, record.players)
        self._opponent = opponent
        self._opponents = self._make_opponents()

    def _make_opponents(self) -> list[tuple[Agent, ...]]:
        """Return who plays the other seats, in the order of turns after the learner, for every record."""
        return [
            tuple(opponent_for(rules, player) for player in one_a_seat(self._opponent, rules.players - 1))
            for rules in self.records
        ]

    def _learner_seat(self) -> int:
        return games.ANYBODY if self.seat == "random" else int(self.seat)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Start new games and let the opponents play until it is the learner's turn; see `LockstepEnv.reset`.

        Raises:
            BadInputError: a seed or an option that cannot be used, or one with which the learner never gets to move.
            PositionError: a position that cannot be read, is of other rules, or is over.
        """
        return super().reset(seed=seed, options=options)

    def _renew(
        self, asked: NDArray[np.int64], plan: NDArray[np.int64] | None = None, given: Observations | None = None
    ) -> None:
        """Start the next episode of some games and play on to the learner's first turn.

        A game that ends before it is drawn again.
        """
        for _ in range(DRAWS):
            super()._renew(asked, plan, given)
            self._reply(asked)
            asked = asked[self._column(games.STATUS)[asked] != 0]
            if not len(asked):
                return
        index = self._games[asked[0], games.RECORD]
        names = " and ".join(dict.fromkeys(agent.name for agent in self._opponents[index]))
        raise BadInputError(
            f"{names} ended {DRAWS} games under {self.records[index]} before the learner's first turn; "
            "choose another seat, opening or position"
        )

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play the learner's actions and the opponents' replies.

        Args:
            actions: int64[B]; those of games that only start again in this step (NEXT_STEP mode) are ignored.

        Returns:
            Observations int16[B, D], rewards float64[B], terminations bool[B], truncations bool[B], infos.

        Raises:
            CallOrderError: before `reset`, or in DISABLED mode with a game that is over.
            ActionError: not one action of the action space a game.
            AgentError: an opponent's move is not legal.
        """
        moves = self._checked(actions)
        waiting = self._idle()
        self._open_step()
        self._act(moves)
        running = np.flatnonzero(self._column(games.IDLE) == 0) if len(waiting) else self._all
        self._reply(running)
        over = running[self._column(games.STATUS)[running] != 0]
        rewards = np.zeros(self.num_envs)
        if len(over):
            rewards[over] = self._values[over, self._column(games.SEAT)[over]]
            self._end(over)
            if self.autoreset_mode == AutoresetMode.SAME_STEP:
                self._renew(over)
        self._renew(waiting)
        self._show()
        return self._returned(rewards)

    def _reply(self, asked: NDArray[np.int64]) -> None:
        """Let the opponents move in some games until it is the learner's turn or the game is over."""
        while True:
            to_move = self._column(games.TO_MOVE)[asked]
            theirs = (to_move >= 0) & (to_move != self._column(games.SEAT)[asked])
            asked, to_move = asked[theirs], to_move[theirs]
            if not len(asked):
                return
            self._ask(asked, to_move)

    def _ask(self, asked: NDArray[np.int64], to_move: NDArray[np.int64]) -> None:
        """Play one move of whoever is to move in some games."""
        if len(self.records) == 1 and self.rules.players == 2:
            self._ask_one(asked, 0, self._opponents[0][0])
            return
        records = self._column(games.RECORD)[asked]
        for index in np.unique(records).tolist():
            alike = records == index
            turns = (to_move[alike] - self._column(games.SEAT)[asked][alike] - 1) % self.records[index].players
            for turn in np.unique(turns).tolist():
                self._ask_one(asked[alike][turns == turn], index, self._opponents[index][turn])

    def _ask_one(self, asked: NDArray[np.int64], index: int, agent: Agent) -> None:
        """Play one move of one agent in games of one record.

        Raises:
            AgentError: it is not legal.
        """
        rules = self.records[index]
        rows = self._rows[asked]
        batch = Batch(rules, np.ascontiguousarray(rows[:, : rules.row_length]))
        plies = rows[:, rules.num_cells + PLY].astype(np.int64)
        moves = replies(agent, batch, turn_seeds(self._column(games.TURNS)[asked], plies))
        public = moves
        if len(self.records) > 1:  # a number that is no action of these rules may be one of others
            extra = np.where(moves == rules.pits, self._padding.pits, -1)
            public = np.where(moves < rules.pits, moves, extra)
        bad = games.act_games(
            asked,
            self._rows,
            self._games,
            public,
            0,
            self._values,
            self._points,
            self.reward_kind == "margin",
            self._padding.pits,
            self._rules_array,
        )
        if bad >= 0:
            position = batch[bad]
            legal = ", ".join(map(str, position.legal_moves))
            raise AgentError(f"opponent {agent.name} chose {moves[bad]} in {position}; legal moves: {legal}")

    def _names(self, game: int, players: int) -> list[str]:
        """Return who sits where."""
        seat, index = self._games[game, [games.SEAT, games.RECORD]].tolist()
        names = ["learner", *(agent.name for agent in self._opponents[index])]
        return names[-seat:] + names[:-seat]

    def __getstate__(self) -> dict[str, Any]:
        """Leave the opponents out; those made from a spec are made anew: their files need not be importable."""
        return {key: value for key, value in super().__getstate__().items() if key != "_opponents"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._opponents = self._make_opponents()
