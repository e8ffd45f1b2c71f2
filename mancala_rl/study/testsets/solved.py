"""`SolvedSet`: positions of one variant with the exact value of every move, and the file that holds them.

The file is JSON, one value a line, compressed with gzip. The first line is an object that tells where the set comes
from; each line after it is a list of a position's notation and of the value of every action, null where it is illegal:

    ["0,0,3,0,2,1+21/1,0,4,0,0,2+14 1", [-9, null, -7, null, null, -13]]

A value is the margin in stones at the end, of the player to move, when that action is played and both play perfectly
from there on.
"""

import functools
import gzip
import io
import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.errors import BadInputError, MancalaError
from mancala_rl.rules import Batch, Position, Rules, variant

FORMAT = "mancala-rl solved positions 1"
PHASES = ("opening", "middle", "endgame")
ILLEGAL = -1  # the regret of an action that is not legal
_DAMAGED = (EOFError, zlib.error, gzip.BadGzipFile, UnicodeDecodeError, json.JSONDecodeError)


@dataclass(frozen=True)
class SolvedSet:
    """Positions with the exact value of every move.

    Attributes:
        rules: the variant.
        seed: what the positions were drawn with.
        command: what makes the same set again.
        positions: N of them, all with a player to move.
        values: for each, the value of every action for the player to move, None where it is illegal.
    """

    rules: Rules
    seed: int
    command: str
    positions: tuple[Position, ...]
    values: tuple[tuple[int | None, ...], ...]

    def __len__(self) -> int:
        return len(self.positions)

    @functools.cached_property
    def batch(self) -> Batch:
        """The positions side by side."""
        return Batch.of(self.positions)

    @functools.cached_property
    def regrets(self) -> NDArray[np.int64]:
        """What each action loses beside a best one, in stones, int64[N, num_actions]; ILLEGAL where it is illegal."""
        legal = self.batch.legal()
        values = np.array([[0 if value is None else value for value in row] for row in self.values], np.int64)
        best = np.where(legal, values, np.iinfo(np.int64).min).max(axis=1, keepdims=True)
        return np.where(legal, best - values, ILLEGAL)

    @functools.cached_property
    def stones(self) -> NDArray[np.int64]:
        """The stones in the pits of both rows, int64[N]."""
        return np.array([sum(map(sum, position.pits)) for position in self.positions], np.int64)

    @functools.cached_property
    def phases(self) -> NDArray[np.int64]:
        """The phase of each position, int64[N], as an index of PHASES.

        In the opening more than two thirds of all stones of the game are in the pits, in the endgame at most one third.
        """
        return 2 - (3 * self.stones > self.rules.total).astype(np.int64) - (3 * self.stones > 2 * self.rules.total)

    def by_chance(self) -> tuple[float, float]:
        """Return the share of best moves and the mean regret of a player to whom all legal moves are equal."""
        legal = self.regrets != ILLEGAL
        count = legal.sum(axis=1)
        optimal = (self.regrets == 0).sum(axis=1) / count
        return float(optimal.mean()), float((self.regrets.clip(0).sum(axis=1) / count).mean())

    def best_counts(self) -> dict[int, int]:
        """Return how many positions there are with one best move, with two, and so on."""
        counts = np.bincount((self.regrets == 0).sum(axis=1)).tolist()
        return {best: count for best, count in enumerate(counts) if count}

    def header(self) -> dict[str, Any]:
        """Return what stands in the first line of the file."""
        counts = np.bincount(self.phases, minlength=len(PHASES)).tolist()
        return {
            "format": FORMAT,
            "rules": str(self.rules),
            "hash": self.rules.play_hash,
            "seed": self.seed,
            "positions": len(self),
            **dict(zip(PHASES, counts, strict=True)),
            "command": self.command,
        }


def write_set(solved: SolvedSet, path: Path) -> None:
    """Write a set to its file; equal sets give equal bytes. A file that is there is replaced.

    Raises:
        OSError: the file cannot be written.
    """
    entries = zip(map(str, solved.positions), solved.values, strict=True)
    lines = [json.dumps(line) for line in (solved.header(), *entries)]
    packed = io.BytesIO()
    with gzip.GzipFile("", "wb", fileobj=packed, mtime=0) as file:
        file.write(("\n".join(lines) + "\n").encode("ascii"))
    path.write_bytes(packed.getvalue())


def read_header(path: Path) -> dict[str, Any]:
    """Return the first line of a set's file.

    Raises:
        BadInputError: not the file of a set.
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        try:
            with gzip.GzipFile(fileobj=file) as unpacked:
                header = json.loads(unpacked.readline().decode("ascii"))
        except _DAMAGED as error:
            raise _refusal(path) from error
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise _refusal(path)
    return header


def read_set(path: Path | str) -> SolvedSet:
    """Return the set in a file.

    Raises:
        BadInputError: no set, one that is truncated or damaged, or for rules that have changed since.
        OSError: the file cannot be read.
    """
    path = Path(path)
    header = read_header(path)
    try:
        lines = gzip.decompress(path.read_bytes()).decode("ascii").splitlines()[1:]
        rules = variant(header["rules"])
        entries = [_entry(line, rules) for line in lines]
        positions, values = zip(*entries, strict=True)
        solved = SolvedSet(rules, int(header["seed"]), str(header["command"]), positions, values)
    except (*_DAMAGED, KeyError, TypeError, ValueError) as error:
        reason = f" ({error})" if isinstance(error, MancalaError) else ""
        raise BadInputError(f"{path}: damaged{reason}; make it again with mancala-rl testset build") from error
    if solved.header() != header:
        raise BadInputError(f"{path}: its first line does not fit what follows; make it again: {solved.command}")
    return solved


def _entry(line: str, rules: Rules) -> tuple[Position, tuple[int | None, ...]]:
    """Return the position and the values of a line.

    Raises:
        BadInputError: there is not one value for every legal move.
        ValueError, TypeError: something else is wrong with it.
    """
    text, values = json.loads(line)
    position = Position.parse(text, rules)
    valued = tuple(action for action, value in enumerate(values) if value is not None)
    whole = all(value is None or type(value) is int for value in values)
    if not valued or valued != position.legal_moves or len(values) != rules.num_actions or not whole:
        raise BadInputError(f"{position} has no value for each of its legal moves")
    return position, tuple(values)


def _refusal(path: Path) -> BadInputError:
    return BadInputError(f"{path}: not a solved test set; expected a file that mancala-rl testset build has made")
