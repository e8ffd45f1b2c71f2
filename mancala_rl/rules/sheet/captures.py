"""What a rule sheet says of captures, in the order in which the kernel looks for them."""

from collections.abc import Iterator

from mancala_rl.rules.consistency import chain_numbers
from mancala_rl.rules.record import Rules
from mancala_rl.rules.sheet.words import alternatives, is_sown, relays


def captures(rules: Rules) -> Iterator[str]:
    """Yield one paragraph a kind of capture."""
    if rules.capture == "cross":
        yield _cross(rules)
    if rules.tuzdik:
        yield _tuzdik(rules)
    if rules.even_capture:
        yield (
            "Even capture: when the last stone makes a pit of the opponent even (2, 4, 6, ...), all its stones go "
            f"into your store. The turn ends.{_stopped(rules)}"
        )
    if rules.chain != "none":
        yield _chain(rules)
        yield "Grand slam: " + _slam(rules)
    if rules.capture == "none" and rules.chain == "none" and not (rules.even_capture or rules.tuzdik):
        yield "Nothing is captured."


def _stopped(rules: Rules) -> str:
    """Return the remark that a relay leaves little to a capture of a pit that held stones."""
    if not relays(rules) or rules.relay != "last":
        return ""
    if rules.relay_limit:
        return " As a relay goes on from such a pit, this happens only after the last lap that is allowed."
    return " As a relay goes on from such a pit, this never happens."


def _cross(rules: Rules) -> str:
    lap = ""
    if not rules.skip_origin and rules.first_stone == "next":
        lap = "; so does the pit you sowed from, when the last stone falls into it"
    taken = "that stone and all stones of the pit opposite go into your store"
    if rules.lander == "stays":
        taken = "all stones of the pit opposite go into your store; the last stone stays where it is"
    return (
        f"Capture: when the last stone falls into a pit of yours that was empty and the pit opposite holds stones, "
        f"{taken}. The turn ends. The pit opposite your pit i is the opponent's pit {rules.pits - 1}-i. "
        f"With nothing in it, {_alone(rules)}. A pit counts as empty if it was so just before the last stone fell{lap}."
    )


def _alone(rules: Rules) -> str:
    if rules.empty_capture:
        return "the last stone alone goes into your store"
    if rules.chain_side == "any" and 1 in chain_numbers(rules.chain):
        return "there is no such capture"
    return "nothing is captured and the last stone stays"


def _tuzdik(rules: Rules) -> str:
    if rules.pits == 1:
        return "Tuzdik: the last pit of a row can never be one, so with a single pit there is none."
    return (
        "Tuzdik: when the last stone makes three in a pit of the opponent, the three go into your store and the pit is "
        "your tuzdik for good: every stone that falls into it later goes into your store, whoever sowed it, and a last "
        "stone there captures nothing else. You can have one, never the last pit of the row "
        f"({rules.pits - 1}), nor the one with the number of the opponent's tuzdik.{_stopped(rules)}"
    )


def _chain(rules: Rules) -> str:
    numbers = chain_numbers(rules.chain)
    holds = alternatives([str(number) for number in numbers])
    whose, also = ("of the opponent", "is the opponent's too and ") if rules.chain_side == "opponent" else ("", "")
    if rules.chain_side == "any":
        whose = "of either side"
    more = rules.capture == "cross" or rules.even_capture or rules.tuzdik
    only = " This is so only where none of the captures above is made." if more else ""
    store = " or a store comes" if is_sown(rules) else ""
    stopped = _stopped(rules) if 1 not in numbers else ""
    return (
        f"Chain capture: when the last stone makes a pit {whose} {holds}, its stones go into your store, then those of "
        f"the pit before it if that {also}holds {holds}, and so on backwards until a pit does not{store}. "
        f"The turn ends.{only}{stopped}"
    )


def _slam(rules: Rules) -> str:
    taking = "a chain that takes all the opponent's stones is a capture"
    slam = "a chain that would take all the opponent's stones"
    return {
        "allow": f"{taking} like any other.",
        "no_capture": f"{slam} takes nothing; the move stands.",
        "illegal": f"a move with {slam} may be played only if each of your moves is one; then it captures.",
        "rest_to_opponent": f"{taking}, after which all stones left in your row go into the opponent's store.",
        "leave_last": f"{slam} spares the pit of the last stone.",
        "leave_first": f"{slam} spares its last pit, the one farthest back.",
    }[rules.grand_slam]
