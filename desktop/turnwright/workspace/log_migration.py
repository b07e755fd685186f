"""Migrates the frames of recovery logs of older formats.

A log contains the same records as files, and has the same format number. A frame's payload is decoded, migrated like a
file, and encoded.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.msgpack import decode, encode

from turnwright.encounter.state import RECORD_TYPES
from turnwright.play.kernel.events import Phrase
from turnwright.storage.migrations import FORMAT, Migrator, changed_names

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
        return kind + encode((_snapshot if kind == SNAPSHOT else _entry)(migrator, decode(body)))
    except (TypeError, AttributeError) as error:
        raise ValueError(f"not a frame of format {number}") from error


def _snapshot(migrator: Migrator, body: dict[str, Any]) -> dict[str, Any]:
    records = [(table, migrator.record(RECORD_TYPES[table], record)) for table, record in body["records"]]
    return {**body, "records": records}


def _entry(migrator: Migrator, body: dict[str, Any]) -> dict[str, Any]:
    step = body.get("step")
    if step is None:
        return body
    changed = {
        "label": migrator.record(Phrase, step["label"]),
        "changes": [_change(migrator, change) for change in step["changes"]],
        "events": [migrator.event(event) for event in step["events"]],
    }
    return {**body, "step": {**step, **changed}}


def _change(migrator: Migrator, change: Mapping[str, Any]) -> dict[str, Any]:
    struct = RECORD_TYPES[change["key"][0]]
    return {**change, **{side: migrator.record(struct, change[side]) for side in ("before", "after")}}
