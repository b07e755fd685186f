"""The names, words and patterns of other programs and books, from `resources/importers.toml`."""

import re
from collections.abc import Mapping
from functools import cache
from sys import intern
from types import MappingProxyType
from typing import Any, Final

import rtoml

from turnwright.storage.resources import read_text

_PART: Final = re.compile(r"\{([a-z]\w*)\}")


def terms(section: str, name: str) -> Any:
    """Return a table of a section as a mapping, or a list as a tuple. Raise KeyError if it doesn't exist."""
    return _sections()[section][name]


def pattern(section: str, name: str) -> re.Pattern[str]:
    """Return a compiled pattern of a section. Raise KeyError if it doesn't exist."""
    return re.compile(pattern_text(section, name))


class Patterns:
    """The patterns of a section as attributes, compiled when they are first used.

    `{word}` in a pattern may also be one of the `parts`.
    """

    def __init__(self, section: str, **parts: str) -> None:
        self._section = section
        self._parts = parts

    def __getattr__(self, name: str) -> re.Pattern[str]:
        found = re.compile(pattern_text(self._section, name, self._parts))
        setattr(self, name, found)
        return found


def pattern_text(section: str, name: str, parts: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return the text of a pattern, whose lines are joined. `{word}` in it is one of the parts or patterns."""
    text = "".join(terms(section, "patterns")[name])
    return _PART.sub(lambda part: parts.get(part[1]) or pattern_text(section, part[1], parts), text)


@cache
def _sections() -> Any:
    return _frozen(rtoml.loads(read_text("importers.toml")))


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _frozen(inner) for key, inner in value.items()}
    if isinstance(value, str):
        return intern(value)  # only a text identical to a field's default is left out of files
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
