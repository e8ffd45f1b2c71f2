"""Japanese Mancala as a PettingZoo AEC environment: `japanese_mancala_v0.env(...)`, `...raw_env(...)`."""

from typing import Any

from mancala_rl.envs.aec import OWN_OPTIONS, MancalaAEC
from mancala_rl.envs.options import rules_for
from mancala_rl.envs.rendering.screen import RENDERING
from mancala_rl.errors import BadInputError
from mancala_rl.rules import Rules
from mancala_rl.rules.japanese import table_rules


class raw_env(MancalaAEC):  # noqa: N801 (the name that PettingZoo gives it)
    """Japanese Mancala, a race of sowing for two to four, one agent at a time.

    ## Description
    Each of P players has m pockets and, at their right end, a store. A move takes all stones of an own pocket and sows
    them one by one counter-clockwise into every following cell, all stores included; stones in stores are out of play.
    A last stone in any store gives another turn. Who has emptied the own side has finished. Two players: the finisher
    wins. Three or four: the finisher takes the best place left and is lifted off the board, and the others play on
    until one is left (`play_out`), or the game stops and fewer stones rank higher. `mancala-rl rules japanese` prints
    every detail. The agents are "player_0", who starts unless `first` says otherwise, to "player_3".

    ## Observation space
    `{"observation": int16[D], "action_mask": int8[A]}`. The observation is egocentric: own pits 0..m-1, own store,
    then pits and store of the next player, and so on, as counts from -1 (all cells of a player who is out) to the
    number of all stones; D = P(m+1). With `resign=True` and more than two players it ends with P places, own first, 0
    for one who plays. With `observation="tactical"` every pit adds whether it gives an extra turn, what it captures
    (nothing) and how many stones leave the side; `observation="lookahead"`, for two, what each own pit brings within
    three plies on top. See `mancala_rl.envs.observation`. The mask holds 1 for each legal action of the agent to move,
    and only zeros for the others and after the end.

    ## Action space
    `Discrete(m)`: the own pit to sow, 0 being the farthest from the own store. With `resign=True`, `Discrete(m + 1)`:
    m gives up. After an extra turn the same agent is selected again.

    ## Reward
    By place, when the agent is out or the game over: 1 - 2(place - 1)/(P - 1), agents who share places take the mean;
    for two +1 and -1. 0 before. An illegal move ends the game: -1 for its agent, the others still playing share what
    makes all rewards of the game add up to 0, as they always do.

    ## Episode end
    An agent that has finished or given up terminates at once and takes its dead step (None) before the next one moves;
    the others play on. When one is left, or with an illegal move, all terminate. `max_plies` truncates those still
    playing, who share the places that are free.

    ## Infos
    For each agent `action_mask` (as observed), `scores` (stones in the stores, by seat), `extra_turn`, `captured`
    (both about the last move), `decided` (always False: stores do not count), `ply`, and after an illegal move
    `illegal_move=True`.

    ## Arguments
    - `players`, 2 (default) to 4, `pits`, `stones` and every other option of Japanese Mancala (`play_out`, `resign`,
      `start_position`, `max_plies`), or `rules`, a record or spec string.
    - `table_settings`: True takes the numbers a table offers: 6 or 7 pockets for two players, 4 or 6 for three or
      four, 3 or 4 stones. What does not fit falls back to six pockets and four stones, with a warning. False (default)
      takes any size.
    - `observation`: "counts" (default), "tactical" or, for two players, "lookahead".
    - `reward`: "outcome" only: stones do not count.
    - `first`: the seat that starts, 0 (default) to P-1 or "random".
    - `illegal`: "lose" (default), or "raise" to get an `IllegalMoveError` that leaves the game as it was.
    - `render_mode`: None (default), "ansi" (text), "svg", "rgb_array" or "human" (a window).

    Options of `reset`: `{"position": "1,1+2/x,x+x/3,0+5 0 places=-,1,-"}` starts from a position, in which the agents
    with a place take no part; `{"first": 1}` with that seat.

    ## Version history
    - v0: first version.

    Raises:
        RulesError: an option Japanese Mancala does not have, or a value it cannot take.
        BadInputError: another argument with a value that is not allowed.
    """

    metadata = {"name": "japanese_mancala_v0", **RENDERING, "is_parallelizable": False}  # noqa: RUF012 (PettingZoo's form)
    plays = ("japanese",)

    def __init__(self, rules: Rules | str = "japanese", *, table_settings: bool = False, **options: Any) -> None:
        if not isinstance(table_settings, bool):
            raise BadInputError(f"table_settings={table_settings!r}: expected true or false")
        own = {key: options.pop(key) for key in OWN_OPTIONS if key in options}
        record = rules_for(rules, options, [*OWN_OPTIONS, "table_settings"])
        super().__init__(table_rules(record) if table_settings else record, **own)


def env(**options: Any) -> raw_env:
    """Return the environment, with the arguments of `raw_env`.

    It behaves as if wrapped in PettingZoo's standard wrappers, whose checks are part of `raw_env` itself.
    """
    return raw_env(**options)
