"""The command that adds a party to an encounter, or updates it."""

from __future__ import annotations

import msgspec

from turnwright.encounter.lookups import is_encounter_running
from turnwright.encounter.prepared import Creature, Party, RosterEntry
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


class BringParty(Command, frozen=True):
    """Add a party's characters, or update those already in the encounter; during a fight new ones join it."""

    party: Party

    def subject(self, _lookup: Lookup, /) -> str:
        """Return the party's name."""
        return self.party.name

    def handle(self, tx: Transaction, rules: RuleSystem) -> None:
        """Add or update a party's characters. Existing ones keep their place and state. During a fight new ones join it."""
        from turnwright.play.spawning.spawning import begin_arrival, spawn_members

        party = self.party
        present = {
            member.id: entry for member in party.roster if (entry := matching_entry(tx, party, member)) is not None
        }
        ids = {member: entry.id for member, entry in present.items()}
        ids |= {member.id: tx.create_id(RosterEntry, member.id) for member in party.roster if member.id not in present}
        arrived: list[str] = []
        for member in party.roster:
            former = present.get(member.id)
            creature = _creature_for(tx, party, member, former)
            entry = msgspec.structs.replace(member, id=ids[member.id], creature=creature)
            if former is not None:
                tx.put(msgspec.structs.replace(entry, **{name: getattr(former, name) for name in KEPT_FIELDS}))
                continue
            links = {name: ids.get(getattr(member, name), "") for name in LINKS}
            tx.put(msgspec.structs.replace(entry, **links))
            if is_encounter_running(tx):
                arrived += spawn_members(tx, rules, tx.need(RosterEntry, entry.id))
        begin_arrival(tx, rules, tuple(arrived))


LINKS = ("controller", "rides")


KEPT_FIELDS = (
    *LINKS,
    "side",
    "wave",
    "place",
    "positions",
    "outside",
    "sneaking",
    "hidden",
    "elevation",
    "notes",
    "bystander",
)


def matching_entry(lookup: Lookup, party: Party, member: RosterEntry) -> RosterEntry | None:
    """Return the roster entry that already represents a party member, or None.

    The names must match, and so must the ids or the players.
    """
    member_name = _name_of(party.creatures, member)
    for entry in lookup.all(RosterEntry):
        creature = lookup.get(Creature, entry.creature)
        if member_name == _name_of((creature,) if creature is not None else (), entry) and (
            entry.id == member.id or (entry.player and entry.player == member.player)
        ):
            return entry
    return None


def _name_of(creatures: tuple[Creature, ...], entry: RosterEntry) -> str:
    return entry.name or next(
        (creature.name for creature in creatures if creature.id == entry.creature), entry.creature
    )


def _creature_for(tx: Transaction, party: Party, member: RosterEntry, former: RosterEntry | None) -> str:
    """Add or update a member's stat block and return its id. If an identical stat block exists, reuse it."""
    creature = next((stat_block for stat_block in party.creatures if stat_block.id == member.creature), None)
    if creature is None:
        return former.creature if former is not None else member.creature
    same = next(
        (candidate for candidate in tx.all(Creature) if msgspec.structs.replace(candidate, id=creature.id) == creature),
        None,
    )
    if same is not None:
        return same.id
    shared = former is not None and any(
        roster_entry.creature == former.creature and roster_entry.id != former.id
        for roster_entry in tx.all(RosterEntry)
    )
    id = former.creature if former is not None and not shared else tx.create_id(Creature, creature.id)
    return tx.put(msgspec.structs.replace(creature, id=id)).id
