"""Records packed into a text and back: the running state that a snapshot keeps."""

from __future__ import annotations

import zlib
from base64 import b85decode, b85encode
from collections.abc import Iterable

import msgspec

from turnwright.encounter.running import Snapshot
from turnwright.encounter.state import PREPARED_TABLES, RECORD_TYPES, Encounter, Record

MAX_BYTES = 64_000_000


class UnreadableSnapshot(ValueError):
    """The text of a snapshot that can't be read."""


def packed(records: Iterable[Record]) -> str:
    """Return records as a text of letters, digits and signs."""
    tables = [(record.table, record) for record in records]
    return b85encode(zlib.compress(msgspec.json.encode(tables), 9)).decode("ascii")


def unpacked(text: str) -> tuple[Record, ...]:
    """Return the records of a packed text; UnreadableSnapshot where it holds none."""
    try:
        inflate = zlib.decompressobj()
        raw = inflate.decompress(b85decode(text), MAX_BYTES)
        if not inflate.eof:
            raise UnreadableSnapshot("it is cut off, or too long")
        tables = msgspec.json.decode(raw, type=list[tuple[str, msgspec.Raw]])
        return tuple(msgspec.json.decode(body, type=RECORD_TYPES[table]) for table, body in tables)
    except (ValueError, KeyError, zlib.error, msgspec.MsgspecError) as error:
        raise UnreadableSnapshot(str(error)) from error


def encounter_at(encounter: Encounter, snapshot: Snapshot) -> Encounter:
    """Return an encounter as its fight stood in a snapshot, without snapshots; what was prepared is that of now."""
    prepared = [record for record in encounter if record.table in PREPARED_TABLES]
    return Encounter([*prepared, *unpacked(snapshot.state)])
