"""Creatures that an environment brings into the fight: their stat block, appearance and initiative."""

from __future__ import annotations

from turnwright.encounter.prepared import Creature, Environment, EnvironmentEntry, RosterEntry, Spawn
from turnwright.encounter.running import Combatant, GuestCreature
from turnwright.play.kernel.transaction import Transaction
from turnwright.play.spawning.spawning import LookAlikeRolled, begin_arrival, spawn_members
from turnwright.play.turn_order.initiative import set_initiative
from turnwright.rules.parts.environment.entries import eligible_targets, entry_rule
from turnwright.rules.system import RuleSystem


def spawn_creature(
    tx: Transaction, rules: RuleSystem, environment: Environment, world_entry: EnvironmentEntry, parent: str
) -> None:
    """Spawn the creature of an environment entry. It has a fixed initiative count or rolls."""
    spawn = world_entry.spawn
    if spawn is None:
        return
    _provide_stat_block(tx, rules, spawn)
    present = eligible_targets(tx, environment, world_entry, rules)
    id = tx.create_id(Combatant, spawn.creature)
    entry = RosterEntry(id=id, creature=spawn.creature, name=_name(tx, spawn), side=spawn.side)
    (who,) = spawn_members(tx, rules, entry)
    combatant = tx.update(tx.need(Combatant, who), roster="")
    if spawn.likeness and present:
        tx.emit(LookAlikeRolled(who=who, like=present[tx.draw(len(present))].id, rule=entry_rule(world_entry)))
    if spawn.initiative is not None:
        rule = entry_rule(world_entry, rules.rule_id("env.rule.shadow-joins"))
        set_initiative(tx, rules, combatant, spawn.initiative, "fixed", fixed=True, rule=rule)
    begin_arrival(tx, rules, (who,), parent)


def _provide_stat_block(tx: Transaction, rules: RuleSystem, spawn: Spawn) -> None:
    """Ensure that the encounter has the creature's stat block: its own, the system's, or a blank one to fill in."""
    if tx.get(Creature, spawn.creature) is not None or tx.get(GuestCreature, spawn.creature) is not None:
        return
    kind = spawn.creature.replace("-", " ")
    name = spawn.name if spawn.name.casefold() == kind else f"{spawn.name} ({kind})"
    stat_block = rules.spawns.get(spawn.creature) or rules.new_creature(spawn.creature, name)
    tx.put(GuestCreature(**{name: getattr(stat_block, name) for name in stat_block.__struct_fields__}))


def _name(tx: Transaction, spawn: Spawn) -> str:
    """Return an unused label: the creature's name, with a number if the name is taken."""
    labels = {combatant.label for combatant in tx.all(Combatant)}
    number = 1
    name = spawn.name
    while name in labels:
        number += 1
        name = f"{spawn.name} {number}"
    return name
