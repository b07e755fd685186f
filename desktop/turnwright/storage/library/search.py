"""The items of the library panel: entries, encounters and samples, with search, favourites and deletion.

A key press needs one pass over a list of texts. If words were only added or extended, it searches the previous result.
Deleted files can always be restored. Independent of Qt.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from itertools import compress, repeat
from operator import contains
from pathlib import Path, PurePosixPath
from typing import Any, Final, Literal, NamedTuple, cast, get_args

import msgspec
import rtoml

from turnwright.encounter.prepared import CreatureRole
from turnwright.encounter.state import grouped
from turnwright.storage.atomic import back_up, make_private, replace_atomically
from turnwright.storage.library.entries import Kind, Library, LibraryEntry
from turnwright.storage.resources import read_text, sample_encounters
from turnwright.storage.toml.source import head_of_encounter

SortOrder = Literal["name", "fits", "rating", "type", "size", "source"]
SIZES: Final = ("tiny", "small", "medium", "large", "huge", "gargantuan", "titanic")
_NOT_NAMED: Final = 4
_LAST: Final = Fraction(10_000)


class LibraryFilter(msgspec.Struct, frozen=True):
    """A filter of entries. Empty fields accept everything. `min_rating` and `max_rating` are texts, as in files.

    `system` is a rule system, or several with blanks between them. Entries with any of the words in `without` are left
    out, whichever field has it. `ids` are those of creatures.
    """

    system: str = ""
    kinds: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    environments: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    ids: frozenset[str] | None = None
    min_rating: str = ""
    max_rating: str = ""
    paths: frozenset[str] | None = None


NO_FILTER: Final = LibraryFilter()
MAX_RANKED: Final = 500  # longer lists are not ranked


def rating_rank(rating: str) -> Fraction:
    """Convert a rating or level to a number for sorting. Entries without a rating come last."""
    try:
        return Fraction(rating)
    except (ValueError, ZeroDivisionError):
        return _LAST


class LibrarySearch:
    """Searches a list of entries sorted by name. Create a new search when the library changes."""

    def __init__(self, entries: Iterable[LibraryEntry]) -> None:
        self.entries = tuple(entries)
        self._asked: tuple[LibraryFilter, SortOrder] = (NO_FILTER, "name")
        self._let = self._left = _Kept(self.entries, tuple(entry.haystack for entry in self.entries))
        self._words: tuple[str, ...] = ()

    def find(
        self, query: str = "", library_filter: LibraryFilter = NO_FILTER, order: SortOrder = "name"
    ) -> list[LibraryEntry]:
        """Return the entries that contain every word of a query.

        Short results are sorted by how well the names match.
        """
        self._settle(library_filter, order)
        words = tuple(query.casefold().split())
        if not all(any(old in new for new in words) for old in self._words):
            self._words, self._left = (), self._let
        for word in words:
            if word not in self._words:
                self._left = self._left.having(word)
        self._words = words
        entries = list(self._left.entries)
        return _likeliest_first(words, entries, order) if words and len(entries) <= MAX_RANKED else entries

    def _settle(self, within: LibraryFilter, order: SortOrder) -> None:
        """Apply a filter and a sort order if either has changed."""
        if self._asked == (within, order):
            return
        entries = [entry for entry in self.entries if _lets(within, entry)]
        if order != "name":  # the sort is stable, so equal entries stay sorted by name
            entries.sort(key=_KEYS[order])
        self._asked = (within, order)
        self._let = self._left = _Kept(tuple(entries), tuple(entry.haystack for entry in entries))
        self._words = ()


class _Kept(NamedTuple):
    """Entries and their texts as parallel tuples, so that the texts can be searched in one pass in C."""

    entries: tuple[LibraryEntry, ...]
    texts: tuple[str, ...]

    def having(self, word: str) -> _Kept:
        has = tuple(map(contains, self.texts, repeat(word)))
        return _Kept(tuple(compress(self.entries, has)), tuple(compress(self.texts, has)))


def likeliest_named(query: str, entries: Iterable[LibraryEntry]) -> LibraryEntry | None:
    """Return the entry with the name that best matches a query, or None if no name contains all its words."""
    words = tuple(query.casefold().split())
    named = [entry for entry in entries if name_rank(words, entry.name) < _NOT_NAMED] if words else []
    return next(iter(_likeliest_first(words, named, "name")), None)


def name_rank(words: tuple[str, ...], name: str) -> int:
    """Rank how well lower-case words match a name.

    0: the whole name. 1: the start of the name. 2: the starts of words. 3: anywhere. Other names rank last.
    """
    folded, typed = name.casefold(), " ".join(words)
    if folded == typed:
        return 0
    if folded.startswith(typed):
        return 1
    if all(f" {word}" in f" {folded}" for word in words):
        return 2
    return 3 if all(word in folded for word in words) else _NOT_NAMED


def is_named(words: tuple[str, ...], entries: Iterable[LibraryEntry]) -> bool:
    """Return whether the name or the kind of any entry matches lower-case words."""
    return any(name_rank(words, entry.name) < _NOT_NAMED or words == (entry.kind,) for entry in entries)


def _likeliest_first(words: tuple[str, ...], entries: list[LibraryEntry], order: SortOrder) -> list[LibraryEntry]:
    """Sort entries by how well their names match.

    In name order, weaker creatures come first, because they are more common.
    """
    if order == "name":
        return sorted(entries, key=lambda entry: (name_rank(words, entry.name), rating_rank(entry.rating)))
    return sorted(entries, key=lambda entry: name_rank(words, entry.name))


def _lets(within: LibraryFilter, entry: LibraryEntry) -> bool:
    if within.system and f" {entry.system} " not in f" {within.system} ":
        return False
    if within.paths is not None and entry.path not in within.paths:
        return False
    if within.ids is not None and (entry.id not in within.ids or entry.kind != "creature"):
        return False
    if within.without and not {*words_of(entry)}.isdisjoint(within.without):
        return False
    one_of = (
        (within.kinds, (entry.kind,)),
        (within.types, (entry.type, *entry.tags)),
        (within.sizes, (entry.size,)),
        (within.roles, (entry.role,)),
        (within.marks, entry.marks),
        (within.environments, entry.environments),
        (within.sources, (book_title(entry.source),)),
    )
    if not all(not accepted or any(value in accepted for value in has) for accepted, has in one_of):
        return False
    if not (within.min_rating or within.max_rating):
        return True
    rating = rating_rank(entry.rating)
    least, most = rating_rank(within.min_rating or "-1000"), rating_rank(within.max_rating or "9999")
    return least <= rating <= most


def words_of(entry: LibraryEntry) -> tuple[str, ...]:
    """Return the words by which an entry can be left out."""
    return (entry.type, *entry.tags, entry.size, entry.role, *entry.marks, *entry.environments)


def book_title(source: str) -> str:
    """Return the book or list named in a source, without the page."""
    return source.partition(", page")[0].strip()


_KEYS: Mapping[SortOrder, Callable[[LibraryEntry], Any]] = {
    "fits": lambda entry: rating_rank(entry.rating),
    "rating": lambda entry: rating_rank(entry.rating),
    "type": lambda entry: entry.type,
    "size": lambda entry: SIZES.index(entry.size) if entry.size in SIZES else len(SIZES),
    "source": lambda entry: book_title(entry.source),
}  # fmt: skip


class FilterChoices(msgspec.Struct, frozen=True):
    """The options of the filters: all values that occur in the entries, sorted."""

    types: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    environments: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    ratings: tuple[str, ...] = ()
    ids: frozenset[str] = frozenset()

    @property
    def without(self) -> tuple[str, ...]:
        """All words by which entries can be left out."""
        return tuple(dict.fromkeys((*self.types, *self.roles, *self.environments, *self.sizes, *self.marks)))


def filter_choices(entries: Iterable[LibraryEntry]) -> FilterChoices:
    """Return the filter options for entries."""
    creatures = [entry for entry in entries if entry.kind == "creature"]
    sizes = {entry.size for entry in creatures} - {""}
    return FilterChoices(
        types=tuple(sorted({entry.type for entry in creatures} - {""})),
        sizes=tuple(sorted(sizes, key=lambda size: (SIZES.index(size) if size in SIZES else len(SIZES), size))),
        roles=tuple(role for role in get_args(CreatureRole) if role in {entry.role for entry in creatures} - {""}),
        environments=tuple(sorted({place for entry in creatures for place in entry.environments})),
        marks=tuple(sorted({mark for entry in creatures for mark in entry.marks})),
        sources=tuple(sorted({book_title(entry.source) for entry in creatures} - {""})),
        ratings=tuple(sorted({entry.rating for entry in creatures} - {""}, key=rating_rank)),
        ids=frozenset(entry.id for entry in creatures),
    )


def duplicates(entries: Iterable[LibraryEntry]) -> dict[str, tuple[LibraryEntry, ...]]:
    """Map each entry's path to the other entries with the same kind, rule system and name."""
    by_name = grouped(((entry.kind, entry.system, entry.name.casefold()), entry) for entry in entries)
    return {
        listed.path: tuple(other for other in same if other is not listed)
        for same in by_name.values()
        if len(same) > 1
        for listed in same
    }


