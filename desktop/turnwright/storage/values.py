"""Single values of a TOML file: where one ends, how one is written, and how one is changed inside its own text.

A list or small table that changes in one place keeps its other places, its comments and its line breaks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from turnwright.storage.keys import escaped, name_text, quoted

MAX_WIDTH = 110
_STRINGS = (
    r'"""(?:[^"\\]++|\\.|"{1,2}+(?!"))*+"{3,5}'
    r"|'''(?:[^']++|'{1,2}+(?!'))*+'{3,5}"
    r'|"(?:[^"\\\n]++|\\.)*+"'
    r"|'[^'\n]*+'"
)
_STRING = re.compile(_STRINGS, re.DOTALL)
_INSIDE = re.compile(rf"[^\[\]{{}}\"'#]++|{_STRINGS}|#[^\n]*+|([\[{{])|([\]}}])", re.DOTALL)
_SCALAR = re.compile(r"[^,\]}#\n\r]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_SPECIAL_LONG = re.compile(r'[\\\x00-\x08\x0b-\x1f\x7f]|""(?=")|"\Z')


def value_end(text: str, start: int) -> int:
    """Return the end of the value that begins at `start`; ValueError where none begins."""
    first = text[start : start + 1]
    if first in ('"', "'"):
        match = _STRING.match(text, start)
    elif first in ("[", "{"):
        return _container_end(text, start)
    else:
        match = _SCALAR.match(text, start)
    if match is None:
        raise ValueError(f"no value at {start}")
    return match.end() - (len(match[0]) - len(match[0].rstrip()))


def _container_end(text: str, start: int) -> int:
    depth = 0
    at = start
    while at < len(text):
        match = _INSIDE.match(text, at)
        if match is None:
            break
        at = match.end()
        depth += 1 if match[1] else -1 if match[2] else 0
        if depth == 0:
            return at
    raise ValueError(f"the list or table at {start} does not end")


def multiline_text(text: str, newline: str = "\n") -> str:
    """Return a text over several lines in triple quotes."""
    body = _SPECIAL_LONG.sub(_escape_long, text)
    return '"""' + newline + body.replace("\n", newline) + '"""'


def _escape_long(match: re.Match[str]) -> str:
    return '"\\"' if match[0] == '""' else escaped(match)


def value_text(value: Any) -> str:
    """Return a value on one line; TypeError for a value that a file cannot hold."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _float_text(value)
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
    """Return the text of a value after its key: texts with line breaks and long lists take several lines."""
    if isinstance(value, str) and "\n" in value:
        return multiline_text(value, newline)
    text = value_text(value)
    if isinstance(value, list | tuple) and value and (len(text) > max_width or _is_many_tables(value)):
        return "[" + newline + "".join(f"    {value_text(item)},{newline}" for item in value) + "]"
    return text


def _is_many_tables(value: list[Any] | tuple[Any, ...]) -> bool:
    return len(value) > 1 and isinstance(value[0], Mapping)


def is_same_value(left: Any, right: Any) -> bool:
    """Return whether two values are equal in kind, order and content: 1 is not true, and keys have an order."""
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return list(left) == list(right) and all(is_same_value(value, right[key]) for key, value in left.items())
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(is_same_value, left, right))
    return type(left) is type(right) and bool(left == right)


def restyled(text: str, value: Any, newline: str = "\n") -> str:
    """Return a new single value in the style of the text it replaces."""
    if not isinstance(value, str):
        return wrapped_value_text(value, MAX_WIDTH, newline)
    literal = "'" not in value and not _CONTROL.search(value)
    if text.startswith('"""'):
        return multiline_text(value, newline)
    if text.startswith("'''") and literal:
        return "'''" + newline + value.replace("\n", newline) + "'''"
    if text.startswith("'") and literal and "\n" not in value:
        return f"'{value}'"
    return wrapped_value_text(value, MAX_WIDTH, newline)
