"""Commands that prepare an encounter: records put in, edited, taken out, moved about."""

from __future__ import annotations

from turnwright.encounter.prepared import Creature, Party, RosterEntry
from turnwright.encounter.state import Key, Record
from turnwright.play.commands.base import Command


class Add(Command, frozen=True):
    """Put prepared records into the encounter, each after the others of its table; ids must be new."""

    records: tuple[Record, ...]


class Edit(Command, frozen=True):
    """Replace one prepared record by an edited one of the same id. Edits with the same `merge` make one step."""

    record: Record
    merge: str = ""


class Remove(Command, frozen=True):
    """Take prepared records out."""

    keys: tuple[Key, ...]


class Rearrange(Command, frozen=True):
    """Move a prepared record to another place in its table (an index)."""

    key: Key
    place: int


class AddToEncounter(Command, frozen=True):
    """Bring creatures in: the creature if it is new, and a roster entry for so many. Mid-fight they join it."""

    creature: Creature
    entry: RosterEntry


class BringParty(Command, frozen=True):
    """Bring in the characters of a party: who is there already takes its figures, the others are added; mid-fight they join it."""

    party: Party
