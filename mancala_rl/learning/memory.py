"""Telling that there was not enough memory, which NumPy and torch say in different ways."""

from collections.abc import Iterator
from contextlib import contextmanager

from mancala_rl.errors import RunError

_TORCH_SAYS = ("can't allocate memory", "not enough memory", "out of memory")  # in a plain RuntimeError


@contextmanager
def memory_errors() -> Iterator[None]:
    """Turn what NumPy and torch raise for want of memory into one clear line.

    Raises:
        RunError: there was not enough memory in the block.
    """
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if not isinstance(error, MemoryError) and not any(words in str(error).lower() for words in _TORCH_SAYS):
            raise
        raise RunError("not enough memory: take fewer games, a smaller ppo.n_steps or a smaller network") from None
