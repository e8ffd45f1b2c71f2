"""Learning by self-play: configurations, networks, the league, training, checkpoints and trained agents."""

from mancala_rl.learning.train import train

__all__ = ["train"]
