"""Every variant as an environment: conformance, masks, observations, rewards, illegal moves, copies."""

import copy
import json
import pickle

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from stable_baselines3.common.env_checker import check_env as sb3_check_env

import mancala_rl
from mancala_rl import VARIANTS, Rules, japanese_mancala_v0, kalah_v0, mangala_v0, oware_v0, variant
from mancala_rl.envs.single import MancalaEnv
from mancala_rl.errors import BadInputError, RulesError
from tests.envs import replay
from tests.envs.conformance import api_test, pettingzoo_names, seed_test

SMALL = {name: f"{name}:pits=3,stones=3" for name in VARIANTS}
MORE = {
    "three": "japanese:players=3,pits=3,stones=2",
    "four, resign": "japanese:players=4,pits=2,stones=2,resign=true",
    "three, stop": "japanese:players=3,pits=3,stones=2,play_out=false",
    "four, cut off": "japanese:players=4,pits=3,stones=2,max_plies=17",
    "two, resign": "japanese:pits=3,stones=2,resign=true",
    "oware, cut off": "oware:pits=3,stones=3,max_plies=9",
    "oware, slams illegal": "oware:pits=2,stones=2,grand_slam=illegal",
    "official": "mangala_official:pits=4,stones=4",
}
SPECS = SMALL | MORE
every_spec = pytest.mark.parametrize("spec", SPECS.values(), ids=list(SPECS))


def played(env, seed=0, check=lambda env: None):
    """Play to the end by random legal moves; return the rewards as `last` told them and as they were paid."""
    rng = np.random.default_rng(seed)
    told = dict.fromkeys(env.agents, 0.0)
    paid = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        told[agent] += reward
        check(env)
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if terminated or truncated else int(rng.choice(legal)))
        for other, value in env.rewards.items():
            paid[other] += value
    return told, paid


def started(spec, seed=0, reset_options=None, **options):
    env = mancala_rl.env(spec, **options)
    env.reset(seed=seed, options=reset_options)
    return env


# Conformance


@pytest.mark.parametrize("observation", ["counts", "tactical"])
@every_spec
def test_pettingzoo_api(spec, observation):
    api_test(mancala_rl.env(spec, observation=observation), num_cycles=60)


test_pettingzoo_api.pytestmark += pettingzoo_names


@every_spec
def test_pettingzoo_seeds(spec):
    rules = variant(spec)
    seed_test(lambda: mancala_rl.env(rules, first="random"), num_cycles=40)


@every_spec
def test_gymnasium_and_stable_baselines_accept_it(spec):
    check_env(gymnasium.make("mancala/Mancala-v0", rules=spec).unwrapped)
    sb3_check_env(MancalaEnv(spec, observation="tactical"))


@pytest.mark.parametrize(
    "name, rules",
    [
        ("japanese_mancala", "japanese"),
        ("kalah", "kalah"),
        ("mangala", "mangala"),
        ("oware", "oware"),
    ],
)
def test_the_modules_make_their_variant(name, rules):
    module = getattr(mancala_rl, f"{name}_v0")
    assert module.env().rules == module.raw_env().rules == variant(rules)
    assert module.raw_env.metadata["name"] == f"{name}_v0"
    env = pettingzoo.make("aec", f"mancala/{name}-v0", pits=5, stones=3)
    assert env.rules == variant(f"{rules}:pits=5,stones=3")
    single = "".join(word.capitalize() for word in name.split("_"))
    assert gymnasium.make(f"mancala/{single}-v0", pits=5).unwrapped.rules == variant(f"{rules}:pits=5")


def test_mangala_plays_both_rule_sets():
    assert mangala_v0.env(rules="mangala_official", stones=3).rules == variant("mangala_official:stones=3")


def test_a_table_offers_certain_numbers():
    with pytest.warns(UserWarning, match="pits=5: a table for 3 has 4 or 6; 6 are taken"):
        env = japanese_mancala_v0.env(players=3, pits=5, stones=3, table_settings=True)
    assert env.rules == variant("japanese:players=3,stones=3")
    assert japanese_mancala_v0.env(players=3, pits=5).rules.pits == 5


def test_any_record_makes_an_environment():
    record = Rules(name="mine", players=4, pits=2, stones=3, capture="none")
    assert mancala_rl.env(record).rules is mancala_rl.raw_env(record).rules is record
    assert mancala_rl.env("congkak", pits=4).rules == variant("congkak:pits=4")


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: oware_v0.env(rules="kalah"), "rules=kalah: oware_v0 plays oware; expected a record or spec string of"),
        (lambda: mangala_v0.env(rules="oware"), "mangala_v0 plays mangala or mangala_official"),
        (lambda: japanese_mancala_v0.env(rules="kalah"), "japanese_mancala_v0 plays japanese"),
        (lambda: kalah_v0.env(players=3), "kalah has no option 'players'"),
        (lambda: oware_v0.env(grandslam="allow"), "oware has no option 'grandslam'; did you mean 'grand_slam'"),
        (lambda: japanese_mancala_v0.env(table_setting=True), "did you mean 'table_settings'"),
        (lambda: mancala_rl.env("chess"), "unknown variant 'chess'"),
        (lambda: japanese_mancala_v0.env(players=5), "players=5: expected a number from 2 to 4"),
    ],
)
def test_what_an_environment_does_not_play_is_named(make, message):
    with pytest.raises(RulesError, match=message):
        make()


