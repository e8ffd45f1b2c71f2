"""The numbers of one ply of the exact search, in `F: int64[plies, FIELDS]`, and of one move, in `C`."""

OWN, OPP, STONES, CODE = 0, 1, 2, 3  # the position searched: rows, stones in the pits, its spread number
ALPHA = 4  # the question: is the value larger?
BEST, MOVE = 5, 6  # the answer so far, a bound on the right side of ALPHA, and the move behind it
LOW, HIGH = 7, 8  # what is known of the value
COUNT, NEXT = 9, 10  # moves that have to be searched, and the next of them; NEXT < 0: not looked at yet
BEFORE = 11  # nodes when the ply was begun
KEEP = 12  # whether the answer is news to the table
GAIN, AGAIN, PIT = 13, 14, 15  # the move that led here: what it won, whether its player moves again, which pit
FIELDS = 16

# `C: int64[plies, m, CHILD]`: the moves of a ply that have to be searched, in this order.
C_OWN, C_OPP, C_STONES, C_CODE, C_GAIN, C_AGAIN, C_PIT, C_ORDER = range(8)
CHILD = 8

# `state: int64[STATE]`: where a search is that has been interrupted.
PLY, NODES, BUDGET = 0, 1, 2
STATE = 3

DONE, PAUSED, FULL = 0, 1, 2  # what a search comes back with
