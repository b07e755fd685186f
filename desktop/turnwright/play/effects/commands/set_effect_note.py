"""Commands of harm and help: damage, healing, conditions, death, and corrections by hand."""

from __future__ import annotations

from turnwright.encounter.running import Effect
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


class SetEffectNote(Command, frozen=True):
    """Write a reminder of one's own for an effect, instead of the words that come with it. Empty: those again."""

    effect: str
    text: str = ""


def set_effect_note(command: SetEffectNote, tx: Transaction, rules: RuleSystem) -> None:
    """Write a reminder of one's own for an effect."""
    tx.update(tx.need(Effect, command.effect), note=command.text.strip())