@pytest.mark.parametrize("players", [2, 3])
def test_there_is_no_margin_where_stones_do_not_count(players):
    for make in (mancala_rl.env, MancalaEnv):
        with pytest.raises(BadInputError, match=r"reward='margin': japanese.* is not won by stones"):
            make(f"japanese:players={players}", reward="margin")


def test_a_lookahead_is_for_two():
    mancala_rl.env("japanese", observation="lookahead")
    with pytest.raises(BadInputError, match="observation='lookahead': expected rules for two players"):
        mancala_rl.env("japanese:players=3", observation="lookahead")


# What is shown at every step


@pytest.mark.parametrize("observation", ["counts", "tactical"])
@every_spec
def test_masks_observations_and_infos_follow_the_rules_at_every_step(spec, observation):
    def check(env):
        position = env.position
        dead = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
        assert dead or env.agent_selection == f"player_{position.to_move}"
        for seat, agent in enumerate(env.possible_agents):
            legal = position.legal_moves if seat == position.to_move else ()
            view = env.observe(agent)
            assert tuple(np.flatnonzero(view["action_mask"])) == legal, position
            assert view["observation"].tolist() == replay.seen(position, seat, observation), position
            assert env.observation_space(agent).contains(view)
        for agent in env.agents:
            info = dict(env.infos[agent])
            assert (info.pop("action_mask") == env.observe(agent)["action_mask"]).all()
            assert info == {
                "scores": position.scores,
                "extra_turn": position.extra_turn,
                "captured": position.captured,
                "decided": position.decided,
                "ply": position.ply,
            }

    for seed in range(3):
        played(started(spec, observation=observation), seed, check)


@every_spec
def test_an_extra_turn_keeps_the_agent_selected(spec):
    seen = 0

    def check(env):
        nonlocal seen
        if env.position.extra_turn:
            assert env.agent_selection == before[-1]
            seen += 1
        before.append(env.agent_selection)

    before: list[str] = []
    for seed in range(4):
        played(started(spec), seed, check)
    assert seen or variant(spec).extra_turn == "none"


# Rewards


@every_spec
def test_rewards_are_those_of_the_position_and_add_up_to_zero(spec):
    for seed in range(6):
        env = started(spec)
        told, paid = played(env, seed)
        assert env.agents == []
        assert told == pytest.approx(paid)
        assert sum(told.values()) == pytest.approx(0)
        assert list(told.values()) == pytest.approx(list(env.position.returns))


@pytest.mark.parametrize("spec", [SPECS["oware, cut off"], SPECS["four, cut off"]])
def test_a_game_that_is_cut_off_truncates_those_still_playing(spec):
    cut_off = 0

    def check(env):
        nonlocal cut_off
        places = dict(zip(env.possible_agents, env.position.places, strict=True))
        if env.position.truncated:
            for agent in env.agents:
                assert (env.terminations[agent], env.truncations[agent]) == (bool(places[agent]), not places[agent])
                cut_off += not places[agent]

    for seed in range(6):
        played(started(spec), seed, check)
    assert cut_off > 3


def test_those_still_playing_share_the_free_places_of_a_game_that_is_cut_off():
    env = mancala_rl.env("japanese:players=4,pits=2,stones=1,max_plies=2")
    env.reset(options={"position": "0,1+0/1,1+1/1,1+1/1,0+0 0"})
    env.step(1)  # into the own store: an empty side, the first place
    assert env.last()[1] == 1
    env.step(None)
    env.step(0)
    assert env.truncations == dict.fromkeys(["player_1", "player_2", "player_3"], True)
    assert env.rewards == pytest.approx(dict.fromkeys(env.agents, -1 / 3))


# Agents that are out while the others play on


FOUR = "0,1+0/1,1+1/1,1+1/1,0+0 0"  # four players, two pits, one stone a pit: player 0 finishes with pit 1
FINISHING = "japanese:players=4,pits=2,stones=1"


def test_an_agent_that_finishes_terminates_with_its_reward_and_the_others_play_on():
    env = started(FINISHING, reset_options={"position": FOUR})
    env.step(1)
    assert env.agent_selection == "player_0"
    assert env.terminations == {f"player_{seat}": seat == 0 for seat in range(4)}
    assert not any(env.truncations.values())
    assert env.rewards == {"player_0": 1.0, "player_1": 0, "player_2": 0, "player_3": 0}
    observation, reward, terminated, truncated, info = env.last()
    assert (reward, terminated, truncated) == (1.0, True, False)
    assert observation["observation"][:3].tolist() == [-1, -1, -1]
    assert not observation["action_mask"].any() and not info["action_mask"].any()
    assert env.observe("player_1")["action_mask"].tolist() == [1, 1]
    with pytest.raises(ValueError, match="expected None"):
        env.step(0)
    env.step(None)
    assert env.agents == ["player_1", "player_2", "player_3"]
    assert env.agent_selection == "player_1"
    assert set(env.rewards) == set(env.infos) == set(env.terminations) == set(env.agents)
    assert not any(env.terminations.values()) and not any(env.rewards.values())
    env.step(0)
    assert env.agent_selection == "player_2"
    assert env.last()[1] == 0


