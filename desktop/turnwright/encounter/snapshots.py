"""Packs records into a text and unpacks them again. Snapshots store the running state in this form."""

from __future__ import annotations

import zlib
from base64 import b85decode, b85encode
from collections.abc import Iterable

import msgspec

from turnwright.encounter.running import Snapshot
from turnwright.encounter.state import PREPARED_TABLES, RECORD_TYPES, Encounter, Record

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
