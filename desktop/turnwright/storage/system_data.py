"""Reads the shipped data of a rule system into one `SystemData`.

Each file in `resources/systems/<system>/` contains some of the tables. `resources/environments/` has the environments
of all systems. Environments written for another system are converted with a table of the system. The ledger and the
traits and class features are read separately, because they are only needed to look up reasons and to read stat blocks.

Systems and texts are cached after they were read and checked, to speed up the next start. Each cache file begins with a
digest of the program's version, the source files and the code that reads them. If the digest differs, the files are
read again. The cache folder can be deleted safely.
"""

import re
import typing
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache, partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
import rtoml

from turnwright import __version__
from turnwright.encounter.field_specs import CLOSE, FieldSpec, bare_type, fields_of_struct, nearest_hint, spec_of
from turnwright.encounter.prepared import Environment
from turnwright.rules.parts.environment.entries import translate_environment
from turnwright.rules.system_data import SystemData, references, rounds, statements
from turnwright.rules.system_data.editions import citing, of_edition, overlay, successors_in, without
from turnwright.rules.system_data.known_ids import KnownIds, known_ids
from turnwright.rules.system_data.ledger import LedgerRule
from turnwright.rules.system_data.roles import CONDITION_ROLES, OPTION_ROLES, missing_roles
from turnwright.rules.word_keys import keys_of_ids
from turnwright.storage import atomic, icon_names, migrations, resources, word_catalogue
from turnwright.storage.toml.parser import LineIndex
from turnwright.storage.toml.reader import type_name
from turnwright.storage.toml.values import KeyPath, key_text

_LEDGER = "ledger.toml"
_APART = (_LEDGER, "traits.toml", "powers.toml")  # files that are read separately
_RULE_ID = re.compile(r'^id = "([^"]+)"$', re.MULTILINE)
_CONVERTED = {  # the kinds of ids that can be converted from another game, and the tables that define them
    "ability": "abilities",
    "condition": "conditions",
    "damage type": "damage_types",
    "resource": "resources",
    "skill": "skills",
}
_HEAD = ("format", "kind", "system")
_STEP = re.compile(r"\.([^.\[\]`]+)|\[(\d+)\]")  # a name or index in the path of a msgspec message
_WRONG_TYPE = re.compile(r"Expected `(\w+)")
_TYPES = {"array": "a list", "bool": "true or false", "float": "a number", "int": "a whole number", "str": "a text"}
_Record = TypeVar("_Record", bound=msgspec.Struct)


class _Shape(NamedTuple):
    """The expected content of a key: its type, whether it is required, and the specification with its limits.

    `record` is the type of the records in it, or None. `many`: the key holds several records, or pairs.
    """

    annotation: Any
    record: type[msgspec.Struct] | None
    many: bool
    required: bool
    spec: FieldSpec


class SystemDataError(ValueError):
    """An error in a system's data: its file, line, key and message."""

    def __init__(self, file: Path, path: KeyPath, message: str, place: KeyPath = ()) -> None:
        self.file = file
        self.line = _line_of(file, place or path)
        self.key = key_text(path)
        self.message = message
        super().__init__(f"{file}:{self.line}: {self.key}: {message}" if path else f"{file}:{self.line}: {message}")


