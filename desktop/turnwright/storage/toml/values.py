"""Writes single TOML values, either new or in the style of a previous value.

TOML keys: quoting of names, and paths to values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, time
from typing import Any

KeyPath = tuple[str | int, ...]
_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_SPECIAL = re.compile(r'[\\"\x00-\x1f\x7f]')
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


def name_text(name: str) -> str:
    """Return a name as a TOML key, quoted if necessary."""
    return name if _BARE.match(name) else quoted(name)


def key_text(path: KeyPath) -> str:
    """Return a path for display, such as `roster.bandit.positions[1]`. Names are quoted if necessary.

    List indexes are counted from 1.
    """
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            text += f".{name_text(part)}" if text else name_text(part)
    return text


def quoted(text: str) -> str:
    """Return a text as a single-line TOML string in double quotes."""
    return '"' + _SPECIAL.sub(escaped, text) + '"'


def escaped(match: re.Match[str]) -> str:
    """Return the escape sequence of a matched character."""
    return _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04x}"


MAX_WIDTH = 110
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_SPECIAL_LONG = re.compile(r'[\\\x00-\x08\x0b-\x1f\x7f]|""(?=")|"\Z')


def multiline_text(text: str, newline: str = "\n") -> str:
    """Return a text as a multi-line TOML string in triple quotes."""
    return '"""' + newline + _SPECIAL_LONG.sub(_escape_long, text).replace("\n", newline) + '"""'


def _escape_long(match: re.Match[str]) -> str:
    return '"\\"' if match[0] == '""' else escaped(match)


def value_text(value: Any) -> str:
    """Return a value as single-line TOML. Raise TypeError if TOML doesn't support its type."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float_text(value)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, Mapping):
        parts = [f"{name_text(key)} = {value_text(part)}" for key, part in value.items() if part is not None]
        return "{ " + ", ".join(parts) + " }" if parts else "{}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(value_text(item) for item in value) + "]"
    raise TypeError(f"a file cannot hold {value!r}")


def _float_text(value: float) -> str:
    text = repr(value)
    return text if any(mark in text for mark in ".en") else text + ".0"


def wrapped_value_text(value: Any, max_width: int, newline: str = "\n") -> str:
    """Return a value as TOML. Texts with line breaks and long lists are written on several lines."""
    if isinstance(value, str) and "\n" in value:
        return multiline_text(value, newline)
    text = value_text(value)
    if isinstance(value, list | tuple) and value and (len(text) > max_width or _is_many_tables(value)):
        return "[" + newline + "".join(f"    {value_text(item)},{newline}" for item in value) + "]"
    return text


def _is_many_tables(value: list[Any] | tuple[Any, ...]) -> bool:
    return len(value) > 1 and isinstance(value[0], Mapping)


def restyled(text: str, value: Any, newline: str = "\n") -> str:
    """Return a new value as TOML, in the style of the text it replaces."""
    if not isinstance(value, str):
        return wrapped_value_text(value, MAX_WIDTH, newline)
    literal = "'" not in value and not _CONTROL.search(value)
    if text.startswith('"""') and "\n" in text + value:
        return multiline_text(value, newline)
    if text.startswith("'''") and literal and "\n" in text + value:
        return "'''" + newline + value.replace("\n", newline) + "'''"
    if text.startswith("'") and literal and "\n" not in value:
        return f"'{value}'"
    return wrapped_value_text(value, MAX_WIDTH, newline)
