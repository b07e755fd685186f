"""The command `SetDead`: a death or a revival, entered by the game master."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId, Natural
from turnwright.encounter.running import Combatant
from turnwright.play.damage.death_saves import die
from turnwright.play.damage.manual_hit_points import begin_drop_to_zero, restore_to_life
from turnwright.play.effects.lift_doom import begin_lift_doom
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.parts.damage.dying import makes_saves
from turnwright.rules.system import RuleSystem


@command(script="kill {who} | revive {who} {dead=false} [with {hp}] [from {source}]")
class SetDead(Command, frozen=True):
    """Mark a combatant as dead, or revive it.

    `hp` are its hit points after a revival, and `source` is the cause.
    """

    who: CombatantId
    dead: bool = True
    hp: Natural = 0
    source: str = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Kill or revive a combatant. A combatant revived without hit points is dying."""
        combatant = tx.need(Combatant, self.who)
        if combatant.dead == self.dead:
            return
        if self.dead:
            die(tx, rules, self.who, "")
            return
        dies_at_zero = not makes_saves(tx, rules, self.who)
        if self.hp < 1 and dies_at_zero:
            combatant = tx.update(combatant, dying="saves")
        topic = "npc.dying-rules" if self.hp < 1 and dies_at_zero else "heal.dead"
        restore_to_life(tx, rules, combatant, self.hp, rules.rule_id(topic))
        if self.hp < 1:
            begin_drop_to_zero(tx, self.who)
        begin_lift_doom(tx, rules, self.who, self.source)
