"""Which special rules a move shows: what the worked example of a rule sheet is picked by."""

import dataclasses
import functools

import numpy as np

from mancala_rl.rules.laps import sown_cells
from mancala_rl.rules.position import Position
from mancala_rl.rules.record import Rules


def tells(rules: Rules) -> frozenset[str]:
    """Return the kinds of events that moves under these rules can show; see `events`."""
    kinds = {
        "extra": rules.extra_turn != "none",
        "relay": rules.relay != "off" and rules.relay_limit != 1,
        "cross": rules.capture == "cross",
        "tuzdik": rules.tuzdik and rules.pits > 1,
        "capture": rules.even_capture or rules.chain != "none",
        "chain": rules.chain != "none",
        "slam": rules.grand_slam not in ("allow", "illegal"),
        "finish": rules.goal == "empty" and rules.players > 2 and rules.play_out,
        "single": rules.first_stone == "origin",
        "swap": rules.pie,
        "resign": rules.resign,
    }
    return frozenset(kind for kind, possible in kinds.items() if possible)


def events(before: Position, action: int, after: Position) -> frozenset[str]:
    """Return what a move shows of the special rules."""
    rules, seat = before.rules, before.to_move or 0
    if action == rules.pits:
        return frozenset({"resign" if rules.resign else "swap"})
    stones, own = before.pits[seat][action], after.trace[-1] // (rules.pits + 1) == seat
    claimed = after.tuzdiks[seat] != before.tuzdiks[seat]
    relayed = len(after.trace) > stones
    found = {
        "extra": after.extra_turn,
        "relay": relayed,
        "single": rules.first_stone == "origin" and stones == 1,
        "tuzdik": claimed,
        "cross": after.captured > 1 and own and rules.capture == "cross",
        "capture": after.captured > 0 and not own and not claimed,
        "chain": is_plain_chain(before, action, after) and len(pits_taken(before, action, after)) > 1,
        "slam": is_slam(before, action, after),
        "finish": bool(after.places[seat]),
    }
    return frozenset(event for event, happened in found.items() if happened) & tells(rules)


def is_plain_chain(before: Position, action: int, after: Position) -> bool:
    """Return whether `pits_taken` can tell what a move captured: one lap, one kind of capture, and the game goes on."""
    rules = before.rules
    one_kind = rules.chain != "none" and rules.capture == "none" and not rules.tuzdik
    one_lap = len(after.trace) == before.pits[before.to_move or 0][action]
    return one_kind and one_lap and after.captured > 0 and not after.is_over


def pits_taken(before: Position, action: int, after: Position) -> list[int]:
    """Return the pits that a move captured; it did not end the game."""
    taken = sown_cells(before, action) > after.row[: before.rules.num_cells].clip(0)
    return [cell for cell in np.flatnonzero(taken).tolist() if cell % (before.rules.pits + 1) != before.rules.pits]


def is_slam(before: Position, action: int, after: Position) -> bool:
    """Return whether a move met the special rule for grand slams: it came out otherwise than it would without."""
    rules = before.rules
    if rules.grand_slam in ("allow", "illegal") or action == rules.pits:
        return False
    allowed = Position.from_row(_without_slam_rule(rules), before.row).play(action)
    return allowed.captured != after.captured or allowed.stores != after.stores


@functools.lru_cache(maxsize=8)
def _without_slam_rule(rules: Rules) -> Rules:
    return dataclasses.replace(rules, grand_slam="allow")
