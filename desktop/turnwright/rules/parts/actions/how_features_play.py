"""The way in which Turnwright plays a feature: automatically, by asking, as a reminder, or not at all."""

from typing import Final, Literal, NamedTuple

from turnwright.encounter.prepared import Creature, Feature
from turnwright.rules.parts.actions.triggered_features import acts_by_itself, does_something, only_reminds
from turnwright.rules.parts.attacks.attack_targeting import is_spell
from turnwright.rules.parts.conditions.condition_rules import rules_in_force

LEGENDARY_RESISTANCE: Final = "legendary-resistance"
REROLLS: Final = "rerolls-save"  # property of features with which a save is rolled again
WHILE_HELPLESS: Final = "while-helpless"  # property: conditions that take away its action don't prevent it
Mark = Literal["", "acts", "asks", "reminds"]
Where = Literal["", "rolls", "moment", "used", "save", "legendary", "lair"]


class FeaturePlay(NamedTuple):
    """How a feature is played (empty: text only), and when: on rolls, when triggered, when used, or when offered."""

    mark: Mark = ""
    where: Where = ""


def how_it_plays(creature: Creature, feature: Feature) -> FeaturePlay:
    """Derive how a feature is played from its stat block, ignoring the encounter's settings."""
    if feature.automation == "off":
        return FeaturePlay()
    if LEGENDARY_RESISTANCE in feature.properties:
        return FeaturePlay("asks", "save")
    if feature.trigger:
        return FeaturePlay(_mark_at_moment(feature), "moment")
    if rules_in_force(feature):
        return FeaturePlay(feature.automation if feature.automation in ("asks", "reminds") else "acts", "rolls")
    if feature.cost == "legendary":
        return FeaturePlay("asks", "legendary") if creature.legendary else FeaturePlay()
    if feature.cost == "lair":
        return FeaturePlay("asks", "lair")
    if feature.cost != "trait" and (_has_figures(feature) or is_spell(feature)):
        return FeaturePlay("acts", "used")
    return FeaturePlay()


def _mark_at_moment(feature: Feature) -> Mark:
    if only_reminds(feature):
        return "reminds"
    return "acts" if acts_by_itself(feature) and feature.automation != "asks" else "asks"


def _has_figures(feature: Feature) -> bool:
    return bool(feature.attack is not None or feature.attacks or feature.multiattack or does_something(feature))
