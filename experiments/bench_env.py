"""Time `last()` + `step()` of the AEC environments next to PettingZoo's tictactoe, in one interleaved run.

    python experiments/bench_env.py [--rounds 5] [--games 200]

Every environment plays the same recorded random games in every round, so only the environments are timed, in CPU
time, resets left out. A time is the median of the rounds; a ratio is the median of the ratios within a round, with
the lowest and the highest. PettingZoo's tictactoe needs pygame; without it only Kalah is timed.
"""

import dataclasses
import importlib.util
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pettingzoo
import tyro

from mancala_rl import kalah_v0

MAKERS: dict[str, Callable[[], Any]] = {
    "kalah raw_env": kalah_v0.raw_env,
    "kalah env": kalah_v0.env,
}
PEERS: dict[str, Callable[[], Any]] = {
    "tictactoe raw_env": lambda: pettingzoo.make("aec", "classic/tictactoe-v3").unwrapped,
    "tictactoe env": lambda: pettingzoo.make("aec", "classic/tictactoe-v3"),
}
RATIOS = [("tictactoe env", "kalah env"), ("tictactoe raw_env", "kalah raw_env"), ("kalah env", "kalah raw_env")]


@dataclasses.dataclass(frozen=True)
class Settings:
    """What to run."""

    rounds: int = 5
    games: int = 200
    seed: int = 0


def record(env: Any, games: int, rng: np.random.Generator) -> list[list[int]]:
    """Return the moves of random legal games."""
    played = []
    for _ in range(games):
        env.reset()
        moves: list[int] = []
        for _ in env.agent_iter():
            observation, _, terminated, _, _ = env.last()
            if terminated:
                break
            moves.append(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
            env.step(moves[-1])
        played.append(moves)
    return played


def microseconds(env: Any, games: list[list[int]]) -> float:
    """Return the CPU time of one `last()` + `step()`, in microseconds."""
    spent = 0.0
    for moves in games:
        env.reset()
        begun = time.process_time()
        for move in moves:
            env.last()
            env.step(move)
        spent += time.process_time() - begun
    return spent / sum(map(len, games)) * 1e6


def main(settings: Settings) -> None:
    """Record, time in turns, print."""
    rng = np.random.default_rng(settings.seed)
    has_peers = importlib.util.find_spec("pygame") is not None
    if not has_peers:
        print("tictactoe is left out: pip install pygame-ce")
    envs = {name: make() for name, make in {**MAKERS, **(PEERS if has_peers else {})}.items()}
    games = {name: record(env, settings.games, rng) for name, env in envs.items()}
    rounds = [{name: microseconds(env, games[name]) for name, env in envs.items()} for _ in range(settings.rounds)]
    for name in envs:
        print(f"{name:18} {statistics.median(times[name] for times in rounds):7.2f} us")
    for over, under in RATIOS if has_peers else RATIOS[-1:]:
        ratios = [times[over] / times[under] for times in rounds]
        print(f"{over} / {under}: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


if __name__ == "__main__":
    main(tyro.cli(Settings))
