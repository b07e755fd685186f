"""Commands of harm and help: damage, healing, conditions, death, and corrections by hand."""

from __future__ import annotations

from turnwright.encounter.running import Combatant
from turnwright.play.damage.death_saves import die
from turnwright.play.damage.manual_hit_points import begin_drop_to_zero, restore_to_life
from turnwright.play.effects.lift_doom import begin_lift_doom
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


class SetDead(Command, frozen=True):
    """Say that somebody is dead, or has been restored to life: with so many hit points, by what `source` names."""

    who: str
    dead: bool = True
    hp: int = 0
    source: str = ""


def set_dead(command: SetDead, tx: Transaction, rules: RuleSystem) -> None:
    """Note a death, or that somebody was restored to life; with no hit points they lie dying, whoever they are."""
    combatant = tx.need(Combatant, command.who)
    if combatant.dead == command.dead:
        return
    if command.dead:
        die(tx, rules, command.who, "")
        return
    dies_at_zero = not rules.dying.makes_saves(tx, rules, command.who)
    if command.hp < 1 and dies_at_zero:
        combatant = tx.update(combatant, dying="saves")
    topic = "npc.dying-rules" if command.hp < 1 and dies_at_zero else "heal.dead"
    restore_to_life(tx, rules, combatant, command.hp, rules.rule_id(topic))
    if command.hp < 1:
        begin_drop_to_zero(tx, command.who)
    begin_lift_doom(tx, rules, command.who, command.source)
