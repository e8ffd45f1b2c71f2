"""The tree of a Monte-Carlo tree search in arrays, and the phases of a simulation.

A tree of N nodes stands in N rows of each array. Its first node, the root, is the number by which the phases know it,
so many trees fit one above the other.

    S: int16[M, L]         the position of each node, a row of `mancala_rl.kernel`
    T: int64[M, FIELDS]    what is known of it; the fields are named below
    children: int64[M, A]  the node each action leads to, 0 where there is none yet; A = actions
    V: float64[M, P]       the mean reward of every seat in the simulations through it; P = players
    priors: float64[M, A]  how likely each action is to be good, or None for a search without

A simulation goes down (`select`, which ends with `expand`), somebody says what the new node is worth, and `back_up`
takes that to the root. Rewards are those of the seats, whoever moves, so an extra turn needs no care: `select` looks
at the reward of the seat to move. What the rules or the search have proven is exact: a proven node ends a simulation.
"""

import math

from mancala_rl.kernel import copy_row, kernel, legal_bits, pick_bit, play
from mancala_rl.kernel.layout import CELLS, OVER, PLAYERS
from mancala_rl.kernel.sowing import mover_of
from mancala_rl.kernel.worth import margin_share, worth, write_merits

PARENT = 0
VISITS = 1  # simulations that went through this node or ended in it
UNTRIED = 2  # bit set of the legal actions without a child
PROVEN = 3  # 1: the rewards in V are those of perfect play
USED = 4  # in the root: nodes of the tree so far
FIELDS = 5

BEST, WORST = 1.0, -1.0  # no reward is outside


@kernel
def plant(S, T, children, V, root, by_margin, points, r):  # type: ignore[no-untyped-def]
    """Make the node `root`, whose row is set, a tree of one node. `points: int64[1, P]` is scratch."""
    T[root, USED] = 0
    add_node(S, T, children, V, root, root, root, by_margin, points, r)


@kernel
def add_node(S, T, children, V, root, node, parent, by_margin, points, r):  # type: ignore[no-untyped-def]
    """Enter a node whose row is set into the tree of `root`; if its game is over it is proven."""
    T[root, USED] += 1
    T[node, PARENT] = parent
    T[node, VISITS] = 0
    T[node, UNTRIED] = legal_bits(S, node, r)
    T[node, PROVEN] = int(S[node, r[CELLS] + OVER] > 0)
    for action in range(children.shape[1]):
        children[node, action] = 0
    for seat in range(r[PLAYERS]):
        V[node, seat] = 0.0
    if T[node, PROVEN]:
        add_rewards(S, node, V, node, by_margin, points, r)


@kernel
def add_rewards(S, g, values, at, by_margin, points, r):  # type: ignore[no-untyped-def]
    """Add what game g, as it stands, is worth to row `at` of `values: float64[_, P]`."""
    if by_margin:
        for seat in range(r[PLAYERS]):
            values[at, seat] += margin_share(S, g, seat, r)
    else:
        write_merits(S, g, points, 0, r)
        for seat in range(r[PLAYERS]):
            values[at, seat] += worth(points, 0, seat, r[PLAYERS])


@kernel
def select(S, T, children, V, priors, root, exploration, seed, by_margin, points, r):  # type: ignore[no-untyped-def]
    """Go down from the root to the node this simulation ends in, and return it.

    That is the root if it has not been visited, a proven node, or a new one.
    """
    node = root
    while T[node, VISITS] and not T[node, PROVEN]:
        if priors is None:
            action = uct_action(S, T, children, V, node, exploration, seed, r)
        else:
            action = puct_action(S, T, children, V, priors, node, exploration, r)
        if children[node, action] == 0:
            return expand(S, T, children, V, root, node, action, by_margin, points, r)
        node = children[node, action]
    return node


