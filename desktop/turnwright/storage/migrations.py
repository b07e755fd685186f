"""Migrates plain tables of older formats, by the names in `resources/migrations/`.

All files that Turnwright saves and all recovery logs have one format number. `format_<n>.toml` contains the names that
format n changed. Tables are walked by the types of their records, so the same names apply to files, in which records
are tables keyed by id, and to logs, in which they are lists. Old samples are in `tests/storage/samples`.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Literal

import msgspec
import rtoml

from turnwright.encounter.prepared import CharacterState, Map, Scene
from turnwright.encounter.running import Clock, Dice, Fog, IdCounter, Snapshot, Track
from turnwright.encounter.state import RECORD_TYPES, repacked
from turnwright.storage.findings import FindingCollector
from turnwright.storage.resources import read_text
from turnwright.storage.toml import reader

FORMAT = 3
OLDEST = 1
OLDEST_FIGHT = 2  # also of logs
_FIRST_WITH_NAMES = 3  # the first format that has a file of names
SINGLE_RECORDS: tuple[type[msgspec.Struct], ...] = (Scene, Map, Clock, Dice, IdCounter, Fog)

Tables = dict[str, Any]
Names = Mapping[str, str]
_WORD = re.compile(r"[\w-]+")  # in a statement
_WORD_KEY = re.compile(r"(?<=<)[\w.-]+(?=>)")


class ChangedNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The names that a format changed, keyed by old name.

    `tags` are keyed by the field that contains the tag, `fields` by the class of the record or event, and `values` by
    class and field. `tables` are tables of records, `events` are tags of events, `statements` are words in statements,
    and `words` are keys of words in texts, such as `<side.enemies>`. Classes and fields have their new names. `levels`
    are tracks that are now values of conditions. Older fights contain both, so the tracks are left out. `gone` are removed
    kinds of procedures, and titles of their prompts; both are left out.
    """

    tables: Names = {}
    tags: Mapping[str, Names] = {}
    events: Names = {}
    fields: Mapping[str, Names] = {}
    values: Mapping[str, Mapping[str, Names]] = {}
    statements: Names = {}
    words: Names = {}
    levels: Names = {}
    gone: tuple[str, ...] = ()


@cache
def changed_names(format: int) -> tuple[ChangedNames, ...]:
    """Return the names changed since a format, oldest change first. Each file is read only once."""
    numbers = range(max(format + 1, _FIRST_WITH_NAMES), FORMAT + 1)
    return tuple(msgspec.convert(rtoml.loads(read_text(f"migrations/format_{n}.toml")), ChangedNames) for n in numbers)


def migrate_file(
    tables: Tables, notes: FindingCollector, oldest: int = OLDEST, record: type[msgspec.Struct] | None = None
) -> Tables | None:
    """Convert the tables of a file to the newest format, or add an error and return None if that is impossible.

    `record` is the type of a file with a single record. A file without a format number is assumed to have the newest
    format, with a warning.
    """
    format = tables.get("format")
    if format is None:
        line = f"format = {FORMAT}"
        notes.warn((), f"missing key `format` (a whole number); assuming {FORMAT}. Add this line at the top: {line}")
        return tables
    if type(format) is not int or format < 0:
        notes.error(("format",), f"expected a whole number from {oldest} to {FORMAT}, found {reader.type_name(format)}")
        return None
    if format > FORMAT:
        problem = f"{format} is newer than this version of Turnwright supports (up to {FORMAT})"
        notes.error(("format",), f"{problem}; update Turnwright to open the file")
        return None
    if format < oldest:
        notes.error(("format",), f"{format} can't be converted to format {FORMAT}")
        return None
    if format == FORMAT:
        return tables
    migrator = Migrator(changed_names(format))
    return {**(migrator.record(record, tables) if record is not None else migrator.tables(tables)), "format": FORMAT}


