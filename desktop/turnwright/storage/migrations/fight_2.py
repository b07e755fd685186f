"""Migrates fight files from format 1 to format 2, which renames fields, procedures and turn phases.

The names are in `fight_2_names`. The migration accepts plain tables from TOML and MessagePack, and doesn't change its
input. Values of an unexpected type stay unchanged; the reader reports them. Recovery logs of version 1 contain the same
records.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from turnwright.storage.migrations.fight_2_names import DataNames, Names, fight_names

SINGLE_RECORD_TABLES = frozenset({"clock", "dice", "ids"})
UNREAD_KEYS = frozenset({"format", "of", "journal"})
LAIR_ACTIONS_OVER = ("lair", "over")  # the only stage that became a separate kind
LAIR_ACTIONS = {"kind": "lair-actions", "stage": "finish", "data": {"type": "lair-actions"}}
FLAGS = frozenset({("forced-dismount", "ends_prone"), ("reaction-stack", "answered")})  # 1 and 0 in format 1
FIRST = frozenset({("max-hp-question", "who")})  # a list of one id in format 1


def migrate_fight(tables: Mapping[str, Any]) -> dict[str, Any]:
    """Migrate all records of a fight file. The journal needs no changes."""
    return {name: content if name in UNREAD_KEYS else _table(name, content) for name, content in tables.items()}


def migrate_record(table: str, record: Any) -> Any:
    """Convert a record of a table to format 2."""
    if not isinstance(record, Mapping):
        return record
    if table == "procedures":
        return _procedure(record)
    if table == "prompts":
        return _changed(record, "asks", lambda asks: _entries(asks, _ask))
    return _renamed(record, fight_names().record_fields.get(table, {}))


def migrate_label(key: str) -> str:
    """Convert the word key of a step's undo label to format 2."""
    return fight_names().undo_labels.get(key, key)


def _table(name: str, content: Any) -> Any:
    if name in SINGLE_RECORD_TABLES or not isinstance(content, Mapping):
        return migrate_record(name, content)
    return {id: migrate_record(name, record) for id, record in content.items()}


# Procedures ------------------------------------------------------------------------------------------------------


def _procedure(record: Mapping[str, Any]) -> Any:
    kind, stage = record.get("kind"), record.get("stage")
    names = fight_names().procedures.get(kind) if isinstance(kind, str) else None
    if names is None or not isinstance(stage, str):
        return record
    if (kind, stage) == LAIR_ACTIONS_OVER:
        return {**record, **LAIR_ACTIONS}
    renamed = {**record, "kind": names.kind, "stage": names.stages.get(stage, stage)}
    return _changed(renamed, "data", lambda data: _data(data, str(kind)))


def _data(data: Any, kind: str) -> Any:
    tag = data.get("type") if isinstance(data, Mapping) else None
    if not isinstance(tag, str):
        return data
    names = fight_names().data_by_kind.get(tag, {}).get(kind)
    if names is not None:
        return _data_of_kind(data, names)
    phases = fight_names().phases.get(tag, {})
    return _changed(
        _renamed(data, fight_names().data_fields.get(tag, {})), "phases", lambda old_phases: _each(old_phases, phases)
    )


def _data_of_kind(data: Mapping[str, Any], names: DataNames) -> dict[str, Any]:
    renamed = {new: _value(names.tag, new, data[old]) for old, new in names.fields.items() if old in data}
    return {"type": names.tag, **names.required, **renamed}


def _value(tag: str, field: str, value: Any) -> Any:
    if (tag, field) in FLAGS:
        return bool(value)
    if (tag, field) in FIRST and isinstance(value, list) and value:
        return value[0]
    return value


# Prompts ---------------------------------------------------------------------------------------------------------


def _ask(ask: Any) -> Any:
    return _changed(_renamed(ask, fight_names().ask_fields), "options", lambda options: _entries(options, _option))


def _option(option: Any) -> Any:
    return _changed(option, "label", lambda label: _name(label, fight_names().option_labels))


# Plain tables ----------------------------------------------------------------------------------------------------


def _changed(record: Any, field: str, change: Callable[[Any], Any]) -> Any:
    if not isinstance(record, Mapping) or field not in record:
        return record
    return {**record, field: change(record[field])}


def _renamed(record: Any, names: Names) -> Any:
    return {names.get(key, key): value for key, value in record.items()} if isinstance(record, Mapping) else record


def _entries(content: Any, change: Callable[[Any], Any]) -> Any:
    """Change every entry of a table keyed by id (as in a file) or of a list (as in a log)."""
    if isinstance(content, Mapping):
        return {id: change(entry) for id, entry in content.items()}
    return [change(entry) for entry in content] if isinstance(content, list) else content


def _each(content: Any, names: Names) -> Any:
    return [_name(name, names) for name in content] if isinstance(content, list) else content


def _name(name: Any, names: Names) -> Any:
    return names.get(name, name) if isinstance(name, str) else name
