"""The command `SwitchFeature`: switch a feature off or on for the encounter."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId, FeatureId
from turnwright.encounter.running import Combatant
from turnwright.play.attacks.feature_switch import switch_off, switch_on
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.actions.action_options import feature_of
from turnwright.rules.system import RuleSystem


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
