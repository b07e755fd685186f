"""The binary format of a recovery log: a header, a snapshot, a frame for each history entry, and two for each save.

A frame has a length, a checksum and a payload, so that reading can stop at the first incomplete frame. Records have no
tag. Their table determines their type, so they are decoded in a second step. The header contains the number of the
format, which files share. The payloads of older logs are decoded, migrated like a file, and encoded. Logs of a format
that can't be migrated aren't read.
"""

import struct
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, reduce
from operator import or_
from typing import Any, Literal
from zlib import crc32

import msgspec
from msgspec.msgpack import Decoder, decode, encode

from turnwright.encounter.state import RECORD_TYPES, Change, Encounter, Record
from turnwright.play.kernel.events import Event, JournalLine, Phrase
from turnwright.play.kernel.history import History, HistoryEntry
from turnwright.play.kernel.scheduler import Step
from turnwright.storage.migrations import FORMAT, OLDEST_FIGHT, Migrator, changed_names
from turnwright.workspace.file_origin import FileOrigin

SNAPSHOT, ENTRY, PLANNED, SAVED = b"B", b"A", b"P", b"S"


def migrate(payload: bytes, number: int) -> bytes:
    """Convert a frame's payload to the newest format.

    Raise MsgspecError, LookupError or ValueError if it is invalid.
    """
    kind, body = payload[:1], payload[1:]
    if number == FORMAT or kind not in (SNAPSHOT, ENTRY):
        return payload
    migrator = Migrator(changed_names(number))
    try:
        return kind + encode(
            (_migrated_snapshot if kind == SNAPSHOT else _migrated_entry)(migrator, migrator.words(decode(body)))
        )
    except (TypeError, AttributeError) as error:
        raise ValueError(f"not a frame of format {number}") from error


def _migrated_snapshot(migrator: Migrator, body: dict[str, Any]) -> dict[str, Any]:
    tables = ((migrator.table(table), record) for table, record in body["records"])
    kept = ((table, record) for table, record in tables if not migrator.is_gone(table, record.get("id"), record))
    return {**body, "records": [(table, migrator.record(RECORD_TYPES[table], record)) for table, record in kept]}


def _migrated_entry(migrator: Migrator, body: dict[str, Any]) -> dict[str, Any]:
    step = body.get("step")
    if step is None:
        return body
    changed = {
        "label": migrator.record(Phrase, step["label"]),
        "changes": [
            migrator.change(change)
            for change in step["changes"]
            if not migrator.is_gone(change["key"][0], change["key"][1], change["after"] or change["before"])
        ],
        "events": [migrator.event(event) for event in step["events"]],
    }
    return {**body, "step": {**step, **changed}}


_MAGIC = b"TWLOG\0"
_MAGIC_BEFORE_3 = b"TWLOG\r\n"
_FORMAT_2 = _MAGIC_BEFORE_3 + bytes.fromhex("03 4f3922965b0d4eb8")  # the whole header, with the schema's fingerprint
_HEAD = struct.Struct("<II")
_MOST = 512_000_000
NO_RECORD = bytes(encode(None))
SavePoint = tuple[int, int]


class LogSnapshot(msgspec.Struct, frozen=True):
    """The start of a log: all records, the earlier journal, and whether they match the files on disk."""

    origin: FileOrigin
    records: tuple[Record, ...]
    earlier: tuple[JournalLine, ...] = ()
    saved: bool = True
    program: str = ""


class SavePlan(msgspec.Struct, frozen=True):
    """Logged before a document's files are written. `origin` has the digests they will have."""

    origin: FileOrigin


class SaveEntry(msgspec.Struct, frozen=True):
    """Logged after a document's files were written. `complete` is False if only some of them were."""

    origin: FileOrigin
    complete: bool = True


LogEntry = HistoryEntry | SavePlan | SaveEntry
_KINDS: Mapping[type[LogEntry], bytes] = {HistoryEntry: ENTRY, SavePlan: PLANNED, SaveEntry: SAVED}


