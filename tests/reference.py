"""The oracle: mancala rules in plain Python, slow and obvious, written from the rule text alone.

It shares nothing with the package under test, so the two can only agree by both being right. One immutable `State`, a
few plain functions (`start`, `legal`, `play`, `perft`), lists and loops. The names K1..K12 and M1..M15 are the
paragraphs of the rule text.

As a script it makes the data files that the tests read:

    python -m tests.reference perft kalah:pits=6,stones=4 8 --divide 5     # one perft file, on standard output
    python -m tests.reference golden kalah 11                              # one golden game, on standard output
    python -m tests.reference all                                          # rewrites tests/data/{perft,golden}
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parent / "data"
Row = tuple[int, ...]
Rows = tuple[Row, ...]


class Settings(NamedTuple):
    """A two-row game: the size of the board and every option of the rule text, Kalah's defaults."""

    variant: str = "kalah"
    pits: int = 6
    stones: int = 4
    first: int = 0
    extra_turn: bool = True
    capture: bool = True
    empty_capture: bool = False
    leftovers: str = "owner"
    end_check: str = "immediate"
    stop_when_decided: bool = False
    pie: bool = False
    even_capture: bool = False  # Mangala only


class State(NamedTuple):
    """A position, and what the last move did. `turn` is None when the game is over."""

    settings: Settings
    pits: Rows
    stores: Row
    turn: int | None
    swapper: int | None = None  # the seat that still has its first action before it, and with it the right to swap
    closed: tuple[tuple[int, int], ...] = ()  # Mangala: (player, pit) pairs that are out of use
    captured: int = 0
    extra: bool = False

    @property
    def over(self) -> bool:
        return self.turn is None

    @property
    def scores(self) -> Row:
        return self.stores


PRESETS = {
    "kalah": Settings(),
    "mangala": Settings(variant="mangala"),
    "mangala_official": Settings(variant="mangala", even_capture=True, leftovers="emptier"),
}


def settings_of(spec: str) -> Settings:
    """`NAME[:key=value,...]` as settings, every value converted to the type of the field's default."""
    name, _, options = spec.partition(":")
    settings = PRESETS[name]
    for option in filter(None, options.split(",")):
        key, _, text = option.partition("=")
        old = getattr(settings, key)
        value = text == "true" if isinstance(old, bool) else type(old)(text)
        settings = settings._replace(**{key: value})
    return settings


def start(settings: Settings) -> State:
    """K1, M1: n stones in every pit, the stores empty, the first player to move."""
    row = (settings.stones,) * settings.pits
    swapper = 1 - settings.first if settings.pie else None
    return State(settings, (row, row), (0, 0), settings.first, swapper)


def total(state: State) -> int:
    return sum(sum(row) for row in state.pits) + sum(state.stores)


def legal(state: State) -> list[int]:
    """K2, M2: the mover's non-empty pits; then the swap, when it is offered."""
    if state.turn is None:
        return []
    moves = [i for i, stones in enumerate(state.pits[state.turn]) if stones > 0]
    if state.swapper == state.turn:
        moves.append(state.settings.pits)
    return moves


def play(state: State, move: int) -> State:
    """The position after a legal move; ValueError for any other."""
    if state.turn is None or move not in legal(state):
        raise ValueError(f"move {move} is not one of {legal(state)}")
    if move == state.settings.pits:
        return swap(state)
    return sow(state, move)


def swap(state: State) -> State:
    """Pie: sides and stores change hands and the other player, who had the first move, moves again."""
    assert state.turn is not None
    return state._replace(
        pits=state.pits[::-1], stores=state.stores[::-1], turn=1 - state.turn, swapper=None, captured=0, extra=False
    )


def sowing_cells(state: State, move: int) -> list[tuple[int, int]]:
    """The cells that get the stones of the move, one each, in order. Cell m of a player is the store."""
    me, m = state.turn, state.settings.pits
    assert me is not None
    ring = [(me, i) for i in range(m + 1)] + [(1 - me, i) for i in range(m)]  # K3: 2m+1 cells, no opposing store
    ring = [cell for cell in ring if cell not in state.closed]  # M15
    stones = state.pits[me][move]
    at = ring.index((me, move)) + 1
    if state.settings.variant == "mangala" and stones >= 2:
        at -= 1  # M3: the first stone goes back into the origin. M4: a single stone does not
    return [ring[(at + k) % len(ring)] for k in range(stones)]  # K4, M5: the origin is an ordinary pit on later laps


