"""One record a game: every game of a mixed batch is the game it would be in an environment of its own."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from hypothesis import given, settings
from hypothesis import strategies as st

from mancala_rl import MancalaVectorEnv, Rules, SelfPlayVectorEnv, variant
from mancala_rl.envs.observation import observe
from mancala_rl.envs.single import MancalaEnv
from mancala_rl.errors import AgentError, BadInputError
from mancala_rl.kernel.layout import MOVER
from tests.envs import replay
from tests.envs.batched import BOARDS, RECORDS, RECORDS_FOR_TWO, check_infos, every_mode, told, transcript


class Layout:
    """Where a game's own numbers stand in the observations and actions of a batch, as the docstrings say it."""

    def __init__(self, records: list[Rules], kind: str) -> None:
        self.kind = kind
        self.pits, self.players = max(r.pits for r in records), max(r.players for r in records)
        self.board = self.players * (self.pits + 1)
        extras = [
            (lambda r: r.pie, lambda players: 1),
            (lambda r: r.tuzdik, lambda players: players),
            (lambda r: r.resign and r.players > 2, lambda players: players),
        ]
        self.extras = [extra for extra in extras if any(map(extra[0], records))]
        tactics = 3 * self.players * self.pits * (kind != "counts")
        lookahead = self.pits * (kind == "lookahead")
        self.size = self.board + tactics + lookahead + sum(size(self.players) for _, size in self.extras)

    def kept(self, rules: Rules) -> list[int]:
        """The place of each number of the game's own observation."""
        turns, pits = range(rules.players), range(rules.pits)
        kept = [turn * (self.pits + 1) + i for turn in turns for i in [*pits, self.pits]]
        at = self.board
        if self.kind != "counts":
            kept += [at + 3 * (turn * self.pits + i) + j for turn in turns for i in pits for j in range(3)]
            at += 3 * self.players * self.pits
        if self.kind == "lookahead":
            kept += [at + i for i in pits]
            at += self.pits
        for has, size in self.extras:
            kept += [at + i for i in range(size(rules.players))] if has(rules) else []
            at += size(self.players)
        return kept

    def own(self, seen: np.ndarray, rules: Rules) -> list[int]:
        """The game's own observation; what it does not have must hold -1 on the board and 0 elsewhere."""
        kept = self.kept(rules)
        assert seen.shape == (self.size,)
        rest = sorted(set(range(self.size)) - set(kept))
        assert seen[rest].tolist() == [-1 if at < self.board else 0 for at in rest]
        return seen[kept].tolist()

    def action(self, action: int, rules: Rules) -> int:
        """The number that one of the game's own actions has in the batch."""
        return self.pits if action == rules.pits else action

    def mask(self, mask: np.ndarray, rules: Rules) -> list[int]:
        """The game's own mask; nothing it does not have is legal."""
        own = [*range(rules.pits), *[self.pits] * (rules.num_actions - rules.pits)]
        assert not np.delete(mask, own).any()
        return mask[own].tolist()


