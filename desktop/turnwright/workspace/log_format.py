"""The bytes of a recovery log: a header, a snapshot, then one frame for each history entry and each saving.

A frame is its length, a checksum and a payload, so that reading can stop at the first that is not whole. Records
carry no tag of their own, their table tells their type, so they are decoded in a second step.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from functools import cache, reduce
from operator import or_
from typing import Any, Literal
from zlib import crc32

import msgspec
from msgspec.msgpack import Decoder, encode

from turnwright.encounter.state import RECORD_TYPES, Change, Record
from turnwright.play.kernel.events import Event, JournalLine, Phrase
from turnwright.play.kernel.history import History, HistoryEntry
from turnwright.play.kernel.steps import Step
from turnwright.workspace.file_origin import FileOrigin
from turnwright.workspace.log_migration import ENTRY, SAVED, SNAPSHOT, migrate_payload

VERSION = 2
_MIGRATED = 1
_MAGIC = b"TWLOG\r\n"
_HEAD = struct.Struct("<II")
_MOST = 512_000_000
NO_RECORD = bytes(encode(None))
SavePoint = tuple[int, int]


class LogSnapshot(msgspec.Struct, frozen=True):
    """The start of a log: all records, the earlier journal, and whether the files on disk hold the same."""

    origin: FileOrigin
    records: tuple[Record, ...]
    earlier: tuple[JournalLine, ...] = ()
    saved: bool = True
    program: str = ""


class SaveEntry(msgspec.Struct, frozen=True):
    """The document was written to its files here; not `complete` where only some of it was."""

    origin: FileOrigin
    complete: bool = True


LogEntry = HistoryEntry | SaveEntry


class LogContents(msgspec.Struct, frozen=True):
    """The content of a log. `valid_bytes` of it are whole, `dropped_bytes` after them are not.

    Not `is_same_version`: no more than the snapshot can be read, for another version wrote it. Version 1 is migrated,
    and counts as the same.
    """

    snapshot: LogSnapshot | None
    entries: tuple[LogEntry, ...] = ()
    valid_bytes: int = 0
    dropped_bytes: int = 0
    is_same_version: bool = True

    @property
    def history_entries(self) -> tuple[HistoryEntry, ...]:
        """The history entries alone."""
        return tuple(entry for entry in self.entries if isinstance(entry, HistoryEntry))


# Writing -----------------------------------------------------------------------------------------------------


def header() -> bytes:
    """Return the first bytes of a log."""
    return _MAGIC + bytes((VERSION,))


def encode_snapshot(snapshot: LogSnapshot) -> bytes:
    """Return the header and the frame of a snapshot."""
    records = tuple((record.table, msgspec.Raw(encode(record))) for record in snapshot.records)
    body = _SnapshotBody(snapshot.origin, records, snapshot.earlier, snapshot.saved, snapshot.program)
    return header() + _frame(SNAPSHOT + encode(body))


def encode_entry(entry: LogEntry) -> bytes:
    """Return the frame of a history entry or a saving."""
    return _frame((ENTRY if isinstance(entry, HistoryEntry) else SAVED) + encode(entry))


def _frame(payload: bytes) -> bytes:
    return _HEAD.pack(len(payload), crc32(payload)) + payload


# Reading -----------------------------------------------------------------------------------------------------


class _SnapshotBody(msgspec.Struct, frozen=True):
    origin: FileOrigin
    records: tuple[tuple[str, msgspec.Raw], ...]
    earlier: tuple[JournalLine, ...] = ()
    saved: bool = True
    program: str = ""


class _ChangeBody(msgspec.Struct, frozen=True):
    key: tuple[str, str]
    before: msgspec.Raw
    after: msgspec.Raw
    index: int = -1


class _StepBody(msgspec.Struct, frozen=True):
    serial: int
    label: Phrase
    changes: tuple[_ChangeBody, ...]
    events: msgspec.Raw = msgspec.Raw()
    lines: tuple[JournalLine, ...] = ()
    merge: str = ""


class _ActBody(msgspec.Struct, frozen=True):
    kind: Literal["did", "joined", "vanished", "undid", "redid"]
    step: _StepBody | None = None


def valid_frames(data: bytes | memoryview) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each whole frame's payload, up to the first that is broken."""
    view = memoryview(data)
    at = len(header())
    while at + _HEAD.size <= len(view):
        length, checksum = _HEAD.unpack_from(view, at)
        start = at + _HEAD.size
        at = start + length
        if not 0 < length <= _MOST or at > len(view) or crc32(view[start:at]) != checksum:
            return
        yield start, at


