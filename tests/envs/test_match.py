"""Matches as a PettingZoo environment: conformance, and every promise of the class docstring."""

import json

import numpy as np
import pettingzoo
import pytest

from mancala_rl import Match, Position, match_env, variant
from mancala_rl.envs.match import standing
from mancala_rl.envs.observation import observe
from mancala_rl.errors import ActionError, BadInputError, CallOrderError, IllegalMoveError, RulesError
from tests.envs.conformance import api_test, pettingzoo_names, seed_test
from tests.envs.copies import every_way, finish, plain

A, B = "player_0", "player_1"
NAMES = [A, B]
SMALL = "kalah:pits=2,stones=2"

MATCHES = [
    ("kalah:pits=3,stones=2", {"games": 5}),
    ("mangala:stones=3", {"games": 5, "closing": True, "first": 1}),
    ("kalah:start_position=random,pits=3", {"play_all": True, "observation": "tactical"}),
    ("japanese:pits=3,stones=2,resign=true,players=3", {"games": 4, "alternate": False}),
    ("japanese:pits=2,players=4", {"games": 4, "play_all": True, "first": 2}),
    ("kalah:pits=3,stones=2,pie=true", {"games": 1}),
]
every_match = pytest.mark.parametrize("spec, options", MATCHES, ids=[f"{spec} {options}" for spec, options in MATCHES])


def started(spec="mangala", *, seed=0, reset_options=None, **options):
    env = match_env(spec, **options)
    env.reset(seed=seed, options=reset_options)
    return env


def play_random(env, seed=0, check=lambda action: None):
    """Play the match to its end, calling `check` with the last action after every move."""
    rng = np.random.default_rng(seed)
    while not any(env.terminations.values()):
        action = int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"])))
        env.step(action)
        check(action)


# Conformance


@every_match
def test_pettingzoo_api(spec, options):
    api_test(match_env(spec, **options), num_cycles=300)


def test_pettingzoo_api_of_the_registered_environment():
    api_test(pettingzoo.make("aec", "mancala/match-v0", rules=SMALL, games=5), num_cycles=100)


test_pettingzoo_api.pytestmark += pettingzoo_names
test_pettingzoo_api_of_the_registered_environment.pytestmark = pettingzoo_names


@pytest.mark.parametrize("spec", ["kalah:start_position=random", "japanese:players=3"])
def test_pettingzoo_seeds(spec):
    seed_test(lambda: match_env(spec, first="random"), num_cycles=100)


# The match that is played


def expected_view(match, seat):
    """The entry `match` of a seat's observation, put together anew."""
    players = match.rules.players
    seats = [(seat + turn) % players for turn in range(players)]
    left = 0 if match.is_over else match.games - match.game_number + 1
    return [*(match.points[other] for other in seats), left, seats.index(match.starter)]


def is_shown(env, match):
    """Check everything that the environment shows against a match."""
    assert env.match == match
    assert env.match.moves == match.moves
    assert env.position == match.position
    row = match.position.row.reshape(1, -1)
    for seat, agent in enumerate(env.possible_agents):
        seen, info = env.observe(agent), env.infos[agent]
        assert env.observation_space(agent).contains(seen)
        legal = match.legal_moves if seat == match.to_move else ()
        assert tuple(np.flatnonzero(seen["action_mask"])) == tuple(np.flatnonzero(info["action_mask"])) == legal
        assert (seen["observation"] == observe(row, np.array([seat]), env.observation_kind, match.rules)[0]).all()
        assert seen["match"].tolist() == pytest.approx(expected_view(match, seat))
        assert (info["game_number"], info["points"]) == (match.game_number, match.points)
        assert (info["scores"], info["ply"]) == (match.position.scores, match.position.ply)


