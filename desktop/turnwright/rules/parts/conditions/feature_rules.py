"""The data rules of a stat block's features, collected once for each stat block."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Literal, NamedTuple

import msgspec

from turnwright.encounter.data_rules import DataRule
from turnwright.encounter.prepared import Creature, Feature
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup
from turnwright.rules.system import creature_of
from turnwright.rules.system_data.statements import StatementError, facts_in, parse_statement

_MOST_KEPT = 2048  # maximum number of cached stat blocks, more than any encounter has


class FeatureRules(NamedTuple):
    """The rules of a stat block's traits in order, their subjects, and the words in their statements."""

    rules: tuple[tuple[Feature, DataRule], ...] = ()
    subjects: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()


Plays = Literal["", "acts", "asks", "reminds", "off"]
# Facts that depend on rules of a certain kind. The statements of these rules can't use them.
_DECIDED_BY: Mapping[str, Collection[str]] = {
    "speed": ("speed-zero",),
    "senses": ("sees", "hidden-from", "source-unseen", "flanks", "covered", "threatened"),
}
_SIGHT = frozenset({"being-flanked", "being-seen", "being-targeted", "flanking", "sight"})
NONE = FeatureRules()
# Keyed by identity, because comparing stat blocks compares all fields, and by the default setting of features.
_kept: dict[tuple[int, str], tuple[Creature, FeatureRules]] = {}


def feature_rules_of(lookup: Lookup, who: str, plays: Plays = "") -> FeatureRules:
    """Return the rules of a combatant's traits. `plays` applies to features without a setting of their own."""
    combatant = lookup.get(Combatant, who)
    return NONE if combatant is None else compiled_rules(creature_of(lookup, combatant), plays)


def compiled_rules(creature: Creature, plays: Plays = "") -> FeatureRules:
    """Return the rules of a stat block's traits, except those with malformed statements."""
    key = (id(creature), plays)
    cached = _kept.get(key)
    if cached is not None and cached[0] is creature:
        return cached[1]
    pairs = tuple(
        (feature, rule) for feature in creature.features for rule in rules_in_force(feature, plays) if _is_usable(rule)
    )
    words = frozenset(
        fact.word for feature in creature.features for text in _statements(feature) for fact in facts_in(text)
    )
    compiled = FeatureRules(pairs, frozenset(rule.what for _, rule in pairs), words) if pairs or words else NONE
    if len(_kept) >= _MOST_KEPT:
        _kept.clear()
    _kept[key] = creature, compiled
    return compiled


def rules_in_force(feature: Feature, plays: Plays = "") -> tuple[DataRule, ...]:
    """Return the rules that a feature applies automatically. Only traits that have no trigger do so.

    The rules apply only while the feature is available. If it `asks`, the game master also has to choose it. A feature
    that `reminds` is mentioned on rolls but changes nothing.
    """
    plays = plays if plays == "off" else feature.plays or plays
    if feature.cost != "trait" or feature.trigger or plays == "off":
        return ()
    chosen_fact = f"chosen:{feature.id}" if plays == "asks" else ""
    rules = []
    for rule in feature.rules:
        when = ", ".join(part for part in (_bracketed(feature.only), _bracketed(rule.when), chosen_fact) if part)
        if plays == "reminds":
            rules.append(DataRule("modifier", rule.what, when=when))
        else:
            rules.append(msgspec.structs.replace(rule, when=when) if when != rule.when else rule)
    return tuple(rules)


def _bracketed(text: str) -> str:
    return f"({text})" if "|" in text else text


def _statements(feature: Feature) -> Iterator[str]:
    whens = (
        feature.when,
        feature.only,
        *(rule.when for rule in feature.rules),
        *(damage.when for damage in feature.other_damage),
    )
    return (text for text in whens if text)


def _is_usable(rule: DataRule) -> bool:
    """Return whether a rule's statement can be parsed and doesn't depend on the rule's own result."""
    try:
        words = {fact.word for fact in parse_statement(rule.when).facts}
    except StatementError:
        return False
    decides = "senses" if rule.kind == "deny" and rule.what in _SIGHT else rule.kind
    return words.isdisjoint(_DECIDED_BY.get(decides, ()))
