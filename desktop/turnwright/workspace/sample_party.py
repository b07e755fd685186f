"""Characters of a sample encounter, to stand in for a party that is not there yet."""

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
    """Return the characters of a game's first sample encounter; None where it has no sample with any."""
    for path in sample_encounters():
        encounter = read_encounter(path, [system]).encounter
        party = _characters(encounter, path.stem) if encounter is not None else None  # None: one of another game
        if party is not None and party.roster:
            return party
    return None


def sample_level(party: Party) -> int:
    """Return the level of a party's characters, the highest where they differ."""
    return max((one.level for one in party.roster), default=0)


def _characters(encounter: Encounter, id: str) -> Party:
    """Return the characters of players alone, without those who go with them."""
    whole = party_of(encounter, id, scene_of(encounter).title)
    roster = tuple(one for one in whole.roster if one.player)
    used = {one.creature for one in roster}
    return msgspec.structs.replace(
        whole, roster=roster, creatures=tuple(one for one in whole.creatures if one.id in used)
    )
