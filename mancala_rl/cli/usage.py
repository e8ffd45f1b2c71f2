"""From words on the command line to a command; a usage error becomes one line."""

import contextlib
import io
import re
import sys
from collections.abc import Sequence
from typing import Any, Protocol

import tyro

from mancala_rl.cli.agents import Agents, Evaluate
from mancala_rl.cli.analyse import Analyse
from mancala_rl.cli.database import DatabaseCommand
from mancala_rl.cli.exploit import Exploit
from mancala_rl.cli.game import Perft, Replay
from mancala_rl.cli.hint import HintCommand
from mancala_rl.cli.judge import Judge, SolvedSetCommand
from mancala_rl.cli.puzzles import PuzzlesCommand
from mancala_rl.cli.render import Render
from mancala_rl.cli.rules import RuleSheet, Variants
from mancala_rl.cli.solve import Solve
from mancala_rl.cli.train import Train, positionals_first


class Command(Protocol):
    """One subcommand: a dataclass whose fields are its arguments."""

    def run(self) -> None:
        """Do it and print the result."""


COMMANDS: dict[str, Any] = {
    "variants": Variants,
    "rules": RuleSheet,
    "replay": Replay,
    "render": Render,
    "perft": Perft,
    "analyse": Analyse,
    "solve": Solve,
    "hint": HintCommand,
    "puzzles": PuzzlesCommand,
    "database": DatabaseCommand,
    "agents": Agents,
    "evaluate": Evaluate,
    "exploit": Exploit,
    "judge": Judge,
    "testset": SolvedSetCommand,
    "train": Train,
}

_NUMBERS = {
    r"invalid literal for int\(\) with base 10": "a whole number",
    "could not convert string to float": "a number",
}


def parse(words: Sequence[str]) -> Command:
    """Return the command that the words ask for.

    Raises:
        SystemExit: status 0 after help, 2 after a usage error, which has been printed as one line.
    """
    args = list(words) or ["--help"]
    if args[0] == "train":
        args = ["train", *positionals_first(args[1:])]
    complaint = io.StringIO()
    try:
        with contextlib.redirect_stderr(complaint):
            command: Command = tyro.extras.subcommand_cli_from_dict(
                COMMANDS,
                prog="mancala-rl",
                description="Mancala games for reinforcement learning.",
                args=args,
                config=(tyro.conf.FlagCreatePairsOff, tyro.conf.OmitArgPrefixes),
            )
    except SystemExit as stop:
        if stop.code:
            print(f"mancala-rl: error: {_one_line(complaint.getvalue(), args[0])}", file=sys.stderr)
        raise
    return command


def _one_line(box: str, command: str) -> str:
    """Return tyro's framed message as one line: without title, frame and colours, its parts joined by semicolons.

    On a terminal tyro draws a coloured frame, elsewhere one of characters or only a ruler below the title.
    """
    plain = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", box)
    lines = [line.strip("│╭╮╰╯ ") for line in plain.splitlines()][1:]  # the first holds the title
    rulers = "\n".join("\0" if re.fullmatch("[─-]{8,}", line) else line for line in lines)
    parts = [" ".join(part.split()).rstrip(".") for part in rulers.split("\0")]
    # Of an option without a default tyro says first that "INT or None" matches nothing.
    parts = [re.sub(r"no type matching .* - <class '\w+'>: ", "", part) for part in parts]
    return "; ".join(filter(None, (_short_hint(_said_plainly(part, command), command) for part in parts)))


def _said_plainly(part: str, command: str) -> str:
    """Return a part of a message without the terms of Python and of tyro, its pointer to help with the command."""
    for error, kind in _NUMBERS.items():
        part = re.sub(rf"Error parsing (\S+): {error}: ", rf"\1: expected {kind}, got ", part)
    if command in COMMANDS:
        part = part.replace("mancala-rl --help", f"mancala-rl {command} --help")
    return part.removeprefix("Argument helptext: ")


def _short_hint(part: str, command: str) -> str:
    """Return a part of a message; a guess lists options of every command with their help, one of this command stays."""
    if not part.startswith(("Perhaps you meant", "Arguments similar to")):
        return part
    option = re.search(r"--[a-z]+", part.partition(":")[2])
    return f"did you mean {option[0]}?" if option and f"in mancala-rl {command} " in part else ""