def read_log(data: bytes) -> LogContents:
    """Read a log as far as it is whole; without a snapshot where not even that is whole. Never raises."""
    if len(data) < len(header()) or not data.startswith(_MAGIC):
        return LogContents(None, dropped_bytes=len(data), is_same_version=False)
    version = data[len(_MAGIC)]
    exact = version in (_MIGRATED, VERSION)
    snapshot: LogSnapshot | None = None
    entries: list[LogEntry] = []
    good = 0
    for start, end in valid_frames(data):
        try:
            if snapshot is not None and not exact:
                break
            payload = migrate_payload(data[start:end]) if version == _MIGRATED else data[start:end]
            if snapshot is None:
                snapshot = _snapshot(payload)
            else:
                entries.append(_entry(payload))
        except (msgspec.MsgspecError, LookupError, ValueError):
            break
        good = end
    return LogContents(snapshot, tuple(entries), good, len(data) - good, exact)


def _snapshot(payload: bytes) -> LogSnapshot:
    if payload[:1] != SNAPSHOT:
        raise ValueError("a log begins with a snapshot")
    body = _decoder(_SnapshotBody).decode(payload[1:])
    records = tuple(_record(table, raw) for table, raw in body.records)
    whole = tuple(record for record in records if record is not None)
    return LogSnapshot(body.origin, whole, body.earlier, body.saved, body.program)


def _entry(payload: bytes) -> LogEntry:
    if payload[:1] == SAVED:
        saved: SaveEntry = _decoder(SaveEntry).decode(payload[1:])
        return saved
    if payload[:1] != ENTRY:
        raise ValueError("a frame of an unknown kind")
    body = _decoder(_ActBody).decode(payload[1:])
    return HistoryEntry(body.kind, _step(body.step) if body.step else None)


def _step(body: _StepBody) -> Step:
    changes = tuple(
        Change(change.key, _record(change.key[0], change.before), _record(change.key[0], change.after), change.index)
        for change in body.changes
    )
    events: tuple[Event, ...] = _event_decoder().decode(body.events) if bytes(body.events) else ()
    return Step(body.serial, body.label, changes, events, body.lines, body.merge)


def _record(table: str, raw: msgspec.Raw) -> Record | None:
    if bytes(raw) == NO_RECORD:
        return None
    record: Record = _decoder(RECORD_TYPES[table]).decode(raw)
    return record


@cache
def _event_decoder() -> Decoder[Any]:
    # Here and not above: the events stand beside what makes them, and a document opens without the engine.
    from turnwright.play.registry import event_types

    return Decoder(tuple[reduce(or_, event_types()), ...])  # type: ignore[misc] # a union made from a list


@cache
def _decoder(kind: Any) -> Decoder[Any]:
    return Decoder(kind)


# The result of a log -------------------------------------------------------------------------------------------


def save_point_of(history: History) -> SavePoint:
    """Return the state of a history: the number of steps applied, and the serial of the last."""
    return history.depth, history.last.serial if history.last else 0


def last_saved(contents: LogContents) -> tuple[SavePoint, SavePoint | None]:
    """Return the save points of a log's end and of the last complete saving; None for never."""
    history = History()
    saved: SavePoint | None = (0, 0) if contents.snapshot is not None and contents.snapshot.saved else None
    for entry in contents.entries:
        if isinstance(entry, HistoryEntry):
            history.apply(entry)
        elif entry.complete:
            saved = save_point_of(history)
    return save_point_of(history), saved


def compacted(history_entries: Iterable[HistoryEntry], saved: SavePoint | None, origin: FileOrigin) -> list[LogEntry]:
    """Return the shortest entries that leave the same history, with the saving in its place if it is still there."""
    history = History()
    for act in history_entries:
        history.apply(act)
    depth = history.depth
    while history.next is not None:
        history.apply(HistoryEntry("redid"))
    steps = history.applied
    entries: list[LogEntry] = []
    for number, step in enumerate(steps, 1):
        entries.append(HistoryEntry("did", step))
        if saved == (number, step.serial):
            entries.append(SaveEntry(origin))
    return [*entries, *(HistoryEntry("undid") for _ in range(len(steps) - depth))]