class _Reader:
    """Reads the files of one system. `records` collects all records, so that ids can be checked at the end."""

    def __init__(self) -> None:
        self.records: list[tuple[Path, KeyPath, msgspec.Struct]] = []

    def fields(self, tables: Mapping[str, Any], files: Mapping[str, Path]) -> dict[str, Any]:
        """Convert the tables of a system to fields. `files` is the file of each table."""
        shapes = _shapes(SystemData)
        return {key: self._field(shapes[key], value, files[key], (key,)) for key, value in tables.items()}

    def check_ids(self, known: KnownIds) -> None:
        """Raise SystemDataError for the first unknown id or statement in the collected records."""
        for file, path, record in self.records:
            _check_ids(record, known, file, path)
        self.records.clear()

    def record(
        self, kind: type[_Record], table: Any, file: Path, path: KeyPath, beside: frozenset[str] = frozenset()
    ) -> _Record:
        """Convert a table to a record. Keyed tables in it become tuples of records, and small tables become pairs.

        `beside` are the ids of the other records in the same table. If a key is missing, they help to find a
        misspelled id.
        """
        if not isinstance(table, dict):
            raise SystemDataError(file, path, f"expected a table, found {table!r}")
        shapes = _shapes(kind)
        for key in table:
            if key not in shapes:
                raise SystemDataError(file, (*path, key), f"unknown key{nearest_hint(key, shapes)}")
        for key, shape in shapes.items():
            if shape.required and key not in table:
                own = str(path[-1]) if path else ""
                raise SystemDataError(file, path, f"missing key `{key}`{nearest_hint(own, beside, CLOSE)}")
        ready = {key: self._value(shapes[key], value, file, (*path, key)) for key, value in table.items()}
        record = typing.cast("_Record", _convert(kind, ready, file, path))
        self.records.append((file, path, record))
        return record

    def _field(self, shape: _Shape, value: Any, file: Path, path: KeyPath) -> Any:
        return _convert(shape.annotation, self._value(shape, value, file, path), file, path)

    def _value(self, shape: _Shape, value: Any, file: Path, path: KeyPath) -> Any:
        """Return a field's value, prepared for conversion."""
        if shape.record is None:
            numbers = tuple(value.items()) if isinstance(value, dict) else value
            if shape.spec.is_limited and _is_numeric(numbers) and (wrong := shape.spec.problem(numbers)):
                raise SystemDataError(file, path, wrong)
            return tuple(value.items()) if shape.many and isinstance(value, dict) else value
        if shape.record is statements.Statement:
            return _statements(value, file, path)
        if not shape.many:
            return self.record(shape.record, value, file, path)
        if isinstance(value, dict):
            entries: list[tuple[str | int, Any]] = [(name, _with_id(entry, name)) for name, entry in value.items()]
        elif isinstance(value, list):
            entries = list(enumerate(value))
        else:
            raise SystemDataError(file, path, f"expected a table, found {value!r}")
        beside = frozenset(value) if isinstance(value, dict) else frozenset()
        return tuple(self.record(shape.record, entry, file, (*path, name), beside - {name}) for name, entry in entries)


def read_system_data(
    system_id: str, root: Path | None = None, folder: Path | None = None, changed: Path | None = None
) -> SystemData:
    """Return all data of a system except its ledger and its traits.

    Raise SystemDataError with the file, line and key of the error. `folder` contains the files of a system that isn't
    shipped with the program. The tables of the file `changed` replace those in the folder.
    """
    root, is_own = root or resources.resource_root(), folder is not None or changed is not None
    folder = folder or root / "systems" / system_id
    reader = _Reader()
    tables, files = tables_of(system_id, folder, root, changed)
    fields: dict[str, Any] = {"id": system_id, **reader.fields(tables, files)}
    if "name" not in fields:
        raise SystemDataError(folder, ("name",), "the system has no name")
    if "countdown_faces" in fields and "countdown_table" not in fields:
        fields["countdown_table"] = rounds.expected_countdowns(fields["countdown_faces"])
    fields["engine_ids"] = tuple(
        (kind, tuple(ids.split())) for kind, ids in _parse(resources.resource_root() / "engine_ids.toml").items()
    )
    catalogue = _with_marks(SystemData(**fields))
    if catalogue.movement.mount_sizes and not catalogue.sizes:
        raise SystemDataError(folder, ("sizes",), "missing table; `movement.mount_sizes` requires it")
    _check_roles(catalogue, files, folder)
    environments, foreign, games = _environments(root / "environments", catalogue, reader)
    catalogue = msgspec.structs.replace(catalogue, environments=environments)
    known = known_ids(catalogue) | {references.FOREIGN + kind: frozenset(ids) for kind, ids in foreign.items()}
    known |= {
        "game": games,
        "habitat": frozenset(resources.habitats()),
        "rule": _rule_ids(folder),
        "term": known["term"] | keys_of_ids(catalogue) | word_catalogue.usual_terms().keys(),
        "word": frozenset(word_catalogue.WordCatalogue.load()),
    }
    if is_own:
        known["icon"] = frozenset(f"{references.ICON_PREFIX}{name}" for name in icon_names.icon_codes())
    _check_ids(catalogue, known, files, ())
    reader.check_ids(known)
    return catalogue


