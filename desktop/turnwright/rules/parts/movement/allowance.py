"""Movement in feet per turn: the allowance of each mode, and the cost of terrain, mode and burden."""

from __future__ import annotations

from turnwright.dice.roll import Modifier
from turnwright.encounter.lookups import scene_of
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.explained_number import ExplainedNumber, explained_sum
from turnwright.rules.parts import positions
from turnwright.rules.parts.combatants.facts import condition_names
from turnwright.rules.parts.combatants.speeds import CRAWL, WALK, speeds_of
from turnwright.rules.parts.conditions.condition_rules import data_rules, speed_modifiers
from turnwright.rules.parts.environment.entries import ground_cost, words_in
from turnwright.rules.parts.movement.riding import moving_body
from turnwright.rules.system import MoveLeg, RuleSystem

MOVED = "moved"


def effective_mode(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> str:
    """Return the actual mode of a combatant's steps: prone combatants crawl, and floating ones swim or fly."""
    if mode != WALK:
        return mode
    if rules.role("prone") in condition_names(lookup, rules, moving_body(lookup, who)):
        return CRAWL
    scene = scene_of(lookup)
    usual = dict(rules.data.movement.usual_modes)
    return next((usual[each] for each in scene.suspended if each in usual), mode)


def allowance(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> ExplainedNumber | None:
    """Return a combatant's movement per turn in feet for a mode, or None if it can't use that mode.

    The rider of an obedient mount uses the mount's speeds.
    """
    body = moving_body(lookup, who)
    speeds = speeds_of(lookup, rules, body)
    way = effective_mode(lookup, rules, who, mode)
    short = rules.actions.get(dict(rules.data.movement.bought_by).get(way, ""))
    most = short.feet if short is not None else 0
    using = way if way in speeds else WALK if most or way in rules.data.movement.on_base else ""
    if using not in speeds:
        return None
    parts, replaced = speed_modifiers(lookup, rules, body, speeds[using].value)
    if replaced:
        return ExplainedNumber(parts[0].value, (speeds[using], *parts), replaced=True)
    whole = explained_sum(speeds[using], *parts)
    if short is not None and most and most < whole.total:
        return ExplainedNumber(most, (*whole.parts, Modifier(most, short.name, short.rule())), replaced=True)
    return whole


def base_speed(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the Speed in feet before multipliers, for costs that are a fraction of it."""
    speeds = speeds_of(lookup, rules, who)
    base = speeds.get(WALK) or max(speeds.values(), key=lambda speed: speed.value, default=Modifier(0, ""))
    parts, replaced = speed_modifiers(lookup, rules, who, base.value, multiplied=False)
    return parts[0].value if replaced else base.value + sum(part.value for part in parts)


def fraction_of_speed(lookup: Lookup, rules: RuleSystem, feet: int, over: int) -> int:
    """Return a fraction of a distance in feet, with halves rounded according to the game's rule."""
    return rules.half(lookup, feet) if over == 2 else feet // over


def speed_multiplier(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the factor by which hurrying would multiply a combatant's speed, or 1 if it already hurries."""
    hurried = rules.conditions.get(rules.data.movement.hastened_by)
    if hurried is None or hurried.id in condition_names(lookup, rules, moving_body(lookup, who)):
        return 1
    return max([rule.times for rule in hurried.rules if rule.kind == "speed"], default=1)


def movement_cost(lookup: Lookup, rules: RuleSystem, who: str, leg: MoveLeg) -> ExplainedNumber:
    """Return the cost of a leg in feet: its length, plus a surcharge for each reason that makes moving harder."""
    way = leg.terrain or effective_mode(lookup, rules, who, leg.mode)
    extra = dict(rules.data.movement.extra)
    parts = [Modifier(leg.feet, f"<speed.{way}>", rules.rule_id(f"move.{way}-speed"))]
    if way in extra and way not in speeds_of(lookup, rules, moving_body(lookup, who)):
        reason = f"<condition.{rules.role('prone')}>" if way == CRAWL else "why.no_such_speed"
        parts.append(Modifier(leg.feet * extra[way], reason, rules.rule_id(f"move.{way}-cost")))
    ground = _ground_surcharge(lookup, rules, who, leg)
    if ground is not None:
        parts.append(Modifier(leg.feet * ground.value, ground.reason, ground.rule))
    if leg.dragged and "drag" in extra:
        parts.append(Modifier(leg.feet * extra["drag"], "why.dragging", rules.rule_id("drag.cost")))
    squeezes = rules.role("squeezing") in condition_names(lookup, rules, moving_body(lookup, who))
    if rules.data.movement.squeeze_lasts if squeezes else leg.squeezing:
        parts.append(Modifier(leg.feet * extra.get("squeeze", 0), "why.squeezing", rules.rule_id("squeeze.speed")))
    falling = _descent_discount(lookup, rules, leg)
    parts += [falling] if falling is not None else []
    return explained_sum(*parts, *_drag_surcharge(lookup, rules, who, leg, sum(part.value for part in parts)))


def _drag_surcharge(lookup: Lookup, rules: RuleSystem, who: str, leg: MoveLeg, feet: int) -> tuple[Modifier, ...]:
    """Return the surcharge for dragging a combatant, in games where dragging divides Speed.

    Empty if the dragged combatant is small enough.
    """
    settings = rules.data.movement
    if settings.drag_times == 1 or lookup.get(Combatant, leg.dragged) is None:
        return ()
    body = moving_body(lookup, who)
    smaller = positions.size_index(lookup, rules, body) - positions.size_index(lookup, rules, leg.dragged)
    if smaller >= settings.drag_free_sizes:
        return ()
    return (Modifier(feet * (settings.drag_times - 1), "why.dragging", rules.rule_id("drag.cost")),)


def _ground_surcharge(lookup: Lookup, rules: RuleSystem, who: str, leg: MoveLeg) -> Modifier | None:
    """Return the surcharge per foot for difficult terrain, with its reason. Several sources count only once."""
    extra = next((terrain.extra for terrain in rules.data.terrains if terrain.id == "difficult"), 0)
    ground = ground_cost(lookup, leg.environment, leg.turns_aside)
    surcharge = leg.map_ground if ground is None else Modifier(extra, ground.reason, ground.rule)
    return None if surcharge is not None and is_easy_ground(lookup, rules, who, surcharge) else surcharge


def is_easy_ground(lookup: Lookup, rules: RuleSystem, who: str, ground: Modifier) -> bool:
    """Return whether difficult terrain costs a combatant nothing extra.

    A feature may cover all difficult terrain, or only terrain with a certain word in its name.
    """
    if ground.reason == "why.occupied":
        return False
    words = {"difficult", *words_in(ground.reason)}
    return any(True for _ in data_rules(lookup, rules, moving_body(lookup, who), words, kind="terrain"))


def _descent_discount(lookup: Lookup, rules: RuleSystem, leg: MoveLeg) -> Modifier | None:
    """Return the discount for descending on purpose in the open sky."""
    scene = scene_of(lookup)
    if "sky" not in scene.suspended or leg.feet <= 0 or leg.feet_up != -leg.feet:
        return None
    by = fraction_of_speed(lookup, rules, leg.feet, rules.data.movement.descend_over) - leg.feet
    return Modifier(by, "why.descending", rules.rule_id("suspended.descend"))
