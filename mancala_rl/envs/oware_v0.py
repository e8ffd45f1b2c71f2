"""Oware as a PettingZoo AEC environment: `oware_v0.env(...)`, `oware_v0.raw_env(...)`."""

from typing import Any

from mancala_rl.envs.aec import MancalaAEC
from mancala_rl.envs.rendering.screen import RENDERING


class raw_env(MancalaAEC):  # noqa: N801 (the name that PettingZoo gives it)
    """Oware (Abapa), the African game of sowing for two, one agent at a time.

    ## Description
    Each player has m pits; stores hold captures only. A move takes all seeds of an own pit and sows them one by one
    counter-clockwise over the 2m pits, passing over the pit they came from. A last seed that makes a pit of the
    opponent hold 2 or 3 captures it, and backwards each one before it for which that holds too. Who faces an empty
    row has to feed it. The game ends with more than half captured, without a legal move, or when a position comes
    again; each side banks its own seeds, and the fuller store wins. `mancala-rl rules oware` prints every detail. The
    agents are "player_0", who starts unless `first` says otherwise, and "player_1".

    ## Observation space
    `{"observation": int16[D], "action_mask": int8[A]}`. The observation is egocentric: own pits 0..m-1, own store, the
    opponent's pits and store, as counts from -1 to the number of all stones; D = 2(m+1). With
    `observation="tactical"` every pit adds whether it gives an extra turn, what it captures and what it gains;
    `observation="lookahead"` what each own pit brings within three plies on top. See `mancala_rl.envs.observation`.
    The mask holds 1 for each legal action of the agent to move, and only zeros for the other agent and after the end.

    ## Action space
    `Discrete(m)`: the own pit to sow, 0 at the player's left end. Legal are pits with
    seeds, those that feed an opponent without any, and under `grand_slam="illegal"` those that leave it some.

    ## Reward
    At the end +1 for winning, -1 for losing, 0 for a draw, or with `reward="margin"` the difference of the scores
    over the number of all stones; 0 before. An illegal move loses: -1 for its agent, +1 for the other. The rewards of
    the two always add up to 0.

    ## Episode end
    Both agents terminate together, when the game ends or with an illegal move. They are truncated together when
    `max_plies` moves have been made or, with `repetition` on, 255 moves without a capture; the rewards are those of
    the seeds that each side has banked.

    ## Infos
    For each agent `action_mask` (as observed), `scores` (stones in the stores, by seat), `extra_turn`, `captured`
    (both about the last move), `decided` (a store holds more than half of all stones), `ply`, and after an illegal
    move `illegal_move=True`.

    ## Arguments
    - `pits`, `stones` and every other option of Oware (`grand_slam`, `feed`, `repetition`, `cycle_split`, `max_plies`,
      `start_position`), or `rules`, a record or spec string.
    - `observation`: "counts" (default), "tactical" or "lookahead".
    - `reward`: "outcome" (default) or "margin".
    - `first`: the seat that starts, 0 (default), 1 or "random".
    - `illegal`: "lose" (default), or "raise" to get an `IllegalMoveError` that leaves the game as it was.
    - `render_mode`: None (default), "ansi" (text), "svg", "rgb_array" or "human" (a window).

    Options of `reset`: `{"position": "4,4,4,4,4,4+0/4,4,4,4,4,4+0 0"}` starts from a position, `{"first": 1}` with
    that seat.

    ## Version history
    - v0: first version.

    Raises:
        RulesError: an option Oware does not have, or a value it cannot take.
        BadInputError: another argument with a value that is not allowed.
    """

    metadata = {"name": "oware_v0", **RENDERING, "is_parallelizable": False}  # noqa: RUF012 (PettingZoo's form)
    plays = ("oware",)
    most_players = 2


def env(**options: Any) -> raw_env:
    """Return the environment, with the arguments of `raw_env`.

    It behaves as if wrapped in PettingZoo's standard wrappers, whose checks are part of `raw_env` itself.
    """
    return raw_env(**options)
