"""Reads the shipped data of a rule system into one `SystemData`.

Every file of `resources/systems/<system>/` gives some of the tables, and `resources/environments/` the
environments of all systems, read by a table of the system where they were written for another. The ledger and
the traits are read by themselves: they are needed only when a reason is asked for, and when stat blocks are read.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
import rtoml

from turnwright.encounter.field_specs import bare_type, fields_of_struct
from turnwright.encounter.prepared import Environment
from turnwright.encounter.suggestions import CLOSE, nearest_hint
from turnwright.rules.parts.environment.translation import translate_environment
from turnwright.rules.system_data import SystemData
from turnwright.rules.system_data.known_ids import KnownIds, known_ids
from turnwright.rules.system_data.ledger import LedgerRule
from turnwright.rules.system_data.references import FOREIGN, ids_in, own_ids, parts_of, problems
from turnwright.rules.system_data.roles import CONDITION_ROLES, OPTION_ROLES, missing_roles
from turnwright.rules.system_data.rounds import expected_countdowns
from turnwright.rules.system_data.statements import Statement, StatementError, parse_statement
from turnwright.rules.word_keys import keys_of_ids
from turnwright.storage.keys import KeyPath, key_text
from turnwright.storage.resources import resource_root
from turnwright.storage.word_catalogue import WordCatalogue, usual_terms

FORMAT = 1
_LEDGER = "ledger.toml"
_APART = (_LEDGER, "traits.toml")  # files that are read by themselves
_RULE_ID = re.compile(r'^id = "([^"]+)"$', re.MULTILINE)
_HEAD = ("format", "kind", "system")
_STEP = re.compile(r"\.([^.\[\]`]+)|\[(\d+)\]")  # of the place that msgspec names in a message
_WRONG_WORD = re.compile(r"Invalid enum value '(.*)'")
_Record = TypeVar("_Record", bound=msgspec.Struct)


class _Shape(NamedTuple):
    """The shape of a key: its type, the record in it or none, whether it holds many (records, or pairs), and is needed."""

    annotation: Any
    record: type[msgspec.Struct] | None
    many: bool
    required: bool


class SystemDataError(ValueError):
    """An error in a system's data: the file, the line and the key in it, and what is wrong."""

    def __init__(self, file: Path, path: KeyPath, message: str, place: KeyPath = ()) -> None:
        self.file = file
        self.line = _line_of(file, place or path)
        self.key = key_text(path)
        self.message = message
        super().__init__(f"{file}:{self.line}: {self.key}: {message}" if path else f"{file}:{self.line}: {message}")


class _Reader:
    """Reads the files of one system; `records` gathers all that it read, whose ids are looked up at the end."""

    def __init__(self) -> None:
        self.records: list[tuple[Path, KeyPath, msgspec.Struct]] = []

    def merge(self, fields: dict[str, Any], file: Path) -> None:
        """Add the tables of a file to the fields of the system."""
        table = _parse(file)
        _check_head(table, file, "system", SystemData, fields["id"])
        shapes = _shapes(SystemData)
        for key, value in table.items():
            if key in _HEAD:
                continue
            if key in fields:
                raise SystemDataError(file, (key,), "stands in another file too")
            fields[key] = self._field(shapes[key], value, file, (key,))

    def check_ids(self, known: KnownIds) -> None:
        """Raise SystemDataError for the first id or statement in the gathered records that names nothing there is."""
        for file, path, record in self.records:
            _check_ids(record, known, file, path)
        self.records.clear()

    def record(
        self, kind: type[_Record], table: Any, file: Path, path: KeyPath, beside: frozenset[str] = frozenset()
    ) -> _Record:
        """Return one record of a table; keyed tables in it become tuples of records, small tables pairs.

        `beside` are the ids of the others of its table, one of which may be meant where it lacks a key.
        """
        if not isinstance(table, dict):
            raise SystemDataError(file, path, f"a table expected, {table!r} found")
        shapes = _shapes(kind)
        for key in table:
            if key not in shapes:
                raise SystemDataError(file, (*path, key), f"no such key{nearest_hint(key, shapes)}")
        for key, shape in shapes.items():
            if shape.required and key not in table:
                own = str(path[-1]) if path else ""
                raise SystemDataError(file, path, f"lacks {key}{nearest_hint(own, beside, CLOSE)}")
        ready = {key: self._value(shapes[key], value, file, (*path, key)) for key, value in table.items()}
        record = typing.cast("_Record", _convert(kind, ready, file, path))
        self.records.append((file, path, record))
        return record

    def _field(self, shape: _Shape, value: Any, file: Path, path: KeyPath) -> Any:
        return _convert(shape.annotation, self._value(shape, value, file, path), file, path)

    def _value(self, shape: _Shape, value: Any, file: Path, path: KeyPath) -> Any:
        """Return a field's value made ready for conversion."""
        if shape.record is None:
            return tuple(value.items()) if shape.many and isinstance(value, dict) else value
        if shape.record is Statement:
            return _statements(value, file, path)
        if not shape.many:
            return self.record(shape.record, value, file, path)
        if isinstance(value, dict):
            entries: list[tuple[str | int, Any]] = [(name, _with_id(entry, name)) for name, entry in value.items()]
        elif isinstance(value, list):
            entries = list(enumerate(value))
        else:
            raise SystemDataError(file, path, f"a table expected, {value!r} found")
        beside = frozenset(value) if isinstance(value, dict) else frozenset()
        return tuple(self.record(shape.record, entry, file, (*path, name), beside - {name}) for name, entry in entries)


