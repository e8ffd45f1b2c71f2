"""Studies of positions by search and solver: hints, puzzles, solved test sets."""
