"""Kalah (rules.md section 1, K1-K12)."""

from mancala_rl.rules.record import Rules
from mancala_rl.rules.registry import Variant, register

KALAH = register(
    Variant(
        rules=Rules(name="kalah"),
        title="Kalah",
        aliases=("mancala", "kalaha"),
        options=(
            "pits",
            "stones",
            "empty_capture",
            "leftovers",
            "end_check",
            "stop_when_decided",
            "pie",
            "extra_turn",
            "capture",
            "start_position",
        ),
        source="G. Irving, J. Donkers, J. Uiterwijk: Solving Kalah, ICGA Journal 23(3), 2000; without empty capture",
    )
)
