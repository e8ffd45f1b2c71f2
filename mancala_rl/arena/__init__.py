"""Playing agents against one another and measuring the result."""

from mancala_rl.arena.evaluation import Evaluation, Result, evaluate
from mancala_rl.arena.exploit import SampledExploitability, sampled_exploitability
from mancala_rl.arena.games import Games, play_games
from mancala_rl.arena.openings import openings
from mancala_rl.arena.report import table, write_csv
from mancala_rl.arena.statistics import score_interval

__all__ = [
    "Evaluation",
    "Games",
    "Result",
    "SampledExploitability",
    "evaluate",
    "openings",
    "play_games",
    "sampled_exploitability",
    "score_interval",
    "table",
    "write_csv",
]
