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
    command: str | None = None,
) -> str:
    """Return the card as Markdown: what the agent is, how it was made, how strong it is and what not to expect.

    Args:
        config: the run.
        rules: the variant it played.
        steps: decisions of the learner.
        games: games that ended.
        anchors: weight of every fixed opponent in training, by the agent's own name.
        evaluation: opponent (the agent's own name), score and pairs of each row of the last evaluation.
        command: the command line that made it, if there was one.
    """
    return "\n".join(
        [
            f"# An agent for {rules}",
            "",
            f"Learned by self-play with MaskablePPO: {steps:,} decisions in {games:,} games, seed {config.seed}.",
            _network(config),
            *([f"Made with: `{command}`"] if command else []),
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
            f"It plays {rules} and no other rules. {_validity(evaluation)}",
            "",
        ]
    )


def _network(config: RunConfig) -> str:
    layers, width = config.network.layers, config.network.width
    shape = f"A network of {layers} hidden layer{'' if layers == 1 else 's'}, {width} wide,"
    reads = f"{shape} reads the `{config.observation}` observation and prefers moves; it"
    if config.observation == "lookahead":
        return f"{reads} does not search further, but the observation holds a three-ply search of each of its own pits."
    return f"{reads} does not search."


def _validity(evaluation: Sequence[Mapping[str, Any]]) -> str:
    if not evaluation:
        return "How strong it is has not been measured."
    return "Its strength is measured against the opponents in the table above only, from random openings."


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
