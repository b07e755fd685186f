"""The catalogue of a game's traits, from `systems/<game>/traits.toml`: which sentences are known, and what they give.

An entry is known by its sentences (`says`, and one of `then` where it needs a second), further ones being `also`; by a name
alone where a feature has no text, or where `by_name` says so. `gives` are fields of a feature in which slots stand for what
was found: what holds a slot that wasn't is left out, a fact, a rule or a whole field.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec

from turnwright.encounter.field_specs import FieldSpec
from turnwright.encounter.prepared import Feature
from turnwright.storage.findings import Finding, FindingCollector, located_findings
from turnwright.storage.keys import KeyPath
from turnwright.storage.reader import read_struct
from turnwright.storage.resources import resource_root
from turnwright.storage.toml_source import read_toml
from turnwright.storage.traits.templates import MAX_TEMPLATE, SentenceTemplate, TemplateError, compile_template

TRAITS_FILE: Final = "traits.toml"
AREA: Final = "area"  # a slot of `gives`: how far the area of the feature reaches
MAX_ENTRIES: Final = 2_000
_HEAD: Final = frozenset({"format", "kind", "system"})
_APART: Final = frozenset({"gives", "words", "parts"})
_SLOT: Final = re.compile(r"\{([a-z][a-z_-]*[0-9]?)(?:\+[0-9])?\}")
_GIVEN: Final = frozenset(Feature.__struct_fields__) - {"id", "name", "text", "read"}

Cost = Literal["trait", "action", "bonus", "reaction", "legendary", "lair", "free"]


class TraitEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One entry as it stands in a file. `costs` are those of the features it is for, empty for any.

    `named`: its sentences count only under one of its names. `brackets` are words in brackets behind a name (`While Bloodied`): the entry adds to what others give. `rest`: it is for
    any text that no other entry knows. `beside` are sentences that change nothing of what it does, but say more than that; `part`: so may any further ones, where
    none takes anything back. `samples` are sentences of a
    feature that the entry gives its fields to.
    """

    id: str
    names: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    costs: tuple[Cost, ...] = ()
    brackets: tuple[str, ...] = ()
    by_name: bool = False
    named: bool = False
    rest: bool = False
    part: bool = False
    samples: tuple[str, ...] = ()


