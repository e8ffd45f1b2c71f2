"""Reinforcement learning for the mancala family of games."""

import importlib
import typing

from mancala_rl import search
from mancala_rl.agent import Agent
from mancala_rl.envs import japanese_mancala_v0, kalah_v0, mangala_v0, oware_v0, registration
from mancala_rl.envs.mancala_v0 import env, raw_env
from mancala_rl.envs.match import match_env
from mancala_rl.envs.vector import MancalaVectorEnv, SelfPlayVectorEnv
from mancala_rl.roster import make_agent
from mancala_rl.rules import VARIANTS, Batch, Match, Position, Rules, variant

if typing.TYPE_CHECKING:
    from mancala_rl import solver
    from mancala_rl.study.hint import hint

__all__ = [
    "VARIANTS",
    "Agent",
    "Batch",
    "MancalaVectorEnv",
    "Match",
    "Position",
    "Rules",
    "SelfPlayVectorEnv",
    "env",
    "hint",
    "japanese_mancala_v0",
    "kalah_v0",
    "make_agent",
    "mangala_v0",
    "match_env",
    "oware_v0",
    "raw_env",
    "search",
    "solver",
    "variant",
]

registration.register_environments()


def __getattr__(name: str) -> typing.Any:
    """Import the solver, and hints with it, when they are first asked for: few programs need them."""
    if name == "solver":
        return importlib.import_module("mancala_rl.solver")
    if name == "hint":
        return importlib.import_module("mancala_rl.study.hint").hint
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