def test_places_are_paid_as_they_are_taken():
    env = started(FINISHING, reset_options={"position": FOUR})
    told, _ = played(env)
    assert told["player_0"] == 1
    assert sorted(told.values()) == pytest.approx([-1, -1 / 3, 1 / 3, 1])


def test_an_agent_that_gives_up_gets_the_worst_free_place():
    env = started("japanese:players=3,pits=3,stones=2,resign=true")
    env.step(3)
    assert env.last()[1:3] == (-1.0, True)
    env.step(None)
    assert env.agent_selection == "player_1"
    env.step(3)
    assert {agent: env.rewards[agent] for agent in env.agents} == {"player_1": 0.0, "player_2": 1.0}
    assert all(env.terminations.values())


def test_equal_places_share_their_rewards():
    # player 0 finishes, and the others have one stone each
    env = started(
        "japanese:players=3,pits=2,stones=1,play_out=false", reset_options={"position": "0,1+2/1,0+0/0,1+1 0"}
    )
    env.step(1)
    assert env.position.ranking == (1, 2, 2)
    assert env.rewards == {"player_0": 1.0, "player_1": -0.5, "player_2": -0.5}


def test_agents_with_a_place_in_the_given_position_take_no_part():
    env = started(FINISHING, reset_options={"position": "1,1+2/x,x+x/1,0+1/1,0+0 2 places=-,1,-,-"})
    assert env.agents == ["player_0", "player_2", "player_3"]
    told, _ = played(env)
    assert sum(told.values()) == pytest.approx(-1)  # the best place is taken
    env.reset()
    assert len(env.agents) == 4


# Illegal moves


def test_an_illegal_move_of_one_of_three_is_shared_among_the_others():
    env = started("japanese:players=3,pits=2,stones=1", reset_options={"position": "0,1+0/1,1+1/1,1+0 0"})
    env.step(0)
    assert env.rewards == {"player_0": -1, "player_1": 0.5, "player_2": 0.5}
    assert all(env.terminations.values()) and not any(env.truncations.values())
    assert all(env.infos[agent]["illegal_move"] for agent in env.agents)
    assert all(not env.observe(agent)["action_mask"].any() for agent in env.agents)
    for _ in range(3):
        env.step(None)
    assert env.agents == []
    env.reset()
    assert len(env.agents) == 3 and not any(env.terminations.values())


def test_who_is_out_keeps_its_reward_after_an_illegal_move():
    env = started(FINISHING, reset_options={"position": FOUR})
    env.step(1)
    paid = env.last()[1]
    env.step(None)
    env.step(0)
    env.step(0)
    env.step(1)  # player 3 has an empty pit there
    assert env.rewards == {"player_1": 0, "player_2": 0, "player_3": -1}
    assert paid + sum(env.rewards.values()) == 0


def test_an_illegal_move_can_be_refused():
    env = started(
        "japanese:players=3,pits=2,stones=1", illegal="raise", reset_options={"position": "0,1+0/1,1+1/1,1+0 0"}
    )
    with pytest.raises(BadInputError, match="move 0 is illegal"):
        env.step(0)
    assert not any(env.terminations.values())


# Copies and states


def shown(env):
    """Everything an environment shows."""
    names = ("agents", "rewards", "terminations", "truncations")
    views = [env.observe(agent) for agent in env.possible_agents]
    views = [{key: value.tolist() for key, value in view.items()} for view in views]
    selected = (env.agent_selection, *env.last()[1:4]) if env.agents else None
    return [{name: getattr(env, name) for name in names}, views, selected, str(env.position)]


def through_json(env):
    other = mancala_rl.env(env.rules)
    other.set_state(json.loads(json.dumps(env.get_state())))
    return other


def act(env, rng):
    legal = np.flatnonzero(env.last()[0]["action_mask"])
    env.step(int(rng.choice(legal)) if len(legal) else None)


def transcript(env, seed):
    rng, views = np.random.default_rng(seed), [shown(env)]
    while env.agents:
        act(env, rng)
        views.append(shown(env))
    return views


@pytest.mark.parametrize("way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)), through_json])
@every_spec
def test_a_copy_taken_at_any_step_goes_on_alike(spec, way):
    for steps in (0, 1, 4, 9, 14, 19):
        env, rng = started(spec), np.random.default_rng(3)
        for _ in range(steps):
            if env.agents:
                act(env, rng)
        other = way(env)
        assert shown(other) == shown(env)
        assert transcript(other, 5) == transcript(env, 5)


@pytest.mark.parametrize("way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)), through_json])
def test_a_copy_taken_before_a_dead_step_goes_on_alike(way):
    env = started(FINISHING, reset_options={"position": FOUR})
    env.step(1)
    other = way(env)
    assert shown(other) == shown(env)
    assert transcript(other, 5) == transcript(env, 5)