class TraitFile(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file of traits. Its game has the entries of the game `as_in` too, after its own; `aside` are sentences without effect."""

    as_in: Annotated[str, FieldSpec(ids=("game",))] = ""
    aside: tuple[str, ...] = ()
    traits: tuple[TraitEntry, ...] = ()


class CompiledEntry(msgspec.Struct, frozen=True):
    """An entry with its templates compiled and the fields that it gives."""

    entry: TraitEntry
    names: frozenset[str]
    says: tuple[SentenceTemplate, ...]
    then: tuple[SentenceTemplate, ...]
    also: tuple[SentenceTemplate, ...]
    beside: tuple[SentenceTemplate, ...]
    gives: Mapping[str, Any]


class Catalogue(msgspec.Struct, frozen=True):
    """The entries of a game in the order in which they are tried, and what no entry needs."""

    entries: tuple[CompiledEntry, ...] = ()
    aside: tuple[SentenceTemplate, ...] = ()
    words: Mapping[str, Mapping[str, str]] = {}
    parts: Mapping[str, str] = {}


class TraitsError(ValueError):
    """Mistakes in a file of traits, each with file, line and key."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        self.findings = findings
        super().__init__("\n".join(map(str, findings)))


@lru_cache(maxsize=8)
def shipped_catalogue(system: str, root: Path | None = None) -> Catalogue:
    """Return the catalogue of a shipped game, an empty one where it has none; TraitsError."""
    file = (root or resource_root()) / "systems" / system / TRAITS_FILE
    return read_catalogue(file, root) if system and file.is_file() else Catalogue()


def read_catalogue(file: Path, root: Path | None = None, before: Catalogue | None = None) -> Catalogue:
    """Return the catalogue of a file, `before` (or the game that it names) coming after its own entries; TraitsError."""
    source = read_toml(file)
    if source.tables is None:
        raise TraitsError(source.findings)
    notes = FindingCollector()
    head = {key: value for key, value in source.tables.items() if key not in ("traits", *_APART)}
    stated = read_struct(TraitFile, head, (), notes, foreign_keys=_HEAD)
    if before is None:
        before = shipped_catalogue(stated.as_in, root) if stated and stated.as_in else Catalogue()
    words = {**before.words, **_words(source.tables.get("words", {}), notes)}
    parts = {**before.parts, **_parts(source.tables.get("parts", {}), notes)}
    compiler = _Compiler(words, parts, notes)
    aside = compiler.templates(stated.aside if stated else (), ("aside",))
    entries = compiler.entries(source.tables.get("traits", {}))
    if notes.has_errors:
        raise TraitsError(located_findings(notes, str(file), source.text))
    own = {each.entry.id for each in entries}
    rest = tuple(each for each in before.entries if each.entry.id not in own)
    return Catalogue((*entries, *rest), (*aside, *before.aside), words, parts)


class _Compiler:
    """Compiles the templates of one file, noting every mistake."""

    def __init__(
        self, words: Mapping[str, Mapping[str, str]], parts: Mapping[str, str], notes: FindingCollector
    ) -> None:
        self.words, self.parts, self.notes = words, parts, notes

    def templates(self, texts: Iterable[str], path: KeyPath) -> tuple[SentenceTemplate, ...]:
        """Return the templates of texts at a path."""
        found: list[SentenceTemplate] = []
        for at, text in enumerate(texts):
            try:
                if len(text) > MAX_TEMPLATE:
                    raise TemplateError(f"is longer than {MAX_TEMPLATE} characters")
                found.append(compile_template(text, self.words, self.parts))
            except TemplateError as error:
                self.notes.error((*path, at), str(error))
        return tuple(found)

    def entries(self, tables: Any) -> tuple[CompiledEntry, ...]:
        """Return the compiled entries of the table `traits`."""
        if not isinstance(tables, dict) or len(tables) > MAX_ENTRIES:
            self.notes.error(("traits",), f"expected a table of at most {MAX_ENTRIES:,} entries")
            return ()
        return tuple(one for id, table in tables.items() if (one := self._entry(id, table)) is not None)

    def _entry(self, id: str, table: Any) -> CompiledEntry | None:
        path = ("traits", id)
        entry = read_struct(TraitEntry, table, path, self.notes, id=id, foreign_keys=_APART)
        if entry is None:
            return None
        for key in table:
            if key not in (*TraitEntry.__struct_fields__, "gives"):
                self.notes.error((*path, key), "is no key of an entry")
        says, then, also, beside = (
            self.templates(getattr(entry, field), (*path, field)) for field in ("says", "then", "also", "beside")
        )
        if not (entry.names or entry.says or entry.brackets or entry.rest):
            self.notes.error(path, "has no names, says, brackets or rest: nothing is known by it")
        gives = table.get("gives", {})
        self._check_given(gives, (*path, "gives"), {slot for each in (*says, *then, *also) for slot in each.slots})
        return CompiledEntry(entry, frozenset(map(str.casefold, entry.names)), says, then, also, beside, gives)

    def _check_given(self, gives: Any, path: KeyPath, slots: set[str]) -> None:
        """Note a field that no feature has, and a slot that no sentence of the entry has."""
        if not isinstance(gives, dict) or not gives:
            self.notes.error(path, "expected a table of fields of a feature")
            return
        for field, value in gives.items():
            if field not in _GIVEN:
                self.notes.error((*path, field), f"is no field of a feature{self.notes.hint(field, _GIVEN)}")
            for slot in _SLOT.findall(repr(value)):
                if slot != AREA and slot.replace("-", "_") not in slots:
                    self.notes.error((*path, field), f"{{{slot}}} stands in none of its sentences")


def _words(tables: Any, notes: FindingCollector) -> dict[str, dict[str, str]]:
    """Return the tables of words: by the name of a slot, what each word stands for. A list stands for its own words."""
    found: dict[str, dict[str, str]] = {}
    for name, table in tables.items() if isinstance(tables, dict) else ():
        pairs = dict.fromkeys(table) if isinstance(table, list) else table
        if not isinstance(pairs, dict) or not all(isinstance(each, str) for each in pairs):
            notes.error(("words", name), "expected a table of words, or a list")
            continue
        found[name] = {str(word).lower(): str(word if value is None else value) for word, value in pairs.items()}
    return found


def _parts(table: Any, notes: FindingCollector) -> dict[str, str]:
    """Return the parts of templates by their names."""
    if not isinstance(table, dict) or not all(isinstance(each, str) for each in table.values()):
        notes.error(("parts",), "expected a table of parts of templates")
        return {}
    return dict(table)
