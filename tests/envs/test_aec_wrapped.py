"""The environment beside a conventional one in PettingZoo's three standard wrappers: what can be seen is the same.

Both are driven through the same random games with illegal moves, actions outside the action space, calls out of order
and steps after the end, and compared after every call. Three things differ on purpose, after an illegal move only:
the others get what makes the rewards add up to 0 (the wrapper pays them nothing), the agents are terminated (the
wrapper says truncated as well) in the order that begins with the one who lost, and nothing is legal any more.
"""

from collections import Counter

import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo.utils import wrappers
from pettingzoo.utils.env import AECEnv
from pettingzoo.utils.env_logger import EnvLogger

import mancala_rl
from mancala_rl import variant
from mancala_rl.kernel.layout import MOVER
from tests.envs import replay
from tests.envs.copies import plain

SPECS = [
    "kalah",
    "kalah:pits=2,stones=2",
    "kalah:pits=3,stones=2,pie=true",
    "oware:pits=3,stones=3,max_plies=9",
    "mangala:pits=3,stones=3",
    "japanese:players=3,pits=2,stones=2",
    "japanese:players=3,pits=3,stones=2,play_out=false",
    "japanese:players=4,pits=2,stones=2,resign=true",
    "japanese:players=4,pits=3,stones=2,max_plies=17",
]
EPISODES = 40
NAMES = ("agents", "agent_selection", "num_agents", "rewards", "terminations", "truncations", "infos")


class Conventional(AECEnv):
    """A game as PettingZoo's own are written: it checks nothing, and makes everything anew from the position."""

    metadata = {"name": "conventional_v0"}  # noqa: RUF012 (PettingZoo's form)

    def __init__(self, spec):
        super().__init__()
        self.rules = variant(spec)
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]

    def action_space(self, agent):
        return Discrete(self.rules.num_actions)

    def observation_space(self, agent):
        cells = Box(-1, self.rules.total, (len(replay.seen(self.position, 0, "counts")),), np.int16)
        return Dict(observation=cells, action_mask=Box(0, 1, (self.rules.num_actions,), np.int8))

    def reset(self, seed=None, options=None):
        self.position = self.rules.start()
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self._skip_agent_selection = None
        self._tell()

    def step(self, action):
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0
        self.position = self.position.play(int(action))
        self._tell()
        for agent in self.agents:
            self.rewards[agent] = replay.worth(self.position, self.possible_agents.index(agent), "outcome")
        self._accumulate_rewards()
        if not self.position.is_over:
            self._deads_step_first()

    def _tell(self):
        over, truncated = self.position.is_over, self.position.truncated
        places = dict(zip(self.possible_agents, self.position.places, strict=True))
        out = {agent: places[agent] is not None for agent in self.agents}
        self.agent_selection = self.possible_agents[int(self.position.row[self.rules.num_cells + MOVER])]
        self.terminations = {agent: out[agent] or (over and not truncated) for agent in self.agents}
        self.truncations = {agent: truncated and not out[agent] for agent in self.agents}
        self.infos = {agent: self._info(agent) for agent in self.agents}

    def _info(self, agent):
        names = ("scores", "extra_turn", "captured", "decided", "ply")
        return {"action_mask": self._mask(agent), **{name: getattr(self.position, name) for name in names}}

    def _mask(self, agent):
        mask = np.zeros(self.rules.num_actions, np.int8)
        if self.possible_agents.index(agent) == self.position.to_move:
            mask[list(self.position.legal_moves)] = 1
        return mask

    def observe(self, agent):
        seen = replay.seen(self.position, self.possible_agents.index(agent), "counts")
        return {"observation": np.array(seen, np.int16), "action_mask": self._mask(agent)}


def wrapped(env):
    """The environment in the wrappers that PettingZoo's own games use, in their order."""
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


PEERS = {
    "conventional": lambda spec: wrapped(Conventional(spec)),
    "own, wrapped": lambda spec: wrapped(mancala_rl.raw_env(spec, illegal="raise")),
}


def view(env):
    """Everything that can be seen, as plain values."""
    shown = {name: plain(getattr(env, name)) for name in NAMES}
    shown["order"] = [list(shown[name]) for name in NAMES[3:]]
    shown["seen"] = {agent: plain(env.observe(agent)) for agent in env.possible_agents}
    if env.agents:
        shown["last"], shown["last, blind"] = plain(env.last()), plain(env.last(observe=False))
        shown["last"][1], shown["last, blind"][1] = round(shown["last"][1], 12), round(shown["last, blind"][1], 12)
    shown["rewards"] = {agent: round(value, 12) for agent, value in shown["rewards"].items()}
    return shown


def outcome(call, env):
    """What a call returns, or the class of what it raises, and how many warnings PettingZoo's logger got."""
    EnvLogger.flush()
    try:
        result = call(env)
    except (AssertionError, AttributeError, KeyError, ValueError, TypeError) as error:
        result = type(error)
    warnings = [message for message in EnvLogger.mqueue if "Illegal move made" not in message]
    EnvLogger.flush()
    return result, bool(warnings)


