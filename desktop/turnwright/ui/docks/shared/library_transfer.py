"""Copying records from the library into the encounter, and finding the library entry that a copy came from."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import msgspec
from PySide6.QtWidgets import QMenu

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
from turnwright.encounter.roles import is_character
from turnwright.encounter.state import Key, clock_of, unique_id
from turnwright.play.kernel.scheduler import Changed
from turnwright.play.kernel.transaction import Command
from turnwright.play.setup.prepared_records import Add, Edit
from turnwright.play.setup.roster import AddToEncounter, BringParty
from turnwright.storage.library.entries import KINDS, LibraryEntry, LibraryRecord
from turnwright.ui.look.style import tr
from turnwright.ui.services.document_model import DocumentModel

PREFIX = "library:"


def add_from_library(
    document: DocumentModel, record: LibraryRecord, side: str = "", *, keeps_source: bool = False
) -> bool:
    """Add a copy of a library record to the encounter and select it. Return whether the encounter changed.

    A creature joins `side`, by default the enemies. If the encounter already has an identical creature, its count rises
    by one. With `keeps_source`, an existing source is kept, for example if the creature comes from another game.
    """
    if isinstance(record, Creature):
        record = msgspec.structs.replace(record, source=record.source if keeps_source else f"{PREFIX}{record.id}")
        if (increased := add_copy(document, record, side)) is not None:
            done = document.execute(Edit(increased))
            document.select((RosterEntry.table, increased.id))
            return done
    added: list[Key] = []

    def note(changed: Changed) -> None:
        added.extend(changed.added)

    document.changed.connect(note)
    try:
        done = document.execute(_command(document, record, side))
    finally:
        document.changed.disconnect(note)
    table = RosterEntry.table if isinstance(record, Creature | Party) else record.table
    if (key := next((key for key in added if key[0] == table), None)) is not None:
        document.select(key)
    return done


def add_copy(document: DocumentModel, creature: Creature, side: str) -> RosterEntry | None:
    """Return the roster entry of an identical creature with its count raised by one, or None if there is none.

    The selected entry takes precedence, then the first. Entries with a player or a custom name are ignored. During a
    fight the result is always None.
    """
    encounter = document.encounter
    if clock_of(encounter).phase in ("set-up", "rounds"):
        return None
    ignored = {"id": creature.id, "portrait": creature.portrait}  # fields that may differ
    identical = {other.id for other in encounter.all(Creature) if msgspec.structs.replace(other, **ignored) == creature}
    plain = [entry for entry in encounter.all(RosterEntry) if not entry.name and not is_character(encounter, entry)]
    matches = [entry for entry in plain if entry.creature in identical and side in ("", entry.side)]
    matches.sort(key=lambda entry: (RosterEntry.table, entry.id) != document.selection)
    return msgspec.structs.replace(matches[0], count=matches[0].count + 1) if matches else None


def add_creature(document: DocumentModel, creature: Creature | None) -> Key | None:
    """Add a creature (a new one if `creature` is None) and its roster entry to the encounter. Return its key."""
    new = creature or msgspec.structs.replace(document.rules.new_creature("", tr("ui.creature.new")), hp=10)
    id = unique_id(new.name, document.encounter.ids(Creature), "creature")
    command = AddToEncounter(msgspec.structs.replace(new, id=id), RosterEntry(id=id, creature=id))
    return (Creature.table, id) if document.execute(command) else None


def add_environment(document: DocumentModel, base: Environment | None) -> Key | None:
    """Add a copy of a shipped environment, or an empty one, to the encounter. Return its key."""
    id = unique_id(base.id if base else tr("ui.environment.new"), document.encounter.ids(Environment), "environment")
    environment = Environment(id, tr("ui.environment.new"))
    if base is not None:
        environment = msgspec.structs.replace(base, id=id, source=base.id)
    return (Environment.table, id) if document.execute(Add((environment,))) else None


def dropped_record(data: bytes) -> LibraryRecord | None:
    """Return the library record in dropped data, or None if there is none."""
    try:
        kind, body = msgspec.msgpack.decode(data, type=tuple[str, msgspec.Raw])
        struct = next((struct for name, struct in KINDS.items() if name == kind), None)
        return None if struct is None else msgspec.msgpack.decode(body, type=struct)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def is_copy_of(entry: LibraryEntry, record: object, system: str) -> bool:
    """Whether a record was copied from a library entry."""
    kind, origin = (
        next((name for name, struct in KINDS.items() if isinstance(record, struct)), ""),
        str(getattr(record, "source", "")).removeprefix(PREFIX),
    )
    return bool(origin) and (entry.kind, entry.system, entry.id) == (kind, system, origin)


def most_similar(record: LibraryRecord | None, origins: Sequence[LibraryRecord]) -> LibraryRecord | None:
    """Return the origin that shares the most field values with a record. Several books may use the same creature id."""

    def likeness(origin: LibraryRecord) -> int:
        return sum(getattr(origin, field) == getattr(record, field, None) for field in origin.__struct_fields__)

    return max(origins, key=likeness, default=None)


def _command(document: DocumentModel, record: LibraryRecord, side: str) -> Command:
    if isinstance(record, Creature):
        entry = RosterEntry(id=record.id, creature=record.id)
        return AddToEncounter(record, msgspec.structs.replace(entry, side=side or entry.side))
    if isinstance(record, Party):
        return BringParty(record, sets_absent=True)
    kind = type(record)
    id = unique_id(record.id, document.encounter.ids(kind), kind.table.removesuffix("s"))
    if isinstance(record, Environment):
        return Add((msgspec.structs.replace(record, id=id, source=record.id),))
    assert isinstance(record, Countdown)
    return Add((msgspec.structs.replace(record, id=id),))


NEW_RECORDS: Mapping[str, Callable[[str, str], Countdown | Handout | Reminder | Treasure]] = {
    "countdown": lambda id, name: Countdown(id, name, speed="medium"),
    "handout": Handout,
    "reminder": lambda id, _name: Reminder(id, round=1),
    "treasure": Treasure,
}


def add_new(document: DocumentModel, kind: str) -> Key | None:
    """Add a new record of a kind to the encounter. Return its key, or None if the command was refused."""
    if kind == "creature":
        return add_creature(document, None)
    if kind == "environment":
        return add_environment(document, None)
    make, name = NEW_RECORDS[kind], tr(f"ui.{kind}.new")
    record = make(unique_id(name, document.encounter.ids(type(make("", name))), kind), name)
    return (record.table, record.id) if document.execute(Add((record,))) else None


def fill_environments(menu: QMenu, document: DocumentModel, add: Callable[[Environment | None], object]) -> None:
    """Fill a menu with the rule system's shipped environments and an entry for an empty one."""
    for base in document.rules.data.environments:
        menu.addAction(base.name, partial(add, base))
    menu.addSeparator()
    menu.addAction(tr("ui.environment.blank"), partial(add, None))
