"""Switching features off for an encounter, for all combatants with the same stat block."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId, FeatureId
from turnwright.encounter.prepared import Feature
from turnwright.encounter.running import Combatant, Duration, Effect
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.transaction import Refused, Transaction
from turnwright.rules.parts.actions.action_options import feature_of, feature_rule
from turnwright.rules.parts.combatants.feature_triggers import SWITCHED_OFF, switched_off
from turnwright.rules.system import RuleSystem


@journal("journal.feature_switched_off", kind="warn")
class FeatureSwitchedOff(Event, frozen=True):
    """A triggered feature was switched off for this encounter."""

    who: CombatantId
    feature: str


@journal("journal.feature_switched_on", kind="warn")
class FeatureSwitchedOn(Event, frozen=True):
    """A feature was switched on again."""

    who: CombatantId
    feature: str


def switch_off(tx: Transaction, rules: RuleSystem, who: str, feature: Feature) -> None:
    """Switch a feature off for the rest of the encounter."""
    owner = tx.need(Combatant, who)
    for combatant in list(tx.all(Combatant)):
        if combatant.creature == owner.creature and feature.id not in switched_off(tx, combatant.id):
            id, ends = tx.next_id("effect"), Duration("encounter")
            tx.put(Effect(id, combatant.id, SWITCHED_OFF, feature.id, ends=ends, shown=False))
    tx.emit(FeatureSwitchedOff(who=who, feature=feature.name, rule=feature_rule(tx, rules, who, feature)))


def switch_on(tx: Transaction, rules: RuleSystem, who: str, feature: Feature) -> None:
    """Switch a feature on again."""
    owner = tx.need(Combatant, who)
    alike = {combatant.id for combatant in tx.all(Combatant) if combatant.creature == owner.creature}
    for effect in list(tx.all(Effect)):
        if (effect.name, effect.source) == (SWITCHED_OFF, feature.id) and effect.target in alike:
            tx.remove(effect)
    tx.emit(FeatureSwitchedOn(who=who, feature=feature.name, rule=feature_rule(tx, rules, who, feature)))


@command(script="switch {who} {feature} [off | on {off=false}]")
class SwitchFeature(Command, frozen=True):
    """Switch a feature off for the rest of the encounter, or on again, for all combatants with the same stat block."""

    who: CombatantId
    feature: FeatureId
    off: bool = True

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Switch a feature off or on. Refuse a feature that the combatant doesn't have."""
        combatant = tx.need(Combatant, self.who)
        feature = feature_of(tx, self.who, self.feature)
        if feature is None:
            raise Refused("refused.no_feature", params={"who": combatant.label, "what": self.feature})
        (switch_off if self.off else switch_on)(tx, rules, self.who, feature)
