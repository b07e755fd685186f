"""A party brought in from the library: who is in the encounter already takes its figures, the others are added."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import Creature, Party, RosterEntry
from turnwright.encounter.running import Clock
from turnwright.encounter.state import Lookup
from turnwright.play.commands import BringParty
from turnwright.play.minting import mint_members
from turnwright.play.procedures.order import seek_places
from turnwright.play.transaction import Transaction
from turnwright.rules.system import RuleSystem

LINKS = ("controller", "rides")
OWN = (*LINKS, "side", "wave", "place", "positions", "outside", "sneaking", "hidden", "elevation", "notes", "bystander")


def bring_party(command: BringParty, tx: Transaction, rules: RuleSystem) -> None:
    """Put a party's characters in. Who is there already keeps where and how they stand; while a fight runs newcomers join it."""
    party = command.party
    present = {member.id: found for member in party.roster if (found := same_in(tx, party, member)) is not None}
    ids = {member: entry.id for member, entry in present.items()}
    ids |= {one.id: tx.mint(RosterEntry, one.id) for one in party.roster if one.id not in present}
    came: list[str] = []
    clock = tx.get(Clock, "clock") or Clock()
    for member in party.roster:
        there = present.get(member.id)
        creature = _creature_for(tx, party, member, there)
        entry = msgspec.structs.replace(member, id=ids[member.id], creature=creature)
        if there is not None:
            tx.put(msgspec.structs.replace(entry, **{name: getattr(there, name) for name in OWN}))
            continue
        links = {name: ids.get(getattr(member, name), "") for name in LINKS}
        tx.put(msgspec.structs.replace(entry, **links))
        if clock.phase in ("set-up", "rounds"):
            came += mint_members(tx, rules, tx.need(RosterEntry, entry.id))
    if came and clock.phase == "rounds":
        seek_places(tx, tuple(came))


def same_in(lookup: Lookup, party: Party, member: RosterEntry) -> RosterEntry | None:
    """Return the roster entry of an encounter that is a member of a party already: by its player and name, or its id and name."""
    wanted = _called(party.creatures, member)
    for entry in lookup.all(RosterEntry):
        creature = lookup.get(Creature, entry.creature)
        if wanted == _called((creature,) if creature is not None else (), entry) and (
            entry.id == member.id or (entry.player and entry.player == member.player)
        ):
            return entry
    return None


def _called(creatures: tuple[Creature, ...], entry: RosterEntry) -> str:
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
    id = there.creature if there is not None and not shared else tx.mint(Creature, creature.id)
    return tx.put(msgspec.structs.replace(creature, id=id)).id