def read_system_data(system_id: str, root: Path | None = None, folder: Path | None = None) -> SystemData:
    """Return all data of a system except its ledger and its traits; SystemDataError names the file, line and key at fault.

    `folder` is where a system's own files are that does not come with the program.
    """
    root = root or resource_root()
    folder = folder or root / "systems" / system_id
    fields: dict[str, Any] = {"id": system_id}
    files: dict[str, Path] = {}
    reader = _Reader()
    for file in _files(folder):
        if file.name not in _APART:
            reader.merge(fields, file)
            files.update((key, file) for key in fields if key not in files)
    if "name" not in fields:
        raise SystemDataError(folder, ("name",), "the system has no name")
    if "countdown_faces" in fields and "countdown_table" not in fields:
        fields["countdown_table"] = expected_countdowns(fields["countdown_faces"])
    catalogue = _with_marks(SystemData(**fields))
    if catalogue.movement.mount_sizes and not catalogue.sizes:
        message = "there is no table of sizes, by which others go (movement.mount_sizes)"
        raise SystemDataError(folder, ("sizes",), message)
    _check_roles(catalogue, files, folder)
    environments, foreign, games = _environments(root / "environments", catalogue, reader)
    catalogue = msgspec.structs.replace(catalogue, environments=environments)
    known = known_ids(catalogue) | {FOREIGN + kind: frozenset(ids) for kind, ids in foreign.items()}
    known |= {
        "game": games,
        "rule": _rule_ids(folder / _LEDGER),
        "term": known["term"] | keys_of_ids(catalogue) | usual_terms().keys(),
        "word": frozenset(WordCatalogue.load()),
    }
    _check_ids(catalogue, known, files, ())
    reader.check_ids(known)
    return catalogue


def read_ledger(system_id: str, root: Path | None = None) -> tuple[LedgerRule, ...]:
    """Return the ledger of a system, empty where it has none; SystemDataError names the rule at fault."""
    file = (root or resource_root()) / "systems" / system_id / _LEDGER
    if not file.is_file():
        return ()
    rules = _parse(file).get("rule", [])
    reader = _Reader()
    return tuple(reader.record(LedgerRule, rule, file, ("rule", index)) for index, rule in enumerate(rules))


def _with_marks(catalogue: SystemData) -> SystemData:
    """Add the conditions that belong to environments written for another game."""
    known = {condition.id for condition in catalogue.conditions}
    brought = tuple(mark for mark in catalogue.elsewhere.marks if mark.id not in known)
    return msgspec.structs.replace(catalogue, conditions=(*catalogue.conditions, *brought))


def _check_roles(catalogue: SystemData, files: Mapping[str, Path], folder: Path) -> None:
    """Raise SystemDataError for a role that is unknown, refers to nothing, or is needed and missing."""
    conditions = {condition.id for condition in catalogue.conditions}
    options = {option.id for option in catalogue.options}
    for role, id in catalogue.roles:
        if role not in (*CONDITION_ROLES, *OPTION_ROLES):
            expected = nearest_hint(role, (*CONDITION_ROLES, *OPTION_ROLES))
            raise SystemDataError(files["roles"], ("roles", role), f"no such role{expected}")
        kind, known = ("table rule", options) if role in OPTION_ROLES else ("condition", conditions)
        if id not in known:
            message = f"the id of a {kind} of this system expected, {id!r} found{nearest_hint(id, known)}"
            raise SystemDataError(files["roles"], ("roles", role), message)
    for role, key in missing_roles(catalogue):
        file = files.get("roles") or files.get(key.partition(".")[0]) or folder
        message = f"the id of a condition of this system expected, none found: {key} needs one"
        raise SystemDataError(file, ("roles", role), message, () if "roles" in files else tuple(key.split(".")))


def _rule_ids(ledger: Path) -> frozenset[str]:
    """Return the ids of a ledger's rules; parses the file only where a scan of its lines doesn't find one for each."""
    if not ledger.is_file():
        return frozenset()
    text = ledger.read_text(encoding="utf-8")
    shown = frozenset(_RULE_ID.findall(text))
    if len(shown) == text.count("[[rule]]"):
        return shown
    return frozenset(str(rule.get("id")) for rule in _parse(ledger).get("rule", []))


