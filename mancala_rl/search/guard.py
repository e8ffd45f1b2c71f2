"""What an agent checks before it writes into arrays that were made for its rules."""

from mancala_rl.errors import AgentError
from mancala_rl.rules import Batch, Rules


def check_batch(name: str, rules: Rules, batch: Batch) -> None:
    """Refuse games that are not played by the agent's rules; where they start makes no difference.

    Raises:
        AgentError: names both rules.
    """
    if not rules.plays_like(batch.rules):
        raise AgentError(f"agent {name} plays {rules}, got games of {batch.rules}; make one for these rules")
