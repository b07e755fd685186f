"""Changed shapes with hit points of their own: what a combatant goes back to, and when."""

from __future__ import annotations

from turnwright.encounter.prepared import Creature
from turnwright.encounter.running import Combatant, GuestCreature, ShapeChange
from turnwright.play.damage.events import StatBlockChanged
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem, creature_of


def revert_shape(tx: Transaction, rules: RuleSystem, who: str, excess: int = 0) -> ShapeChange | None:
    """Give a combatant its former stat block and hit points, less the damage left over; return what it went back to."""
    shape = tx.get(ShapeChange, who)
    if shape is None:
        return None
    tx.remove(shape)
    one = tx.need(Combatant, who)
    block = tx.get(Creature, shape.creature) or tx.get(GuestCreature, shape.creature)
    earlier, name = creature_of(tx, one).name, block.name if block is not None else shape.creature
    hp = max(rules.data.health.lowest(shape.hp_max), shape.hp - excess)
    tx.update(one, creature=shape.creature, hp=hp, hp_max=shape.hp_max, phases=shape.phases)
    tx.emit(StatBlockChanged(who=who, creature=name, earlier=earlier, hp=hp, hp_max=shape.hp_max))
    return shape
