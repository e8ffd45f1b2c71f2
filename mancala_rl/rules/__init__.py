"""Rules as data: the record, the variants, positions and batches of positions."""

from mancala_rl.rules.batch import Batch
from mancala_rl.rules.position import Position
from mancala_rl.rules.record import Rules
from mancala_rl.rules.registry import VARIANTS, Variant, variant

from mancala_rl.rules import kalah as kalah  # isort: skip  (registers itself)

__all__ = ["VARIANTS", "Batch", "Position", "Rules", "Variant", "variant"]
