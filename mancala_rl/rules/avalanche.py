"""Avalanche, the relay game on Kalah's board: the rules by number.

A1  Set-up, sowing and the own store are those of Kalah (K1-K4).
A2  A last stone in a pit that held stones, on either side, is taken up with all the others there and they are sown on
    from that pit, lap after lap.
A3  A last stone in an empty pit ends the turn. Nothing is captured.
A4  A last stone in the own store gives another turn.
A5  As soon as either row is empty the game is over and each player banks the stones on the own side. Versions differ
    here: `leftovers`, `end_check`.
"""

from mancala_rl.rules.record import Rules
from mancala_rl.rules.registry import Variant, register

register(
    Variant(
        rules=Rules(name="avalanche", relay="last", capture="none"),
        title="Avalanche",
        summary="Kalah's board with relays and without captures.",
        aliases=(),
        options=(
            "pits",
            "stones",
            "extra_turn",
            "leftovers",
            "end_check",
            "stop_when_decided",
            "pie",
            "start_position",
        ),
        source="The mode Avalanche of GamePigeon's Mancala",
    )
)
