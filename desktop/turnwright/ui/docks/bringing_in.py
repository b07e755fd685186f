"""From the library into the encounter and back: what is copied keeps word of where it came from."""

from __future__ import annotations

import msgspec

from turnwright.encounter.prepared import Countdown, Creature, Environment, RosterEntry
from turnwright.encounter.state import Key
from turnwright.play.commands import Add, AddToEncounter
from turnwright.play.steps import Changed
from turnwright.storage.library import KINDS, LibraryEntry, LibraryRecord
from turnwright.ui.bridge import Bridge
from turnwright.ui.models.naming import free_id

PREFIX = "library:"


def bring_in(bridge: Bridge, record: LibraryRecord, initiator: str) -> bool:
    """Put a copy of something from the library into the encounter and select it; one of it, where it is a creature."""
    added: list[Key] = []

    def note(changed: Changed) -> None:
        added.extend(changed.added)

    bridge.changed.connect(note)
    try:
        done = bridge.do(_command(bridge, record), initiator=initiator)
    finally:
        bridge.changed.disconnect(note)
    wanted = RosterEntry.table if isinstance(record, Creature) else record.table
    key = next((key for key in added if key[0] == wanted), None)
    if key is not None:
        bridge.select(key)
    return done


def record_in(data: bytes) -> LibraryRecord | None:
    """Return the record that was dragged, None where the data are not ours."""
    try:
        kind, body = msgspec.msgpack.decode(data, type=tuple[str, msgspec.Raw])
        struct = next((struct for name, struct in KINDS.items() if name == kind), None)
        return None if struct is None else msgspec.msgpack.decode(body, type=struct)
    except msgspec.MsgspecError:
        return None


def origin(record: object) -> str:
    """Return the library id that a record was copied from, empty where it was not."""
    return str(getattr(record, "source", "")).removeprefix(PREFIX)


def is_origin(entry: LibraryEntry, record: object, system: str) -> bool:
    """Tell whether a library entry is what a record was copied from."""
    kind = next((name for name, struct in KINDS.items() if isinstance(record, struct)), "")
    return bool(origin(record)) and (entry.kind, entry.system, entry.id) == (kind, system, origin(record))


def _command(bridge: Bridge, record: LibraryRecord) -> Add | AddToEncounter:
    if isinstance(record, Creature):
        creature = msgspec.structs.replace(record, source=f"{PREFIX}{record.id}")
        return AddToEncounter(creature, RosterEntry(id=record.id, creature=record.id))
    kind = type(record)
    id = free_id(record.id, bridge.encounter.ids(kind), kind.table.removesuffix("s"))
    if isinstance(record, Environment):
        return Add((msgspec.structs.replace(record, id=id, source=f"{PREFIX}{record.id}"),))
    assert isinstance(record, Countdown)
    return Add((msgspec.structs.replace(record, id=id),))
