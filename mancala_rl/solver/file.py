"""The file of an endgame database: a header of fixed length, then one byte a position.

The header is a line of text, a JSON object and spaces up to `HEADER` bytes. It says for which rules and how many stones
the values are, and holds the SHA-256 of every finished layer and of itself. A file under construction has the same form
with fewer layers, so what was finished before an interruption can be told from what was not.
"""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.errors import DatabaseError
from mancala_rl.rules import Rules
from mancala_rl.solver.ranking import positions_up_to
from mancala_rl.solver.scope import database_step, future_hash

FORMAT = 1
HEADER = 8192
MOST_STONES = 80  # their checksums fit into the header
_FIRST_LINE = b"mancala-rl endgame database\n"


@dataclass(frozen=True)
class Header:
    """What the first bytes of a database say.

    Attributes:
        rules: spec string of the rules it was built for.
        future: a hash equal for all rules that it is good for; see `mancala_rl.solver.scope.future_hash`.
        pits, stones: pits of a row, and the most stones in all pits.
        step: least distance of two values.
        layers: SHA-256 of the finished layers, for 0, 1, ... stones.
    """

    rules: str
    future: str
    pits: int
    stones: int
    step: int
    layers: tuple[str, ...] = field(default=())

    @classmethod
    def of(cls, rules: Rules, stones: int) -> "Header":
        """Return the header of a database with no layer finished."""
        return cls(str(rules), future_hash(rules), rules.pits, stones, database_step(rules))

    @property
    def positions(self) -> int:
        """The number of positions of a finished database, and its bytes after the header."""
        return positions_up_to(self.pits, self.stones)

    @property
    def is_finished(self) -> bool:
        """Whether every layer is there."""
        return len(self.layers) == self.stones + 1

    def layer(self, stones: int) -> slice:
        """Return the positions of a layer."""
        first = positions_up_to(self.pits, stones - 1) if stones else 0
        return slice(first, positions_up_to(self.pits, stones))

    def to_bytes(self) -> bytes:
        """Return the header as it is written."""
        facts = {name: getattr(self, name) for name in ("rules", "future", "pits", "stones", "step", "layers")}
        facts = {"format": FORMAT, **facts}
        text = json.dumps({**facts, "sha256": hashlib.sha256(json.dumps(facts).encode()).hexdigest()})
        return (_FIRST_LINE + text.encode() + b"\n").ljust(HEADER, b" ")


def read_header(path: Path) -> Header:
    """Return the header of a file.

    Raises:
        DatabaseError: no such file, no database, another version of the format, or a damaged header.
        OSError: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            data = file.read(HEADER)
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
        raise DatabaseError(f"{path}: expected an endgame database: {error.strerror}") from None
    if not data.startswith(_FIRST_LINE):
        raise DatabaseError(f"{path}: expected an endgame database; make one with mancala-rl database build")
    facts = _parse(data)
    version = facts.get("format")
    if isinstance(version, int) and version > FORMAT:
        raise DatabaseError(f"{path}: format {version}, this version of mancala-rl reads {FORMAT}; build it again")
    header = _header(facts)
    if header is None or header.to_bytes() != data:
        raise DatabaseError(f"{path}: damaged: the header is not as it was written; build it again")
    return header


def _parse(data: bytes) -> dict[str, Any]:
    try:
        facts = json.loads(data[len(_FIRST_LINE) :])
    except ValueError:
        return {}
    return facts if isinstance(facts, dict) else {}


def _header(facts: dict[str, Any]) -> Header | None:
    try:
        header = Header(
            layers=tuple(facts["layers"]), **{n: facts[n] for n in ("rules", "future", "pits", "stones", "step")}
        )
        return header if header.pits > 0 and header.stones >= 0 else None
    except (KeyError, TypeError):
        return None


def checksum(values: NDArray[np.uint8]) -> str:
    """Return the SHA-256 of an array of bytes."""
    return hashlib.sha256(values.data).hexdigest()


def check_size(path: Path, header: Header) -> None:
    """Raise a DatabaseError if a finished database has another length than its header says."""
    expected, size = HEADER + header.positions, path.stat().st_size
    if size != expected:
        what = "truncated" if size < expected else "too long"
        raise DatabaseError(f"{path}: {what}: expected {expected:,} bytes, got {size:,}; build it again")


def check_layers(path: Path, header: Header, values: NDArray[np.uint8]) -> None:
    """Raise a DatabaseError if a layer is not as it was written."""
    for stones, expected in enumerate(header.layers):
        if checksum(values[header.layer(stones)]) != expected:
            raise DatabaseError(f"{path}: damaged: the layer of {stones} stones has another checksum; build it again")
