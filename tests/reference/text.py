"""Text: the notation of positions, and the two kinds of data file, perft counts and golden games."""

from __future__ import annotations

import random
from pathlib import Path

from tests.reference.ending import ranking
from tests.reference.moves import divide, legal, perft, play
from tests.reference.state import Settings, State, settings_of, start

DATA = Path(__file__).parent.parent / "data"


def notate(state: State) -> str:
    """`pits+store/pits+store turn`, rows in seat order, x = closed pit, - = nobody to move; a lifted side is all x."""
    rows = []
    for p in range(state.settings.players):
        if is_lifted(state, p):
            rows.append(",".join("x" * state.settings.pits) + "+x")
            continue
        pits = ["x" if (p, i) in state.closed else str(n) for i, n in enumerate(state.pits[p])]
        rows.append(",".join(pits) + f"+{state.stores[p]}")
    return "/".join(rows) + f" {'-' if state.turn is None else state.turn}"


def is_lifted(state: State, seat: int) -> bool:
    """J8, J10: the side left the board. A side that is out but stands (J7, J9, the last one left) did not."""
    gone = bool(state.places) and state.places[seat] is not None
    return gone and state.lifted > 0 and not any(state.pits[seat]) and state.stores[seat] == 0


def from_text(text: str, settings: Settings, places: tuple[int | None, ...] = ()) -> State:
    """The position of a `notate` line in which somebody is to move; `places` of the seats whose side is lifted."""
    board, turn = text.split()
    rows = [row.split("+") for row in board.split("/")]
    pits = tuple(tuple(0 if n == "x" else int(n) for n in row[0].split(",")) for row in rows)
    stores = tuple(0 if row[1] == "x" else int(row[1]) for row in rows)
    standing = [p for p, row in enumerate(rows) if row[1] != "x"]
    closed = tuple((p, i) for p in standing for i, n in enumerate(rows[p][0].split(",")) if n == "x")
    lifted = 0
    if len(standing) < len(rows):
        lifted = settings.players * settings.pits * settings.stones - sum(map(sum, pits)) - sum(stores)
    return State(settings, pits, stores, int(turn), closed=closed, places=places, lifted=lifted)


PERFT_HEADER = """\
# Number of move sequences of exactly `depth` plies. A ply is one move, extra turns included; a game that
# is over sooner contributes nothing. `divide D` lists, for depth D, the count behind every first move.
# Counted by tests/reference; made by: python -m tests.reference {command}
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
    lines = ["# A complete game, random legal moves, played by tests/reference."]
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
    lines += [f"scores {' '.join(map(str, state.scores))}", f"ranking {' '.join(map(str, ranking(state)))}"]
    return "\n".join(lines) + "\n"


GOLDEN = {  # file name -> spec, seed of a short game that shows what the variant is about
    "kalah": ("kalah:pits=6,stones=4", 11),
    "japanese": ("japanese", 59),
    "japanese-3-players": ("japanese:players=3", 38),
    "japanese-4-players-giving-up": ("japanese:players=4,resign=true", 5),
    "mangala": ("mangala", 52),
    "mangala_official": ("mangala_official", 43),
    "oware": ("oware", 53),
    "avalanche": ("avalanche", 16),
    "congkak": ("congkak", 9),
    "ayoayo": ("ayoayo", 50),
    "bohnenspiel": ("bohnenspiel", 39),
    "toguz_korgool": ("toguz_korgool", 17),
}
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
    "japanese-6-4": ("japanese", 6, 4, None),
    "japanese-3-2": ("japanese:pits=3,stones=2", 12, 6, None),
    "japanese-3-players": ("japanese:players=3,pits=2,stones=2", 15, 6, None),  # to the end of every game
    "japanese-3-players-first-finisher": ("japanese:players=3,pits=2,stones=2,play_out=false", 12, 6, None),
    "japanese-4-players-giving-up": ("japanese:players=4,pits=2,stones=1,resign=true", 9, 5, None),
    "mangala-6-4": ("mangala", 6, 4, None),
    "mangala-3-3": ("mangala:pits=3,stones=3", 9, 6, None),
    "mangala-closed": ("mangala", 5, 4, "4,4,4,4,4,4+5/x,x,4,4,4,4+3 0"),
    "mangala_official-6-4": ("mangala_official", 6, 4, None),
    "mangala_official-3-3": ("mangala_official:pits=3,stones=3", 10, 6, None),
    "oware-6-4": ("oware", 6, 4, None),
    "oware-3-2": ("oware:pits=3,stones=2", 11, 6, None),
    "oware-2-2-repetition-3": ("oware:pits=2,stones=2,repetition=3", 17, 6, None),
    "oware-3-2-no-feeding": ("oware:pits=3,stones=2,feed=false", 10, 6, None),
    "oware-3-2-slam-illegal": ("oware:pits=3,stones=2,grand_slam=illegal", 10, 6, None),
    "oware-3-2-slam-allow": ("oware:pits=3,stones=2,grand_slam=allow", 10, 6, None),
    "oware-3-2-slam-rest-to-opponent": ("oware:pits=3,stones=2,grand_slam=rest_to_opponent", 10, 6, None),
    "oware-3-2-slam-leave-last": ("oware:pits=3,stones=2,grand_slam=leave_last", 10, 6, None),
    "oware-3-2-slam-leave-first": ("oware:pits=3,stones=2,grand_slam=leave_first", 10, 6, None),
    "avalanche-6-4": ("avalanche", 6, 4, None),
    "avalanche-3-2": ("avalanche:pits=3,stones=2", 13, 6, None),
    "congkak-7-7": ("congkak", 5, 3, None),
    "congkak-3-3": ("congkak:pits=3,stones=3", 19, 6, None),  # to the end of every game
    "ayoayo-6-4": ("ayoayo", 6, 4, None),
    "ayoayo-3-2": ("ayoayo:pits=3,stones=2", 11, 6, None),
    "bohnenspiel-6-6": ("bohnenspiel", 5, 4, None),
    "bohnenspiel-3-2": ("bohnenspiel:pits=3,stones=2", 11, 6, None),
    "toguz_korgool-9-9": ("toguz_korgool", 5, 3, None),
    "toguz_korgool-4-3": ("toguz_korgool:pits=4,stones=3", 8, 5, None),
}


def write_all() -> None:
    for name, (spec, depth, divided, position) in PERFT.items():
        (DATA / "perft" / f"{name}.txt").write_text(perft_file(spec, depth, divided, position), encoding="utf-8")
    for name, (spec, seed) in GOLDEN.items():
        (DATA / "golden" / f"{name}.txt").write_text(golden_file(spec, seed), encoding="utf-8")
