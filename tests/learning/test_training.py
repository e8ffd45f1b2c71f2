"""Whole training runs: the agent gets stronger, and everything that should be is written."""

import importlib.metadata
import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
import yaml
from safetensors.torch import load_file

import mancala_rl as mrl
from mancala_rl.arena import evaluate
from mancala_rl.envs.observation import observation_space
from mancala_rl.errors import RunError
from mancala_rl.learning import train
from mancala_rl.learning.card import model_card
from mancala_rl.learning.config import load_config
from mancala_rl.learning.network import PolicyNetwork
from mancala_rl.learning.player import NetworkAgent, export_agent
from mancala_rl.learning.run_folder import RunFolder
from mancala_rl.learning.training import Training, next_multiple
from tests.learning.runs import metrics, newest_state, plain, scalars, write_config

SMALL = {
    "variant": "kalah:pits=4,stones=3",
    "steps": 60_000,
    "games": 64,
    "network": {"width": 48, "layers": 2, "levels": 12},
    "ppo": {"n_steps": 16, "batch_size": 256, "learning_rate": [3e-3, 2e-4]},
    "league": {
        "anchors": {"uniform": 0.2, "greedy": 0.2, "minimax:depth=2": 0.2},
        "latest": 0.2,
        "snapshots": 0.2,
        "snapshot_every": 5000,
    },
    "evaluation": {"every": 25_000, "pairs": 40, "against": ["greedy", "minimax:depth=2", "minimax"]},
    "checkpoint": {"every": 30_000},
}
RULES = mrl.variant(SMALL["variant"])


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The folder of a finished run of a few seconds."""
    folder = tmp_path_factory.mktemp("small")
    (folder / "small.yaml").write_text(yaml.safe_dump(SMALL), encoding="utf-8")
    agent = train(folder / "small.yaml", out=folder / "run")
    assert agent == folder / "run" / "agent"
    return folder / "run"


def test_the_agent_has_learned(run):
    agent = mrl.make_agent(run / "agent", RULES)
    opponents = [mrl.make_agent(spec, RULES) for spec in ("uniform", "greedy", "minimax:depth=2")]
    trained = [result.score for result in evaluate(agent, opponents, RULES, 100, seed=1)]
    assert trained[0] >= 0.85 and trained[1] >= 0.55 and trained[2] >= 0.52, trained
    before = [result.score for result in evaluate(untrained(run), opponents, RULES, 100, seed=1)]
    assert trained[0] >= before[0] + 0.2, (trained, before)


@pytest.mark.slow
def test_the_recipe_of_the_demo_learns_kalah(tmp_path):
    path = Path(__file__).resolve().parents[2] / "configs" / "ppo" / "kalah-demo.yaml"
    short = ["steps=400_000", "evaluation.against=[]", "league.snapshot_every=60_000"]
    agent = mrl.make_agent(train(path, short, out=tmp_path / "run"), "kalah")
    opponents = [mrl.make_agent(spec, "kalah") for spec in ("uniform", "greedy", "minimax:depth=2")]
    scores = [result.score for result in evaluate(agent, opponents, mrl.variant("kalah"), 200)]
    assert scores[0] >= 0.93 and scores[1] >= 0.6 and scores[2] >= 0.6, scores


def untrained(run):
    """An agent of the same shape with weights nobody has trained."""
    torch.manual_seed(0)
    old = mrl.make_agent(run / "agent", RULES)
    config = load_config(run / "config.yaml")
    network = PolicyNetwork.build(RULES, observation_space(RULES, old.observation), config.network)
    return NetworkAgent("untrained", RULES, network, old.observation)


def test_the_agent_plays_in_a_process_of_its_own_without_any_pickle(run):
    files = sorted(path.name for path in (run / "agent").iterdir())
    assert files == ["README.md", "config.json", "model.safetensors"]
    script = f"""
