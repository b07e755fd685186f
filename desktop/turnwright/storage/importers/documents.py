"""From a path to documents: files read within bounds, decoded, and parsed by their content.

JSON, JSON5, lines of JSON, YAML, TOML, XML, CSV and Markdown are told apart by content. Every failure to read a
file is reported, never raised, and no file can make reading it long: sizes, depth and references are bounded.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from turnwright.storage.conversion_report import ConversionNote
from turnwright.storage.importers.results import SkippedFile, UnreadRecord
from turnwright.storage.importers.text_parsers import (
    ParsedText,
    ParseError,
    line_of,
    parse_csv,
    parse_json,
    parse_json5,
    parse_toml_text,
    too_deep_error,
)
from turnwright.storage.importers.unknown_files import describe_bytes, describe_folder, describe_text
from turnwright.storage.importers.xml_parser import ROOTS, parse_xml_text
from turnwright.storage.importers.yaml_parser import parse_yaml_text

MAX_FILE: Final = 64_000_000
MAX_FILES: Final = 50_000
MAX_FOLDERS: Final = 50  # one in another
DocumentKind = Literal["json", "yaml", "toml", "csv", "markdown", "xml"]
DATA_SUFFIXES: Final = frozenset(
    {".json", ".json5", ".jsonl", ".db", ".yaml", ".yml", ".toml", ".csv", ".tsv", ".xml", ".monster"}
)
_PEEK = 8_192
_HEAD: Final = 4_000_000  # characters in which the first line is sought that is neither empty nor a comment
_PROSE: Final = 2_000_000  # characters in which a stat block is sought
_GAP: Final = 1_000
_GAPS = re.compile(rf"[ \t]{{{_GAP},}}")
_BLOCK_MARKS: Final = ("```", "~~~")
_BLOCK = re.compile(rf"^[ \t]*+(?:{'|'.join(_BLOCK_MARKS)})", re.MULTILINE)
_TOML = re.compile(
    r"(?:[ \t]*+(?:#[^\n]*+)?\n)*+[ \t]*+(?:\[\[?[\w.\"-]+\]\]?[ \t]*(?:#[^\n]*)?$|[\w.\"-]+[ \t]*=)", re.MULTILINE
)
_FRONT = re.compile(
    r"---[ \t]*\n(?:(?!---|statblock[ \t]*:)[^\n]*+\n)*+statblock[ \t]*:[ \t]*\S"
)  # a note with a stat block at its head
_XML = re.compile(rf"\s*(?:<\?xml\b|<!DOCTYPE\b|<(?:{'|'.join(ROOTS)})\b)")
_STAT_BLOCK = re.compile(r"^\W{0,12}(?:Hit Points|HP)\W{1,12}\d", re.MULTILINE)  # prose, not data
_CONTAINERS: Final = (b"%PDF", b"PK\x03\x04")  # even where no zero stands at their start
_MARKS: Final = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))


class ParsedDocument(msgspec.Struct, frozen=True):
    """One file as parsed: `data` is plain lists, mappings and scalars (CSV: a list of rows by heading; Markdown: None).

    `notes` are the parts of the file itself that were not read, or not kept.
    """

    path: Path
    kind: DocumentKind
    text: str
    data: Any = None
    notes: tuple[ConversionNote | UnreadRecord, ...] = ()

    @property
    def file(self) -> str:
        """The file's name in findings."""
        return str(self.path)


def files_in(path: Path) -> Iterator[Path | UnreadRecord]:
    """Yield a file, or every file in a folder and below, in order; links and hidden files are left out."""
    if not path.is_dir():
        yield path
        return
    left = [(path, 0)]
    while left:
        folder, depth = left.pop()
        try:
            with os.scandir(folder) as listing:
                found = sorted(listing, key=lambda each: each.name)
        except OSError as error:
            yield UnreadRecord(str(folder), "", f"cannot be read: {error.strerror or error}")
            continue
        if depth > MAX_FOLDERS:
            yield UnreadRecord(str(folder), "", f"lies deeper than {MAX_FOLDERS} folders in one another")
            continue
        what = describe_folder({each.name for each in found})
        if what:
            yield UnreadRecord(str(folder), "", what)
            continue
        folders = []
        for each in found:
            if each.name.startswith("."):
                continue
            if each.is_dir(follow_symlinks=False):
                folders.append((Path(each.path), depth + 1))
            elif each.is_file(follow_symlinks=False):
                yield Path(each.path)
        left.extend(reversed(folders))


def read_document(path: Path) -> ParsedDocument | UnreadRecord | SkippedFile:
    """Read and parse one file; `UnreadRecord` with the reason on failure, `SkippedFile` for a picture or the like."""
    try:
        data = _bytes(path)
    except ParseError as trouble:
        return UnreadRecord(str(path), "", str(trouble))
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        return UnreadRecord(str(path), "", f"cannot be read: {getattr(error, 'strerror', None) or error}")
    head = data[:_PEEK]
    return SkippedFile(str(path), describe_bytes(head)) if is_binary(head) else parse_document(data, path)


