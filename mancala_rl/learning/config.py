"""Run configurations: a YAML file and `key=value` overrides become frozen, validated dataclasses."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, model_validator
from pydantic.dataclasses import dataclass
from pydantic_core import ErrorDetails

from mancala_rl.envs.observation import Kind as Observation
from mancala_rl.envs.observation import observation_space
from mancala_rl.envs.reward import Kind as Reward
from mancala_rl.envs.reward import check_kind
from mancala_rl.errors import BadInputError, ConfigError, RulesError
from mancala_rl.rules import variant
from mancala_rl.rules.registry import suggest

_CLOSED = ConfigDict(extra="forbid")

# strict: true is no number and "5" is none either; a whole number is a number. The upper ends are beyond what a
# machine can do, so that a slip of the finger is an error of its key and not of the memory.
Count = Annotated[int, Field(ge=1, le=10**15, strict=True)]
Few = Annotated[int, Field(ge=1, le=1000, strict=True)]
Many = Annotated[int, Field(ge=1, le=10**6, strict=True)]
TwoOrMore = Annotated[int, Field(ge=2, le=10**6, strict=True)]
Plies = Annotated[int, Field(ge=0, le=10**4, strict=True)]
Seed = Annotated[int, Field(ge=0, lt=2**32, strict=True)]
Weight = Annotated[float, Field(ge=0, strict=True, allow_inf_nan=False)]
Unit = Annotated[float, Field(ge=0, le=1, strict=True, allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, strict=True, allow_inf_nan=False)]


@dataclass(frozen=True, config=_CLOSED)
class NetworkConfig:
    """Shape of the network: one-hot levels a pit, width and number of hidden layers."""

    width: Annotated[int, Field(ge=1, le=10**4, strict=True)] = 128
    layers: Few = 2
    levels: Annotated[int, Field(ge=2, le=1000, strict=True)] = 16


@dataclass(frozen=True, config=_CLOSED)
class PPOConfig:
    """Settings of MaskablePPO; `learning_rate` and `entropy` fall linearly from the first value to the second."""

    n_steps: TwoOrMore = 32
    batch_size: TwoOrMore = 1024
    n_epochs: Few = 3
    gamma: Unit = 1.0
    gae_lambda: Unit = 0.9
    clip_range: Positive = 0.2
    vf_coef: Weight = 0.5
    max_grad_norm: Positive = 0.5
    learning_rate: Annotated[list[Positive], Field(min_length=2, max_length=2)] = Field(
        default_factory=lambda: [1.5e-3, 1.0e-4]
    )
    entropy: Annotated[list[Weight], Field(min_length=2, max_length=2)] = Field(default_factory=lambda: [0.02, 0.003])


@dataclass(frozen=True, config=_CLOSED)
class LeagueConfig:
    """Who the learner plays: fixed anchors for ever, its latest weights, and older snapshots, each with its odds."""

    anchors: dict[str, Weight] = Field(default_factory=lambda: {"uniform": 0.02, "greedy": 0.03})
    latest: Weight = 0.45
    snapshots: Weight = 0.5
    snapshot_every: Count = 400_000
    keep: Many = 20
    active: Few = 2

    @model_validator(mode="after")
    def _some_opponent(self) -> "LeagueConfig":
        if sum(self.anchors.values()) + self.latest + self.snapshots <= 0:
            raise ValueError("at least one weight of anchors, latest and snapshots must be above 0")
        return self


@dataclass(frozen=True, config=_CLOSED)
class StartsConfig:
    """One way to start games: how often, and how many random plies are played first (fewest, most)."""

    weight: Positive
    plies: Annotated[list[Plies], Field(min_length=2, max_length=2)]

    @model_validator(mode="after")
    def _ordered(self) -> "StartsConfig":
        if self.plies[0] > self.plies[1]:
            raise ValueError(f"plies must be [fewest, most], got {self.plies}")
        return self


@dataclass(frozen=True, config=_CLOSED)
class EvaluationConfig:
    """Evaluation during training: against whom (nobody: none), over how many pairs of games, every how many steps."""

    every: Count = 1_000_000
    pairs: Many = 100
    against: list[str] = Field(default_factory=lambda: ["greedy", "minimax:depth=2", "minimax:depth=4"])


@dataclass(frozen=True, config=_CLOSED)
class CheckpointConfig:
    """Checkpoints: every how many steps, and how many of the newest are kept."""

    every: Count = 500_000
    keep: TwoOrMore = 3


@dataclass(frozen=True, config=_CLOSED)
class RunConfig:
    """Everything that decides a training run.

    `steps` counts decisions of the learner; `games` are played in lock-step; `threads` are torch's. `precision` is
    that of the network's products in training: "bfloat16" is several times as fast on processors made for it (AMX,
    AVX-512 BF16) and slow on others. The exported agent plays in float32.
    """

    variant: str
    steps: Count
    seed: Seed = 0
    games: Many = 512
    threads: Few = 1
    observation: Observation = "tactical"
    reward: Reward = "outcome"
    precision: Literal["float32", "bfloat16"] = "float32"
    network: NetworkConfig = Field(default_factory=NetworkConfig)
    ppo: PPOConfig = Field(default_factory=PPOConfig)
    league: LeagueConfig = Field(default_factory=LeagueConfig)
    starts: Annotated[list[StartsConfig], Field(min_length=1)] = Field(
        default_factory=lambda: [StartsConfig(weight=1.0, plies=[0, 6])]
    )
    evaluation: EvaluationConfig = Field(default_factory=EvaluationConfig)
    checkpoint: CheckpointConfig = Field(default_factory=CheckpointConfig)

    @model_validator(mode="after")
    def _consistent(self) -> "RunConfig":
        rollout = self.games * self.ppo.n_steps
        if rollout % self.ppo.batch_size:
            raise ValueError(f"ppo.batch_size must divide games * ppo.n_steps = {rollout}, got {self.ppo.batch_size}")
        try:
            rules = variant(self.variant)
        except RulesError as error:
            raise ValueError(f"variant: {error}") from None
        try:
            check_kind(self.reward, rules)
            observation_space(rules, self.observation)
        except BadInputError as error:
            raise ValueError(str(error)) from None
        if rules.players != 2 and self.evaluation.against:
            raise ValueError(
                f"evaluation.against: pairs of games need two players, {rules} has {rules.players}; expected []"
            )
        return self


_ADAPTER = TypeAdapter(RunConfig)
_NETWORK = TypeAdapter(NetworkConfig)


class _Loader(yaml.SafeLoader):
    """YAML that reads 1e-4 as a number, as everybody means it, and refuses a key given twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key_node, _ in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                raise yaml.MarkedYAMLError(problem="a key must be a word", problem_mark=key_node.start_mark)
            if key_node.value in seen:
                problem = f"the key {key_node.value!r} is given twice"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key_node.start_mark)
            seen.add(key_node.value)
        return super().construct_mapping(node, deep)


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?(\d+(\.\d*)?|\.\d+)[eE][-+]?\d+$"), list("-+.0123456789")
)


