"""The library: creatures, environments, countdowns and parties to add to encounters, one per file.

The user's own folder takes precedence over the shipped folders, which are read-only. An index caches the entries,
keyed by the names, times and sizes of the files. It can be deleted at any time. The index of the shipped folders is
built with the program, so that their files aren't read at the first start.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from turnwright.encounter.field_specs import MAX_BYTES, nearest_hint
from turnwright.encounter.prepared import ELITE, Countdown, Creature, Environment, Party
from turnwright.encounter.roles import is_character
from turnwright.encounter.state import Encounter, entry_name, grouped, numbered
from turnwright.rules.parts.preparation.affinity import Candidate
from turnwright.rules.parts.preparation.creature_roles import ActionFigures, derived_role
from turnwright.rules.system_data.preparation import ScalingFigures
from turnwright.storage.atomic import make_private, replace_atomically
from turnwright.storage.editor import edited_text
from turnwright.storage.encounters import EncounterFile
from turnwright.storage.findings import Finding, FindingCollector, located_findings
from turnwright.storage.made_with import MADE_WITH, note_newer_version, with_version
from turnwright.storage.migrations import FORMAT, migrate_file
from turnwright.storage.resources import resource_path, resource_root
from turnwright.storage.toml.parser import parse_tables
from turnwright.storage.toml.reader import read_struct, type_name
from turnwright.storage.toml.record_tree import StructTable, dump, table_of
from turnwright.storage.toml.source import read_toml

Kind = Literal["creature", "environment", "countdown", "party"]
LibraryRecord = Creature | Environment | Countdown | Party
KINDS: Mapping[Kind, type[LibraryRecord]] = {
    "creature": Creature,
    "environment": Environment,
    "countdown": Countdown,
    "party": Party,
}  # fmt: skip
_OTHER_KINDS = ("system", "traits", "powers", "adventure", "adventure-run")  # kinds of files outside the library
_LISTED = ("rating", "tags", "size", "type", "environments", "source", "alignment", "xp", "legendary")
_USUAL: Mapping[str, str] = {  # default values in a creature's file
    field.name: field.default for field in msgspec.structs.fields(Creature) if field.name in ("size", "type")
}  # fmt: skip
_HEAD = frozenset({"format", "kind", "system", MADE_WITH})
_INDEX_VERSION = 7
OWN_TRAITS = ".traits.toml"
"""The end of the name of a user's own trait catalogue, after the id of its rule system."""
BUILT_INDEX = "library.msgpack"
"""The name of the index of the shipped folders, which is built with the program."""
_NEVER = 2**63 - 1
_CRAWLS = 10  # the highest speed on land, in feet, of creatures that live in water
_UNSAFE = re.compile(r"[^a-z0-9_-]+")


class LibraryEntry(Candidate, frozen=True, omit_defaults=True, kw_only=True):
    """An entry in the library's list. `haystack` is the lower-case text used for searches."""

    kind: Kind
    system: str
    shipped: bool = False
    haystack: str = ""
    size: str = ""
    source: str = ""
    levels: tuple[int, ...] = ()
    """Of a party: the level of each character, or 0 if it is unknown."""
    mundane_immunity: bool = False
    ills: tuple[tuple[str, str], ...] = ()
    """Of a party: members and their ills: `hurt`, `dead` or the id of a condition."""

    @property
    def marks(self) -> tuple[str, ...]:
        """Of a creature: whether it is `legendary` or `elite`."""
        return (*(("legendary",) if self.legendary else ()), *((ELITE,) if ELITE in self.tags else ()))


def grouped_by_system(entries: Iterable[LibraryEntry]) -> dict[str, list[LibraryEntry]]:
    """Group entries by rule system, and keep their order."""
    return grouped((entry.system, entry) for entry in entries)


class _Seen(msgspec.Struct, frozen=True, array_like=True):
    """The cached state of a file. `entry` is None if the file has errors."""

    path: str
    mtime_ns: int
    size: int
    entry: LibraryEntry | None


