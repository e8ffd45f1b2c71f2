"""The model card of a trained agent."""

from collections.abc import Mapping, Sequence
from typing import Any

from mancala_rl.learning.config import RunConfig
from mancala_rl.rules import Rules


def model_card(
    config: RunConfig,
    rules: Rules,
    steps: int,
    games: int,
    anchors: Mapping[str, float],
    evaluation: Sequence[Mapping[str, Any]],
) -> str:
    """Return the card as Markdown: what the agent is, how it was made, how strong it is and what not to expect.

    Args:
        config: the run.
        rules: the variant it played.
        steps: decisions of the learner.
        games: games that ended.
        anchors: weight of every fixed opponent in training, by the agent's own name.
        evaluation: opponent (the agent's own name), score and pairs of each row of the last evaluation.
    """
    network = config.network
    return "\n".join(
        [
            f"# An agent for {rules}",
            "",
            f"Learned by self-play with MaskablePPO: {steps:,} decisions in {games:,} games, seed {config.seed}.",
            f"A network of {network.layers} hidden layers, {network.width} wide, reads the `{config.observation}` "
            "observation and prefers moves; it does not search.",
            "",
            "## Opponents in training, with their weights",
            "",
            *(f"- `{name}`: {weight:g}" for name, weight in anchors.items()),
            f"- its latest weights: {config.league.latest:g}",
            f"- older snapshots: {config.league.snapshots:g}",
            "",
            "## Strength",
            "",
            *_strength(anchors, evaluation),
            "",
            "## Limits",
            "",
            f"It plays {rules} and no other rules. Its strength is measured against the opponents above only.",
            "",
        ]
    )


def _strength(anchors: Mapping[str, float], evaluation: Sequence[Mapping[str, Any]]) -> list[str]:
    if not evaluation:
        return ["Not evaluated during training."]
    return [
        "Score = (wins + draws / 2) / games over pairs of one random opening played from both sides.",
        "An opponent marked * was in the league.",
        "",
        "| opponent | score | pairs |",
        "|---|---|---|",
        *(
            f"| `{row['opponent']}`{' *' if row['opponent'] in anchors else ''} | {row['score']:.3f} | {row['pairs']} |"
            for row in evaluation
        ),
    ]
