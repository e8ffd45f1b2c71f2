"""Section SPECIAL RULES of a rule sheet: relays, extra turns, duties, swap and giving up; captures stand beside."""

from collections.abc import Iterator

from mancala_rl.rules.record import Rules
from mancala_rl.rules.sheet.captures import captures
from mancala_rl.rules.sheet.words import count, is_sown, relays


def special(rules: Rules) -> Iterator[str]:
    """Yield one paragraph a rule."""
    if relays(rules):
        yield _relay(rules)
    yield _extra_turn(rules)
    yield from captures(rules)
    if rules.feed and rules.end_check == "on_turn":
        yield (
            "Feeding: when the opponent has no stones in the pits, you may only play what brings some there (captures "
            "aside)."
        )
    if rules.pie:
        yield (
            "Swap: the first action of seat 1 may be to swap instead of to move: rows and stores change hands, and "
            f"seat 0 moves. It is written swap, or {rules.pits}."
        )
    if rules.resign:
        yield _resign(rules)


def _relay(rules: Rules) -> str:
    tuzdik = " or a tuzdik" if rules.tuzdik else ""
    store = " or a store" if is_sown(rules) else ""
    if rules.relay == "last":
        taken = "the last stone falls into a pit that held stones, whoever's it is, take up all that lie there now"
        end = f"a last stone in an empty pit{store}{tuzdik}"
    else:
        passed = "" if rules.sow_stores == "all" else " (stores that are passed over do not count)"
        taken = f"the cell after the last stone{passed} is a pit that holds stones, whoever's it is, take these up"
        end = f"an empty pit{store} in that place" + (f", or a last stone in{store[3:]}" if store else "")
        end += " or a last stone in a tuzdik" if tuzdik else ""
    text = f"Relay: when {taken} and sow on from there, lap after lap, within the same move. It ends with {end}"
    if rules.relay_limit:
        text += f", at the latest after {count(rules.relay_limit, 'lap')}, the first one counted"
    if rules.skip_origin or rules.first_stone == "origin":
        text += ". Every lap treats the pit it was taken from as said above"
    return text + ". All that is said of the last stone below means that of the last lap."


def _extra_turn(rules: Rules) -> str:
    if rules.extra_turn == "none":
        return "There are no extra turns" + (
            ": a last stone in a store ends the turn as well." if is_sown(rules) else "."
        )
    store = "your store" if rules.extra_turn == "own_store" else "any store"
    text = f"Extra turn: when the last stone falls into {store}, you move again, as often as it happens"
    return text + (", unless your pits are all empty then." if rules.goal == "empty" else ".")


def _resign(rules: Rules) -> str:
    text = "Giving up: instead of moving you may give up. "
    if rules.players == 2:
        text += "The other player wins."
    else:
        text += (
            "You get the worst place that is still free, your pits and store are lifted off the board, and the next "
            "player moves."
        )
        if not rules.play_out:
            text += " When only one player is left, the game is over and that player takes the place that remains."
    return f"{text} It is written resign, or {rules.pits}."
