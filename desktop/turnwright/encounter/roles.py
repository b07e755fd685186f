"""Roles of roster entries and combatants: player character, companion, guest or other."""

from typing import Final

import msgspec

from turnwright.encounter.prepared import Creature, Party, Role, RosterEntry
from turnwright.encounter.running import Combatant
from turnwright.encounter.state import Lookup, count_for

PARTY: Final = "party"  # the name of the players' side, if no character is on another
USUAL_PARTY: Final = 4  # the party size if there are no characters yet
CHARACTER_TAG: Final = "player character"  # the word in a stat block that makes its creature a character


def role_of(lookup: Lookup, person: RosterEntry | Combatant) -> Role:
    """Return the role of a roster entry or combatant: `character`, `companion`, `guest` or `other`.

    A role that was set counts first. Otherwise a character has a player or the tag `player character`, or a level of
    its own on the party's side. A companion is controlled or ridden by a character. Others on the party's side are guests.
    """
    return _role(lookup, person, frozenset())


def _role(lookup: Lookup, person: RosterEntry | Combatant, followed: frozenset[str]) -> Role:
    if person.role:
        return person.role
    entry = lookup.get(RosterEntry, person.roster) if isinstance(person, Combatant) else None
    if entry is not None:
        return _role(lookup, entry, followed)
    creature = lookup.get(Creature, person.creature)
    is_tagged = creature is not None and CHARACTER_TAG in creature.tags
    has_level = isinstance(person, RosterEntry) and person.level > 0 and person.side == PARTY
    if person.player or is_tagged or has_level:
        return "character"
    owner = lookup.get(type(person), person.controller) if person.controller not in followed else None
    if owner is not None and _role(lookup, owner, followed | {person.id, person.controller}) == "character":
        return "companion"
    if person.side != PARTY:
        return "other"
    riders = (rider for rider in lookup.all(type(person)) if rider.rides == person.id and rider.id not in followed)
    is_mount = any(_role(lookup, rider, followed | {person.id, rider.id}) == "character" for rider in riders)
    return "companion" if is_mount else "guest"


def is_character(lookup: Lookup, person: RosterEntry | Combatant) -> bool:
    """Return whether a roster entry or combatant is a player character."""
    return role_of(lookup, person) == "character"


def present(lookup: Lookup) -> tuple[RosterEntry, ...]:
    """Return the roster entries that take part, now or with a wave: those that aren't absent."""
    return tuple(entry for entry in lookup.all(RosterEntry) if not entry.absent)


def characters(lookup: Lookup) -> tuple[RosterEntry, ...]:
    """Return the roster entries that are player characters and take part."""
    return tuple(entry for entry in present(lookup) if is_character(lookup, entry))


def party_sides(lookup: Lookup) -> frozenset[str]:
    """Return the sides of the player characters in the roster and the fight, or `party` if there are none."""
    people: tuple[RosterEntry | Combatant, ...] = (*lookup.all(RosterEntry), *lookup.all(Combatant))
    return frozenset(person.side for person in people if is_character(lookup, person)) or frozenset((PARTY,))


def is_ours(lookup: Lookup, person: RosterEntry | Combatant) -> bool:
    """Return whether a roster entry or combatant is on the players' side."""
    return person.side in party_sides(lookup)


def character_count(lookup: Lookup) -> int:
    """Return the number of player characters in the roster, or the usual party size if there are none."""
    return sum(entry.count for entry in characters(lookup)) or USUAL_PARTY


def with_party_counts(lookup: Lookup) -> tuple[RosterEntry, ...]:
    """Return the roster entries whose counts change with the party size, with their new counts."""
    changed: list[RosterEntry] = []
    for entry in lookup.all(RosterEntry):
        count = count_for(entry.counts, character_count(lookup)) if entry.counts else None
        if count is not None and count != entry.count:
            changed.append(msgspec.structs.replace(entry, count=count))
    return tuple(changed)


def matching_entry(lookup: Lookup, party: Party, member: RosterEntry) -> RosterEntry | None:
    """Return the roster entry that already represents a party member, or None.

    The names must match, and so must the ids or, for player characters, the players.
    """
    member_name = _name_of(party.creatures, member)
    for entry in lookup.all(RosterEntry):
        creature = lookup.get(Creature, entry.creature)
        if member_name == _name_of((creature,) if creature is not None else (), entry) and (
            entry.id == member.id or (entry.player == member.player and is_character(lookup, entry))
        ):
            return entry
    return None


def _name_of(creatures: tuple[Creature, ...], entry: RosterEntry) -> str:
    return entry.name or next((each.name for each in creatures if each.id == entry.creature), entry.creature)
