"""Categories of features and attacks (melee, ranged, spell, item), attack ranges, and facts entered for an attack.

The tags of a save: its threats, in the form that data rules use (`magic`, `against:frightened`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from turnwright.dice.roll import Edge, Modifier, modifier_id
from turnwright.encounter.prepared import Creature, EnvironmentEntry, Feature, InflictedCondition
from turnwright.encounter.procedure_state.attacks import AttackInProgress
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.hooks import RollGrant
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.references import damage_types_in

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


MUNDANE: Final = "not magic"
CONCENTRATION_TAGS: Final = ("concentration", MUNDANE, "against:concentration")
MASSIVE_DAMAGE_TAGS: Final = (MUNDANE, "against:damage", "against:dying")
SEAT_TAGS: Final = (MUNDANE, "against:prone")


def feature_save_tags(rules: RuleSystem, feature: Feature, *, spell: bool = False) -> tuple[str, ...]:
    """Return the tags of a save against a feature.

    Spells and features with a magical property are tagged as magic. If only the text mentions magic, this stays
    unknown. So does each condition that the text names but the feature doesn't inflict. If no field names a threat, all
    threats stay unknown.
    """
    tags = [f"with:{word}" for word in feature.properties]
    text = feature.text.casefold()
    magical = not set(rules.data.attack.magical).isdisjoint(feature.properties)
    if spell or is_spell(feature):
        tags += ["spell", "magic"]
    elif magical and not is_attack(feature):
        tags.append("magic")
    elif "magic" not in text and not magical:
        tags.append(MUNDANE)
    threats = [*_threats(feature.afflictions, feature.damage, feature.save_damage, feature.ongoing, push=feature.push)]
    kinds = {damage_type.id for damage_type in rules.data.damage_types}
    tags += [*threats, *(f"against:{word}" for word in feature.properties if word in kinds)]
    for condition in rules.data.conditions if text else ():
        if f"against:{condition.id}" not in threats and condition.name.casefold() in text:
            tags.append(f"perhaps against:{condition.id}")
    return tuple(dict.fromkeys(tags))


def entry_save_tags(entry: EnvironmentEntry, fatigue: str) -> tuple[str, ...]:
    """Return the tags of a save against an environment feature."""
    threats = [*_threats(entry.afflictions, entry.damage, entry.reduced_damage, push=entry.push)]
    magic = "magic" if entry.magical else MUNDANE
    return tuple(dict.fromkeys([magic, *threats, *([f"against:{fatigue}"] if entry.fatigue else [])]))


def damage_save_tags(damage: str) -> tuple[str, ...]:
    """Return the tags of a save against damage."""
    return tuple(dict.fromkeys(_threats((), damage)))


def effect_save_tags(lookup: Lookup, rules: RuleSystem, effect: Effect) -> tuple[str, ...]:
    """Return the tags of a save that ends an effect, from the feature that caused it."""
    by = lookup.get(Combatant, effect.by)
    features = creature_of(lookup, by).features if by is not None else ()
    feature = next((candidate for candidate in features if candidate.name == effect.source), None)
    own = feature_save_tags(rules, feature) if feature is not None else ()
    general = [tag for tag in own if not tag.startswith(("against:", "perhaps "))]
    return (*general, f"against:{effect.name}", *_threats((), effect.damage))


def _threats(inflicted: Iterable[InflictedCondition], *damage: str, push: int = 0) -> Iterator[str]:
    """Yield a tag for each condition and damage type, one for damage in general, and one for a push."""
    for affliction in inflicted:
        yield f"against:{affliction.condition}"
    for text in damage:
        if text:
            yield "against:damage"
            yield from (f"against:{kind}" for kind in damage_types_in(text))
    if push:
        yield "against:push"
