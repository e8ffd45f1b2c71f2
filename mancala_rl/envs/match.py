"""A match as a PettingZoo AEC environment: `mancala_rl.match_env(rules, games=3, ...)`."""

import inspect
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from gymnasium.spaces import Box, Dict
from numpy.typing import NDArray

from mancala_rl.envs.aec import MancalaAEC
from mancala_rl.envs.match_game import MatchGame
from mancala_rl.envs.options import check_mapping, check_seat, rules_for
from mancala_rl.envs.rendering.screen import RENDERING, RenderMode
from mancala_rl.envs.start import draw_start
from mancala_rl.errors import BadInputError
from mancala_rl.rules import Match, Rules


class MatchAEC(MancalaAEC):
    """A series of games under the same rules, one agent at a time.

    ## Description
    The winner of a game gets one point, agents that share its first place share the point, and most points win the
    match: see `mancala_rl.Match`. When a game ends the next is set up at once and its starter is selected. A player
    who has finished a game of Japanese Mancala for three or four is passed over until the next game; no agent leaves
    before the match is over. The agents are "player_0" to "player_P-1".

    ## Observation space
    `{"observation": int16[D], "action_mask": int8[A], "match": float32[P + 2]}`. The first two are about the running
    game, as `mancala_rl.kalah_v0.raw_env` describes them. `match` holds the observer's points, those of the others
    in the order of turns, the games still to be played with the running one (0 once the match is over), and how many
    turns after the observer the starter of the running game sits (0 for the observer).

    ## Action space
    `Discrete(A)`, as in one game of these rules.

    ## Reward
    At the end of the match by place in it: +1, 0, -1 for two agents, 1 - 2(place - 1)/(P - 1) for P, equal ones
    share the mean; 0 before, at the end of a game as well. An illegal move loses the match: -1 for its agent, the
    others share +1. The rewards always add up to 0.

    ## Episode end
    All agents terminate together: when the last game is over, when the leader cannot be caught any more (unless
    `play_all`), when a player cannot fill one pit (`closing`), or with an illegal move. There is no truncation: a game
    that a limit cuts off counts as it stands.

    ## Infos
    For each agent those of a game (`action_mask`, `scores`, `extra_turn`, `captured`, `decided`, `ply`), which are
    about the running game, `game_number` (from 1), `points` (by seat), and, right after the last move of a game,
    `finished_game`: its `starter`, `scores`, `ranking` and whether it was `truncated`. `env.match.history` holds all
    finished games.

    ## Arguments
    - `rules`: a record or spec string (default Mangala); options of the variant, such as `pits=5`, change it.
    - `games`: how many games at most, an odd number for two players.
    - `alternate`: whether the next seat starts the next game (default), or always the same.
    - `play_all`: play every game, also when the match can no longer be turned.
    - `closing`: refill the pits from the own treasure between sets and close what cannot be filled (M15).
    - `observation`, `first`, `illegal`, `render_mode`: see `mancala_rl.envs.aec.MancalaAEC`; `first` starts the
      first game.

    Options of `reset`: `{"first": 1}` lets that seat start the first game.

    ## Version history
    - v0: first version.

    Raises:
        RulesError: unknown rules, an option with a value it cannot take, or closing pits where the rules cannot.
        BadInputError: another argument with a value that is not allowed.
    """

    metadata = {"name": "match_v0", **RENDERING, "is_parallelizable": False}  # noqa: RUF012 (PettingZoo's form)

    _game: MatchGame

    def __init__(
        self,
        rules: Rules | str = "mangala",
        games: int = 3,
        *,
        alternate: bool = True,
        play_all: bool = False,
        closing: bool = False,
        observation: str = "counts",
        first: int | Literal["random"] = 0,
        illegal: Literal["lose", "raise"] = "lose",
        render_mode: RenderMode | None = None,
        **options: Any,
    ) -> None:
        record = rules_for(rules, options, OWN_OPTIONS)
        check_seat("first", first, record.players)
        self._kind = Match(
            record,
            games,
            first=0 if first == "random" else int(first),
            alternate=alternate,
            play_all=play_all,
            closing=closing,
        )
        super().__init__(record, observation=observation, first=first, illegal=illegal, render_mode=render_mode)

    def _new_game(self) -> MatchGame:
        return MatchGame(self._kind)

    def _make_spaces(self) -> None:
        super()._make_spaces()
        players, games = self.rules.players, self._kind.games
        high = np.array([games] * (players + 1) + [players - 1], np.float32)
        standing = Box(low=0, high=high, shape=high.shape, dtype=np.float32)
        for agent, space in self.observation_spaces.items():
            self.observation_spaces[agent] = Dict({**space, "match": standing})

    def _begin(self, options: Mapping[str, Any], rng: np.random.Generator) -> None:
        """Start the match that `reset` asks for."""
        check_mapping(options)
        if options.get("position") is not None:
            raise BadInputError("option 'position': a match starts from the set-up of its rules; leave it out")
        first = options.get("first", self.first)
        check_seat("first", first, self.rules.players)
        self._game.begin_match(*draw_start(self.rules, first, rng))

    def _worth(self) -> list[float]:
        return list(self._game.match.returns)

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return what an agent sees now: the running game as in `MancalaAEC`, and `match`, float32[P + 2].

        Raises:
            CallOrderError: before `reset`.
            BadInputError: there is no such agent.
        """
        return {**super().observe(agent), "match": self._game.view(self._seats[agent])}

    @property
    def match(self) -> Match:
        """The match as it stands.

        Raises:
            CallOrderError: before `reset`.
        """
        self._require_access("match")
        return self._game.match_now()

    def render(self) -> Any:
        """Return what `MancalaAEC.render` does; text ends with the standing of the match.

        Raises:
            CallOrderError: before `reset`.
        """
        picture = super().render()
        return f"{picture}\n{standing(self.match, self.possible_agents)}" if self.render_mode == "ansi" else picture


def standing(match: Match, names: list[str]) -> str:
    """Return one line that tells the number of the game, the points and, once it is over, who has won the match.

    Args:
        match: the match.
        names: one a seat.
    """
    points = ", ".join(f"{name} {number:.3g}" for name, number in zip(names, match.points, strict=True))
    if not match.is_over:
        return f"game {match.game_number} of {match.games}: {points}"
    unable = "" if match.unable is None else f", {names[match.unable]} cannot fill a pit"
    end = "is drawn" if match.winner is None else f"goes to {names[match.winner]}"
    return f"the match {end} after {len(match.history)} of {match.games} games: {points}{unable}"


OWN_OPTIONS = [name for name in inspect.signature(MatchAEC).parameters if name not in ("rules", "options")]


def match_env(rules: Rules | str = "mangala", games: int = 3, **options: Any) -> MatchAEC:
    """Return a match as an environment, with the arguments of `MatchAEC`.

    It does what PettingZoo's standard wrappers do.
    """
    return MatchAEC(rules, games, **options)
