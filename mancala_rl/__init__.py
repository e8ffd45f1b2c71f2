"""Reinforcement learning for the mancala family of games."""

from mancala_rl import search
from mancala_rl.agent import Agent
from mancala_rl.envs import kalah_v0, registration
from mancala_rl.roster import make_agent
from mancala_rl.rules import VARIANTS, Batch, Position, Rules, variant

__all__ = ["VARIANTS", "Agent", "Batch", "Position", "Rules", "kalah_v0", "make_agent", "search", "variant"]

registration.register_environments()
