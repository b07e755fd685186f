"""Facts about a single combatant: its effects, conditions, gear, resistances and immunities.

Creatures that are controlled by another combatant and share its turn.

Whether a combatant can act at all.

A combatant's speeds by mode of movement: from its stat block, from effects, and from the scene.

An effect named `speed:fly` with the value 60 grants a fly speed of 60 ft while it lasts.
"""

from __future__ import annotations

from functools import lru_cache

from turnwright.dice.roll import Modifier
from turnwright.encounter.lookups import scene_of
from turnwright.encounter.prepared import Creature
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import Veto
from turnwright.rules.system import RuleSystem, creature_of


def conditions_with_effects(lookup: Lookup, rules: RuleSystem, who: str) -> list[tuple[str, Effect]]:
    """Return a combatant's conditions, including implied ones, each with the effect that causes it."""
    causes: dict[str, Effect] = {}
    pairs: list[tuple[str, Effect]] = []
    for effect in lookup.of(Effect, who):
        waiting = [effect.name]
        while waiting:
            name = waiting.pop()
            if name == effect.name or name not in causes:
                pairs.append((name, effect))
                condition = rules.conditions.get(name)
                waiting += [implied for implied in condition.implies if implied not in causes] if condition else ()
                causes[name] = effect
    return sorted(pairs, key=lambda pair: pair[0])


def condition_names(lookup: Lookup, rules: RuleSystem, who: str) -> set[str]:
    """Return the ids of a combatant's conditions, including implied ones."""
    names: set[str] = set()
    waiting = [effect.name for effect in lookup.of(Effect, who)]
    while waiting:
        name = waiting.pop()
        if name not in names:
            names.add(name)
            condition = rules.conditions.get(name)
            waiting += condition.implies if condition else ()
    return names


def count_sources(lookup: Lookup, who: str, word: str, kind: str) -> int:
    """Return the number of sources of a combatant's resistance, vulnerability or immunity to a type or condition.

    `word` is `resistant`, `vulnerable` or `immune`.
    """
    combatant = lookup.get(Combatant, who)
    if combatant is None:
        return 0
    creature = creature_of(lookup, combatant)
    entries = {
        "resistant": creature.resistances,
        "vulnerable": creature.vulnerabilities,
        "immune": (*creature.immunities, *creature.condition_immunities),
    }[word]
    effect_name = f"{word}:{kind}"
    return sum(1 for entry in entries if kind in (entry, split_value(entry)[0])) + sum(
        1 for effect in lookup.of(Effect, who) if effect.name == effect_name
    )


@lru_cache(4096)
def split_value(text: str) -> tuple[str, int]:
    """Split a text such as `fire 5` into a damage type and its number, which is 0 if missing."""
    name, _, number = text.rpartition(" ")
    return (name, int(number)) if name and number.isdigit() else (text, 0)


def gear_of(lookup: Lookup, who: str) -> tuple[str, ...]:
    """Return a combatant's gear, including the gear and specialties of its stat block."""
    combatant = lookup.get(Combatant, who)
    if combatant is None:
        return ()
    creature = creature_of(lookup, combatant)
    return (*combatant.gear, *creature.gear, *creature.specialties)


def followers_of(lookup: Lookup, who: str) -> tuple[Combatant, ...]:
    """Return the creatures that a combatant controls, in the order in which they joined."""
    return tuple(combatant for combatant in lookup.all(Combatant) if combatant.controller == who)


def is_follower(lookup: Lookup, who: str) -> bool:
    """Return whether a combatant is controlled by another one in the fight."""
    combatant = lookup.get(Combatant, who)
    return combatant is not None and lookup.get(Combatant, combatant.controller) is not None


def cannot_act(lookup: Lookup, who: str) -> bool:
    """Return whether a combatant can't act because it is dead, removed, or at 0 hit points."""
    combatant = lookup.get(Combatant, who)
    return combatant is None or combatant.dead or (combatant.hp <= 0 < combatant.hp_max)


def cannot_act_vetoes(lookup: Lookup, rules: RuleSystem, who: str) -> tuple[Veto, ...]:
    """Return the veto on every action of a combatant that can't act, whatever the action costs."""
    if not cannot_act(lookup, who):
        return ()
    combatant = lookup.get(Combatant, who)
    return (Veto("refused.down", rules.rule_id("attack.down"), (("who", combatant.label if combatant else who),)),)


LENT_PREFIX = "speed:"
WALK, CRAWL, FLY, HOVER, JUMP = "walk", "crawl", "fly", "hover", "jump"


def speeds_of(lookup: Lookup, rules: RuleSystem, who: str) -> dict[str, Modifier]:
    """Return the base speed in feet for each mode, with its source. If a mode has two speeds, the better one counts."""
    creature = creature_of(lookup, lookup.need(Combatant, who))
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
