"""Ways to copy an environment, and what it shows as plain values."""

import copy
import json
import pickle

import numpy as np
import pytest


def through_json(env, make):
    """A second environment that was given the first one's state as JSON."""
    other = make()
    other.set_state(json.loads(json.dumps(env.get_state())))
    return other


WAYS = {
    "deepcopy": lambda env, make: copy.deepcopy(env),
    "pickle": lambda env, make: pickle.loads(pickle.dumps(env)),
    "state": through_json,
}
every_way = pytest.mark.parametrize("way", WAYS.values(), ids=list(WAYS))


def plain(value):
    """A value with its arrays as lists, so that `==` compares it."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


def finish(env):
    """Take the dead agents out and return the reward of each as `last` told it."""
    told = {}
    while env.agents:
        told[env.agent_selection] = env.last()[1]
        env.step(None)
    return told