class Both:
    """The two environments, driven together."""

    def __init__(self, ours, theirs):
        self.ours, self.theirs = ours, theirs
        self.rng = np.random.default_rng(7)
        self.actions = ours.rules.num_actions
        self.facts = Counter()

    def same(self, call):
        """Make a call of both; they return the same, or ours raises what can be caught as what theirs raises."""
        (ours, ours_warned), (theirs, they_warned) = outcome(call, self.ours), outcome(call, self.theirs)
        raised = isinstance(theirs, type)
        assert isinstance(ours, type) == raised, (ours, theirs)
        assert issubclass(ours, theirs) if raised else ours == theirs
        assert ours_warned == they_warned
        return raised

    def refused(self, call, why):
        """Make a call that both refuse, and that changes nothing."""
        before = view(self.ours)
        assert self.same(call), why
        assert view(self.ours) == before, why
        self.facts[why] += 1

    def choose(self, values):
        return values[int(self.rng.integers(len(values)))]

    def outside(self):
        """An action that is none."""
        return self.choose(
            [self.actions, -1, self.actions + 70, None, 1.0, np.float32(0), "1", [0], np.array([0, 1]), np.bool_(True)]
        )

    def play(self):
        """One episode, to its end or to a reset in the middle."""
        self.same(lambda env: env.reset())
        while self.ours.agents:
            assert view(self.ours) == view(self.theirs)
            if self.rng.random() < 0.01:
                self.facts["reset in the middle"] += 1
                return
            selected = self.ours.agent_selection
            self.disturb(dead=self.ours.terminations[selected] or self.ours.truncations[selected])
            assert view(self.ours) == view(self.theirs)
            if not self.act(selected):
                return
        self.after_the_end()

    def disturb(self, dead):
        """Do what is refused, now and then."""
        kind = self.rng.random()
        if kind < 0.1:
            action = self.outside()
            if action is not None or not dead:
                self.refused(lambda env: env.step(action), "outside the action space")
        elif kind < 0.2 and dead:
            action = self.choose(range(self.actions))
            self.refused(lambda env: env.step(action), "an action of an agent that is out")
        elif kind < 0.3:
            self.same(lambda env: next(iter(env.agent_iter())))
            self.refused(lambda env: next(iter(env.agent_iter())), "no step in between")

    def act(self, selected):
        """Play on; return whether the game goes the same way in both."""
        mask = self.theirs.observe(selected)["action_mask"]
        if self.ours.terminations[selected] or self.ours.truncations[selected]:
            self.facts["truncated" if self.ours.truncations[selected] else "terminated"] += 1
            if not self.ours.position.is_over:
                self.facts["out while others play"] += 1
            self.same(lambda env: env.step(None))
            return True
        if not mask.all() and self.rng.random() < 0.04:
            self.forfeit(selected, int(self.choose(np.flatnonzero(mask == 0))))
            return False
        action = self.choose(np.flatnonzero(mask))  # a NumPy number as often as an int
        self.same(lambda env: env.step(int(action) if action % 2 else action))
        return True

    def forfeit(self, loser, action):
        """Make an illegal move, and take the agents out."""
        self.same(lambda env: env.step(action))
        self.facts["illegal"] += 1
        ours, theirs = view(self.ours), view(self.theirs)
        assert ours["agents"] == theirs["agents"]
        assert ours["terminations"] == theirs["terminations"] == dict.fromkeys(ours["agents"], True)
        assert not any(ours["truncations"].values())
        assert ours["rewards"][loser] == theirs["rewards"][loser] == -1
        for agent in self.ours.possible_agents:
            assert ours["seen"][agent]["observation"] == theirs["seen"][agent]["observation"]
            assert not any(ours["seen"][agent]["action_mask"])
        for agent, info in ours["infos"].items():
            changed = {"action_mask": [0] * self.actions, "illegal_move": True}
            assert info == theirs["infos"][agent] | changed
        told = [{}, {}]
        while self.ours.agents:
            for env, rewards in zip((self.ours, self.theirs), told, strict=True):
                rewards[env.agent_selection] = env.last()[1]
            self.refused(lambda env: env.step(0), "an action after an illegal move")
            self.same(lambda env: env.step(None))
        assert told == [pytest.approx(ours["rewards"]), pytest.approx(theirs["rewards"])]
        self.after_the_end()

    def after_the_end(self):
        """Nothing but a warning, however often."""
        assert view(self.ours)["agents"] == view(self.theirs)["agents"] == []
        for action in (None, 0, 99):
            self.same(lambda env, action=action: env.step(action))
            assert outcome(lambda env, action=action: env.step(action), self.ours) == (None, True)
        assert self.same(lambda env: env.last())
        self.same(lambda env: list(env.agent_iter()))
        self.facts["ends"] += 1


def compare(ours, theirs, *facts):
    """Drive both before the first reset and through many episodes, in which these facts must occur."""
    both = Both(ours, theirs)
    for name in NAMES:
        assert both.same(lambda env, name=name: getattr(env, name))
    for call in (lambda env: env.step(0), lambda env: env.observe("player_0"), lambda env: env.agent_iter()):
        assert both.same(call)
    for _ in range(EPISODES):
        both.play()
    needed = {"ends", "illegal", "outside the action space", "no step in between", "an action after an illegal move"}
    assert needed | set(facts) <= both.facts.keys(), both.facts


@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize("spec", SPECS)
def test_it_shows_and_refuses_what_the_wrapped_environment_does(spec, peer):
    rules = variant(spec)
    facts = ["truncated" if rules.max_plies else "terminated"]
    if rules.players > 2 and rules.play_out:
        facts.append("out while others play")
    compare(mancala_rl.env(spec), PEERS[peer](spec), *facts)


@pytest.mark.parametrize("spec", ["kalah:pits=2,stones=2", "japanese:players=3,pits=2,stones=2"])
def test_a_match_shows_and_refuses_what_the_wrapped_match_does(spec):
    compare(
        mancala_rl.match_env(spec, games=3, play_all=True),
        wrapped(mancala_rl.match_env(spec, games=3, play_all=True, illegal="raise")),
        "terminated",
    )
