"""What a solved set is to hold: how many positions of which stages of the game, and what is built to solve them."""

import math
from dataclasses import dataclass, replace

from mancala_rl.errors import BadInputError
from mancala_rl.rules import Rules, variant
from mancala_rl.rules.numbers import check_whole
from mancala_rl.solver.packing import fits

_BANDS = 11  # at least, where there are as many stones
_TRIED = 6  # positions solved for one that is kept


@dataclass(frozen=True)
class Plan:
    """How many positions are drawn with how many stones left.

    Positions are drawn in bands of stones left in the pits, as many in each; from `costly` on, `fading` times as many
    with every band. Six times as many are solved as are kept, so that there is a choice of positions with one, two and
    more best moves; of the costly ones no more than are needed.

    Attributes:
        stones: the most stones in the pits.
        costly: with more stones than these a position takes long to solve.
        database: stones of the endgame database that helps; None for what `solve` chooses.
        positions: about how many to keep; fewer if games do not bring so many.
        fading: how many times as many are kept of a costly band as of the one below it.
    """

    stones: int
    costly: int
    database: int | None = None
    positions: int = 2600
    fading: float = 0.5

    @property
    def width(self) -> int:
        """Numbers of stones in a band."""
        return max(1, self.stones // _BANDS)

    @property
    def bands(self) -> range:
        """The numbers of the bands: n stones are in band (n - 1) // width."""
        return range(-(-self.stones // self.width))

    def kept(self, band: int) -> int:
        """Return how many positions of a band are kept."""
        return math.ceil(self.positions * self._weight(band) / sum(map(self._weight, self.bands)))

    def tried(self, band: int) -> int:
        """Return how many positions of a band are solved, at most."""
        return self.kept(band) * (1 if self._costly_bands(band) else _TRIED)

    @property
    def tried_in_all(self) -> int:
        """How many positions are solved, at most."""
        return sum(map(self.tried, self.bands))

    def _weight(self, band: int) -> float:
        return self.fading ** self._costly_bands(band)

    def _costly_bands(self, band: int) -> int:
        """Return how many bands are costly, counted up to this one."""
        most = (band + 1) * self.width
        return max(0, -(-(most - self.costly) // self.width))


# Chosen so that each of them takes minutes; mangala_official takes 14 of one processor, and 2 GiB of memory.
_PLANS = {
    "kalah": Plan(stones=44, costly=36, database=20),
    "kalah:stones=6": Plan(stones=42, costly=36, database=20),
    "mangala_official": Plan(stones=39, costly=30, database=24, fading=0.7),
    "oware": Plan(stones=14, costly=14, database=14, positions=3600),
}


def plan_for(rules: Rules, stones: int | None = None, positions: int | None = None) -> Plan:
    """Return the plan for a set of these rules, the shipped one's where there is one.

    Args:
        stones: the most stones in the pits, if not the plan's own.
        positions: how many to keep, if not the plan's own.

    Raises:
        BadInputError: a number out of range.
    """
    known = [plan for spec, plan in _PLANS.items() if rules.plays_like(variant(spec))]
    plan = known[0] if known else _usual(rules)
    if stones is not None:
        if not 2 <= stones <= rules.total:
            raise BadInputError(f"stones={stones}: expected a number from 2 to {rules.total}, all that {rules} has")
        database = None if plan.database is None else min(plan.database, stones)
        plan = replace(plan, stones=stones, database=database)
    if positions is not None:
        check_whole("positions", positions, 1, 1_000_000)
        plan = replace(plan, positions=positions)
    return plan


def _usual(rules: Rules) -> Plan:
    """Return a plan for rules of which nothing else is known: the second half of the game, or the last third."""
    stones = max(2, rules.total // (2 if fits(rules, rules.total) else 3))
    return Plan(stones, stones)
