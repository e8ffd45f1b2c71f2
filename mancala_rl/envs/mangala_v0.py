"""Mangala as a PettingZoo AEC environment: `mangala_v0.env(...)`, `mangala_v0.raw_env(...)`."""

from typing import Any

from mancala_rl.envs.aec import MancalaAEC
from mancala_rl.envs.rendering.screen import RENDERING


class raw_env(MancalaAEC):  # noqa: N801 (the name that PettingZoo gives it)
    """Mangala, the Turkish game of sowing for two, one agent at a time.

    ## Description
    Each player has m pits and, at their right end, a treasure. A move takes all stones of an own pit, puts the first
    back into it and sows the rest one by one counter-clockwise, the own treasure included, the opponent's left out; a
    single stone just moves on. A last stone in the own treasure gives another turn; a last stone in an own empty pit
    captures it and the stones opposite. When a row is empty the set ends and the fuller treasure wins. Under the
    tournament rules (`rules="mangala_official"`) a last stone that makes an opponent's pit even captures it, and the
    player whose row is empty takes what is left. `mancala-rl rules mangala` prints every detail. The agents are
    "player_0", who starts unless `first` says otherwise, and "player_1".

    ## Observation space
    `{"observation": int16[D], "action_mask": int8[A]}`. The observation is egocentric: own pits 0..m-1, own store, the
    opponent's pits and store, as counts from -1 (a closed pit) to the number of all stones; D = 2(m+1). With
    `observation="tactical"` every pit adds whether it gives an extra turn, what it captures and what it gains;
    `observation="lookahead"` what each own pit brings within three plies on top. See `mancala_rl.envs.observation`.
    The mask holds 1 for each legal action of the agent to move, and only zeros for the other agent and after the end.

    ## Action space
    `Discrete(m)`: the own pit to sow, 0 being the farthest from the own treasure. After an extra turn the same agent
    is selected again.

    ## Reward
    At the end +1 for winning, -1 for losing, 0 for a draw, or with `reward="margin"` the difference of the scores
    over the number of all stones; 0 before. An illegal move loses: -1 for its agent, +1 for the other. The rewards of
    the two always add up to 0.

    ## Episode end
    Both agents terminate together, when the set ends or with an illegal move. There is no truncation: every set ends
    by itself.

    ## Infos
    For each agent `action_mask` (as observed), `scores` (stones in the stores, by seat), `extra_turn`, `captured`
    (both about the last move), `decided` (a store holds more than half of all stones), `ply`, and after an illegal
    move `illegal_move=True`.

    ## Arguments
    - `rules`: "mangala" (default) or "mangala_official", with options as in "mangala:pits=5", or a record of either.
    - `pits`, `stones` and every other option of Mangala (`even_capture`, `leftovers`, `stop_when_decided`,
      `start_position`).
    - `observation`: "counts" (default), "tactical" or "lookahead".
    - `reward`: "outcome" (default) or "margin".
    - `first`: the seat that starts, 0 (default), 1 or "random".
    - `illegal`: "lose" (default), or "raise" to get an `IllegalMoveError` that leaves the game as it was.
    - `render_mode`: None (default), "ansi" (text), "svg", "rgb_array" or "human" (a window).

    Options of `reset`: `{"position": "4,4,4,4,4,4+0/4,4,4,4,4,4+0 0"}` starts from a position (x is a closed pit),
    `{"first": 1}` with that seat.

    ## Version history
    - v0: first version.

    Raises:
        RulesError: an option Mangala does not have, or a value it cannot take.
        BadInputError: another argument with a value that is not allowed.
    """

    metadata = {"name": "mangala_v0", **RENDERING, "is_parallelizable": False}  # noqa: RUF012 (PettingZoo's form)
    plays = ("mangala", "mangala_official")
    most_players = 2


def env(**options: Any) -> raw_env:
    """Return the environment, with the arguments of `raw_env`.

    It behaves as if wrapped in PettingZoo's standard wrappers, whose checks are part of `raw_env` itself.
    """
    return raw_env(**options)
