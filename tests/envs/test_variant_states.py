"""States of games with places, tuzdiks, closed pits or a history: what cannot be is refused, and changes nothing."""

import json

import pytest

import mancala_rl
from mancala_rl.errors import BadInputError
from mancala_rl.kernel import layout

SEATS = {
    "japanese": ("japanese:players=3,pits=2,stones=2", "1,1+2/x,x+x/2,0+1 2 places=-,1,-"),
    "toguz": ("toguz_korgool:pits=4,stones=3", "3,3,3,3+0/3,0,3,3+3 0 tuzdiks=1,-"),
    "mangala": ("mangala:pits=3,stones=2", "x,2,2+1/2,2,2+1 0"),
    "oware": ("oware:pits=3,stones=2", None),
}


def env_of(name):
    spec, position = SEATS[name]
    env = mancala_rl.env(spec)
    env.reset(seed=0, options={} if position is None else {"position": position})
    env.step(env.position.legal_moves[0])
    return env


def tail(entry, value):
    def change(rows, rules):
        for row in rows:
            row[rules.num_cells + entry] = value

    return change


def cell(index, value):
    def change(rows, rules):
        for row in rows:
            row[index] = value

    return change


def entry_of_history(rows, rules):
    for row in rows:
        row[int(rules.array[layout.HISTORY])] = -1


def tuzdik(value):
    def change(rows, rules):
        for row in rows:
            row[int(rules.array[layout.TUZDIKS])] = value

    return change


CASES = [
    ("japanese", "place of a seat that plays", tail(layout.PLACES, 2)),
    ("japanese", "no place for one who is lifted", tail(layout.PLACES + 1, 0)),
    ("japanese", "place", tail(layout.PLACES + 1, 4)),
    ("japanese", "store still there", cell(5, 0)),
    ("japanese", "pit still there", cell(3, 0)),
    ("japanese", "lifted stones", tail(layout.LIFTED, 3)),
    ("japanese", "seat to move that is out", tail(layout.MOVER, 1)),
    ("japanese", "closed pit", cell(1, -1)),
    ("toguz", "tuzdik", tuzdik(4)),
    ("toguz", "negative tuzdik", tuzdik(-1)),
    ("mangala", "second closed side", cell(4, -1)),
    ("mangala", "store", cell(3, -1)),
    ("mangala", "below", cell(0, -2)),
    ("mangala", "place", tail(layout.PLACES, 1)),
    ("mangala", "lifted", tail(layout.LIFTED, 2)),
    ("oware", "history", entry_of_history),
    ("oware", "since", tail(layout.SINCE, -1)),
]


@pytest.mark.parametrize("name, what, change", CASES, ids=[f"{name}, {what}" for name, what, _ in CASES])
def test_nonsense_is_refused_and_changes_nothing(name, what, change):
    env = env_of(name)
    before = env.get_state()
    state = json.loads(json.dumps(before))
    change(state["game"]["rows"], env.rules)
    with pytest.raises(BadInputError) as caught:
        env.set_state(state)
    assert "\n" not in str(caught.value)
    assert env.get_state() == before


@pytest.mark.parametrize("name", SEATS)
def test_every_state_of_a_game_is_taken_back(name):
    env = env_of(name)
    while env.agents:
        state = json.loads(json.dumps(env.get_state()))
        env.set_state(state)
        assert env.get_state() == state
        legal = env.position.legal_moves
        is_dead = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
        env.step(None if is_dead else legal[-1])


@pytest.mark.parametrize("agents", [["player_0"], ["player_0", "player_1", "player_2"], ["player_1", "player_2"]])
def test_agents_are_those_who_play(agents):
    env = env_of("japanese")
    state = env.get_state()
    assert state["agents"] == ["player_0", "player_2"]
    values = dict.fromkeys(agents, 0.0)
    with pytest.raises(BadInputError, match="agent"):
        env.set_state({**state, "agents": agents, "rewards": values, "cumulative_rewards": values})
