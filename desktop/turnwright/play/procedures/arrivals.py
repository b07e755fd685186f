"""Creatures that an environment brings into the fight: their stat block, their looks, and their place in the order."""

from __future__ import annotations

from turnwright.encounter.prepared import Creature, Entry, Environment, RosterEntry, Spawn
from turnwright.encounter.running import Combatant, Visitor
from turnwright.play.events import LikenessDrawn
from turnwright.play.minting import mint_members
from turnwright.play.procedures.order import seek_places, set_initiative
from turnwright.play.transaction import Transaction
from turnwright.rules.parts.surroundings import eligible, ledger_for
from turnwright.rules.system import RuleSystem


def bring_in(tx: Transaction, rules: RuleSystem, environment: Environment, row: Entry, parent: str) -> None:
    """Put the creature that a row brings on the table; one with a fixed count takes it, others roll."""
    spawn = row.spawn
    if spawn is None:
        return
    _provide_stat_block(tx, rules, spawn)
    present = eligible(tx, environment, row, rules)
    id = tx.mint(Combatant, spawn.creature)
    entry = RosterEntry(id=id, creature=spawn.creature, name=_name(tx, spawn), side=spawn.side)
    (who,) = mint_members(tx, rules, entry)
    combatant = tx.update(tx.need(Combatant, who), roster="")
    if spawn.likeness and present:
        tx.emit(LikenessDrawn(who=who, like=present[tx.draw(len(present))].id, rule=ledger_for(row)))
    if spawn.initiative is not None:
        rule = ledger_for(row, rules.cite("env.rule.shadow-joins"))
        set_initiative(tx, rules, combatant, spawn.initiative, "fixed", fixed=True, rule=rule)
    seek_places(tx, (who,), parent=parent)


def _provide_stat_block(tx: Transaction, rules: RuleSystem, spawn: Spawn) -> None:
    """Take the encounter's own stat block where it has one, else that of the system, else a blank one to fill in."""
    if tx.get(Creature, spawn.creature) is not None or tx.get(Visitor, spawn.creature) is not None:
        return
    kind = spawn.creature.replace("-", " ")
    name = spawn.name if spawn.name.casefold() == kind else f"{spawn.name} ({kind})"
    stat_block = rules.spawns.get(spawn.creature) or rules.new_creature(spawn.creature, name)
    tx.put(Visitor(**{name: getattr(stat_block, name) for name in stat_block.__struct_fields__}))


def _name(tx: Transaction, spawn: Spawn) -> str:
    """Return a label that nobody has yet: the creature's name, with a number from the second on."""
    taken = {one.label for one in tx.all(Combatant)}
    number = 1
    name = spawn.name
    while name in taken:
        number += 1
        name = f"{spawn.name} {number}"
    return name
