"""Kalah: the rules by number, as the comments of the kernel cite them.

K1  Every pit holds n stones, the stores are empty, player 0 starts.
K2  A move takes all stones of an own pit that is not empty.
K3  They are sown one by one into the following cells: own pits, own store, the opponent's pits, never its store.
K4  The pit they came from is not passed over. With one stone for each of the 2m+1 cells the last falls into it, and as
    it has just been emptied it can capture there. "Empty" means empty just before the last stone falls.
K5  A last stone in the own store gives another turn, as often as it happens.
K6  A last stone in an own empty pit with stones opposite captures: it and all stones opposite go into the own store.
    With nothing opposite, in an opponent's pit, or in a pit that held stones, nothing is captured.
K7  A capture gives no extra turn.
K8  After every move, one that earned an extra turn too, the game is over as soon as either row is empty.
K9  Each player banks the stones left on the own side.
K10 The larger store wins, equal stores are a draw. Holding more than half decides the game but does not end it.
K11 Two ends by hand: 22 with an empty row against 18 with 8 in the pits is 22-26; 24 against 19 with 5 is 24-24.
K12 No position comes twice, so nothing else has to end the game.
"""

from mancala_rl.rules.record import Rules
from mancala_rl.rules.registry import Variant, register

register(
    Variant(
        rules=Rules(name="kalah"),
        title="Kalah",
        summary="Sow into your store; end there to move on, or capture.",
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
        source="G. Irving, J. Donkers, J. Uiterwijk: Solving Kalah, ICGA Journal 23(3), 2000",
    )
)
