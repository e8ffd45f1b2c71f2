"""From words on the command line to a command; a usage error becomes one line."""

import contextlib
import io
import re
import sys
from collections.abc import Sequence
from typing import Any, Protocol

import tyro

from mancala_rl.cli.agents import Agents, Evaluate
from mancala_rl.cli.game import Perft, Replay, RuleSheet, Variants
from mancala_rl.cli.train import Train, positionals_first


class Command(Protocol):
    """One subcommand: a dataclass whose fields are its arguments."""

    def run(self) -> None:
        """Do it and print the result."""


COMMANDS: dict[str, Any] = {
    "variants": Variants,
    "rules": RuleSheet,
    "replay": Replay,
    "perft": Perft,
    "agents": Agents,
    "evaluate": Evaluate,
    "train": Train,
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
            print(f"mancala-rl: error: {_one_line(complaint.getvalue())}", file=sys.stderr)
        raise
    return command


def _one_line(box: str) -> str:
    """Return tyro's framed message as one line: without title and frame, its parts joined by semicolons."""
    text = [line.strip("│|╭╮╰╯+ ") for line in box.splitlines()][1:-1]
    parts = re.split(r"\s*[─-]{8,}\s*", " ".join(text))
    return "; ".join(re.sub(r"\s+", " ", part).strip().rstrip(".") for part in parts)
