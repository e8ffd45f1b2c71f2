"""The same game twice: the package's `Position` beside the oracle's `State`, and strategies that draw both."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from mancala_rl import VARIANTS, Position, Rules
from mancala_rl.rules.registry import entry_of
from tests import reference
from tests.reference import PRESETS, Settings, State

# Fields that the oracle and the record call by one name and write in one way.
SAME = (
    "players",
    "pits",
    "stones",
    "sow_stores",
    "first_stone",
    "skip_origin",
    "relay",
    "relay_limit",
    "empty_capture",
    "lander",
    "even_capture",
    "chain_side",
    "grand_slam",
    "tuzdik",
    "feed",
    "end_check",
    "leftovers",
    "stop_when_decided",
    "sweep_when_decided",
    "repetition",
    "cycle_split",
    "max_plies",
    "pie",
    "goal",
    "play_out",
    "resign",
)

ENDLESS = 200  # moves of a game that nothing ends


def rules_of(settings: Settings) -> Rules:
    """The package's record for the oracle's settings."""
    return Rules(
        name=settings.variant,
        extra_turn=f"{settings.turn_stores}_store" if settings.extra_turn else "none",
        capture="cross" if settings.capture else "none",
        chain=",".join(map(str, settings.chain)) or "none",
        **{field: getattr(settings, field) for field in SAME},
    )


def settings_from(rules: Rules) -> Settings:
    """The oracle's settings for a record; the inverse of `rules_of` but for the start position, which is a state's."""
    return Settings(
        variant=rules.name,
        extra_turn=rules.extra_turn != "none",
        turn_stores="any" if rules.extra_turn == "any_store" else "own",
        capture=rules.capture == "cross",
        chain=tuple(map(int, rules.chain.split(","))) if rules.chain != "none" else (),
        **{field: getattr(rules, field) for field in SAME},
    )


def state_from(position: Position) -> State:
    """The oracle's state for the first position of a game."""
    settings = settings_from(position.rules)
    state = State(settings, position.pits, position.stores, position.to_move, position.pie, position.closed)
    return state._replace(places=position.places if any(position.places) else (), lifted=position.lifted)


def position_of(state: State) -> Position:
    """The package's position for an oracle state, as a custom position."""
    return Position(
        rules_of(state.settings),
        state.pits,
        state.stores,
        state.turn,
        pie=state.swapper,
        closed=state.closed,
        places=state.places or None,
        tuzdiks=state.tuzdiks or None,
    )


def stones_of(position: Position) -> int:
    """Section 0: pits, stores and the stones lifted off the board."""
    return sum(map(sum, position.pits)) + sum(position.stores) + position.lifted


def seen(position: Position) -> dict[str, Any]:
    """Everything the package says about a position that the oracle has an opinion on."""
    return {
        "pits": position.pits,
        "stores": position.stores,
        "to_move": position.to_move,
        "is_over": position.is_over,
        "legal_moves": list(position.legal_moves),
        "captured": position.captured,
        "extra_turn": position.extra_turn,
        "closed": position.closed,
        "places": position.places,
        "lifted": position.lifted,
        "tuzdiks": position.tuzdiks,
        "truncated": position.truncated,
        "scores": position.scores,
        "ranking": position.ranking,
        "returns": rounded(position.returns),
        "decided": position.decided,
    }


def expected(state: State) -> dict[str, Any]:
    """What `seen` ought to be."""
    nobody = (None,) * state.settings.players
    scores = state.settings.goal == "most"
    return {
        "pits": state.pits,
        "stores": state.stores,
        "to_move": state.turn,
        "is_over": state.over,
        "legal_moves": reference.legal(state),
        "captured": state.captured,
        "extra_turn": state.extra,
        "closed": tuple(sorted(state.closed)),
        "places": state.places or nobody,
        "lifted": state.lifted,
        "tuzdiks": state.tuzdiks or nobody,
        "truncated": state.truncated,
        "scores": state.scores,
        "ranking": reference.ranking(state) if state.over else None,
        "returns": rounded(reference.returns(state)),
        "decided": scores and 2 * max(state.stores) > reference.total(state),
    }


def rounded(values: tuple[float, ...]) -> tuple[float, ...]:
    """Rewards of three or four players are thirds, which two ways of reckoning may round differently."""
    return tuple(round(value, 12) + 0.0 for value in values)


def margin_of(state: State) -> int:
    """What `kernel.margin` ought to be: by how many stones seat 0 leads seat 1, or is nearer to an empty side."""
    if state.settings.goal == "most":
        return state.stores[0] - state.stores[1]
    nearer = sum(state.pits[1]) - sum(state.pits[0])
    a, b = (place or 0 for place in state.places[:2]) if state.over and state.places else (0, 0)
    return nearer + (b - a) * state.settings.players * state.settings.pits * state.settings.stones


def sown_cells(state: State, move: int) -> tuple[int, ...]:
    """The oracle's sowing as cell numbers of the package: seat * (pits + 1) + pit; another action sows nothing."""
    m = state.settings.pits
    return () if move == m else tuple(player * (m + 1) + i for player, i in reference.sowing_cells(state, move))


