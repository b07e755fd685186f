"""Flanking: an enemy between a combatant and its ally."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.battlemap.positions import opposite_sides
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.environment.areas import current_map
from turnwright.rules.parts.positions.geometry import (
    denying_conditions,
    in_reach,
    longest_reach,
    possibly_within,
    space,
    stated_relation,
)
from turnwright.rules.system import RuleSystem


def flanks(lookup: Lookup, rules: RuleSystem, attacker: str, other: str) -> bool | None:
    """Return whether an attacker flanks a target: with an ally on the opposite side or, without a grid, by numbers."""
    pair = stated_relation(lookup, attacker, other)
    if pair is not None and pair.flanked is not None:
        return pair.flanked
    if denying_conditions(lookup, rules, other, "being-flanked") or not _can_flank(lookup, rules, attacker, other):
        return False
    here, target, field = space(lookup, rules, attacker), space(lookup, rules, other), current_map(lookup)
    if field is None or here is None or target is None:
        if not rules.data.places.flankers:
            return None if in_reach(lookup, rules, attacker, other) is not False else False
        return _outnumbers(lookup, rules, attacker, other)
    if not in_reach(lookup, rules, attacker, other):
        return False
    return any(
        in_reach(lookup, rules, ally, other)
        and (there := space(lookup, rules, ally)) is not None
        and opposite_sides(here, there, target, cell=field.cell)
        for ally in _allies(lookup, rules, attacker, other)
    )


def _outnumbers(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> bool | None:
    """Return whether enough combatants of a side, including this one, have the target within melee reach."""
    near, needed = in_reach(lookup, rules, who, other), rules.data.places.flankers - 1
    surely = perhaps = 0
    for ally in _allies(lookup, rules, who, other) if near is not False else ():
        reaches = in_reach(lookup, rules, ally, other)
        surely, perhaps = surely + (reaches is True), perhaps + (reaches is not False)
        if (surely if near else perhaps) >= needed:
            break
    return True if near and surely >= needed else None if near is not False and perhaps >= needed else False


def _allies(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> Iterator[str]:
    """Yield the combatant's allies that can flank the target and may have it within reach."""
    side = lookup.need(Combatant, who).side
    for ally in possibly_within(lookup, rules, other, longest_reach(lookup, rules)):
        if ally.side == side and ally.id != who and _can_flank(lookup, rules, ally.id, other):
            yield ally.id


def _can_flank(lookup: Lookup, rules: RuleSystem, who: str, other: str) -> bool:
    """Return whether a combatant is up, hostile to the target, and free of conditions that prevent flanking."""
    combatant, target = lookup.get(Combatant, who), lookup.get(Combatant, other)
    if combatant is None or target is None or combatant.side == target.side:
        return False
    return not combatant.dead and combatant.hp > 0 and not denying_conditions(lookup, rules, who, "flanking")
