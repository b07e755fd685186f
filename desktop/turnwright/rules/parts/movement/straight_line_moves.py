"""The straight line that a sprint follows for a turn: its direction, and the veto on leaving it."""

from __future__ import annotations

from itertools import pairwise

from turnwright.encounter.lookups import find_effect
from turnwright.encounter.prepared import Point
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import Veto
from turnwright.rules.system import RuleSystem


def sprint_effect(lookup: Lookup, rules: RuleSystem, who: str) -> Effect | None:
    """Return the effect that binds a combatant to a straight line this turn, or None if there is none."""
    return find_effect(lookup, who, rules.role("sprinting"))


def sprint_direction(lookup: Lookup, rules: RuleSystem, who: str) -> Point | None:
    """Return the offset (columns, rows) of a straight run so far this turn, or None if it hasn't started."""
    mark = sprint_effect(lookup, rules, who)
    if mark is None or not mark.end_condition:
        return None
    across, _, down = mark.end_condition.partition(",")
    return int(across), int(down)


def straight_vetoes(lookup: Lookup, rules: RuleSystem, who: str, path: tuple[Point, ...]) -> tuple[Veto, ...]:
    """Return the veto on a path that leaves the line to which a combatant is bound, within the precision of squares."""
    here = lookup.need(Combatant, who).position
    if sprint_effect(lookup, rules, who) is None or here is None or not path:
        return ()
    across, down = sprint_direction(lookup, rules, who) or (0, 0)
    start = (here[0] - across, here[1] - down)
    way = [(at[0] - start[0], at[1] - start[1]) for at in (here, *path)]
    if is_straight(way if across or down else [(0, 0), *way[1:]]):
        return ()
    return (
        Veto("refused.not_straight", rules.rule_id("sprint.straight"), (("who", lookup.need(Combatant, who).label),)),
    )


def is_straight(offsets: list[Point]) -> bool:
    """Return whether offsets from the start of a run are on one line and lead farther and farther away."""
    right, below = offsets[-1]
    longest = max(abs(right), abs(below))
    leaves_line = any(2 * abs(right * down - below * across) > longest for across, down in offsets)
    distances = [right * across + below * down for across, down in offsets]
    return (
        bool(longest)
        and not leaves_line
        and all(distance < next_distance for distance, next_distance in pairwise(distances))
    )
