"""The state of a party between encounters, and the characters of a sample party.

The state of a party between encounters: stored after a fight, described as text, and changed by rests.

The characters of a sample encounter are the party if there is none yet.
"""

from collections.abc import Mapping
from functools import cache
from typing import Literal

import msgspec

from turnwright.encounter.prepared import CharacterState, Creature, Party, RosterEntry, Scene
from turnwright.encounter.roles import is_character
from turnwright.encounter.running import SLOTS, USES, Combatant
from turnwright.encounter.state import Encounter, scene_of
from turnwright.play.damage.manual_hit_points import Rest
from turnwright.play.session import Session
from turnwright.play.setup.encounter_course import StartEncounter
from turnwright.play.spawning.spawning import character_state
from turnwright.rules.system import RuleSystem
from turnwright.storage.encounters import read_encounter
from turnwright.storage.library.parties import States, party_members, party_of
from turnwright.storage.resources import sample_encounters

NOTHING_REGAINED: Mapping[str, int] = {}


def party_states(encounter: Encounter, rules: RuleSystem) -> States:
    """Return each party member's state, keyed by roster entry id. Members who aren't in the fight are left out."""
    combatants = {combatant.roster: combatant.id for combatant in encounter.all(Combatant) if combatant.roster}
    return {
        entry.id: character_state(encounter, rules, combatants[entry.id])
        for entry in party_members(encounter)
        if entry.count == 1 and entry.id in combatants
    }


def rested(
    party: Party,
    rules: RuleSystem,
    length: Literal["short", "long"],
    *,
    full_hp: bool = False,
    haven: bool = False,
    regained: Mapping[str, int] = NOTHING_REGAINED,
) -> Party:
    """Return a party after a rest, according to the rule system.

    With `full_hp`, living members regain all hit points, unless the game sets another amount. `regained` are additional hit points, keyed by roster entry
    id.
    """
    creatures = {creature.id: creature for creature in party.creatures}
    # Effects of a start begin at the next.
    bare = (msgspec.structs.replace(entry, effects=()) for entry in party.roster)
    session = Session(Encounter([Scene(system=rules.id), *creatures.values(), *bare]), rules)
    session.do(StartEncounter())
    session.do(Rest(length, haven))
    states = party_states(session.encounter, rules)
    members = []
    full_hp = full_hp and rules.data.dying.rest.long_hp in ("", "all")
    for entry in party.roster:
        state = states.get(entry.id, entry.state)
        if state is not None and not state.dead and (full_hp or entry.id in regained):
            most = entry.hp if entry.hp is not None else creatures[entry.creature].hp
            hp = most if full_hp else min(most, max(0, state.hp) + regained[entry.id])
            state = msgspec.structs.replace(state, hp=max(hp, state.hp))
            state = None if state == CharacterState(most) else state
        members.append(msgspec.structs.replace(entry, state=state))
    return msgspec.structs.replace(party, roster=tuple(members))


def fresh(party: Party) -> Party:
    """Return a party with all hit points and uses restored and all conditions removed."""
    return msgspec.structs.replace(
        party, roster=tuple(msgspec.structs.replace(entry, state=None) for entry in party.roster)
    )


def after_rest(party: Party, rules: RuleSystem, length: str, regained: Mapping[str, int] = NOTHING_REGAINED) -> Party:
    """Return a party after a `short` or `long` rest, a long one at a `haven`, `fresh`, or as it is for another word."""
    if length == "fresh":
        return fresh(party)
    if length == "short":
        return rested(party, rules, "short", regained=regained)
    if length in ("long", "haven"):
        return rested(party, rules, "long", full_hp=True, haven=length == "haven", regained=regained)
    return party


def at_session_start(party: Party, rules: RuleSystem) -> Party:
    """Return a party at the start of a session, with the points that each character then has."""
    points = {each.id: each.characters.session for each in rules.data.resources if each.characters is not None}
    lookup = Encounter(party.creatures + party.roster)
    members = (with_tracks(party, each, points) if is_character(lookup, each) else each for each in party.roster)
    return msgspec.structs.replace(party, roster=tuple(members))


def with_tracks(party: Party, member: RosterEntry, values: Mapping[str, int]) -> RosterEntry:
    """Return a member with these values of tracks: slots, uses or points left. Those of a fresh member aren't stored."""
    block = next((creature for creature in party.creatures if creature.id == member.creature), Creature("", ""))
    full = {f"{SLOTS}{level}": count for level, count in block.slots}
    full |= {f"{USES}{feature.id}": feature.uses for feature in block.features}
    fresh_state = CharacterState(member.hp or block.hp)
    state = member.state or fresh_state
    tracks = tuple((name, left) for name, left in {**dict(state.tracks), **values}.items() if left != full.get(name, 0))
    state = msgspec.structs.replace(state, tracks=tracks)
    return msgspec.structs.replace(member, state=None if state == fresh_state else state)


@cache
def sample_party(system: str) -> Party | None:
    """Return the characters of the first sample encounter of a rule system that has any, or None."""
    for path in sample_encounters():
        encounter = read_encounter(path, [system]).encounter
        # None if it is for another rule system
        party = _characters(encounter, path.stem) if encounter is not None else None
        if party is not None and party.roster:
            return party
    return None


def sample_level(party: Party) -> int:
    """Return the level of a party's characters, or the highest level if they differ."""
    return max((entry.level for entry in party.roster), default=0)


def _characters(encounter: Encounter, id: str) -> Party:
    """Return the player characters, without their companions."""
    whole = party_of(encounter, id, scene_of(encounter).title)
    roster = tuple(entry for entry in whole.roster if is_character(encounter, entry))
    used = {entry.creature for entry in roster}
    return msgspec.structs.replace(
        whole, roster=roster, creatures=tuple(creature for creature in whole.creatures if creature.id in used)
    )
