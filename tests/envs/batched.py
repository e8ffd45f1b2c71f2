"""Batched environments beside environments of one game: rules to drive them with, and what has to be the same."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from mancala_rl import VARIANTS, Rules
from mancala_rl.envs.single import MancalaEnv
from mancala_rl.envs.vector import MancalaVectorEnv

every_mode = pytest.mark.parametrize("mode", list(AutoresetMode), ids=[mode.value for mode in AutoresetMode])

SMALL = [f"{name}:pits=3,stones=2" for name in VARIANTS]
# Stones go round and nothing is ever captured: only the window of its repetition rule ends such a game.
CIRCLING = Rules(name="circling", pits=6, stones=4, sow_stores="none", extra_turn="none", capture="none", repetition=3)
# Boards of three sizes, two to four players, every part that an observation can end with, swaps and giving up.
RECORDS = (
    "kalah:pits=3,stones=2,pie=true",
    "oware:pits=4,stones=2",
    "japanese:players=3,pits=2,stones=2,resign=true",
    "toguz_korgool:pits=3,stones=3",
    "congkak:pits=4,stones=2",
    "japanese:players=4,pits=2,stones=1",
    "mangala:pits=2,stones=3",
)
# Sizes as different, and nothing but boards in what is seen.
BOARDS = (
    "kalah:pits=3,stones=2",
    "japanese:players=3,pits=2,stones=2",
    "oware:pits=4,stones=2",
    "mangala:pits=2,stones=3",
)
RECORDS_FOR_TWO = tuple(spec for spec in RECORDS if "players" not in spec)

# What infos hold beside `final_obs` and `final_info`.
ENTRIES = {
    "action_mask": np.int8,
    "scores": np.int64,
    "extra_turn": np.bool_,
    "captured": np.int64,
    "decided": np.bool_,
    "ply": np.int64,
}


def told(value: Any) -> Any:
    """Whatever an environment returns as plain values that `==` compares and JSON can hold."""
    if isinstance(value, dict):
        return {key: told(item) for key, item in value.items()}
    if isinstance(value, tuple | list) or (isinstance(value, np.ndarray) and value.dtype == object):
        return [told(item) for item in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


def next_actions(env: Any, number: int) -> np.ndarray:
    """One legal action a game that depends on nothing but what is legal there; 0 where nothing is."""
    masks = env.action_masks()
    counts = masks.sum(axis=1)
    actions = np.zeros(len(masks), np.int64)
    for g in np.flatnonzero(counts).tolist():
        actions[g] = np.flatnonzero(masks[g])[(number + 3 * g) % counts[g]]
    return actions


def transcript(env: Any, steps: int, first: int = 0) -> list[Any]:
    """What `steps` steps return, as plain values; what has ended is started again where nothing else does so."""
    views = []
    for number in range(first, first + steps):
        views.append(told(env.step(next_actions(env, number))))
        done = np.array(views[-1][2]) | np.array(views[-1][3])
        if env.autoreset_mode == AutoresetMode.DISABLED and done.any():
            views.append(told(env.reset(options={"reset_mask": done})))
    return views


def check_infos(infos: dict[str, Any], count: int, actions: int, players: int, seat: str) -> None:
    """Names, shapes and types of the entries of infos are those that the docstrings name."""
    shapes = {"action_mask": (count, actions), "scores": (count, players)}
    known = {**ENTRIES, seat: np.int64}
    for name, kind in known.items():
        assert infos[name].dtype == kind and infos[name].shape == shapes.get(name, (count,)), name
        assert infos[f"_{name}"].dtype == np.bool_ and infos[f"_{name}"].shape == (count,), name
    others = {name for name in infos if not name.startswith("_")} - set(known)
    assert others <= {"illegal_move", "final_obs", "final_info", "record"}
    for name in others - {"final_info", "final_obs"}:
        assert infos[name].shape == infos[f"_{name}"].shape == (count,)
    if "final_obs" in others:
        assert infos["final_obs"].dtype == object
        assert [view is not None for view in infos["final_obs"]] == infos["_final_obs"].tolist()
        assert (infos["_final_obs"] == infos["_final_info"]).all()
        check_infos(infos["final_info"], count, actions, players, seat)


def same_infos(own: dict[str, Any], other: dict[str, Any], *, partly: bool = False) -> None:
    """Infos of a batched environment and those that Gymnasium gathers from environments of one game are the same.

    With `partly`, the others are those of some games only, and what they lack is not looked at.
    """
    extra = {"illegal_move", "_illegal_move"} if partly else set()
    assert set(own) - extra == set(other) - extra
    for name in (name for name in other if not name.startswith("_")):
        whom = other[f"_{name}"]
        if not partly:
            assert (own[f"_{name}"] == whom).all(), name
        if name == "final_info":
            same_infos(own[name], other[name])
        elif name == "final_obs":
            for mine, yours in zip(own[name], other[name], strict=True):
                assert (mine is None) == (yours is None)
                assert mine is None or (mine.dtype == yours.dtype and (mine == yours).all())
        else:
            yours = np.array(other[name][whom].tolist())  # scores are objects there: a tuple a game
            assert (own[name][whom] == yours).all(), name


class Twins:
    """A `MancalaVectorEnv` beside as many environments of one game in Gymnasium's own `SyncVectorEnv`.

    Every call goes to both, and whatever comes back is compared.
    """

    def __init__(self, rules: Rules | str, count: int, mode: AutoresetMode, **options: Any) -> None:
        self.mode = mode
        self.own = MancalaVectorEnv(rules, count, autoreset_mode=mode, **options)
        self.others = SyncVectorEnv([lambda: MancalaEnv(rules, **options)] * count, autoreset_mode=mode)
        self.done = np.zeros(count, np.bool_)
        self.facts: Counter[str] = Counter()

    def reset(self, seed: Any = None, **options: Any) -> None:
        observations, infos = self.own.reset(seed=seed, options=dict(options))
        theirs, their_infos = self.others.reset(seed=seed, options=dict(options))  # takes reset_mask out
        assert observations.dtype == theirs.dtype and (observations == theirs).all()
        mask = options.get("reset_mask", np.ones(len(self.done), np.bool_))
        same_infos(infos, their_infos, partly=not mask.all())
        self._check(infos)
        self.done &= ~mask

    def step(self, actions: np.ndarray) -> None:
        returned, theirs = self.own.step(actions), self.others.step(actions)
        for mine, yours in zip(returned[:4], theirs[:4], strict=True):
            assert mine.dtype == yours.dtype and (mine == yours).all()
        same_infos(returned[4], theirs[4])
        self._check(returned[4])
        rewards, ended, cut_off = returned[1:4]
        self.done = ended | cut_off
        last = returned[4].get("final_info", returned[4])
        self.facts.update(
            ended=int(ended.sum()),
            cut_off=int(cut_off.sum()),
            won=int((rewards > 0).sum()),
            lost=int((rewards < 0).sum()),
            illegal=int(last.get("illegal_move", np.zeros(1)).sum()),
            steps=1,
        )

    def play(self, steps: int, rng: np.random.Generator, illegal: float = 0.1) -> None:
        """Take so many steps of random legal moves, one of them now and then replaced by any action at all."""
        for _ in range(steps):
            if self.mode == AutoresetMode.DISABLED and self.done.any():
                self.reset(reset_mask=self.done)
            actions = self.own.sample_actions()
            if rng.random() < illegal:
                actions[rng.integers(len(actions))] = rng.integers(self.own.single_action_space.n)
            self.step(actions)

    def _check(self, infos: dict[str, Any]) -> None:
        env = self.own
        check_infos(infos, env.num_envs, int(env.single_action_space.n), env.rules.players, "seat")
        assert (env.action_masks() == (infos["action_mask"] > 0)).all()
        assert [env.position(g) for g in range(env.num_envs)] == list(self.others.get_attr("position"))
