"""Categories of features and attacks (melee, ranged, spell, item), attack ranges, and facts entered for an attack."""

from __future__ import annotations

import re

from turnwright.dice.roll import Edge, Modifier, modifier_id
from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import RollGrant
from turnwright.rules.system import creature_of
from turnwright.rules.system_data import SystemData

MELEE, RANGED = "melee", "ranged"
SURE_HIT = "sure-hit"  # property of features that deal damage without an attack roll or a save
_NUMBERS = re.compile(r"\d+")


def is_attack(feature: Feature) -> bool:
    """Return whether a feature has an attack roll: it has a bonus, is a weapon, or deals damage without a save."""
    if feature.attack is not None or "attack" in feature.properties:
        return True
    if SURE_HIT in feature.properties:
        return False
    return feature.cost != "trait" and ("weapon" in feature.properties or bool(feature.damage and not feature.save))


def is_spell(feature: Feature) -> bool:
    """Return whether a feature is a spell."""
    return feature.is_spell


def is_item(feature: Feature) -> bool:
    """Return whether a feature is a carried item that can be used, such as a potion or a horn."""
    return "item" in feature.properties


def is_stowed(data: SystemData, weapon: Feature) -> bool:
    """Return whether a weapon is stowed, in games where only weapons in hand can attack."""
    return bool(data.attack.stowed) and data.attack.stowed in weapon.properties


def is_nonmagical(feature: Feature) -> bool:
    """Return whether a feature counts as a nonmagical weapon, to which some creatures are immune."""
    return not is_spell(feature) and not feature.magic and "magical" not in feature.properties


def is_mundane_against(lookup: Lookup, weapon: Feature, target: str) -> bool:
    """Return whether a weapon is nonmagical, and not made of a material that overcomes the target's immunity."""
    excepted = creature_of(lookup, lookup.need(Combatant, target)).mundane_except
    return is_nonmagical(weapon) and set(excepted).isdisjoint(weapon.properties)


def attack_kind(feature: Feature, *, thrown: bool = False) -> str:
    """Return `melee` or `ranged`. A weapon with both a reach and a range is melee unless it is thrown."""
    return RANGED if thrown or ((feature.range or RANGED in feature.properties) and not feature.reach) else MELEE


def kind_of_attack(attack: AttackInProgress) -> str:
    """Return whether an attack is `melee` or `ranged`."""
    return attack_kind(attack.weapon, thrown="thrown" in attack.tags)


def entered(attack: AttackInProgress, word: str) -> tuple[str, ...]:
    """Return the values entered for an attack under a key, such as `half` for `cover` from `cover:half`."""
    return tuple(fact.removeprefix(f"{word}:") for fact in attack.facts if fact.startswith(f"{word}:"))


def is_declined(attack: AttackInProgress, contribution: Modifier | Edge | RollGrant) -> bool:
    """Return whether the game master has declined a contribution to an attack, identified by its rule or its own id."""
    return not {contribution.rule, modifier_id(contribution.rule, contribution.reason)}.isdisjoint(
        entered(attack, "no")
    )


def is_range_unknown(feature: Feature, *, thrown: bool = False) -> bool:
    """Return whether the range of a ranged or thrown attack is missing."""
    return attack_kind(feature, thrown=thrown) == RANGED and not is_spell(feature) and not ranges(feature)[0]


def ranges(feature: Feature) -> tuple[int, int]:
    """Return the normal and the long range in feet, each 0 if the feature has none."""
    numbers = [int(number) for number in _NUMBERS.findall(feature.range)]
    return (numbers[0] if numbers else 0, numbers[1] if len(numbers) > 1 else 0)


def attack_ability(data: SystemData, creature: Creature, weapon: Feature, kind: str) -> tuple[str, str]:
    """Return the ability that an attack uses, and the topic of its rule."""
    settings = data.attack
    if is_spell(weapon):
        best = max(settings.casters, key=lambda each: data.modifier_of(creature, each))
        return weapon.ability or creature.spellcasting or best, "attack.modifier.spell-ability"
    thrown_or_shot = "attack.modifier.ranged-ability"
    topic = thrown_or_shot if kind == RANGED else "attack.modifier.melee-ability"
    if weapon.ability:
        return weapon.ability, topic
    if kind == RANGED and not weapon.reach and "thrown" not in weapon.properties:
        return settings.ranged_ability, topic
    better = data.modifier_of(creature, settings.ranged_ability) > data.modifier_of(creature, settings.melee_ability)
    if "finesse" in weapon.properties and better:
        return settings.ranged_ability, topic
    return settings.melee_ability, topic
