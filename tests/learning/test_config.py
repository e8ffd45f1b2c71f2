"""Run configurations: every kind of fault is one clear line that names file, key, expected and got."""

from pathlib import Path

import pytest
import yaml

from mancala_rl.errors import ConfigError
from mancala_rl.learning.config import RunConfig, dump_config, load_config, parse_config

BASE = "variant: kalah\nsteps: 1000\n"
CONFIGS = Path(__file__).resolve().parents[2] / "configs"


@pytest.fixture
def load(tmp_path):
    """Load a configuration from text, and overrides."""
    path = tmp_path / "run.yaml"

    def loaded(text: str = BASE, *overrides: str) -> RunConfig:
        path.write_text(text, encoding="utf-8")
        return load_config(path, overrides)

    return loaded


@pytest.fixture
def refusal(load, tmp_path):
    """The message of the error that a text and overrides give, without the path it starts with."""

    def refused(text: str = BASE, *overrides: str) -> str:
        with pytest.raises(ConfigError) as caught:
            load(text, *overrides)
        message = str(caught.value)
        assert "\n" not in message
        return message.removeprefix(str(tmp_path / "run.yaml"))

    return refused


def test_what_is_left_out_has_a_default(load):
    config = load()
    assert (config.variant, config.steps, config.seed, config.observation) == ("kalah", 1000, 0, "tactical")
    assert config.ppo.learning_rate == [1.5e-3, 1e-4]
    assert config.starts[0].plies == [0, 6]


@pytest.mark.parametrize("path", sorted(CONFIGS.rglob("*.yaml")), ids=lambda path: path.name)
def test_the_shipped_configurations_are_valid_and_survive_a_round_trip(path):
    config = load_config(path)
    assert parse_config(yaml.safe_load(yaml.safe_dump(dump_config(config))), "again") == config


def test_a_configuration_is_frozen(load):
    with pytest.raises(AttributeError):
        load().steps = 5


# -------------------------------------------------------------------------------------------------------- wrong values

SECTIONS = {
    "": "checkpoint, evaluation, games, league, network, observation, ppo, precision, reward, seed, starts, "
    "steps, threads, variant",
    "network": "layers, levels, width",
    "ppo": "batch_size, clip_range, entropy, gae_lambda, gamma, learning_rate, max_grad_norm, n_epochs, n_steps, "
    "vf_coef",
    "league": "active, anchors, keep, latest, snapshot_every, snapshots",
    "evaluation": "against, every, pairs",
    "checkpoint": "every, keep",
}


@pytest.mark.parametrize("section", SECTIONS)
def test_an_unknown_key_is_refused_at_every_level(refusal, section):
    key = f"{section}.wdith" if section else "wdith"
    near = "did you mean 'width'? " if section == "network" else ""
    text = f"{BASE}{section}: {{wdith: 3}}\n" if section else f"{BASE}wdith: 3\n"
    assert refusal(text) == f": unknown key '{key}'; {near}expected one of: {SECTIONS[section]}"


def test_an_unknown_key_in_a_list_is_refused(refusal):
    text = BASE + "starts: [{weight: 1, plies: [0, 1]}, {weight: 1, plies: [0, 1], odds: 2}]\n"
    assert refusal(text) == ": unknown key 'starts.1.odds'; expected one of: plies, weight"


