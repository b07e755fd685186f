"""The characters of a sample encounter, used if there is no party yet."""

from __future__ import annotations

from functools import cache

import msgspec

from turnwright.encounter.lookups import scene_of
from turnwright.encounter.prepared import Party
from turnwright.encounter.state import Encounter
from turnwright.storage.encounters import read_encounter
from turnwright.storage.parties import party_of
from turnwright.storage.resources import sample_encounters


@cache
def sample_party(system: str) -> Party | None:
    """Return the characters of a rule system's first sample encounter with characters, or None if there is none."""
    for path in sample_encounters():
        encounter = read_encounter(path, [system]).encounter
        party = (
            _characters(encounter, path.stem) if encounter is not None else None
        )  # None: it is for another rule system
        if party is not None and party.roster:
            return party
    return None


def sample_level(party: Party) -> int:
    """Return the level of a party's characters, or the highest if they differ."""
    return max((entry.level for entry in party.roster), default=0)


def _characters(encounter: Encounter, id: str) -> Party:
    """Return the player characters only, without their companions."""
    whole = party_of(encounter, id, scene_of(encounter).title)
    roster = tuple(entry for entry in whole.roster if entry.player)
    used = {entry.creature for entry in roster}
    return msgspec.structs.replace(
        whole, roster=roster, creatures=tuple(creature for creature in whole.creatures if creature.id in used)
    )
