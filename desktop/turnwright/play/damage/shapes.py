"""Temporary shapes with separate hit points, and the return to the former stat block."""

from __future__ import annotations

from turnwright.encounter.prepared import Creature
from turnwright.encounter.running import Combatant, GuestCreature, ShapeChange
from turnwright.play.damage.events import StatBlockChanged
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem, creature_of


def revert_shape(tx: Transaction, rules: RuleSystem, who: str, excess: int = 0) -> ShapeChange | None:
    """Restore a combatant's former stat block and hit points, less excess damage. Return the ended shape or None."""
    shape = tx.get(ShapeChange, who)
    if shape is None:
        return None
    tx.remove(shape)
    combatant = tx.need(Combatant, who)
    block = tx.get(Creature, shape.creature) or tx.get(GuestCreature, shape.creature)
    earlier, name = creature_of(tx, combatant).name, block.name if block is not None else shape.creature
    hp = max(rules.data.health.lowest(shape.hp_max), shape.hp - excess)
    tx.update(combatant, creature=shape.creature, hp=hp, hp_max=shape.hp_max, phases=shape.phases)
    tx.emit(StatBlockChanged(who=who, creature=name, earlier=earlier, hp=hp, hp_max=shape.hp_max))
    return shape
