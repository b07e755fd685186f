"""Parses texts within limits: JSON, JSON5, JSON lines, TOML, CSV and YAML become plain lists, mappings and scalars.

Every failure is a `ParseError` with a readable message. No text can make parsing slow: depth, lists, references and
digits are limited, mostly before anything is built.
"""

from __future__ import annotations

import csv
import io
import json
import re
from itertools import chain, islice
from typing import Any, Final, NamedTuple

import msgspec
import rtoml

MAX_DEPTH: Final = 64
MAX_ITEMS: Final = 20_000  # per list or mapping; far more than any collection of creatures has
MAX_BRANCHES: Final = 1_000_000
MAX_KEYS: Final = 3_000_000
MAX_CELLS: Final = 4_000_000
MAX_JSON5: Final = 8_000_000
MAX_TOML: Final = 3_000_000
MAX_COLUMNS: Final = 200
MAX_NOTES: Final = 20
_TOO_DEEP: Final = f"nested deeper than {MAX_DEPTH} levels"
_MAX_DIGITS: Final = 300
_HOLDERS: Final = frozenset({dict, list})
_NEAR = re.compile(r"near (\d+)(?:, found U\+([0-9A-Fa-f]+))?")
_AT_LINE = re.compile(r" at line (\d+) column \d+\Z")
_EXPECTED = re.compile(r"Expected b?'?(.+?)'? (?:or|near) ")
_encode = msgspec.json.Encoder().encode


class ParseError(ValueError):
    """The reason why a text can't be parsed."""


class ParsedText(NamedTuple):
    """The data of a text, and notes on its ignored parts.

    `duplicate_keys` are keys that occur twice in one table (the last value is used); `broken_lines` describes the
    invalid lines of a text with one record per line.
    """

    data: Any
    duplicate_keys: tuple[str, ...] = ()
    broken_lines: tuple[str, ...] = ()


def parse_json(text: str, plain: bytes = b"") -> ParsedText:
    """Return the data of JSON, JSON lines or JSON5; `plain` is the text in UTF-8, if available."""
    plain = plain or text.encode("utf-8", "surrogatepass")
    if len(text) > 2 * MAX_BRANCHES and text.count("[") + text.count("{") > MAX_BRANCHES:  # each takes two characters
        raise ParseError(f"more than {MAX_BRANCHES:,} lists and tables")
    if len(text) > 3 * MAX_KEYS and text.count('":') > MAX_KEYS:
        raise ParseError(f"more than {MAX_KEYS:,} values")
    try:
        data = msgspec.json.decode(plain)
    except RecursionError:
        raise ParseError(_TOO_DEEP) from None
    except (msgspec.DecodeError, ValueError) as error:
        if "out of range" in str(error) or "Exceeds the limit" in str(error):
            return _any_numbers(text)
        return _lines(text) or parse_json5(text)
    check_size(data)
    return ParsedText(data, _keys_twice(text) if _may_hold_twice(plain, data) else ())


def parse_json5(text: str) -> ParsedText:
    """Return the data of a JSON5 text: with comments, unquoted keys and trailing commas."""
    import pyjson5  # slow to import, and most files are plain JSON

    if len(text) > MAX_JSON5:
        raise ParseError(f"not valid JSON; JSON5 is read up to {MAX_JSON5 // 1_000_000} MB")

    try:
        data = pyjson5.decode(text, maxdepth=MAX_DEPTH)
    except pyjson5.Json5NestingTooDeep:
        raise ParseError(_TOO_DEEP) from None
    except pyjson5.Json5EOF as error:
        at, _ = _place(text, error)
        raise ParseError(f"unexpected end of file; the part that starts in line {at} is not closed") from None
    except pyjson5.Json5ExtraData as error:
        at, _ = _place(text, error, first=0)
        raise ParseError(f"line {at}: unexpected text after the end of the data") from None
    except (pyjson5.Json5Exception, ValueError) as error:
        at, unexpected = _place(text, error)
        expected = _EXPECTED.match(str(error.args[0]) if error.args else "")
        words = f"expected {_named(expected[1])}" if expected else "not valid JSON"
        raise ParseError(f"line {at}: {words}{unexpected}") from None
    return ParsedText(check_size(data))


def parse_toml_text(text: str) -> ParsedText:
    """Return the data of a TOML text."""
    if len(text) > MAX_TOML:
        raise ParseError(f"{len(text) / 1e6:.0f} MB of TOML; the limit is {MAX_TOML // 1_000_000} MB")
    try:
        data = rtoml.loads(text)
    except ValueError as error:
        words = str(error)
        if "recursion" in words or "recurse" in words:
            raise ParseError(_TOO_DEEP) from None
        at = _AT_LINE.search(words)
        raise ParseError(f"line {at[1]}: {words[: at.start()]}" if at else words) from None
    return ParsedText(check_size(data))


