"""From version 1 of the recovery log to version 2: a frame's payload is decoded, renamed as fight files are, and encoded."""

from __future__ import annotations

from typing import Any

from msgspec.msgpack import decode, encode

from turnwright.storage.migrations.fight_2 import migrate_label, migrate_record

SNAPSHOT, ENTRY, SAVED = b"B", b"A", b"S"


def migrate_payload(payload: bytes) -> bytes:
    """Return the payload of a frame with its records, changes and undo labels renamed.

    MsgspecError, LookupError or ValueError where it does not have the shape of version 1.
    """
    kind, body = payload[:1], payload[1:]
    try:
        if kind == SNAPSHOT:
            return kind + encode(_snapshot(decode(body)))
        if kind == ENTRY:
            return kind + encode(_entry(decode(body)))
    except (TypeError, AttributeError) as error:
        raise ValueError("not a frame of version 1") from error
    return payload


def _snapshot(body: dict[str, Any]) -> dict[str, Any]:
    return {**body, "records": [(table, migrate_record(table, record)) for table, record in body["records"]]}


def _entry(body: dict[str, Any]) -> dict[str, Any]:
    step = body.get("step")
    return {**body, "step": _step(step)} if step is not None else body


def _step(step: dict[str, Any]) -> dict[str, Any]:
    label = step["label"]
    return {
        **step,
        "label": {**label, "key": migrate_label(label["key"])},
        "changes": [_change(change) for change in step["changes"]],
    }


def _change(change: dict[str, Any]) -> dict[str, Any]:
    table = change["key"][0]
    return {
        "key": change["key"],
        "before": migrate_record(table, change["before"]),
        "after": migrate_record(table, change["after"]),
        "index": change.get("place", -1),
    }
