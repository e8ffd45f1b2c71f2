"""`NetworkAgent`: a policy network as an agent, and the folder it lives in.

The folder holds `model.safetensors` (weights, no pickle), `config.json` (architecture, rules, observation, checksum of
the weights) and a model card, `README.md`.
"""

import hashlib
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load, save

from mancala_rl.agent import check_batch, equal_chances
from mancala_rl.envs.observation import OBSERVATION_VERSION, observation_space, observe
from mancala_rl.errors import AgentError, BadInputError
from mancala_rl.kernel import combine, kernel
from mancala_rl.learning.config import parse_network
from mancala_rl.learning.files import reason, replace_folder
from mancala_rl.learning.network import PolicyNetwork
from mancala_rl.rules import Batch, Rules

FORMAT = 1
_REMEDY = "copy the folder again, or export it with mancala-rl train --resume RUN"


class NetworkAgent:
    """Plays the moves a policy network likes best, or draws them by its probabilities.

    Args:
        name: shown in tables.
        rules: the variant.
        network: maps observations to logits.
        observation: the kind of observation the network reads.
        temperature: 0 plays the best move; above 0 draws from softmax(logits / temperature).
        trained_against: names of the fixed opponents it had in training; evaluations mark them.
    """

    def __init__(
        self,
        name: str,
        rules: Rules,
        network: PolicyNetwork,
        observation: str,
        temperature: float = 0.0,
        trained_against: Collection[str] = (),
    ) -> None:
        if not 0 <= temperature < float("inf"):
            raise AgentError(f"temperature={temperature}: expected a number >= 0")
        self.name, self.rules, self.observation, self.temperature = name, rules, observation, temperature
        self.network, self.trained_against = network, frozenset(trained_against)

    def act(self, batch: Batch, seeds: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return one legal action a game, int64[B].

        Raises:
            AgentError: games of other rules.
        """
        check_batch(self.name, self.rules, batch)
        logits = self.logits(batch)
        if self.temperature > 0:
            # The Gumbel-max trick: argmax(logits/T + noise) is a draw from the softmax.
            uniform = np.empty(logits.shape, np.float64)
            _uniform(np.asarray(seeds, np.int64), uniform)
            logits = logits / self.temperature - np.log(-np.log(uniform))
        best: NDArray[np.int64] = np.where(batch.legal(), logits, -np.inf).argmax(axis=1)
        return best

    def distribution(self, batch: Batch) -> NDArray[np.float64]:
        """Return how likely every action is, float64[B, num_actions]: softmax(logits / temperature) of legal actions.

        Raises:
            AgentError: games of other rules.
        """
        if self.temperature == 0:
            return equal_chances(1 << self.act(batch, np.zeros(len(batch), np.int64)), self.rules.num_actions)
        check_batch(self.name, self.rules, batch)
        logits = np.where(batch.legal(), self.logits(batch) / self.temperature, -np.inf)
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        chances: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
        return chances

    def logits(self, batch: Batch) -> NDArray[np.float64]:
        """Return the network's preference for each action, legal or not, float64[B, A]."""
        observations = observe(batch.rows, batch.to_move, self.observation, self.rules)
        with torch.inference_mode():
            return self.network.logits(torch.from_numpy(observations)).numpy().astype(np.float64)


@kernel
def _uniform(seeds, out):  # type: ignore[no-untyped-def]
    """Fill `out: float64[B, A]` with numbers strictly between 0 and 1 drawn from the seeds."""
    for g in range(out.shape[0]):
        for a in range(out.shape[1]):
            out[g, a] = (combine(seeds[g], a) + 0.5) / 4294967296.0


def export_agent(
    folder: Path,
    rules: Rules,
    network: PolicyNetwork,
    observation: str,
    architecture: dict[str, Any],
    about: dict[str, Any],
    card: str,
) -> None:
    """Write an agent folder so that it appears complete or not at all; an older one in its place is replaced.

    Raises:
        RunError: the folder cannot be written.
    """
    weights = save({key: value.detach().contiguous() for key, value in network.state_dict().items()})
    config = {
        "loader": "network",
        "description": f"A policy network trained by self-play to play {rules}.",
        "format": FORMAT,
        "rules": rules.to_dict(),
        "rules_hash": rules.hash,
        "observation": observation,
        "observation_version": OBSERVATION_VERSION,
        "architecture": architecture,
        "sha256": hashlib.sha256(weights).hexdigest(),
        "about": about,
    }
    with replace_folder(folder) as fresh:
        (fresh / "model.safetensors").write_bytes(weights)
        (fresh / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
        (fresh / "README.md").write_text(card, encoding="utf-8")


def load_agent(folder: Path, rules: Rules, temperature: float = 0.0) -> NetworkAgent:
    """Return the agent of a folder.

    Raises:
        AgentError: a file is missing or damaged, the agent plays other rules, or was made for another observation.
    """
    config = _read_config(folder)
    if config["format"] != FORMAT or config["observation_version"] != OBSERVATION_VERSION:
        raise AgentError(f"{folder}: written by another version of mancala-rl; train it again or use that version")
    trained = _rules_of(folder, config)
    if not trained.plays_like(rules):  # where games start makes no difference
        raise AgentError(f"{folder}: this agent was trained for {trained}, got {rules}: choose that variant")
    network = _build_network(folder, config, rules)
    try:
        network.load_state_dict(load(_read_weights(folder, config)))
    except SafetensorError as error:
        raise AgentError(f"{folder}: model.safetensors is damaged ({_line(error)}); {_REMEDY}") from None
    except RuntimeError as error:
        raise AgentError(f"{folder}: model.safetensors does not fit config.json ({_line(error)}); {_REMEDY}") from None
    return NetworkAgent(
        str(folder), rules, network.eval(), config["observation"], temperature, _trained_against(config)
    )


def _read_config(folder: Path) -> dict[str, Any]:
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except OSError as error:
        raise AgentError(f"{folder}: cannot read config.json: {reason(error)}") from None
    except ValueError as error:
        raise AgentError(f"{folder}: config.json is damaged ({error}); {_REMEDY}") from None
    needed = {"format", "rules", "observation", "observation_version", "architecture"}
    if not isinstance(config, dict) or not needed <= config.keys():
        missing = ", ".join(sorted(needed - config.keys())) if isinstance(config, dict) else "every entry"
        raise AgentError(f"{folder}: config.json is not that of a network agent, missing: {missing}")
    return config


def _read_weights(folder: Path, config: dict[str, Any]) -> bytes:
    """Return model.safetensors; an agent made before its checksum was written down is taken as it is."""
    try:
        weights = (folder / "model.safetensors").read_bytes()
    except OSError as error:
        raise AgentError(f"{folder}: cannot read model.safetensors: {reason(error)}") from None
    if config.get("sha256", found := hashlib.sha256(weights).hexdigest()) != found:
        raise AgentError(
            f"{folder}: model.safetensors is damaged (its SHA-256 is not the one in config.json); {_REMEDY}"
        )
    return weights


def _trained_against(config: dict[str, Any]) -> list[str]:
    """Return the anchors the agent has met: one of weight 0 was never played."""
    about = config.get("about")
    anchors = about.get("league_anchors") if isinstance(about, dict) else None
    return [name for name, weight in anchors.items() if weight != 0] if isinstance(anchors, dict) else []


def _rules_of(folder: Path, config: dict[str, Any]) -> Rules:
    try:
        return Rules.from_dict(config["rules"])
    except (BadInputError, TypeError, AttributeError) as error:
        raise AgentError(f"{folder}: config.json holds no readable rules: {error}") from None


def _build_network(folder: Path, config: dict[str, Any], rules: Rules) -> PolicyNetwork:
    """Return the network that config.json describes, its weights still to be loaded."""
    try:
        space = observation_space(rules, config["observation"])
        return PolicyNetwork.build(rules, space, parse_network(config["architecture"]))
    except BadInputError as error:
        raise AgentError(f"{folder}: config.json describes no network of this version: {error}") from None


def _line(error: Exception) -> str:
    """Return the first detail of an error; torch's heading above the details says nothing."""
    heading, *details = str(error).splitlines()
    return (details or [heading])[0].strip()
