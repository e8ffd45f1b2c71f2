"""A trained policy network: the agent of a folder with model.safetensors and config.json."""

from pathlib import Path

from mancala_rl.agent import Agent
from mancala_rl.errors import AgentError
from mancala_rl.rules import Rules


def make(rules: Rules, path: str, temperature: float = 0.0) -> Agent:
    """Return the trained agent in the folder `path`; temperature 0 plays its best move, above 0 draws."""
    try:
        from mancala_rl.learning.player import load_agent
    except ModuleNotFoundError as error:
        raise AgentError(f"a trained agent needs {error.name}: pip install 'mancala-rl[train]'") from None
    return load_agent(Path(path), rules, temperature)
