"""The names, words and patterns of other programs and books, from `resources/importers.toml`."""

import re
from functools import cache
from sys import intern
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


def pattern_text(section: str, name: str) -> str:
    """Return the text of a pattern, whose lines are joined. `{word}` in it is the section's pattern of that name."""
    text = "".join(terms(section, "patterns")[name])
    return _PART.sub(lambda part: pattern_text(section, part[1]), text)


@cache
def _sections() -> Any:
    return _frozen(rtoml.loads(read_text("importers.toml")))


def _frozen(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _frozen(inner) for key, inner in value.items()}
    if isinstance(value, str):
        return intern(value)  # only a text identical to a field's default is left out of files
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
