"""A combatant's speeds by mode of movement: from its stat block, from effects, and from the scene.

An effect named `speed:fly` with the value 60 grants a fly speed of 60 ft while it lasts.
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
    """Return the base speed in feet for each mode, with its source. If a mode has two speeds, the better one counts."""
    combatant = lookup.need(Combatant, who)
    creature = creature_of(lookup, combatant)
    speeds = {mode: Modifier(feet, f"<speed.{mode}>", rules.rule_id("turn.speed")) for mode, feet in creature.speeds}
    for effect in lookup.of(Effect, who):
        if effect.name.startswith(LENT_PREFIX):
            reason = effect.source or f"<condition.{effect.name}>"
            lent = Modifier(effect.value, reason, rules.rule_id("move.additional-speeds"))
            _offer(speeds, effect.name.removeprefix(LENT_PREFIX), lent)
    if "astral" in scene_of(lookup).suspended:
        _offer(speeds, FLY, _thought_speed(rules, creature))
    leap = max((rules.modifier_of(creature, ability) for ability in rules.data.movement.leaps), default=0)
    if leap:
        feet = leap // rules.data.movement.leap_over
        _offer(speeds, JUMP, Modifier(feet, "why.leap", rules.rule_id("move.jump-speed")))
    if creature.hovers and FLY in speeds:
        _offer(speeds, HOVER, speeds[FLY])
    return {mode: speed for mode, speed in speeds.items() if speed.value > 0}


def _offer(speeds: dict[str, Modifier], mode: str, speed: Modifier) -> None:
    current = speeds.get(mode)
    if current is None or current.value < speed.value:
        speeds[mode] = speed


def _thought_speed(rules: RuleSystem, creature: Creature) -> Modifier:
    """Return the speed of movement by thought on the astral plane."""
    settings = rules.data.movement
    by = settings.thought_step * rules.modifier_of(creature, settings.thought_ability)
    return Modifier(settings.thought_base + by, "why.thought", rules.rule_id("suspended.astral-speed"))
