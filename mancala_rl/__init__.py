"""Reinforcement learning for the mancala family of games."""

from mancala_rl.agent import Agent
from mancala_rl.rules import VARIANTS, Batch, Position, Rules, variant

__all__ = ["VARIANTS", "Agent", "Batch", "Position", "Rules", "variant"]
