"""Solved test sets: positions with the exact value of every move, by which any agent can be judged."""

from mancala_rl.study.testsets.building import build_set, checked_plan, memory_needed
from mancala_rl.study.testsets.plans import Plan, plan_for
from mancala_rl.study.testsets.shipped import set_for, shipped_sets
from mancala_rl.study.testsets.solved import PHASES, SolvedSet, read_set, write_set

__all__ = [
    "PHASES",
    "Plan",
    "SolvedSet",
    "build_set",
    "checked_plan",
    "memory_needed",
    "plan_for",
    "read_set",
    "set_for",
    "shipped_sets",
    "write_set",
]
