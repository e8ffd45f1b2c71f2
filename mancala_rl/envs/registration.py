"""The ids under which PettingZoo and Gymnasium make the environments, registered by `import mancala_rl`.

Entry points are given as text, so that an environment is imported when it is made.
"""

import gymnasium
import pettingzoo

AEC = {"mancala/kalah-v0": "mancala_rl.envs.kalah_v0:env"}
SINGLE_AGENT = {"mancala/Kalah-v0": "mancala_rl.envs.single:MancalaEnv"}


def register_environments() -> None:
    """Register every environment that is not registered yet."""
    for name, entry_point in AEC.items():
        if name not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, entry_point)
    for name, entry_point in SINGLE_AGENT.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point)
