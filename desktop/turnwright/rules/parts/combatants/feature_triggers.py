"""Features by the moment that triggers them, put together once a stat block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from turnwright.encounter.prepared import Creature, Feature
from turnwright.rules.system_data.statements import facts_in

SUFFERED: Final = "suffered"  # a mark: the damage type of its source has hurt since the last turn started
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
