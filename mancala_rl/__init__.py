"""Reinforcement learning for the mancala family of games."""

from mancala_rl import search
from mancala_rl.agent import Agent
from mancala_rl.roster import make_agent
from mancala_rl.rules import VARIANTS, Batch, Position, Rules, variant

__all__ = ["VARIANTS", "Agent", "Batch", "Position", "Rules", "make_agent", "search", "variant"]