class Learners:
    """A mixed `MancalaVectorEnv` beside one `MancalaEnv` a game, which is reset when and as the mode says."""

    def __init__(self, specs: tuple[str, ...], count: int, mode: AutoresetMode, kind: str, **options: Any) -> None:
        self.records = [variant(spec) for spec in specs]
        self.layout, self.mode = Layout(self.records, kind), mode
        self.env = MancalaVectorEnv(specs, count, autoreset_mode=mode, observation=kind, **options)
        self.rules = [self.records[g % len(specs)] for g in range(count)]
        self.games = [MancalaEnv(rules, observation=kind, **options) for rules in self.rules]
        self.waits = np.zeros(count, np.bool_)
        self.facts: Counter[str] = Counter()

    def reset(self, seed: int) -> None:
        observations, infos = self.env.reset(seed=seed)
        for g, game in enumerate(self.games):
            self.check(g, observations[g], infos, *game.reset(seed=seed + g))

    def check(self, g: int, seen: np.ndarray, infos: dict[str, Any], own: np.ndarray, info: dict[str, Any]) -> None:
        rules = self.rules[g]
        assert self.layout.own(seen, rules) == own.tolist()
        assert self.layout.mask(infos["action_mask"][g], rules) == info["action_mask"].tolist()
        assert infos["scores"][g].tolist() == [*info["scores"], *[0] * (self.layout.players - rules.players)]
        for name in ("extra_turn", "captured", "decided", "ply", "seat"):
            assert infos[name][g] == info[name], name
        assert ("illegal_move" in infos and bool(infos["illegal_move"][g])) == ("illegal_move" in info)
        assert infos["record"][g] == g % len(self.records)

    def step(self, rng: np.random.Generator) -> None:
        env = self.env
        if self.mode == AutoresetMode.DISABLED and self.waits.any():
            observations, infos = env.reset(options={"reset_mask": self.waits})
            for g in np.flatnonzero(self.waits).tolist():
                self.check(g, observations[g], infos, *self.games[g].reset())
            self.waits[:] = False
        actions = [self.choose(g, rng) for g in range(len(self.games))]
        moves = np.array([self.layout.action(a, rules) for a, rules in zip(actions, self.rules, strict=True)])
        observations, rewards, ended, cut_off, infos = env.step(moves)
        check_infos(infos, env.num_envs, int(env.single_action_space.n), self.layout.players, "seat")
        for g, game in enumerate(self.games):
            if self.waits[g] and self.mode == AutoresetMode.NEXT_STEP:
                assert (rewards[g], ended[g], cut_off[g]) == (0, False, False)
                self.check(g, observations[g], infos, *game.reset())
                self.waits[g] = False
                continue
            seen, reward, *ends, info = game.step(actions[g])
            assert (reward, *ends) == (rewards[g], ended[g], cut_off[g])
            self.facts["illegal"] += "illegal_move" in info
            self.waits[g] = over = any(ends)
            self.facts[str(game.rules)] += over
            if over and self.mode == AutoresetMode.SAME_STEP:
                self.check(g, infos["final_obs"][g], infos["final_info"], seen, info)
                seen, info = game.reset()
            self.check(g, observations[g], infos, seen, info)

    def choose(self, g: int, rng: np.random.Generator) -> int:
        if self.waits[g] or rng.random() < 0.03:
            return int(rng.integers(self.rules[g].num_actions))
        return int(rng.choice(np.flatnonzero(self.games[g].action_masks())))


KINDS = {
    "boards": ("counts", BOARDS),
    "counts": ("counts", RECORDS),
    "tactical": ("tactical", RECORDS),
    "lookahead": ("lookahead", RECORDS_FOR_TWO),
}
every_kind = pytest.mark.parametrize("kind, specs", KINDS.values(), ids=KINDS)


@every_mode
@every_kind
def test_every_game_of_a_mixed_batch_is_the_game_of_its_own_environment(kind, specs, mode):
    count = 2 * len(specs) + 3
    learners, rng = Learners(specs, count, mode, kind, opening_plies=(0, 2)), np.random.default_rng(0)
    learners.reset(seed=5)
    for _ in range(30):
        learners.step(rng)
    assert learners.facts["illegal"] > 0
    assert all(learners.facts[str(rules)] > 0 for rules in learners.records)


@pytest.mark.parametrize("opponent", ["greedy", "uniform"])
def test_opponents_move_by_the_numbers_of_their_own_rules(opponent):
    specs = ("kalah:pits=2,stones=2,pie=true", "kalah:pits=5,stones=1,pie=true", "mangala:pits=7,stones=1")
    learners = Learners(specs, 6, AutoresetMode.SAME_STEP, "counts", opponent=opponent)
    learners.reset(seed=0)
    for _ in range(30):
        learners.step(np.random.default_rng(0))


class Swaps:
    """Always answers the number that swaps in games of seven pits."""

    name = "swaps"

    def __init__(self, rules):
        self.rules = rules

    def act(self, batch, seeds):
        return np.full(len(batch), 7, np.int64)


def test_a_number_that_is_an_action_in_other_games_only_is_an_opponents_fault(monkeypatch):
    specs = ("kalah:pits=3,stones=2,pie=true", "kalah:pits=7,stones=2,pie=true")
    env = MancalaVectorEnv(specs, 2, seat=0)
    monkeypatch.setattr(env, "_opponents", [(Swaps(variant(spec)),) for spec in specs])
    env.reset(seed=0)
    with pytest.raises(AgentError, match=r"opponent swaps chose 7 in .*; legal moves: 0, 1, 2, 3"):
        env.step([0, 0])
    alone = MancalaVectorEnv(specs[1], 1, seat=0, opponent=Swaps(variant(specs[1])))
    alone.reset(seed=0)
    alone.step([0])
    assert alone.position(0).ply == 2, "there it swaps"


