"""Converts an encounter's party to a library record."""

from collections import Counter
from collections.abc import Mapping

import msgspec

from turnwright.encounter.prepared import CharacterState, Creature, Party, PartyAward, PartyFight, RosterEntry
from turnwright.encounter.roles import characters, matching_entry, party_sides
from turnwright.encounter.running import Award, Combatant, Dice, InitialForecast
from turnwright.encounter.state import Encounter, clock_of, entry_name, scene_of, unique_id
from turnwright.storage.library.entries import Library

States = Mapping[str, CharacterState | None]
NO_STATES: States = {}


def party_members(encounter: Encounter) -> tuple[RosterEntry, ...]:
    """Return the roster entries on the players' side."""
    sides = party_sides(encounter)
    return tuple(entry for entry in encounter.all(RosterEntry) if entry.side in sides)


def party_of(encounter: Encounter, id: str, name: str, states: States = NO_STATES) -> Party:
    """Return an encounter's party for the library, without positions and other facts about the encounter.

    `states` is keyed by roster entry id. Members without a new state keep their prepared state.
    """
    members = party_members(encounter)
    ids = {entry.id for entry in members}
    bare = tuple(
        msgspec.structs.replace(
            entry,
            wave="",
            place="",
            positions=(),
            outside=(),
            sneaking=False,
            hidden=False,
            absent=False,
            elevation=0,
            controller=entry.controller if entry.controller in ids else "",
            rides=entry.rides if entry.rides in ids else "",
            state=states.get(entry.id, entry.state),
        )
        for entry in members
    )
    used = dict.fromkeys(entry.creature for entry in members)
    creatures = tuple(creature for id_ in used if (creature := encounter.get(Creature, id_)) is not None)
    return Party(id, name, creatures, bare)


def party_people(encounter: Encounter) -> str:
    """Return the players of an encounter's characters, or the names of those without a player, as a list."""
    people = (entry.player or entry_name(encounter, entry) for entry in characters(encounter))
    return ", ".join(dict.fromkeys(people))


def library_party(library: Library, system: str, encounter: Encounter) -> Party | None:
    """Return the library party that has most members in an encounter, or None if none has any."""
    most = max(_parties(library, system), key=lambda party: len(_present(party, encounter)), default=None)
    return most if most is not None and _present(most, encounter) else None


def _present(party: Party, encounter: Encounter) -> Mapping[str, str]:
    """Return the members of a library party that are in an encounter, with the ids of their roster entries."""
    found = ((member.id, matching_entry(encounter, party, member)) for member in party.roster)
    return {id: entry.id for id, entry in found if entry is not None}


def kept_party(
    library: Library, system: str, name: str, here: Party, encounter: Encounter, states: States | None = None
) -> Party:
    """Return the party to save under a name: `here`, merged with the library party of that name if there is one."""
    id = unique_id(name, (), "party")
    stored = next((party for party in _parties(library, system) if name == party.name or id == party.id), None)
    if stored is None:
        return with_awards(
            msgspec.structs.replace(here, id=id), encounter, {entry.id: entry.id for entry in here.roster}
        )
    return merged(stored, here, encounter, states)


def stored_party(library: Library, system: str, party: Party) -> Party:
    """Return a party as the library has it now, or `party` itself if the library doesn't have it."""
    return next((stored for stored in _parties(library, system) if stored.id == party.id), party)


def _parties(library: Library, system: str) -> list[Party]:
    loaded = (library.load(entry)[0] for entry in library.parties(system))
    return [party for party in loaded if isinstance(party, Party)]


def merged(party: Party, here: Party, encounter: Encounter, states: States | None = None) -> Party:
    """Return a library party brought up to date with the party of an encounter, `here`. Absent members stay.

    With `states`, keyed by roster entry id, members that the library has only change their state. Otherwise they are
    replaced. New members are added.
    """
    present = _present(party, encounter)
    creatures = {creature.id: creature for creature in party.creatures}
    ids = {there: id for id, there in present.items()}
    entries = {entry.id: entry for entry in here.roster}
    blocks = {creature.id: creature for creature in here.creatures}
    for entry in here.roster:
        ids.setdefault(entry.id, unique_id(entry.id, (*ids.values(), *(each.id for each in party.roster)), "member"))
    roster = {member.id: member for member in party.roster}
    for there, id in ids.items():
        entry, former = entries[there], roster.get(id)
        if states is not None and former is None and there not in states:
            continue
        if states is not None and former is not None:
            roster[id] = msgspec.structs.replace(former, state=states.get(there, former.state))
            continue
        block = former.creature if former is not None else unique_id(entry.creature, creatures, "creature")
        if entry.creature in blocks:
            creatures[block] = msgspec.structs.replace(blocks[entry.creature], id=block)
        links = {name: ids.get(getattr(entry, name), "") for name in ("controller", "rides")}
        absent = former is not None and former.absent
        earned = former.xp_earned if former is not None else entry.xp_earned
        roster[id] = msgspec.structs.replace(entry, id=id, creature=block, absent=absent, xp_earned=earned, **links)
    party = msgspec.structs.replace(party, creatures=tuple(creatures.values()), roster=tuple(roster.values()))
    return with_awards(party, encounter, ids)


def with_awards(party: Party, encounter: Encounter, ids: Mapping[str, str]) -> Party:
    """Return a party with the awards of an encounter's fight. They replace those that the party already has from it.

    `ids` are the ids of members, keyed by roster entry id.
    """
    members = {combatant.id: ids[combatant.roster] for combatant in encounter.all(Combatant) if combatant.roster in ids}
    fight, title = f"{(encounter.get(Dice, 'dice') or Dice()).seed:x}-", scene_of(encounter).title
    now: dict[str, PartyAward] = {}
    for award in encounter.all(Award):
        who, id = tuple(members[id] for id in award.who if id in members), f"{fight}{award.id}"
        now[id] = PartyAward(id, award.kind, award.what, award.xp, who, title, award.at)
    former = {award.id: award for award in party.awards}
    awards = {id: award for id, award in former.items() if id in now or not id.startswith(fight)} | now
    earned: Counter[str] = Counter()
    for all_awards, sign in ((former, -1), (awards, 1)):
        for each in all_awards.values():
            earned.update(dict.fromkeys(each.who, sign * each.xp))
    roster = (msgspec.structs.replace(one, xp_earned=max(0, one.xp_earned + earned[one.id])) for one in party.roster)
    fights = {each.id: each for each in (*party.fights, _fight(encounter, fight[:-1])) if each is not None}
    return msgspec.structs.replace(
        party, roster=tuple(roster), awards=tuple(awards.values()), fights=tuple(fights.values())
    )


def _fight(encounter: Encounter, id: str) -> PartyFight | None:
    """Return the stored forecast and the result of a fight, or None without a forecast, a round, an end or a winner."""
    forecast, clock = encounter.get(InitialForecast, "initial"), clock_of(encounter)
    sides = party_sides(encounter)
    standing = {one.side in sides for one in encounter.all(Combatant) if one.hp > 0 and not (one.dead or one.bystander)}
    if forecast is None or not clock.round or clock.phase != "ended" or len(standing) != 1:
        return None
    title = scene_of(encounter).title
    return PartyFight(id, title, forecast.won, forecast.rounds, won=True in standing, rounds=clock.round)