def tables_of(
    system_id: str, folder: Path, root: Path, changed: Path | None = None
) -> tuple[dict[str, Any], dict[str, Path]]:
    """Return the tables of a system with those that it inherits, and the file of each. Raise SystemDataError."""
    tables: dict[str, Any] = {}
    files: dict[str, Path] = {}
    for file in (*filter(None, (changed,)), *_files(folder)):
        if file.name in _APART and file != changed:
            continue
        table = _parse(file)
        _check_head(table, file, "system", SystemData, system_id)
        for key in (key for key in table if key not in _HEAD):
            if key in tables and files[key] == changed:
                continue
            if key in tables:
                raise SystemDataError(file, (key,), "also defined in another file")
            tables[key], files[key] = table[key], file
    base: str | None = tables.get("based_on")
    if base is None:
        return tables, files
    if not (root / "systems" / base).is_dir():
        raise SystemDataError(files["based_on"], ("based_on",), f"expected the id of a rule system, found {base!r}")
    inherited, theirs = tables_of(base, root / "systems" / base, root)
    for path in tables.get("gone", ()):
        try:
            inherited = without(inherited, path)
        except LookupError as error:
            raise SystemDataError(files["gone"], ("gone",), f"the base has no {path!r}{error}") from error
    keyed = [key for key, shape in _shapes(SystemData).items() if shape.many and shape.record]
    inherited, renamed = of_edition(inherited, dict(inherited.get("editions", ())).get(system_id, ""))
    own = read_ledger_file(folder / _LEDGER) if (folder / _LEDGER).is_file() else ()
    return overlay(citing(inherited, renamed | successors_in(own)), tables, keyed), {**theirs, **files}


def read_ledger(system_id: str, root: Path | None = None) -> tuple[LedgerRule, ...]:
    """Return a system's ledger with the rules that it inherits. Raise SystemDataError if a rule is invalid."""
    return _ledger_of((root or resources.resource_root()) / "systems" / system_id)


def _ledger_of(folder: Path) -> tuple[LedgerRule, ...]:
    rules: tuple[LedgerRule, ...] = ()
    for file in (each / _LEDGER for each in resources.system_folders(folder)):
        if file.is_file():
            own = read_ledger_file(file)
            out = {*successors_in(own), *_parse(file).get("gone", ())}
            rules = (*(rule for rule in rules if rule.id not in out), *own)
    return rules


def read_ledger_file(file: Path) -> tuple[LedgerRule, ...]:
    """Return the rules of a ledger without those that it inherits. Raise SystemDataError if a rule is invalid."""
    rules = _parse(file).get("rule", [])
    reader = _Reader()
    return tuple(reader.record(LedgerRule, rule, file, ("rule", index)) for index, rule in enumerate(rules))


def _with_marks(catalogue: SystemData) -> SystemData:
    """Add the conditions used by environments that were written for another system."""
    known = {condition.id for condition in catalogue.conditions}
    brought = tuple(mark for mark in catalogue.elsewhere.marks if mark.id not in known)
    return msgspec.structs.replace(catalogue, conditions=(*catalogue.conditions, *brought))


def _check_roles(catalogue: SystemData, files: Mapping[str, Path], folder: Path) -> None:
    """Check the roles. Raise SystemDataError if one is unknown, refers to an unknown id, or is required but missing."""
    conditions = {condition.id for condition in catalogue.conditions}
    options = {option.id for option in catalogue.options}
    for role, id in catalogue.roles:
        if role not in (*CONDITION_ROLES, *OPTION_ROLES):
            expected = nearest_hint(role, (*CONDITION_ROLES, *OPTION_ROLES))
            raise SystemDataError(files["roles"], ("roles", role), f"unknown role{expected}")
        kind, known = ("house rule", options) if role in OPTION_ROLES else ("condition", conditions)
        if id not in known:
            message = f"expected the id of a {kind} of this system, found {id!r}{nearest_hint(id, known)}"
            raise SystemDataError(files["roles"], ("roles", role), message)
    for role, key in missing_roles(catalogue):
        file = files.get("roles") or files.get(key.partition(".")[0]) or folder
        message = f"expected the id of a condition of this system, found nothing; `{key}` requires it"
        raise SystemDataError(file, ("roles", role), message, () if "roles" in files else tuple(key.split(".")))


def _rule_ids(folder: Path) -> frozenset[str]:
    """Return the ids of a ledger's rules.

    The file is only parsed if the system is based on another, or a scan of its lines doesn't find an id for each rule.
    """
    ledger = folder / _LEDGER
    if len(resources.system_folders(folder)) > 1:
        return frozenset(rule.id for rule in _ledger_of(folder))
    if not ledger.is_file():
        return frozenset()
    text = ledger.read_text(encoding="utf-8")
    ids = frozenset(_RULE_ID.findall(text))
    if len(ids) == text.count("[[rule]]"):
        return ids
    return frozenset(str(rule.get("id")) for rule in _parse(ledger).get("rule", []))


