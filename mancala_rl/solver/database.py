"""Endgame databases: the exact value of every position with few stones left in the pits."""

import functools
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mancala_rl.errors import BadInputError, DatabaseError, RunError
from mancala_rl.progress import Progress
from mancala_rl.rules import Position, Rules, variant
from mancala_rl.rules.numbers import check_whole, is_whole
from mancala_rl.solver.file import HEADER, MOST_STONES, Header, check_layers, check_size, checksum, read_header
from mancala_rl.solver.filling import bytes_needed, filled_layers
from mancala_rl.solver.lock import locked
from mancala_rl.solver.memory import free_memory, in_bytes
from mancala_rl.solver.packing import Packing
from mancala_rl.solver.ranking import number_of
from mancala_rl.solver.scope import database_fits, database_obstacle, future_hash

THREADS = 2  # that build a database, unless the caller says otherwise


class Database:
    """The exact values of all positions with at most `stones` stones in the pits.

    It is good for all rules under which a position with these pits is worth the same: the number of stones a pit at the
    start, the start itself and the pie rule make no difference. Nor do, where games need not end, rules that end them
    by repetition or majority: see `mancala_rl.solver.scope` for what a value means then. Make one with `build_database`
    or `open_database`.

    Attributes:
        rules: the rules it was built for.
        stones: the most stones that a position may have in its pits.
        values: uint8[positions]; see `mancala_rl.solver.layers` and `mancala_rl.solver.retrograde`.
        held: bytes of memory that it takes, 0 if it is mapped from a file.
    """

    def __init__(self, header: Header, values: NDArray[np.uint8], *, mapped: bool = False) -> None:
        self.header = header
        self.held = 0 if mapped else values.nbytes
        self.rules = variant(header.rules)
        self.stones = header.stones
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    @functools.cached_property
    def packing(self) -> Packing:
        """The arrays for its positions."""
        return Packing(self.rules, self.stones)

    def check_rules(self, rules: Rules) -> None:
        """Raise a DatabaseError if it is no good for these rules."""
        if future_hash(rules) != self.header.future:
            raise DatabaseError(
                f"the database holds values for {self.rules}, not for {rules}; build one for these rules"
            )

    def covers(self, position: Position) -> bool:
        """Return whether it holds the value of a position of its rules."""
        return not (position.is_over or position.closed) and sum(map(sum, position.pits)) <= self.stones

    def value(self, position: Position) -> int:
        """Return the final margin of the player to move over the other; nobody is taken to swap sides any more.

        Raises:
            BadInputError: a position of other rules, one that is over, has closed pits or too many stones in the pits.
        """
        self.check_rules(position.rules)
        if not self.covers(position):
            raise BadInputError(
                f"{position}: expected a position with a player to move, no closed pits, and at most {self.stones} "
                "stones in the pits; use solve() for others"
            )
        own, opp = self.packing.rows_of(position)
        number, stones = number_of(own, opp, self.packing.q, self.packing.w)
        rest = int(self.values[number]) * self.header.step - int(stones)
        if position.rules.goal == "empty":
            return rest + (position.rules.total if rest > 0 else -position.rules.total)
        return lead(position) + rest


def lead(position: Position) -> int:
    """Return by how many stones the store of the player to move is ahead."""
    seat = position.to_move or 0
    return position.stores[seat] - position.stores[1 - seat]


def open_database(path: Path | str, rules: Rules | str | None = None) -> Database:
    """Return a database from its file, which stays mapped into memory. All of it is checked first.

    Args:
        path: the file.
        rules: what it has to be good for, if that matters.

    Raises:
        DatabaseError: no database, one that is unfinished, truncated, damaged or for other rules.
        OSError: the file cannot be read.
    """
    path = Path(path)
    wanted = None if rules is None else variant(rules)
    header = read_header(path)
    if not header.is_finished:
        raise DatabaseError(f"{path}: unfinished; build it again and the build will go on from there")
    check_size(path, header)
    # Copy on write: kernels are compiled for arrays that can be written, and one version is enough.
    values = np.memmap(path, np.uint8, "c", HEADER).view(np.ndarray)
    check_layers(path, header, values)
    try:
        database = Database(header, values, mapped=True)
        database.check_rules(wanted or database.rules)
    except BadInputError as error:
        raise DatabaseError(f"{path}: {error}") from None
    return database