_File = tuple[str, os.stat_result, bool]  # a path, its state, and whether it is shipped


class _Index(msgspec.Struct, frozen=True, array_like=True):
    version: int
    seen: tuple[_Seen, ...]


class Library:
    """The user's folder and the shipped folders. `index` is the path of the index file, or None to use no index."""

    def __init__(self, folder: Path, shipped: Sequence[Path] = (), index: Path | None = None) -> None:
        self.folder = folder
        self.shipped = tuple(shipped)
        self.index = index
        self._seen: dict[str, _Seen] | None = None
        self._built: dict[str, _Seen] | None = None
        self._listed: list[_Seen] | None = None  # the shipped files

    @classmethod
    def standard(cls, folder: Path, index: Path | None = None) -> Library:
        """Return the library with the user's folder and all shipped folders."""
        return cls(folder, (resource_path("library"), resource_path("environments")), index)

    def entries(self) -> tuple[LibraryEntry, ...]:
        """Return the library's entries, sorted by name. The user's entries replace shipped entries with the same id."""
        return _shown(self._scan())

    def indexed_entries(self) -> tuple[LibraryEntry, ...]:
        """Return the entries in the index without scanning the folders. Without an index, there are none.

        If the user has no entries yet, the index that is built with the program is enough.
        """
        remembered = self._remembered()
        if not remembered and next(_toml_files(self.folder, depth=3), None) is None:
            remembered = self._prepared()
        return _shown(remembered.values())

    def entries_for(self, system: str) -> tuple[LibraryEntry, ...]:
        """Return the entries of a rule system, sorted by name."""
        return tuple(grouped_by_system(self.entries()).get(system, ()))

    def parties(self, system: str) -> tuple[LibraryEntry, ...]:
        """Return the parties of a rule system, sorted by name. All are the user's, for none is shipped."""
        return tuple(entry for entry in _shown(self._own()) if (entry.kind, entry.system) == ("party", system))

    def findings(self) -> tuple[Finding, ...]:
        """Return the findings of files that can't be listed."""
        findings: list[Finding] = []
        for seen in self._scan():
            if seen.entry is None:
                findings.extend(read_library_file(Path(seen.path))[1])
        return tuple(findings)

    def load(self, entry: Candidate) -> tuple[LibraryRecord | None, tuple[Finding, ...]]:
        """Read an entry's file. The record is None if there was an error."""
        return read_library_file(Path(entry.path))

    def save(self, record: LibraryRecord, system: str) -> Path:
        """Write a record to the user's folder and return its path. A file with the same id is replaced.

        The old version of a party goes to the backups next to the index.
        Raise OSError if that fails. A creature's portrait isn't saved, because it is stored next to an encounter.
        """
        if isinstance(record, Creature) and record.portrait:
            record = msgspec.structs.replace(record, portrait="")
        kind, tree = _kind_of(record), library_tree(record, system)
        path = self._own_path(kind, record.id, system)
        text = ""
        source = read_toml(path) if path.exists() else None
        if source is not None and source.tables is not None:
            text = edited_text(source.text, source.tables, tree)
            if text != source.text:
                text = edited_text(source.text, source.tables, with_version(tree, "system"))
        if not text or _record_in(text) != record:
            text = dump(with_version(tree, "system"), headed=False)
        self.folder.mkdir(parents=True, exist_ok=True)
        backups = self.index.parent / "backups" if self.index is not None and kind == "party" else None
        replace_atomically(path, text.encode(), backups)
        return path

    def _own_path(self, kind: Kind, id: str, system: str) -> Path:
        for entry in (seen.entry for seen in self._own()):
            if entry and (entry.kind, entry.id, entry.system) == (kind, id, system):
                return Path(entry.path)
        stem = _UNSAFE.sub("-", id.casefold()).strip("-") or kind
        taken = {path.stem.casefold() for path in self.folder.glob("*.toml")}
        return self.folder / f"{numbered(stem, taken)}.toml"

    def _own(self) -> list[_Seen]:
        """Return the state of each of the user's files. Scanning the shipped folders as well would take much longer."""
        if self._seen is None:
            self._seen = self._remembered()
        return [self._state(self._seen.get(file[0]), *file) for file in _files(self.folder, is_shipped=False)]

    def _scan(self) -> list[_Seen]:
        """Return the state of each file. Only files that changed since the index was written are read.

        Shipped files are listed only once, because they don't change while the program runs.
        """
        known = self._remembered() if self._seen is None else self._seen
        if self._listed is None:
            files = (file for folder in self.shipped for file in _files(folder, is_shipped=True))
            self._listed = [self._state(known.get(file[0]), *file) for file in files]
        own = _files(self.folder, is_shipped=False)
        seen = [*(self._state(known.get(file[0]), *file) for file in own), *self._listed]
        self._seen = {file.path: file for file in seen}
        if len(known) != len(seen) or any(known.get(file.path) is not file for file in seen):
            self._remember(seen)
        return seen

    def _state(self, known: _Seen | None, path: str, status: os.stat_result, is_shipped: bool) -> _Seen:
        """Return the state of a file. It is read if it is new or changed, and a shipped one isn't in the built index."""
        if known is not None and (known.mtime_ns, known.size) == (status.st_mtime_ns, status.st_size):
            return known
        built = self._prepared().get(path) if is_shipped else None
        if built is not None and built.size == status.st_size and status.st_mtime_ns <= built.mtime_ns:
            return msgspec.structs.replace(built, mtime_ns=status.st_mtime_ns)
        return _Seen(path, status.st_mtime_ns, status.st_size, _entry(Path(path), status.st_size, is_shipped))

    def _prepared(self) -> dict[str, _Seen]:
        """Return the shipped files in the built index, if this library has them."""
        if self._built is None:
            root, index = resource_root(), resource_path(BUILT_INDEX)
            self._built = {}
            with suppress(OSError):
                # Files of an installed program don't change; those of a checkout may be newer than the index.
                newest = _NEVER if root.name == "_resources" else index.stat().st_mtime_ns
                known = _read_index(index) if resource_path("library") in self.shipped else ()
                folders = {seen.path.rpartition("/")[0] for seen in known}
                removed = {folder for folder in folders if not (root / folder).is_dir()}
                self._built = {
                    path: _Seen(path, newest, seen.size, seen.entry and msgspec.structs.replace(seen.entry, path=path))
                    for seen in known
                    if seen.path.rpartition("/")[0] not in removed
                    for path in (str(root / seen.path),)
                }
        return self._built

    def write_built_index(self) -> None:
        """Write the index of the shipped files, which are all read. Their paths are relative to the resources."""
        self._built, self._seen, self._listed, root = {}, {}, None, resource_root()
        rows = []
        for seen in self._scan():
            path = Path(seen.path).relative_to(root).as_posix()
            rows.append(_Seen(path, 0, seen.size, seen.entry and msgspec.structs.replace(seen.entry, path=path)))
        replace_atomically(resource_path(BUILT_INDEX), msgspec.msgpack.encode(_Index(_INDEX_VERSION, tuple(rows))))

    def _remembered(self) -> dict[str, _Seen]:
        return {seen.path: seen for seen in _read_index(self.index)} if self.index is not None else {}

    def _remember(self, seen: Iterable[_Seen]) -> None:
        """Write the index. If that fails, the library still works."""
        if self.index is None:
            return
        with suppress(OSError):
            make_private(self.index.parent)
            replace_atomically(self.index, msgspec.msgpack.encode(_Index(_INDEX_VERSION, tuple(seen))))