import pickle, numpy as np, mancala_rl as mrl
def play():
    rules = mrl.variant({str(RULES)!r})
    agent = mrl.make_agent({str(run / "agent")!r}, rules)
    batch = rules.batch(50)
    batch.random_plies(np.arange(50) % 7, np.arange(50))
    return agent.name, agent.act(batch, np.arange(50)).tolist()
play()  # Numba's cache of compiled kernels is pickled; now they are all in memory
def refuse(*args, **kwargs): raise SystemExit("pickle was used")
import torch
pickle.load = pickle.loads = pickle.Unpickler = torch.load = refuse
print(*play())
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    batch = RULES.batch(50)
    batch.random_plies(np.arange(50) % 7, np.arange(50))
    agent = mrl.make_agent(run / "agent", RULES)
    assert done.stdout.strip() == f"{run / 'agent'} {agent.act(batch, np.arange(50)).tolist()}"


def test_the_agent_folder_tells_what_it_is(run):
    config = json.loads((run / "agent" / "config.json").read_text(encoding="utf-8"))
    assert mrl.Rules.from_dict(config["rules"]) == RULES and config["rules_hash"] == RULES.hash
    assert config["architecture"] == SMALL["network"]
    assert (config["observation"], config["observation_version"]) == ("tactical", 1)
    assert config["about"]["league_anchors"] == SMALL["league"]["anchors"]
    assert mrl.make_agent(run / "agent", RULES).trained_against == set(SMALL["league"]["anchors"])
    assert config["about"]["steps"] == 60_416  # the last rollout is always whole


def test_the_model_card_marks_opponents_that_were_in_the_league(run):
    card = (run / "agent" / "README.md").read_text(encoding="utf-8")
    rows = {line.split("|")[1].strip() for line in card.splitlines() if line.startswith("| `")}
    assert rows == {"`greedy` *", "`minimax:depth=2` *", "`minimax:depth=4`"}
    assert "60,416 decisions" in card and str(RULES) in card and "- `uniform`: 0.2" in card


def test_an_anchor_of_weight_zero_is_no_opponent_in_training(tmp_path):
    league = {"anchors": {"uniform": 1, "greedy": 0}}
    path = write_config(tmp_path, steps=64, league=league, evaluation={"against": ["greedy"], "pairs": 3})
    agent = train(path, out=tmp_path / "run")
    card = (agent / "README.md").read_text(encoding="utf-8")
    assert "- `uniform`: 1" in card and "- `greedy`" not in card and "| `greedy` |" in card
    assert mrl.make_agent(agent, "kalah:pits=3,stones=2").trained_against == {"uniform"}
    about = json.loads((agent / "config.json").read_text(encoding="utf-8"))["about"]
    assert about["league_anchors"] == {"uniform": 1}


def card_of(tmp_path, evaluation=(), command=None, **changes) -> str:
    config = load_config(write_config(tmp_path, **changes))
    return model_card(config, mrl.variant(config.variant), 64, 5, {}, evaluation, command)


def test_the_card_describes_the_network_and_what_it_sees(tmp_path):
    one = card_of(tmp_path, network={"width": 16, "layers": 1}, observation="counts")
    assert (
        "A network of 1 hidden layer, 16 wide, reads the `counts` observation" in one and "it does not search." in one
    )
    two = card_of(tmp_path, network={"width": 16, "layers": 2}, observation="lookahead")
    assert "A network of 2 hidden layers, 16 wide" in two
    assert "does not search." not in two and "a three-ply search of each of its own pits" in two


def test_the_card_speaks_of_a_table_only_if_there_is_one(tmp_path):
    assert card_of(tmp_path).rstrip().endswith("How strong it is has not been measured.")
    row = {"opponent": "greedy", "score": 0.5, "pairs": 3}
    assert "against the opponents in the table above only" in card_of(tmp_path, [row])


def test_the_card_names_the_command_that_made_the_agent(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["mancala-rl", "train", "tiny.yaml", "--out", "my run"])
    agent = train(write_config(tmp_path, steps=64), out=tmp_path / "run")
    card = (agent / "README.md").read_text(encoding="utf-8")
    assert "Made with: `mancala-rl train tiny.yaml --out 'my run'`" in card.splitlines()
    assert "Made with" not in card_of(tmp_path)


