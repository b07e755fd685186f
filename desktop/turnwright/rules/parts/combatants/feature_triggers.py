"""Features by the moment that triggers them, put together once a stat block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.running import Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.statements import facts_in

SUFFERED: Final = "suffered"  # a mark: the damage type of its source has hurt since the last turn started
SWITCHED_OFF: Final = "feature-off"  # a mark: a person wants no more of the feature that is its source
MOST_INDEXES: Final = 4096
NO_FEATURES: Final[tuple[Feature, ...]] = ()


class TriggerIndex(NamedTuple):
    """The features of a stat block by the moment that triggers them, and the damage types that they ask about."""

    features: Mapping[str, tuple[Feature, ...]]
    suffered: frozenset[str]


_INDEXES: dict[int, tuple[Creature, TriggerIndex]] = {}  # by identity: comparing stat blocks would take longer


def trigger_index(creature: Creature) -> TriggerIndex:
    """Return the index of a stat block."""
    held = _INDEXES.get(id(creature))
    if held is not None and held[0] is creature:
        return held[1]
    if len(_INDEXES) >= MOST_INDEXES:
        _INDEXES.clear()
    index = _made(creature)
    _INDEXES[id(creature)] = creature, index
    return index


def features_at(creature: Creature, moment: str) -> tuple[Feature, ...]:
    """Return the features of a stat block that a moment triggers."""
    return trigger_index(creature).features.get(moment, NO_FEATURES)


def switched_off(lookup: Lookup, who: str) -> frozenset[str]:
    """Return the ids of the features of a combatant that a person has switched off for this encounter."""
    return frozenset(one.source for one in lookup.of(Effect, who) if one.name == SWITCHED_OFF)


def wanted_plays(lookup: Lookup, rules: RuleSystem) -> Literal["", "asks", "reminds", "off"]:
    """Return how features are played at this table that say nothing of it: as far as they can, asked about, or named.

    `off` holds for all features, whatever they say.
    """
    if rules.has_option(lookup, rules.role("silences-features")):
        return "off"
    if rules.has_option(lookup, rules.role("reminds-of-features")):
        return "reminds"
    return "asks" if rules.has_option(lookup, rules.role("asks-for-features")) else ""


def _made(creature: Creature) -> TriggerIndex:
    found: dict[str, list[Feature]] = {}
    for feature in creature.features:
        if feature.trigger:
            found.setdefault(feature.trigger, []).append(feature)
    asked = (fact for feature in creature.features for fact in facts_in(feature.when))
    return TriggerIndex(
        {moment: tuple(features) for moment, features in found.items()},
        frozenset(fact.argument for fact in asked if fact.word == SUFFERED),
    )