class LogContents(msgspec.Struct, frozen=True):
    """The content of a log. Its first `valid_bytes` bytes are complete.

    `format` is None for an unreadable log of another version of the program, and 0 if the file isn't a log.
    """

    snapshot: LogSnapshot | None = None
    entries: tuple[LogEntry, ...] = ()
    valid_bytes: int = 0
    format: int | None = 0

    @property
    def history_entries(self) -> tuple[HistoryEntry, ...]:
        """The history entries, without the saves."""
        return tuple(entry for entry in self.entries if isinstance(entry, HistoryEntry))

    @property
    def origin(self) -> FileOrigin:
        """The files as last saved, and the text that saves are based on."""
        assert self.snapshot is not None
        origin = self.snapshot.origin
        for entry in self.entries:
            if isinstance(entry, SaveEntry):
                origin = msgspec.structs.replace(entry.origin, text=entry.origin.text or origin.text)
        return origin


# Writing -----------------------------------------------------------------------------------------------------


def header() -> bytes:
    """Return the header of a log."""
    return _MAGIC + bytes((FORMAT,))


def encode_snapshot(snapshot: LogSnapshot) -> bytes:
    """Return the header and the frame of a snapshot."""
    records = tuple((record.table, msgspec.Raw(encode(record))) for record in snapshot.records)
    body = _SnapshotBody(snapshot.origin, records, snapshot.earlier, snapshot.saved, snapshot.program)
    return header() + _frame(SNAPSHOT + encode(body))


def encode_entry(entry: LogEntry) -> bytes:
    """Return the frame of a history entry, a planned save or a save."""
    return _frame(_KINDS[type(entry)] + encode(entry))


def encode_log(snapshot: LogSnapshot, entries: Iterable[LogEntry]) -> bytes:
    """Return the bytes of a whole log."""
    return encode_snapshot(snapshot) + b"".join(map(encode_entry, entries))


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
    events: msgspec.Raw
    lines: tuple[JournalLine, ...] = ()
    merge: str = ""


class _ActBody(msgspec.Struct, frozen=True):
    kind: Literal["did", "joined", "vanished", "undid", "redid"]
    step: _StepBody | None = None


FRAME_BODIES: Mapping[bytes, Any] = {SNAPSHOT: _SnapshotBody, ENTRY: _ActBody, PLANNED: SavePlan, SAVED: SaveEntry}


def valid_frames(data: bytes | memoryview) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each complete frame's payload, up to the first broken frame."""
    view = memoryview(data)
    at = _format_of(view)[1]
    while at + _HEAD.size <= len(view):
        length, checksum = _HEAD.unpack_from(view, at)
        start = at + _HEAD.size
        at = start + length
        if not 0 < length <= _MOST or at > len(view) or crc32(view[start:at]) != checksum:
            return
        yield start, at


def _format_of(data: bytes | memoryview) -> tuple[int | None, int]:
    """Return the format of a log, as in `LogContents.format`, and the length of the header."""
    start = bytes(data[: len(_FORMAT_2)])
    if start == _FORMAT_2:
        return OLDEST_FIGHT, len(start)
    end = len(_MAGIC) + 1
    if len(start) >= end and start.startswith(_MAGIC):
        number = start[len(_MAGIC)]
        return (number if OLDEST_FIGHT < number <= FORMAT else None), end
    return (None if start.startswith(_MAGIC_BEFORE_3) else 0), len(data)


def read_log(data: bytes, *, with_events: bool = True) -> LogContents:
    """Read a log up to its first incomplete frame. `snapshot` is None if that frame is incomplete. Never raises.

    Events are only needed for printing. Reading them loads the whole engine.
    """
    number, _ = _format_of(data)
    snapshot: LogSnapshot | None = None
    entries: list[LogEntry] = []
    good = 0
    for start, end in valid_frames(data) if number else ():
        try:
            payload = migrate(data[start:end], number or 0)
            if snapshot is None:
                snapshot = _snapshot(payload)
            else:
                entries.append(_entry(payload, with_events))
        except (msgspec.MsgspecError, LookupError, ValueError, RecursionError):
            break
        good = end
    return LogContents(snapshot, tuple(entries), good, number)


def saved_length(data: bytes) -> int:
    """Return the length in bytes up to the last complete save, or 0. The log must have the newest format."""
    saved = 0
    for start, end in valid_frames(data):
        if data[start : start + 1] == SAVED and _body(data[start:end]).complete:
            saved = end
    return saved


