"""Features that a person switches off for an encounter, for all combatants of the same stat block."""

from __future__ import annotations

from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant, Duration, Effect
from turnwright.play.attacks.events import FeatureSwitchedOff, FeatureSwitchedOn
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.actions.action_options import feature_rule
from turnwright.rules.parts.combatants.feature_triggers import SWITCHED_OFF, switched_off
from turnwright.rules.system import RuleSystem


def switch_off(tx: Transaction, rules: RuleSystem, who: str, feature: Feature) -> None:
    """Switch a feature off for the rest of the encounter."""
    owner = tx.need(Combatant, who)
    for each in list(tx.all(Combatant)):
        if each.creature == owner.creature and feature.id not in switched_off(tx, each.id):
            id, ends = tx.next_id("effect"), Duration("encounter")
            tx.put(Effect(id, each.id, SWITCHED_OFF, feature.id, ends=ends, shown=False))
    tx.emit(FeatureSwitchedOff(who=who, feature=feature.name, rule=feature_rule(tx, rules, who, feature)))


def switch_on(tx: Transaction, rules: RuleSystem, who: str, feature: Feature) -> None:
    """Switch a feature on again."""
    owner = tx.need(Combatant, who)
    alike = {each.id for each in tx.all(Combatant) if each.creature == owner.creature}
    for one in list(tx.all(Effect)):
        if (one.name, one.source) == (SWITCHED_OFF, feature.id) and one.target in alike:
            tx.remove(one)
    tx.emit(FeatureSwitchedOn(who=who, feature=feature.name, rule=feature_rule(tx, rules, who, feature)))
