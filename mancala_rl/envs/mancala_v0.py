"""Any rules as a PettingZoo AEC environment: `mancala_rl.env(rules, ...)`, `mancala_rl.raw_env(rules, ...)`."""

from typing import Any

from mancala_rl.envs.aec import MancalaAEC
from mancala_rl.rules import Rules


class raw_env(MancalaAEC):  # noqa: N801 (the name that PettingZoo gives it)
    """The game that a record of rules describes, one agent at a time.

    What the observations, actions, rewards and infos are is told by `kalah_v0.raw_env` for games of two and by
    `japanese_mancala_v0.raw_env` for those of three and four. Where games are cut off (`max_plies`, or 255 moves
    without a capture under a repetition rule) the agents are truncated, with the rewards of the game as it ended.

    Args:
        rules: a record, or a spec string such as "congkak:pits=5"; options of the variant, such as `pits=5`, change it.
        observation, reward, first, illegal, render_mode: see `mancala_rl.envs.aec.MancalaAEC`.

    Raises:
        RulesError: unknown rules, an option the variant does not have, or a value it cannot take.
        BadInputError: another argument with a value that is not allowed.
    """


def env(rules: Rules | str, **options: Any) -> raw_env:
    """Return the environment, with the arguments of `raw_env`, which does what PettingZoo's standard wrappers do."""
    return raw_env(rules, **options)
