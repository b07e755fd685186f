"""The distance that a combatant has just run in a straight line on the map, which only some features need."""

from __future__ import annotations

import msgspec

from turnwright.encounter.lookups import find_effect
from turnwright.encounter.prepared import Point
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.positions.geometry import distance
from turnwright.rules.parts.positions.hypothetical import MovedLookup
from turnwright.rules.system import RuleSystem

STRAIGHT_RUN = "straight-run"  # mark of a straight run with its start and its length in feet


def run_start(run: Effect) -> Point:
    """Return the square where a straight run began."""
    column, _, row = run.end_condition.partition(",")
    return int(column), int(row)


def straight_feet_towards(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> int:
    """Return the distance in feet by which a combatant's last straight run this turn brought it closer to another."""
    run = find_effect(lookup, who, STRAIGHT_RUN)
    if run is None:
        return 0
    before = MovedLookup(lookup, [msgspec.structs.replace(lookup.need(Combatant, who), position=run_start(run))])
    feet_before, feet_now = distance(before, rules, who, other), distance(lookup, rules, who, other)
    return 0 if feet_before is None or feet_now is None else min(run.value, feet_before - feet_now)
