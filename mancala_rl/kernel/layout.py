"""Where everything stands: the row of a game and the array of its rules.

A game is one row of `S: int16[G, L]`. With m pits a player and P players:

    cell p*(m+1) + i        pit i of player p, i = 0 farthest from the player's store
    cell p*(m+1) + m        the store of player p
    cells + MOVER ...       the tail, cells = P*(m+1)

    cells + TAIL ...        one entry a player: the place taken, 0 while still playing
    r[TUZDIKS] ...          where the rules have the tuzdik, one entry a player: 1 + the pit of the opponent's row that
                            the player has claimed, 0 for none
    r[HISTORY] ...          where the rules have repetition, the keys of the positions since the last capture, KEY_PARTS
                            entries each, WINDOW of them
    r[SCRATCH] ...          where a move's effect decides whether it is legal, room for the cells during a trial, else 0

A cell that is closed or lifted off the board holds -1: it cannot be chosen, is skipped in sowing and never captured.
The rules are an `int64` array `r`: the header below, then for every player the sowing path `next[player, cell]`, one
weight a cell, by which a position gets its key, and two tables that say which stone falls where: `distance[origin,
cell]` is the number of the first stone from an origin that falls into a cell (FAR if none does), four of 16 bits in a
word; `route[origin, n]` is the cell that stone n + 1 falls into. They are those of the origin's owner; where relays sow
from other pits too, every player has tables.
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
PLACES = TAIL = 8  # the places begin where the tail of equal length for all players ends

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
RELAY = 16
RELAY_LIMIT = 17
LANDER_STAYS = 18
CHAIN = 19  # bit n: a chain takes pits that hold n
CHAIN_ANY_SIDE = 20
GRAND_SLAM = 21
TUZDIK = 22
FEED = 23
SWEEP_WHEN_DECIDED = 24
REPETITION = 25
EVEN_SPLIT = 26
MAX_PLIES = 27
GOAL_EMPTY = 28
PLAY_OUT = 29
RESIGN = 30
TUZDIKS = 31  # where in a row the tuzdiks begin
HISTORY = 32  # where in a row the history begins
WEIGHTS = 33  # where in this array the weights of the cells begin
SCRATCH = 34  # where in a row there is room for a copy of the cells, if a legal move takes a trial to find
SPECIAL = 35  # 1 if the rules have a mechanic that the short way through `play` leaves out
PLAY_ADDRESS = 36  # of the code for them and for actions that are no pit, in this process; 0 if neither is there
PITS_ADDRESS = 37  # of the code that finds legal moves by trial, in this process; 0 if SCRATCH is
ROUND = 38  # cells on a sowing path: so many stones go once round
DISTANCES = 39  # where in this array the distances begin
ROUTES = 40  # where in this array the routes begin
APART = 41  # how many origins lie between the tables of two players, 0 if nobody sows from another's pits
WORDS = 42  # words of four cells that hold all cells, and something behind them
DEAL_ADDRESS = 43  # of the code for random starts and repetition, in this process; 0 if neither is there
HEADER = 44  # the sowing paths start here

# What the short way through `play` leaves out; every one of these is 0 in Kalah and Mangala.
SPECIAL_MECHANICS = (RELAY, CHAIN, TUZDIK, FEED, REPETITION, MAX_PLIES, GOAL_EMPTY)

# The words of the record in the order of their codes.
SOW_STORES_WORDS = ("none", "own", "all")
FIRST_STONE_WORDS = ("next", "origin")
EXTRA_TURN_WORDS = ("none", "own_store", "any_store")
CAPTURE_WORDS = ("none", "cross")
END_CHECK_WORDS = ("immediate", "on_turn")
LEFTOVERS_WORDS = ("owner", "emptier", "unscored")
RELAY_WORDS = ("off", "last", "next")
LANDER_WORDS = ("taken", "stays")
CHAIN_SIDE_WORDS = ("opponent", "any")
GRAND_SLAM_WORDS = ("allow", "no_capture", "illegal", "rest_to_opponent", "leave_last", "leave_first")
CYCLE_SPLIT_WORDS = ("own_side", "even")
GOAL_WORDS = ("most", "empty")

EXTRA_IN_OWN_STORE, EXTRA_IN_ANY_STORE = 1, 2
CAPTURE_CROSS = 1
END_ON_TURN = 1
TO_OWNER, TO_EMPTIER, UNSCORED = 0, 1, 2
RANDOM_START = 1
RELAY_OFF, RELAY_FROM_LAST, RELAY_FROM_NEXT = 0, 1, 2
SLAM_ALLOWED, SLAM_TAKES_NOTHING, SLAM_ILLEGAL, SLAM_REST_TO_OPPONENT, SLAM_LEAVES_LAST, SLAM_LEAVES_FIRST = range(6)

MAX_PITS = 60  # a set of actions is one int64 bit set, extra actions included
MAX_TOTAL = 32767  # stones are counted in int16
MAX_PLIES_COUNTED = 32767  # and so are moves
MAX_CHAIN = 60  # the largest number of stones that a chain can name

FAR = 32767  # the distance of a cell that gets no stone, at most one a cell falls in one round

WINDOW = 256  # moves without a capture after which a game with a repetition rule is cut off
CELLS_A_WORD, CELL_BITS = 4, 16

KEY_PARTS, PART_BITS = 4, 15  # a key of 60 bits, cut into entries of a row