ENCOUNTER_KIND = cast("Kind", "encounter")  # not a kind of library file; such entries are opened instead of added
_FIGHT = ".fight.toml"


class LibraryItems(msgspec.Struct, frozen=True):
    """The listed items, sorted by name.

    `duplicates` maps the path of an entry to the other entries with the same kind, rule system and name.
    """

    entries: tuple[LibraryEntry, ...] = ()
    duplicates: Mapping[str, tuple[LibraryEntry, ...]] = {}


def library_items(library: Library) -> LibraryItems:
    """Scan the library for its items. This reads files and can be slow, so don't call it in the window's thread."""
    return _offer(library, library.entries())


def indexed_library_items(library: Library) -> LibraryItems:
    """Return the items in the index without scanning the folders. Without an index, there are none."""
    entries = library.indexed_entries()
    return _offer(library, entries) if entries else LibraryItems()


def _offer(library: Library, entries: tuple[LibraryEntry, ...]) -> LibraryItems:
    known = frozenset(entry.path for entry in entries)
    own = encounters_in(_files(library.folder, library.folder.parent / "encounters"), known)
    shipped = encounters_in(map(str, sample_encounters()), shipped=True)
    return LibraryItems((*entries, *own, *shipped), duplicates(entries))


def encounters_in(
    files: Iterable[str], excluded: frozenset[str] = frozenset(), *, shipped: bool = False
) -> list[LibraryEntry]:
    """Return an entry for each encounter file. Only the first lines of a file are checked."""
    entries = []
    for path in map(Path, (file for file in files if file not in excluded and not file.endswith(_FIGHT))):
        if head := head_of_encounter(path):
            stem, system = path.stem.replace("-", " "), head["system"]
            name = head.get("title") or stem.capitalize()
            text = f"{name}\n{stem}\nencounter".casefold()
            entry = LibraryEntry(
                str(path), path.stem, name, kind=ENCOUNTER_KIND, system=system, shipped=shipped, haystack=text
            )
            entries.append(entry)
    return sorted(entries, key=lambda entry: entry.name.casefold())