def _line_of(file: Path, path: KeyPath) -> int:
    """Return the line of a key in a file, or of the nearest table around it; 1 where it is unknown."""
    from turnwright.storage.line_index import LineIndex  # with the scanner of TOML, for findings alone

    try:
        return LineIndex(file.read_text(encoding="utf-8")).line_of(path)
    except (OSError, UnicodeDecodeError):
        return 1


def _environments(
    folder: Path, catalogue: SystemData, reader: _Reader
) -> tuple[tuple[Environment, ...], Mapping[str, set[str]], frozenset[str]]:
    """Return a system's own environments and those that its table translates; the ids in these by kind; and all their games."""
    found: list[Environment] = []
    foreign: dict[str, set[str]] = {}
    games: set[str] = set()
    for file in _files(folder):
        table = _parse(file)
        written_for = str(table.get("system"))
        wanted = catalogue.id if nearest_hint(written_for, (catalogue.id,), CLOSE) else written_for
        _check_head(table, file, "environment", Environment, wanted)
        games.add(written_for)
        body = {key: value for key, value in table.items() if key not in _HEAD}
        if written_for == catalogue.id:
            found.append(reader.record(Environment, body, file, ()))
        elif written_for == catalogue.elsewhere.origin:  # what a game doesn't know of these is asked in play
            place = _Reader().record(Environment, body, file, ())
            for _, kind, text in ids_in(place):
                for part, id in parts_of(kind, text):
                    foreign.setdefault(part.removeprefix("listed "), set()).add(id)
            found.append(translate_environment(place, catalogue))
    return tuple(found), foreign, frozenset(games)


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise SystemDataError(folder, (), "there is no such folder")
    return sorted(folder.glob("*.toml"))


def _parse(file: Path) -> dict[str, Any]:
    try:
        return rtoml.loads(file.read_text(encoding="utf-8"))
    except (rtoml.TomlParsingError, OSError, UnicodeDecodeError) as error:
        raise SystemDataError(file, (), str(error)) from error


def _check_head(table: Mapping[str, Any], file: Path, kind: str, record: type[msgspec.Struct], system: str) -> None:
    """Raise SystemDataError for an unknown key, and for a format, kind or system that is not the one expected."""
    known = (*_HEAD, *_shapes(record))
    for key in table:
        if key not in known:
            what = "table" if record is SystemData else "key"
            raise SystemDataError(file, (key,), f"no such {what}{nearest_hint(key, known)}")
    for key, wanted in (("format", FORMAT), ("kind", kind), ("system", system)):
        if table.get(key) != wanted:
            hint = nearest_hint(str(table[key]), (str(wanted),)) if key in table else ""
            raise SystemDataError(file, (key,), f"{wanted!r} expected, {table.get(key)!r} found{hint}")


def _with_id(entry: Any, name: str) -> Any:
    return {"id": name, **entry} if isinstance(entry, dict) else entry


def _check_ids(record: msgspec.Struct, known: KnownIds, file: Path | Mapping[str, Path], path: KeyPath) -> None:
    """Raise SystemDataError for an unknown id of a record in a file, or of one whose fields stand in several."""
    for inner, kind, text in own_ids(record):
        for _, _, message in problems(kind, text, known):
            place = file if isinstance(file, Path) else file[str(inner[0])]
            raise SystemDataError(place, (*path, *inner), message)


def _statements(value: Any, file: Path, path: KeyPath) -> Any:
    """Return the statement of a text, or those of a list."""
    if isinstance(value, list):
        return tuple(_statements(item, file, (*path, index)) for index, item in enumerate(value))
    try:
        return parse_statement(value) if isinstance(value, str) else value
    except StatementError as error:
        raise SystemDataError(file, path, str(error)) from error


def _convert(kind: Any, value: Any, file: Path, path: KeyPath) -> Any:
    try:
        return msgspec.convert(value, kind, from_attributes=True)
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at `$")
        inner = tuple(name or int(index) for name, index in _STEP.findall(place))
        wrong = _WRONG_WORD.match(message)
        hint = nearest_hint(wrong[1], _words_of(kind, inner)) if wrong else ""
        raise SystemDataError(file, (*path, *inner), message + hint) from error


def _words_of(annotation: Any, path: KeyPath) -> frozenset[str]:
    """Return the words that a field may hold by its annotation, the field being at a path in a record."""
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct) and path:
        return _words_of(_shapes(annotation)[str(path[0])].annotation, path[1:])
    inside = typing.get_args(annotation)
    return frozenset(one for one in inside if isinstance(one, str)).union(*(_words_of(one, path) for one in inside))


@cache
def _shapes(kind: type[msgspec.Struct]) -> dict[str, _Shape]:
    """Return the shape of each key of a record's table."""
    return {field.encode_name: _shape(bare_type(field.type), field.required) for field in fields_of_struct(kind)}


def _shape(annotation: Any, required: bool) -> _Shape:
    arguments = typing.get_args(annotation)
    many = typing.get_origin(annotation) is tuple
    candidates = arguments[:1] if many else (annotation, *arguments)
    records = [kind for kind in candidates if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]
    return _Shape(annotation, records[0] if records else None, many, required)