def _snapshot(payload: bytes) -> LogSnapshot:
    if payload[:1] != SNAPSHOT:
        raise ValueError("a log begins with a snapshot")
    body = _body(payload)
    records = tuple(_record(table, raw) for table, raw in body.records)
    whole = tuple(record for record in records if record is not None)
    return LogSnapshot(body.origin, whole, body.earlier, body.saved, body.program)


def _entry(payload: bytes, with_events: bool) -> LogEntry:
    body: LogEntry | _ActBody = _body(payload)
    if isinstance(body, _ActBody):
        return HistoryEntry(body.kind, _step(body.step, with_events) if body.step else None)
    if isinstance(body, SavePlan | SaveEntry):
        return body
    raise ValueError("a second snapshot")


def _body(payload: bytes) -> Any:
    return _decoder(FRAME_BODIES[payload[:1]]).decode(payload[1:])


def _step(body: _StepBody, with_events: bool) -> Step:
    changes = tuple(
        Change(change.key, _record(change.key[0], change.before), _record(change.key[0], change.after), change.index)
        for change in body.changes
    )
    events: tuple[Event, ...] = _decoder(_event_types()).decode(body.events) if with_events else ()
    return Step(body.serial, body.label, changes, events, body.lines, body.merge)


def _record(table: str, raw: msgspec.Raw) -> Record | None:
    if bytes(raw) == NO_RECORD:
        return None
    record: Record = _decoder(RECORD_TYPES[table]).decode(raw)
    return record


def _event_types() -> Any:
    """Return the type of a step's events."""
    # A local import: events are defined in the engine, which is not needed to open a document.
    from turnwright.play.registry import event_types

    return _tuple_of(event_types())


@cache
def _tuple_of(kinds: tuple[type[Event], ...]) -> Any:
    return tuple[reduce(or_, kinds), ...]  # type: ignore[misc] # a union made from a list


@cache
def _decoder(kind: Any) -> Decoder[Any]:
    return Decoder(kind)


# Values derived from a log -----------------------------------------------------------------------------------


def save_point_of(history: History) -> SavePoint:
    """Return a history's save point: the number of applied steps, and the serial number of the last one."""
    return history.depth, history.last.serial if history.last else 0


def last_saved(contents: LogContents) -> tuple[SavePoint, SavePoint | None]:
    """Return the save points at the end of a log and at its last complete save, or None if there is no save."""
    history = History()
    saved: SavePoint | None = (0, 0) if contents.snapshot is not None and contents.snapshot.saved else None
    for entry in contents.entries:
        if isinstance(entry, HistoryEntry):
            history.apply(entry)
        elif isinstance(entry, SaveEntry) and entry.complete:
            saved = save_point_of(history)
    return save_point_of(history), saved


def trimmed(contents: LogContents, most_bytes: int) -> bytes:
    """Return a saved document's log, limited to as many of its last steps as fit into `most_bytes`."""
    assert contents.snapshot is not None
    history = History()
    for entry in contents.history_entries:
        history.apply(entry)
    depth = history.depth
    while history.next is not None:
        history.apply(HistoryEntry("redid"))
    frames = [(step, encode_entry(HistoryEntry("did", step))) for step in history.applied]
    encounter, earlier = Encounter(contents.snapshot.records), list(contents.snapshot.earlier)
    excess, dropped = sum(len(frame) for _, frame in frames) - most_bytes, 0
    while excess > 0 and dropped < depth:
        step, frame = frames[dropped]
        encounter = encounter.with_changes(step.changes)
        earlier += step.lines
        excess -= len(frame)
        dropped += 1
    undone = [HistoryEntry("undid")] * (len(frames) - depth)
    snapshot = LogSnapshot(contents.origin, tuple(encounter), tuple(earlier), False, contents.snapshot.program)
    remaining = (frame for _, frame in frames[dropped:])
    end: list[LogEntry] = [*undone, SaveEntry(contents.origin)]
    return b"".join([encode_snapshot(snapshot), *remaining, *map(encode_entry, end)])