def longest(rules: Rules) -> int:
    """A number of moves that no game under finite rules exceeds.

    Where stores are sown: between two stones that reach a store no sowing passes one, so every stone moved stays in its
    row and goes forward at least one pit, at most m - 1 in all. Where none is: nothing has been captured for 255 moves
    at most, and every capture takes a stone. The action that is no pit is played once by each player at most.
    """
    bounds = [rules.max_plies] if rules.max_plies else []
    if rules.sow_stores != "none":
        bounds.append((rules.total + 1) * (rules.total * (rules.pits - 1) + 1) + rules.players)
    if rules.repetition:
        bounds.append((rules.total + 1) * 255)
    return min(bounds)


# Strategies. Not `st.builds(Settings)`: it would draw every field of a named tuple too, whatever its type allows.

SIZES = {"pits": range(1, 8), "stones": range(1, 9), "first": range(2)}
FIRST_TO_EMPTY = {"players": (2, 3, 4), "play_out": (True, False), "resign": (True, False), "max_plies": (0, 30)}
MECHANICS: dict[str, tuple[Any, ...]] = {
    "players": (2, 2, 2, 3, 4),
    "sow_stores": ("own", "all", "none"),
    "first_stone": ("next", "origin"),
    "skip_origin": (True, False),
    "relay": ("off", "last", "next"),
    "relay_limit": (0, 3, 50),
    "extra_turn": (True, False),
    "turn_stores": ("own", "any"),
    "capture": (True, False),
    "empty_capture": (True, False),
    "lander": ("taken", "stays"),
    "even_capture": (True, False),
    "chain": ((), (2, 3), (2, 4, 6), (1,)),
    "chain_side": ("opponent", "any"),
    "grand_slam": ("no_capture", "illegal", "allow", "rest_to_opponent", "leave_last", "leave_first"),
    "tuzdik": (True, False),
    "feed": (True, False),
    "end_check": ("immediate", "on_turn"),
    "leftovers": ("owner", "emptier", "unscored"),
    "stop_when_decided": (True, False),
    "sweep_when_decided": (True, False),
    "repetition": (0, 2, 3),
    "cycle_split": ("own_side", "even"),
    "max_plies": (0, 0, 5, 60),
    "pie": (True, False),
}
# What only two can play, and what nobody needs where the first to empty the own side wins, both as `Settings` have it.
FOR_TWO = {"capture": False, "even_capture": False, "chain": (), "tuzdik": False, "feed": False, "pie": False}
# Fields that mean nothing unless another one is on: `consistency` refuses them then.
NEEDS = {
    "empty_capture": "capture",
    "lander": "capture",
    "chain_side": "chain",
    "grand_slam": "chain",
    "sweep_when_decided": "stop_when_decided",
    "cycle_split": "repetition",
}


def consistent(settings: Settings) -> Settings:
    """The settings with what contradicts the rest of them taken out, the number of players and the stores first."""
    plain, changed = Settings(), {}
    if settings.players > 2:
        settings = settings._replace(**FOR_TWO)
    if settings.sow_stores != "none":
        changed["repetition"] = 0
        changed["turn_stores"] = "own" if settings.sow_stores == "own" else settings.turn_stores
    else:
        changed.update(extra_turn=False, turn_stores="own")
    if settings.relay == "off":
        changed["relay_limit"] = 0
    elif settings.sow_stores == "none":
        changed["relay_limit"] = settings.relay_limit or 100
    changed["pie"] = settings.pie and not settings.tuzdik
    settings = settings._replace(**changed)
    return settings._replace(**{key: getattr(plain, key) for key, on in NEEDS.items() if not getattr(settings, on)})


def draw_random() -> st.SearchStrategy[random.Random]:
    """A generator of its own for each example: Hypothesis alone draws mostly tiny boards and empty lists."""
    return st.randoms(use_true_random=True)


@st.composite
def draw_settings(draw: st.DrawFn, presets: tuple[str, ...] = tuple(PRESETS)) -> Settings:
    """A preset of 1..7 pits and 1..8 stones with some of its mechanics changed, over the whole space of the rules."""
    preset, rng = PRESETS[draw(st.sampled_from(presets))], draw(draw_random())
    mechanics = FIRST_TO_EMPTY if preset.goal == "empty" else MECHANICS
    # A few mechanics of another game at a time: with all of them drawn, nothing of the preset would be left.
    keys = [*SIZES, *rng.sample(sorted(mechanics), rng.randint(0, min(5, len(mechanics))))]
    fields = {key: rng.choice([*{**SIZES, **mechanics}[key]]) for key in keys}
    settings = preset._replace(**fields)
    return settings if preset.goal == "empty" else consistent(settings)


@st.composite
def draw_variant(draw: st.DrawFn) -> Settings:
    """A registered variant with some of its own options changed, so that a spec string can name it."""
    name, rng = draw(st.sampled_from(sorted(VARIANTS))), draw(draw_random())
    values = {**SIZES, **FIRST_TO_EMPTY, **MECHANICS}
    keys = [key for key in entry_of(name).options if key in values and rng.random() < 0.4]
    settings = PRESETS[name]._replace(**{key: rng.choice([*values[key]]) for key in keys})
    return settings if settings.goal == "empty" else consistent(settings)