FAULTS = [
    # wrong type
    ("steps=true", "steps: expected a whole number, got True"),
    ('steps="5"', "steps: expected a whole number, got '5'"),
    ("steps=1.5", "steps: expected a whole number, got 1.5"),
    ("steps=[1]", "steps: expected a whole number, got [1]"),
    ("steps=", "steps: expected a whole number, got None"),
    ("variant=5", "variant: expected a text, got 5"),
    ("ppo.gamma=true", "ppo.gamma: expected a number, got True"),
    ('ppo.gamma="1"', "ppo.gamma: expected a number, got '1'"),
    ("ppo.gamma=[1]", "ppo.gamma: expected a number, got [1]"),
    ("ppo.learning_rate=1e-3", "ppo.learning_rate: expected a list, got 0.001"),
    ("ppo.learning_rate=[1e-3]", "ppo.learning_rate: expected 2 or more entries, got [0.001]"),
    ("ppo.learning_rate=[1,1,1]", "ppo.learning_rate: expected no more than 2 entries, got [1, 1, 1]"),
    ("ppo.entropy=[0.1,x]", "ppo.entropy.1: expected a number, got 'x'"),
    ("network=5", "network: expected keys and values, got 5"),
    ("network=", "network: expected keys and values, got None"),
    ("league.anchors=[uniform]", "league.anchors: expected keys and values, got ['uniform']"),
    ("league.anchors={uniform: much}", "league.anchors.uniform: expected a number, got 'much'"),
    ("league.anchors={5: 1}", "league.anchors.5: expected a text, got 5"),
    ("evaluation.against=greedy", "evaluation.against: expected a list, got 'greedy'"),
    ("evaluation.against=[1]", "evaluation.against.0: expected a text, got 1"),
    ("starts=[7]", "starts.0: expected keys and values, got 7"),
    ("starts={weight: 1}", "starts: expected a list, got {'weight': 1}"),
    # impossible value
    ("steps=0", "steps: expected greater than or equal to 1, got 0"),
    ("steps=-5", "steps: expected greater than or equal to 1, got -5"),
    ("games=0", "games: expected greater than or equal to 1, got 0"),
    ("games=1000000000", "games: expected less than or equal to 1000000, got 1000000000"),
    ("seed=-1", "seed: expected greater than or equal to 0, got -1"),
    ("seed=4294967296", "seed: expected less than 4294967296, got 4294967296"),
    ("threads=0", "threads: expected greater than or equal to 1, got 0"),
    ("network.width=1000000", "network.width: expected less than or equal to 10000, got 1000000"),
    ("network.levels=1", "network.levels: expected greater than or equal to 2, got 1"),
    ("ppo.n_steps=1", "ppo.n_steps: expected greater than or equal to 2, got 1"),
    ("ppo.batch_size=1", "ppo.batch_size: expected greater than or equal to 2, got 1"),
    ("ppo.batch_size=1000", "ppo.batch_size must divide games * ppo.n_steps = 16384, got 1000"),
    ("ppo.gamma=1.01", "ppo.gamma: expected less than or equal to 1, got 1.01"),
    ("ppo.gamma=.nan", "ppo.gamma: expected a finite number, got nan"),
    ("ppo.gae_lambda=-0.1", "ppo.gae_lambda: expected greater than or equal to 0, got -0.1"),
    ("ppo.clip_range=0", "ppo.clip_range: expected greater than 0, got 0"),
    ("ppo.vf_coef=.inf", "ppo.vf_coef: expected a finite number, got inf"),
    ("ppo.learning_rate=[0,0]", "ppo.learning_rate.0: expected greater than 0, got 0"),
    ("ppo.entropy=[0.1,-0.1]", "ppo.entropy.1: expected greater than or equal to 0, got -0.1"),
    ("league.anchors={uniform: -1}", "league.anchors.uniform: expected greater than or equal to 0, got -1"),
    (
        "league={anchors: {}, latest: 0, snapshots: 0}",
        "league: at least one weight of anchors, latest and snapshots must be above 0",
    ),
    ("league.active=0", "league.active: expected greater than or equal to 1, got 0"),
    ("starts=[]", "starts: expected 1 or more entries, got []"),
    ("starts=[{weight: 0, plies: [0, 1]}]", "starts.0.weight: expected greater than 0, got 0"),
    ("starts=[{weight: 1, plies: [3, 1]}]", "starts.0: plies must be [fewest, most], got [3, 1]"),
    ("starts=[{weight: 1, plies: [-3, 1]}]", "starts.0.plies.0: expected greater than or equal to 0, got -3"),
    ("starts=[{weight: 1}]", "the key 'starts.0.plies' is missing"),
    ("evaluation.pairs=0", "evaluation.pairs: expected greater than or equal to 1, got 0"),
    ("checkpoint.keep=1", "checkpoint.keep: expected greater than or equal to 2, got 1"),
    # unknown names
    ("observation=pixels", "observation: expected 'counts', 'tactical' or 'lookahead', got 'pixels'"),
    ("reward=money", "reward: expected 'outcome' or 'margin', got 'money'"),
    ("variant=chess", "variant: unknown variant 'chess'"),
    ("variant='kalah:pits=0'", "variant: pits=0"),
]


@pytest.mark.parametrize("override, message", FAULTS, ids=[override for override, _ in FAULTS])
def test_a_wrong_value_names_file_key_expected_and_got(refusal, override, message):
    got = refusal(BASE, override)
    assert got.startswith(f" with {override}: {message}")
    if "variant" not in override:
        assert got == f" with {override}: {message}"


def test_a_wrong_value_in_the_file_names_the_file_alone(refusal):
    assert refusal("variant: kalah\nsteps: -1\n") == ": steps: expected greater than or equal to 1, got -1"


def test_a_long_value_is_cut_short_in_the_message(refusal):
    message = refusal(BASE + f"network: [{', '.join(map(str, range(100)))}]\n")
    assert message.endswith("...") and len(message) < 150


