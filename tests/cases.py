"""The referee games and hand-worked edge cases of tests/data as Python objects, and positions written by hand."""

from __future__ import annotations

import dataclasses
import gzip
import json
import re
from collections.abc import Iterator
from typing import Any

from mancala_rl import VARIANTS, Position
from tests import reference
from tests.reference import DATA

# Names the case files use, and what an option of the rule text is called.
RENAMED = {"allow_capture": "capture"}
# Options of the case files under the oracle's names; `single_stone` never varies.
ORACLE_NAMES = {"early_end": "stop_when_decided", "sweep_on_majority": "sweep_when_decided"}


def read_lines(name: str) -> list[dict[str, Any]]:
    """Every line of a JSON-lines file of tests/data; a name that ends in .gz is unpacked."""
    data = (DATA / name).read_bytes()
    text = (gzip.decompress(data) if name.endswith(".gz") else data).decode("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def edge_cases(variant: str) -> list[dict[str, Any]]:
    return [case for case in read_lines("edge_cases.jsonl") if case["variant"] == variant]


GAMES = {
    "kalah": read_lines("games_kalah.jsonl"),
    "mangala": read_lines("games_mangala.jsonl"),
    "japanese": read_lines("games_japanese.jsonl.gz"),
    "oware": read_lines("games_oware.jsonl"),
}
EDGES = [case for variant in GAMES for case in edge_cases(variant)]


def options_of(case: dict[str, Any]) -> dict[str, Any]:
    """The options of a case under the rule text's names, with the default ones left out where they are constant."""
    return {RENAMED.get(key, key): value for key, value in case["options"].items()}


def tuples(rows: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(row) for row in rows)


def moves_of(case: dict[str, Any]) -> Iterator[int]:
    """The move or moves of an edge case, -1 = give up."""
    yield from case["moves"] if case["moves"] is not None else [case["move"]]


def settings_of(case: dict[str, Any], board: dict[str, Any]) -> reference.Settings:
    """The oracle's settings of a referee game or an edge case, whose first board is `board`."""
    fields = {ORACLE_NAMES.get(key, key): value for key, value in options_of(case).items() if key != "single_stone"}
    fields["max_plies"] = fields.get("max_plies") or 0
    fields["resign"] = any(step["move"] == "resign" for step in case.get("steps", ()))
    sizes = {"players": len(board["pits"]), "pits": len(board["pits"][0])}
    known = {**case.get("settings", {}), **board}
    sizes.update({key: known[key] for key in ("stones", "first", "play_out") if key in known})
    return reference.PRESETS[case["variant"]]._replace(**fields, **sizes)


def closed_of(board: dict[str, Any]) -> tuple[tuple[int, int], ...]:
    rows = board.get("closed") or []
    return tuple((p, i) for p, row in enumerate(rows) for i, is_closed in enumerate(row) if is_closed)


def state_of(case: dict[str, Any], board: dict[str, Any]) -> reference.State:
    """The oracle's position; the stones a pit of a hand-worked board follow from its total."""
    settings = settings_of(case, board)
    places, lifted = tuple(board.get("places") or ()), board.get("lifted") or 0
    pits, stores = tuples(board["pits"]), tuple(board["stores"])
    state = reference.State(
        settings, pits, stores, board["turn"], closed=closed_of(board), places=places, lifted=lifted
    )
    stones, rest = divmod(reference.total(state), settings.players * settings.pits)
    assert rest == 0, f"no uniform start has the {reference.total(state)} stones of {case}"
    return state._replace(settings=settings._replace(stones=stones))


def action_of(state: reference.State, move: int | str) -> int:
    """A move of the case files: giving up is written `resign` or -1."""
    return state.settings.pits if move in ("resign", -1) else int(move)


def at(name: str, text: str, **fields: Any) -> Position:
    """A position of a registered variant with some fields changed; its size follows from the board."""
    rows = text.split()[0].split("/")
    pits, cells = rows[0].count(",") + 1, sum(map(int, re.findall(r"\d+", text.split()[0])))
    fields = {"players": len(rows), "pits": pits, "stones": cells // (len(rows) * pits), **fields}
    return Position.parse(text, dataclasses.replace(VARIANTS[name], **fields))