def parse_csv(text: str) -> ParsedText | None:
    """Return the rows of a table with a heading line, or None if the text isn't one."""
    head = text.lstrip().partition("\n")[0].rstrip("\r")
    delimiter = next((mark for mark in (",", ";", "\t") if head.count(mark) >= 2), "")
    if not delimiter or ":" in head:
        return None
    if head.count(delimiter) >= MAX_COLUMNS:
        raise ParseError(f"more than {MAX_COLUMNS} columns")
    if text.count(delimiter) > MAX_CELLS:
        raise ParseError(f"more than {MAX_CELLS:,} cells")
    try:
        reader = csv.DictReader(io.StringIO(text.lstrip()), delimiter=delimiter, restval="", skipinitialspace=True)
        rows = list(islice(reader, MAX_ITEMS + 1))
    except csv.Error as error:
        raise ParseError(f"not a valid table: {error}") from None
    if len(rows) > MAX_ITEMS:
        raise ParseError(f"more than {MAX_ITEMS:,} rows")
    cells = [{str(key or "").strip(): value for key, value in row.items() if isinstance(value, str)} for row in rows]
    return ParsedText(cells)


def check_size(data: Any) -> Any:
    """Return the data. Raise ParseError if it is nested too deep or contains too long a list."""
    level = [data] if type(data) in _HOLDERS else []
    depth = 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            raise ParseError(_TOO_DEEP)
        longest = max(map(len, level))
        if longest > MAX_ITEMS:
            raise ParseError(f"a list of {longest:,} items; the limit is {MAX_ITEMS:,}")
        values = chain.from_iterable([holder.values() if type(holder) is dict else holder for holder in level])
        level = [value for value in values if type(value) in _HOLDERS]
    return data


def line_of(text: str, at: int) -> int:
    """Return the number of the line that contains a character."""
    return text.count("\n", 0, max(at, 0)) + 1


def too_deep_error() -> ParseError:
    """Return the error for data that is nested too deep."""
    return ParseError(_TOO_DEEP)


def _lines(text: str) -> ParsedText | None:
    """Parse a text with one JSON record per line, or return None for any other text. Broken lines are reported."""
    start = len(text) - len(text.lstrip())
    end = text.find("\n", start)
    first = (text[start:end] if end >= 0 else text[start:]).strip()
    if not first.endswith("}") or _decoded(first) is None:
        return None
    if text.count("\n", start) > MAX_ITEMS:
        raise ParseError(f"more than {MAX_ITEMS:,} lines of records")
    records, broken = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        record = _decoded(line)
        if record is None:
            broken.append(f"line {number}: not valid JSON; ignored")
        else:
            records.append(record)
    if len(broken) >= len(records):
        return None
    return ParsedText(check_size(records), broken_lines=tuple(broken[:MAX_NOTES]))


def _decoded(line: str) -> Any:
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None


def _any_numbers(text: str) -> ParsedText:
    """Parse a JSON text that contains extremely large numbers, which become infinite."""
    try:
        data = json.loads(text, parse_int=_whole)
    except RecursionError:
        raise ParseError(_TOO_DEEP) from None
    except ValueError:
        return parse_json5(text)
    return ParsedText(check_size(data))


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MAX_DIGITS else float(digits)


def _may_hold_twice(text: bytes, data: Any) -> bool:
    """Whether a JSON text may contain duplicate keys, because it has more colons than the data parsed from it."""
    try:
        return text.count(b":") != _encode(data).count(b":")
    except (OverflowError, ValueError):  # some data can be decoded but not encoded
        return True


def _keys_twice(text: str) -> tuple[str, ...]:
    """Return the keys that occur more than once in the same table, without duplicates."""
    twice: dict[str, None] = {}

    def noted(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        table: dict[str, Any] = {}
        for key, value in pairs:
            if key in table:
                twice[key] = None
            table[key] = value
        return table

    json.loads(text, object_pairs_hook=noted)
    return tuple(islice(twice, MAX_NOTES))


def _place(text: str, error: Exception, first: int = 1) -> tuple[int, str]:
    """Return the line of a JSON5 error and the unexpected character. `first` is the index of the first character."""
    match = _NEAR.search(str(error.args[0])) if error.args else None
    if not match:
        return 1, ""
    letter = chr(int(match[2], 16)) if match[2] else ""
    return line_of(text, int(match[1]) - first), f", found {letter}" if letter.isprintable() and letter.strip() else ""


def _named(token: str) -> str:
    """Return the readable name of an expected token; a code point becomes its character."""
    if token.startswith("U+"):
        return chr(int(token[2:].partition(" ")[0], 16))
    names = {"comma": "a comma", "colon": "a colon", "JSON5Value": "a value", "IdentifierStart": "a key"}
    return names.get(token, token)
