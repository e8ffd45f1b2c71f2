"""`python -m mancala_rl`: the command line, where the command mancala-rl is not on the path."""

import sys

from mancala_rl.cli import main

if __name__ == "__main__":
    sys.exit(main())
