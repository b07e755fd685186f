"""The command that gives a combatant another stat block: a changed shape, a mount that is revealed as something else."""

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
    """Give a combatant another stat block with the damage taken so far.

    `fresh`: with all its hit points; `apart`: with all of them until the shape ends, and then its own of now again, less the
    damage left over; `kept`: with the hit points that it has.
    """

    who: CombatantId
    creature: CreatureId
    health: Literal["", "fresh", "apart", "kept"] = ""


def handle(command: ChangeStatBlock, tx: Transaction, rules: RuleSystem) -> None:
    """Give a combatant another stat block; one who is up stays so, with 1 hit point at least."""
    one, block = tx.need(Combatant, command.who), tx.get(Creature, command.creature)
    if block is None:
        raise Refused("refused.unknown", params={"what": command.creature or "?"})
    earlier, most = creature_of(tx, one), one.hp_max if command.health == "kept" else block.hp
    damage = 0 if command.health in ("fresh", "apart") else max(0, one.hp_max - one.hp)
    hp = max(most - damage, 1 if one.hp > 0 else 0)
    if (one.creature, one.hp, one.hp_max) == (block.id, hp, most):
        return
    if command.health != "apart":
        tx.discard(ShapeChange, one.id)
    elif tx.get(ShapeChange, one.id) is None:
        tx.put(ShapeChange(one.id, one.creature, one.hp, one.hp_max, one.phases))
    tx.update(one, creature=block.id, hp=hp, hp_max=most, phases=())
    tx.emit(StatBlockChanged(who=one.id, creature=block.name, earlier=earlier.name, hp=hp, hp_max=most))
    if one.hp <= 0 < hp:
        regain_consciousness(tx, rules, one.id)
