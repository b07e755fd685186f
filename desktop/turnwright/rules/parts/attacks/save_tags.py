"""The tags of a save: what it is against, as rules ask for it (`magic`, `against:frightened`)."""

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
    """Return what a save against a feature is against.

    Magic is a spell, or what has a property by which it is magical; where only the text speaks of magic, that is open,
    and so is each condition that the text names without the feature inflicting it. Where no figure says what the save
    is against, all of it is open.
    """
    found = [f"with:{word}" for word in feature.properties]
    text = feature.text.casefold()
    magical = not set(rules.data.attack.magical).isdisjoint(feature.properties)
    if spell or is_spell(feature):
        found += ["spell", "magic"]
    elif magical and not is_attack(feature):
        found.append("magic")
    elif "magic" not in text and not magical:
        found.append(MUNDANE)
    threats = [*_threats(feature.afflictions, feature.damage, feature.save_damage, feature.ongoing, push=feature.push)]
    kinds = {one.id for one in rules.data.damage_types}
    found += [*threats, *(f"against:{word}" for word in feature.properties if word in kinds)]
    for condition in rules.data.conditions if text else ():
        if f"against:{condition.id}" not in threats and condition.name.casefold() in text:
            found.append(f"perhaps against:{condition.id}")
    return tuple(dict.fromkeys(found))


def entry_save_tags(entry: EnvironmentEntry, fatigue: str) -> tuple[str, ...]:
    """Return what a save against an environment is against."""
    threats = [*_threats(entry.afflictions, entry.damage, entry.reduced_damage, push=entry.push)]
    magic = "magic" if entry.magical else MUNDANE
    return tuple(dict.fromkeys([magic, *threats, *([f"against:{fatigue}"] if entry.fatigue else [])]))


def damage_save_tags(damage: str) -> tuple[str, ...]:
    """Return what a save against some damage is against."""
    return tuple(dict.fromkeys(_threats((), damage)))


def effect_save_tags(lookup: Lookup, rules: RuleSystem, effect: Effect) -> tuple[str, ...]:
    """Return what a save that ends an effect is against, by the feature it comes from."""
    by = lookup.get(Combatant, effect.by)
    features = creature_of(lookup, by).features if by is not None else ()
    feature = next((one for one in features if one.name == effect.source), None)
    own = feature_save_tags(rules, feature) if feature is not None else ()
    known = [tag for tag in own if not tag.startswith(("against:", "perhaps "))]
    return (*known, f"against:{effect.name}", *_threats((), effect.damage))


def _threats(inflicted: Iterable[InflictedCondition], *damage: str, push: int = 0) -> Iterator[str]:
    """Yield a tag for each condition and type of damage, one for damage of any type, and one for a push."""
    for one in inflicted:
        yield f"against:{one.condition}"
    for text in damage:
        if text:
            yield "against:damage"
            yield from (f"against:{kind}" for kind in damage_types_in(text))
    if push:
        yield "against:push"
