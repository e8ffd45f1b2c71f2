"""Retrograde analysis of a layer: exact values where moves stay among the positions with as many stones in the pits.

`values: uint8[positions]` holds v + s for every position, in the order of `mancala_rl.solver.ranking`: v is what the
player to move gains over the other until the end of the game, s the stones in the pits. Where the first to empty the
own side wins, v is how many stones the loser has left, negative for the loser.

A move that scores, or ends the game, has a worth that the layers of fewer stones tell. Of the others it is known where
in the layer they lead. All values of the layer begin as 0, and every position is given the largest of what its moves
are worth, again and again, until nothing changes.

That this ends, and with the right values, whatever the order of the positions and however many threads share them: let
A(t) be the positions with v >= t and B(t) those with v <= -t, for every t > 0. A position belongs in A(t) if some move
is worth t or leads into B(t), in B(t) if every move is worth at most -t or leads into A(t). The sets begin empty and
only grow, and what they grow to is the least fixed point: the positions from which the player to move, or the other,
can force a gain of t in a finite number of moves. All others go on for ever if nobody wants to lose by leaving the
layer, and are worth 0: an endless line shares the stones in the pits evenly.

Who forces a gain so comes nearer to it with every move, and never back to a position. So a rule that ends the game with
an even split when a position comes back changes no value, unless positions of the layer were on the board before.
"""

from mancala_rl.kernel import copy_row, kernel, legal_bits, margin, play, settle
from mancala_rl.kernel.layout import CELLS, GOAL_EMPTY, MOVER, OVER, PITS, TOTAL
from mancala_rl.solver.layers import base_of, row_total, rows_at
from mancala_rl.solver.lookup import row_number, unpack_rows
from mancala_rl.solver.ranking import number_of

NOTHING = -128  # below every value: no move leaves the layer


@kernel
def list_block(stones, own, first, last, values, moves, outright, S, rows, q, w, r):  # type: ignore[no-untyped-def]
    """List the moves of all positions of a layer with `own` stones in the row to move, whose rank is first..last-1.

    Args:
        stones, own, first, last: which positions.
        values: uint8[...], all layers; those of fewer stones must be complete.
        moves: int32[layer, m], filled with where in the layer the moves that stay there lead; -1 ends a list.
        outright: int8[layer], filled with the most that a move which leaves the layer is worth, NOTHING if none does.
        S: int16[2, L], scratch.
        rows: int64[...], the packed rows in the order of stones, then rank; see `fill_rows`.
        q, w: see `mancala_rl.kernel.packed` and `mancala_rl.solver.ranking`.
        r: the rules, by which a game ends only when somebody cannot go on.
    """
    mine, theirs = rows_at(own, q, w), rows_at(stones - own, q, w)
    others = row_total(stones - own, q, w)
    base = base_of(stones, 0, q, w)
    for rank in range(first, last):
        at = base_of(stones, own, q, w) - base + rank * others
        for other in range(others):
            unpack_rows(S, 0, int(rows[mine + rank]), int(rows[theirs + other]), q, r)
            list_moves(S, stones, base, at + other, values, moves, outright, q, w, r)


@kernel
def list_moves(S, stones, base, at, values, moves, outright, q, w, r):  # type: ignore[no-untyped-def]
    """List the moves of the position on row 0, number `base + at`."""
    staying, best = 0, NOTHING
    if settle(S, 0, 0, r):
        best = int(gained(S, 0, r))
    bits = int(legal_bits(S, 0, r))
    for pit in range(r[PITS]):
        if bits >> pit & 1:
            copy_row(S, 0, 1)
            play(S, 1, pit, r)
            number, left = row_number(S, 1, q, w, r)
            if S[1, r[CELLS] + OVER]:
                best = max(best, int(gained(S, 1, r)))
            elif left == stones:
                moves[at, staying] = number - base
                staying += 1
            else:
                rest = int(values[number]) - left
                best = max(best, int(gained(S, 1, r)) + (-rest if S[1, r[CELLS] + MOVER] else rest))
    if staying < r[PITS]:
        moves[at, staying] = -1
    outright[at] = best if staying or best > NOTHING else 0  # no move at all: a board that no game comes to


@kernel
def gained(S, g, r):  # type: ignore[no-untyped-def]
    """Return what seat 0 has gained over seat 1 on row g, which began with empty stores."""
    if not r[GOAL_EMPTY]:
        return int(margin(S, g, r))
    if not S[g, r[CELLS] + OVER]:
        return 0
    ahead = int(margin(S, g, r))
    return ahead - r[TOTAL] if ahead > 0 else ahead + r[TOTAL]


@kernel
def improve(first, last, stones, layer, moves, outright):  # type: ignore[no-untyped-def]
    """Give the positions first..last-1 of a layer what their moves are worth now; return how many values changed.

    Args:
        first, last: which positions.
        stones: in the pits.
        layer: uint8[layer], the values.
        moves, outright: see `list_block`.
    """
    changed = 0
    for at in range(first, last):
        value = best_of(at, stones, layer, moves, outright)
        changed += value != layer[at]
        layer[at] = value
    return changed


@kernel
def best_of(at, stones, layer, moves, outright):  # type: ignore[no-untyped-def]
    """Return the value of a position by what its moves are worth."""
    best = int(outright[at])
    for k in range(moves.shape[1]):
        if moves[at, k] < 0:
            break
        best = max(best, stones - int(layer[moves[at, k]]))
    return best + stones


@kernel
def reconsider(own, opp, values, moves, outright, S, q, w, r):  # type: ignore[no-untyped-def]
    """Return the value of a position by what its moves lead to, and what the database says.

    Args:
        own, opp: its rows.
        values: uint8[positions], complete.
        moves, outright: int32[1, m] and int8[1], scratch.
        S, q, w, r: see `list_block`.
    """
    number, stones = number_of(own, opp, q, w)
    unpack_rows(S, 0, own, opp, q, r)
    list_moves(S, stones, 0, 0, values, moves, outright, q, w, r)
    return best_of(0, stones, values, moves, outright) - stones, int(values[number]) - stones
