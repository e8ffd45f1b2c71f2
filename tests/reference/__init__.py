"""The oracle: mancala rules in plain Python, slow and obvious, written from the rule text alone.

It shares nothing with the package under test, so the two can only agree by both being right. One immutable `State`,
plain functions, lists and loops. The names K1, J6, M3, O4 ... are the paragraphs of the rule text; "section 5" is its
list of what the games of the family differ in.

    state.py     settings of every game, positions
    sowing.py    where the stones of a move fall, lap by lap
    capture.py   what the last stone captures
    ending.py    who is out, when a game ends, who gets the rest, places and rewards
    moves.py     legal, play, perft
    match.py     sets, closing pits, the table's settings
    text.py      notation, perft files, golden games

As a script it makes the data files that the tests read:

    python -m tests.reference perft kalah:pits=6,stones=4 8 --divide 5     # one perft file, on standard output
    python -m tests.reference golden kalah 11                              # one golden game, on standard output
    python -m tests.reference all                                          # rewrites tests/data/{perft,golden}
"""

from tests.reference.ending import active, end, ranking, returns
from tests.reference.match import match_points, match_winner, refill, starter, table_pits
from tests.reference.moves import divide, is_slam, legal, perft, play
from tests.reference.sowing import EndlessSowingError, sowing_cells
from tests.reference.state import PRESETS, Settings, State, check_custom, settings_of, start, total
from tests.reference.text import (
    DATA,
    GOLDEN,
    PERFT,
    from_text,
    golden_file,
    notate,
    perft_command,
    perft_file,
    write_all,
)

__all__ = [
    "DATA",
    "GOLDEN",
    "PERFT",
    "PRESETS",
    "EndlessSowingError",
    "Settings",
    "State",
    "active",
    "check_custom",
    "divide",
    "end",
    "from_text",
    "golden_file",
    "is_slam",
    "legal",
    "match_points",
    "match_winner",
    "notate",
    "perft",
    "perft_command",
    "perft_file",
    "play",
    "ranking",
    "refill",
    "returns",
    "settings_of",
    "sowing_cells",
    "start",
    "starter",
    "table_pits",
    "total",
    "write_all",
]