@every_match
def test_what_is_shown_follows_the_match_at_every_step(spec, options):
    env = match_env(spec, **options)
    assert env.possible_agents == [f"player_{seat}" for seat in range(env.rules.players)]
    for seed in (1, 2):
        env.reset(seed=seed)
        kind = {key: value for key, value in options.items() if key != "observation"}
        match = [Match(env.rules, **kind, seed=env.match.seed)]
        is_shown(env, match[0])

        def check(action, match=match):
            before = len(match[0].history)
            match[0] = match[0].play(action)
            is_shown(env, match[0])
            assert ("finished_game" in env.infos[A]) == (len(match[0].history) > before)
            if not match[0].is_over:
                assert env.agents == env.possible_agents, "nobody leaves before the match is over"
                assert env.agent_selection == f"player_{match[0].to_move}"
                assert set(env.rewards.values()) == {0}
                assert not any(env.terminations.values())

        play_random(env, seed, check)
        assert match[0].is_over
        assert list(env.rewards.values()) == pytest.approx(match[0].returns)
        assert sum(env.rewards.values()) == pytest.approx(0)
        assert all(env.terminations.values())
        assert not any(env.truncations.values())
        assert finish(env) == pytest.approx(dict(zip(env.possible_agents, match[0].returns, strict=True)))


def test_the_next_game_is_started_by_the_next_seat():
    env, starters = started(SMALL, games=5, play_all=True, first=1), []

    def check(action):
        if "finished_game" in env.infos[A]:
            starters.append((env.infos[A]["finished_game"]["starter"], env.agent_selection))

    play_random(env, check=check)
    assert starters[:4] == [(1, A), (0, B), (1, A), (0, B)]
    assert len(starters) == 5


def test_the_end_of_a_game_is_told():
    env, position = started(SMALL), variant(SMALL).start()
    while not position.is_over:
        action = position.legal_moves[0]
        position = position.play(action)
        env.step(action)
    game = {"starter": 0, "scores": position.scores, "ranking": position.ranking, "truncated": False}
    assert env.infos[A]["finished_game"] == env.infos[B]["finished_game"] == game
    assert env.infos[A]["game_number"] == 2
    assert env.rewards == {A: 0, B: 0}
    assert env.position == variant(SMALL).start(first=1)


def test_a_cut_off_game_counts_and_the_match_terminates():
    env = started("oware:max_plies=1", play_all=True)
    for _ in range(3):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
        assert env.infos[A]["finished_game"]["truncated"]
    assert env.match.is_over
    assert all(env.terminations.values())
    assert not any(env.truncations.values())


# Illegal moves


@pytest.mark.parametrize("games_before", [0, 1])
def test_an_illegal_move_loses_the_match(games_before):
    env = started("kalah:pits=3,stones=2", games=5)
    while len(env.match.history) < games_before or env.last()[0]["action_mask"].all():
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    loser, match = env.agent_selection, env.match
    winner = B if loser == A else A
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    assert env.rewards == {loser: -1, winner: 1}
    assert env.terminations == {A: True, B: True}
    assert all(env.infos[agent]["illegal_move"] for agent in NAMES)
    assert not any(env.observe(agent)["action_mask"].any() for agent in NAMES)
    assert env.match == match
    assert finish(env) == {loser: -1, winner: 1}
    env.reset()
    assert env.match == Match("kalah:pits=3,stones=2", games=5)
    assert "illegal_move" not in env.infos[A]
    assert env.terminations == {A: False, B: False}


