"""Exact values: endgame databases and the solver."""

from mancala_rl.solver.database import Database, build_database, open_database
from mancala_rl.solver.exploit import Exploitability, exploitability
from mancala_rl.solver.perfect import Perfect
from mancala_rl.solver.solution import Solution, solve

__all__ = [
    "Database",
    "Exploitability",
    "Perfect",
    "Solution",
    "build_database",
    "exploitability",
    "open_database",
    "solve",
]