def test_the_mark_goes_by_the_agents_own_name(tmp_path):
    league = {"anchors": {"minimax": 1}}
    path = write_config(tmp_path, steps=64, league=league, evaluation={"against": ["minimax:depth=4"], "pairs": 3})
    card = (train(path, out=tmp_path / "run") / "README.md").read_text(encoding="utf-8")
    assert "- `minimax:depth=4`: 1" in card and "| `minimax:depth=4` * |" in card


def test_the_run_folder_holds_what_was_asked_and_with_which_versions(run):
    assert load_config(run / "config.yaml").ppo.learning_rate == [3e-3, 2e-4]
    facts = json.loads((run / "run.json").read_text(encoding="utf-8"))
    assert facts["seed"] == 0 and facts["rules_hash"] == RULES.hash
    assert facts["versions"]["torch"] == importlib.metadata.version("torch")
    assert {"numpy", "numba", "torch", "stable-baselines3", "sb3-contrib"} <= facts["versions"].keys()
    assert len(list((run / "checkpoints").iterdir())) == 2  # one on the way and the last


SB3_TAGS = {
    "rollout/ep_rew_mean",
    "rollout/ep_len_mean",
    "time/fps",
    "train/learning_rate",
    "train/entropy_loss",
    "train/policy_gradient_loss",
    "train/value_loss",
    "train/approx_kl",
    "train/clip_fraction",
    "train/loss",
    "train/explained_variance",
    "train/clip_range",
}
EVALUATION_TAGS = {
    f"eval/{opponent}/{key}"
    for opponent in ("greedy", "minimax:depth=2", "minimax:depth=4")
    for key in ("score", "score_first", "score_second")
}


def test_tensorboard_events_hold_sb3s_tags_and_the_evaluations(run):
    logged = scalars(run)
    assert logged.keys() >= SB3_TAGS | EVALUATION_TAGS
    for tag in EVALUATION_TAGS:
        assert [step for step, _ in logged[tag]] == [25_600, 50_176, 60_416]
        assert all(0 <= value <= 1 for _, value in logged[tag])
    scores = dict(logged["eval/greedy/score"])
    first, second = dict(logged["eval/greedy/score_first"]), dict(logged["eval/greedy/score_second"])
    for step, score in scores.items():
        assert score == pytest.approx((first[step] + second[step]) / 2, abs=1e-6)
    assert len(logged["rollout/ep_rew_mean"]) == 59


def test_metrics_are_whole_lines_with_the_same_numbers(run):
    lines, logged = metrics(run), scalars(run)
    assert [line["step"] for line in lines] == sorted(line["step"] for line in lines)
    keys = set().union(*lines)
    assert keys >= (SB3_TAGS | EVALUATION_TAGS) - {"time/fps"} | {"rollout/games", "league/uniform/mean_reward"}
    for tag in ("train/approx_kl", "eval/greedy/score", "league/latest/mean_reward", "rollout/games"):
        told = [(line["step"], line[tag]) for line in lines if tag in line]
        assert len(told) > 2 and [step for step, _ in told] == [step for step, _ in logged[tag]]
        np.testing.assert_allclose([v for _, v in told], [v for _, v in logged[tag]], rtol=1e-5)
    assert all(math.isfinite(value) for line in lines for value in line.values() if value is not None)


def test_learning_rate_and_entropy_fall_linearly(tmp_path):
    path = write_config(tmp_path, steps=640, ppo={"n_steps": 8, "batch_size": 32, "learning_rate": [1e-2, 1e-3]})
    entropies = []

    class Watched(Training):
        def _learn(self):
            learner = self.model.train

            def watched():
                entropies.append(self.model.ent_coef)
                learner()

            self.model.train = watched
            super()._learn()

    folder = RunFolder.create(tmp_path / "run", load_config(path))
    Watched(folder).run_to_end()
    rates = [line["train/learning_rate"] for line in metrics(tmp_path / "run") if "train/learning_rate" in line]
    np.testing.assert_allclose(rates, [1e-3 + 9e-3 * (1 - k / 10) for k in range(1, 11)])
    np.testing.assert_allclose(entropies, [0.003 + 0.017 * (1 - k / 10) for k in range(1, 11)])


