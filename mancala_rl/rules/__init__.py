"""Rules as data: the record, the variants, positions and batches of positions."""

from mancala_rl.rules.batch import Batch
from mancala_rl.rules.match import FinishedGame, Match
from mancala_rl.rules.position import Position
from mancala_rl.rules.record import Rules
from mancala_rl.rules.registry import VARIANTS, Variant, variant

from mancala_rl.rules import (  # isort: skip  (each registers itself)
    kalah as kalah,
    japanese as japanese,
    mangala as mangala,
    oware as oware,
    bohnenspiel as bohnenspiel,
    avalanche as avalanche,
    congkak as congkak,
    ayoayo as ayoayo,
    toguz_korgool as toguz_korgool,
)

__all__ = ["VARIANTS", "Batch", "FinishedGame", "Match", "Position", "Rules", "Variant", "variant"]