def _files(*folders: Path) -> Iterator[str]:
    for folder in folders:
        with suppress(OSError):
            yield from sorted(entry.path for entry in os.scandir(folder) if entry.name.endswith(".toml"))


FavouriteKey = tuple[str, str, str, str, str]


def favourite_key(entry: LibraryEntry) -> FavouriteKey:
    """Return an entry's key: kind, rule system, id, file name and source. It doesn't depend on the folder.

    If several books contain the same creature, its files have the same name in different folders. The source
    distinguishes them.
    """
    return (entry.kind, entry.system, entry.id, entry.path.replace("\\", "/").rpartition("/")[2], entry.source)


class Favourites:
    """The favourite entries, stored in `file`, or only in memory if it is None. Invalid data in the file is ignored."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._marks = self._read()

    def __contains__(self, entry: object) -> bool:
        return isinstance(entry, LibraryEntry) and favourite_key(entry) in self._marks

    def __len__(self) -> int:
        return len(self._marks)

    def toggle(self, entry: LibraryEntry) -> bool:
        """Add or remove a favourite, and return whether it was added. On OSError the change is in memory only."""
        mark = favourite_key(entry)
        self._marks ^= {mark}
        if self._file is not None:
            make_private(self._file.parent)
            replace_atomically(self._file, msgspec.json.encode(sorted(self._marks)))
        return mark in self._marks

    def _read(self) -> frozenset[FavouriteKey]:
        if self._file is not None:
            with suppress(OSError, msgspec.MsgspecError, ValueError, RecursionError):
                return msgspec.json.decode(self._file.read_bytes(), type=frozenset[FavouriteKey])
        return frozenset()


def discard(entry: LibraryEntry, backups: Path) -> bytes:
    """Delete the file of a user's entry after copying it to the backups, and return its content.

    On OSError the file stays. Raise ValueError for a shipped entry.
    """
    if entry.shipped:
        raise ValueError(entry.path)
    path = Path(entry.path)
    content = path.read_bytes()
    back_up(path, b"", backups)
    path.unlink()
    return content


def restore(entry: LibraryEntry, content: bytes) -> bool:
    """Write a deleted file back. Return False if its path is in use again. Raise OSError if writing fails."""
    path = Path(entry.path)
    if path.exists():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_atomically(path, content)
    return True


class Component(msgspec.Struct, frozen=True):
    """A component of the program.

    `licence` is its SPDX name. `texts` are the paths of its licence texts in the resources. `package` is the normalised
    name of a Python package, or an empty string for other components.
    """

    name: str
    licence: str
    version: str = ""
    site: str = ""
    copyright: str = ""
    package: str = ""
    texts: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The component's name and version."""
        return f"{self.name} {self.version}".rstrip()


def components() -> tuple[Component, ...]:
    """Return all components: first the program and its runtime, then the others, sorted by name."""
    return msgspec.convert(rtoml.loads(read_text("licences/index.toml"))["components"], tuple[Component, ...])


def licence_text(component: Component) -> str:
    """Return a component's licence, copyright and notices."""
    head = "\n".join(line for line in (component.title, component.licence, component.site) if line)
    texts = [read_text(path).strip("\n") for path in component.texts]
    shared = [PurePosixPath(path).stem if "/common/" in path else "" for path in component.texts]
    titled = [
        f"{name}\n{'=' * len(name)}\n\n{text}" if name else text for name, text in zip(shared, texts, strict=True)
    ]
    return "\n\n".join(part for part in (head, component.copyright.strip(), *titled) if part)
