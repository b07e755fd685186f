"""The command `SetEffectNote`: set an effect note."""

from __future__ import annotations

from turnwright.encounter.field_specs import EffectId, Prose
from turnwright.encounter.running import Effect
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="remind {effect} {text:rest}")
class SetEffectNote(Command, frozen=True):
    """Set an effect note, which replaces the text of its condition. An empty note restores the original text."""

    effect: EffectId
    text: Prose = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Set the note of an effect."""
        tx.update(tx.need(Effect, self.effect), note=self.text.strip())