def build_database(
    rules: Rules | str,
    stones: int,
    path: Path | str | None = None,
    *,
    threads: int = THREADS,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> Database:
    """Build the database of all positions with at most `stones` stones in the pits.

    The result is the same, byte for byte, for any number of threads. With a path it becomes a file; meanwhile the
    layers that are finished stand in a file of the same name with `.part` behind it, and a build that was interrupted
    goes on from there. A second build of the same file meanwhile is refused.

    Args:
        rules: the variant.
        stones: at most so many in the pits of both rows.
        path: the file to write; None to keep the database in memory.
        threads: how many to use.
        overwrite: whether a file that is there is replaced.
        progress: called with the number of positions that are finished, now and then.

    Raises:
        BadInputError: rules or a number of stones that cannot be.
        DatabaseError: a file in the way, the unfinished file of another database, or one that is being built.
        RunError: too little memory or disk space, before anything is computed; the disk is full.
        OSError: the folder is not there, or cannot be written.
    """
    rules = variant(rules)
    check_build(rules, stones, threads)
    header = Header.of(rules, int(stones))
    tell = progress or (lambda _: None)
    if path is None:
        _check_memory(header)
        values = np.zeros(header.positions, np.uint8)
        for _ in filled_layers(header, rules, values, threads, tell):
            pass
        return Database(header, values)
    path = Path(path)
    check_free(path, overwrite)
    with _disk_errors(path), locked(_part(path)):
        check_free(path, overwrite)  # another build may just have finished it
        _build_file(header, rules, path, threads, tell)
    return open_database(path, rules)


def check_build(rules: Rules, stones: int, threads: int = 1) -> None:
    """Raise a BadInputError if there can be no database of these rules with so many stones."""
    check_whole("stones", stones, 0, MOST_STONES)
    check_threads(threads)
    field = database_obstacle(rules)
    if field is not None:
        raise BadInputError(
            f"no endgame database for {rules}: {field}; expected a game of two players in which nothing but the board "
            "counts"
        )
    if not database_fits(rules, int(stones)):
        raise BadInputError(f"stones={stones}: too many for a database of {rules.pits} pits a row; take fewer")


def check_threads(threads: object) -> None:
    """Raise a BadInputError for what is no number of threads."""
    if not is_whole(threads) or threads < 1:
        raise BadInputError(f"threads={threads}: expected a number of threads from 1")


def memory_needed(header: Header) -> int:
    """Return the bytes of memory that a build takes."""
    return bytes_needed(variant(header.rules), header.stones)


def _check_memory(header: Header) -> None:
    free, needed = free_memory(), memory_needed(header)
    if free is not None and needed > free:
        raise RunError(
            f"the database of {header.stones} stones needs {in_bytes(needed)} of memory, {in_bytes(free)} are free; "
            "take fewer stones"
        )


def _check_disk(header: Header, part: Path) -> None:
    free = shutil.disk_usage(part.parent).free + (part.stat().st_size if part.exists() else 0)
    needed = HEADER + header.positions
    if needed > free:
        raise RunError(
            f"the database of {header.stones} stones needs {in_bytes(needed)} on the disk of {part.parent}, "
            f"{in_bytes(free)} are free; take fewer stones or another folder"
        )


def check_free(path: Path, overwrite: bool) -> None:
    """Raise a DatabaseError if a file is there that is not to be replaced."""
    if not overwrite and path.exists():
        raise DatabaseError(f"{path}: exists; choose another name, or overwrite it")


def _part(path: Path) -> Path:
    """Return where the finished layers are until all are."""
    return path.with_name(path.name + ".part")


@contextmanager
def _disk_errors(path: Path) -> Iterator[None]:
    """Turn what goes wrong while a file is written into one clear line; a path that cannot be stays as it is.

    Raises:
        RunError: the disk is full, or failed.
    """
    try:
        yield
    except (PermissionError, FileNotFoundError, IsADirectoryError, NotADirectoryError):
        raise
    except OSError as error:
        raise RunError(
            f"{_part(path)}: {error.strerror or error}; the finished layers are kept, build again to go on"
        ) from error


def _build_file(header: Header, rules: Rules, path: Path, threads: int, tell: Progress) -> None:
    """Build layer by layer into the unfinished file, then give it its name."""
    part = _part(path)
    header = _begun(header, part)
    _check_memory(header)
    _check_disk(header, part)
    values = np.zeros(header.positions, np.uint8)
    with part.open("r+b") as file:
        header = _resume(header, values, file)
        for stones in filled_layers(header, rules, values, threads, tell):
            layer = header.layer(stones)
            _write(file, HEADER + layer.start, values[layer].data)
            header = replace(header, layers=(*header.layers, checksum(values[layer])))
            _write(file, 0, header.to_bytes())  # only now does the layer count
        file.truncate(HEADER + header.positions)
    part.replace(path)


def _begun(header: Header, part: Path) -> Header:
    """Return the header of the unfinished file, or a new one if there is none that can be used.

    Raises:
        DatabaseError: it is the beginning of another database.
    """
    try:
        begun = read_header(part)
    except DatabaseError:  # interrupted before the first layer, or damaged
        return header
    if replace(begun, layers=(), rules=header.rules) != header:
        raise DatabaseError(
            f"{part}: the unfinished database of {begun.rules} with {begun.stones} stones; finish it or delete it"
        )
    return replace(header, layers=begun.layers)


def _resume(header: Header, values: NDArray[np.uint8], file: Any) -> Header:
    """Read the finished layers; return the header with those that are as they were written."""
    for stones, expected in enumerate(header.layers):
        layer = header.layer(stones)
        file.seek(HEADER + layer.start)
        read = file.readinto(values[layer].data)
        if read != layer.stop - layer.start or checksum(values[layer]) != expected:
            return replace(header, layers=header.layers[:stones])
    return header


def _write(file: Any, at: int, data: Any) -> None:
    file.seek(at)
    file.write(data)
    file.flush()
    os.fsync(file.fileno())
