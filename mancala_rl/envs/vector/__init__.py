"""Batched environments: B games in lock-step on the batch kernel, under one record or one each."""

from mancala_rl.envs.vector.self_play import SelfPlayVectorEnv
from mancala_rl.envs.vector.single_agent import MancalaVectorEnv

__all__ = ["MancalaVectorEnv", "SelfPlayVectorEnv"]
