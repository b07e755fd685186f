"""Writes single TOML values and keys, and splits a TOML file into headers, pairs and detached comments.

A value is written either new or in the style of a previous value. The joined pieces are exactly the original text. The
text must be valid and have no byte-order mark. The scanner only looks for the ends of pieces, not for mistakes.
"""

import re
from collections.abc import Iterator, Mapping
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


_STRING = (
    r'"""(?:[^"\\]++|\\.|"{1,2}+(?!"))*+"{3,5}'
    r"|'''(?:[^']++|'{1,2}+(?!'))*+'{3,5}"
    r'|"(?:[^"\\\n]++|\\.)*+"'
    r"|'[^'\n]*+'"
)
_TO_MARK = re.compile(rf"(?:[^\"'#\[\]{{}}\n]++|{_STRING}|#[^\n]*+)*+([\[\]{{}}\n]|\Z)", re.DOTALL)
_NAME = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]++|\\.)*+"|'[^'\n]*+')"""
_KEY = re.compile(rf"[ \t]*+({_NAME}(?:[ \t]*+\.[ \t]*+{_NAME})*+)[ \t]*+=[ \t]*+")
_HEADER = re.compile(rf"[ \t]*+(\[\[?)[ \t]*+({_NAME}(?:[ \t]*+\.[ \t]*+{_NAME})*+)[ \t]*+\]")
_SCALAR = re.compile(rf"{_STRING}|[^,\]}}#\r\n]++", re.DOTALL)
NAME = re.compile(_NAME)


class Piece:
    """A header or pair including the comments above it, which end at `start`; or detached comments below a table.

    `table` is the path of the header above. `path` is the same for a header, longer for a pair, and None for comments.
    Paths include the indexes of elements in arrays of tables.
    """

    __slots__ = ("path", "start", "table", "text")

    def __init__(self, table: KeyPath, path: KeyPath | None, text: str, start: int = 0) -> None:
        self.table = table
        self.path = path
        self.text = text
        self.start = start

    @property
    def is_header(self) -> bool:
        """Whether the piece is a header."""
        return self.path == self.table


def pieces_of(text: str) -> list[Piece]:
    """Return the pieces of a valid TOML text. Raise ValueError if it isn't valid."""
    table: KeyPath = ()
    pieces: list[Piece] = []
    counts: dict[KeyPath, int] = {}
    above: list[str] = []
    for line in _logical_lines(text):
        first = line.lstrip(" \t")[:1]
        if first in ("", "#", "\r", "\n"):
            above.append(line)
            continue
        if first == "[":
            if apart := _count_apart(above):
                pieces.append(Piece(table, None, "".join(above[:apart])))
                above = above[apart:]
            path = table = _header_path(line, counts)
        else:
            path = (*table, *names_of(key_match(line)[1]))
        lead = "".join(above)
        pieces.append(Piece(table, path, lead + line, len(lead)))
        above = []
    if above:
        pieces.append(Piece(table, None, "".join(above)))
    return pieces


def key_match(text: str, at: int = 0) -> re.Match[str]:
    """Return the match of a pair's key, up to its value. Raise ValueError if no key starts at `at`."""
    match = _KEY.match(text, at)
    if match is None:
        raise ValueError(f"no key at {at}")
    return match


def names_of(dotted: str) -> tuple[str, ...]:
    """Return the names in a dotted key."""
    return (dotted,) if dotted.isidentifier() else tuple(map(_meaning, NAME.findall(dotted)))


def scalar_end(text: str, at: int) -> int:
    """Return the end of a string, number, date or boolean that starts at an offset."""
    match = _SCALAR.match(text, at)
    if match is None:
        raise ValueError(f"no value at {at}")
    return match.end()


def _logical_lines(text: str) -> Iterator[str]:
    """Yield the lines of a text. A multi-line value counts as one line."""
    start = depth = 0
    for match in _TO_MARK.finditer(text):
        mark = match[1]
        if mark == "\n":
            if depth == 0:
                yield text[start : match.end()]
                start = match.end()
        elif mark:
            depth += 1 if mark in "[{" else -1
    if start < len(text):
        yield text[start:]


def _count_apart(lines: list[str]) -> int:
    """Return the number of detached lines above a header.

    The header's own comments and the blank lines before them aren't counted.
    """
    count = len(lines)
    while count and lines[count - 1].strip():
        count -= 1
    while count and not lines[count - 1].strip():
        count -= 1
    return count


def _header_path(line: str, counts: dict[KeyPath, int]) -> KeyPath:
    """Return the path of a header, with the indexes of the enclosing array elements."""
    match = _HEADER.match(line)
    if match is None:
        raise ValueError(f"no header in {line!r}")
    path: KeyPath = ()
    *outer, last = names_of(match[2])
    for name in outer:
        path = (*path, name)
        if path in counts:
            path = (*path, counts[path])
    path = (*path, last)
    if match[1] == "[[":
        counts[path] = counts.get(path, -1) + 1
        path = (*path, counts[path])
    return path


def _meaning(name: str) -> str:
    if name[0] == "'":
        return name[1:-1]
    if name[0] != '"':
        return name
    if "\\" not in name:
        return name[1:-1]
    import tomllib  # only needed for keys with escapes, which are rare

    return next(iter(tomllib.loads(f"{name} = 0")))
