"""Falling from the air: the hooks that make flyers fall when they are prone, stopped or lose their flying speed.

`play.movement.falling` carries out the fall.
"""

from __future__ import annotations

from turnwright.battlemap.spaces import squares_across
from turnwright.encounter.lookups import scene_of
from turnwright.encounter.procedure_state import Procedure
from turnwright.encounter.procedure_state.movement import FALL, Fall
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import NO_RESULT, HookContext, HookResult, StartProcedure
from turnwright.rules.parts import positions
from turnwright.rules.parts.combatants.speeds import LENT_PREFIX, speeds_of
from turnwright.rules.parts.conditions.condition_rules import speed_modifiers
from turnwright.rules.parts.environment.areas import current_map
from turnwright.rules.parts.positions.map_geometry import ground_elevation
from turnwright.rules.system import RuleSystem, creature_of


def is_open_sky(lookup: Lookup) -> bool:
    """Return whether the scene is set in the open sky."""
    return "sky" in scene_of(lookup).suspended


def height_over_ground(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return a combatant's height above the ground in feet."""
    return max(0, lookup.need(Combatant, who).elevation - ground_below(lookup, rules, who))


def ground_below(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the elevation in feet of the ground below a combatant, or 0 without a grid."""
    combatant = lookup.need(Combatant, who)
    if current_map(lookup) is None or combatant.position is None:
        return 0
    return ground_elevation(lookup, combatant.position, squares_across(positions.effective_side(lookup, rules, who)))


def is_flying(lookup: Lookup, rules: RuleSystem, who: str) -> bool:
    """Return whether a combatant is in the air by its own speed, or floating in the open sky."""
    combatant = lookup.get(Combatant, who)
    if combatant is None or combatant.rides:
        return False
    if is_open_sky(lookup):
        return True
    return height_over_ground(lookup, rules, who) > 0 and bool(_air_speeds(lookup, rules, who))


def _air_speeds(lookup: Lookup, rules: RuleSystem, who: str) -> list[int]:
    modes = rules.data.movement.in_air
    return [speed.value for mode, speed in speeds_of(lookup, rules, who).items() if mode in modes]


def on_gained(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the fall of a flyer that an effect brings down, at EFFECT_GAINED."""
    if _is_falling_already(lookup, context.who):
        return NO_RESULT
    if context.subject == rules.role("falling"):
        return _fall_result(context.who, rules.rule_id("falling.figures"))
    if not is_flying(lookup, rules, context.who):
        return NO_RESULT
    hovers = creature_of(lookup, lookup.need(Combatant, context.who)).hovers
    aloft = is_open_sky(lookup)
    if context.subject == rules.role("prone") and not hovers:
        return _fall_result(context.who, rules.rule_id("suspended.fall" if aloft else "move.fall-prone"))
    if aloft and context.subject == rules.role("restrained"):
        return _fall_result(context.who, rules.rule_id("suspended.fall"))
    if not hovers and _is_stopped_by(lookup, rules, context.who, context.subject):
        return _fall_result(context.who, rules.rule_id("suspended.fall" if aloft else "move.fall-speed-zero"))
    return NO_RESULT


def on_ended(lookup: Lookup, rules: RuleSystem, context: HookContext) -> HookResult:
    """Return the fall of a flyer whose temporary flying speed has ended, at EFFECT_ENDED."""
    mode = context.subject.removeprefix(LENT_PREFIX)
    combatant = lookup.get(Combatant, context.who)
    if mode == context.subject or mode not in rules.data.movement.in_air or combatant is None or combatant.rides:
        return NO_RESULT
    aloft = is_open_sky(lookup)
    in_air = aloft or height_over_ground(lookup, rules, context.who) > 0
    if not in_air or _air_speeds(lookup, rules, context.who) or _is_falling_already(lookup, context.who):
        return NO_RESULT
    return _fall_result(context.who, rules.rule_id("suspended.fall" if aloft else "move.fall-speed-zero"))


def _is_stopped_by(lookup: Lookup, rules: RuleSystem, who: str, effect: str) -> bool:
    """Return whether a new effect changes Speed and leaves a combatant no speed in the air."""
    condition = rules.conditions.get(effect)
    if condition is None or not any(rule.kind == "speed" for rule in condition.rules):
        return False
    for feet in _air_speeds(lookup, rules, who):
        parts, replaced = speed_modifiers(lookup, rules, who, feet)
        if (parts[0].value if replaced else feet + sum(part.value for part in parts)) > 0:
            return False
    return True


def _is_falling_already(lookup: Lookup, who: str) -> bool:
    return any(isinstance(procedure.data, Fall) and procedure.data.who == who for procedure in lookup.all(Procedure))


def _fall_result(who: str, rule: str) -> HookResult:
    return HookResult(procedures=(StartProcedure(FALL, Fall(who, rule)),))
