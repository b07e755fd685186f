"""An index of features by the moment that triggers them, built once for each stat block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.running import Effect
from turnwright.encounter.state import Lookup
from turnwright.rules.system import RuleSystem
from turnwright.rules.system_data.statements import facts_in

SUFFERED: Final = "suffered"  # mark: damage of this type (its source) was taken since the last turn started
SWITCHED_OFF: Final = "feature-off"  # mark: the feature in its source is switched off
MOST_INDEXES: Final = 4096
NO_FEATURES: Final[tuple[Feature, ...]] = ()


class TriggerIndex(NamedTuple):
    """The features of a stat block by trigger, and the damage types that their statements ask about."""

    features: Mapping[str, tuple[Feature, ...]]
    suffered: frozenset[str]


_INDEXES: dict[int, tuple[Creature, TriggerIndex]] = {}  # keyed by identity, because comparing stat blocks is slower


def trigger_index(creature: Creature) -> TriggerIndex:
    """Return the index of a stat block."""
    cached = _INDEXES.get(id(creature))
    if cached is not None and cached[0] is creature:
        return cached[1]
    if len(_INDEXES) >= MOST_INDEXES:
        _INDEXES.clear()
    index = _made(creature)
    _INDEXES[id(creature)] = creature, index
    return index


def features_at(creature: Creature, moment: str) -> tuple[Feature, ...]:
    """Return the features of a stat block that a moment triggers."""
    return trigger_index(creature).features.get(moment, NO_FEATURES)


def switched_off(lookup: Lookup, who: str) -> frozenset[str]:
    """Return the ids of a combatant's features that the game master has switched off for this encounter."""
    return frozenset(effect.source for effect in lookup.of(Effect, who) if effect.name == SWITCHED_OFF)


def wanted_plays(lookup: Lookup, rules: RuleSystem) -> Literal["", "asks", "reminds", "off"]:
    """Return the encounter's default for playing features: automatically (""), by asking, or as a reminder.

    `off` overrides the settings of all features.
    """
    if rules.has_option(lookup, rules.role("silences-features")):
        return "off"
    if rules.has_option(lookup, rules.role("reminds-of-features")):
        return "reminds"
    return "asks" if rules.has_option(lookup, rules.role("asks-for-features")) else ""


def _made(creature: Creature) -> TriggerIndex:
    by_moment: dict[str, list[Feature]] = {}
    for feature in creature.features:
        if feature.trigger:
            by_moment.setdefault(feature.trigger, []).append(feature)
    facts = (fact for feature in creature.features for fact in facts_in(feature.when))
    return TriggerIndex(
        {moment: tuple(features) for moment, features in by_moment.items()},
        frozenset(fact.argument for fact in facts if fact.word == SUFFERED),
    )