def _read_index(file: Path) -> tuple[_Seen, ...]:
    """Return the rows of an index, or none if it is missing, damaged or of another version."""
    with suppress(OSError, msgspec.MsgspecError, ValueError, RecursionError):
        index = msgspec.msgpack.decode(file.read_bytes(), type=_Index)
        return index.seen if index.version == _INDEX_VERSION else ()
    return ()


def _shown(files: Iterable[_Seen]) -> tuple[LibraryEntry, ...]:
    """Return the entries of files, sorted by name, without shipped entries that the user has replaced."""
    entries = [seen.entry for seen in files if seen.entry is not None]
    own = {(entry.kind, entry.system, entry.id) for entry in entries if not entry.shipped}
    shown = [entry for entry in entries if not entry.shipped or (entry.kind, entry.system, entry.id) not in own]
    return tuple(sorted(shown, key=lambda entry: (entry.name.casefold(), entry.kind, entry.system)))


def library_text(record: LibraryRecord | Encounter, system: str) -> str:
    """Return the text of a new library file for a record."""
    if isinstance(record, Encounter):
        return EncounterFile().render(record)
    return dump(library_tree(record, system), headed=False)


def _kind_of(record: LibraryRecord) -> Kind:
    return next(kind for kind, struct in KINDS.items() if isinstance(record, struct))


