"""`python -m tests.reference`: make the data files of the tests."""

import argparse
import sys

from tests.reference.text import golden_file, perft_file, write_all


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