def test_an_action_that_a_game_does_not_have_loses_it():
    env = SelfPlayVectorEnv(["kalah:pits=2,stones=2", "kalah:pits=4,stones=3,pie=true"], 2, autoreset_mode="DISABLED")
    env.reset(seed=0)
    assert env.single_action_space.n == 5
    assert env.action_masks().tolist() == [[True, True, False, False, False], [True] * 4 + [False]]
    _, rewards, ended, _, infos = env.step([4, 0])
    assert (rewards[0].tolist(), ended.tolist()) == ([-1, 1], [True, False])
    assert infos["illegal_move"].tolist() == [True, False]
    assert infos["action_mask"].tolist() == [[0] * 5, [1, 1, 1, 1, 1]], "the second game may swap now"


# Seats of every game


class Replayed:
    """A mixed `SelfPlayVectorEnv`, every game replayed on `Position`."""

    def __init__(self, rules: list[Rules], count: int, kind: str, **options: Any) -> None:
        self.records, self.layout, self.kind = rules, Layout(rules, kind), kind
        self.env = SelfPlayVectorEnv(rules, count, observation=kind, **options)
        self.positions = []
        self.facts: Counter[str] = Counter()

    def reset(self, seed: int) -> None:
        observations, infos = self.env.reset(seed=seed)
        self.positions = [self.env.position(g) for g in range(self.env.num_envs)]
        for g, position in enumerate(self.positions):
            assert position.rules == self.records[infos["record"][g]]
            self.check(g, observations[g], infos)

    def check(self, g: int, seen: np.ndarray, infos: dict[str, Any]) -> None:
        position = self.positions[g]
        own, seat = self.layout.own(seen, position.rules), int(position.row[position.rules.num_cells + MOVER])
        if self.kind == "lookahead":
            assert own == observe(position.row[None], np.array([seat]), "lookahead", position.rules)[0].tolist()
        else:
            assert own == replay.seen(position, seat, self.kind)
        mask = self.layout.mask(infos["action_mask"][g], position.rules)
        assert np.flatnonzero(mask).tolist() == list(position.legal_moves)
        assert infos["to_move"][g] == (-1 if position.is_over else position.to_move)
        assert infos["scores"][g].tolist()[: position.rules.players] == list(position.scores)
        assert (infos["ply"][g], infos["captured"][g]) == (position.ply, position.captured)
        assert (infos["extra_turn"][g], infos["decided"][g]) == (position.extra_turn, position.decided)

    def step(self) -> None:
        moves = self.env.sample_actions()
        observations, rewards, ended, cut_off, infos = self.env.step(moves)
        for g, before in enumerate(self.positions):
            rules = before.rules
            after = self.positions[g] = before.play(rules.pits if moves[g] == self.layout.pits else int(moves[g]))
            then, now = ([replay.worth(p, seat, "outcome") for seat in range(rules.players)] for p in (before, after))
            paid = [*np.subtract(now, then), *[0.0] * (self.layout.players - rules.players)]
            assert rewards[g].tolist() == pytest.approx(paid)
            assert (ended[g], cut_off[g]) == (after.is_over and not after.truncated, after.truncated)
            if after.is_over:
                self.facts[str(rules)] += 1
                assert infos["final_info"]["record"][g] == self.records.index(rules)
                self.check(g, infos["final_obs"][g], infos["final_info"])
                self.positions[g] = self.env.position(g)
                assert self.positions[g].rules == self.records[infos["record"][g]]
            self.check(g, observations[g], infos)


@every_kind
@pytest.mark.parametrize("choice", ["cycle", "random"])
def test_every_seat_of_a_mixed_batch_is_shown_its_own_game(choice, kind, specs):
    replayed = Replayed([variant(spec) for spec in specs], len(specs) + 2, kind, records=choice, first="random")
    replayed.reset(seed=3)
    for _ in range(30):
        replayed.step()
    assert len(replayed.facts) > 2


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32 - 1), kind=st.sampled_from(["counts", "tactical"]), threads=st.integers(1, 2))
def test_records_of_any_kind_can_be_mixed(seed, kind, threads):
    rng = np.random.default_rng(seed)
    records = [Rules.sample(rng, pits=(1, 6), stones=(1, 5), name=f"sampled{n}") for n in range(4)]
    replayed = Replayed(records, 5, kind, records="random", opening_plies=(0, 2), threads=threads)
    replayed.reset(seed=seed)
    for _ in range(12):
        replayed.step()


