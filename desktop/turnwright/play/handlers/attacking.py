"""The command to attack."""

from __future__ import annotations

from turnwright.encounter.running import Combatant
from turnwright.play.assaults import assault_on, means_of
from turnwright.play.commands import Attack
from turnwright.play.procedures.loop import begin
from turnwright.play.resources import need_finished, need_running
from turnwright.play.transaction import Transaction
from turnwright.rules.system import RuleSystem


def attack(command: Attack, tx: Transaction, rules: RuleSystem) -> None:
    """Begin an attack on somebody, a thing or a square."""
    need_running(tx)
    tx.need(Combatant, command.who)
    need_finished(tx, rules, command.who)
    assault = assault_on(
        tx,
        rules,
        command.who,
        command.target,
        means_of(tx, rules, command.who, command.means, command.given, command.purpose),
        purpose=command.purpose,
        at=command.at,
        thrown=command.thrown,
        facts=command.facts,
        modifiers=command.modifiers,
    )
    begin(tx, "attack", "declare", assault)
