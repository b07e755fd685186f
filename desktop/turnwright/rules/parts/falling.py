"""Who drops out of the air, and why: the prone, the held, and those whose wings have gone."""

from __future__ import annotations

from turnwright.battlemap.spaces import squares_across
from turnwright.encounter.pending import Procedure, Watch
from turnwright.encounter.prepared import Scene
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import NOTHING, Contribution, Follow, Moment
from turnwright.rules.parts import positions
from turnwright.rules.parts.areas import map_of
from turnwright.rules.parts.conditions import adjusted_speed
from turnwright.rules.parts.field import ground_at
from turnwright.rules.parts.speeds import LENT, speeds_of
from turnwright.rules.system import RuleSystem, creature_of

FALLING, PRONE, RESTRAINED = "falling", "prone", "restrained"
FALL = "fall"


def is_aloft(lookup: Lookup) -> bool:
    """Return whether everybody hangs in the open sky."""
    return "sky" in (lookup.get(Scene, "scene") or Scene()).suspended


def height_over_ground(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return how many feet of air are below somebody."""
    return max(0, lookup.need(Combatant, who).elevation - floor_under(lookup, rules, who))


def floor_under(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the elevation in feet of the ground on which somebody stands or above which they fly; 0 without a grid."""
    combatant = lookup.need(Combatant, who)
    if map_of(lookup) is None or combatant.position is None:
        return 0
    return ground_at(lookup, combatant.position, squares_across(positions.space_of(lookup, rules, who)))


def flies(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether somebody is up in the air on wings of their own, or adrift in the sky."""
    combatant = lookup.get(Combatant, who)
    if combatant is None or combatant.rides:
        return False
    if is_aloft(lookup):
        return True
    return height_over_ground(lookup, rules, who) > 0 and bool(_air_speeds(lookup, rules, who))


def _air_speeds(lookup: Lookup, rules: RuleSystem, who: str) -> list[int]:
    modes = rules.catalogue.movement.in_air
    return [speed.value for mode, speed in speeds_of(lookup, rules, who).items() if mode in modes]


def on_gained(lookup: Lookup, rules: RuleSystem, moment: Moment) -> Contribution:
    """At EFFECT_GAINED: what takes a flyer out of the air."""
    if _is_falling_already(lookup, moment.who):
        return NOTHING
    if moment.what == FALLING:
        return _falls(moment.who, rules.cite("falling.figures"))
    if not flies(lookup, rules, moment.who):
        return NOTHING
    hovers = creature_of(lookup, lookup.need(Combatant, moment.who)).hovers
    aloft = is_aloft(lookup)
    if moment.what == PRONE and not hovers:
        return _falls(moment.who, rules.cite("suspended.fall" if aloft else "move.fall-prone"))
    if aloft and moment.what == RESTRAINED:
        return _falls(moment.who, rules.cite("suspended.fall"))
    if not hovers and _is_stopped_by(lookup, rules, moment.who, moment.what):
        return _falls(moment.who, rules.cite("suspended.fall" if aloft else "move.fall-speed-zero"))
    return NOTHING


def on_ended(lookup: Lookup, rules: RuleSystem, moment: Moment) -> Contribution:
    """At EFFECT_ENDED: a speed in the air that was only lent is gone."""
    mode = moment.what.removeprefix(LENT)
    combatant = lookup.get(Combatant, moment.who)
    if mode == moment.what or mode not in rules.catalogue.movement.in_air or combatant is None or combatant.rides:
        return NOTHING
    aloft = is_aloft(lookup)
    in_air = aloft or height_over_ground(lookup, rules, moment.who) > 0
    if not in_air or _air_speeds(lookup, rules, moment.who) or _is_falling_already(lookup, moment.who):
        return NOTHING
    return _falls(moment.who, rules.cite("suspended.fall" if aloft else "move.fall-speed-zero"))


def _is_stopped_by(lookup: Lookup, rules: RuleSystem, who: str, effect: str) -> bool:
    """Return whether an effect just gained sets a Speed, and no air speed is left."""
    condition = rules.conditions.get(effect)
    if condition is None or not any(rule.kind == "speed" for rule in condition.rules):
        return False
    for feet in _air_speeds(lookup, rules, who):
        parts, replaced = adjusted_speed(lookup, rules, who, feet)
        if (parts[0].value if replaced else feet + sum(part.value for part in parts)) > 0:
            return False
    return True


def _is_falling_already(lookup: Lookup, who: str) -> bool:
    return any(
        one.kind == FALL and isinstance(one.data, Watch) and one.data.who == who for one in lookup.all(Procedure)
    )


def _falls(who: str, rule: str) -> Contribution:
    return Contribution(follows=(Follow(FALL, who, rule),))
