"""Movement metered in feet over a turn: how far one may go by a mode, and what ground, mode and burden add to the price."""

from __future__ import annotations

from turnwright.dice.roll import Modifier
from turnwright.encounter.prepared import Scene
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.figures import Figure, figure
from turnwright.rules.parts import positions
from turnwright.rules.parts.conditions import adjusted_speed
from turnwright.rules.parts.riding import body_of
from turnwright.rules.parts.speeds import CRAWL, WALK, speeds_of
from turnwright.rules.parts.statements import condition_names
from turnwright.rules.parts.surroundings import ground_cost
from turnwright.rules.system import Going, RuleSystem

PRONE = "prone"
SQUEEZING = "squeezing"
MOVED = "moved"
TOO_DISTANT = "too-distant"


def way_of(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> str:
    """Return the mode that somebody's steps are in truth: the prone crawl, and what floats swims or flies."""
    if mode != WALK:
        return mode
    if PRONE in condition_names(lookup, rules, body_of(lookup, who)):
        return CRAWL
    scene = lookup.get(Scene, "scene") or Scene()
    usual = dict(rules.catalogue.movement.usual_modes)
    return next((usual[each] for each in scene.suspended if each in usual), mode)


def allowance(lookup: Lookup, rules: RuleSystem, who: str, mode: str) -> Figure | None:
    """Return the feet somebody may move in a turn by a mode, or None where they can't move that way at all.

    Whoever rides a mount that obeys uses its speeds.
    """
    body = body_of(lookup, who)
    speeds = speeds_of(lookup, rules, body)
    way = way_of(lookup, rules, who, mode)
    short = rules.actions.get(dict(rules.catalogue.movement.bought_by).get(way, ""))
    most = short.feet if short is not None else 0
    using = way if way in speeds else WALK if most or way in rules.catalogue.movement.on_base else ""
    if using not in speeds:
        return None
    parts, replaced = adjusted_speed(lookup, rules, body, speeds[using].value)
    if replaced:
        return Figure(parts[0].value, (speeds[using], *parts), replaced=True)
    whole = figure(speeds[using], *parts)
    if short is not None and most and most < whole.total:
        return Figure(most, (*whole.parts, Modifier(most, short.name, short.rule())), replaced=True)
    return whole


def own_speed(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return the Speed in use before anything multiplies it, in feet: what halves of it are taken of."""
    speeds = speeds_of(lookup, rules, who)
    base = speeds.get(WALK) or max(speeds.values(), key=lambda one: one.value, default=Modifier(0, ""))
    parts, replaced = adjusted_speed(lookup, rules, who, base.value, multiplied=False)
    return parts[0].value if replaced else base.value + sum(part.value for part in parts)


def share(lookup: Lookup, rules: RuleSystem, feet: int, over: int) -> int:
    """Return a part of some feet: halves round as the table has it."""
    return rules.half(lookup, feet) if over == 2 else feet // over


def haste(lookup: Lookup, rules: RuleSystem, who: str) -> int:
    """Return by how much hurrying would multiply somebody's speed, 1 where they hurry already."""
    hurried = rules.conditions.get(rules.catalogue.movement.hastened_by)
    if hurried is None or hurried.id in condition_names(lookup, rules, body_of(lookup, who)):
        return 1
    return max([rule.times for rule in hurried.rules if rule.kind == "speed"], default=1)


def cost(lookup: Lookup, rules: RuleSystem, who: str, going: Going) -> Figure:
    """Return what some feet cost: one foot each, and so many more for each reason that makes the going hard."""
    way = going.terrain or way_of(lookup, rules, who, going.mode)
    extra = dict(rules.catalogue.movement.extra)
    parts = [Modifier(going.feet, f"<speed.{way}>", rules.cite(f"move.{way}-speed"))]
    if way in extra and way not in speeds_of(lookup, rules, body_of(lookup, who)):
        reason = f"<condition.{PRONE}>" if way == CRAWL else "why.no_such_speed"
        parts.append(Modifier(going.feet * extra[way], reason, rules.cite(f"move.{way}-cost")))
    ground = _ground(lookup, rules, going)
    if ground is not None:
        parts.append(Modifier(going.feet * ground.value, ground.reason, ground.rule))
    if going.drags and "drag" in extra:
        parts.append(Modifier(going.feet * extra["drag"], "why.dragging", rules.cite("drag.cost")))
    if going.squeezing and SQUEEZING not in condition_names(lookup, rules, body_of(lookup, who)):
        parts.append(Modifier(going.feet * extra.get("squeeze", 0), "why.squeezing", rules.cite("squeeze.speed")))
    falling = _straight_down(lookup, rules, going)
    parts += [falling] if falling is not None else []
    return figure(*parts, *_slowed_by_load(lookup, rules, who, going, sum(part.value for part in parts)))


def _slowed_by_load(lookup: Lookup, rules: RuleSystem, who: str, going: Going, feet: int) -> tuple[Modifier, ...]:
    """Return what pulling somebody along adds to a price where it divides Speed: nothing for one that is small enough."""
    figures = rules.catalogue.movement
    if figures.drag_times == 1 or lookup.get(Combatant, going.drags) is None:
        return ()
    body = body_of(lookup, who)
    smaller = positions.size_index(lookup, rules, body) - positions.size_index(lookup, rules, going.drags)
    if smaller >= figures.drag_free_sizes:
        return ()
    return (Modifier(feet * (figures.drag_times - 1), "why.dragging", rules.cite("drag.cost")),)


def _ground(lookup: Lookup, rules: RuleSystem, going: Going) -> Modifier | None:
    """Return what difficult ground adds to each foot, and why it is so: however many reasons there are, it is so once."""
    extra = next((one.extra for one in rules.catalogue.terrains if one.id == "difficult"), 0)
    ground = ground_cost(lookup, going.through, going.turned)
    return going.ground if ground is None else Modifier(extra, ground.reason, ground.rule)


def _straight_down(lookup: Lookup, rules: RuleSystem, going: Going) -> Modifier | None:
    """Return what sinking through the sky on purpose takes off the price."""
    scene = lookup.get(Scene, "scene") or Scene()
    if "sky" not in scene.suspended or going.feet <= 0 or going.up != -going.feet:
        return None
    by = share(lookup, rules, going.feet, rules.catalogue.movement.descend_over) - going.feet
    return Modifier(by, "why.descending", rules.cite("suspended.descend"))
