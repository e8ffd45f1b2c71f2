"""Section SCORING of a rule sheet: where the stones left over go, and who has won."""

from collections.abc import Iterator

from mancala_rl.rules.record import Rules
from mancala_rl.rules.sheet.words import is_lifting


def scoring(rules: Rules) -> Iterator[str]:
    """Yield the sentences."""
    if rules.goal == "empty":
        yield from _places(rules)
        return
    yield _leftovers(rules)
    yield from _other_ends(rules)
    yield "Most stones in the store win, equal numbers are a draw. To empty one's row is not to win."
    if rules.players > 2:
        yield "Players are ranked by their stores; equal numbers share a place."


def _leftovers(rules: Rules) -> str:
    if rules.leftovers == "owner":
        return "Stones left in the pits go into the store of the player in whose row they lie."
    if rules.leftovers == "unscored":
        return "Stones left in the pits count for nobody."
    text = "The owner of the empty row takes the rest: all stones left in the pits, whoever's row they lie in"
    if rules.players > 2:
        text += ". Of several empty rows that of the player who would move next counts, else that of the lowest seat"
    return text + "."


def _other_ends(rules: Rules) -> Iterator[str]:
    """Say what the leftovers rule does not: ends that are no empty row."""
    bank = "each player banks the stones on the own side"
    if rules.stop_when_decided and not rules.sweep_when_decided:
        yield "When half the stones were exceeded, the pits stay as they are and count for nobody."
    elif rules.stop_when_decided and rules.leftovers != "owner":
        yield f"When half the stones were exceeded, {bank}."
    if rules.repetition and rules.cycle_split == "even":
        rest = "what cannot be shared leaves the board"
        yield f"When a position came again, the stones in the pits are shared out evenly; {rest}."
    elif rules.repetition and rules.leftovers != "owner":
        yield f"When a position came again, {bank}."
    if (rules.max_plies or rules.repetition) and rules.leftovers == "emptier":
        yield f"When the game was cut off, {bank}."


def _places(rules: Rules) -> Iterator[str]:
    yield "Stones in stores are out of play and count for nothing."
    if rules.players == 2:
        yield "Who has finished wins, the other loses; there are no draws."
    elif rules.play_out:
        yield "Who finishes takes the best place that is still free; the last one left takes the place that remains."
    else:
        yield (
            "Who has finished is first. The others are ranked by the stones left in their pits, fewer is better; equal "
            "numbers share a place" + (". Those who gave up stay behind them." if rules.resign else ".")
        )
    if rules.max_plies and is_lifting(rules):
        yield "When the game is cut off, those still playing share the places that are free."
    elif rules.max_plies:
        yield "A game that is cut off is won by nobody."
