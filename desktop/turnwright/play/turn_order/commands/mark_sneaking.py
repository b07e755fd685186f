"""Commands that move an encounter along: set-up and its steps, turns, rests, the end."""

from __future__ import annotations

from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.turn_order.events import SneakingMarked
from turnwright.rules.system import RuleSystem


class MarkSneaking(Command, frozen=True):
    """Say who means to act before the others are aware of them."""

    who: tuple[str, ...]
    sneaking: bool = True


def mark_sneaking(command: MarkSneaking, tx: Transaction, rules: RuleSystem) -> None:
    """Say who means to act before the others are aware of them."""
    for who in command.who:
        combatant = tx.need(Combatant, who)
        if combatant.sneaking != command.sneaking:
            tx.update(combatant, sneaking=command.sneaking)
            tx.emit(SneakingMarked(who=who, sneaking=command.sneaking, rule=rules.rule_id("setup.surprise-step")))
