"""The ids under which PettingZoo and Gymnasium make the environments, registered by `import mancala_rl`.

Entry points are given as text, so that an environment is imported when it is made.
"""

import gymnasium
import pettingzoo

AEC = {
    "mancala/japanese_mancala-v0": "mancala_rl.envs.japanese_mancala_v0:env",
    "mancala/kalah-v0": "mancala_rl.envs.kalah_v0:env",
    "mancala/mangala-v0": "mancala_rl.envs.mangala_v0:env",
    "mancala/match-v0": "mancala_rl.envs.match:match_env",
    "mancala/oware-v0": "mancala_rl.envs.oware_v0:env",
}
# The rules that each id takes unless it is given others; Mancala-v0 is for any.
SINGLE_AGENT = {
    "mancala/JapaneseMancala-v0": "japanese",
    "mancala/Kalah-v0": "kalah",
    "mancala/Mancala-v0": "kalah",
    "mancala/Mangala-v0": "mangala",
    "mancala/Oware-v0": "oware",
}
PUZZLES = {"mancala/KalahPuzzle-v0": "kalah"}


def register_environments() -> None:
    """Register every environment that is not registered yet."""
    for name, entry_point in AEC.items():
        if name not in pettingzoo.aec_registry:
            pettingzoo.register("aec", name, entry_point)
    for name, rules in SINGLE_AGENT.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                "mancala_rl.envs.single:MancalaEnv",
                vector_entry_point="mancala_rl.envs.vector:MancalaVectorEnv",
                kwargs={"rules": rules},
            )
    for name, rules in PUZZLES.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, "mancala_rl.envs.puzzle:PuzzleEnv", kwargs={"rules": rules})
