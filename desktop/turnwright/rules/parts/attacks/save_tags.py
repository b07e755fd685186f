"""The tags of a save: its threats, in the form that data rules use (`magic`, `against:frightened`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from turnwright.encounter.prepared import EnvironmentEntry, Feature, InflictedCondition
from turnwright.encounter.running import Combatant, Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.parts.attacks.weapon_kind import is_attack, is_spell
from turnwright.rules.system import RuleSystem, creature_of
from turnwright.rules.system_data.references import damage_types_in

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
