"""Copies from the library into the encounter, and from a copy back to its origin in the library."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from turnwright.encounter.prepared import (
    Countdown,
    Creature,
    Environment,
    Handout,
    Party,
    Reminder,
    RosterEntry,
    Treasure,
)
from turnwright.encounter.running import Clock
from turnwright.encounter.state import Key
from turnwright.play.kernel.commands import Command
from turnwright.play.kernel.steps import Changed
from turnwright.play.setup.commands.add import Add
from turnwright.play.setup.commands.add_to_encounter import AddToEncounter
from turnwright.play.setup.commands.bring_party import BringParty
from turnwright.play.setup.commands.edit import Edit
from turnwright.storage.library import KINDS, LibraryEntry, LibraryRecord
from turnwright.ui.document_model import DocumentModel
from turnwright.ui.models.display_names import unique_id
from turnwright.ui.translations import tr

PREFIX = "library:"


def add_from_library(
    document: DocumentModel, record: LibraryRecord, side: str = "", *, keeps_source: bool = False
) -> bool:
    """Put a copy of a library record into the encounter and select it.

    A creature joins `side`, by default the foes'; an identical one that is there already has its count raised by one.
    `keeps_source`: its source is written already, as that of another game.
    """
    if isinstance(record, Creature):
        record = record if keeps_source else _copied(record)
        more = add_copy(document, record, side)
        if more is not None:
            done = document.execute(Edit(more))
            document.select((RosterEntry.table, more.id))
            return done
    added: list[Key] = []

    def note(changed: Changed) -> None:
        added.extend(changed.added)

    document.changed.connect(note)
    try:
        done = document.execute(_command(document, record, side))
    finally:
        document.changed.disconnect(note)
    wanted = RosterEntry.table if isinstance(record, Creature | Party) else record.table
    key = next((key for key in added if key[0] == wanted), None)
    if key is not None:
        document.select(key)
    return done


def add_copy(document: DocumentModel, creature: Creature, side: str) -> RosterEntry | None:
    """Return the roster entry of an identical creature with its count raised: the selected entry, else the first.

    None where there is none, and while a fight runs. Entries with a player or a name of their own are not counted up.
    """
    encounter = document.encounter
    clock = encounter.get(Clock, "clock") or Clock()
    if clock.phase in ("set-up", "rounds"):
        return None
    kept = {"id": creature.id, "portrait": creature.portrait}  # what an identical one may have otherwise
    alike = {one.id for one in encounter.all(Creature) if msgspec.structs.replace(one, **kept) == creature}
    fit = [
        one
        for one in encounter.all(RosterEntry)
        if one.creature in alike and not one.player and not one.name and side in ("", one.side)
    ]
    fit.sort(key=lambda one: (RosterEntry.table, one.id) != document.selection)
    return msgspec.structs.replace(fit[0], count=fit[0].count + 1) if fit else None


def add_creature(document: DocumentModel, creature: Creature | None) -> Key | None:
    """Put a creature, a new one for None, and a roster entry of it into the encounter; return the creature's key."""
    made = creature or msgspec.structs.replace(document.rules.new_creature("", tr("ui.creature.new")), hp=10)
    id = unique_id(made.name, document.encounter.ids(Creature), "creature")
    command = AddToEncounter(msgspec.structs.replace(made, id=id), RosterEntry(id=id, creature=id))
    return (Creature.table, id) if document.execute(command) else None


def add_environment(document: DocumentModel, base: Environment | None) -> Key | None:
    """Put a copy of a shipped environment, or an empty one, into the encounter; return its key."""
    id = unique_id(base.id if base else tr("ui.environment.new"), document.encounter.ids(Environment), "environment")
    made = Environment(id, tr("ui.environment.new"))
    if base is not None:
        made = msgspec.structs.replace(base, id=id, source=base.id)
    return (Environment.table, id) if document.execute(Add((made,))) else None


def add_countdown(document: DocumentModel) -> Key | None:
    """Put a new countdown into the encounter; return its key."""
    id = unique_id(tr("ui.countdown.new"), document.encounter.ids(Countdown), "countdown")
    made = Countdown(id, tr("ui.countdown.new"), speed="medium")
    return (Countdown.table, id) if document.execute(Add((made,))) else None


def add_handout(document: DocumentModel) -> Key | None:
    """Put a new handout into the encounter; return its key."""
    id = unique_id(tr("ui.handout.new"), document.encounter.ids(Handout), "handout")
    made = Handout(id, tr("ui.handout.new"))
    return (Handout.table, id) if document.execute(Add((made,))) else None


def add_reminder(document: DocumentModel) -> Key | None:
    """Put a new reminder into the encounter; return its key."""
    id = unique_id(tr("ui.reminder.new"), document.encounter.ids(Reminder), "reminder")
    return (Reminder.table, id) if document.execute(Add((Reminder(id, round=1),))) else None


def add_treasure(document: DocumentModel) -> Key | None:
    """Put new treasure into the encounter; return its key."""
    id = unique_id(tr("ui.treasure.new"), document.encounter.ids(Treasure), "treasure")
    return (Treasure.table, id) if document.execute(Add((Treasure(id, tr("ui.treasure.new")),))) else None


def dropped_record(data: bytes) -> LibraryRecord | None:
    """Return the record that was dropped, None where the data hold no library record."""
    try:
        kind, body = msgspec.msgpack.decode(data, type=tuple[str, msgspec.Raw])
        struct = next((struct for name, struct in KINDS.items() if name == kind), None)
        return None if struct is None else msgspec.msgpack.decode(body, type=struct)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def library_origin(record: object) -> str:
    """Return the library id that a record was copied from, empty for a record that was not copied."""
    return str(getattr(record, "source", "")).removeprefix(PREFIX)


def is_copy_of(entry: LibraryEntry, record: object, system: str) -> bool:
    """Return whether a record was copied from a library entry."""
    kind = next((name for name, struct in KINDS.items() if isinstance(record, struct)), "")
    return bool(library_origin(record)) and (entry.kind, entry.system, entry.id) == (
        kind,
        system,
        library_origin(record),
    )


def most_similar(record: LibraryRecord | None, origins: Sequence[LibraryRecord]) -> LibraryRecord | None:
    """Return the origin with most fields equal to the record; several books may have a creature under the same id."""

    def likeness(one: LibraryRecord) -> int:
        fields = one.__struct_fields__
        return sum(getattr(one, field) == getattr(record, field, None) for field in fields)

    return max(origins, key=likeness, default=None)


def _copied(creature: Creature) -> Creature:
    return msgspec.structs.replace(creature, source=f"{PREFIX}{creature.id}")


def _command(document: DocumentModel, record: LibraryRecord, side: str) -> Command:
    if isinstance(record, Creature):
        entry = RosterEntry(id=record.id, creature=record.id)
        return AddToEncounter(record, msgspec.structs.replace(entry, side=side or entry.side))
    if isinstance(record, Party):
        return BringParty(record)
    kind = type(record)
    id = unique_id(record.id, document.encounter.ids(kind), kind.table.removesuffix("s"))
    if isinstance(record, Environment):
        return Add((msgspec.structs.replace(record, id=id, source=record.id),))
    assert isinstance(record, Countdown)
    return Add((msgspec.structs.replace(record, id=id),))
