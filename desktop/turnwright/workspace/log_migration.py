"""Recognises the formats of recovery logs by the fingerprint of their schema, and migrates them.

A log contains the same records as fight files, and uses their format numbers. To migrate from format 1 to 2, a frame's
payload is decoded, migrated like a fight file, and encoded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from msgspec.msgpack import decode, encode

from turnwright.storage.migrations.fight_2 import migrate_label, migrate_record

SNAPSHOT, ENTRY, PLANNED, SAVED = b"B", b"A", b"P", b"S"

# All log schemas so far, oldest first, with their formats. The last one is current.
FINGERPRINTS: Mapping[str, int] = MappingProxyType(
    {
        "c17777b0cd2b9e7f": 2,
        "b984328e754afcc3": 2,
        "867eed656aa6f7e2": 2,
        "249d19113fafb6eb": 2,
        "221a81555f77f545": 2,
        "88fb7c1bc00e2676": 2,
        "ded9d9a065e6c1d6": 2,
        "707c409c65fb72c7": 2,
        "857702e87c1d63f2": 2,
        "7f1d7a7e4c536836": 2,
        "c69636bc1c4e63f7": 2,
        "b5643ef2501feec1": 2,
        "5dbf92a1e38756cb": 2,
        "dd5a7e55cf7f7c30": 2,
        "98f0287337c61f4a": 2,
        "5f6b7e3533e4d75e": 2,
        "895fb85fddd7bdec": 2,
        "a67cf31703be489c": 2,
        "6ee96bc071c75496": 2,
        "1af0039aea9e6ed1": 2,
        "1f814e290e967e85": 2,
        "9e61535cce168335": 2,
        "0dfcb5557df8bdbe": 2,
        "45f366483c3f837e": 2,
        "4e671eefe504563a": 2,
        "cf1345970987c2b0": 2,
        "adbd3e7624276d47": 2,
        "fffdc6cab8ec9d1c": 2,
        "6d6dec413de85637": 2,
        "39a240e0bc9b4715": 2,
        "7c40ad39406a7188": 2,
        "77ae862891c4613a": 2,
        "993862244dfa92d4": 2,
        "1658fac0b679103e": 2,
        "ca8ac284103faa3f": 2,
        "ff52f53dc84a5a7e": 2,
        "056d4334e4bd3086": 2,
        "022b0161ad7b44bf": 2,
        "9f5537ed2bd547cf": 2,
        "1a7afa9894c4b5a7": 2,
        "dcf5625eb967472d": 2,
        "41daea72ed7ff245": 2,
        "d479156b26ff5cd4": 2,
        "75f629207bc002f6": 2,
        "3f87ff2632d7eedf": 2,
        "de2135dcf8037623": 2,
        "43fbe7762fc7c41d": 2,
        "8b1b14eb7af72162": 2,
        "7e349314beae1756": 2,
        "a4e3ff82e8c88eff": 2,
        "57bbaf43b7e85faa": 2,
        "71c1b86d60ae0ea9": 2,
        "34d874d111a3ded2": 2,
        "c1580df39426209b": 2,
        "1b8e0554e49084fc": 2,
        "24c9e535887a6b2d": 2,
        "744b2c4540e9c2cd": 2,
        "47b0bd85a3851224": 2,
        "4f3922965b0d4eb8": 2,
    }
)
FINGERPRINT, FORMAT = list(FINGERPRINTS.items())[-1]


def migrate(payload: bytes, number: int) -> bytes:
    """Convert a frame's payload to the newest format.

    Raise MsgspecError, LookupError or ValueError if it is invalid.
    """
    for older in range(number, FORMAT):
        payload = MIGRATIONS[older](payload)
    return payload


def migrate_payload(payload: bytes) -> bytes:
    """Convert a payload from format 1 to format 2: rename its records, changes and undo labels.

    Raise MsgspecError, LookupError or ValueError if it doesn't match format 1.
    """
    kind, body = payload[:1], payload[1:]
    try:
        if kind == SNAPSHOT:
            return kind + encode(_snapshot(decode(body)))
        if kind == ENTRY:
            return kind + encode(_entry(decode(body)))
    except (TypeError, AttributeError) as error:
        raise ValueError("not a frame of format 1") from error
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


MIGRATIONS: Mapping[int, Callable[[bytes], bytes]] = MappingProxyType({1: migrate_payload})
