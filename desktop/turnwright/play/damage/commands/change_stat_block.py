"""The command that gives a combatant another stat block: a changed shape, a mount that is revealed as something else."""

from __future__ import annotations

from turnwright.encounter.field_specs import CombatantId, CreatureId
from turnwright.encounter.prepared import Creature
from turnwright.encounter.running import Combatant
from turnwright.play.kernel.commands import Command, command
from turnwright.play.kernel.events import Event, journal
from turnwright.play.kernel.refusals import Refused
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.state.hit_points import regain_consciousness
from turnwright.rules.system import RuleSystem, creature_of


@journal("journal.stat_block_changed", kind="warn", what="creature", before="earlier")
class StatBlockChanged(Event, frozen=True):
    """A combatant has another stat block, by name, and the hit points that go with it."""

    who: CombatantId
    creature: str
    earlier: str
    hp: int
    hp_max: int


@command(script="change {who} into {creature} [fresh]", manual="stat-block")
class ChangeStatBlock(Command, frozen=True):
    """Give a combatant another stat block with the damage taken so far; `fresh`: with all its hit points."""

    who: CombatantId
    creature: CreatureId
    fresh: bool = False


def handle(command: ChangeStatBlock, tx: Transaction, rules: RuleSystem) -> None:
    """Give a combatant another stat block; one who is up stays so, with 1 hit point at least."""
    one, block = tx.need(Combatant, command.who), tx.get(Creature, command.creature)
    if block is None:
        raise Refused("refused.unknown", params={"what": command.creature or "?"})
    earlier = creature_of(tx, one)
    damage = 0 if command.fresh else max(0, one.hp_max - one.hp)
    hp = max(block.hp - damage, 1 if one.hp > 0 else 0)
    if (one.creature, one.hp, one.hp_max) == (block.id, hp, block.hp):
        return
    tx.update(one, creature=block.id, hp=hp, hp_max=block.hp, phases=())
    tx.emit(StatBlockChanged(who=one.id, creature=block.name, earlier=earlier.name, hp=hp, hp_max=block.hp))
    if one.hp <= 0 < hp:
        regain_consciousness(tx, rules, one.id)
