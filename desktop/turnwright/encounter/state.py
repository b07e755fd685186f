"""The encounter: an immutable mapping from keys to records, and the changes between two encounters.

A key is a pair (table, id), so ids only need to be unique within their table. Tables keep the order chosen by the user.
A change that adds or removes a record therefore has its index.

Packs records into a text and unpacks them again. Snapshots store the running state in this form.
"""

from __future__ import annotations

import zlib
from base64 import b85decode, b85encode
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from types import MappingProxyType
from typing import Any, Protocol, TypeVar, cast

import msgspec

from turnwright.encounter.prepared import (
    Countdown,
    Creature,
    Environment,
    Handout,
    Map,
    Reminder,
    RosterEntry,
    Scene,
    Treasure,
    Wave,
)
from turnwright.encounter.procedure_state import Declaration, Procedure
from turnwright.encounter.procedure_state.asks import Prompt
from turnwright.encounter.running import (
    Clock,
    Combatant,
    CountdownPool,
    Dice,
    DoorState,
    Effect,
    EntryState,
    Fog,
    ForeseenFight,
    GuestCreature,
    IdCounter,
    KnownName,
    LastingArea,
    ObstacleState,
    Relation,
    ReminderShown,
    ShapeChange,
    Slot,
    Snapshot,
    Track,
    WaveArrived,
)

Key = tuple[str, str]
Record = (
    Scene
    | Creature
    | RosterEntry
    | Environment
    | Countdown
    | Wave
    | Map
    | Handout
    | Reminder
    | Treasure
    | GuestCreature
    | Combatant
    | Track
    | Effect
    | Relation
    | Slot
    | Clock
    | Dice
    | IdCounter
    | CountdownPool
    | WaveArrived
    | EntryState
    | ObstacleState
    | DoorState
    | Fog
    | LastingArea
    | KnownName
    | ReminderShown
    | ShapeChange
    | Snapshot
    | ForeseenFight
    | Procedure
    | Declaration
    | Prompt
)

PREPARED: tuple[type[Record], ...] = (
    Scene,
    Creature,
    RosterEntry,
    Environment,
    Countdown,
    Wave,
    Map,
    Handout,
    Reminder,
    Treasure,
)
RUNNING: tuple[type[Record], ...] = (
    Clock,
    Dice,
    IdCounter,
    GuestCreature,
    Combatant,
    Slot,
    Track,
    Effect,
    Relation,
    CountdownPool,
    WaveArrived,
    EntryState,
    ObstacleState,
    DoorState,
    Fog,
    LastingArea,
    KnownName,
    ReminderShown,
    ShapeChange,
    Snapshot,
    ForeseenFight,
    Procedure,
    Declaration,
    Prompt,
)
RECORD_TYPES: Mapping[str, type[Record]] = MappingProxyType({kind.table: kind for kind in (*PREPARED, *RUNNING)})
PREPARED_TABLES = frozenset(kind.table for kind in PREPARED)

R = TypeVar("R", bound="Record")
Owned = TypeVar("Owned", Track, Effect, Slot)
_EMPTY: Mapping[str, Record] = MappingProxyType({})


def key_of(record: Record) -> Key:
    """Return the key of a record: its table and id."""
    return (record.table, record.id)


class Change(msgspec.Struct, frozen=True):
    """A record before and after a change. `index` is its place in its table if it was added or removed, or else -1."""

    key: Key
    before: Record | None
    after: Record | None
    index: int = -1

    def reversed(self) -> Change:
        """Return the change that undoes this one."""
        return Change(self.key, self.after, self.before, self.index)


def owners_of(record: Track | Effect | Slot) -> tuple[str, ...]:
    """Return the ids of the combatants that own a track, have an effect or act in a slot."""
    if isinstance(record, Slot):
        return record.members
    return (record.owner if isinstance(record, Track) else record.target,)


class Lookup(Protocol):
    """A source of records: an encounter, or a transaction over one."""

    def get(self, kind: type[R], id: str) -> R | None:
        """Return the record with this type and id, or None."""

    def need(self, kind: type[R], id: str) -> R:
        """Return the record with this type and id. Raise LookupError if it doesn't exist."""

    def all(self, kind: type[R]) -> Iterable[R]:
        """Return all records of a type, in table order."""

    def of(self, kind: type[Owned], who: str) -> list[Owned]:
        """Return a combatant's tracks, effects or slots, in table order."""