def test_equal_seeds_give_equal_runs_and_evaluation_does_not_disturb_them(tmp_path):
    often = {"every": 128, "pairs": 4, "against": ["uniform", "greedy", "minimax:depth=2"]}
    never = {"against": []}
    weights = {}
    for name, changes in {
        "often": {"evaluation": often},
        "never": {"evaluation": never},
        "other": {"evaluation": never, "seed": 1},
    }.items():
        train(write_config(tmp_path, steps=640, **changes), out=tmp_path / name)
        weights[name] = plain(newest_state(tmp_path / name)["model"])
    assert weights["often"] == weights["never"]
    assert weights["other"]["policy"] != weights["never"]["policy"]
    assert "Not evaluated during training." in (tmp_path / "never" / "agent" / "README.md").read_text(encoding="utf-8")


def test_a_run_that_diverges_stops_before_it_writes_a_checkpoint_of_it(tmp_path):
    rates = {"n_steps": 8, "batch_size": 32, "learning_rate": [1e30, 1e30]}
    path = write_config(tmp_path, ppo=rates, checkpoint={"every": 64, "keep": 2})
    with pytest.raises(RunError, match=r"the weights are no longer finite: train again with a lower ppo.learning_rate"):
        train(path, out=tmp_path / "run")
    assert list((tmp_path / "run" / "checkpoints").iterdir()) == []


def test_margin_reward_and_counts_train_too(tmp_path):
    agent = train(write_config(tmp_path, steps=128, reward="margin", observation="counts"), out=tmp_path / "run")
    player = mrl.make_agent(agent, "kalah:pits=3,stones=2")
    assert player.observation == "counts"


def test_the_pie_rule_trains_and_the_agent_may_swap(tmp_path):
    rules = mrl.variant("kalah:pits=3,stones=2,pie=true")
    agent = mrl.make_agent(train(write_config(tmp_path, steps=128, variant=str(rules)), out=tmp_path / "run"), rules)
    games = rules.batch(300)
    games.play(np.zeros(300, np.int64))
    agent.temperature = 50.0
    assert set(agent.act(games, np.arange(300)).tolist()) == {0, 1, 2, 3}


def test_an_export_replaces_an_older_agent_completely(run, tmp_path):
    agent = mrl.make_agent(run / "agent", RULES)
    shape = {"width": 48, "layers": 2, "levels": 12}
    for text in ("one", "two"):
        export_agent(tmp_path / "agent", RULES, agent.network, "tactical", shape, {}, text)
        (tmp_path / "agent" / "stale.txt").write_text("", encoding="utf-8") if text == "one" else None
    assert (tmp_path / "agent" / "README.md").read_text(encoding="utf-8") == "two"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["agent"]
    assert not (tmp_path / "agent" / "stale.txt").exists()


@pytest.mark.parametrize("step, expected", [(0, 10), (9, 10), (10, 20), (25, 30)])
def test_the_next_multiple_lies_after_the_step(step, expected):
    assert next_multiple(step, 10) == expected


def test_a_run_in_bfloat16_trains_and_its_agent_plays_in_float32(tmp_path):
    agent = train(write_config(tmp_path, precision="bfloat16"), out=tmp_path / "run")
    exact = train(write_config(tmp_path), out=tmp_path / "exact")
    weights = [load_file(folder / "model.safetensors") for folder in (agent, exact)]
    assert all(tensor.dtype == torch.float32 for tensor in weights[0].values())
    assert any(not torch.equal(tensor, weights[1][key]) for key, tensor in weights[0].items())
    rules = mrl.variant("kalah:pits=3,stones=2")
    player = mrl.make_agent(agent, rules)
    assert not player.network.features.halved
    assert evaluate(player, ["uniform"], rules, 5).results[0].games == 10
