"""MaskablePPO trains on every two-player variant, and on three players, without ever leaving its mask."""

from __future__ import annotations

import pytest
import yaml

from mancala_rl import VARIANTS, make_agent, variant
from mancala_rl.arena import evaluate
from mancala_rl.envs.sb3 import SelfPlayVecEnv
from mancala_rl.errors import ConfigError
from mancala_rl.learning import train
from mancala_rl.learning.config import load_config
from tests.learning.runs import TINY, metrics, newest_state, write_config

SMOKE = {
    "steps": 2000,
    "games": 16,
    "ppo": {"n_steps": 16, "batch_size": 64, "n_epochs": 1},
    "evaluation": {"every": 10**6, "pairs": 5, "against": []},
    "checkpoint": {"every": 1000, "keep": 2},
}
THREE = "japanese:players=3,pits=3,stones=2"
FAST = ["oware:pits=3,stones=2", THREE]
SWEEP = [
    *VARIANTS,
    "japanese:players=3",
    "japanese:players=4,pits=4,resign=true",
    "japanese:resign=true",
    "oware:repetition=0,max_plies=100",
]


def league(spec):
    """Opponents that this variant has: there is no minimax for three."""
    anchors = {"uniform": 0.2, "greedy": 0.2} | ({"minimax:depth=2": 0.1} if variant(spec).players == 2 else {})
    return TINY["league"] | {"anchors": anchors, "snapshot_every": 400}


def smoke(folder, spec, monkeypatch, **changes):
    """Train for a moment, with an error instead of a lost game if a move is illegal; return the run."""

    def complain(env, games):
        raise AssertionError(f"illegal moves in games {games} of {env.rules}")

    monkeypatch.setattr(SelfPlayVecEnv, "_forfeit", complain)
    config = write_config(folder, variant=spec, league=league(spec), **(SMOKE | changes))
    train(config, out=folder / "run")
    return folder / "run"


def check(run, spec, steps):
    rules = variant(spec)
    assert newest_state(run)["model"]["num_timesteps"] >= steps
    assert max(line.get("rollout/games", 0) for line in metrics(run)) > 10
    agent = make_agent(run / "agent", rules)
    batch = rules.batch(4)
    moves = agent.act(batch, batch.to_move)
    assert batch.legal()[range(4), moves].all()
    if rules.players == 2:
        assert 0 <= evaluate(agent, ["uniform"], rules, 5).results[0].score <= 1


@pytest.mark.parametrize("spec", FAST)
def test_a_run_keeps_to_its_mask(tmp_path, monkeypatch, spec):
    check(smoke(tmp_path, spec, monkeypatch), spec, 2000)


@pytest.mark.slow
@pytest.mark.parametrize("spec", SWEEP)
def test_a_run_on_every_variant_keeps_to_its_mask(tmp_path, monkeypatch, spec):
    check(smoke(tmp_path, spec, monkeypatch, steps=6000), spec, 6000)


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"variant": THREE}, f"evaluation.against: pairs of games need two players, {THREE} has 3; expected []"),
        ({"variant": "japanese", "reward": "margin"}, "reward='margin': japanese is not won by stones"),
        (
            {"variant": THREE, "observation": "lookahead", "evaluation": {"against": []}},
            "observation='lookahead': expected rules for two players",
        ),
    ],
)
def test_what_cannot_be_trained_is_named(tmp_path, changes, message):
    path = tmp_path / "run.yaml"
    path.write_text(yaml.safe_dump({"steps": 1000, **changes}), encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert message in str(caught.value)


def test_opponents_for_two_are_refused_with_three(tmp_path):
    config = write_config(tmp_path, variant=THREE, **SMOKE, league={"anchors": {"kalah_ppo": 1.0}})
    with pytest.raises(ConfigError, match=r"league.anchors: .*trained for kalah"):
        train(config, out=tmp_path / "run")
