"""`SelfPlayVectorEnv` beside AEC environments, one a game, that begin where it begins and are given the same moves."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from hypothesis import given, settings
from hypothesis import strategies as st

import mancala_rl
from mancala_rl import Rules, variant
from mancala_rl.envs.observation import KINDS
from mancala_rl.envs.vector import SelfPlayVectorEnv
from mancala_rl.errors import CallOrderError, IllegalMoveError
from tests.envs import replay
from tests.envs.batched import CIRCLING, ENTRIES, SMALL, check_infos, every_mode, told

THREE, FOUR = "japanese:players=3,pits=2,stones=2", "japanese:players=4,pits=2,stones=2"
# No variant has a winner by stones among four, but a record can.
STORES_OF_FOUR = Rules(
    name="stores", players=4, pits=2, stones=2, sow_stores="own", extra_turn="own_store", capture="none"
)
MIXES = [
    ("kalah", {}),
    ("kalah:pits=3,stones=2,pie=true", {"opening_plies": (0, 4), "first": "random", "observation": "tactical"}),
    ("kalah:pits=3,stones=3", {"reward": "margin", "first": 1}),
    ("kalah:pits=3,stones=2", {"observation": "lookahead"}),
    ("oware:pits=3,stones=3,max_plies=9", {"observation": "tactical", "reward": "margin"}),
    ("toguz_korgool:pits=3,stones=4", {"observation": "tactical", "opening_plies": (2, 2)}),
    ("japanese:pits=3,stones=2,resign=true", {"first": "random"}),
    (THREE, {"observation": "tactical", "first": 2}),
    ("japanese:players=3,pits=2,stones=1", {"opening_plies": (0, 6), "first": "random"}),
    (f"{THREE},play_out=false", {}),
    (f"{FOUR},resign=true", {"observation": "tactical", "opening_plies": (0, 12)}),
    (f"{FOUR},max_plies=12", {"first": "random"}),
    (STORES_OF_FOUR, {"reward": "margin", "observation": "tactical"}),
    (STORES_OF_FOUR, {"opening_plies": (0, 5)}),
]


class Seats:
    """One AEC environment beside every game of a `SelfPlayVectorEnv`; every step is compared."""

    def __init__(self, rules: Rules | str, count: int, mode: AutoresetMode, **options: Any) -> None:
        self.env = SelfPlayVectorEnv(rules, count, autoreset_mode=mode, **options)
        shared = {key: value for key, value in options.items() if key in ("observation", "reward")}
        self.games = [mancala_rl.env(rules, **shared) for _ in range(count)]
        self.players, self.mode = self.env.rules.players, mode
        self.paid = np.zeros((count, self.players))
        self.waits = np.zeros(count, np.bool_)
        self.facts: Counter[str] = Counter()

    def reset(self, seed: int | None = None, **options: Any) -> None:
        observations, infos = self.env.reset(seed=seed, options=dict(options))
        mask = options.get("reset_mask", np.ones(len(self.games), np.bool_))
        self._check_shapes(infos)
        for g in np.flatnonzero(mask).tolist():
            self.begin(g)
        for g in np.flatnonzero(~self.waits).tolist():
            self.check_turn(g, observations[g], infos)

    def begin(self, g: int) -> None:
        self.games[g].reset(options={"position": self.env.position(g)})
        self.facts["out at the start"] += len(self.games[g].agents) < self.players
        self.paid[g] = 0
        self.waits[g] = False

    def step(self, actions: np.ndarray) -> None:
        observations, rewards, ended, cut_off, infos = self.env.step(actions)
        self._check_shapes(infos)
        assert rewards.dtype == np.float64 and rewards.shape == (len(self.games), self.players)
        assert ended.dtype == cut_off.dtype == np.bool_ and ended.shape == cut_off.shape == (len(self.games),)
        assert ("final_obs" in infos) == (self.mode == AutoresetMode.SAME_STEP and (ended | cut_off).any())
        for g in range(len(self.games)):
            if self.waits[g]:
                assert not rewards[g].any() and not ended[g] and not cut_off[g]
                self.begin(g)
            elif self.play(g, actions[g], rewards[g], ended[g], cut_off[g]):
                self.end(g, observations[g], infos)
                continue
            self.check_turn(g, observations[g], infos)

    def play(self, g: int, action: int, rewards: np.ndarray, ended: bool, cut_off: bool) -> bool:
        """Make the same move in the AEC environment and return whether its game is over."""
        game = self.games[g]
        game.step(int(action))
        told_now = np.zeros(self.players)
        for agent, value in game.rewards.items():
            told_now[game.possible_agents.index(agent)] = value
        assert rewards.tolist() == told_now.tolist(), game.position
        assert self.env.reward_space.contains(np.where(np.arange(len(self.games))[:, None] == g, rewards, 0.0))
        self.paid[g] += rewards
        dead = [game.terminations[agent] or game.truncations[agent] for agent in game.agents]
        assert (ended or cut_off) == all(dead)
        assert cut_off == (all(dead) and game.position.truncated)
        if not all(dead):
            self.facts["left"] += any(dead)
            while game.terminations[game.agent_selection]:
                game.step(None)
        return all(dead)

    def end(self, g: int, observation: np.ndarray, infos: dict[str, Any]) -> None:
        """Compare the end of a game, and begin the next one where it has begun."""
        game, illegal = self.games[g], "illegal_move" in self.games[g].infos[self.games[g].agents[0]]
        self.facts["illegal" if illegal else "ended"] += 1
        self.facts["cut off"] += game.position.truncated
        if len(game.possible_agents) == 2 or not self.facts["out at the start"]:
            assert self.paid[g].sum() == pytest.approx(0)
        last, shown = infos, observation
        if self.mode == AutoresetMode.SAME_STEP:
            last, shown = infos["final_info"], infos["final_obs"][g]
        assert (shown == game.observe(game.agent_selection)["observation"]).all()
        assert last["to_move"][g] == -1 and not last["action_mask"][g].any()
        assert ("illegal_move" in last and bool(last["illegal_move"][g])) == illegal
        self.check_told(g, last)
        if self.mode == AutoresetMode.SAME_STEP:
            self.begin(g)
            self.check_turn(g, observation, infos)
        else:
            self.waits[g] = True
            assert self.env.to_move[g] == -1 and not self.env.action_masks()[g].any()
            assert self.env.position(g) == game.position

    def check_turn(self, g: int, observation: np.ndarray, infos: dict[str, Any]) -> None:
        """Compare a game in which somebody is to move."""
        game = self.games[g]
        seen = game.observe(game.agent_selection)
        assert (observation == seen["observation"]).all()
        assert (infos["action_mask"][g] == seen["action_mask"]).all()
        assert (self.env.action_masks()[g] == (seen["action_mask"] > 0)).all()
        seat = game.possible_agents.index(game.agent_selection)
        assert infos["to_move"][g] == self.env.to_move[g] == seat
        assert self.env.position(g) == game.position
        self.check_told(g, infos)

    def check_told(self, g: int, infos: dict[str, Any]) -> None:
        info = self.games[g].infos[self.games[g].agent_selection]
        for name in set(ENTRIES) - {"action_mask"}:
            assert np.array_equal(infos[name][g], info[name]), name

    def _check_shapes(self, infos: dict[str, Any]) -> None:
        env = self.env
        check_infos(infos, env.num_envs, int(env.single_action_space.n), self.players, "to_move")

    def run(self, steps: int, rng: np.random.Generator, illegal: float = 0.15) -> None:
        for _ in range(steps):
            if self.mode == AutoresetMode.DISABLED and self.waits.any():
                self.reset(reset_mask=self.waits.copy())
            actions = self.env.sample_actions()
            if rng.random() < illegal:
                actions[rng.integers(len(actions))] = rng.integers(self.env.single_action_space.n)
            self.step(actions)


@every_mode
@pytest.mark.parametrize("spec", SMALL)
def test_every_variant_is_played_as_in_the_aec_environment(spec, mode):
    seats = Seats(spec, 4, mode)
    seats.reset(seed=1)
    seats.run(100, np.random.default_rng(0), illegal=0.4)
    assert seats.facts["ended"] > 3 and seats.facts["illegal"] > 0


@every_mode
@pytest.mark.parametrize("rules, options", MIXES, ids=str)
def test_every_option_means_the_same(rules, options, mode):
    seats = Seats(rules, 4, mode, **options)
    seats.reset(seed=2)
    seats.run(90, np.random.default_rng(1))
    spec = str(rules)
    assert seats.facts["ended"] > 2
    assert (seats.facts["cut off"] > 0) == ("max_plies" in spec)
    if "japanese:players" in spec and "play_out=false" not in spec and "max_plies" not in spec:
        assert seats.facts["left"] > 0, "some players leave while others play on"
        assert (seats.facts["out at the start"] > 0) == ("opening_plies" in options)


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32 - 1), mode=st.sampled_from(list(AutoresetMode)), kind=st.sampled_from(KINDS[:2]))
def test_rules_of_any_kind_are_played_as_in_the_aec_environment(seed, mode, kind):
    rng = np.random.default_rng(seed)
    rules = Rules.sample(rng, pits=(1, 6), stones=(1, 5))
    reward = "margin" if rules.goal == "most" and rng.random() < 0.5 else "outcome"
    seats = Seats(rules, 3, mode, observation=kind, reward=reward, opening_plies=(0, int(rng.integers(6))))
    seats.reset(seed=seed)
    seats.run(20, rng)


@every_mode
def test_games_that_only_a_repetition_rule_ends_are_cut_off_alike(mode):
    seats = Seats(CIRCLING, 2, mode)
    seats.reset(seed=0)
    seats.run(270, np.random.default_rng(0), illegal=0)
    assert seats.facts["cut off"] > 0


@every_mode
def test_resets_in_mid_run_do_the_same(mode):
    seats, rng = Seats("kalah:pits=3,stones=2", 4, mode, opening_plies=(0, 3)), np.random.default_rng(0)
    start = variant("kalah:pits=3,stones=2").start()
    positions = [start, "1,2,0+3/2,2,1+1 1", start.play(1), start.play(0).play(0)]
    for options in (
        {"seed": 3},
        {},
        {"reset_mask": np.array([True, False, False, True])},
        {"position": positions},
        {"position": tuple(positions), "reset_mask": np.array([False, True, False, True])},
        {"position": positions[1]},
        {"first": 1},
        {"first": "random", "seed": 4},
    ):
        seats.reset(**options)
        if isinstance(options.get("position"), list):
            assert [seats.env.position(g) for g in (0, 2, 3)] == [positions[g] for g in (0, 2, 3)]
            assert str(seats.env.position(1)) == positions[1]
        seats.run(8, rng)


def test_an_illegal_move_of_a_player_is_shared_out_among_those_who_still_play():
    env = SelfPlayVectorEnv("japanese:players=4,pits=2,stones=2,resign=true", 1, autoreset_mode="DISABLED")
    env.reset()
    rewards = [env.step([2])[1].tolist()[0] for _ in range(2)]  # two give up
    assert rewards == [[-1, 0, 0, 0], [0, pytest.approx(-1 / 3), 0, 0]]
    while env.action_masks().all():
        env.step([0])
    loser = env.to_move[0]
    rewards = env.step([int(env.action_masks()[0].argmin())])[1]
    assert rewards[0, loser] == -1 and not rewards[0, :2].any()
    assert rewards[0, 5 - loser] == pytest.approx(1 + 1 + 1 / 3)
    assert env.reward_space.contains(rewards)


def test_what_the_last_game_paid_is_not_overwritten_by_those_who_leave_in_the_next_opening():
    """A game ends and the next one begins in the same step, perhaps without somebody who left in its random opening."""
    env = SelfPlayVectorEnv("japanese:players=3,pits=2,stones=1", 64, opening_plies=(0, 8), first="random")
    env.reset(seed=0)
    fewer = 0
    for _ in range(40):
        before = [env.position(g) for g in range(64)]
        actions = env.sample_actions()
        _, rewards, ended, _, _ = env.step(actions)
        for g in np.flatnonzero(ended).tolist():
            returns = np.array(before[g].play(int(actions[g])).returns)
            had = [place is not None for place in before[g].places]
            assert rewards[g].tolist() == pytest.approx(np.where(had, 0, returns).tolist())
            fewer += any(place is not None for place in env.position(g).places)
    assert fewer > 10


@pytest.mark.parametrize("kind", ["counts", "tactical"])
@pytest.mark.parametrize("spec", [SMALL[0], "toguz_korgool:pits=3,stones=4", f"{FOUR},resign=true", "kalah:pie=true"])
def test_what_is_seen_is_what_a_position_says(spec, kind):
    """The AEC environment shares its code with the batch; `Position` and the replay written for the tests do not."""
    env = SelfPlayVectorEnv(spec, 3, observation=kind, first="random")
    observations, infos = env.reset(seed=0)
    for _ in range(25):
        for g in range(3):
            position = env.position(g)
            assert observations[g].tolist() == replay.seen(position, position.to_move, kind)
            assert np.flatnonzero(infos["action_mask"][g]).tolist() == list(position.legal_moves)
        observations, _, _, _, infos = env.step(env.sample_actions())


def test_illegal_moves_can_be_refused():
    env = SelfPlayVectorEnv("kalah:pits=3,stones=2", 3, illegal="raise", autoreset_mode="NEXT_STEP")
    env.reset(seed=0, options={"position": "0,2,2+2/2,2,2+0 0"})
    before = env.get_state()
    with pytest.raises(IllegalMoveError, match=r"game 1: move 0 is illegal in 0,2,2\+2.*legal moves: 1, 2"):
        env.step([1, 0, 0])
    assert told(env.get_state()) == told(before)
    ended = np.zeros(3, np.bool_)
    while not ended.any():
        ended = env.step(env.sample_actions())[2]
    assert (env.to_move[ended] == -1).all()
    actions = env.sample_actions()
    actions[ended] = 2  # whatever is asked of a game that only starts again
    env.step(actions)
    assert (env.to_move >= 0).all()


@pytest.mark.parametrize("action", [3, 4, 5])
def test_an_action_that_only_other_games_have_is_refused_too(action):
    """Action 3 is the swap in a game of three pits by itself, but not in a batch with a game of six."""
    env = SelfPlayVectorEnv(["kalah:pits=3,stones=2,pie=true", "kalah:pits=6"], 2, illegal="raise")
    env.reset(seed=0)
    env.step([0, 0])
    before = told(env.get_state())
    with pytest.raises(IllegalMoveError, match=f"game 0: move {action} is illegal in .*legal moves: 0, 1, 2, 6$"):
        env.step([action, 1])
    assert told(env.get_state()) == before
    env.step([6, 1])
    assert str(env.position(0)) == "2,2,2+0/0,3,3+0 0", "now it has swapped"


def test_a_game_that_is_over_waits_for_its_reset():
    env = SelfPlayVectorEnv("kalah:pits=2,stones=1", 3, autoreset_mode=AutoresetMode.DISABLED)
    env.reset(seed=0)
    ended = np.zeros(3, np.bool_)
    while not ended.any():
        ended = env.step(env.sample_actions())[2]
    over = ", ".join(map(str, np.flatnonzero(ended)))
    with pytest.raises(CallOrderError, match=f"games {over} are over; .*reset_mask"):
        env.step(env.sample_actions())
    observations, infos = env.reset(options={"reset_mask": ended})
    assert (infos["to_move"] >= 0).all() and observations.shape == (3, 6)
    env.step(env.sample_actions())
