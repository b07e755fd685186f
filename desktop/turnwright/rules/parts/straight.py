"""The straight line that some ways of running keep to for a turn: which way it goes, and what would leave it."""

from __future__ import annotations

from itertools import pairwise

from turnwright.encounter.prepared import Point
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import Veto
from turnwright.rules.parts.statements import effects_on
from turnwright.rules.system import RuleSystem

SPRINTING = "sprinting"


def sprint_of(lookup: Lookup, who: str) -> Effect | None:
    """Return the effect that binds somebody to a straight line this turn, None where nothing does."""
    return next((one for one in effects_on(lookup, who) if one.name == SPRINTING), None)


def sprint_direction(lookup: Lookup, who: str) -> Point | None:
    """Return how far (columns, rows) a run in a straight line has come this turn; None where it has not begun."""
    mark = sprint_of(lookup, who)
    if mark is None or not mark.until:
        return None
    across, _, down = mark.until.partition(",")
    return int(across), int(down)


def straight_vetoes(lookup: Lookup, rules: RuleSystem, who: str, path: tuple[Point, ...]) -> tuple[Veto, ...]:
    """Return why somebody bound to a straight line can't go along a path: as straight as squares allow is straight."""
    here = lookup.need(Combatant, who).position
    if sprint_of(lookup, who) is None or here is None or not path:
        return ()
    across, down = sprint_direction(lookup, who) or (0, 0)
    start = (here[0] - across, here[1] - down)
    way = [(at[0] - start[0], at[1] - start[1]) for at in (here, *path)]
    if is_straight(way if across or down else [(0, 0), *way[1:]]):
        return ()
    return (Veto("refused.not_straight", rules.cite("sprint.straight"), (("who", lookup.need(Combatant, who).label),)),)


def is_straight(way: list[Point]) -> bool:
    """Return whether squares, counted from where a run began, lie on one line to the last of them and lead on."""
    right, below = way[-1]
    longest = max(abs(right), abs(below))
    beside = any(2 * abs(right * down - below * across) > longest for across, down in way)
    along = [right * across + below * down for across, down in way]
    return bool(longest) and not beside and all(one < other for one, other in pairwise(along))
