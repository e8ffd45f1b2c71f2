"""The settings of every game of the family, and positions."""

from __future__ import annotations

from typing import Any, NamedTuple

Row = tuple[int, ...]
Rows = tuple[Row, ...]
Cell = tuple[int, int]  # (player, pit); pit m is the store


class Settings(NamedTuple):
    """The size of the board and every option of the rule text; the defaults are Kalah's."""

    variant: str = "kalah"
    players: int = 2
    pits: int = 6
    stones: int = 4
    first: int = 0

    # Sowing
    sow_stores: str = "own"  # own | all | none: the stores that get stones
    first_stone: str = "next"  # next | origin (M3; a single stone moves on, M4)
    skip_origin: bool = False  # O2: the pit a lap was taken from gets no stone of that lap
    relay: str = "off"  # off | last (a last stone that makes 2 or more is taken up again) | next (the pit after it is)
    relay_limit: int = 0  # a sowing stops after this many laps; 0 = no limit

    # What the last stone does
    extra_turn: bool = True  # in a store
    turn_stores: str = "own"  # own | any: the stores that give the extra turn
    capture: bool = True  # in an own empty pit: the opposite stones (K6)
    empty_capture: bool = False  # ... and the lone stone where nothing lies opposite
    lander: str = "taken"  # taken | stays: the last stone of a K6 capture
    even_capture: bool = False  # M8: in an opponent's pit that becomes even
    chain: Row = ()  # O3: in a pit that comes to hold one of these numbers, then backwards
    chain_side: str = "opponent"  # opponent | any: the pits that a chain takes
    grand_slam: str = "allow"  # O4: no_capture | illegal | allow | rest_to_opponent | leave_last | leave_first
    tuzdik: bool = False  # a last stone that makes 3 claims the opponent's pit for ever

    # Duties, end and score
    feed: bool = False  # O5
    end_check: str = "immediate"  # immediate (either row) | on_turn (the player to move has no legal move)
    leftovers: str = "owner"  # owner | emptier | unscored
    stop_when_decided: bool = False  # somebody has more than half
    sweep_when_decided: bool = False  # O6: and then each side banks its own stones
    repetition: int = 0  # O7: 0 | 2 | 3
    cycle_split: str = "own_side"  # own_side | even
    max_plies: int = 0  # O6: a cap, 0 = none
    pie: bool = False
    goal: str = "most"  # most (stones in the store) | empty (J6: first to empty the own side)
    play_out: bool = True  # J8, J9
    resign: bool = False  # J10


class State(NamedTuple):
    """A position, and what the last move did. `turn` is None when the game is over."""

    settings: Settings
    pits: Rows
    stores: Row
    turn: int | None
    swapper: int | None = None  # the seat that still has its first action before it, and with it the right to swap
    closed: tuple[Cell, ...] = ()  # M15: (player, pit) pairs that are out of use
    captured: int = 0  # stones that the last move put in the mover's store by capture
    extra: bool = False
    ply: int = 0
    places: tuple[int | None, ...] = ()  # J8-J10: a place for each seat that is out; () = everybody plays
    lifted: int = 0  # J8, J10: stones that left the board
    seen: tuple[tuple[Rows, int | None], ...] = ()  # O7: positions since the last capture, the present one included
    tuzdiks: tuple[int | None, ...] = ()  # for each seat the pit of the opponent's row it has claimed; () = none
    truncated: bool = False  # O6, O7: ended by `max_plies`, not by the rules

    @property
    def over(self) -> bool:
        return self.turn is None

    @property
    def scores(self) -> Row:
        return self.stores


_KALAH = Settings()
_MANGALA = Settings(variant="mangala", first_stone="origin")
_NO_STORES = Settings(sow_stores="none", extra_turn=False, end_check="on_turn")

PRESETS = {
    "kalah": _KALAH,
    "japanese": Settings(variant="japanese", sow_stores="all", turn_stores="any", capture=False, goal="empty"),
    "mangala": _MANGALA,
    "mangala_official": _MANGALA._replace(variant="mangala_official", even_capture=True, leftovers="emptier"),
    "oware": _NO_STORES._replace(
        variant="oware",
        skip_origin=True,
        capture=False,
        chain=(2, 3),
        grand_slam="no_capture",
        feed=True,
        stop_when_decided=True,
        sweep_when_decided=True,
        repetition=2,
    ),
    # Section 5: relay, no capture.
    "avalanche": _KALAH._replace(variant="avalanche", capture=False, relay="last"),
    # Section 5: relay through the own store, cross capture.
    "congkak": _KALAH._replace(variant="congkak", pits=7, stones=7, relay="last"),
    # Section 5: relay skipping the origin. Cross capture of both pits, feeding (mancala.fandom.com/wiki/Ayoayo).
    "ayoayo": _NO_STORES._replace(
        variant="ayoayo", relay="last", relay_limit=100, skip_origin=True, feed=True, repetition=3
    ),
    # Section 5: chain {2, 4, 6}; on either side (en.wikipedia.org/wiki/Das_Bohnenspiel).
    "bohnenspiel": _NO_STORES._replace(
        variant="bohnenspiel", stones=6, capture=False, chain=(2, 4, 6), chain_side="any", repetition=3
    ),
    # Section 5: Mangala's sowing, even capture, tuzdik, 2 x 9 x 9 (en.wikipedia.org/wiki/Toguz_korgool).
    "toguz_korgool": _NO_STORES._replace(
        variant="toguz_korgool",
        pits=9,
        stones=9,
        first_stone="origin",
        capture=False,
        even_capture=True,
        tuzdik=True,
        repetition=3,
        stop_when_decided=True,
    ),
}


def settings_of(spec: str) -> Settings:
    """`NAME[:key=value,...]` as settings, each value converted to the type of the default; a chain is written 2-4-6."""
    name, _, options = spec.partition(":")
    settings = PRESETS[name]
    for option in filter(None, options.split(",")):
        key, _, text = option.partition("=")
        old: Any = getattr(settings, key)
        if isinstance(old, bool):
            value: Any = text == "true"
        elif isinstance(old, tuple):
            value = tuple(int(number) for number in text.split("-") if number)
        else:
            value = type(old)(text)
        settings = settings._replace(**{key: value})
    return settings


def start(settings: Settings) -> State:
    """K1, M1: n stones in every pit, the stores empty, the first player to move."""
    rows = ((settings.stones,) * settings.pits,) * settings.players
    swapper = 1 - settings.first if settings.pie else None
    return State(settings, rows, (0,) * settings.players, settings.first, swapper)


def total(state: State) -> int:
    """All stones: in pits, in stores, and lifted off the board."""
    return sum(sum(row) for row in state.pits) + sum(state.stores) + state.lifted


def check_custom(state: State) -> None:
    """ValueError for a position that no game can start from (section 0, J6, M15)."""
    settings = state.settings
    if min(min(row) for row in state.pits) < 0 or min(state.stores) < 0:
        raise ValueError("a cell holds fewer than no stones")
    if total(state) != settings.players * settings.pits * settings.stones:
        raise ValueError(f"{total(state)} stones are not the total of the game")
    if any(state.pits[p][i] for p, i in state.closed):
        raise ValueError("a closed pit holds nothing")  # M15
    if len({p for p, _ in state.closed}) > 1:
        raise ValueError("only one side, the loser's, has closed pits")  # M15
    out = [place is not None for place in state.places] or [False] * settings.players
    for row, gone in zip(state.pits, out, strict=True):
        if settings.goal == "empty" and not gone and not any(row):
            raise ValueError("a side is empty before the first move")  # J6
