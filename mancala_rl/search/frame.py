"""What a search knows about one position on its path: the fields of a frame, a row of `F: int64[depth + 1, FIELDS]`."""

SEAT = 0  # who moves
ALPHA, BETA = 1, 2  # the window as it is now
LOW, HIGH = 3, 4  # the window as it was when the frame was opened
BEST = 5  # the best value so far
MOVE = 6  # the first move that reached it
TIES = 7  # bit set of the moves that reached it; complete in frame 0 only
TRIED = 8  # the move being searched
TABLE_MOVE = 9  # the move the table proposes, -1 if there is none or it has been tried
EXTRA_TURNS, CAPTURES, OTHERS = 10, 11, 12  # bit sets of the moves not tried yet
KEY, KEY2 = 13, 14  # what the table knows the position by
NODES = 15  # frame 0: moves played so far
FIELDS = 16

# A search on packed boards has lists of moves instead of bit sets (`mancala_rl.search.packed_moves`), and its keys are
# the rows of the player to move and of the other.
NEXT, COUNT = 10, 11  # which move of the list is tried next, and how many there are
SCOUT = 12  # how the move tried last was searched: FULL, NULL or BETTER
OWN, OPP = KEY, KEY2
FULL, NULL, BETTER = 0, 1, 2  # in the whole window; whether it beats alpha; it does, so it gets the whole window

# A search within limits knows these too.
HORIZON = 16  # 1 if a game below this position goes on where the search stops
STOPPED = 17  # frame 0: the ply at which it was interrupted
LIMITED_FIELDS = 18

INFINITY = 1 << 20  # larger than any margin