class Migrator:
    """Gives plain tables their new names. The input isn't changed.

    Values of an unexpected type stay unchanged; the reader reports them.
    """

    def __init__(self, changes: tuple[ChangedNames, ...]) -> None:
        self._changes = changes
        self._levels = {track: condition for names in changes for track, condition in names.levels.items()}
        self._gone = {"procedures": frozenset(kind for names in changes for kind in names.gone)}
        self._gone["prompts"] = self._gone["procedures"]

    def tables(self, tables: Mapping[str, Any]) -> Tables:
        """Migrate the records of an encounter or a fight, by table. The title of an encounter is at the top."""
        renamed = ((self.table(name), self.words(content)) for name, content in tables.items())
        return {name: self._records(RECORD_TYPES.get(name), content) for name, content in renamed}

    def table(self, name: str) -> str:
        """Return the new name of a table of records."""
        return self._new("tables", name)

    def words(self, content: Any) -> Any:
        """Migrate the keys of words in all texts of plain content, such as lines of the journal."""
        match content:
            case str():
                return _WORD_KEY.sub(lambda key: self._new("words", key[0]), content)
            case Mapping():
                return {key: self.words(value) for key, value in content.items()}
            case list() | tuple():
                return [self.words(value) for value in content]
        return content

    def is_gone(self, table: str, id: object, record: object = None) -> bool:
        """Return whether a record, by the new name of its table, no longer exists."""
        if isinstance(record, Mapping) and table in self._gone:
            return not self._gone[table].isdisjoint((record.get("kind"), record.get("title")))
        return table == Track.table and isinstance(id, str) and id.rpartition(".")[2] in self._levels

    def change(self, change: Mapping[str, Any]) -> Tables:
        """Migrate a change of a record in a log: its key, and the record before and after."""
        table, id = change["key"]
        struct = RECORD_TYPES[table := self.table(table)]
        sides = {side: self.record(struct, change[side]) for side in ("before", "after")}
        return {**change, "key": (table, self._field(struct.__name__, "id", id)[1]), **sides}

    def record(self, struct: type[msgspec.Struct], record: Any) -> Any:
        """Migrate a record and all records that it contains."""
        if not isinstance(record, Mapping):
            return record
        fields = {field.key: field for field in reader.fields_of(struct)}
        renamed = dict(self._field(struct.__name__, key, value) for key, value in record.items())
        if struct is CharacterState and self._levels:
            renamed = self._with_levels(renamed)
        if struct is Snapshot and isinstance(renamed.get("state"), str):
            renamed["state"] = repacked(renamed["state"], self._packed_record)
        return {key: self._content(fields[key], value) if key in fields else value for key, value in renamed.items()}

    def event(self, event: dict[str, Any]) -> dict[str, Any]:
        """Migrate an event: its tag and its fields, which contain no records."""
        tag = self._new("events", event["type"])
        return dict(self._field(tag, key, value) for key, value in event.items()) | {"type": tag}

    def _with_levels(self, state: Tables) -> Tables:
        """Return the state of a character with its levels as values of conditions."""
        tracks, conditions = state.get("tracks"), state.get("conditions", [])
        pairs: Any = list(tracks.items()) if isinstance(tracks, Mapping) else tracks
        if not _are_pairs(pairs) or not isinstance(conditions, list):
            return state
        levels = [{"name": self._levels[name], "value": value} for name, value in pairs if name in self._levels]
        kept = [(name, value) for name, value in pairs if name not in self._levels]
        kept_tracks = dict(kept) if isinstance(tracks, Mapping) else kept
        return {**state, "tracks": kept_tracks, "conditions": [*conditions, *levels]} if levels else state

    def _packed_record(self, table: str, record: Any) -> tuple[str, Any] | None:
        table = self.table(table)
        if isinstance(record, Mapping) and self.is_gone(table, record.get("id"), record):
            return None
        return table, self.record(RECORD_TYPES[table], self.words(record)) if table in RECORD_TYPES else record

    def _records(self, struct: type[msgspec.Struct] | None, content: Any) -> Any:
        if struct is None or struct in SINGLE_RECORDS:
            return content if struct is None else self.record(struct, content)
        if isinstance(content, Mapping):
            table = getattr(struct, "table", "")
            content = {id: record for id, record in content.items() if not self.is_gone(table, id, record)}
        return self._keyed(struct, content)

    def _keyed(self, struct: type[msgspec.Struct], content: Any) -> Any:
        """Migrate records that are a table keyed by id (as in a file) or a list (as in a log)."""
        if isinstance(content, Mapping):
            ids = (self._field(struct.__name__, "id", id)[1] for id in content)
            return dict(zip(ids, (self.record(struct, record) for record in content.values()), strict=True))
        return _each(content, lambda record: self.record(struct, record))

    def _field(self, struct: str, key: str, value: Any) -> tuple[str, Any]:
        for names in self._changes:
            key = names.fields.get(struct, {}).get(key, key)
            value = _renamed(value, names.values.get(struct, {}).get(key, {}))
        return key, value

    def _content(self, field: reader.FieldShape, value: Any) -> Any:
        return self._statements(value) if field.spec.ids == ("statement",) else self._shaped(field.shape, value)

    def _statements(self, value: Any) -> Any:
        if not isinstance(value, str):
            return _each(value, self._statements)
        return _WORD.sub(lambda word: self._new("statements", word[0]), value)

    def _new(self, kind: Literal["tables", "events", "statements", "words"], name: str) -> str:
        for names in self._changes:
            name = getattr(names, kind).get(name, name)
        return name

    def _shaped(self, shape: reader.Shape, value: Any) -> Any:
        match shape:
            case reader.OptionalShape(inner):
                return self._shaped(inner, value)
            case reader.StructShape(struct):
                return self.record(struct, value)
            case reader.KeyedTablesShape(struct):
                return self._keyed(struct, value)
            case reader.ArrayShape(item):
                return _each(value, lambda entry: self._shaped(item, entry))
            case reader.UnionShape(field, structs) if isinstance(value, Mapping):
                return self._tagged(field, dict(structs), value)
        return value

    def _tagged(self, field: str, structs: Mapping[str, type[msgspec.Struct]], record: Mapping[str, Any]) -> Any:
        tag = record.get(field)
        for names in self._changes:
            tag = _renamed(tag, names.tags.get(field, {}))
        struct = structs.get(tag) if isinstance(tag, str) else None
        return self.record(struct, {**record, field: tag}) if struct is not None else record


def _each(content: Any, change: Callable[[Any], Any]) -> Any:
    return [change(entry) for entry in content] if isinstance(content, list | tuple) else content


def _are_pairs(content: Any) -> bool:
    return isinstance(content, list) and all(
        isinstance(pair, list | tuple) and len(pair) == 2 and isinstance(pair[0], str) for pair in content
    )


def _renamed(value: Any, names: Names) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    return [_renamed(entry, names) for entry in value] if names and isinstance(value, list) else value
