"""Toguz Korgool of the Kyrgyz, Togyzqumalaq of the Kazakhs: the rules by number.

T1  Nine stones in each of the 2x9 pits; the stores hold captured stones only, nothing is sown into them.
T2  As in Mangala the first stone goes back into the pit it came from, and a single stone moves to the next pit.
T3  A last stone that makes a pit of the opponent even takes all its stones.
T4  A last stone that makes a pit of the opponent three makes it a tuzdik: the three stones are captured, and so is
    every stone that falls into it later, whoever sows it.
T5  Nobody has two tuzdiks, the ninth pit is never one, nor the pit whose number the opponent's tuzdik has. A move that
    makes three there stands and captures nothing.
T6  More than half, 82, wins at once; 81 each is a draw (`stop_when_decided`).
T7  A player who cannot move ends the game, and each side keeps its own stones: the player who cannot move has none.
T8  The sources say nothing of games that go round in circles: here the third time the same position comes since the
    last capture ends the game, each side keeping its own stones (`repetition`, `cycle_split`).
"""

from mancala_rl.rules.record import Rules
from mancala_rl.rules.registry import Variant, register

register(
    Variant(
        rules=Rules(
            name="toguz_korgool",
            pits=9,
            stones=9,
            sow_stores="none",
            first_stone="origin",
            extra_turn="none",
            capture="none",
            even_capture=True,
            tuzdik=True,
            end_check="on_turn",
            stop_when_decided=True,
            repetition=3,
        ),
        title="Toguz Korgool",
        summary="Capture even pits, and claim one for good, the tuzdik.",
        aliases=("togyzqumalaq", "toguz_kumalak"),
        options=(
            "pits",
            "stones",
            "tuzdik",
            "leftovers",
            "stop_when_decided",
            "sweep_when_decided",
            "repetition",
            "cycle_split",
            "max_plies",
            "start_position",
        ),
        source="Rules codified in 1949 as played at the World Nomad Games; Wikipedia, Toguz korgool",
    )
)