@every_kind
def test_the_spaces_of_a_mixed_batch_hold_what_is_shown(kind, specs):
    env = SelfPlayVectorEnv(specs, 9, observation=kind)
    assert env.single_observation_space.shape == (Layout(list(env.records), kind).size,)
    observations, _ = env.reset(seed=0)
    for _ in range(30):
        assert env.observation_space.contains(observations)
        actions = env.sample_actions()
        assert env.action_space.contains(actions)
        observations, rewards, *_ = env.step(actions)
        assert env.reward_space.contains(rewards)


def test_one_record_of_many_is_padded_like_no_record_at_all():
    """A list with one record, or with the same record twice, shows what the record alone shows."""
    spec = "kalah:pits=3,stones=2,pie=true"
    alone, one, twice = (SelfPlayVectorEnv(rules, 4) for rules in (spec, [spec], (spec, spec)))
    for env in (alone, one, twice):
        env.reset(seed=1)
    views = [transcript(env, 15) for env in (alone, one, twice)]
    assert views[0] == views[1]
    for view, other in zip(views[0], views[2], strict=True):
        assert view[:4] == other[:4]
        assert set(other[4]) - set(view[4]) == {"record", "_record"}


# Which record an episode has


def test_records_in_turn_stay_where_they_are():
    env = SelfPlayVectorEnv(RECORDS, 10)
    _, infos = env.reset(seed=0)
    assert infos["record"].tolist() == [0, 1, 2, 3, 4, 5, 6, 0, 1, 2]
    for _ in range(30):
        infos = env.step(env.sample_actions())[4]
        assert infos["record"].tolist() == [0, 1, 2, 3, 4, 5, 6, 0, 1, 2]
    assert env.reset()[1]["record"].tolist() == [0, 1, 2, 3, 4, 5, 6, 0, 1, 2]


def drawn_records(seed, steps=30):
    env = MancalaVectorEnv(RECORDS, 12, records="random")
    first = env.reset(seed=seed)[1]["record"].tolist()
    return [first, *(env.step(env.sample_actions())[4]["record"].tolist() for _ in range(steps))]


def test_records_drawn_for_every_episode_are_fixed_by_the_seed():
    assert drawn_records(1) == drawn_records(1) != drawn_records(2)
    assert {record for step in drawn_records(1) for record in step} == set(range(len(RECORDS)))


def test_a_record_is_drawn_when_a_game_starts_and_at_no_other_time():
    env = SelfPlayVectorEnv(RECORDS, 16, records="random", autoreset_mode="NEXT_STEP")
    records, changed, waits = env.reset(seed=0)[1]["record"], 0, np.zeros(16, np.bool_)
    for _ in range(40):
        _, _, ended, cut_off, infos = env.step(env.sample_actions())
        assert (infos["record"] == records)[~waits].all()
        changed += int((infos["record"] != records).sum())
        records, waits = infos["record"], ended | cut_off
    assert changed > 10


def test_a_given_position_is_one_of_the_record_that_a_game_has():
    env = SelfPlayVectorEnv(RECORDS_FOR_TWO[:2], 4, records="random")
    records = env.reset(seed=1)[1]["record"]
    assert len(set(records.tolist())) == 2
    starts = [variant(RECORDS_FOR_TWO[record]).start().play(0) for record in records]
    _, infos = env.reset(options={"position": starts})
    assert (infos["record"] == records).all()
    assert [env.position(g) for g in range(4)] == starts
    before = told(env.get_state())
    with pytest.raises(BadInputError, match="expected a position of"):
        env.reset(options={"position": starts[0]})
    assert told(env.get_state()) == before


def test_a_record_of_rules_and_their_spec_are_the_same():
    specs = RECORDS[:3]
    one, other = SelfPlayVectorEnv(specs, 4), SelfPlayVectorEnv([variant(spec) for spec in specs], 4)
    assert one.records == other.records == tuple(map(variant, specs))
    assert one.rules == variant(specs[0])
    assert told(one.reset(seed=0)) == told(other.reset(seed=0))


def test_options_change_all_records():
    env = SelfPlayVectorEnv(["kalah", "oware"], 2, pits=4, stones=2)
    assert [(rules.name, rules.pits, rules.stones) for rules in env.records] == [("kalah", 4, 2), ("oware", 4, 2)]