@st.composite
def draw_start(draw: st.DrawFn, presets: tuple[str, ...] = tuple(PRESETS)) -> State:
    """The uniform start of any settings."""
    return reference.start(draw(draw_settings(presets)))


@st.composite
def draw_custom(draw: st.DrawFn, presets: tuple[str, ...] = tuple(PRESETS)) -> State:
    """Any position: empty rows, decided stores, pits of several laps, closed pits, players who are out, tuzdiks."""
    settings, rng = draw(draw_settings(presets)), draw(draw_random())
    return racing(settings, rng) if settings.goal == "empty" else scoring(settings, rng)


def scoring(settings: Settings, rng: random.Random) -> State:
    """A position of a game that is won by most stones."""
    players, m = settings.players, settings.pits
    closed = some_closed(settings, rng) if players == 2 else ()
    tuzdiks = some_tuzdiks(settings, closed, rng) if settings.tuzdik else ()
    shut = {*closed, *((1 - seat, pit) for seat, pit in enumerate(tuzdiks) if pit is not None)}
    cells = [(seat, pit) for seat in range(players) for pit in range(m + 1) if (seat, pit) not in shut]
    board = spread(cells, players * m * settings.stones, rng)
    swapper = rng.choice([None, 0, 1]) if settings.pie else None
    state = state_with(settings, board, rng.randrange(players))
    return reference.end(state._replace(swapper=swapper, closed=closed, tuzdiks=tuzdiks))


def racing(settings: Settings, rng: random.Random) -> State:
    """A position of a game that the first to empty the own side wins; nobody who still plays has an empty side (J6)."""
    players, m = settings.players, settings.pits
    places = some_places(settings, rng)
    playing = [seat for seat in range(players) if not places or places[seat] is None]
    left = players * m * settings.stones
    lifted = rng.randint(1, left - len(playing)) if len(playing) < players else 0
    board = spread([(seat, pit) for seat in playing for pit in range(m + 1)], left - lifted - len(playing), rng)
    for seat in playing:
        cell = (seat, rng.randrange(m))
        board[cell] = board.get(cell, 0) + 1
    return state_with(settings, board, rng.choice(playing))._replace(places=places, lifted=lifted)


def state_with(settings: Settings, board: dict[tuple[int, int], int], turn: int) -> State:
    rows = [[board.get((seat, pit), 0) for pit in range(settings.pits + 1)] for seat in range(settings.players)]
    pits, stores = tuple(tuple(row[:-1]) for row in rows), tuple(row[-1] for row in rows)
    return State(settings, pits, stores, turn)


def spread(cells: list[tuple[int, int]], left: int, rng: random.Random) -> dict[tuple[int, int], int]:
    """Any distribution of the stones over the cells: crowded or even, with many empty pits or none."""
    board, most = {}, rng.choice([1, 3, 6, left])
    for cell in rng.sample(cells, len(cells)):
        board[cell] = rng.randint(0, min(most, left))
        left -= board[cell]
    board[rng.choice(cells)] += left
    return board


def some_closed(settings: Settings, rng: random.Random) -> tuple[tuple[int, int], ...]:
    """M15: often none, else some pits of one seat, never all."""
    count = rng.choice([0, 0, rng.randrange(settings.pits)])
    seat = rng.randrange(2)
    return tuple((seat, pit) for pit in sorted(rng.sample(range(settings.pits), count)))


def some_tuzdiks(settings: Settings, closed: tuple[tuple[int, int], ...], rng: random.Random) -> tuple[int | None, ...]:
    """A pit of the opponent's row for each seat or none: not the last one, not the rival's number, not a closed one."""
    tuzdiks: list[int | None] = []
    for seat in range(2):
        free = [pit for pit in range(settings.pits - 1) if pit not in tuzdiks and (1 - seat, pit) not in closed]
        tuzdiks.append(rng.choice([None, *free]))
    return tuple(tuzdiks)


def some_places(settings: Settings, rng: random.Random) -> tuple[int | None, ...]:
    """Who is out, at least two playing: finishers hold the best places (J8), quitters the worst (J10); () = nobody."""
    players = settings.players
    out = rng.sample(range(players), rng.randint(0, players - 2))
    finishers = rng.randint(0, len(out)) if settings.play_out else 0
    taken = [*range(1, finishers + 1), *range(players, players - len(out) + finishers, -1)]
    places: list[int | None] = [None] * players
    for seat, place in zip(out, taken, strict=True):
        places[seat] = place
    return tuple(places) if out else ()


def random_game(state: State, seed: int) -> list[tuple[int, State]]:
    """A game of random legal moves, each move and the state after it: to its end, or for a while if nothing ends it."""
    rng, game, rules = random.Random(seed), [], rules_of(state.settings)
    plies = longest(rules) if rules.is_finite else ENDLESS
    while not state.over and len(game) < plies:
        move = rng.choice(reference.legal(state))
        state = reference.play(state, move)
        game.append((move, state))
    return game