def parse_document(data: bytes, path: Path) -> ParsedDocument | UnreadRecord:
    """Parse the bytes of a file; `path` only names it."""
    try:
        text, plain = _decoded(data)
        if what := describe_text(text):
            raise ParseError(what)
        kind, parsed = _parsed(text, plain)
    except ParseError as trouble:
        return UnreadRecord(str(path), "", str(trouble))
    except RecursionError:
        return UnreadRecord(str(path), "", str(too_deep_error()))
    told: list[ConversionNote | UnreadRecord] = [
        ConversionNote(path.name, key, "", "stands twice in one table; the last one was read")
        for key in parsed.duplicate_keys
    ]
    told += [UnreadRecord(str(path), "", words) for words in parsed.broken_lines]
    return ParsedDocument(path, kind, text, parsed.data, tuple(told))


def parse_yaml(text: str) -> Any:
    """Return the data of a YAML text; ValueError with words for people where it can't be read."""
    try:
        return parse_yaml_text(text).data
    except RecursionError:
        raise too_deep_error() from None


def is_binary(head: bytes) -> bool:
    """Return whether the first bytes of a file are no text: a picture, an archive."""
    return head.startswith(_CONTAINERS) or (b"\0" in head and _encoding(head) == "utf-8")


def _bytes(path: Path) -> bytes:
    if not path.exists():
        raise ParseError("there is no such file")
    if not path.is_file():
        raise ParseError("is no ordinary file")
    with path.open("rb") as file:
        data = file.read(_PEEK)
        if not is_binary(data):
            data += file.read(MAX_FILE + 1 - len(data))
    if len(data) > MAX_FILE:
        raise ParseError(f"holds {path.stat().st_size / 1e6:.0f} MB; at most {MAX_FILE // 1_000_000} MB are read")
    return data


def _encoding(data: bytes) -> str:
    """Return the encoding of a text by its byte order mark, or by the zeros among its first bytes."""
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), "")
    if marked:
        return marked
    start = data[:4]
    if len(start) == 4 and start[0] and not start[1] and start[2] and not start[3]:
        return "utf-16-le"
    if len(start) == 4 and not start[0] and start[1] and not start[2] and start[3]:
        return "utf-16-be"
    return "utf-8"


def _decoded(data: bytes) -> tuple[str, bytes]:
    """Return the text of a file, and its bytes where they are valid UTF-8 (else none), which parse faster."""
    encoding = _encoding(data)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        name = encoding.upper().removesuffix("-SIG")
        raise ParseError(
            f"line {line}: is not text in {name}, at byte {error.start + 1}; save it as UTF-8 where it is text"
        ) from None
    nul = text.find("\0") if b"\0" in data else -1
    if nul >= 0:
        raise ParseError(f"line {line_of(text, nul)}: a NUL character stands here, so this is no text file")
    if not text or text.isspace():
        raise ParseError("is empty")
    short = _without_gaps(text)
    return short, data if encoding == "utf-8" and short is text else b""


def _without_gaps(text: str) -> str:
    """Return text with every very long run of spaces replaced by one space.

    A search for names in it needn't cross such a gap again and again.
    """
    if " " * _GAP in text or "\t" * _GAP in text:
        return _GAPS.sub(" ", text)
    return text


def _parsed(text: str, plain: bytes) -> tuple[DocumentKind, ParsedText]:
    body = text.lstrip()
    start = body[:1] if not body.startswith("{{") else ""  # Homebrewery's `{{monster` opens no object
    is_toml = _TOML.match(body, 0, _HEAD) is not None  # its first line that is no comment
    if start == "{" or (start == "[" and not is_toml):
        return "json", parse_json(text, plain)
    if start == "[":
        return _list_or_table(text)
    if start == "<" and _XML.match(text):
        return "xml", parse_xml_text(text)
    blocks = any(mark in text for mark in _BLOCK_MARKS) and _BLOCK.search(text) is not None
    if is_toml:
        try:
            return "toml", parse_toml_text(text)
        except ParseError:
            if not blocks:
                raise
    if blocks or _FRONT.match(text, 0, _HEAD):
        return "markdown", ParsedText(None)
    if body.startswith(("//", "/*")):
        return "json", parse_json5(text)
    rows = parse_csv(text)
    if rows is not None:
        return "csv", rows
    is_prose = _STAT_BLOCK.search(text, 0, _PROSE) is not None
    try:
        parsed = parse_yaml_text(text)
    except ParseError:
        if not is_prose:
            raise
        return "markdown", ParsedText(None)
    return ("markdown", ParsedText(None)) if is_prose and isinstance(parsed.data, str) else ("yaml", parsed)


def _list_or_table(text: str) -> tuple[DocumentKind, ParsedText]:
    """Return the data of a text whose first line may be a list of JSON or the head of a table of TOML."""
    try:
        return "toml", parse_toml_text(text)
    except ParseError as trouble:
        try:
            return "json", parse_json(text)
        except ParseError:
            raise trouble from None
