"""Tumbling: a limited number of passages through enemies' spaces.

`play.movement.tumble` carries out the check.
"""

from __future__ import annotations

from itertools import groupby

from turnwright.battlemap.spaces import share_a_square
from turnwright.encounter.prepared import Point
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import Veto
from turnwright.rules.parts.environment.areas import current_map
from turnwright.rules.parts.positions import space, space_at
from turnwright.rules.system import RuleSystem


def tumble_vetoes(lookup: Lookup, rules: RuleSystem, who: str, path: tuple[Point, ...]) -> tuple[Veto, ...]:
    """Return the veto on a path that enters an enemy's space more often than the tumble allows."""
    for effect in lookup.of(Effect, who):
        if (
            effect.name == rules.role("moving-through")
            and effect.uses_left
            and _entries(lookup, rules, who, effect.by, path) > effect.uses_left
        ):
            other = lookup.get(Combatant, effect.by)
            params = (("who", lookup.need(Combatant, who).label), ("target", other.label if other else ""))
            return (Veto("refused.passed_already", rules.rule_id("tumble.once"), params),)
    return ()


def _entries(lookup: Lookup, rules: RuleSystem, who: str, other: str, path: tuple[Point, ...]) -> int:
    """Return the number of times a path enters a combatant's space."""
    field, there = current_map(lookup), space(lookup, rules, other)
    if field is None or there is None:
        return 0
    height = lookup.need(Combatant, who).elevation
    inside = [share_a_square(space_at(lookup, rules, who, at, height), there, field.cell) for at in path]
    return sum(1 for within, _ in groupby(inside) if within)