def _line_of(file: Path, path: KeyPath) -> int:
    """Return the line of a key in a file, or of the nearest enclosing table; 1 if it is unknown."""
    try:
        return LineIndex(file.read_text(encoding="utf-8")).line_of(path)
    except (OSError, UnicodeDecodeError):
        return 1


def _environments(
    folder: Path, catalogue: SystemData, reader: _Reader
) -> tuple[tuple[Environment, ...], Mapping[str, set[str]], frozenset[str]]:
    """Return a system's environments, including converted ones, and their foreign ids by kind.

    The last value contains the ids of all rule systems that any environment was written for.
    """
    environments: list[Environment] = []
    foreign = (
        _ids_of_origin(folder.parent / "systems" / catalogue.elsewhere.origin) if catalogue.elsewhere.origin else {}
    )
    games: set[str] = set()
    for file in _files(folder):
        table = _parse(file)
        written_for = str(table.get("system"))
        expected = catalogue.id if nearest_hint(written_for, (catalogue.id,), CLOSE) else written_for
        _check_head(table, file, "environment", Environment, expected)
        games.add(written_for)
        body = {key: value for key, value in table.items() if key not in _HEAD}
        if written_for == catalogue.id:
            environments.append(reader.record(Environment, body, file, ()))
        elif written_for == catalogue.elsewhere.origin:  # unknown names in these are asked about during play
            place = _Reader().record(Environment, body, file, ())
            for _, kind, text in references.ids_in(place):
                for part, id in references.parts_of(kind, text):
                    foreign.setdefault(part.removeprefix("listed "), set()).add(id)
            environments.append(translate_environment(place, catalogue))
    return tuple(environments), foreign, frozenset(games)


def _ids_of_origin(folder: Path) -> dict[str, set[str]]:
    """Return the ids of a game whose environments are converted, by kind. Empty if its folder doesn't exist."""
    tables = [_parse(file) for file in sorted(folder.glob("*.toml")) if file.name not in _APART]
    return {kind: {id for table in tables for id in table.get(key, ())} for kind, key in _CONVERTED.items()}


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise SystemDataError(folder, (), "folder not found")
    return sorted(folder.glob("*.toml"))


def _parse(file: Path) -> dict[str, Any]:
    try:
        return rtoml.loads(file.read_text(encoding="utf-8"))
    except (rtoml.TomlParsingError, OSError, UnicodeDecodeError) as error:
        raise SystemDataError(file, (), str(error)) from error


def _check_head(table: Mapping[str, Any], file: Path, kind: str, record: type[msgspec.Struct], system: str) -> None:
    """Raise SystemDataError for an unknown key, or for an unexpected format, kind or system."""
    known = (*_HEAD, *_shapes(record))
    for key in table:
        if key not in known:
            what = "table" if record is SystemData else "key"
            raise SystemDataError(file, (key,), f"unknown {what}{nearest_hint(key, known)}")
    for key, expected in (("format", migrations.FORMAT), ("kind", kind), ("system", system)):
        if table.get(key) != expected:
            hint = nearest_hint(str(table[key]), (str(expected),)) if key in table else ""
            raise SystemDataError(file, (key,), f"expected {expected!r}, found {table.get(key)!r}{hint}")


def _with_id(entry: Any, name: str) -> Any:
    return {"id": name, **entry} if isinstance(entry, dict) else entry


def _check_ids(record: msgspec.Struct, known: KnownIds, file: Path | Mapping[str, Path], path: KeyPath) -> None:
    """Raise SystemDataError if a record contains an unknown id.

    `file` is the record's file, or a mapping of its fields to files.
    """
    for inner, kind, text in references.own_ids(record):
        for _, _, message in references.problems(kind, text, known):
            raise SystemDataError(file if isinstance(file, Path) else file[str(inner[0])], (*path, *inner), message)


def _statements(value: Any, file: Path, path: KeyPath) -> Any:
    """Parse a statement, or each statement of a list."""
    if isinstance(value, list):
        return tuple(_statements(item, file, (*path, index)) for index, item in enumerate(value))
    try:
        return statements.parse_statement(value) if isinstance(value, str) else value
    except statements.StatementError as error:
        raise SystemDataError(file, path, str(error)) from error


