"""Where everything stands: the row of a game and the array of its rules.

A game is one row of `S: int16[G, L]`. With m pits a player and P players:

    cell p*(m+1) + i        pit i of player p, i = 0 farthest from the player's store
    cell p*(m+1) + m        the store of player p
    cells + MOVER ...       the tail, cells = P*(m+1)

A cell that is closed or lifted off the board holds -1: it cannot be chosen, is skipped in sowing and never captured.
The rules are an `int64` array `r`: the header below, then for every player the sowing path `next[player, cell]`.
"""

# The tail of a row, as offsets from `cells`.
MOVER = 0  # seat to move; when the game is over, the seat that would have been next
OVER = 1  # 0 playing, 1 over, 2 cut off
PLY = 2  # moves made, extra turns included; stays at 32767 once there
CAPTURED = 3  # stones the last move brought into the mover's store by capture, the landing stone included
EXTRA = 4  # 1 if the last move gave its player another turn
LIFTED = 5  # stones taken off the board
PIE = 6  # 1 + the seat that may still swap at its first action, else 0
SINCE = 7  # moves since the last capture, what repetition rules look back over
PLACES = 8  # one entry a player: the place taken, 0 while still playing
TAIL = 8  # length of the tail without the places

PLAYING, ENDED, CUT_OFF = 0, 1, 2

# The header of the rules array.
PLAYERS = 0
PITS = 1
STONES = 2
TOTAL = 3
CELLS = 4
FIRST_STONE = 5
SKIP_ORIGIN = 6
EXTRA_TURN = 7
CAPTURE = 8
EMPTY_CAPTURE = 9
EVEN_CAPTURE = 10
END_CHECK = 11
LEFTOVERS = 12
STOP_WHEN_DECIDED = 13
PIE_RULE = 14
START = 15
HEADER = 32  # the sowing paths start here; the slots between are kept for further mechanics

# The words of the record in the order of their codes.
SOW_STORES_WORDS = ("none", "own", "all")
FIRST_STONE_WORDS = ("next", "origin")
EXTRA_TURN_WORDS = ("none", "own_store", "any_store")
CAPTURE_WORDS = ("none", "cross")
END_CHECK_WORDS = ("immediate", "on_turn")
LEFTOVERS_WORDS = ("owner", "emptier", "unscored")

EXTRA_IN_OWN_STORE, EXTRA_IN_ANY_STORE = 1, 2
CAPTURE_CROSS = 1
END_ON_TURN = 1
TO_OWNER, TO_EMPTIER, UNSCORED = 0, 1, 2
RANDOM_START = 1

MAX_PITS = 60  # a set of actions is one int64 bit set, extra actions included
MAX_TOTAL = 32767  # stones are counted in int16