def load_config(path: Path, overrides: Sequence[str] = ()) -> RunConfig:
    """Return the run that a YAML file and `key=value` overrides (dots lead inward: ppo.n_steps=16) describe.

    Raises:
        ConfigError: the file cannot be read, or a key is unknown, of a wrong type or impossible; names file, key,
            what was expected and what came.
    """
    try:
        data = _read_yaml(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise ConfigError(f"{path}: cannot read this configuration: {reason}") from None
    if not isinstance(data, dict):
        raise ConfigError(f"{path}: expected keys and values, got {'nothing' if data is None else _shown(data)}")
    for override in overrides:
        _override(data, override)
    return parse_config(data, " with ".join([str(path), *overrides]))


def parse_config(data: dict[str, Any], source: str) -> RunConfig:
    """Return the run a plain dictionary describes; `source` names it in errors.

    Raises:
        ConfigError: see `load_config`.
    """
    try:
        return _ADAPTER.validate_python(data)
    except ValidationError as error:
        raise ConfigError(f"{source}: {_explain(error)}") from None


def parse_network(data: Any) -> NetworkConfig:
    """Return the shape of a network that a plain dictionary describes.

    Raises:
        ConfigError: an unknown entry, or a value it cannot take.
    """
    try:
        return _NETWORK.validate_python(data)
    except ValidationError as error:
        raise ConfigError(_explain(error, _NETWORK)) from None


def dump_config(config: RunConfig) -> dict[str, Any]:
    """Return a run as plain dictionaries and lists, every key written out."""
    data: dict[str, Any] = _ADAPTER.dump_python(config, mode="json")
    return data


def _read_yaml(text: str, source: str) -> Any:
    try:
        return yaml.load(text, _Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}: " if mark else ""
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "unreadable YAML"
        raise ConfigError(f"{source}: {where}{problem}") from None
    except (ValueError, RecursionError) as error:  # a date that does not exist, brackets without end
        raise ConfigError(f"{source}: unreadable YAML: {error}") from None


def _override(data: dict[str, Any], override: str) -> None:
    """Set one dotted key of `data` from text."""
    key, equals, value = override.partition("=")
    if not equals or not re.fullmatch(r"\w+(\.\w+)*", key):
        raise ConfigError(f"override {override!r}: expected key=value, as in ppo.learning_rate=[1e-3,1e-4]")
    *path, last = key.split(".")
    for name in path:
        data = data.setdefault(name, {})
        if not isinstance(data, dict):
            raise ConfigError(f"override {override!r}: {name} holds {_shown(data)}, not further keys")
    data[last] = _read_yaml(value, f"override {override!r}")


def _explain(error: ValidationError, adapter: TypeAdapter[Any] = _ADAPTER) -> str:
    """Return the first fault of a configuration in one line: key, expected, got."""
    fault = error.errors(include_url=False)[0]
    kind, path = fault["type"], fault["loc"]
    key = ".".join(str(part) for part in path if part != "[key]")
    if kind in ("unexpected_keyword_argument", "extra_forbidden"):
        return f"unknown key {key!r}; {suggest(str(path[-1]), _known_keys(path[:-1], adapter))}"
    if kind in ("missing", "missing_argument"):
        return f"the key {key!r} is missing"
    if kind == "value_error":  # from a validator of this module, which says what came
        return f"{key + ': ' if key else ''}{fault['msg'].removeprefix('Value error, ')}"
    return f"{key + ': ' if key else ''}expected {_expected(fault)}, got {_shown(fault['input'])}"


def _expected(fault: ErrorDetails) -> str:
    """Return what should have stood in the place of a fault."""
    context: dict[str, Any] = fault.get("ctx", {})
    kinds = {
        "int_type": "a whole number",
        "float_type": "a number",
        "string_type": "a text",
        "list_type": "a list",
        "dict_type": "keys and values",
        "dataclass_type": "keys and values",
        "invalid_key": "a word as key",
        "too_short": f"{context.get('min_length')} or more entries",
        "too_long": f"no more than {context.get('max_length')} entries",
    }
    return kinds.get(fault["type"]) or fault["msg"].removeprefix("Input should be ")


def _shown(value: Any) -> str:
    """Return a value for an error message, cut short if it is long."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _known_keys(path: Sequence[str | int], adapter: TypeAdapter[Any]) -> list[str]:
    schema = adapter.json_schema()
    node: dict[str, Any] = schema
    for part in path:
        node = node["items"] if isinstance(part, int) else node["properties"][part]
        if "$ref" in node:
            node = schema["$defs"][node["$ref"].rsplit("/", 1)[1]]
    return sorted(node["properties"])