def sow(state: State, move: int) -> State:
    """Sow, capture, then ask whether the game is over and who moves."""
    me, m = state.turn, state.settings.pits
    assert me is not None
    board = [[*row, store] for row, store in zip(state.pits, state.stores, strict=True)]
    cells = sowing_cells(state, move)
    board[me][move] = 0
    for player, i in cells:
        board[player][i] += 1
    captured = capture(board, me, cells[-1], state.settings)
    extra = cells[-1] == (me, m) and state.settings.extra_turn  # K5, M6; K7: a capture ends in a pit
    pits = tuple(tuple(row[:m]) for row in board)
    stores = tuple(row[m] for row in board)
    swapper = None if state.swapper == me else state.swapper
    after = state._replace(pits=pits, stores=stores, captured=captured, extra=extra, swapper=swapper)
    return end(after._replace(turn=me if extra else 1 - me))


def capture(board: list[list[int]], me: int, last: tuple[int, int], settings: Settings) -> int:
    """Move what the last stone captures into the mover's store; how many stones that were."""
    m = settings.pits
    player, i = last
    opposite = board[1 - player][m - 1 - i] if i < m else 0
    taken: list[tuple[int, int]] = []
    if i < m and player == me and board[me][i] == 1 and settings.capture:
        if opposite > 0:
            taken = [(me, i), (1 - me, m - 1 - i)]  # K6, M7
        elif settings.empty_capture:
            taken = [(me, i)]
    if i < m and player != me and board[player][i] % 2 == 0 and settings.even_capture:
        taken = [(player, i)]  # M8
    captured = sum(board[p][k] for p, k in taken)
    for p, k in taken:
        board[p][k] = 0
    board[me][m] += captured
    return captured


def end(state: State) -> State:
    """End the game if it is to end (K8, M9, options `end_check` and `stop_when_decided`)."""
    empty = [p for p in (0, 1) if not any(state.pits[p])]
    if state.settings.end_check == "on_turn":
        empty = [p for p in empty if p == state.turn]
    if empty:
        return share_out(state, empty[0])._replace(turn=None, extra=False)
    if state.settings.stop_when_decided and 2 * max(state.stores) > total(state):
        return state._replace(turn=None, extra=False)  # the pits stay as they are
    return state


def share_out(state: State, emptier: int) -> State:
    """The stones that are left when the row of `emptier` is empty (K9, M10, option `leftovers`)."""
    if state.settings.leftovers == "unscored":
        return state
    heir = emptier if state.settings.leftovers == "emptier" else 1 - emptier
    stores = list(state.stores)
    stores[heir] += sum(state.pits[1 - emptier])
    nothing = (0,) * state.settings.pits
    return state._replace(pits=(nothing, nothing), stores=tuple(stores))


def ranking(state: State) -> Row:
    """K10: places by larger store, equal stores share the first place."""
    a, b = state.stores
    return (1 if a >= b else 2, 1 if b >= a else 2)


def perft(state: State, depth: int) -> int:
    """Number of move sequences of exactly `depth` plies; a game that is over sooner counts for nothing."""
    if depth == 0:
        return 1
    moves = legal(state)
    if depth == 1:
        return len(moves)
    return sum(perft(play(state, move), depth - 1) for move in moves)


def divide(state: State, depth: int) -> dict[int, int]:
    """perft(depth) split by the first move."""
    return {move: perft(play(state, move), depth - 1) for move in legal(state)}


# Text: the notation of positions, and the two kinds of data file.


def notate(state: State) -> str:
    """`pits+store/pits+store turn`, rows in seat order, x = closed pit, - = nobody to move."""
    rows = []
    for p in (0, 1):
        pits = ["x" if (p, i) in state.closed else str(n) for i, n in enumerate(state.pits[p])]
        rows.append(",".join(pits) + f"+{state.stores[p]}")
    return "/".join(rows) + f" {'-' if state.turn is None else state.turn}"


def from_text(text: str, settings: Settings) -> State:
    """The position of a `notate` line in which somebody is to move."""
    board, turn = text.split()
    rows = [row.split("+") for row in board.split("/")]
    pits = tuple(tuple(0 if n == "x" else int(n) for n in row[0].split(",")) for row in rows)
    closed = tuple((p, i) for p, row in enumerate(rows) for i, n in enumerate(row[0].split(",")) if n == "x")
    return State(settings, pits, tuple(int(row[1]) for row in rows), int(turn), closed=closed)


PERFT_HEADER = """\
# Number of move sequences of exactly `depth` plies. A ply is one move, extra turns included; a game that
# is over sooner contributes nothing. `divide D` lists, for depth D, the count behind every first move.
# Counted by tests/reference.py; made by: python -m tests.reference {command}
"""


def perft_command(spec: str, depth: int, divided: int, position: str | None = None) -> str:
    return f"perft {spec} {depth} --divide {divided}" + (f' --position "{position}"' if position else "")