def test_the_others_share_what_an_illegal_move_loses_also_those_who_finished_the_game():
    env = started("japanese:players=3,pits=2,stones=1", games=2)
    rng = np.random.default_rng(0)
    while not any(env.position.places):
        env.step(int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"]))))
    loser = env.agent_selection
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    assert env.rewards == {agent: -1 if agent == loser else 0.5 for agent in env.possible_agents}
    assert env.agents == env.possible_agents


def test_raise_refuses_an_illegal_move_and_changes_nothing():
    env = started(illegal="raise")
    env.step(2)
    while env.last()[0]["action_mask"].all():
        env.step(0)
    state = json.dumps(env.get_state())
    with pytest.raises(IllegalMoveError, match="is illegal in"):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    with pytest.raises(ActionError, match="expected a whole number from 0 to 5"):
        env.step(6)
    assert json.dumps(env.get_state()) == state


# Copies, pickles and states


def view(env):
    """Everything the environment shows."""
    names = ("agents", "rewards", "terminations", "truncations", "infos")
    shown = [getattr(env, name) for name in names] + [env.observe(agent) for agent in env.possible_agents]
    last = [env.agent_selection, env.last()] if env.agents else None
    return plain([shown, last, str(env.match), env.match.moves, env.position.trace])


def transcript(env, matches=2):
    """What is shown from here to the end of some matches, with moves that only depend on what is shown."""
    views = []
    for _ in range(matches):
        while env.agents:
            views.append(view(env))
            observation, _, terminated, _, _ = env.last()
            legal = np.flatnonzero(observation["action_mask"])
            env.step(None if terminated else int(legal[len(views) % len(legal)]))
        env.reset()
    return views


def at(make, moment):
    env, rng = make(), np.random.default_rng(5)
    env.reset(seed=3)
    games = {"between games": 1, "in the second game": 1, "over": 99, "one dead": 99}.get(moment, 0)
    while not any(env.terminations.values()) and len(env.match.history) < games:
        env.step(int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"]))))
    for _ in range(3 if moment in ("in the second game", "illegal") else 0):
        env.step(int(rng.choice(np.flatnonzero(env.last()[0]["action_mask"]))))
    while moment == "illegal" and env.last()[0]["action_mask"].all():
        env.step(0)
    if moment == "illegal":
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    if moment == "one dead":
        env.step(None)
    return env


@pytest.mark.parametrize("moment", ["start", "between games", "in the second game", "over", "illegal", "one dead"])
@pytest.mark.parametrize(
    "spec, options",
    [
        ("mangala:stones=2", {"games": 3, "closing": True, "first": "random"}),
        ("japanese:players=3,pits=2,stones=2,start_position=random", {"games": 2, "play_all": True}),
    ],
    ids=["mangala", "japanese"],
)
@every_way
def test_a_copy_goes_on_alike_and_alone(way, spec, options, moment):
    def make():
        return match_env(spec, **options)

    env, untouched = at(make, moment), at(make, moment)
    before = view(env)
    other = way(env, make)
    assert view(other) == before
    later = transcript(other)
    assert view(env) == before, "the copy's moves must not show in the original"
    assert transcript(env) == later == transcript(untouched)


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda state: state.pop("game"), "expected a state from get_state"),
        (lambda state: state["game"].pop("match"), "expected a state from get_state"),
        (lambda state: state["game"]["match"].update(games=5), "'games': 3.*'games': 5"),
        (lambda state: state["game"]["match"].update(closing=True), "'closing': False.*'closing': True"),
        (lambda state: state["game"]["match"]["rules"].update(stones=3), "under the rules"),
        (lambda state: state["game"]["match"]["moves"].append(9), "move 9 is illegal"),
        (lambda state: state.update(agents=[A]), "agents"),
        (lambda state: state.update(agent_selection="player_2"), "agent_selection"),
    ],
    ids=range(8),
)
def test_what_is_no_state_is_refused_and_changes_nothing(change, message):
    env = started()
    env.step(2)
    state, before = json.loads(json.dumps(env.get_state())), json.dumps(env.get_state())
    change(state)
    with pytest.raises(BadInputError, match=message):
        env.set_state(state)
    assert json.dumps(env.get_state()) == before


def test_a_state_may_be_of_another_seed_and_starter():
    env = started("oware:start_position=random", seed=1, first="random")
    for seed in range(5):
        other = started("oware:start_position=random", seed=seed, first="random")
        other.step(int(np.flatnonzero(other.last()[0]["action_mask"])[0]))
        env.set_state(json.loads(json.dumps(other.get_state())))
        assert env.match == other.match


def test_observing_changes_nothing_and_what_was_seen_stays():
    env = started()
    state = json.dumps(env.get_state())
    for agent in NAMES:
        env.observe(agent)["match"][:] = 7
    assert json.dumps(env.get_state()) == state
    assert env.observe(A)["match"].tolist() == [0, 0, 3, 0]


# Drawing


def test_the_board_is_drawn_with_the_standing():
    env = started("kalah:pits=2,stones=1", render_mode="ansi")
    assert env.render().endswith("player_0 to move\ngame 1 of 3: player_0 0, player_1 0")
    while not env.match.history:
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    points = env.match.points
    assert env.render().endswith(f"player_1 to move\ngame 2 of 3: player_0 {points[0]:g}, player_1 {points[1]:g}")


