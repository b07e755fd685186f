"""Mistypes a word of a data file: swaps two letters of a key, an id or a word of a statement."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, NamedTuple

# Keys with texts for people, and names that a system or an entry defines by itself.
FREE = {
    "id", "name", "text", "short", "group", "unit", "suits", "names", "below", "above", "notes", "description",
    "words", "damage_traits", "gear", "specialties", "marks", "types", "remedies", "death_save_tags", "tags", "hazard", "complex",
    "twice", "raised", "terms", "without_effect", "matches", "then", "also", "unapplied", "beside", "apart", "samples", "brackets", "parts", "range", "area",
    "ledger", "title", "source", "statement", "check", "mount_independent", "mount_untrained", "stowed", "signs", "ratings",
    "adds_die", "grows_die", "use", "threats", "rating", "takes", "note", "type", "languages", "default_for", "spawns", "desc",
}  # fmt: skip
OPEN = {"gravel", "ice", "lava", "sand", "snow"}  # terrain that only traits name
_WORD = re.compile(r"[a-z]{4,}")
_FREE_PART = re.compile(r"\{[^}]*\}|\btype:[a-z-]+")  # a slot, or a creature type, which can be any word


class Place(NamedTuple):
    """A word in a table: the path to its key or text, whether it is a key, and the word."""

    path: tuple[str | int, ...]
    is_key: bool
    word: str


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[Place]:
    """Yield all words in a table that only one spelling is right for."""
    if isinstance(value, dict):
        defines = len(path) == 1 and all(isinstance(part, dict) for part in value.values())
        for key, part in value.items():
            if not defines and path:
                yield from (Place((*path, key), True, word) for word in _WORD.findall(key))
            if key not in FREE:
                yield from places(part, (*path, key))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from places(part, (*path, index))
    elif isinstance(value, str):
        yield from (Place(path, False, word) for word in _WORD.findall(_FREE_PART.sub("", value)))


def random_mistake(table: dict[str, Any], chance: random.Random) -> tuple[Place, str]:
    """Return a word in a table and a mistyped form of it."""
    body = {key: part for key, part in table.items() if key not in ("format", "kind", "system")}
    place = chance.choice([place for place in places(body) if not _is_open(place)])
    return place, mistyped(place.word, chance)


def _is_open(place: Place) -> bool:
    """Whether a word is a topic of a pattern, a property, or terrain, which any word can be."""
    return (place.path[0] == "cites" and place.is_key) or "properties" in place.path or place.word in OPEN


def mistyped(word: str, chance: random.Random) -> str:
    """Return a word with two different letters swapped, or with a letter left out."""
    at = chance.randrange(len(word) - 1)
    if word[at] == word[at + 1]:
        return word[:at] + word[at + 1 :]
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def with_mistake(table: dict[str, Any], place: Place, typed: str) -> dict[str, Any]:
    """Return a copy of a table with a mistyped word."""
    table = deepcopy(table)
    *outer, last = place.path
    inside: Any = table
    for step in outer:
        inside = inside[step]
    if place.is_key:
        entries = [
            (str(key).replace(place.word, typed, 1) if key == last else key, part) for key, part in inside.items()
        ]
        inside.clear()
        inside.update(entries)
    else:
        inside[last] = inside[last].replace(place.word, typed, 1)
    return table