def perft_file(spec: str, depth: int, divided: int, position: str | None = None) -> str:
    """A perft file: header, spec, position if it is not the start, `depth count` lines, then the divide."""
    command = perft_command(spec, depth, divided, position)
    settings = settings_of(spec)
    state = from_text(position, settings) if position else start(settings)
    lines = [f"spec {spec}"] + ([f"position {position}"] if position else [])
    lines += [f"{d} {perft(state, d)}" for d in range(1, depth + 1)]
    lines += [f"divide {divided}"] + [f"{move}: {count}" for move, count in divide(state, divided).items()]
    return PERFT_HEADER.format(command=command) + "\n".join(lines) + "\n"


def golden_file(spec: str, seed: int) -> str:
    """A random complete game, one `ply` line a move: who, which pit, the position after it, and what happened."""
    rng = random.Random(seed)
    state = start(settings_of(spec))
    lines = ["# A complete game, random legal moves, played by tests/reference.py."]
    lines += [f"# made by: python -m tests.reference golden {spec} {seed}"]
    lines += [
        "# ply N: seat MOVE -> position after it (pits+store of seat 0 / of seat 1, then the seat to move, - = over)"
    ]
    lines += [f"spec {spec}", f"start {notate(state)}"]
    ply = 0
    while not state.over:
        mover, move = state.turn, rng.choice(legal(state))
        state, ply = play(state, move), ply + 1
        remarks = ([f"captured {state.captured}"] if state.captured else []) + (["extra turn"] if state.extra else [])
        lines.append(f"ply {ply}: {mover} {move} -> {notate(state)}" + "".join(f"; {r}" for r in remarks))
    lines += [f"scores {state.scores[0]} {state.scores[1]}", f"ranking {' '.join(map(str, ranking(state)))}"]
    return "\n".join(lines) + "\n"


GOLDEN = {"kalah": ("kalah:pits=6,stones=4", 11)}
PERFT = {  # file name -> spec, depth, divided depth, position
    "kalah-6-4": ("kalah:pits=6,stones=4", 8, 5, None),
    "kalah-6-6": ("kalah:pits=6,stones=6", 7, 5, None),
    "kalah-4-3": ("kalah:pits=4,stones=3", 10, 6, None),
    "kalah-3-2": ("kalah:pits=3,stones=2", 16, 6, None),
    "kalah-2-3": ("kalah:pits=2,stones=3", 15, 6, None),  # to the end of every game: the last count is 0
    "kalah-1-5": ("kalah:pits=1,stones=5", 4, 2, None),
    "kalah-8-1": ("kalah:pits=8,stones=1", 7, 5, None),
    "kalah-3-3-empty-capture": ("kalah:pits=3,stones=3,empty_capture=true", 11, 6, None),
    "kalah-3-3-emptier": ("kalah:pits=3,stones=3,leftovers=emptier", 11, 6, None),
    "kalah-3-3-unscored-decided": ("kalah:pits=3,stones=3,leftovers=unscored,stop_when_decided=true", 11, 6, None),
    "kalah-3-3-on-turn": ("kalah:pits=3,stones=3,end_check=on_turn", 11, 6, None),
    "kalah-4-4-pie": ("kalah:pits=4,stones=4,pie=true", 8, 5, None),
    "kalah-4-4-no-extra-turn": ("kalah:pits=4,stones=4,extra_turn=false", 9, 5, None),
    "kalah-4-4-no-capture": ("kalah:pits=4,stones=4,capture=false", 8, 5, None),
    "kalah-laps": ("kalah:pits=6,stones=4", 7, 4, "13,0,1,0,14,0+0/0,0,0,2,0,18+0 0"),
}


def write_all() -> None:
    for name, (spec, depth, divided, position) in PERFT.items():
        (DATA / "perft" / f"{name}.txt").write_text(perft_file(spec, depth, divided, position), encoding="utf-8")
    for name, (spec, seed) in GOLDEN.items():
        (DATA / "golden" / f"{name}.txt").write_text(golden_file(spec, seed), encoding="utf-8")


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.reference", description="Make the data files of the tests.")
    commands = parser.add_subparsers(dest="command", required=True)
    counts = commands.add_parser("perft")
    counts.add_argument("spec")
    counts.add_argument("depth", type=int)
    counts.add_argument("--divide", type=int, default=1)
    counts.add_argument("--position")
    golden = commands.add_parser("golden")
    golden.add_argument("spec")
    golden.add_argument("seed", type=int)
    commands.add_parser("all")
    chosen = parser.parse_args(arguments)
    if chosen.command == "perft":
        print(perft_file(chosen.spec, chosen.depth, chosen.divide, chosen.position), end="")
    elif chosen.command == "golden":
        print(golden_file(chosen.spec, chosen.seed), end="")
    else:
        write_all()


if __name__ == "__main__":
    main(sys.argv[1:])
