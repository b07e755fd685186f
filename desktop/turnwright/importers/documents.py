"""Reads, decodes and parses the files of an import.

JSON, JSON5, JSON lines, YAML, TOML, XML, CSV and Markdown are detected by content. Every failure to read a file is
reported, never raised. Limits on size, depth and references keep any file from taking long.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from turnwright.importers.files import parsers
from turnwright.importers.files.unknown_files import describe_bytes, describe_folder, describe_text
from turnwright.importers.results import SkippedFile, UnreadRecord
from turnwright.importers.vocabulary import Patterns, terms
from turnwright.storage.fights import ConversionNote

MAX_FILE: Final = 64_000_000
MAX_FILES: Final = 50_000
MAX_FOLDERS: Final = 50  # levels of nested folders
DocumentKind = Literal["json", "yaml", "toml", "csv", "markdown", "xml"]
DATA_SUFFIXES: Final[tuple[str, ...]] = terms("documents", "data_suffixes")
_PEEK = 8_192
_HEAD: Final = 4_000_000  # characters searched for the first line that isn't empty or a comment
_PROSE: Final = 2_000_000  # characters searched for a stat block
_GAP: Final = 1_000
_GAPS = re.compile(rf"[ \t]{{{_GAP},}}")
_BLOCK_MARKS: Final = ("```", "~~~")
_BLOCK = re.compile(rf"^[ \t]*+(?:{'|'.join(_BLOCK_MARKS)})", re.MULTILINE)
_RE: Final = Patterns("documents")
_XML = re.compile(rf"\s*(?:<\?xml\b|<!DOCTYPE\b|<(?:{'|'.join(parsers.ROOTS)})\b)")
_NOT_YAML: Final = frozenset({".txt", ".text", ".md", ".markdown", ".csv", ".tsv", ".xml"})
_CONTAINERS: Final = (b"%PDF", b"PK\x03\x04")  # binary files, even if no zero byte is near the start
_BY_ZEROS: Final = {"x0x0": "utf-16-le", "0x0x": "utf-16-be"}
_MARKS: Final = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))


class ParsedDocument(msgspec.Struct, frozen=True):
    """One parsed file: `data` is plain lists, mappings and scalars (CSV: a list of rows by heading; Markdown: None).

    `notes` describe the parts of the file that were ignored or could not be read.
    """

    path: Path
    kind: DocumentKind
    text: str
    data: Any = None
    notes: tuple[ConversionNote | UnreadRecord, ...] = ()

    @property
    def file(self) -> str:
        """The file's path for reports."""
        return str(self.path)


def files_in(path: Path) -> Iterator[Path | UnreadRecord]:
    """Yield a file, or all files in a folder and its subfolders, sorted. Links and hidden files are skipped."""
    if not path.is_dir():
        yield path
        return
    pending = [(path, 0)]
    while pending:
        folder, depth = pending.pop()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            yield UnreadRecord(str(folder), "", f"could not be read: {error.strerror or error}")
            continue
        if depth > MAX_FOLDERS:
            yield UnreadRecord(str(folder), "", f"nested more than {MAX_FOLDERS} folders deep; not read")
            continue
        what = describe_folder({entry.name for entry in entries})
        if what:
            yield UnreadRecord(str(folder), "", what)
            continue
        folders = []
        for entry in entries:
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append((Path(entry.path), depth + 1))
            elif entry.is_file(follow_symlinks=False):
                yield Path(entry.path)
        pending.extend(reversed(folders))


def read_document(path: Path) -> ParsedDocument | UnreadRecord | SkippedFile:
    """Read and parse one file. Return `UnreadRecord` with the reason on failure, `SkippedFile` for a binary file."""
    try:
        data = _bytes(path)
    except parsers.ParseError as trouble:
        return UnreadRecord(str(path), "", str(trouble))
    except (OSError, ValueError) as error:  # ValueError: an invalid file name
        return UnreadRecord(str(path), "", f"could not be read: {getattr(error, 'strerror', None) or error}")
    head = data[:_PEEK]
    return SkippedFile(str(path), describe_bytes(head)) if is_binary(head) else parse_document(data, path)


def parse_document(data: bytes, path: Path) -> ParsedDocument | UnreadRecord:
    """Parse the bytes of a file; `path` is used for its name only."""
    try:
        text, plain = _decoded(data)
        if what := describe_text(text):
            raise parsers.ParseError(what)
        kind, parsed = _parsed(text, plain, path.suffix.lower())
    except parsers.ParseError as trouble:
        return UnreadRecord(str(path), "", str(trouble))
    except RecursionError:
        return UnreadRecord(str(path), "", str(parsers.too_deep_error()))
    notes: list[ConversionNote | UnreadRecord] = [
        ConversionNote(path.name, key, "", "duplicate key; the last value is used") for key in parsed.duplicate_keys
    ]
    notes += [UnreadRecord(str(path), "", words) for words in parsed.broken_lines]
    return ParsedDocument(path, kind, text, parsed.data, tuple(notes))