def library_tree(record: LibraryRecord, system: str) -> StructTable:
    """Return the tables of a record's library file."""
    tree = StructTable(format=FORMAT, kind=_kind_of(record), system=system)
    tree.update(table_of(record, keyed=False))
    return tree


def _toml_files(folder: Path, depth: int) -> Iterator[os.DirEntry[str]]:
    try:
        files = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in files:
        if entry.name.startswith("."):
            continue
        if entry.is_dir() and depth:
            yield from _toml_files(Path(entry.path), depth - 1)
        elif entry.name.endswith(".toml") and not entry.name.endswith(OWN_TRAITS):
            yield entry


def _files(folder: Path, *, is_shipped: bool) -> Iterator[_File]:
    for path in _toml_files(folder, depth=3):
        with suppress(OSError):
            yield path.path, path.stat(), is_shipped


def _entry(path: Path, size: int, shipped: bool) -> LibraryEntry | None:
    """Return a file's list entry without checking all fields, or None if it can't be listed."""
    if size > MAX_BYTES or not path.is_file():
        return None
    try:
        tables = parse_tables(path.read_bytes().decode("utf-8-sig"))
        if tables["kind"] == "creature":
            tables = {**_USUAL, **tables}
        entry = {
            **{name: tables[name] for name in ("kind", "id", "name", "system")},
            **{name: tables[name] for name in _LISTED if name in tables},
            "path": str(path),
            "shipped": shipped,
            "haystack": _haystack(tables),
            **(_standing(tables) if KINDS.get(tables["kind"]) is Party else {}),
            **(_figures(tables) if KINDS.get(tables["kind"]) is Creature else {}),
        }
        entry["haystack"] += f"\n{entry['role']}" if entry.get("role") else ""
        if type(tables.get("format", FORMAT)) is not int or tables.get("format", FORMAT) > FORMAT:
            return None
        return msgspec.convert(entry, LibraryEntry)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _standing(tables: dict[str, Any]) -> dict[str, Any]:
    """Return the levels of a party's characters, and its members that aren't well."""
    party = _record_of(tables, FindingCollector())
    if not isinstance(party, Party):
        return {}
    blocks, lookup = {creature.id: creature for creature in party.creatures}, Encounter(party.creatures + party.roster)
    levels, ills = [], []
    for member in party.roster:
        block, state = blocks.get(member.creature), member.state
        if is_character(lookup, member):
            levels.append(member.level or (block.level if block is not None else 0))
        name, most = entry_name(lookup, member), member.hp or (block.hp if block is not None else 0)
        if state is not None and (state.dead or state.hp < most):
            ills.append((name, "dead" if state.dead else "hurt"))
        ills += [(name, condition.name) for condition in state.conditions] if state is not None else []
    return {"levels": tuple(levels), "ills": tuple(ills)}


