"""Congkak, called Dakon on Java: the rules by number.

C1  Seven stones in each of the 2x7 pits, the stores are empty.
C2  All stones of an own pit are sown one by one, the own store included, the opponent's passed over. The round of the
    board is Kalah's; at the table it runs clockwise with the store at the left, which is the same game in a mirror.
C3  A last stone in a pit that held stones, on either side, is taken up with all the others there and they are sown on.
C4  A last stone in the own store gives another turn.
C5  A last stone in an own empty pit takes itself and the stones opposite; with nothing opposite, or in an empty pit of
    the opponent, it only ends the turn.
C6  As soon as either row is empty the game is over and each player banks the stones on the own side. Another version
    looks only at the player to move (`end_check`).

The opening that both players sow at once, and further rounds with burnt pits, are left out: this is one round with
players who take turns.
"""

from mancala_rl.rules.record import Rules
from mancala_rl.rules.registry import Variant, register

register(
    Variant(
        rules=Rules(name="congkak", pits=7, stones=7, relay="last"),
        title="Congkak",
        summary="Relays through your own store, and Kalah's capture.",
        aliases=("dakon", "congklak"),
        options=(
            "pits",
            "stones",
            "empty_capture",
            "lander",
            "leftovers",
            "end_check",
            "stop_when_decided",
            "pie",
            "start_position",
        ),
        source="Wikipedia, Southeast Asian mancala; Board Game Arena, Congkak",
    )
)
