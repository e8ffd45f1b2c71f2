"""Infos and masks of the AEC environments: every agent has its own, in copies and after the end of a game too."""

import copy
import pickle

import pytest

import mancala_rl
from tests.envs.copies import every_way, plain


def test_what_one_agent_is_told_is_its_own():
    env = mancala_rl.env("japanese:players=3")
    env.reset()
    env.step(0)
    info = env.last()[-1]
    info.clear()
    info["note"] = 1
    assert env.last()[-1] is info is env.infos[env.agent_selection]
    others = [env.infos[agent] for agent in env.agents if agent != env.agent_selection]
    for other in others:
        assert set(other) == {"action_mask", "scores", "extra_turn", "captured", "decided", "ply"}
    others[0]["note"] = 2
    assert "note" not in others[1]
    env.step(0)
    assert info == {"note": 1}
    assert not any("note" in told for told in env.infos.values())


@pytest.mark.parametrize(
    "way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deepcopy", "pickle"]
)
def test_the_masks_of_a_copy_are_read_only_too(way):
    env = mancala_rl.env("kalah")
    for reset in (False, True):
        if reset:
            env.reset()
        other = way(env)
        if not reset:
            other.reset()
        masks = [other.observe(agent)["action_mask"] for agent in other.agents]
        masks += [info["action_mask"] for info in other.infos.values()]
        assert not any(mask.flags.writeable for mask in masks)


def after_a_game():
    """A match whose last action has ended a game, and nobody has looked at what is told."""
    env = mancala_rl.match_env("kalah:pits=1,stones=1", games=3, play_all=True)
    env.reset(seed=0)
    while env.match.game_number == 1:
        env.step(0)
    return env


@every_way
def test_a_copy_of_a_match_tells_of_the_game_that_has_just_ended(way):
    told = plain(after_a_game().infos)
    other = way(after_a_game(), lambda: mancala_rl.match_env("kalah:pits=1,stones=1", games=3, play_all=True))
    assert plain(other.infos) == told
    assert all("finished_game" in info for info in told.values())


def test_a_new_match_tells_nothing_of_the_last_one():
    env = after_a_game()
    env.reset()
    assert not any("finished_game" in info for info in env.infos.values())
