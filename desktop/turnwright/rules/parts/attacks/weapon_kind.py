"""Kinds of features and attacks: melee or ranged, spell, item, ranges, and what a person entered for an attack."""

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
SURE_HIT = "sure-hit"  # the property of what deals damage without an attack roll or a save
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
    """Return whether a feature is a carried item that is used: a potion, a horn."""
    return "item" in feature.properties


def is_stowed(data: SystemData, weapon: Feature) -> bool:
    """Return whether a weapon is stowed, in a game that attacks only with weapons in hand."""
    return bool(data.attack.stowed) and data.attack.stowed in weapon.properties


def is_nonmagical(feature: Feature) -> bool:
    """Return whether a feature's damage is that of a nonmagical weapon, to which some are immune."""
    return not is_spell(feature) and not feature.magic and "magical" not in feature.properties


def is_mundane_against(lookup: Lookup, weapon: Feature, target: str) -> bool:
    """Return whether a weapon is nonmagical, and of no material that hurts a target like a magical one."""
    excepted = creature_of(lookup, lookup.need(Combatant, target)).mundane_except
    return is_nonmagical(weapon) and set(excepted).isdisjoint(weapon.properties)


def attack_kind(feature: Feature, *, thrown: bool = False) -> str:
    """Return `melee` or `ranged`. A weapon with both a reach and a range is melee until it is thrown."""
    return RANGED if thrown or ((feature.range or RANGED in feature.properties) and not feature.reach) else MELEE


def kind_of_attack(attack: AttackInProgress) -> str:
    """Return whether an attack is made as `melee` or `ranged`."""
    return attack_kind(attack.weapon, thrown="thrown" in attack.tags)


def entered(attack: AttackInProgress, word: str) -> tuple[str, ...]:
    """Return what a person has entered for an attack behind a word: `cover` for `cover:half`."""
    return tuple(fact.removeprefix(f"{word}:") for fact in attack.facts if fact.startswith(f"{word}:"))


def is_declined(attack: AttackInProgress, one: Modifier | Edge | RollGrant) -> bool:
    """Return whether a person has declined a contribution to an attack, by its rule or its own id."""
    return not {one.rule, modifier_id(one.rule, one.reason)}.isdisjoint(entered(attack, "no"))


def is_range_unknown(feature: Feature, *, thrown: bool = False) -> bool:
    """Return whether a ranged or thrown attack has no range given."""
    return attack_kind(feature, thrown=thrown) == RANGED and not is_spell(feature) and not ranges(feature)[0]


def ranges(feature: Feature) -> tuple[int, int]:
    """Return the normal and the long range in feet, 0 where there is none."""
    figures = [int(found) for found in _NUMBERS.findall(feature.range)]
    return (figures[0] if figures else 0, figures[1] if len(figures) > 1 else 0)


def attack_ability(data: SystemData, creature: Creature, weapon: Feature, kind: str) -> tuple[str, str]:
    """Return the ability an attack uses, and the topic of its rule."""
    figures = data.attack
    if is_spell(weapon):
        best = max(figures.casters, key=lambda each: data.modifier_of(creature, each))
        return weapon.ability or creature.spellcasting or best, "attack.modifier.spell-ability"
    thrown_or_shot = "attack.modifier.ranged-ability"
    topic = thrown_or_shot if kind == RANGED else "attack.modifier.melee-ability"
    if weapon.ability:
        return weapon.ability, topic
    if kind == RANGED and not weapon.reach and "thrown" not in weapon.properties:
        return figures.ranged_ability, topic
    better = data.modifier_of(creature, figures.ranged_ability) > data.modifier_of(creature, figures.melee_ability)
    if "finesse" in weapon.properties and better:
        return figures.ranged_ability, topic
    return figures.melee_ability, topic
