"""Section SET-UP of a rule sheet."""

from collections.abc import Iterator

from mancala_rl.rules.record import Rules
from mancala_rl.rules.sheet.words import count


def setup(rules: Rules) -> Iterator[str]:
    """Yield the sentences: players, board, start and who begins."""
    players = count(rules.players, "player").capitalize()
    seats = "0 and 1" if rules.players == 2 else f"0 to {rules.players - 1}"
    yield (
        f"{players}, seats {seats}. Each has a row of {count(rules.pits, 'pit')} and a store at its right end. "
        "Pits are numbered from 0, the one farthest from the own store."
    )
    yield _start(rules)
    yield "Seat 0 moves first."


def _start(rules: Rules) -> str:
    if rules.start_position == "random":
        stones = rules.pits * rules.stones
        return (
            f"Each row gets {count(stones, 'stone')}, laid into its pits at random, every way to do so equally "
            f"likely; the stores are empty. {rules.total} stones in all."
        )
    if rules.start_position == "uniform":
        return f"Every pit holds {count(rules.stones, 'stone')}, the stores are empty. {rules.total} stones in all."
    board = rules.start_position.replace("/", " / ").replace(",", " ").replace("+", " + ")
    closed = " x is a closed pit: it gets no stones and is passed over." if "x" in board else ""
    position = f"The game starts from the position {board} (pits + store of each seat)."
    return f"{position}{closed} {rules.total} stones in all."