def _convert(kind: Any, value: Any, file: Path, path: KeyPath) -> Any:
    try:
        return msgspec.convert(value, kind, from_attributes=True)
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at `$")
        inner = tuple(name or int(index) for name, index in _STEP.findall(place))
        named, wrong = _found(value, inner)
        if words := _words_of(kind, inner) - {""}:
            message = f"expected one of {', '.join(sorted(words))}, found {type_name(wrong)}"
            message += nearest_hint(str(wrong), words)
        elif expected := _WRONG_TYPE.match(message):
            message = f"expected {_TYPES.get(expected[1], 'a table')}, found {type_name(wrong)}"
        raise SystemDataError(file, (*path, *named), message) from error


def _found(value: Any, path: KeyPath) -> tuple[KeyPath, Any]:
    """Return the path to a part of a prepared value as it is in the file, and the part. Pairs are named, not counted."""
    named: list[str | int] = []
    for step in path:
        is_in_pair = isinstance(value, tuple) and isinstance(step, int)
        inner = getattr(value, str(step)) if isinstance(value, msgspec.Struct) else value[step]
        if is_in_pair and isinstance(inner, tuple):
            named.append(inner[0])
        elif not is_in_pair:
            named.append(step)
        value = inner
    return tuple(named), value


def _is_numeric(value: Any) -> bool:
    """Whether a value is a whole number, or pairs of a name and one."""
    numbers = [number for _, number in value] if isinstance(value, tuple) else [value]
    return all(type(number) is int for number in numbers)


def _words_of(annotation: Any, path: KeyPath) -> frozenset[str]:
    """Return the texts that a field accepts. `path` leads from the annotated record to the field."""
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct) and path:
        return _words_of(_shapes(annotation)[str(path[0])].annotation, path[1:])
    inside = typing.get_args(annotation)
    return frozenset(part for part in inside if isinstance(part, str)).union(
        *(_words_of(part, path) for part in inside)
    )


@cache
def _shapes(kind: type[msgspec.Struct]) -> dict[str, _Shape]:
    """Return the shape of each key of a record's table."""
    return {
        field.encode_name: _shape(bare_type(field.type), field.required, spec_of(kind, field.name))
        for field in fields_of_struct(kind)
    }


def _shape(annotation: Any, required: bool, spec: FieldSpec) -> _Shape:
    arguments = typing.get_args(annotation)
    many = typing.get_origin(annotation) is tuple
    candidates = arguments[:1] if many else (annotation, *arguments)
    records = [kind for kind in candidates if isinstance(kind, type) and issubclass(kind, msgspec.Struct)]
    return _Shape(annotation, records[0] if records else None, many, required, spec)


T = TypeVar("T")
_CODE = Path(__file__).resolve().parents[1]
_READERS = ("encounter", "rules/system_data", "rules/parts/environment", "storage")


def cached_system_data(system_id: str, folder: Path, root: Path | None = None) -> SystemData:
    """Return all data of a system except its ledger. Use the cache if nothing has changed.

    Raise SystemDataError in the same cases as `read_system_data`.
    """
    root = root or resources.resource_root()
    folders = (*resources.shipped_folders(system_id, root), root / "environments", root / "words")
    data = [file for folder in folders for file in _cached_files(folder, ".toml")]
    code = [file for name in _READERS for file in _cached_files(_CODE / name, ".py")]
    files = [resources.resource_root() / "engine_ids.toml", *data, *code]
    return _kept(folder / f"{system_id}.msgpack", files, SystemData, partial(read_system_data, system_id, root))


def cached_texts(language: str, folder: Path) -> dict[str, str]:
    """Return a language's texts, keyed by message key. Use the cache if nothing has changed."""
    files = [resources.resource_root() / "words" / f"{language}.toml"]
    return _kept(
        folder / f"words-{language}.msgpack", files, dict[str, str], lambda: dict(word_catalogue.texts_of(language))
    )


def _kept(cache_file: Path, files: Iterable[Path], kind: type[T], read: Callable[[], T]) -> T:
    """Return the content of a cache file if its source files haven't changed, or else read them again."""
    digest = _digest(files)
    with suppress(OSError, msgspec.DecodeError, ValueError, RecursionError):
        content = cache_file.read_bytes()
        if content.startswith(digest):
            return msgspec.msgpack.decode(content[len(digest) :], type=kind)
    data = read()
    with suppress(OSError):
        cache_file.parent.mkdir(parents=True, exist_ok=True)
        atomic.replace_atomically(cache_file, digest + msgspec.msgpack.encode(data))
    return data


def _cached_files(folder: Path, ending: str) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.suffix == ending) if folder.is_dir() else []


def _digest(files: Iterable[Path]) -> bytes:
    """Return a digest of the program's version and the state of files."""
    digest = blake2b(__version__.encode(), digest_size=32)
    for file in files:
        state = file.stat()
        digest.update(f"{file} {state.st_mtime_ns} {state.st_size} ".encode())
    return digest.digest()
