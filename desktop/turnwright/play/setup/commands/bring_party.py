"""Commands that prepare an encounter: records put in, edited, taken out, moved about."""

from __future__ import annotations

import msgspec

from turnwright.encounter.lookups import is_encounter_running
from turnwright.encounter.prepared import Creature, Party, RosterEntry
from turnwright.encounter.state import Lookup
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.transaction import Transaction
from turnwright.rules.system import RuleSystem


class BringParty(Command, frozen=True):
    """Bring in a party's characters: known ones are updated, the others added; during a fight they join it."""

    party: Party

    def subject(self, _lookup: Lookup, /) -> str:
        """Return the party's name."""
        return self.party.name


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


def handle(command: BringParty, tx: Transaction, rules: RuleSystem) -> None:
    """Bring in a party's characters. Known ones keep their place and state; during a fight newcomers join it."""
    from turnwright.play.spawning.spawning import begin_arrival, spawn_members

    party = command.party
    present = {member.id: found for member in party.roster if (found := matching_entry(tx, party, member)) is not None}
    ids = {member: entry.id for member, entry in present.items()}
    ids |= {one.id: tx.create_id(RosterEntry, one.id) for one in party.roster if one.id not in present}
    came: list[str] = []
    for member in party.roster:
        there = present.get(member.id)
        creature = _creature_for(tx, party, member, there)
        entry = msgspec.structs.replace(member, id=ids[member.id], creature=creature)
        if there is not None:
            tx.put(msgspec.structs.replace(entry, **{name: getattr(there, name) for name in KEPT_FIELDS}))
            continue
        links = {name: ids.get(getattr(member, name), "") for name in LINKS}
        tx.put(msgspec.structs.replace(entry, **links))
        if is_encounter_running(tx):
            came += spawn_members(tx, rules, tx.need(RosterEntry, entry.id))
    begin_arrival(tx, rules, tuple(came))


def matching_entry(lookup: Lookup, party: Party, member: RosterEntry) -> RosterEntry | None:
    """Return the roster entry of an encounter that is a member of a party already: by its player and name, or its id and name."""
    wanted = _name_of(party.creatures, member)
    for entry in lookup.all(RosterEntry):
        creature = lookup.get(Creature, entry.creature)
        if wanted == _name_of((creature,) if creature is not None else (), entry) and (
            entry.id == member.id or (entry.player and entry.player == member.player)
        ):
            return entry
    return None


def _name_of(creatures: tuple[Creature, ...], entry: RosterEntry) -> str:
    return entry.name or next((one.name for one in creatures if one.id == entry.creature), entry.creature)


def _creature_for(tx: Transaction, party: Party, member: RosterEntry, there: RosterEntry | None) -> str:
    """Put a member's stat block in, in place of the one they had, and return its id; one that is there just so is used again."""
    creature = next((one for one in party.creatures if one.id == member.creature), None)
    if creature is None:
        return there.creature if there is not None else member.creature
    same = next((one for one in tx.all(Creature) if msgspec.structs.replace(one, id=creature.id) == creature), None)
    if same is not None:
        return same.id
    shared = there is not None and any(
        one.creature == there.creature and one.id != there.id for one in tx.all(RosterEntry)
    )
    id = there.creature if there is not None and not shared else tx.create_id(Creature, creature.id)
    return tx.put(msgspec.structs.replace(creature, id=id)).id
