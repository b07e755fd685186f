"""The command `EndEffect`: end an effect by hand."""

from __future__ import annotations

from turnwright.encounter.field_specs import EffectId
from turnwright.encounter.running import Effect
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.effect_records import end_effect
from turnwright.rules.system import RuleSystem


@command(script="end effect {effect}")
class EndEffect(Command, frozen=True):
    """End an effect."""

    effect: EffectId

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """End an effect by hand."""
        end_effect(tx, rules, tx.need(Effect, self.effect))
