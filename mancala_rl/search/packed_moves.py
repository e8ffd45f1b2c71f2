"""The moves of a packed board, in the order in which they are tried.

That is the table's move, extra turns, then by what a move gains, then nearest to the store first. The order only
decides how soon a search is done, never its result.

There is no history heuristic as on rows (`mancala_rl.search.history`): where the gain of every move is known it saves
too little. Between equal gains it left 96, 95, 96, 98 and 104% of the nodes of Kalah(6,4) at depths 8, 10, 12, 14 and
16, and 97 to 105% of those of Kalah(6,6) and Mangala at 12 and 14; it took 1 to 15% more time. Killer moves and a
history by pit and stones left more nodes.

The moves of ply p are the rows of C[p], `C: int64[depth + 1, m, MOVE_FIELDS]`.
"""

from mancala_rl.kernel import kernel
from mancala_rl.kernel.packed import Q_PITS, make_room, packed_pit, play_packed
from mancala_rl.search.frame import COUNT, FULL, NEXT, OPP, OWN, SCOUT

M_OWN, M_OPP = 0, 1  # the rows after the move, that of the player who moves then first
M_GAIN = 2  # what the move gains, as `play_packed` says
M_AGAIN = 3  # whether the mover moves again
M_OVER = 4  # whether the game is over
M_PIT = 5
M_ORDER = 6  # what has more of it is tried before
MOVE_FIELDS = 7

PIT_ORDERS = 64  # more than there are pits
EXTRA_TURN_ORDER = 1 << 30  # more than all stones times the above
FIRST_OF_ALL = 1 << 40


@kernel
def list_moves(F, C, ply, table_move, q):  # type: ignore[no-untyped-def]
    """Play every move of frame `ply` and list it; none of them has been tried then."""
    own, opp, count = int(F[ply, OWN]), int(F[ply, OPP]), 0
    for pit in range(int(q[Q_PITS]) - 1, -1, -1):
        if packed_pit(own, pit, q):
            mine, other, gain, again, over = play_packed(own, opp, pit, q)
            order = gain * PIT_ORDERS + pit + again * EXTRA_TURN_ORDER
            at = make_room(C, ply, count, FIRST_OF_ALL if pit == table_move else order, M_ORDER, MOVE_FIELDS)
            C[ply, at, M_OWN], C[ply, at, M_OPP] = (mine, other) if again else (other, mine)
            C[ply, at, M_GAIN], C[ply, at, M_AGAIN], C[ply, at, M_OVER], C[ply, at, M_PIT] = gain, again, over, pit
            count += 1
    F[ply, NEXT], F[ply, COUNT], F[ply, SCOUT] = 0, count, FULL
