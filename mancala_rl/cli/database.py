"""The command `database`: endgame databases in files."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from tyro.conf import Positional, arg, subcommand

from mancala_rl.cli.output import check_writable, show, show_json
from mancala_rl.cli.progress import progress
from mancala_rl.cli.rules import JsonOption, VariantArgument
from mancala_rl.errors import BadInputError
from mancala_rl.rules import variant

FileArgument = Annotated[Positional[Path], arg(metavar="FILE", help="a file that database build has made")]


@dataclass(frozen=True)
class Build:
    """Write the exact values of all positions with few stones in the pits into a file.

    A build that was interrupted goes on where it stopped.
    """

    variant: VariantArgument
    stones: Annotated[int, arg(metavar="K", help="at most so many stones in the pits of both sides")]
    out: Annotated[Path, arg(metavar="FILE", help="where to write it")]
    threads: Annotated[int, arg(metavar="N", help="threads to use; the file is the same for any number")] = 2
    overwrite: Annotated[bool, arg(help="replace a file that is there")] = False
    json: JsonOption = False

    def run(self) -> None:
        """Build and say what there is now.

        Raises:
            KeyboardInterrupt: Ctrl-C; says how to go on.
        """
        from mancala_rl.solver.database import build_database, check_build, memory_needed
        from mancala_rl.solver.file import HEADER, Header
        from mancala_rl.solver.memory import in_bytes

        rules = variant(self.variant)
        check_build(rules, self.stones, self.threads)
        check_writable("--out", self.out)
        if self.out.exists() and not self.overwrite:
            raise BadInputError(f"--out {self.out}: exists; choose another name or add --overwrite")
        header = Header.of(rules, self.stones)
        if not self.json:
            disk, memory = in_bytes(HEADER + header.positions), in_bytes(memory_needed(header))
            show(f"{header.positions:,} positions: {disk} on disk, {memory} of memory while it is built")
        with progress("positions", header.positions) as advance:
            try:
                build_database(
                    rules, self.stones, self.out, threads=self.threads, overwrite=self.overwrite, progress=advance
                )
            except KeyboardInterrupt:
                raise KeyboardInterrupt("the finished layers are kept: run the same command again to go on") from None
        _show(self.out, self.json)


@dataclass(frozen=True)
class Info:
    """Say what a database holds, by its header alone; unfinished ones too."""

    file: FileArgument
    json: JsonOption = False

    def run(self) -> None:
        """Print the header."""
        _show(self.file, self.json)


@dataclass(frozen=True)
class Verify:
    """Check every checksum of a database, and the values of positions drawn at random by those their moves lead to."""

    file: FileArgument
    variant: Annotated[str | None, arg(metavar="V", help="what it has to be good for")] = None
    positions: Annotated[int, arg(metavar="N", help="positions to work out again")] = 20_000
    seed: Annotated[int, arg(metavar="S", help="draws them")] = 0
    json: JsonOption = False

    def run(self) -> None:
        """Check and print."""
        from mancala_rl.solver.database import open_database
        from mancala_rl.solver.verify import check_values

        if self.positions < 0 or self.seed < 0:
            raise BadInputError(f"--positions {self.positions} --seed {self.seed}: expected numbers from 0")
        database = open_database(self.file, self.variant)
        check_values(database, self.positions, self.seed, str(self.file))
        if self.json:
            facts = {"file": str(self.file), "rules": str(database.rules), "stones": database.stones}
            show_json({**facts, "positions": len(database), "worked_out_again": self.positions, "sound": True})
        else:
            show(
                f"{self.file}: sound: all {database.stones + 1} layers as they were written, "
                f"{self.positions:,} values worked out again"
            )


@dataclass(frozen=True)
class DatabaseCommand:
    """Build, describe or verify an endgame database."""

    do: (
        Annotated[Build, subcommand("build", prefix_name=False)]
        | Annotated[Info, subcommand("info", prefix_name=False)]
        | Annotated[Verify, subcommand("verify", prefix_name=False)]
    )

    def run(self) -> None:
        """Run the command chosen."""
        self.do.run()


def _show(path: Path, json: bool) -> None:
    from mancala_rl.solver.file import FORMAT, read_header
    from mancala_rl.solver.scope import CONVENTION, is_endless

    header = read_header(path)
    convention = CONVENTION if is_endless(variant(header.rules)) else None
    facts: dict[str, Any] = {
        "file": str(path),
        "rules": header.rules,
        "pits": header.pits,
        "stones": header.stones,
        "positions": header.positions,
        "bytes": path.stat().st_size,
        "layers_finished": len(header.layers),
        "finished": header.is_finished,
        "format": FORMAT,
        "hash": header.future,
        "convention": convention,
    }
    if json:
        show_json(facts)
        return
    state = "" if header.is_finished else f", unfinished: {len(header.layers)} of {header.stones + 1} layers"
    show(
        f"{path}: {header.rules}, at most {header.stones} stones in the pits, {header.positions:,} positions, "
        f"{facts['bytes']:,} bytes{state}"
    )
    if convention:
        show(f"games need not end: {convention}")