def parse_yaml(text: str) -> Any:
    """Return the data of a YAML text. Raise ValueError with a readable reason if it is invalid."""
    try:
        return parsers.parse_yaml_text(text).data
    except RecursionError:
        raise parsers.too_deep_error() from None


def is_binary(head: bytes) -> bool:
    """Whether the first bytes of a file show that it isn't a text file, but an image or an archive, for example."""
    return head.startswith(_CONTAINERS) or (b"\0" in head and _encoding(head) == "utf-8")


def _bytes(path: Path) -> bytes:
    if not path.exists():
        raise parsers.ParseError("file not found")
    if not path.is_file():
        raise parsers.ParseError("not a regular file")
    with path.open("rb") as file:
        data = file.read(_PEEK)
        if not is_binary(data):
            data += file.read(MAX_FILE + 1 - len(data))
    if len(data) > MAX_FILE:
        raise parsers.ParseError(f"{path.stat().st_size / 1e6:.0f} MB of data; the limit is {MAX_FILE // 1_000_000} MB")
    return data


def _encoding(data: bytes) -> str:
    """Detect the encoding of a text from its byte order mark, or from the zeros among its first bytes."""
    by_zeros = _BY_ZEROS.get("".join("0" if byte == 0 else "x" for byte in data[:4]), "utf-8")
    return next((name for mark, name in _MARKS if data.startswith(mark)), by_zeros)


def _decoded(data: bytes) -> tuple[str, bytes]:
    """Decode a file. If its text is unchanged UTF-8, also return the bytes, which parse faster, otherwise no bytes."""
    encoding = _encoding(data)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        name = encoding.upper().removesuffix("-SIG")
        raise parsers.ParseError(
            f"line {line}: not valid {name} at byte {error.start + 1}; if this is a text file, save it as UTF-8"
        ) from None
    if (nul := text.find("\0")) >= 0:
        raise parsers.ParseError(f"line {parsers.line_of(text, nul)}: contains a NUL character; expected a text file")
    if not text or text.isspace():
        raise parsers.ParseError("empty file")
    if " " * _GAP in text or "\t" * _GAP in text:  # searches for names would scan such a run again and again
        return _GAPS.sub(" ", text), b""
    return text, data if encoding == "utf-8" else b""


def may_hold_block(text: str) -> bool:
    """Whether a text contains hit points or the title of a hazard, so that it may contain a stat block in prose."""
    return _RE.may_hold_block.search(text, 0, _PROSE) is not None


def _parsed(text: str, plain: bytes, suffix: str) -> tuple[DocumentKind, parsers.ParsedText]:
    """Parse a text. Text that isn't data is prose. Raise ParseError if it is broken data without a stat block."""
    try:
        kind, parsed = _data(text, plain)
    except parsers.ParseError as trouble:
        is_prose = suffix in _NOT_YAML and isinstance(trouble, parsers.YamlError)
        if not is_prose and (suffix in DATA_SUFFIXES or not may_hold_block(text)):
            raise
        return "markdown", parsers.ParsedText(None)
    values = parsed.data if isinstance(parsed.data, list) else [parsed.data]
    is_prose = kind == "yaml" and not any(isinstance(value, dict | list) for value in values)
    return ("markdown", parsers.ParsedText(None)) if is_prose else (kind, parsed)


def _data(text: str, plain: bytes) -> tuple[DocumentKind, parsers.ParsedText]:
    body = text.lstrip()
    start = body[:1] if not body.startswith("{{") else ""  # Homebrewery's `{{monster` isn't an object
    is_toml = _RE.toml.match(body, 0, _HEAD) is not None  # the first line that isn't a comment decides
    if start == "{" or (start == "[" and not is_toml):
        return "json", parsers.parse_json(text, plain)
    if start == "[":
        return _list_or_table(text)
    if start == "<" and _XML.match(text):
        return "xml", parsers.parse_xml_text(text)
    blocks = any(mark in text for mark in _BLOCK_MARKS) and _BLOCK.search(text) is not None
    if is_toml:
        try:
            return "toml", parsers.parse_toml_text(text)
        except parsers.ParseError:
            if not blocks:
                raise
    if blocks or _RE.front.match(text, 0, _HEAD):
        return "markdown", parsers.ParsedText(None)
    if body.startswith(("//", "/*")):
        return "json", parsers.parse_json5(text)
    rows = parsers.parse_csv(text)
    if rows is not None:
        return "csv", rows
    return "yaml", parsers.parse_yaml_text(text)


def _list_or_table(text: str) -> tuple[DocumentKind, parsers.ParsedText]:
    """Parse a text whose first line may start either a JSON list or a TOML table."""
    try:
        return "toml", parsers.parse_toml_text(text)
    except parsers.ParseError as trouble:
        try:
            return "json", parsers.parse_json(text)
        except parsers.ParseError:
            raise trouble from None
