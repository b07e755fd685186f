"""The characters of a sample encounter, used as the party if there is none yet."""

from __future__ import annotations

from functools import cache

import msgspec

from turnwright.encounter.lookups import scene_of
from turnwright.encounter.prepared import Party
from turnwright.encounter.state import Encounter
from turnwright.storage.encounters import read_encounter
from turnwright.storage.library.parties import party_of
from turnwright.storage.resources import sample_encounters


@cache
def sample_party(system: str) -> Party | None:
    """Return the characters of the first sample encounter of a rule system that has any, or None."""
    for path in sample_encounters():
        encounter = read_encounter(path, [system]).encounter
        party = (
            _characters(encounter, path.stem) if encounter is not None else None
        )  # None if it is for another rule system
        if party is not None and party.roster:
            return party
    return None


def sample_level(party: Party) -> int:
    """Return the level of a party's characters, or the highest level if they differ."""
    return max((entry.level for entry in party.roster), default=0)


def _characters(encounter: Encounter, id: str) -> Party:
    """Return the player characters, without their companions."""
    whole = party_of(encounter, id, scene_of(encounter).title)
    roster = tuple(entry for entry in whole.roster if entry.player)
    used = {entry.creature for entry in roster}
    return msgspec.structs.replace(
        whole, roster=roster, creatures=tuple(creature for creature in whole.creatures if creature.id in used)
    )
