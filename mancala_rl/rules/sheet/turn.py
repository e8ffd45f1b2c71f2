"""Section A TURN of a rule sheet: which pit, how it is sown, who is next."""

from collections.abc import Iterator

from mancala_rl.rules.record import Rules
from mancala_rl.rules.sheet.words import count, is_lifting


def turn(rules: Rules) -> Iterator[str]:
    """Yield the sentences."""
    yield "Choose one of your pits that is not empty and take all its stones out."
    first = "the next cell"
    if rules.first_stone == "origin":
        first = "the pit they came from (a single stone moves to the next cell instead)"
    yield f"Sow them counter-clockwise, one into each cell, beginning with {first}: {_path(rules)}; and round again."
    yield _origin(rules)
    if rules.players == 2:
        yield "Then the other player moves."
    elif is_lifting(rules):
        yield "Then the next seat that still plays moves, counter-clockwise."
    else:
        yield "Then the next seat moves, counter-clockwise."


def _path(rules: Rules) -> str:
    two = rules.players == 2
    others = "the opponent" if two else "the next players"
    passed = "the opponent's store is" if two else "the other stores are"
    return {
        "own": f"your pits, your store, then the pits of {others}; {passed} passed over",
        "all": f"your pits, your store, then the pits and {'the store' if two else 'stores'} of {others}",
        "none": f"your pits, then the pits of {others}; all stores are passed over",
    }[rules.sow_stores]


def _origin(rules: Rules) -> str:
    """Say what becomes of the pit that is sown when the sowing goes all the way around the board."""
    if rules.skip_origin:
        return (
            "The pit they came from gets no other stone: it is passed over."
            if rules.first_stone == "origin"
            else "The pit they came from is passed over, however often the sowing goes around."
        )
    stores = {"own": 1, "all": rules.players, "none": 0}[rules.sow_stores]
    way = rules.players * rules.pits + stores - rules.start_position.count("x")
    around = f"the way around is {way} cells" + (" while all play" if is_lifting(rules) else "")
    if rules.first_stone == "origin":
        return (
            f"Later it is a pit like any other: {around}, so the last of {count(way + 1, 'stone')} falls into it, "
            "on top of the first."
        )
    return f"The pit they came from is not passed over: {around}, so the last of {count(way, 'stone')} falls into it."
