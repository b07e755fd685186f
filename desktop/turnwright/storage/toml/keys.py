"""TOML keys: quoting of names, and paths to values."""

from __future__ import annotations

import re

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
