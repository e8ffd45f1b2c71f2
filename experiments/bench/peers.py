"""Random legal play in the board games of other libraries, each used in the fastest way we have found.

A library that is not installed is named with the command that installs it, and left out.
"""

import importlib.util
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pettingzoo
from bench.ours import aec, pick
from bench.timing import Contender

OBSERVE = BARE, LISTS, ARRAYS = "", ", obs + mask", ", obs + mask as arrays"
PGX_STEPS = 50  # moves of every game in one call of the compiled scan


@dataclass(frozen=True)
class Peer:
    """A library, the modules it needs, how to get them, what of it is timed, and a program to its first step."""

    name: str
    modules: tuple[str, ...]
    install: str
    contenders: Callable[[bool], list[Contender]]
    first_step: str


def open_spiel_loop(game: str, observe: str) -> Contender:
    """Return OpenSpiel's loop in Python: bare, with observation and legal mask as its lists, or as NumPy arrays."""
    import pyspiel

    loaded = pyspiel.load_game(game)
    state = loaded.new_initial_state()

    def loop(steps: int) -> int:
        nonlocal state
        for _ in range(steps):
            if state.is_terminal():
                state.returns()
                state = loaded.new_initial_state()
            if observe == LISTS:
                state.observation_tensor()
                state.legal_actions_mask()
            elif observe == ARRAYS:
                np.array(state.observation_tensor(), np.float32)
                np.array(state.legal_actions_mask(), np.int8)
            state.apply_action(pick(state.legal_actions()))
        return steps

    return Contender(f"OpenSpiel {game}{observe}", loop)


def open_spiel(_quick: bool) -> list[Contender]:
    """Return OpenSpiel's two mancala games."""
    return [open_spiel_loop(game, observe) for game in ("mancala", "oware") for observe in OBSERVE]


def petting_zoo(_quick: bool) -> list[Contender]:
    """Return PettingZoo's small board games, with the standard wrappers and without."""
    made = []
    for game in ("tictactoe", "connect_four"):
        made.append(aec(f"PettingZoo {game} env", pettingzoo.make("aec", f"classic/{game}-v3")))
        made.append(aec(f"PettingZoo {game} raw_env", pettingzoo.make("aec", f"classic/{game}-v3").unwrapped))
    return made


def pgx(quick: bool) -> list[Contender]:
    """Return Pgx's small board games on the processor: in a compiled scan, and a compiled step called from Python.

    Each takes two or three seconds to compile, so a quick run has one.
    """
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    made = [pgx_scan("connect_four", 1024)]
    if not quick:
        made += [pgx_scan("connect_four", 4096), pgx_scan("tic_tac_toe", 4096)]
        made += [pgx_stepped("connect_four", batch) for batch in (1024, 4096)]
    return made


def pgx_scan(game: str, batch: int) -> Contender:
    """Return Pgx inside one compiled loop that never comes back to Python."""
    import jax

    state, advance = _pgx(game, batch)
    run = jax.jit(lambda state, keys: jax.lax.scan(lambda s, key: (advance(s, key), None), state, keys)[0])
    key = jax.random.PRNGKey(1)

    def loop(steps: int) -> int:
        nonlocal state, key
        for _ in range(steps):
            key, drawn = jax.random.split(key)
            state = run(state, jax.random.split(drawn, PGX_STEPS))
        jax.block_until_ready(state)
        return steps * PGX_STEPS * batch

    return Contender(f"Pgx {game} scan x {batch}", loop, warm_up=2, facts={"batch": batch})


def pgx_stepped(game: str, batch: int) -> Contender:
    """Return Pgx with choice and step compiled together, called from Python for every move."""
    import jax

    state, advance = _pgx(game, batch)
    step = jax.jit(advance)
    key = jax.random.PRNGKey(1)

    def loop(steps: int) -> int:
        nonlocal state, key
        for _ in range(steps):
            key, drawn = jax.random.split(key)
            state = step(state, drawn)
        jax.block_until_ready(state)
        return steps * batch

    return Contender(f"Pgx {game} step x {batch}", loop, warm_up=64, facts={"batch": batch})


def _pgx(game: str, batch: int) -> tuple[Any, Callable[[Any, Any], Any]]:
    """Return a batch at the start, and the function that makes one random legal move in every game."""
    import jax
    import pgx
    from jax import numpy as jnp
    from pgx.experimental import auto_reset

    env = pgx.make(game)
    step = jax.vmap(auto_reset(env.step, env.init))

    def advance(state: Any, key: Any) -> Any:
        choice, chance = jax.random.split(key)
        count = jnp.cumsum(state.legal_action_mask, axis=1)  # quicker than Pgx's own `act_randomly`
        wanted = jnp.floor(jax.random.uniform(choice, (batch,)) * count[:, -1])
        action = jnp.argmax(count > wanted[:, None], axis=1)
        return step(state, action, jax.random.split(chance, batch))

    return jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), batch)), advance


PEERS = (
    Peer(
        "OpenSpiel",
        ("pyspiel",),
        "pip install open-spiel",
        open_spiel,
        "import pyspiel; s = pyspiel.load_game('mancala').new_initial_state(); s.apply_action(s.legal_actions()[0])",
    ),
    Peer(
        "PettingZoo classic",
        ("pygame",),
        "pip install pygame-ce",
        petting_zoo,
        "import pettingzoo; e = pettingzoo.make('aec', 'classic/tictactoe-v3'); e.reset(); e.last(); e.step(0)",
    ),
    Peer(
        "Pgx",
        ("pgx", "jax"),
        "pip install pgx jax",
        pgx,
        "import jax, pgx; e = pgx.make('connect_four'); k = jax.random.split(jax.random.PRNGKey(0), 64); "
        "s = jax.jit(jax.vmap(e.init))(k); jax.block_until_ready(jax.jit(jax.vmap(e.step))(s, s.current_player))",
    ),
)


def installed() -> list[Peer]:
    """Return the peers that are installed."""
    return [peer for peer in PEERS if all(importlib.util.find_spec(module) for module in peer.modules)]


def missing() -> list[str]:
    """Return a line for each peer that is not installed, with the command that installs it."""
    return [f"{peer.name} is left out: {peer.install}" for peer in PEERS if peer not in installed()]