def _figures(tables: dict[str, Any]) -> dict[str, Any]:
    """Return the role and the sketch of a creature."""
    creature = _record_of(tables, FindingCollector())
    if not isinstance(creature, Creature):
        return {}
    usual = _usual_numbers(tables["system"])
    speeds = dict(creature.speeds)
    land = max(speeds.get("walk", 0), speeds.get("fly", 0))
    return {
        "role": derived_role(creature, usual),
        "swims_only": land <= _CRAWLS and speeds.get("swim", 0) >= max(1, 3 * land),  # in feet or in metres
        "mundane_immunity": creature.mundane_immunity,
        "sketch": ActionFigures(creature, 3 if usual.by == "level" else 1).sketch(),
    }


@cache
def _usual_numbers(system: str) -> ScalingFigures:
    """Return the usual numbers of creatures in a rule system, or none."""
    folder = next((path for path in resource_path("systems").iterdir() if path.name == system), None)
    for name in ("scaling", "system"):
        file = folder / f"{name}.toml" if folder is not None else None
        tables = parse_tables(file.read_text(encoding="utf-8")) if file is not None and file.is_file() else {}
        if "scaling" in tables:
            return read_struct(ScalingFigures, tables["scaling"], (), FindingCollector()) or ScalingFigures()
        if "based_on" in tables:
            return _usual_numbers(tables["based_on"])
    return ScalingFigures()


def _haystack(tables: dict[str, Any]) -> str:
    """Return the text for searches in lower case: the name, then the kind, then all other texts."""
    words = [tables["name"], *(tables.get(name, "") for name in ("kind", "type", "rating", "size", "alignment"))]
    words += [*tables.get("tags", ()), *tables.get("environments", ())]
    words += [tables.get(name, "") for name in ("languages", "description", "tactics", "notes", "source")]
    for group in ("features", "actions", "outcomes", "creatures", "roster"):
        inner = tables.get(group, ())
        for row in inner.values() if isinstance(inner, dict) else inner:
            words += [row.get("name", ""), row.get("damage", ""), row.get("text", ""), row.get("player", "")]
    return "\n".join(word for word in words if word).casefold()


def read_library_file(path: Path) -> tuple[LibraryRecord | None, tuple[Finding, ...]]:
    """Read a library file. The record is None if there was an error. Never raises because of the file's content."""
    source = read_toml(path)
    if source.tables is None:
        return None, source.findings
    notes = FindingCollector()
    record = _record_of(source.tables, notes)
    return (None if notes.has_errors else record), located_findings(notes, str(path), source.text)


def _struct_of(kind: object) -> type[LibraryRecord] | None:
    """Return the record type for a file's `kind`, or None if the kind is unknown or not a text."""
    return next((struct for name, struct in KINDS.items() if name == kind), None)


def _record_of(tables: dict[str, Any], notes: FindingCollector) -> LibraryRecord | None:
    kind = tables.get("kind")
    struct = _struct_of(kind)
    current = migrate_file(tables, notes, record=struct)
    if current is None:
        return None
    if struct is None:
        expected = f"one of {', '.join(KINDS)}"
        if "kind" not in current:
            notes.error((), f"missing key `kind` ({expected})")
        else:
            hint = nearest_hint(kind, (*KINDS, *_OTHER_KINDS)) if isinstance(kind, str) else ""
            notes.error(("kind",), f"expected {expected}, found {type_name(kind)}{hint}")
        return None
    if "system" not in current:
        notes.error((), "missing key `system` (the id of a rule system)")
    elif not isinstance(current["system"], str):
        notes.error(("system",), f"expected the id of a rule system, found {type_name(current['system'])}")
    record = read_struct(struct, current, (), notes, foreign_keys=_HEAD)
    note_newer_version(current, notes)
    return record


def _record_in(text: str) -> LibraryRecord | None:
    """Parse the record in a text, or return None if it is invalid."""
    try:
        return _record_of(parse_tables(text.removeprefix("\ufeff")), FindingCollector())
    except ValueError:
        return None
