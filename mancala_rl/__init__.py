"""Reinforcement learning for the mancala family of games."""

from mancala_rl import search
from mancala_rl.agent import Agent
from mancala_rl.envs import japanese_mancala_v0, kalah_v0, mangala_v0, oware_v0, registration
from mancala_rl.envs.mancala_v0 import env, raw_env
from mancala_rl.envs.match import match_env
from mancala_rl.roster import make_agent
from mancala_rl.rules import VARIANTS, Batch, Match, Position, Rules, variant

__all__ = [
    "VARIANTS",
    "Agent",
    "Batch",
    "Match",
    "Position",
    "Rules",
    "env",
    "japanese_mancala_v0",
    "kalah_v0",
    "make_agent",
    "mangala_v0",
    "match_env",
    "oware_v0",
    "raw_env",
    "search",
    "variant",
]

registration.register_environments()
