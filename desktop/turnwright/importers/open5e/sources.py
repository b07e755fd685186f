"""The source of a creature: its book, the book's licence, and its rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from turnwright.importers.common import as_list, as_mapping, as_text

_A5E = re.compile(r"\ba5e\b|\blevel up\b|\badvanced 5(?:th|e)|\bmenagerie\b", re.IGNORECASE)
LICENCES: Final[Mapping[str, str]] = {
    "cc-by-40": "Creative Commons Attribution 4.0",
    "cc0": "Creative Commons 0",
    "ogl-10a": "Open Game License 1.0a",
    "orc": "ORC License",
}


class Book(msgspec.Struct, frozen=True):
    """A book as its collection describes it. Unknown fields are empty."""

    key: str = ""
    title: str = ""
    licence: str = ""
    system: str = "dnd5e"

    def citation(self, page: int | None = None) -> str:
        """Return the citation of a creature's source, including the page if it is known."""
        title = self.title or self.key
        return f"Open5e{f': {title}' if title else ''}{f', page {page}' if page else ''}"


def system_of(*words: str) -> str:
    """Return the rule system suggested by a book's names: Level Up (A5E), or else D&D 5e."""
    return "a5e" if any(_A5E.search(word) for word in words if word) else "dnd5e"


def older_book(fields: Mapping[str, Any]) -> Book:
    """Return the book of a document in the older format, with slug, title and licence as text."""
    slug, title = as_text(fields.get("slug")), as_text(fields.get("title"))
    related = as_text(fields.get("v2_related_key"))
    return Book(slug, title, as_text(fields.get("license")), system_of(slug, title, related))


def newer_book(key: str, fields: Mapping[str, Any], licences: Mapping[str, str]) -> Book:
    """Return the book of a document in the newer format. `licences` maps keys to licence names."""
    game = key_of(fields.get("gamesystem"))
    title = as_text(fields.get("name"))
    named = [_licence(licence, licences) for licence in as_list(fields.get("licenses"))]
    system = ("a5e" if game.startswith("a5e") else "dnd5e") if game else system_of(key, title)
    return Book(key, title, "; ".join(name for name in named if name), system)


def key_of(value: Any) -> str:
    """Return the key of an object, which may be given as a key, as an object or as an address."""
    if isinstance(value, dict):
        value = value.get("key") or value.get("name")
    return as_text(value or "").rstrip("/").rpartition("/")[2]


def _licence(value: Any, licences: Mapping[str, str]) -> str:
    key = key_of(value)
    return as_text(as_mapping(value).get("name")) or licences.get(key) or LICENCES.get(key) or key