@kernel
def uct_action(S, T, children, V, node, exploration, seed, r):  # type: ignore[no-untyped-def]
    """Return an action not tried yet, drawn with `seed`, or the one with the highest upper confidence bound."""
    if T[node, UNTRIED]:
        return pick_bit(T[node, UNTRIED], seed)
    seat = mover_of(S, node, r)
    log_visits = math.log(T[node, VISITS])
    best, choice = -math.inf, -1
    for action in range(children.shape[1]):
        child = children[node, action]
        if child:
            bound = V[child, seat] + exploration * math.sqrt(log_visits / T[child, VISITS])
            if bound > best:
                best, choice = bound, action
    return choice


@kernel
def puct_action(S, T, children, V, priors, node, exploration, r):  # type: ignore[no-untyped-def]
    """Return the action with the highest sum of value and bonus; the bonus is in proportion to its prior.

    An action not tried yet counts as good as the position.
    """
    seat = mover_of(S, node, r)
    root_visits = exploration * math.sqrt(T[node, VISITS])
    best, choice = -math.inf, -1
    for action in range(children.shape[1]):
        child = children[node, action]
        if child or T[node, UNTRIED] >> action & 1:
            bound = priors[node, action] * root_visits
            if child:
                bound = V[child, seat] + bound / (1 + T[child, VISITS])
            else:
                bound += V[node, seat]
            if bound > best:
                best, choice = bound, action
    return choice


@kernel
def expand(S, T, children, V, root, node, action, by_margin, points, r):  # type: ignore[no-untyped-def]
    """Add the node that `action` leads to and return it."""
    child = root + T[root, USED]
    children[node, action] = child
    T[node, UNTRIED] &= ~(1 << action)
    copy_row(S, node, child)
    play(S, child, action, r)
    add_node(S, T, children, V, root, child, node, by_margin, points, r)
    return child


@kernel
def back_up(S, T, children, V, root, leaf, values, at, r):  # type: ignore[no-untyped-def]
    """Take what a simulation found, row `at` of `values: float64[_, P]`, from its last node up to the root.

    Where a node on the way is proven its exact rewards go on instead; the row is overwritten then.
    """
    node = leaf
    while True:
        T[node, VISITS] += 1
        for seat in range(r[PLAYERS]):
            if T[node, PROVEN]:
                values[at, seat] = V[node, seat]
            else:
                V[node, seat] += (values[at, seat] - V[node, seat]) / T[node, VISITS]
        if node == root:
            return
        parent = T[node, PARENT]
        if T[node, PROVEN]:
            prove(S, T, children, V, parent, node, r)
        node = parent


@kernel
def prove(S, T, children, V, node, child, r):  # type: ignore[no-untyped-def]
    """Mark a node as proven if its proven `child` is as good as can be, or else if all its children are proven.

    Its rewards are those of the child that is best for the seat to move, the first of several.
    """
    seat = mover_of(S, node, r)
    best = child
    if V[child, seat] < BEST:
        if T[node, UNTRIED]:
            return
        best = -1
        for action in range(children.shape[1]):
            other = children[node, action]
            if other:
                if not T[other, PROVEN]:
                    return
                if best < 0 or V[other, seat] > V[best, seat]:
                    best = other
    T[node, PROVEN] = 1
    for i in range(r[PLAYERS]):
        V[node, i] = V[best, i]


@kernel
def best_action(S, T, children, V, root, r):  # type: ignore[no-untyped-def]
    """Return the action to play at the root, -1 if none has been tried.

    If the root is proven it is one of those that reach its rewards. Else a proven loss comes last. Of those left it is
    the one most visited, then the one of the highest value, then the lowest.
    """
    seat = mover_of(S, root, r)
    best, most = -1, -1
    for action in range(children.shape[1]):
        child = children[root, action]
        if child == 0:
            continue
        visits = T[child, VISITS]
        if T[root, PROVEN]:
            if not T[child, PROVEN] or V[child, seat] < V[root, seat]:
                continue
        elif T[child, PROVEN] and V[child, seat] <= WORST:
            visits = 0
        if visits > most or (visits == most and V[child, seat] > V[children[root, best], seat]):
            best, most = action, visits
    return best
