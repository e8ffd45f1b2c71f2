"""The referee games and hand-worked edge cases of tests/data, as Python objects."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any

from tests.reference import DATA

# Names the case files use, and what an option of the rule text is called.
RENAMED = {"allow_capture": "capture"}


def read_lines(name: str) -> list[dict[str, Any]]:
    """Every line of a JSON-lines file of tests/data; a name that ends in .gz is unpacked."""
    data = (DATA / name).read_bytes()
    text = (gzip.decompress(data) if name.endswith(".gz") else data).decode("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def edge_cases(variant: str) -> list[dict[str, Any]]:
    return [case for case in read_lines("edge_cases.jsonl") if case["variant"] == variant]


def options_of(case: dict[str, Any]) -> dict[str, Any]:
    """The options of a case under the rule text's names, with the default ones left out where they are constant."""
    return {RENAMED.get(key, key): value for key, value in case["options"].items()}


def tuples(rows: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(row) for row in rows)


def moves_of(case: dict[str, Any]) -> Iterator[int]:
    """The move or moves of an edge case, -1 = give up."""
    yield from case["moves"] if case["moves"] is not None else [case["move"]]