@pytest.mark.parametrize("key, text", [("variant", "steps: 5\n"), ("steps", "variant: kalah\n")])
def test_a_missing_key_is_named(refusal, key, text):
    assert refusal(text) == f": the key '{key}' is missing"


def test_games_for_more_than_two_are_not_evaluated_in_training(load, refusal):
    three = "variant: japanese:players=3\nsteps: 5\n"
    expected = ": evaluation.against: pairs of games need two players, japanese:players=3 has 3; expected []"
    assert refusal(three) == expected
    assert load(three, "evaluation.against=[]").variant == "japanese:players=3"


# ------------------------------------------------------------------------------------------------------------ the file


@pytest.mark.parametrize(
    "text, message",
    [
        ("variant: kalah\nsteps: [1\n", ": line 3: "),
        ("variant: kalah\n\tsteps: 1\n", ": line 2: "),
        ("variant: kalah\nsteps: 1\nsteps: 2\n", ": line 3: the key 'steps' is given twice"),
        (BASE + "ppo:\n  gamma: 1\n  gamma: 1\n", ": line 5: the key 'gamma' is given twice"),
        ("? [a, b]\n: 1\n", ": line 1: a key must be a word"),
        ("variant: !!python/object:os.system {}\n", ": line 1: "),
        ("variant: *nowhere\n", ": line 1: "),
        ("steps: 2024-13-45\n", ": unreadable YAML: month must be in 1..12"),
        ("variant: \x01\n", ": special characters are not allowed"),
        ("", ": expected keys and values, got nothing"),
        ("- variant\n", ": expected keys and values, got ['variant']"),
        ("kalah\n", ": expected keys and values, got 'kalah'"),
        ("1: 2\n" + BASE, ": 1: expected a word as key, got 1"),
    ],
)
def test_a_file_that_is_not_a_configuration(refusal, text, message):
    assert refusal(text).startswith(message)


def test_brackets_without_end_are_refused(refusal):
    assert refusal("variant: " + "[" * 5000).startswith(": ")


@pytest.mark.parametrize(
    "text, value", [("1e-4", 1e-4), ("1E+2", 100.0), ("5e0", 5.0), (".5e-3", 5e-4), ("1.0e-4", 1e-4)]
)
def test_numbers_with_an_exponent_are_numbers(load, text, value):
    assert load(BASE + f"ppo: {{vf_coef: {text}}}\n").ppo.vf_coef == value


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(ConfigError, match=r"none\.yaml: cannot read this configuration: No such file"):
        load_config(tmp_path / "none.yaml")
    with pytest.raises(ConfigError, match="cannot read this configuration: Is a directory"):
        load_config(tmp_path)
    (tmp_path / "binary.yaml").write_bytes(b"variant: \xff\xfe")
    with pytest.raises(ConfigError, match="it is not UTF-8 text"):
        load_config(tmp_path / "binary.yaml")


def test_a_file_without_permission(tmp_path, monkeypatch):
    def forbidden(self, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", forbidden)
    with pytest.raises(ConfigError, match="cannot read this configuration: Permission denied"):
        load_config(tmp_path / "run.yaml")


# ----------------------------------------------------------------------------------------------------------- overrides


def test_overrides_win_over_the_file_and_reach_inward(load):
    text = BASE + "ppo: {n_steps: 8, gamma: 0.5}\nleague: {anchors: {uniform: 1}}\n"
    config = load(
        text, "ppo.n_steps=16", "seed=7", "ppo.learning_rate=[1e-3,1e-4]", 'league.anchors={"minimax:depth=2": 0.5}'
    )
    assert (config.ppo.n_steps, config.ppo.gamma, config.seed) == (16, 0.5, 7)
    assert config.ppo.learning_rate == [1e-3, 1e-4]
    assert config.league.anchors == {"minimax:depth=2": 0.5}
    assert load(BASE, "variant=kalah:pits=5,stones=3").variant == "kalah:pits=5,stones=3"
    assert load(BASE, "seed=1", "seed=2").seed == 2


@pytest.mark.parametrize("override", ["steps", "=5", "ppo.=5", ".x=1", "a b=1", "--steps=5"])
def test_an_override_that_is_none(refusal, override):
    assert refusal(BASE, override).startswith(f"override {override!r}: expected key=value")


def test_an_override_into_a_value(refusal):
    assert refusal(BASE, "steps.x=1") == "override 'steps.x=1': steps holds 1000, not further keys"
    assert refusal(BASE, "seed=[1").startswith("override 'seed=[1': line 1: ")


def test_an_override_with_an_unknown_key(refusal):
    assert refusal(BASE, "ppo.gama=1").startswith(" with ppo.gama=1: unknown key 'ppo.gama'; did you mean 'gamma'?")
