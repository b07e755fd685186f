"""Searches the library as the user types, with filters and sort orders. Independent of Qt.

A key press needs one pass over a list of texts. If words were only added or extended, it searches the previous result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import compress, repeat
from operator import contains
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

import msgspec

from turnwright.storage.library.entries import LibraryEntry

SortOrder = Literal["name", "rating", "type", "size", "source"]
SIZES: Final = ("tiny", "small", "medium", "large", "huge", "gargantuan", "titanic")
_NOT_NAMED: Final = 4
_LAST: Final = Fraction(10_000)


class LibraryFilter(msgspec.Struct, frozen=True):
    """A filter of entries. Empty fields accept everything. `min_rating` and `max_rating` are texts, as in files."""

    system: str = ""
    kinds: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    environments: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
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


def _likeliest_first(words: tuple[str, ...], entries: list[LibraryEntry], order: SortOrder) -> list[LibraryEntry]:
    """Sort entries by how well their names match.

    In name order, weaker creatures come first, because they are more common.
    """
    if order == "name":
        return sorted(entries, key=lambda entry: (name_rank(words, entry.name), rating_rank(entry.rating)))
    return sorted(entries, key=lambda entry: name_rank(words, entry.name))


def _lets(within: LibraryFilter, entry: LibraryEntry) -> bool:
    if within.system and entry.system != within.system:
        return False
    if within.paths is not None and entry.path not in within.paths:
        return False
    one_of = (
        (within.kinds, (entry.kind,)),
        (within.types, (entry.type, *entry.tags)),
        (within.sizes, (entry.size,)),
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


def book_title(source: str) -> str:
    """Return the book or list named in a source, without the page."""
    return source.partition(", page")[0].strip()


_KEYS: Mapping[SortOrder, Callable[[LibraryEntry], Any]] = MappingProxyType({
    "rating": lambda entry: rating_rank(entry.rating),
    "type": lambda entry: entry.type,
    "size": lambda entry: SIZES.index(entry.size) if entry.size in SIZES else len(SIZES),
    "source": lambda entry: book_title(entry.source),
})  # fmt: skip


class FilterChoices(msgspec.Struct, frozen=True):
    """The options of the filters: all values that occur in the entries, sorted."""

    types: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    environments: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    ratings: tuple[str, ...] = ()


def filter_choices(entries: Iterable[LibraryEntry]) -> FilterChoices:
    """Return the filter options for entries."""
    creatures = [entry for entry in entries if entry.kind == "creature"]
    sizes = {entry.size for entry in creatures} - {""}
    return FilterChoices(
        types=tuple(sorted({entry.type for entry in creatures} - {""})),
        sizes=tuple(sorted(sizes, key=lambda size: (SIZES.index(size) if size in SIZES else len(SIZES), size))),
        environments=tuple(sorted({place for entry in creatures for place in entry.environments})),
        sources=tuple(sorted({book_title(entry.source) for entry in creatures} - {""})),
        ratings=tuple(sorted({entry.rating for entry in creatures} - {""}, key=rating_rank)),
    )


def duplicates(entries: Iterable[LibraryEntry]) -> dict[str, tuple[LibraryEntry, ...]]:
    """Map each entry's path to the other entries with the same kind, rule system and name."""
    by_name: dict[tuple[str, str, str], list[LibraryEntry]] = {}
    for entry in entries:
        by_name.setdefault((entry.kind, entry.system, entry.name.casefold()), []).append(entry)
    return {
        listed.path: tuple(other for other in same if other is not listed)
        for same in by_name.values()
        if len(same) > 1
        for listed in same
    }
