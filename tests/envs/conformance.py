"""PettingZoo's own tests, and the warnings of theirs that say nothing about our environments."""

import warnings

import pytest

with warnings.catch_warnings():  # where pygame is installed this imports one of PettingZoo's games the old way
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, seed_test

__all__ = ["api_test", "pettingzoo_names", "seed_test"]

# api_test compares an environment's name with lists of PettingZoo's own games before it accepts an observation that is
# a dict, and it looks at the mask of an agent whose game is over, which allows nothing.
pettingzoo_names = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros:UserWarning"),
]
