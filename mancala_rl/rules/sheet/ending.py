"""Section END of a rule sheet."""

from collections.abc import Iterator

from mancala_rl.kernel import layout
from mancala_rl.rules.record import Rules
from mancala_rl.rules.sheet.words import count


def ending(rules: Rules) -> Iterator[str]:
    """Yield the sentences: every way in which a game ends or is cut off."""
    if rules.goal == "empty":
        yield from _first_to_empty(rules)
    else:
        yield from _empty_rows(rules)
        yield _majority(rules)
        if rules.repetition:
            yield _repetition(rules)
    if rules.max_plies:
        yield f"The game is cut off after {count(rules.max_plies, 'move')} of all players, extra turns included."
    if not rules.is_finite:
        yield "Nothing else ends it: a game may go on for ever."


def _first_to_empty(rules: Rules) -> Iterator[str]:
    extra = "" if rules.extra_turn == "none" else " and does not move again, whatever the last stone gave"
    yield f"A player whose own pits are all empty after sowing has finished{extra}."
    if rules.players == 2:
        yield "That ends the game."
    elif rules.play_out:
        yield (
            "That player's pits and store are lifted off the board with all their stones, the ring closes, and the "
            "next player moves. The game is over when only one player is left."
        )
    else:
        yield "The first player to finish ends the game."


def _empty_rows(rules: Rules) -> Iterator[str]:
    if rules.end_check == "immediate":
        lapse = "" if rules.extra_turn == "none" else " An extra turn that the last move gave lapses."
        yield f"After every move, captures included, all rows are looked at: if one is empty the game is over.{lapse}"
    elif rules.feed:
        yield (
            "The game is over when the player to move has no move: no stones in the row, or nothing that would feed an "
            "opponent who has none. An empty row alone ends nothing."
        )
    else:
        yield "The game is over when the player to move has no stones in the row; an empty row alone ends nothing."


def _majority(rules: Rules) -> str:
    majority = f"{rules.total // 2 + 1} stones or more in one store, over half of all,"
    if rules.stop_when_decided:
        return f"The game is also over as soon as somebody has {majority} after a move."
    swap = " (once nobody may swap any more)" if rules.pie else ""
    return f"To have {majority} decides the game{swap} but does not end it."


def _repetition(rules: Rules) -> str:
    times = {2: "second", 3: "third"}[rules.repetition]
    return (
        "The game is also over when the same position, all pits and the player to move, comes "
        f"for the {times} time since the last capture. It is cut off after {layout.WINDOW - 1} moves without a capture."
    )
