"""Puzzles printed, and played in a terminal against a perfect defence."""

from collections.abc import Sequence

from mancala_rl.cli.game import action_name, parse_moves
from mancala_rl.cli.output import show
from mancala_rl.errors import IllegalMoveError
from mancala_rl.rules import Position
from mancala_rl.rules.commentary import describe, explain_end
from mancala_rl.rules.diagram import diagram
from mancala_rl.study.contest import Contest, contest_at
from mancala_rl.study.hint import hint
from mancala_rl.study.puzzles import Puzzle

_PROMPT = "Your move, or hint, solution, quit: "


def show_puzzles(puzzles: Sequence[Puzzle], *, solutions: bool) -> None:
    """Print puzzles one below the other."""
    for number, puzzle in enumerate(puzzles, 1):
        show(f"{_heading(number, puzzles)}\n\n{_board(puzzle.position, puzzle.position.to_move)}\n")
        show(f"{puzzle.position}\n")
        if solutions:
            _show_solution(puzzle.position, contest_at(puzzle.position))
            show("")


def play_puzzles(puzzles: Sequence[Puzzle]) -> None:
    """Let the user solve puzzles one after the other, until the last one or until it is enough."""
    solved = 0
    try:
        for number, puzzle in enumerate(puzzles, 1):
            show(_heading(number, puzzles))
            solved += _is_solved(puzzle)
    except EOFError:
        show("")
    show(f"Solved: {solved} of {len(puzzles)}.")


def _heading(number: int, puzzles: Sequence[Puzzle]) -> str:
    puzzle = puzzles[number - 1]
    return (
        f"Puzzle {number} of {len(puzzles)}: seat {puzzle.position.to_move} moves and wins, by one move alone. "
        f"Moves to be found in all: {puzzle.difficulty}."
    )


def _board(position: Position, seat: int | None) -> str:
    """Return a drawing with the solver's side at the bottom."""
    return diagram(position, ["the defence", "you"] if seat else ["you", "the defence"], seat)


def _is_solved(puzzle: Puzzle) -> bool:
    """Let the user play against the defence; a move that does not win ends the attempt."""
    position, contest = puzzle.position, contest_at(puzzle.position)
    while not position.is_over:
        if position.to_move != puzzle.position.to_move:
            position = _played(position, contest.move(position))
            continue
        show(f"\n{_board(position, position.to_move)}\n")
        move = _asked(position)
        if move is None or move not in contest.winning(position):
            _show_miss(position, move, contest)
            return False
        position = _played(position, move)
    show("Solved.\n")
    return True


def _played(position: Position, move: int) -> Position:
    """Play a move and tell what it does."""
    after = position.play(move)
    show(describe(position, move, after))
    if after.is_over:
        show(explain_end(position, move, after))
    return after


def _asked(position: Position) -> int | None:
    """Return a legal move of the user's choice, None if it is the solution that is wanted.

    Raises:
        EOFError: the user wants to stop.
    """
    while True:
        word = input(_PROMPT).strip().lower()
        if word in ("quit", "q"):
            raise EOFError
        if word in ("solution", "s"):
            return None
        if word in ("hint", "h"):
            show(str(hint(position)))
            continue
        try:
            moves = parse_moves(word, position.rules)
            if len(moves) == 1:
                position.play(moves[0])
                return moves[0]
            legal = ", ".join(action_name(move, position.rules) for move in position.legal_moves)
            show(f"expected one of {legal}; hint, solution or quit")
        except IllegalMoveError as error:
            show(str(error).removeprefix("ply 1: ").partition(", as in --moves")[0])


def _show_miss(position: Position, move: int | None, contest: Contest) -> None:
    """Say what became of a move that does not win, and how to win."""
    if move is not None:
        outcome = "loses" if contest.exact.values(position)[move] else "draws"
        show(f"{action_name(move, position.rules)} does not win: with best play it {outcome}.")
    show("This wins:")
    _show_solution(position, contest)
    show("")


def _show_solution(position: Position, contest: Contest) -> None:
    for before, move in contest.line(position):
        after = before.play(move)
        mark = "  (the only move that wins)" if contest.is_exact(before) else ""
        show(f"  {describe(before, move, after)}{mark}")
        if after.is_over:
            show(f"  {explain_end(before, move, after)}")
