"""The command that sets the reminder of an effect."""

from __future__ import annotations

from turnwright.encounter.field_specs import EffectId, Prose
from turnwright.encounter.running import Effect
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


@command(script="remind {effect} {text:rest}")
class SetEffectNote(Command, frozen=True):
    """Set the reminder of an effect in place of its condition's text; an empty text restores that."""

    effect: EffectId
    text: Prose = ""


def handle(command: SetEffectNote, tx: Transaction, rules: RuleSystem) -> None:
    """Set the reminder of an effect."""
    tx.update(tx.need(Effect, command.effect), note=command.text.strip())
