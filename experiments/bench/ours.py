"""Random legal play in the environments of this package; choosing the move is part of every loop, as for the peers."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np
from bench.timing import Contender
from numpy.typing import NDArray

import mancala_rl as mrl

WARM_UP = 64  # steps of a batch: by then its games have drifted apart
random = Random(0).random
_legal_of: dict[bytes, list[int]] = {}  # by mask; the quickest way found from a NumPy mask to a random legal action


def pick(legal: Sequence[int]) -> int:
    """Return one of the legal actions."""
    return legal[int(random() * len(legal))]


def choose(mask: NDArray[np.int8]) -> int:
    """Return an action that a mask int8[A] allows."""
    key = mask.tobytes()
    legal = _legal_of.get(key)
    if legal is None:
        legal = _legal_of[key] = np.flatnonzero(mask).tolist()
    return pick(legal)


def choosing() -> Contender:
    """Return the choice alone, to see what it has in the loops with masks."""
    masks = [np.array([code >> bit & 1 for bit in range(6)], np.int8) for code in range(1, 64)]

    def loop(steps: int) -> int:
        for step in range(steps):
            choose(masks[step % 63])
        return steps

    return Contender("choosing from a mask, alone", loop, "choices")


def position(rules: mrl.Rules) -> Contender:
    """Return play with immutable positions."""
    state = rules.start()

    def loop(steps: int) -> int:
        nonlocal state
        for _ in range(steps):
            if state.is_over:
                state = rules.start()
            state = state.play(pick(state.legal_moves))
        return steps

    return Contender("Position.play", loop)


def aec(name: str, env: Any) -> Contender:
    """Return play in a PettingZoo AEC environment: `last()`, `step()`, and `reset()` after a game."""
    env.reset(seed=0)

    def loop(steps: int) -> int:
        for _ in range(steps):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                observation = env.last()[0]
            env.step(choose(observation["action_mask"]))
        return steps

    return Contender(name, loop)


def single(env: Any) -> Contender:
    """Return play in the Gymnasium environment, whose opponents move inside `step`; all moves count."""
    _, info = env.reset(seed=0)

    def loop(steps: int) -> int:
        nonlocal info
        moves = -info["ply"]
        for _ in range(steps):
            _, _, terminated, truncated, info = env.step(choose(info["action_mask"]))
            if terminated or truncated:
                moves += info["ply"]
                _, info = env.reset()
                moves -= info["ply"]  # made before the learner's first turn: a part of the reset
        return int(moves + info["ply"])

    return Contender("Gymnasium env, uniform inside", loop)


def batched(name: str, env: Any, **facts: Any) -> Contender:
    """Return play in a batched environment, from its seeded start."""
    env.reset(seed=0)

    def loop(steps: int) -> int:
        for _ in range(steps):
            env.step(env.sample_actions())
        return steps * int(env.num_envs)

    return Contender(name, loop, warm_up=WARM_UP, facts={"batch": env.num_envs, **facts})


def self_play(rules: Any, batch: int, threads: int = 1, name: str | None = None, **options: Any) -> Contender:
    """Return play in `SelfPlayVectorEnv`: every step is one move in every game."""
    env = mrl.SelfPlayVectorEnv(rules, batch, threads=threads, **options)
    facts = {"rules": str(rules), "threads": threads} if isinstance(rules, mrl.Rules | str) else {"threads": threads}
    spoken = "" if threads == 1 else f", {threads} threads"
    return batched(name or f"{rules} x {batch}{spoken}", env, **facts)


def several(name: str, contenders: Sequence[Contender]) -> Contender:
    """Return contenders that take turns, a step each."""
    loops: list[Callable[[int], int]] = [contender.loop for contender in contenders]

    def loop(steps: int) -> int:
        return sum(one(1) for _ in range(steps) for one in loops)

    return Contender(name, loop, warm_up=WARM_UP)
