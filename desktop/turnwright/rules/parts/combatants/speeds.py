"""A combatant's speeds by mode of movement: the stat block's, those granted by effects, and those of the scene.

An effect named `speed:fly` with 60 as its value grants a fly speed of 60 ft for as long as it lasts.
"""

from __future__ import annotations

from turnwright.dice.roll import Modifier
from turnwright.encounter.lookups import scene_of
from turnwright.encounter.prepared import Creature
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.system import RuleSystem, creature_of

LENT_PREFIX = "speed:"
WALK, CRAWL, FLY, HOVER, JUMP = "walk", "crawl", "fly", "hover", "jump"


def speeds_of(lookup: Lookup, rules: RuleSystem, who: str) -> dict[str, Modifier]:
    """Return the base speed for each mode in feet, with its source; of two for one mode the better."""
    combatant = lookup.need(Combatant, who)
    creature = creature_of(lookup, combatant)
    found = {mode: Modifier(feet, f"<speed.{mode}>", rules.rule_id("turn.speed")) for mode, feet in creature.speeds}
    for effect in lookup.of(Effect, who):
        if effect.name.startswith(LENT_PREFIX):
            reason = effect.source or f"<condition.{effect.name}>"
            lent = Modifier(effect.value, reason, rules.rule_id("move.additional-speeds"))
            _offer(found, effect.name.removeprefix(LENT_PREFIX), lent)
    if "astral" in scene_of(lookup).suspended:
        _offer(found, FLY, _thought_speed(rules, creature))
    leap = max((rules.modifier_of(creature, one) for one in rules.data.movement.leaps), default=0)
    if leap:
        far = leap // rules.data.movement.leap_over
        _offer(found, JUMP, Modifier(far, "why.leap", rules.rule_id("move.jump-speed")))
    if creature.hovers and FLY in found:
        _offer(found, HOVER, found[FLY])
    return {mode: speed for mode, speed in found.items() if speed.value > 0}


def _offer(found: dict[str, Modifier], mode: str, speed: Modifier) -> None:
    known = found.get(mode)
    if known is None or known.value < speed.value:
        found[mode] = speed


def _thought_speed(rules: RuleSystem, creature: Creature) -> Modifier:
    """Return the speed of movement by thought, on the astral plane."""
    figures = rules.data.movement
    by = figures.thought_step * rules.modifier_of(creature, figures.thought_ability)
    return Modifier(figures.thought_base + by, "why.thought", rules.rule_id("suspended.astral-speed"))