def test_a_picture_is_that_of_the_running_game():
    env = started(render_mode="svg", closing=True)
    while not env.match.history:
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[-1]))
    assert env.position.closed
    assert env.render().startswith("<svg")
    assert env.render().rstrip().endswith("</svg>")


WON, LOST, DRAWN = (30, 18), (18, 30), (24, 24)


@pytest.mark.parametrize(
    "sets, text",
    [
        ([WON, DRAWN], "game 3 of 3: player_0 1.5, player_1 0.5"),
        ([LOST, LOST], "the match goes to player_1 after 2 of 3 games: player_0 0, player_1 2"),
        ([WON, LOST, DRAWN], "the match is drawn after 3 of 3 games: player_0 1.5, player_1 1.5"),
        (
            [(45, 3)],
            "the match goes to player_0 after 1 of 3 games: player_0 1, player_1 0, player_1 cannot fill a pit",
        ),
    ],
    ids=range(4),
)
def test_the_standing_in_words(sets, text):
    match = Match("mangala", closing=True)
    for scores in sets:
        match = match.with_game(Position("mangala", [[0] * 6] * 2, scores, None), ())
    assert standing(match, NAMES) == text


# Arguments and options


@pytest.mark.parametrize(
    "options, error, message",
    [
        ({"games": 4}, RulesError, "games=4: a match for two takes an odd number"),
        ({"games": 0}, RulesError, "games=0"),
        ({"closing": True, "rules": "japanese"}, RulesError, "closing=true needs goal=most"),
        ({"closing": 1}, RulesError, "closing=1: expected true or false"),
        ({"sets": 3}, RulesError, "mangala has no option 'sets'"),
        ({"game": 3}, RulesError, "did you mean 'games'"),
        ({"rules": "mangla"}, RulesError, "unknown variant 'mangla'"),
        ({"first": 2}, BadInputError, "first=2: expected a seat from 0 to 1 or 'random'"),
        ({"observation": "planes"}, BadInputError, "observation='planes'"),
        ({"illegal": "ignore"}, BadInputError, "illegal='ignore'"),
        ({"render_mode": "film"}, BadInputError, "render_mode='film'"),
    ],
    ids=str,
)
def test_a_wrong_argument_is_named(options, error, message):
    with pytest.raises(error, match=message):
        match_env(**{"rules": "mangala", **options})


def test_options_of_the_variant_are_taken():
    assert match_env("mangala", pits=4, stones=2).rules == variant("mangala:pits=4,stones=2")


@pytest.mark.parametrize("first, expected", [(0, A), (1, B)])
def test_reset_may_name_the_first_starter(first, expected):
    env = started(reset_options={"first": first})
    assert env.agent_selection == expected
    assert env.match.starter == first
    assert env.observe(A)["match"][-1] == first
    env.reset()
    assert env.agent_selection == A


@pytest.mark.parametrize(
    "options, message",
    [({"first": 5}, "first=5"), ({"position": "4,4,4,4,4,4+0/4,4,4,4,4,4+0 0"}, "a match starts from the set-up")],
)
def test_a_wrong_reset_option_changes_nothing(options, message):
    env = started()
    env.step(0)
    match = env.match
    with pytest.raises(BadInputError, match=message):
        env.reset(options=options)
    assert env.match == match


def test_a_random_starter_and_random_boards_are_seeded():
    seen = set()
    for seed in range(12):
        one, two = (started("kalah:start_position=random", seed=seed, first="random") for _ in range(2))
        assert one.match == two.match
        seen.add((one.match.starter, str(one.position)))
    assert {starter for starter, _ in seen} == {0, 1}
    assert len({board for _, board in seen}) == 12


@pytest.mark.parametrize("call", [lambda env: env.match, lambda env: env.observe(A), lambda env: env.render()])
def test_calls_need_a_reset(call):
    with pytest.raises(CallOrderError, match="before reset"):
        call(match_env("mangala", render_mode="ansi"))