class Encounter:
    """An immutable mapping `(table, id) → record`. Encounters are equal if their records and their order are equal."""

    __slots__ = ("_ids_by_owner", "_tables")

    def __init__(self, records: Iterable[Record] = ()) -> None:
        tables: dict[str, dict[str, Record]] = {}
        for record in records:
            table = tables.setdefault(record.table, {})
            if record.id in table:
                raise ValueError(f"{record.table}.{record.id} appears twice")
            table[record.id] = record
        self._tables: Mapping[str, Mapping[str, Record]] = tables
        self._ids_by_owner: dict[str, Mapping[str, list[str]]] = {}  # keyed by table, built when first needed

    def get(self, kind: type[R], id: str) -> R | None:
        """Return the record with this type and id, or None."""
        record: Any = self._tables.get(kind.table, _EMPTY).get(id)  # no cast(), because this is the most frequent call
        return record  # type: ignore[no-any-return]

    def need(self, kind: type[R], id: str) -> R:
        """Return the record with this type and id. Raise LookupError if it doesn't exist."""
        record = self.get(kind, id)
        if record is None:
            raise LookupError(f"{kind.table}.{id}")
        return record

    def all(self, kind: type[R]) -> Iterable[R]:
        """Return all records of a type, in table order."""
        return cast("Iterable[R]", self._tables.get(kind.table, _EMPTY).values())

    def of(self, kind: type[Owned], who: str) -> list[Owned]:
        """Return a combatant's tracks, effects or slots, in table order."""
        ids = self._ids_by_owner.get(kind.table)
        if ids is None:
            ids = self._ids_by_owner[kind.table] = _ids_by_owner(self.all(kind))
        table = self._tables.get(kind.table, _EMPTY)
        return [cast("Owned", table[id]) for id in ids.get(who, ())]

    def ids(self, kind: type[Record]) -> tuple[str, ...]:
        """Return the ids of all records of a type, in table order."""
        return tuple(self._tables.get(kind.table, _EMPTY))

    def record(self, key: Key) -> Record | None:
        """Return the record with a key, or None."""
        return self._tables.get(key[0], _EMPTY).get(key[1])

    def __iter__(self) -> Iterator[Record]:
        for kind in RECORD_TYPES.values():
            yield from self._tables.get(kind.table, _EMPTY).values()

    def __len__(self) -> int:
        return sum(len(table) for table in self._tables.values())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Encounter):
            return NotImplemented
        return list(self) == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def with_changes(self, changes: Iterable[Change]) -> Encounter:
        """Return the encounter after these changes. Only the affected tables are copied."""
        tables = dict(self._tables)
        fresh: dict[str, dict[str, Record]] = {}
        regrouped: set[str] = set()
        placed: list[tuple[int, str, str, Record]] = []
        for change in changes:
            name, id = change.key
            if name not in fresh:
                fresh[name] = dict(tables.get(name, _EMPTY))
            if name in self._ids_by_owner and not _same_owners(change):
                regrouped.add(name)
            if change.after is None:
                fresh[name].pop(id, None)
            elif change.before is None and change.index >= 0:
                placed.append((change.index, name, id, change.after))
            else:
                fresh[name][id] = change.after
        for place, name, id, record in sorted(placed, key=itemgetter(0)):  # ascending, so that the indexes stay correct
            entries = [*fresh[name].items()]
            entries.insert(place, (id, record))
            fresh[name] = dict(entries)
        tables.update(fresh)
        after = Encounter()
        after._tables = {name: table for name, table in tables.items() if table}
        after._ids_by_owner = {name: ids for name, ids in self._ids_by_owner.items() if name not in regrouped}
        return after

    def index_of(self, key: Key) -> int:
        """Return the index of a key in its table, or -1."""
        for index, id in enumerate(self._tables.get(key[0], _EMPTY)):
            if id == key[1]:
                return index
        return -1


def _ids_by_owner(records: Iterable[Track | Effect | Slot]) -> Mapping[str, list[str]]:
    ids: dict[str, list[str]] = {}
    for record in records:
        for who in owners_of(record):
            ids.setdefault(who, []).append(record.id)
    return ids


def _same_owners(change: Change) -> bool:
    """Whether a track, effect or slot belongs to the same combatants before and after a change."""
    before, after = change.before, change.after
    return (
        isinstance(before, Track | Effect | Slot)
        and isinstance(after, Track | Effect | Slot)
        and owners_of(before) == owners_of(after)
    )


MAX_BYTES = 64_000_000


class UnreadableSnapshot(ValueError):
    """Raised if a snapshot can't be read."""


def packed(records: Iterable[Record]) -> str:
    """Return records as a compressed ASCII text."""
    tables = [(record.table, record) for record in records]
    return b85encode(zlib.compress(msgspec.json.encode(tables), 9)).decode("ascii")


def unpacked(text: str) -> tuple[Record, ...]:
    """Return the records in a packed text. Raise UnreadableSnapshot if it is invalid."""
    try:
        inflate = zlib.decompressobj()
        raw = inflate.decompress(b85decode(text), MAX_BYTES)
        if not inflate.eof:
            raise UnreadableSnapshot("truncated or too long")
        tables = msgspec.json.decode(raw, type=list[tuple[str, msgspec.Raw]])
        return tuple(msgspec.json.decode(body, type=RECORD_TYPES[table]) for table, body in tables)
    except (ValueError, KeyError, zlib.error, msgspec.MsgspecError) as error:
        raise UnreadableSnapshot(str(error)) from error


def encounter_at(encounter: Encounter, snapshot: Snapshot) -> Encounter:
    """Return an encounter with the running state of a snapshot, but without its snapshots.

    Its prepared records are the current ones.
    """
    prepared = [record for record in encounter if record.table in PREPARED_TABLES]
    return Encounter([*prepared, *unpacked(snapshot.state)])
