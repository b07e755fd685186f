"""The command `ChangeStatBlock`: another stat block for a combatant, such as a new shape or a revealed identity."""

from __future__ import annotations

from typing import Literal

from turnwright.encounter.field_specs import CombatantId, CreatureId
from turnwright.encounter.prepared import Creature
from turnwright.encounter.running import Combatant, ShapeChange
from turnwright.play.damage.events import StatBlockChanged
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.hit_points import regain_consciousness
from turnwright.rules.system import RuleSystem, creature_of


@command(
    script="change {who} into {creature} [fresh {health=fresh} | apart {health=apart} | kept {health=kept}]",
    manual="stat-block",
)
class ChangeStatBlock(Command, frozen=True):
    """Give a combatant another stat block, and keep the damage it has taken.

    `fresh`: it starts with full hit points. `apart`: it starts with full hit points, and returns to its present ones
    when the shape ends, less any excess damage. `kept`: it keeps its present hit points.
    """

    who: CombatantId
    creature: CreatureId
    health: Literal["", "fresh", "apart", "kept"] = ""

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Give a combatant another stat block. A combatant that is up keeps at least 1 hit point."""
        combatant, block = tx.need(Combatant, self.who), tx.get(Creature, self.creature)
        if block is None:
            raise Refused("refused.unknown", params={"what": self.creature or "?"})
        earlier, most = creature_of(tx, combatant), combatant.hp_max if self.health == "kept" else block.hp
        damage = 0 if self.health in ("fresh", "apart") else max(0, combatant.hp_max - combatant.hp)
        hp = max(most - damage, 1 if combatant.hp > 0 else 0)
        if (combatant.creature, combatant.hp, combatant.hp_max) == (block.id, hp, most):
            return
        if self.health != "apart":
            tx.discard(ShapeChange, combatant.id)
        elif tx.get(ShapeChange, combatant.id) is None:
            tx.put(ShapeChange(combatant.id, combatant.creature, combatant.hp, combatant.hp_max, combatant.phases))
        tx.update(combatant, creature=block.id, hp=hp, hp_max=most, phases=())
        tx.emit(StatBlockChanged(who=combatant.id, creature=block.name, earlier=earlier.name, hp=hp, hp_max=most))
        if combatant.hp <= 0 < hp:
            regain_consciousness(tx, rules, combatant.id)
