"""The command that adds creatures to an encounter."""

from __future__ import annotations

import msgspec

from turnwright.encounter.lookups import is_encounter_running
from turnwright.encounter.prepared import Creature, RosterEntry
from turnwright.encounter.running import Combatant, GuestCreature
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


class AddToEncounter(Command, frozen=True):
    """Add creatures: the stat block if it is new, and a roster entry. During a fight they join it."""

    creature: Creature
    entry: RosterEntry

    def subject(self, _lookup: Lookup, /) -> str:
        """Return the name of the roster entry, or else the creature's name."""
        return self.entry.name or self.creature.name

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Add creatures to the encounter. During a fight they join it, and the prepared records don't change."""
        if is_encounter_running(tx):
            _add_to_fight(self, tx, rules)
            return
        creature = self.creature
        same = next(
            (
                candidate
                for candidate in tx.all(Creature)
                if msgspec.structs.replace(candidate, id=creature.id) == creature
            ),
            None,
        )
        if same is None:
            same = tx.put(msgspec.structs.replace(creature, id=tx.create_id(Creature, creature.id)))
        entry = self.entry
        tx.put(msgspec.structs.replace(entry, id=tx.create_id(RosterEntry, entry.id), creature=same.id))


def _add_to_fight(command: AddToEncounter, tx: Transaction, rules: RuleSystem) -> None:
    from turnwright.play.spawning.spawning import begin_arrival, spawn_members

    creature = command.creature
    stat_block: Creature | None = tx.get(Creature, creature.id)
    if stat_block is None or stat_block != creature:
        stem = creature.id if tx.get(Creature, creature.id) is None else f"{creature.id}-new"
        id = tx.create_id(GuestCreature, stem)
        fields = {name: getattr(creature, name) for name in creature.__struct_fields__}
        stat_block = tx.put(GuestCreature(**(fields | {"id": id})))
    came = spawn_members(tx, rules, msgspec.structs.replace(command.entry, creature=stat_block.id))
    for who in came:
        tx.update(tx.need(Combatant, who), roster="")
    begin_arrival(tx, rules, tuple(came))
