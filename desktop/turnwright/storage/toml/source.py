"""Reads TOML files within size limits. Every failure is a finding."""

import re
from contextlib import suppress
from hashlib import blake2b
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

import msgspec

from turnwright.encounter.field_specs import MAX_BYTES, MAX_LINES
from turnwright.storage.findings import Finding
from turnwright.storage.toml.parser import parse_tables
from turnwright.storage.toml.values import key_text

HEAD_LINES = 200
MAX_WEIGHT, WEIGHT_OF_TABLE = 2_000_000, 4  # a value in a list takes 190 bytes of memory, a table 900
_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_TWICE = re.compile(r"Cannot declare \((.*)\) twice$")
_PLAIN_WORDS = {
    "Cannot overwrite a value": "this key appears twice in its table",
    "Invalid initial character for a key part": "expected a key; an inline table { } must be on one line and can't end with a comma",
}
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")


class TomlSource(msgspec.Struct, frozen=True):
    """The tables and text of a file, or the findings if it couldn't be read. `digest` identifies its bytes."""

    tables: dict[str, Any] | None
    text: str = ""
    digest: str = ""
    findings: tuple[Finding, ...] = ()


def digest_of(data: bytes) -> str:
    """Return a digest that identifies a file's content."""
    return blake2b(data, digest_size=16).hexdigest()


def read_toml(path: Path, max_bytes: int = MAX_BYTES) -> TomlSource:
    """Read and parse a TOML file of at most `max_bytes`. Failures are returned as findings, never raised."""
    try:
        if path.exists() and not path.is_file():
            kind = "a folder" if path.is_dir() else "a special file"
            return _failed(path, 1, f"expected a TOML file, found {kind}")
        with path.open("rb") as file:
            data = file.read(max_bytes + 1)
        size = path.stat().st_size
    except PermissionError:
        return _failed(path, 1, "can't be read: permission denied")
    except FileNotFoundError:
        return _failed(path, 1, "file not found")
    except (OSError, ValueError) as error:
        return _failed(path, 1, f"can't be read: {getattr(error, 'strerror', None) or error}")
    if len(data) > max_bytes:
        message = f"the file has {size / 1e6:.1f} MB; the limit is {max_bytes / 1e6:.0f} MB"
        if data.count(b"\n") > MAX_LINES:
            return _failed(path, MAX_LINES, message)
        return _failed(path, _longest_line(data), f"{message}. This is its longest line")
    return parse_toml(data, path)


def parse_toml(data: bytes, path: Path) -> TomlSource:
    """Parse the bytes of a TOML file. If there is a syntax error, it is the only finding."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _failed(path, 1, "the file is encoded in UTF-16; save it as UTF-8")
    nul = data.find(b"\0")
    if nul >= 0:
        return _failed(path, _line_at(data, nul), f"byte {nul + 1} is NUL; expected a text file")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        message = f"byte {error.start + 1} is not valid UTF-8; save the file as UTF-8"
        return _failed(path, _line_at(data, error.start), message)
    lines = text.count("\n")
    if lines > MAX_LINES:
        return _failed(path, MAX_LINES, f"the file has {lines:,} lines; the limit is {MAX_LINES:,}")
    if text.count(",") + WEIGHT_OF_TABLE * (text.count("{") + text.count(".")) > MAX_WEIGHT:
        return _failed(path, 1, "the file has too many lists and tables")
    try:
        tables = parse_tables(text.removeprefix("\ufeff"))
    except RecursionError:
        return _failed(path, 1, "lists or tables are nested too deeply")
    except ValueError as error:
        return TomlSource(None, text, digest_of(data), (_syntax(path, str(error), text),))
    return TomlSource(tables, text, digest_of(data))


def head_of(path: Path) -> dict[str, str]:
    """Return the texts before the first table of a file, without reading the rest. Raise OSError or ValueError.

    Lines with mistakes are left out.
    """
    head: dict[str, str] = {}
    with path.open(encoding="utf-8-sig") as file:
        for line in takewhile(lambda line: not line.startswith("["), islice(file, HEAD_LINES)):
            with suppress(ValueError, RecursionError):
                head |= {key: value for key, value in parse_tables(line).items() if isinstance(value, str)}
    return head


def head_of_encounter(path: Path) -> dict[str, str]:
    """Return the texts before the first table of a file that names a rule system and isn't of another kind.

    Empty for other files, and for those that can't be read.
    """
    with suppress(OSError, ValueError):
        head = head_of(path)
        return head if "system" in head and "kind" not in head else {}
    return {}


def _failed(path: Path, line: int, message: str) -> TomlSource:
    return TomlSource(None, findings=(Finding(str(path), line, "", message),))


def _syntax(path: Path, message: str, text: str) -> Finding:
    place = _PLACE.search(message)
    words = message[: place.start()] if place else message
    line = int(place[1]) if place and place[1] else text.count("\n") + 1
    twice = _TWICE.match(words)
    if twice:
        names = tuple(single or other for single, other in _QUOTED.findall(twice[1]))
        return Finding(str(path), line, key_text(names), "appears twice; an id can be used only once")
    words = _PLAIN_WORDS.get(words, words)
    column = f" (column {place[2]})" if place and place[2] else ""
    return Finding(str(path), line, "", f"{words[:1].lower()}{words[1:]}{column}")


def _line_at(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1


def _longest_line(data: bytes) -> int:
    lengths = [len(line) for line in data.split(b"\n")]
    return lengths.index(max(lengths)) + 1
