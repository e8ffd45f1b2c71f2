"""The model card of a trained agent."""

from typing import Any

from mancala_rl.learning.config import RunConfig
from mancala_rl.rules import Rules


def model_card(config: RunConfig, rules: Rules, steps: int, games: int, evaluation: list[dict[str, Any]]) -> str:
    """Return the card as Markdown: what the agent is, how it was made, how strong it is and what not to expect."""
    league = [f"- `{spec}`: {weight:g}" for spec, weight in config.league.anchors.items()]
    league += [f"- its latest weights: {config.league.latest:g}", f"- older snapshots: {config.league.snapshots:g}"]
    rows = [f"| `{row['opponent']}`{_mark(row, config)} | {row['score']:.3f} | {row['pairs']} |" for row in evaluation]
    table = ["| opponent | score | pairs |", "|---|---|---|", *rows] if rows else ["Not evaluated during training."]
    return "\n".join(
        [
            f"# An agent for {rules}",
            "",
            f"Learned by self-play with MaskablePPO: {steps:,} decisions in {games:,} games, seed {config.seed}.",
            f"A network of {config.network.layers} hidden layers, {config.network.width} wide, reads the "
            f"`{config.observation}` observation and prefers moves; it does not search.",
            "",
            "## Opponents in training, with their weights",
            "",
            *league,
            "",
            "## Strength",
            "",
            "Score = (wins + draws / 2) / games over pairs of one random opening played from both sides.",
            "An opponent marked * was in the league.",
            "",
            *table,
            "",
            "## Limits",
            "",
            f"It plays {rules} and no other rules. Its strength is measured against the opponents above only.",
            "",
        ]
    )


def _mark(row: dict[str, Any], config: RunConfig) -> str:
    return " *" if row["opponent"] in config.league.anchors else ""
