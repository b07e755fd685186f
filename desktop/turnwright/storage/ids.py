"""Creates unique ids from names. They are safe as file names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_NOT_ID = re.compile(r"[^a-z0-9]+")


_RESERVED = frozenset({"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))})


@lru_cache(maxsize=4096)
def slug(name: str, default: str = "nameless") -> str:
    """Return an id for a name: up to 60 lower-case letters, digits and hyphens, safe as a file name on any system."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower().replace("'", "")
    id = _NOT_ID.sub("-", plain).strip("-")[:60].strip("-") or default
    return f"{id}-1" if id in _RESERVED else id


class IdAllocator:
    """Allocates unique ids. If a name is repeated, its ids are numbered."""

    __slots__ = ("_given",)

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._given = dict.fromkeys(taken, 1)

    def allocate(self, name: str, default: str = "nameless") -> str:
        """Return an unused id for a name."""
        first = id = slug(name, default)
        if first not in self._given:
            self._given[first] = 1
            return first
        number = self._given[first]
        while id in self._given:
            number += 1
            id = f"{first}-{number + 1 if number < 2 else number}"
        self._given[first] = number
        self._given[id] = 1
        return id
